"""Intervals of frames from curves over time: hysteresis, and gaps closed."""

import numpy as np
from numba import njit

from motionary.motion import mask_intervals


def low_intervals(values: np.ndarray, *, enter: float, leave: float) -> np.ndarray:
    """Intervals (N, 2) in which the curve (F,) stays at or below `leave` and comes down to `enter` at least once."""
    intervals = np.empty((len(values) // 2 + 1, 2), dtype=np.int64)
    return intervals[: _low_intervals(values, enter, leave, intervals)]


def low_intervals_reference(values: np.ndarray, *, enter: float, leave: float) -> np.ndarray:
    """What `low_intervals` computes, from the definition."""
    return np.array(
        [(start, stop) for start, stop in mask_intervals(values <= leave) if np.any(values[start:stop] <= enter)],
        dtype=np.int64,
    ).reshape(-1, 2)


@njit(cache=True, nogil=True)
def _low_intervals(values, enter, leave, out):  # type: ignore[no-untyped-def]
    """`out` has room for F // 2 + 1 intervals: at least one frame lies between two of them."""
    found, start, entered = 0, -1, False
    for f in range(len(values)):
        if values[f] <= leave:
            if start < 0:
                start, entered = f, False
            entered = entered or values[f] <= enter
        elif start >= 0:
            if entered:
                out[found, 0], out[found, 1] = start, f
                found += 1
            start = -1
    if start >= 0 and entered:
        out[found, 0], out[found, 1] = start, len(values)
        found += 1
    return found
