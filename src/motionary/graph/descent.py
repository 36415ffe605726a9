"""Local minima of distances, found by going downhill: only cells on the way are compared."""

import numpy as np
from numba import njit

from motionary.metrics import PAIR_ROOM, PairFrames, Window, pair_distance

TOO_FAR = 2.0  # times the ceiling, in metres: from cells further apart no minimum below it is looked for
ROOM = 1024  # cells that are remembered at first; a power of two
NEIGHBOURS = np.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b])


def descended(
    frames: PairFrames, window: Window, rows: np.ndarray, columns: np.ndarray, *, ceiling: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, columns and squared distances (N,) of local minima up to a ceiling, downhill from some cells.

    Frames are numbered through all motions; a cell stays within its two motions. Every minimum comes once. Of equal
    neighbours the first by row and column is the lower one.
    """
    firsts = np.searchsorted(frames.starts, rows, side="right") - 1
    seconds = np.searchsorted(frames.starts, columns, side="right") - 1
    arguments = (
        *frames.arrays(window), NEIGHBOURS, frames.starts,
        *(np.asarray(one, dtype=np.int64) for one in (rows, columns, firsts, seconds)),
        np.float32(ceiling), np.float32(ceiling * TOO_FAR**2),
    )  # fmt: skip
    minima_rows, minima_columns, squares = _descended(*arguments)
    return minima_rows, minima_columns, squares


@njit(cache=True, nogil=True)
def _place(keys, key):  # type: ignore[no-untyped-def]
    """Where a key is among those remembered, or would go."""
    mask = len(keys) - 1
    at = (key * 0x9E3779B1) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@njit(cache=True, nogil=True)
def _grown(keys, values, passed):  # type: ignore[no-untyped-def]
    """The same in twice as much room."""
    more = np.full(2 * len(keys), -1, dtype=np.int64)
    more_values, more_passed = np.empty(len(more), dtype=np.float32), np.zeros(len(more), dtype=np.bool_)
    for at in range(len(keys)):
        if keys[at] != -1:
            to = _place(more, keys[at])
            more[to], more_values[to], more_passed[to] = keys[at], values[at], passed[at]
    return more, more_values, more_passed


@njit(cache=True, nogil=True)
def _descended(  # type: ignore[no-untyped-def]
    points, centres, places, own, base, of_second, lift, is_placed, omega, before, neighbours, starts,
    rows, columns, firsts, seconds, ceiling, too_far,
):  # fmt: skip
    n_frames = np.int64(len(places))
    keys, values = np.full(ROOM, -1, dtype=np.int64), np.empty(ROOM, dtype=np.float32)
    passed = np.zeros(ROOM, dtype=np.bool_)  # cells from which the way down is known
    n_known, n_found = 0, 0
    sums = np.empty(PAIR_ROOM, dtype=np.float32)
    found, costs = np.empty((len(rows), 2), dtype=np.int64), np.empty(len(rows), dtype=np.float32)
    for n in range(len(rows)):
        i, j = rows[n], columns[n]
        low_i, high_i = starts[firsts[n]], starts[firsts[n] + 1]
        low_j, high_j = starts[seconds[n]], starts[seconds[n] + 1]
        if 2 * (n_known + 10) > len(keys):  # there is always room for a cell and its neighbours
            keys, values, passed = _grown(keys, values, passed)
        at = _place(keys, i * n_frames + j)
        if keys[at] == -1:
            keys[at], n_known = i * n_frames + j, n_known + 1
            values[at] = pair_distance(
                points, centres, places, own, base, of_second, lift, is_placed, omega, before, i, j, sums
            )
        value = values[at]
        if value > too_far:
            continue
        while not passed[at]:
            passed[at] = True
            if 2 * (n_known + 10) > len(keys):
                keys, values, passed = _grown(keys, values, passed)
            best, best_i, best_j = value, i, j
            for m in range(len(neighbours)):
                a, b = i + neighbours[m, 0], j + neighbours[m, 1]
                if a < low_i or a >= high_i or b < low_j or b >= high_j:
                    continue
                there = _place(keys, a * n_frames + b)
                if keys[there] == -1:
                    keys[there], n_known = a * n_frames + b, n_known + 1
                    values[there] = pair_distance(
                        points, centres, places, own, base, of_second, lift, is_placed, omega, before, a, b, sums
                    )
                other = values[there]
                if other < best or (other == best and (a < best_i or (a == best_i and b < best_j))):
                    best, best_i, best_j = other, a, b
            if best_i == i and best_j == j:
                if value <= ceiling:
                    found[n_found, 0], found[n_found, 1], costs[n_found] = i, j, value
                    n_found += 1
                break
            i, j, value = best_i, best_j, best
            at = _place(keys, i * n_frames + j)
    return found[:n_found, 0].copy(), found[:n_found, 1].copy(), costs[:n_found].copy()
