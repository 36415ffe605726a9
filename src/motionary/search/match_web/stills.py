"""Where a motion is still: whole basins of a grid are alike there, of which a web keeps two alignments."""

from typing import Any

import numpy as np

from motionary.metrics import AnyMetric

STRIDE_SECS = 0.25  # over which speed is measured


def still_stretches(metric: AnyMetric, described: Any, *, n_frames: int, rate_hz: float, speed: float) -> np.ndarray:
    """For every frame (2, F) int32 where the still stretch that it is in begins and ends, −1 where the body moves.

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
    found = np.full((2, n_frames), -1, dtype=np.int32)
    for start, stop in zip(starts, stops, strict=True):
        if stop - start >= 2 * reach:
            found[0, start:stop], found[1, start:stop] = start, stop
    return found


def thinned_stretches(stretches: np.ndarray, every: int) -> np.ndarray:
    """The same for every so many frames."""
    chosen = stretches[:, ::every]
    return np.where(chosen >= 0, -(-chosen // every), -1).astype(np.int32)
