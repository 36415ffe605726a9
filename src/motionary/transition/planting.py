"""The foot plants of a blend, chosen from those of its sources, and how far its feet are from them."""

from typing import Any

import numpy as np
from numba import njit

from motionary.transition.room import MOST_PARTS, MOST_PIECES

MATTERS = 0.5  # of the greatest weight: what a source with less says of feet does not count
SHORTEST_PLANT = 3  # frames
STEP = 6  # frames that a foot needs from one place to another
SAME_PLACE = 0.05  # metres: so near, nobody steps
FOOT = 0.3  # metres: so near heel and ball may be those of one place
NOWHERE = -(1 << 40)  # a frame before all others


@njit(cache=True, nogil=True, error_model="numpy")
def plant_feet(w, which, n_sources, n, room):  # type: ignore[no-untyped-def]
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
        for k in range(n):
            matters = room.weights[i, k] >= MATTERS * room.weights[room.heaviest[k], k]
            room.says[i, k] = room.cells[i, k] + int(room.share[i, k] + 0.5) if matters else NOWHERE
        for g in range(w.of_windows[r], w.of_windows[r + 1]):
            first = n_parts
            total, count = 0.0, 0
            for m in range(w.groups[g], w.groups[g + 1]):
                if n_parts == MOST_PARTS:
                    break
                error, frames = _offer(w, m, i, n_sources, n, n_parts, room)
                if frames > 0:
                    total, count = total + error, count + frames
                    n_parts += 1
            if count > 0:
                room.candidates[n_candidates, 0] = total / count
                room.candidates[n_candidates, 1] = first
                room.candidates[n_candidates, 2] = n_parts
                room.candidates[n_candidates, 3] = w.points[w.groups[g]] // 2
                n_candidates += 1
    for k in range(n):
        for c in range(4):
            room.contacts[k, c] = 0.0
    n_pieces: Any = np.int64(0)
    total, count = 0.0, 0
    for _ in range(n_candidates):
        best = -1
        for c in range(n_candidates):
            if room.candidates[c, 0] < np.inf and (best < 0 or room.candidates[c, 0] < room.candidates[best, 0]):
                best = c
        _take_out(w, best, n_candidates, n, room)
        room.candidates[best, 0] = np.inf
        for part in range(int(room.candidates[best, 1]), int(room.candidates[best, 2])):
            n_pieces, error, frames = _take(w, part, n, n_pieces, room)
            total, count = total + error, count + frames
    return n_pieces, total / max(count, 1), count


@njit(cache=True, nogil=True, error_model="numpy")
def _offer(w, m, i, n_sources, n, part, room):  # type: ignore[no-untyped-def]
    """Frames and place of one plant of source i as a part of a candidate; returns (sum of errors, frames)."""
    start, stop, count = w.spans[m, 0], w.spans[m, 1], 0
    active = room.active[part]
    for k in range(n):
        here = start <= room.says[i, k] < stop
        active[k] = here
        count += here
    if count == 0:
        return 0.0, 0
    anchor = -1  # a frame in which the blend begins or ends: the plant goes on outside, and nothing moves it
    if i == 0 and active[0]:
        anchor = 0
    elif i == n_sources - 1 and active[n - 1]:
        anchor = n - 1
    x, z, weight = 0.0, 0.0, 0.0
    for k in range(n):
        if active[k] and (anchor < 0 or k == anchor):
            u, v = w.places[m, 0] - room.own[i, 0, k], w.places[m, 2] - room.own[i, 1, k]
            cosine, sine = room.own[i, 2, k], room.own[i, 3, k]
            x += room.roots[0, k] + cosine * u + sine * v
            z += room.roots[2, k] + cosine * v - sine * u
            weight += 1.0
    room.part_places[part, 0], room.part_places[part, 2] = x / weight, z / weight
    room.part_places[part, 1] = w.places[m, 1]
    room.part_plants[part] = m
    point, error = w.points[m], 0.0
    for k in range(n):
        if active[k]:
            error += _distance(room.soles[k, point], room.part_places[part])
    return error, count


@njit(cache=True, nogil=True, error_model="numpy")
def _take_out(w, candidate, n_candidates, n, room):  # type: ignore[no-untyped-def]
    """Mark the frames (F,) that the footprints taken before, whose errors are infinite by now, leave no time for."""
    for k in range(n):
        room.taken[k] = 0
    first, last = int(room.candidates[candidate, 1]), int(room.candidates[candidate, 2])
    for other in range(n_candidates):
        if room.candidates[other, 0] < np.inf or room.candidates[other, 3] != room.candidates[candidate, 3]:
            continue
        begin, end = int(room.candidates[other, 1]), int(room.candidates[other, 2])
        step = 0 if _same_place(w, first, last, begin, end, room) else STEP
        for part in range(begin, end):
            low, high = n, -1
            for k in range(n):
                if room.active[part, k]:
                    low, high = min(low, k), k
            for k in range(max(low - step, 0), min(high + step + 1, n)):
                room.taken[k] = 1


@njit(cache=True, nogil=True, error_model="numpy")
def _same_place(w, first, last, begin, end, room):  # type: ignore[no-untyped-def]
    """Whether two footprints, by their parts, are so near that the foot need not leave the ground between them."""
    nearest, apart = np.inf, np.inf
    for a in range(first, last):
        for b in range(begin, end):
            away = _distance(room.part_places[a], room.part_places[b])
            if w.points[room.part_plants[a]] == w.points[room.part_plants[b]]:
                nearest = min(nearest, away)
            else:
                apart = min(apart, away)
    return nearest < SAME_PLACE if nearest < np.inf else apart < FOOT


@njit(cache=True, nogil=True, error_model="numpy")
def _take(w, part, n, n_pieces, room):  # type: ignore[no-untyped-def]
    """The stretches of a part in which its foot has time for it become pieces of the blend's plants."""
    point = w.points[room.part_plants[part]]
    total, count, k = 0.0, 0, 0
    while k < n:
        first = k
        while k < n and room.active[part, k] and not room.taken[k]:
            k += 1
        if k - first >= SHORTEST_PLANT and n_pieces < MOST_PIECES:
            for f in range(first, k):
                room.contacts[f, point] = 1.0
                total += _distance(room.soles[f, point], room.part_places[part])
            count += k - first
            room.piece_points[n_pieces] = point
            room.piece_spans[n_pieces, 0], room.piece_spans[n_pieces, 1] = first, k
            for c in range(3):
                room.piece_places[n_pieces, c] = room.part_places[part, c]
            n_pieces += 1
        k = max(k, first + 1)
    return n_pieces, total, count


@njit(cache=True, nogil=True, error_model="numpy")
def _distance(a, b):  # type: ignore[no-untyped-def]
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return np.sqrt(x * x + y * y + z * z)
