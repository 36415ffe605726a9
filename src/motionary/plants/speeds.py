"""How fast points are, measured so that noise is averaged away and the edges of rests stay sharp."""

import numpy as np
from numba import njit


def window_frames(window_secs: float, *, frame_time: float, n_frames: int) -> int:
    """The number of frames whose times span `window_secs`: at least 3, at most all."""
    return min(max(3, round(window_secs / frame_time) + 1), n_frames)


def slowest_speeds(points: np.ndarray, *, n_window: int, frame_time: float) -> np.ndarray:
    """For each frame and point (F, P), the speed of the slowest of the windows that hold the frame.

    A window's speed is that of the straight line through its places with least squares. As a frame takes the
    best of the windows before, around and after it, the first frame of a rest is as still as those in its
    middle. One frame alone has speed 0.
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    speeds = np.empty(points.shape[:2])
    _slowest_speeds(points, n_window, frame_time, np.empty(len(points)), speeds)
    return speeds


def slowest_speeds_reference(points: np.ndarray, *, n_window: int, frame_time: float) -> np.ndarray:
    """What `slowest_speeds` computes, from the definition."""
    n_frames, n_points = points.shape[:2]
    speeds = np.full((n_frames, n_points), np.inf)
    times = np.arange(n_window) * frame_time
    for first in range(n_frames - n_window + 1):
        window = slice(first, first + n_window)
        for p in range(n_points):
            slopes = np.polyfit(times, points[window, p], 1)[0] if n_window > 1 else np.zeros(3)
            speeds[window, p] = np.minimum(speeds[window, p], np.linalg.norm(slopes))
    return speeds


@njit(cache=True, nogil=True)
def _slowest_speeds(points, n_window, frame_time, windows, out):  # type: ignore[no-untyped-def]
    """`windows` is (F,): there are F − n_window + 1 of them, and a window has 1 to F frames."""
    n_frames, n_points = points.shape[0], points.shape[1]
    n_windows = n_frames - n_window + 1
    middle = 0.5 * (n_window - 1)
    spread = n_window * (n_window * n_window - 1) / 12.0 * frame_time  # Σ (k − middle)² · frame_time
    for p in range(n_points):
        for first in range(n_windows):
            x, y, z = 0.0, 0.0, 0.0
            for k in range(n_window):
                lever = k - middle
                x += lever * points[first + k, p, 0]
                y += lever * points[first + k, p, 1]
                z += lever * points[first + k, p, 2]
            windows[first] = np.sqrt(x * x + y * y + z * z) / spread if n_window > 1 else 0.0
        for f in range(n_frames):
            slowest = np.inf
            for first in range(max(0, f - n_window + 1), min(f, n_windows - 1) + 1):
                slowest = min(slowest, windows[first])
            out[f, p] = slowest
