"""When a point that rests has arrived at its place, and when it sets out from there, to the frame.

A point moves off without a jolt: its distance grows with the cube of time. So the way out of the neighbourhood of
its place tells when it began, even where noise hides the first millimetres. Real feet wander while they stand; the
more they do, the wider is that neighbourhood, and the less is taken off.
"""

import numpy as np
from numba import njit

WANDERS = 5.0  # times its wander that a point at rest may be away from its place at the ends
CLEAR = 0.004  # metres of wander above which a point does not tell when it set out
LONGEST_LEAVING = 2.0  # of `leaving_secs`: what creeps out of its place tells little about when it began


def ends_reference(
    places: np.ndarray, start: int, stop: int, place: np.ndarray, *, tight: float, reach: float, leaving: float
) -> tuple[int, int]:
    """What `_ends` computes: the frames of [start, stop) between the arrival of a point (F, 3) and its setting out.

    At its ends it is within `tight` of its place, or farther if it wanders, but never beyond `reach`. `leaving`
    is the time, in frames, over which the way out is looked at. Empty if the point is never near its place.
    """
    away = np.linalg.norm(places - place, axis=1)  # (F,)
    wander = _wander_reference(places[start:stop], away[start:stop])
    tight = min(max(tight, WANDERS * wander), reach)
    near = np.flatnonzero(away[start:stop] <= tight) + start
    if not len(near):
        return stop, stop
    first, last = int(near[0]), int(near[-1])
    most = (last + 1 - first) // 4
    clear = max(0.0, 1.0 - wander / CLEAR)
    n_before = _since_setting_out(away[: first + 1][::-1], tight, clear * leaving, leaving)
    n_after = _since_setting_out(away[last:], tight, clear * leaving, leaving)
    return first + min(n_before, most), last + 1 - min(n_after, most)


def _wander_reference(places: np.ndarray, away: np.ndarray) -> float:
    """The usual distance (n,) from the place, less what white noise does; its second differences show that."""
    usual = float(np.median(away))
    if len(places) < 5:
        return usual
    noise = float(np.median(np.sum(np.diff(places, n=2, axis=0) ** 2, axis=1))) / 6.0
    return float(np.sqrt(max(0.0, usual**2 - noise)))


def _since_setting_out(away: np.ndarray, tight: float, taken: float, leaving: float) -> int:
    """How many frames before its last one in `tight` the point set out; `away` (n,) are distances from then on."""
    if len(away) < 2:
        return 0
    crossing = (tight - away[0]) / (away[1] - away[0]) if away[1] > away[0] else 0.0  # frames
    if crossing + leaving > len(away) - 1:
        return 0
    farther = float(np.interp(crossing + leaving, np.arange(len(away)), away))
    if farther <= tight:
        return 0
    share = (tight / farther) ** (1.0 / 3.0)  # of the times since it set out
    return max(0, int(np.floor(taken * min(share / max(1.0 - share, 1e-12), LONGEST_LEAVING) - crossing + 0.5)))


@njit(cache=True, nogil=True)
def _ends(points, p, start, stop, x, y, z, tight, reach, leaving, scratch):  # type: ignore[no-untyped-def]
    wander = _wander(points, p, start, stop, x, y, z, scratch)
    tight = min(max(tight, WANDERS * wander), reach)
    while start < stop and _distance(points, p, start, x, y, z) > tight:
        start += 1
    while stop > start and _distance(points, p, stop - 1, x, y, z) > tight:
        stop -= 1
    if stop == start:
        return start, start
    most = (stop - start) // 4
    clear = max(0.0, 1.0 - wander / CLEAR)
    back, on = np.int64(-1), np.int64(1)  # for plain numbers, Numba would compile `_set_out` once each
    cut = min(most, _set_out(points, p, start, back, x, y, z, clear, tight, leaving))
    return start + cut, stop - min(most, _set_out(points, p, stop - 1, on, x, y, z, clear, tight, leaving))


@njit(cache=True, nogil=True)
def _wander(points, p, start, stop, x, y, z, scratch):  # type: ignore[no-untyped-def]
    """The usual distance from the place, less what white noise does: a sixth of its second differences' square."""
    n_frames = stop - start
    for f in range(n_frames):
        scratch[f] = _distance(points, p, start + f, x, y, z)
    usual = np.median(scratch[:n_frames])
    if n_frames < 5:
        return usual
    for f in range(n_frames - 2):
        square = 0.0
        for c in range(3):
            bend = points[start + f, p, c] - 2.0 * points[start + f + 1, p, c] + points[start + f + 2, p, c]
            square += bend * bend
        scratch[f] = square
    return np.sqrt(max(0.0, usual * usual - np.median(scratch[: n_frames - 2]) / 6.0))


@njit(cache=True, nogil=True)
def _set_out(points, p, last, step, x, y, z, clear, tight, leaving):  # type: ignore[no-untyped-def]
    """How many frames before `last`, its last in `tight`, the point set out; `step` says which way time goes."""
    n_frames = points.shape[0]
    if not 0 <= last + step < n_frames:
        return 0
    here, there = _distance(points, p, last, x, y, z), _distance(points, p, last + step, x, y, z)
    crossing = (tight - here) / (there - here) if there > here else 0.0
    later = crossing + leaving
    whole = int(np.floor(later))
    part = later - whole
    frame = last + step * whole
    beyond = frame + step if part > 0.0 else frame
    if not (0 <= frame < n_frames and 0 <= beyond < n_frames):
        return 0
    farther = _distance(points, p, frame, x, y, z)
    farther += part * (_distance(points, p, beyond, x, y, z) - farther)
    if farther <= tight:
        return 0
    share = (tight / farther) ** (1.0 / 3.0)
    since = clear * leaving * min(share / max(1.0 - share, 1e-12), LONGEST_LEAVING)
    return max(0, int(np.floor(since - crossing + 0.5)))


@njit(cache=True, nogil=True)
def _distance(points, p, f, x, y, z):  # type: ignore[no-untyped-def]
    a, b, c = points[f, p, 0] - x, points[f, p, 1] - y, points[f, p, 2] - z
    return np.sqrt(a * a + b * b + c * c)
