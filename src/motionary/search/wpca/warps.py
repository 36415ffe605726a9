"""Warps from one pair of frames on: forward and backward in time, never faster or slower than twice.

A half warp begins at a pair and leads away from it. Its steps are (1, 1), and (1, 0) or (0, 1) only where the step
before was (1, 1): so no stretch of it is steeper than 2 or flatter than 1/2 (Sakoe & Chiba 1978, P = 1). It ends with
the query; in the library its end is free, but never past the clip's.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit

SLOPE = 2  # the limit of a warp; steps and tables below are made for it


@dataclass(frozen=True, eq=False)
class Halves:
    """The best half warp from each of some rows on; infinite where there is none."""

    sums: np.ndarray  # (N,) of the distances of all its pairs
    n_pairs: np.ndarray  # (N,)
    lengths: np.ndarray  # (N,) rows that it goes through
    n_bent: np.ndarray  # (N,) steps other than (1, 1)
    costs: np.ndarray  # (N, P) distances of its pairs, the first pair first; 0 behind the last
    paths: np.ndarray  # (N, P, 2) its pairs: frames and rows away from the first pair

    def __getitem__(self, numbers: np.ndarray | slice) -> "Halves":
        return Halves(
            self.sums[numbers],
            self.n_pairs[numbers],
            self.lengths[numbers],
            self.n_bent[numbers],
            self.costs[numbers],
            self.paths[numbers],
        )


def half_warps(
    away: np.ndarray,
    *,
    rows: np.ndarray,
    places: np.ndarray,
    scales: np.ndarray,
    sign: int,
    rooms: np.ndarray,
    fixed: bool = False,
) -> Halves:
    """The half warps of a query's frames `away` (m, d), in the order in which they lead away from the first pair.

    In the library they go from the rows `places` (N,) of `rows` (F, d or more) forward (`sign` 1) or backward (−1),
    through at most `rooms` (N,) rows; `fixed`: through all of these. Rows are multiplied by `scales` (d,), the query
    is as it is.
    """
    away = np.ascontiguousarray(away, dtype=np.float64)
    scales = np.ascontiguousarray(scales, dtype=np.float64)
    places, rooms = (np.ascontiguousarray(array, dtype=np.int64) for array in (places, rooms))
    rows = rows.view()
    rows.setflags(write=False)  # as those of an index are: kernels are compiled for one of the two
    n, m = len(places), len(away)
    sums = np.full(n, np.inf)
    costs, paths = np.zeros((n, 2 * m)), np.zeros((n, 2 * m, 2), dtype=np.int32)  # a bent step before each straight one
    n_pairs, lengths, n_bent = np.zeros((3, n), dtype=np.int64)
    _warp_all(away, rows, scales, places, sign, rooms, fixed, sums, n_pairs, lengths, n_bent, costs, paths)
    return Halves(sums, n_pairs, lengths, n_bent, costs, paths)


def half_warp_reference(query: np.ndarray, rows: np.ndarray, *, fixed: bool = False) -> tuple[float, np.ndarray] | None:
    """The least sum of a half warp and its pairs, from the definition: every path is walked.

    Of paths with the same sum it is the one that ends first, and, read from its end, has a step (1, 1) where it can,
    else (1, 0).
    """
    n, m = len(query), len(rows)
    best: tuple[tuple[float, int, list[int]], list[tuple[int, int]]] | None = None
    for path, kinds in _paths(n, m):
        if fixed and path[-1][1] != m - 1:
            continue
        total = 0.0
        for i, j in path:
            total += float(np.sqrt(np.sum((query[i] - rows[j]) ** 2)))
        key = (total, path[-1][1], kinds[::-1])
        if best is None or key < best[0]:
            best = key, path
    return None if best is None else (best[0][0], np.array(best[1]))


def _paths(n: int, m: int) -> Iterator[tuple[list[tuple[int, int]], list[int]]]:
    """All paths from (0, 0) through n query frames and at most m rows, with the kinds of their steps."""

    def onward(path: list[tuple[int, int]], kinds: list[int]) -> Iterator[tuple[list[tuple[int, int]], list[int]]]:
        i, j = path[-1]
        if i == n - 1:
            yield path, kinds
        straight = not kinds or kinds[-1] == 0
        for kind, (a, b) in enumerate(((1, 1), (1, 0), (0, 1))):
            if i + a < n and j + b < m and (kind == 0 or straight):
                yield from onward([*path, (i + a, j + b)], [*kinds, kind])

    return onward([(0, 0)], [])


@njit(cache=True, nogil=True)
def _fill(query, across, n, width, diagonal, bent, costs):  # type: ignore[no-untyped-def]
    """Fill the tables for n query frames and `width` rows, which `across` (d, W) has as columns.

    Query frame i can be paired with rows [i // 2, 2 i + 2) only; beside these, as far as the next line looks, tables
    are infinite. Every line is computed from the one before, so that its pairs can be done side by side.
    """
    n_dimensions = query.shape[1]
    for i in range(n):
        first, stop = i // 2, min(2 * i + 2, width)
        if first >= width:  # the clip has ended
            for row in range(i, n):
                diagonal[row, :] = np.inf
                bent[row, :] = np.inf
            return
        straight, other = diagonal[i], bent[i]
        cost = costs[i, first:stop]
        for d in range(n_dimensions):
            q, row = query[i, d], across[d, first:stop]
            if d == 0:
                for j in range(cost.shape[0]):
                    cost[j] = (q - row[j]) * (q - row[j])
            else:
                for j in range(cost.shape[0]):
                    cost[j] += (q - row[j]) * (q - row[j])
        for j in range(cost.shape[0]):
            cost[j] = np.sqrt(cost[j])
        if first > 0:
            straight[first - 1] = np.inf
            other[first - 1] = np.inf
        for j in range(stop, min(stop + 2, width)):
            straight[j] = np.inf
            other[j] = np.inf
        if i == 0:
            straight[0], other[0] = cost[0], np.inf
            if stop > 1:
                straight[1], other[1] = np.inf, cost[1] + cost[0]
            continue
        if first == 0:
            straight[0], other[0] = np.inf, cost[0] + diagonal[i - 1, 0]
            cost, first = cost[1:], 1
        # Slices, all counted from 0, because an index that might be negative cannot be done side by side
        by_diagonal, by_bent = diagonal[i - 1, first - 1 : stop - 1], bent[i - 1, first - 1 : stop - 1]
        here = straight[first:stop]
        for j in range(cost.shape[0]):
            a, b = by_diagonal[j], by_bent[j]
            here[j] = cost[j] + (a if a <= b else b)
        from_query, from_rows, here = diagonal[i - 1, first:stop], straight[first - 1 : stop - 1], other[first:stop]
        for j in range(cost.shape[0]):
            a, b = from_query[j], from_rows[j]
            here[j] = cost[j] + (a if a <= b else b)


@njit(cache=True, nogil=True)
def _trace(diagonal, bent, n, width, fixed, path):  # type: ignore[no-untyped-def]
    """Write the pairs of the best path into `path`, from its end to its beginning; returns how many, 0 if none."""
    i = n - 1
    if i // 2 >= width:
        return 0
    best, j, is_bent = np.inf, -1, False
    for end in range(width - 1 if fixed else i // 2, min(2 * i + 2, width)):
        if diagonal[i, end] < best:
            best, j, is_bent = diagonal[i, end], end, False
        if bent[i, end] < best:
            best, j, is_bent = bent[i, end], end, True
    if j < 0:
        return 0
    n_pairs = 0
    while True:
        path[n_pairs, 0], path[n_pairs, 1] = i, j
        n_pairs += 1
        if i == 0 and j == 0:
            return n_pairs
        if not is_bent:
            i, j = i - 1, j - 1
            is_bent = bent[i, j] < diagonal[i, j]
        else:
            from_query = diagonal[i - 1, j] if i > 0 else np.inf
            from_rows = diagonal[i, j - 1] if j > 0 else np.inf
            if from_query <= from_rows:
                i -= 1
            else:
                j -= 1
            is_bent = False


@njit(cache=True, nogil=True)
def _warp_all(  # type: ignore[no-untyped-def]
    away, rows, scales, places, sign, rooms, fixed, sums, n_pairs, lengths, n_bent, costs_along, paths
):
    """The half warps from all places, into the arrays behind.

    No two bent steps follow each other, so that a path has at most 2 · m pairs and spans at most 2 · m + 1 rows.
    """
    m, n_dimensions = away.shape
    most = 2 * m + 1
    diagonal, bent, costs = np.empty((m, most)), np.empty((m, most)), np.empty((m, most))
    path = np.empty((m + most, 2), dtype=np.int64)
    across = np.empty((n_dimensions, most))
    for number in range(places.shape[0]):
        if fixed and rooms[number] > most:
            continue
        width = min(most, rooms[number])
        for j in range(width):
            row = places[number] + sign * j
            for d in range(n_dimensions):
                across[d, j] = rows[row, d] * scales[d]
        _fill(away, across, m, width, diagonal, bent, costs)
        found = _trace(diagonal, bent, m, width, fixed, path)
        if found == 0:
            continue
        total, n_turns = 0.0, 0
        for pair in range(found):
            i, j = path[found - 1 - pair, 0], path[found - 1 - pair, 1]
            costs_along[number, pair] = costs[i, j]
            paths[number, pair, 0], paths[number, pair, 1] = i, j
            total += costs[i, j]
            if pair:
                n_turns += i == path[found - pair, 0] or j == path[found - pair, 1]
        sums[number], n_pairs[number], lengths[number], n_bent[number] = total, found, path[0, 1] + 1, n_turns
