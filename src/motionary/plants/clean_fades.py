"""Corrections between the frames where they are known: in and out without a jump, and never larger than they were."""

import math

import numpy as np
from numba import njit

PEAK = 5.7735  # largest second derivative of the quintic step from 1 to 0 over one unit of time
LONGEST = 3.0  # times the usual fade: as long as large corrections may take


def fade(
    values: np.ndarray, known: np.ndarray, *, frame_time: float, fade_secs: float, most_acceleration: float
) -> np.ndarray:
    """The values (F, D) where `known` (F,), between and around them smooth curves that fade to 0.

    The last value of a stretch of known frames goes to 0 within `fade_secs`, or later, if it would change by more than
    `most_acceleration` (a second derivative). Two stretches that are nearer than that have the sum of their fades
    between them, each as long as the gap: a curve from the one's value to the other's. So a correction is nowhere
    larger than at the nearest known frames: had it gone on as it came, noise would have carried feet far off. The ends
    of the motion cut fades off; they do not hurry them.
    """
    faded = np.where(known[:, None], values, 0.0)
    _fade(faded, np.ascontiguousarray(known), frame_time, fade_secs, most_acceleration)
    return faded


def fade_reference(
    values: np.ndarray, known: np.ndarray, *, frame_time: float, fade_secs: float, most_acceleration: float
) -> np.ndarray:
    """What `fade` computes, from the definition: polynomials found and evaluated by numpy."""
    n_frames = len(values)
    faded = np.where(known[:, None], values, 0.0)
    changes = np.diff(np.concatenate([[0], known.astype(int), [0]]))
    starts, stops = np.flatnonzero(changes == 1), np.flatnonzero(changes == -1)
    for k, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        before = start - (stops[k - 1] - 1) if k else None  # frames to the next known one
        after = starts[k + 1] - (stop - 1) if k + 1 < len(starts) else None
        for edge, step, gap in ((start, -1, before), (stop - 1, 1, after)):
            long = math.sqrt(PEAK * float(np.linalg.norm(values[edge])) / most_acceleration)
            t = min(max(long, fade_secs), LONGEST * fade_secs) / frame_time
            t = max(t if gap is None else min(t, float(gap)), 1.0)
            # 1 + c3 x³ + c4 x⁴ + c5 x⁵ with nothing left at t: no value, slope or curvature
            ends = np.array([[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]])
            curve = np.array([1.0, 0.0, 0.0, *np.linalg.solve(ends, [-1.0, 0.0, 0.0])])
            for away in range(1, math.ceil(t)):
                if 0 <= edge + step * away < n_frames:
                    faded[edge + step * away] += (float(away) ** np.arange(6) @ curve) * values[edge]
    return faded


@njit(cache=True, nogil=True)
def _fade(values, known, frame_time, fade_secs, most_acceleration):  # type: ignore[no-untyped-def]
    """Add to the unknown rows of `values` (F, D); fades stop at its ends and before the next known row."""
    n_frames, n_dims = values.shape
    # Plain numbers are types of their own, for each of which Numba would compile `_fade_from`
    start, back, on = np.int64(0), np.int64(-1), np.int64(1)
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
        gap = float(start - before) if before >= 0 else np.inf
        _fade_from(values, start, back, gap, n_dims, frame_time, fade_secs, most_acceleration)
        gap = float(after - (stop - 1)) if after < n_frames else np.inf
        _fade_from(values, stop - 1, on, gap, n_dims, frame_time, fade_secs, most_acceleration)
        start = stop


@njit(cache=True, nogil=True)
def _fade_from(values, edge, step, gap, n_dims, frame_time, fade_secs, most_acceleration):  # type: ignore[no-untyped-def]
    square = 0.0
    for d in range(n_dims):
        square += values[edge, d] ** 2
    if square == 0.0:
        return
    long = math.sqrt(PEAK * math.sqrt(square) / most_acceleration)
    frames = max(min(min(max(long, fade_secs), LONGEST * fade_secs) / frame_time, gap), 1.0)
    for away in range(1, math.ceil(frames)):
        f = edge + step * away
        if f < 0 or f >= values.shape[0]:
            break
        s = away / frames
        share = (1.0 - s) ** 3 * (1.0 + s * (3.0 + 6.0 * s))
        for d in range(n_dims):
            values[f, d] += share * values[edge, d]
