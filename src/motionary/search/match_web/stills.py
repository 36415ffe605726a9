"""Where a motion is still: whole basins of a grid are alike there, of which a web keeps one alignment."""

from typing import Any

import numpy as np

from motionary.metrics import AnyMetric

STRIDE_SECS = 0.25  # over which speed is measured


def still_starts(metric: AnyMetric, described: Any, *, n_frames: int, rate_hz: float, speed: float) -> np.ndarray:
    """For every frame (F,) int32 the first frame of the still stretch it is in, −1 where the body moves.

    A frame is still if what is around it, STRIDE_SECS long, changes by less than `speed` (m/s); a stretch is at least
    as long.
    """
    reach = max(1, round(STRIDE_SECS * rate_hz / 2.0))
    frames = np.arange(n_frames)
    before, after = np.maximum(frames - reach, 0), np.minimum(frames + reach, n_frames - 1)
    rectangles = np.stack([before, before + 1, after, after + 1], axis=1)
    moved = np.sqrt(metric.rectangles(described, described, rectangles)) * rate_hz
    still = np.zeros(n_frames + 2, dtype=np.int8)
    still[1:-1] = moved < speed * np.maximum(after - before, 1)
    starts, stops = (np.flatnonzero(np.diff(still) == change) for change in (1, -1))
    found = np.full(n_frames, -1, dtype=np.int32)
    for start, stop in zip(starts, stops, strict=True):
        if stop - start >= 2 * reach:
            found[start:stop] = start
    return found


def thinned_starts(starts: np.ndarray, every: int) -> np.ndarray:
    """The same for every so many frames."""
    return np.where(starts[::every] >= 0, -(-starts[::every] // every), -1).astype(np.int32)
