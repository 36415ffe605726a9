"""Intervals of frames in which something holds."""

import numpy as np


def mask_intervals(mask: np.ndarray) -> np.ndarray:
    """Intervals (N, 2), half-open, in which the mask (F,) is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.asarray(mask, dtype=bool), [False]])))
    return edges.reshape(-1, 2).astype(np.int64)


def mask_of_intervals(intervals: np.ndarray, n_frames: int) -> np.ndarray:
    """The mask (F,) that is true within the intervals (N, 2): the inverse of `mask_intervals`."""
    mask = np.zeros(n_frames, dtype=bool)
    for start, stop in np.asarray(intervals).reshape(-1, 2):
        mask[max(int(start), 0) : int(stop)] = True
    return mask
