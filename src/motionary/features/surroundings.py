"""What is around a pose: how the body stands and moves up to half a second before and after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from motionary.features.curves import curves
from motionary.features.gist import gist
from motionary.features.root import root

NEAR, FAR = 5, 15  # frames before and after, at the search rate: a sixth and half a second
STEP = 10  # frames to what was before and to what comes
SMOOTHED = 4  # frames before and after, for these
AT_REST = 0.02  # m, or what counts as much: smaller deviations hardly differ from none
STILL = 0.1  # m/s
SOURCES = ((gist, 72), (root, 6), (curves, 4))  # descriptions, and how many of their first dimensions
NOT_POSED = ("activity", "speed", "turning", "contact")  # words of dimensions that tell of movement


@dataclass(frozen=True, eq=False)
class Layout:
    """Which columns of the sources are a pose, and what a mirror makes of the S numbers."""

    now: np.ndarray  # columns of the sources whose values count as they are
    posed: np.ndarray
    mirror_columns: np.ndarray  # (S,)
    mirror_signs: np.ndarray  # (S,) float32


@cache
def surroundings_layout() -> Layout:
    """How the numbers of `surroundings` are arranged."""
    dimensions = [one for source, n_first in SOURCES for one in source().dimensions[:n_first]]
    number = {dimension.name: column for column, dimension in enumerate(dimensions)}
    partners = np.array([number[dimension.mirror] for dimension in dimensions])
    signs = np.array([dimension.mirror_sign for dimension in dimensions], dtype=np.float32)
    posed = np.array([i for i, one in enumerate(dimensions) if not any(word in one.name for word in NOT_POSED)])
    n_gist = SOURCES[0][1]
    now = np.union1d(np.arange(n_gist), posed)
    every = np.arange(len(dimensions))
    columns, sides, first = [], [], 0
    for chosen, has_sign in ((now, 1), (every, 1), (every, 1), (posed, 0), (posed, 0), (posed, 1), (posed, 1)):
        columns.append(first + np.searchsorted(chosen, partners[chosen]))
        sides.append(signs[chosen] if has_sign else np.ones(len(chosen), dtype=np.float32))
        first += len(chosen)
    return Layout(now, posed, np.concatenate(columns), np.concatenate(sides))


def surroundings(arrays: Mapping[str, np.ndarray], *, rate_hz: float) -> np.ndarray:
    """Numbers (F, S) that tell what is around each frame of a motion with these features.

    Side by side: the pose now and the activity; the means of all sources over the near and the far frames; of the
    pose, over the far frames, the logarithms of its deviation and of its speed; how it changes, from what was before
    to what comes; and how it turns back, the sum of both less twice what is now. Where there are fewer frames before
    or after, means are over those that there are.
    """
    layout = surroundings_layout()
    sources = [arrays[source.__name__][:, :n_first] for source, n_first in SOURCES]
    values = np.concatenate(sources, axis=1).astype(np.float64)
    poses = values[:, layout.posed]
    speeds = np.gradient(poses, 1.0 / rate_hz, axis=0) if len(poses) > 1 else np.zeros_like(poses)
    far = means_around(poses, FAR)
    deviations = np.sqrt(np.maximum(means_around(poses * poses, FAR) - far * far, 0.0))
    smooth, frames = means_around(poses, SMOOTHED), np.arange(len(poses))
    before, after = smooth[np.maximum(frames - STEP, 0)], smooth[np.minimum(frames + STEP, len(poses) - 1)]
    parts = (
        values[:, layout.now],
        means_around(values, NEAR),
        means_around(values, FAR),
        np.log2(AT_REST + deviations),
        np.log2(STILL + np.sqrt(means_around(speeds * speeds, FAR))),
        after - before,
        after + before - 2.0 * smooth,
    )
    return np.concatenate(parts, axis=1).astype(np.float32)


def means_around(values: np.ndarray, n_around: int) -> np.ndarray:
    """The means (F, D) of the values over the n frames before and after each, and itself, as far as they exist."""
    frames = np.arange(len(values))
    first, stop = np.maximum(frames - n_around, 0), np.minimum(frames + n_around + 1, len(values))
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    return np.asarray((sums[stop] - sums[first]) / (stop - first)[:, None])
