"""The characteristic pose of a query: what every motion like it goes through, and few others do."""

from collections.abc import Callable

import numpy as np

from motionary.errors import UsageError
from motionary.search.requests.wpca import RARE

SAMPLED_FRAMES = 1_000  # of the library: what is common is known from as few
COMMON_SHARE = 0.15  # of the library's poses: how far one must go from a pose to meet so many
HELD_SHARE = 0.95  # of the largest value: as long as that, a pose is held

# What a body does when it does nothing, of a curve (n, d) in the space: the neutral poses of Forbes & Fiume (2005).
NEUTRAL: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda curve: curve.mean(axis=0),
    "first": lambda curve: curve[0],
    "last": lambda curve: curve[-1],
    "ends": lambda curve: 0.5 * (curve[0] + curve[-1]),
    "origin": lambda curve: np.zeros(curve.shape[1]),
}


def check_way(way: str) -> None:
    if way != RARE and way not in NEUTRAL:
        raise UsageError(f"a characteristic pose must be {', '.join((RARE, *NEUTRAL))} or a frame, not {way!r}")


def characters(curve: np.ndarray, *, way: str, sample: np.ndarray) -> np.ndarray:
    """How characteristic every frame (n,) of a curve (n, d) is: how far from neutral; "rare": times how rare.

    The query's mean is the action itself where that fills most of the query, so rare measures how far a pose is from
    what does not depend on how long the action lasts: the query's ends and the middle of the library, half and half.
    `sample` (S, d) are poses from all over the library.
    """
    check_way(way)
    if way != RARE:
        return np.asarray(np.linalg.norm(curve - NEUTRAL[way](curve), axis=1))
    extremity = 0.5 * (characters(curve, way="ends", sample=sample) + characters(curve, way="origin", sample=sample))
    return np.asarray(extremity * rarities(curve, sample))


def rarities(curve: np.ndarray, sample: np.ndarray) -> np.ndarray:
    """How far (n,) one has to go from each pose until 15 % of the library's poses are nearer."""
    if len(sample) == 0:
        return np.ones(len(curve))
    nth = max(1, round(COMMON_SHARE * len(sample))) - 1
    # |a − b|² = |a|² − 2 a·b + |b|²: one product of matrices; rarities need no last bits
    halves = (0.5 * (sample**2).sum(axis=1) - curve @ sample.T).astype(np.float32)
    squares = (curve**2).sum(axis=1) + 2.0 * np.partition(halves, nth, axis=1)[:, nth]
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def rarities_reference(curve: np.ndarray, sample: np.ndarray) -> np.ndarray:
    """What `rarities` computes, from the definition."""
    nth = max(1, round(COMMON_SHARE * len(sample))) - 1
    return np.array([np.sort(np.linalg.norm(sample - pose, axis=1))[nth] for pose in curve])


def characteristic_frames(values: np.ndarray, *, n_poses: int, least_apart: int) -> list[int]:
    """The frames of the n most characteristic poses, in the order of time.

    Each is the middle of a hold: the stretch around the best frame in which poses are at least 95 % as characteristic.
    At its ends the body still comes or already goes, and which of the two a pose elsewhere shows cannot be seen. After
    the first, each further one is around the best of what is at least so many frames away from all before; there are
    fewer where the query has no room for more.
    """
    left = np.array(values, dtype=np.float64)
    chosen: list[int] = []
    while len(chosen) < n_poses and np.isfinite(left).any():
        best = int(np.argmax(left))
        outside = np.flatnonzero(left < HELD_SHARE * left[best])
        first = outside[outside < best].max(initial=-1) + 1
        stop = outside[outside > best].min(initial=len(left))
        frame = int(first + stop - 1) // 2
        chosen.append(frame)
        left[max(0, frame - least_apart + 1) : frame + least_apart] = -np.inf
    return sorted(chosen)
