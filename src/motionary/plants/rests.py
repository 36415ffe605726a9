"""When and where points keep still: the candidates for plants, whatever they stand on."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.plants.intervals import _low_intervals, low_intervals_reference
from motionary.plants.rest_ends import _distance, _ends, ends_reference
from motionary.plants.stretches import BLOCK, _longest_stretch, longest_stretch_reference


@dataclass(frozen=True, slots=True)
class Stillness:
    """What counts as still; seconds, metres and metres per second."""

    window_secs: float = 0.07  # over which a speed is measured
    enter: float = 0.15  # a rest is this slow at least once
    leave: float = 0.35  # and nowhere faster
    spread: float = 0.021  # between any two of its frames: a foot that creeps farther stands anew
    tight: float = 0.008  # of its first and last frames from its place: above what capture noise does
    leaving_secs: float = 0.025  # over which the way out of `tight` tells when the point set out
    shortest_secs: float = 0.05
    again_secs: float = 0.15  # trimmed off a rest: another is looked for there
    gap_secs: float = 0.07  # between two rests at one place that are one


@dataclass(frozen=True, eq=False)
class Rests:
    """Intervals [start, stop) in which points keep still, by point, then by start."""

    point: np.ndarray  # (R,) int64, column of the points
    start: np.ndarray  # (R,) int64
    stop: np.ndarray  # (R,) int64
    place: np.ndarray  # (R, 3) world, robust mean of the point over the interval
    slow_start: np.ndarray  # (R,) int64, where the point becomes slow, or leaves another rest
    slow_stop: np.ndarray  # (R,) int64

    def __len__(self) -> int:
        return len(self.start)

    @property
    def n_frames(self) -> np.ndarray:
        """How long they are (R,)."""
        return np.asarray(self.stop - self.start)

    def only(self, kept: np.ndarray) -> "Rests":
        """Those that `kept` (R,) marks."""
        return Rests(
            self.point[kept],
            self.start[kept],
            self.stop[kept],
            self.place[kept],
            self.slow_start[kept],
            self.slow_stop[kept],
        )


def find_rests(points: np.ndarray, speeds: np.ndarray, *, frame_time: float, stillness: Stillness) -> Rests:
    """The rests of points (F, P, 3) that move with these speeds (F, P).

    Each slow interval is cut into rests: the longest stretch that stays within `spread`, if it is long enough, then
    the same in what is left on both sides, where only what is slow from its first frame to its last is a rest, not a
    foot that lands or lifts off. What is trimmed off its ends is left too, if it lasts: a foot that stands, shifts a
    little and stands on has two. Its place is the mean of the frames near it (a mode, so that a foot that settles does
    not drag it along). Its ends are as `rest_ends` says.
    """
    n_frames, n_points = speeds.shape
    shortest = shortest_frames(stillness.shortest_secs, frame_time=frame_time, n_frames=n_frames)
    most = n_points * n_frames  # rests of a point do not overlap
    found, places = np.empty((most, 5), dtype=np.int64), np.empty((most, 3))
    n_found = _find_rests(
        np.ascontiguousarray(points, dtype=np.float64),
        speeds,
        frame_time,
        shortest,
        stillness.enter,
        stillness.leave,
        stillness.spread,
        stillness.tight,
        stillness.leaving_secs / frame_time,
        stillness.gap_secs / frame_time,
        again_frames(stillness, frame_time=frame_time, n_frames=n_frames),
        np.empty((n_frames // 2 + 1, 2), dtype=np.int64),
        np.empty((n_frames // shortest + 1, 2), dtype=np.int64),
        np.empty(n_frames),
        np.empty((n_frames // BLOCK + 1, 4)),
        found,
        places,
    )
    found = found[:n_found]
    return Rests(found[:, 0], found[:, 1], found[:, 2], places[:n_found], found[:, 3], found[:, 4])


def shortest_frames(shortest_secs: float, *, frame_time: float, n_frames: int) -> int:
    """The least number of frames of an interval that lasts `shortest_secs`: at least 2, at most all."""
    return min(max(2, int(np.ceil(shortest_secs / frame_time - 1e-6))), n_frames)


def again_frames(stillness: Stillness, *, frame_time: float, n_frames: int) -> int:
    """The least number of trimmed frames in which another rest is looked for."""
    shortest = shortest_frames(stillness.shortest_secs, frame_time=frame_time, n_frames=n_frames)
    return max(shortest, int(np.ceil(stillness.again_secs / frame_time - 1e-6)))


def find_rests_reference(points: np.ndarray, speeds: np.ndarray, *, frame_time: float, stillness: Stillness) -> Rests:
    """What `find_rests` computes, step by step."""
    found: list[_Rest] = []
    for p in range(points.shape[1]):
        of_point: list[_Rest] = []
        for start, stop in low_intervals_reference(speeds[:, p], enter=stillness.enter, leave=stillness.leave):
            within = _Path(points[:, p], speeds[:, p], frame_time, stillness).rests(int(start), int(stop), whole=True)
            of_point += [(p, *rest) for rest in sorted(within, key=lambda rest: rest[0])]
        found += _joined(of_point, stillness.tight, stillness.gap_secs / frame_time)
    columns = [np.array([rest[i] for rest in found], dtype=np.int64) for i in (0, 1, 2, 4, 5)]
    places = np.array([rest[3] for rest in found]).reshape(-1, 3)
    return Rests(columns[0], columns[1], columns[2], places, columns[3], columns[4])


_Rest = tuple[int, int, int, np.ndarray, int, int]  # as the fields of Rests


def _joined(rests: list[_Rest], tight: float, gap: float) -> list[_Rest]:
    """The rests of one point, neighbours at one place made one."""
    joined: list[_Rest] = []
    for rest in rests:
        p, start, stop, place, slow_start, slow_stop = rest
        if joined and slow_start - joined[-1][5] <= gap and np.linalg.norm(place - joined[-1][3]) <= tight:
            _, first, until, before, slow_start, _ = joined.pop()
            mean = np.average([before, place], axis=0, weights=[until - first, stop - start])
            joined.append((p, first, stop, mean, slow_start, slow_stop))
        else:
            joined.append(rest)
    return joined


@dataclass(frozen=True)
class _Path:
    """One point over time."""

    places: np.ndarray  # (F, 3)
    speeds: np.ndarray  # (F,)
    frame_time: float
    stillness: Stillness

    def rests(self, low: int, high: int, *, whole: bool) -> list[tuple[int, int, np.ndarray, int, int]]:
        """The rests in the slow interval [low, high), or, unless it is `whole`, in what is left of one."""
        still, n_frames = self.stillness, len(self.places)
        shortest = shortest_frames(still.shortest_secs, frame_time=self.frame_time, n_frames=n_frames)
        if high - low < shortest:
            return []
        if self.speeds[low:high].min() > still.enter:
            return []
        start, stop = (low + f for f in longest_stretch_reference(self.places[low:high], spread=still.spread))
        if stop - start < shortest:
            return []
        place = self.places[start:stop].mean(axis=0)
        for _ in range(3):
            near = np.linalg.norm(self.places[start:stop] - place, axis=1) <= 0.5 * still.spread
            place = self.places[start:stop][near].mean(axis=0) if near.any() else place
        first, until = ends_reference(
            self.places,
            start,
            stop,
            place,
            tight=still.tight,
            reach=still.spread,
            leaving=still.leaving_secs / self.frame_time,
        )
        again = again_frames(still, frame_time=self.frame_time, n_frames=n_frames)
        if until > first and first - start >= again:
            start = first
        if until > first and stop - until >= again:
            stop = until
        here = [(first, until, place, start, stop)] if until > first else []
        away = np.linalg.norm(self.places[until - 1] - self.places[first]) if here else 0.0
        if not whole and away > still.leave * self.frame_time * (until - 1 - first):
            here = []
        return self.rests(low, start, whole=False) + here + self.rests(stop, high, whole=False)


@njit(cache=True, nogil=True)
def _find_rests(  # type: ignore[no-untyped-def]
    points,
    speeds,
    frame_time,
    shortest,
    enter,
    leave,
    spread,
    tight,
    leaving,
    gap,
    again,
    slow,
    todo,
    scratch,
    blocks,
    found,
    places,
):
    """Write rests to `found` (point, start, stop, slow start, slow stop) and `places`; returns how many.

    The rests of a point do not overlap and have at least one frame: F of them at most. Neither do the intervals in
    `todo`, of at least `shortest` frames each: it has room for F // shortest + 1. `slow` has room for F // 2 + 1, as at
    least one frame lies between two of them. `scratch` is (F,), `blocks` (F // BLOCK + 1, 4).
    """
    n_found = np.int64(0)  # with a plain 0, `_sort` and `_join` would be compiled for it, too
    for p in range(points.shape[1]):
        first_of_point = n_found
        for i in range(_low_intervals(speeds[:, p], enter, leave, slow)):
            todo[0, 0], todo[0, 1], n_todo = slow[i, 0], slow[i, 1], 1
            while n_todo > 0:
                n_todo -= 1
                low, high = todo[n_todo, 0], todo[n_todo, 1]
                if high - low < shortest or speeds[low:high, p].min() > enter:
                    continue
                start, stop = _longest_stretch(points, p, low, high, spread, blocks)
                if stop - start < shortest:  # nothing else in here is longer
                    continue
                x, y, z = _place(points, p, start, stop, 0.5 * spread)
                first, until = _ends(points, p, start, stop, x, y, z, tight, spread, leaving, scratch)
                if until > first and first - start >= again:
                    start = first
                if until > first and stop - until >= again:
                    stop = until
                # The right part first onto the pile, so that the left one is done first.
                if high - stop >= shortest:
                    todo[n_todo, 0], todo[n_todo, 1] = stop, high
                    n_todo += 1
                if start - low >= shortest:
                    todo[n_todo, 0], todo[n_todo, 1] = low, start
                    n_todo += 1
                whole = low == slow[i, 0] and high == slow[i, 1]
                if until > first and (whole or _pace(points, p, first, until) <= leave * frame_time):
                    found[n_found, 0], found[n_found, 1], found[n_found, 2] = p, first, until
                    found[n_found, 3], found[n_found, 4] = start, stop
                    places[n_found, 0], places[n_found, 1], places[n_found, 2] = x, y, z
                    n_found += 1
        _sort(found, places, first_of_point, n_found)
        n_found = _join(found, places, first_of_point, n_found, tight, gap)
    return n_found


@njit(cache=True, nogil=True)
def _pace(points, p, start, stop):  # type: ignore[no-untyped-def]
    """How far it is from the first frame to the last, per frame."""
    if stop - start < 2:
        return 0.0
    away = _distance(points, p, start, points[stop - 1, p, 0], points[stop - 1, p, 1], points[stop - 1, p, 2])
    return away / (stop - 1 - start)


@njit(cache=True, nogil=True)
def _place(points, p, start, stop, near):  # type: ignore[no-untyped-def]
    """Where the point is for most of the frames [start, stop): the mean of those near it."""
    x, y, z = 0.0, 0.0, 0.0
    for f in range(start, stop):
        x, y, z = x + points[f, p, 0], y + points[f, p, 1], z + points[f, p, 2]
    x, y, z = x / (stop - start), y / (stop - start), z / (stop - start)
    for _ in range(3):
        sum_x, sum_y, sum_z, n_near = 0.0, 0.0, 0.0, 0
        for f in range(start, stop):
            if _distance(points, p, f, x, y, z) <= near:
                sum_x, sum_y, sum_z = sum_x + points[f, p, 0], sum_y + points[f, p, 1], sum_z + points[f, p, 2]
                n_near += 1
        if n_near > 0:
            x, y, z = sum_x / n_near, sum_y / n_near, sum_z / n_near
    return x, y, z


@njit(cache=True, nogil=True)
def _sort(found, places, first, stop):  # type: ignore[no-untyped-def]
    """Rows [first, stop) by start; they come nearly in order."""
    for i in range(first + 1, stop):
        k = i
        while k > first and found[k - 1, 1] > found[k, 1]:
            for c in range(5):
                found[k, c], found[k - 1, c] = found[k - 1, c], found[k, c]
            for c in range(3):
                places[k, c], places[k - 1, c] = places[k - 1, c], places[k, c]
            k -= 1


@njit(cache=True, nogil=True)
def _join(found, places, first, stop, tight, gap):  # type: ignore[no-untyped-def]
    """Make one of neighbours at one place; returns where the shorter list ends."""
    if stop == first:
        return stop
    last = first
    for i in range(first + 1, stop):
        x, y, z = places[i, 0] - places[last, 0], places[i, 1] - places[last, 1], places[i, 2] - places[last, 2]
        if np.sqrt(x * x + y * y + z * z) <= tight and found[i, 3] - found[last, 4] <= gap:
            share = (found[i, 2] - found[i, 1]) / (found[i, 2] - found[i, 1] + found[last, 2] - found[last, 1])
            for c in range(3):
                places[last, c] += share * (places[i, c] - places[last, c])
            found[last, 2], found[last, 4] = found[i, 2], found[i, 4]
        else:
            last += 1
            for c in range(5):
                found[last, c] = found[i, c]
            for c in range(3):
                places[last, c] = places[i, c]
    return last + 1
