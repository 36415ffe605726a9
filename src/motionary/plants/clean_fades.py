"""Corrections between the frames where they are known: in and out without a jump, a kink or a jerk."""

import math

import numpy as np
from numba import njit

PEAK = 5.7735  # largest second derivative of the quintic step from 1 to 0 over one unit of time
SLOPE_SECS = 0.07  # how much of a known stretch tells how a correction goes on
SLOPE_SHARE = 0.5  # of the fade, for what slope and curvature add: a foot in motion would be carried far off
LONGEST = 3.0  # times the usual fade: as long as large corrections may take


def fade(
    values: np.ndarray, known: np.ndarray, *, frame_time: float, fade_secs: float, most_acceleration: float
) -> np.ndarray:
    """The values (F, D) where `known` (F,), between and around them smooth curves that fade to 0.

    A stretch of known frames goes on with its value, slope and curvature and reaches 0 with none of them after
    `fade_secs`; its value later, if it would change by more than `most_acceleration` (a second derivative). Two
    stretches that are nearer than that have the sum of their fades between them, each as long as the gap. The ends
    of the motion cut fades off; they do not hurry them.
    """
    faded = np.where(known[:, None], values, 0.0)
    _fade(faded, np.ascontiguousarray(known), frame_time, fade_secs, most_acceleration)
    return faded


def fade_reference(
    values: np.ndarray, known: np.ndarray, *, frame_time: float, fade_secs: float, most_acceleration: float
) -> np.ndarray:
    """What `fade` computes, from the definition: polynomials fitted and evaluated by numpy."""
    n_frames = len(values)
    faded = np.where(known[:, None], values, 0.0)
    changes = np.diff(np.concatenate([[0], known.astype(int), [0]]))
    starts, stops = np.flatnonzero(changes == 1), np.flatnonzero(changes == -1)
    for k, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        before = start - (stops[k - 1] - 1) if k else None  # frames to the next known one
        after = starts[k + 1] - (stop - 1) if k + 1 < len(starts) else None
        for edge, step, gap in ((start, -1, before), (stop - 1, 1, after)):
            n = int(min(stop - start, max(3, round(SLOPE_SECS / frame_time))))
            inwards = values[edge - step * np.arange(n)]  # (n, D) from the edge into the stretch
            degree = min(n - 1, 2)
            slopes = np.zeros((3, values.shape[1]))
            slopes[: degree + 1] = np.polynomial.polynomial.polyfit(-np.arange(n), inwards, degree)
            slopes[0] = inwards[0]
            long = math.sqrt(PEAK * float(np.linalg.norm(slopes[0])) / most_acceleration)
            frames = min(max(long, fade_secs), LONGEST * fade_secs) / frame_time
            only_value, only_slopes = np.array([[1.0], [0.0], [0.0]]) * slopes, np.array([[0.0], [1.0], [1.0]]) * slopes
            for (c0, c1, c2), t in ((only_value, frames), (only_slopes, SLOPE_SHARE * fade_secs / frame_time)):
                t = max(t if gap is None else min(t, float(gap)), 1.0)
                # c0 + c1 x + … + c5 x⁵ with nothing left at t: no value, slope or curvature
                ends = np.array([[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]])
                rest = np.linalg.solve(ends, -np.array([c0 + c1 * t + c2 * t**2, c1 + 2 * c2 * t, 2 * c2]))
                for away in range(1, math.ceil(t)):
                    if 0 <= edge + step * away < n_frames:
                        faded[edge + step * away] += float(away) ** np.arange(6) @ np.vstack([c0, c1, c2, rest])
    return faded


@njit(cache=True, nogil=True)
def _fade(values, known, frame_time, fade_secs, most_acceleration):  # type: ignore[no-untyped-def]
    n_frames, n_dims = values.shape
    longest_run = max(3, round(SLOPE_SECS / frame_time))
    start = 0
    while start < n_frames:
        if not known[start]:
            start += 1
            continue
        stop = start
        while stop < n_frames and known[stop]:
            stop += 1
        before, after = start - 1, stop
        while before >= 0 and not known[before]:
            before -= 1
        while after < n_frames and not known[after]:
            after += 1
        n = min(stop - start, longest_run)
        gap = float(start - before) if before >= 0 else np.inf
        _fade_from(values, start, -1, n, gap, n_dims, frame_time, fade_secs, most_acceleration)
        gap = float(after - (stop - 1)) if after < n_frames else np.inf
        _fade_from(values, stop - 1, 1, n, gap, n_dims, frame_time, fade_secs, most_acceleration)
        start = stop


@njit(cache=True, nogil=True)
def _fade_from(values, edge, step, n, gap, n_dims, frame_time, fade_secs, most_acceleration):  # type: ignore[no-untyped-def]
    square = 0.0
    for d in range(n_dims):
        square += values[edge, d] ** 2
    long = math.sqrt(PEAK * math.sqrt(square) / most_acceleration)
    frames = max(min(min(max(long, fade_secs), LONGEST * fade_secs) / frame_time, gap), 1.0)
    slope_frames = max(min(SLOPE_SHARE * fade_secs / frame_time, gap), 1.0)
    for d in range(n_dims):
        value = values[edge, d]
        slope, curve = _slopes(values, edge, step, n, d)
        for away in range(1, math.ceil(frames)):
            f = edge + step * away
            if f < 0 or f >= values.shape[0]:
                break
            s = away / frames
            values[f, d] += (1.0 - s) ** 3 * value * (1.0 + s * (3.0 + 6.0 * s))
            s = away / slope_frames
            if s < 1.0:
                goes_on = slope * (1.0 + 3.0 * s) + 0.5 * curve * slope_frames * s
                values[f, d] += (1.0 - s) ** 3 * slope_frames * s * goes_on


@njit(cache=True, nogil=True)
def _slopes(values, edge, step, n, d):  # type: ignore[no-untyped-def]
    """First and second derivative at the edge, outwards, by frames: of the parabola nearest to the last n values."""
    if n < 2:
        return 0.0, 0.0
    if n == 2:
        return values[edge, d] - values[edge - step, d], 0.0
    # Least squares about the middle of the n frames, where the sums of odd powers vanish.
    middle = 0.5 * (n - 1)
    squares = n * (n * n - 1.0) / 12.0
    fourths = squares * (3.0 * n * n - 7.0) / 20.0
    total, first, second = 0.0, 0.0, 0.0
    for i in range(n):
        x, y = middle - i, values[edge - step * i, d]
        total += y
        first += x * y
        second += x * x * y
    bend = (second - squares * total / n) / (fourths - squares * squares / n)
    return first / squares + 2.0 * bend * middle, 2.0 * bend
