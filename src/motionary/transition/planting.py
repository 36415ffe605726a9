"""The foot plants of a blend, chosen from those of its sources, and how far its feet are from them.

What is called for every plant is inlined: to hand over all arrays of windows and workspace takes longer than its work.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from motionary.transition.sources import SourceWindows
from motionary.transition.workspace import MOST_PARTS, MOST_PIECES, Workspace

MATTERS = 0.5  # of the greatest weight: what a source with less says of feet does not count
SHORTEST_PLANT = 3  # frames
STEP = 6  # frames that a foot needs from one place to another
SAME_PLACE = 0.05  # metres: so near, nobody steps
FOOT = 0.3  # metres: so near heel and ball may be those of one place


class Piece(NamedTuple):
    """Frames [start, stop) of a blend in which a point of a foot is planted, and where."""

    point: int  # left heel, left toe, right heel, right toe
    start: int
    stop: int
    place: tuple[float, float, float]


def plant_feet_reference(
    w: SourceWindows, which: np.ndarray, n_sources: int, n: int, work: Workspace
) -> tuple[list[Piece], float, int]:
    """The pieces, plant error and planted frames that `plant_feet` finds, from the definition.

    Of the workspace only what the blend is made of is read: weights, moments and placements of its sources, its own
    placements, and its soles.
    """
    weights, soles = work.weights[:n_sources, :n], work.soles[:n]
    says = work.cells[:n_sources, :n] + np.floor(work.share[:n_sources, :n] + 0.5).astype(int)
    matters = weights >= MATTERS * weights.max(axis=0)
    candidates: list[tuple[float, list[Piece]]] = []  # the parts of a footprint, and how far its foot is from them
    for i in range(n_sources):
        x, z, cosine, sine = work.own[i, :, :n]
        for g in range(w.of_windows[which[i]], w.of_windows[which[i] + 1]):
            parts = []
            for m in range(w.groups[g], w.groups[g + 1]):
                frames = np.flatnonzero(matters[i] & (says[i] >= w.spans[m, 0]) & (says[i] < w.spans[m, 1]))
                if not len(frames):
                    continue
                u, v = w.places[m, 0] - x, w.places[m, 2] - z
                places = np.stack([
                    work.roots[0, :n] + cosine * u + sine * v,
                    np.full(n, w.places[m, 1]),
                    work.roots[2, :n] + cosine * v - sine * u,
                ], axis=1)  # fmt: skip
                if i == 0 and frames[0] == 0:
                    place = places[0]
                elif i == n_sources - 1 and frames[-1] == n - 1:
                    place = places[n - 1]
                else:
                    place = places[frames].mean(axis=0)
                parts.append(Piece(int(w.points[m]), int(frames[0]), int(frames[-1]) + 1, tuple(place.tolist())))
            if parts:
                candidates.append((float(np.mean(np.concatenate([_misses(soles, part) for part in parts]))), parts))

    pieces: list[Piece] = []
    taken: list[list[Piece]] = []
    for _, parts in sorted(candidates, key=lambda candidate: candidate[0]):  # stable: of equal ones the first
        free = np.ones(n, dtype=bool)
        for others in taken:
            if others[0].point // 2 == parts[0].point // 2:
                step = 0 if _of_one_place(parts, others) else STEP
                for other in others:
                    free[max(other.start - step, 0) : other.stop + step] = False
        taken.append(parts)
        for part in parts:
            edges = np.diff(np.concatenate([[0], free[part.start : part.stop].astype(int), [0]]))
            for begin, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
                if end - begin >= SHORTEST_PLANT:
                    pieces.append(Piece(part.point, part.start + int(begin), part.start + int(end), part.place))
    misses = np.concatenate([np.zeros(0), *(_misses(soles, piece) for piece in pieces)])
    return pieces, float(misses.mean()) if len(misses) else 0.0, len(misses)


def _misses(soles: np.ndarray, piece: Piece) -> np.ndarray:
    """How far the point of the foot is from its place in each frame."""
    return np.asarray(np.linalg.norm(soles[piece.start : piece.stop, piece.point] - piece.place, axis=1))


def _of_one_place(parts: list[Piece], others: list[Piece]) -> bool:
    """Whether the foot need not leave the ground between two footprints."""
    pairs = [(a.point == b.point, float(np.linalg.norm(np.subtract(a.place, b.place)))) for a in parts for b in others]
    same = [distance for alike, distance in pairs if alike]
    return min(same) < SAME_PLACE if same else min(distance for _, distance in pairs) < FOOT


@njit(cache=True, nogil=True, error_model="numpy")
def plant_feet(w, which, n_sources, n, work):  # type: ignore[no-untyped-def]
    """Choose the plants of a blend of n frames; returns (pieces, plant error in metres, planted frames).

    Candidates are the footprints of all sources, each at its place relative to the blend's torso: the mean of that over
    its frames, but for a footprint in which the blend begins or ends, which stays where it is in the source before or
    the target after. Per foot they are taken by rising error; those taken earlier cut what comes later (the paper drops
    it), and leave the foot time for the step to another place. A footprint counts only in frames in which its source
    weighs at least half as much as the heaviest. Writes the pieces, and the contacts (F, 4).
    """
    n_parts: Any = np.int64(0)  # a plain 0 would have `_offer` compiled for it, too
    n_candidates = 0
    for i in range(n_sources):
        r = which[i]
        low: Any = n  # the frames [low, high) in which it matters: weights rise and fall once
        high: Any = 0
        for k in range(n):
            if work.weights[i, k] >= MATTERS * work.weights[work.heaviest[k], k]:
                low, high = min(low, k), k + 1
        _see_source(i, low, high, work)
        for g in range(w.of_windows[r], w.of_windows[r + 1]):
            first = n_parts
            total, count = 0.0, 0
            for m in range(w.groups[g], w.groups[g + 1]):
                if n_parts == MOST_PARTS:
                    break
                error, frames = _offer(w, m, i, n_sources, n, low, high, n_parts, work)
                if frames > 0:
                    total, count = total + error, count + frames
                    n_parts += 1
            if count > 0:
                work.candidates[n_candidates, 0] = total / count
                work.candidates[n_candidates, 1] = first
                work.candidates[n_candidates, 2] = n_parts
                work.candidates[n_candidates, 3] = w.points[w.groups[g]] // 2
                n_candidates += 1
    for k in range(n):
        for c in range(4):
            work.contacts[k, c] = 0.0
    n_pieces: Any = np.int64(0)
    total, count = 0.0, 0
    for _ in range(n_candidates):
        best = -1
        for c in range(n_candidates):
            if work.candidates[c, 0] < np.inf and (best < 0 or work.candidates[c, 0] < work.candidates[best, 0]):
                best = c
        _take_out(w, best, n_candidates, n, work)
        work.candidates[best, 0] = np.inf
        for part in range(int(work.candidates[best, 1]), int(work.candidates[best, 2])):
            n_pieces, error, frames = _take(w, part, n_pieces, work)
            total, count = total + error, count + frames
    return n_pieces, total / max(count, 1), count


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _see_source(i, low, high, work):  # type: ignore[no-untyped-def]
    """What source i says in frames [low, high), and the sums up to each frame of the placements by which the blend's
    torso brings places along: x, z, cosine and sine."""
    for c in range(4):
        work.sums[c, low] = 0.0
    for k in range(low, high):
        work.says[k] = work.cells[i, k] + int(work.share[i, k] + 0.5)
        x, z, cosine, sine = work.own[i, 0, k], work.own[i, 1, k], work.own[i, 2, k], work.own[i, 3, k]
        work.sums[0, k + 1] = work.sums[0, k] + work.roots[0, k] - cosine * x - sine * z
        work.sums[1, k + 1] = work.sums[1, k] + work.roots[2, k] - cosine * z + sine * x
        work.sums[2, k + 1] = work.sums[2, k] + cosine
        work.sums[3, k + 1] = work.sums[3, k] + sine


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _offer(w, m, i, n_sources, n, low, high, part, work):  # type: ignore[no-untyped-def]
    """Frames and place of one plant of source i as a part of a candidate; returns (sum of errors, frames).

    The source matters in frames [low, high), in which what it says runs on: a plant's frames follow one another.
    """
    start, stop = w.spans[m, 0], w.spans[m, 1]
    while low < high and work.says[low] < start:
        low += 1
    while low < high and work.says[high - 1] >= stop:
        high -= 1
    if low >= high:
        return 0.0, 0
    first, last = low, high
    if i == 0 and low == 0:  # the blend begins in it: the plant goes on outside, and nothing moves it
        last = low + 1
    elif i == n_sources - 1 and high == n:  # it ends in it
        first = high - 1
    sums, u, v, share = work.sums, w.places[m, 0], w.places[m, 2], 1.0 / (last - first)
    cosine, sine = sums[2, last] - sums[2, first], sums[3, last] - sums[3, first]
    work.part_places[part, 0] = share * (sums[0, last] - sums[0, first] + cosine * u + sine * v)
    work.part_places[part, 1] = w.places[m, 1]
    work.part_places[part, 2] = share * (sums[1, last] - sums[1, first] + cosine * v - sine * u)
    work.part_plants[part] = m
    work.part_spans[part, 0], work.part_spans[part, 1] = low, high
    point, error = w.points[m], 0.0
    for k in range(low, high):
        error += _distance(work.soles, k, point, work.part_places, part)
    return error, high - low


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _take_out(w, candidate, n_candidates, n, work):  # type: ignore[no-untyped-def]
    """Mark the frames (F,) that the footprints taken before, whose errors are infinite by now, leave no time for.

    Only the candidate's own frames count.
    """
    first, last = int(work.candidates[candidate, 1]), int(work.candidates[candidate, 2])
    start, stop = n, np.int64(0)
    for part in range(first, last):
        start, stop = min(start, work.part_spans[part, 0]), max(stop, work.part_spans[part, 1])
    for k in range(start, stop):
        work.taken[k] = 0
    for other in range(n_candidates):
        if work.candidates[other, 0] < np.inf or work.candidates[other, 3] != work.candidates[candidate, 3]:
            continue
        step = -1  # not known yet
        for part in range(int(work.candidates[other, 1]), int(work.candidates[other, 2])):
            low, high = work.part_spans[part, 0], work.part_spans[part, 1]
            if high + STEP <= start or low - STEP >= stop:
                continue
            if step < 0:
                begin, end = int(work.candidates[other, 1]), int(work.candidates[other, 2])
                step = 0 if _same_place(w, first, last, begin, end, work) else STEP
            for k in range(max(low - step, start), min(high + step, stop)):
                work.taken[k] = 1


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _same_place(w, first, last, begin, end, work):  # type: ignore[no-untyped-def]
    """Whether two footprints, by their parts, are so near that the foot need not leave the ground between them."""
    nearest, apart = np.inf, np.inf
    for a in range(first, last):
        for b in range(begin, end):
            away = _part_distance(work.part_places, a, b)
            if w.points[work.part_plants[a]] == w.points[work.part_plants[b]]:
                nearest = min(nearest, away)
            else:
                apart = min(apart, away)
    return nearest < SAME_PLACE if nearest < np.inf else apart < FOOT


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _take(w, part, n_pieces, work):  # type: ignore[no-untyped-def]
    """The stretches of a part in which its foot has time for it become pieces of the blend's plants."""
    point = w.points[work.part_plants[part]]
    total, count, k, stop = 0.0, 0, work.part_spans[part, 0], work.part_spans[part, 1]
    while k < stop:
        first = k
        while k < stop and not work.taken[k]:
            k += 1
        if k - first >= SHORTEST_PLANT and n_pieces < MOST_PIECES:
            for f in range(first, k):
                work.contacts[f, point] = 1.0
                total += _distance(work.soles, f, point, work.part_places, part)
            count += k - first
            work.piece_points[n_pieces] = point
            work.piece_spans[n_pieces, 0], work.piece_spans[n_pieces, 1] = first, k
            for c in range(3):
                work.piece_places[n_pieces, c] = work.part_places[part, c]
            n_pieces += 1
        k = max(k, first + 1)
    return n_pieces, total, count


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _distance(soles, k, point, places, part):  # type: ignore[no-untyped-def]
    """How far a point of the soles is from a part's place. Views of rows would cost more than the distance."""
    x, y, z = (
        soles[k, point, 0] - places[part, 0],
        soles[k, point, 1] - places[part, 1],
        soles[k, point, 2] - places[part, 2],
    )
    return np.sqrt(x * x + y * y + z * z)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _part_distance(places, a, b):  # type: ignore[no-untyped-def]
    x, y, z = places[a, 0] - places[b, 0], places[a, 1] - places[b, 1], places[a, 2] - places[b, 2]
    return np.sqrt(x * x + y * y + z * z)
