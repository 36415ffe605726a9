"""What natural motion scores: real windows of the library, measured like blends; and up to what errors motion of each
kind counts as natural."""

import numpy as np

from motionary.transition.blending import FALL_ERROR, PLANT_ERROR, SCORE, ZMP_ERROR, run_blends
from motionary.transition.body_lanes import body_lanes
from motionary.transition.pool import Pool
from motionary.transition.searching import NONE, unaligned
from motionary.transition.sources import gather_windows
from motionary.transition.windows import complete_windows, squared_distances, window_shapes
from motionary.transition.workspace import make_workspace

BATCH = 256
KEPT = [SCORE, PLANT_ERROR, ZMP_ERROR, FALL_ERROR]
ERRORS = slice(1, None)  # of these: the errors that a score is the sum of
GOOD_PERCENTILE = 97.5  # of real windows: what scores worse is not called good
N_ALIKE = 30  # real windows that tell what motion of a kind scores
ALIKE_PERCENTILE = 85.0  # of their errors
ALLOWED = 0.1  # metres more of each error: motion without any has some room, too
EVERY = 5  # frames: between them thresholds are interpolated


def natural_windows(pool: Pool, n_frames: int, *, n: int, rng: np.random.Generator) -> np.ndarray:
    """First frames (N,) of up to n real windows, drawn at random."""
    return np.sort(rng.permutation(complete_windows(pool, n_frames))[:n])


def levels_reference(shapes: np.ndarray, known: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """What `levels` finds, from the definition."""
    found = []
    for shape in shapes:
        alike = np.argsort(np.sum((known - shape) ** 2, axis=1), kind="stable")[:N_ALIKE]
        found.append([np.percentile(errors[alike, e], ALIKE_PERCENTILE) + ALLOWED for e in range(errors.shape[1])])
    return np.array(found)


def natural_thresholds(pool: Pool, n_frames: int, windows: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """What motion like the window from each frame may have of each error (T, 3), float16 metres: see `share_of`.

    The real windows (N,) and their errors (N, 3) tell: of the most alike, most have less than a level. Thresholds are
    all levels times one factor, by which as many of the real windows are natural as by one threshold for all. Every
    few windows are measured; frames without a complete window have what the nearest of their clip has. Without real
    windows nothing is known (NaN).
    """
    if not len(windows):
        return np.full((pool.n_frames, errors.shape[1]), np.nan, dtype=np.float16)
    known = np.concatenate(list(window_shapes(pool, windows, n_frames)))
    every = np.concatenate(
        [
            np.unique(np.append(np.arange(start, stop - n_frames, EVERY), stop - n_frames - 1))
            for start, stop in zip(pool.starts[:-1].tolist(), pool.starts[1:].tolist(), strict=True)
            if stop - start > n_frames
        ]
    )
    found = np.concatenate([levels(shapes, known, errors) for shapes in window_shapes(pool, every, n_frames)])
    of_frames = np.stack([_of_all_frames(pool, every, values) for values in found.T], axis=1)
    usual = np.percentile(errors, ALIKE_PERCENTILE, axis=0) + ALLOWED
    of_frames = np.where(np.isfinite(of_frames), of_frames, usual)
    factor = np.percentile(share_of(errors, of_frames[windows]), GOOD_PERCENTILE)
    return (factor * of_frames).astype(np.float16)


def levels(shapes: np.ndarray, known: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Levels (N, 3) of windows by their shapes (N, D): what most of the real windows (M, D) that are most alike have at
    most of each error, of errors (M, 3), and a little more."""
    away = squared_distances(shapes, known)
    n = min(N_ALIKE, len(known))
    alike = np.argpartition(away, n - 1, axis=1)[:, :n]
    return np.asarray(np.percentile(errors[alike], ALIKE_PERCENTILE, axis=1) + ALLOWED)


def share_of(errors: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The share (N,) of what is allowed (N, 3) that errors (N, 3) take, all together; natural motion takes 1 at most.

    Each error counts by what is usual of it: where a run is out of balance by half a metre, feet that slip by some
    centimetres would not show in the sum of metres.
    """
    return np.asarray(np.sum(errors / allowed, axis=-1))


def _of_all_frames(pool: Pool, frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (T,) of all frames by those of some, clip by clip; NaN in clips without any."""
    out = np.full(pool.n_frames, np.nan)
    for start, stop in zip(pool.starts[:-1].tolist(), pool.starts[1:].tolist(), strict=True):
        first, last = np.searchsorted(frames, (start, stop))
        if first < last:
            out[start:stop] = np.interp(np.arange(start, stop), frames[first:last], values[first:last])
    return out


def score_windows(pool: Pool, drawn: np.ndarray, n_frames: int) -> np.ndarray:
    """Scores and their parts (N, 4) of windows by their first frames (N,); each counts as a blend of itself."""
    lanes = body_lanes(pool.body, pool.frame_time)
    places = np.array([(pool.clip_of(int(first)), int(first)) for first in drawn]).reshape(-1, 2)
    work = make_workspace(n_frames + 1, lanes)
    found = [np.empty((0, len(KEPT)))]
    for begin in range(0, len(places), BATCH):
        windows = gather_windows(pool, lanes, places[begin : begin + BATCH], n_frames)
        numbers = np.arange(len(windows.facing))
        recipes = np.stack([numbers, numbers, np.full_like(numbers, NONE), np.full_like(numbers, NONE)], axis=1)
        out = np.zeros((len(numbers), 8))
        run_blends(
            lanes, windows, *unaligned(*windows.facing.shape), recipes, False, np.full((1, 2), np.inf), out, work
        )
        found.append(out[:, KEPT])
    return np.concatenate(found)
