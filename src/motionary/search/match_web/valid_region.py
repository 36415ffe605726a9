"""The valid region of a grid that is known only in rectangles."""

from typing import Any

import numpy as np
from numba import njit, uint64

from motionary.search.match_web.corridor import rectangle_offsets, strip_end
from motionary.search.match_web.grid import (
    ALONG_COLUMN,
    ALONG_ROW,
    NOWHERE,
    VALID,
    Cells,
    Region,
    Stills,
    nothing_still,
)
from motionary.search.match_web.minima import BOTH, NEITHER, ONE, corridor_minima


def corridor_cells(
    values: np.ndarray,
    rectangles: np.ndarray,
    shape: tuple[int, int],
    region: Region,
    *,
    off_diagonal: int | None = None,
    stills: Stills | None = None,
) -> Cells:
    """The valid region of a grid that is known only in rectangles, as `corridor` has them; `values` are those of the
    first rectangle, row by row, and so on. It is what `valid_cells` finds in a grid that is unknown elsewhere."""
    least = -shape[0] if off_diagonal is None else off_diagonal
    return Cells(*_corridor_cells(values, rectangles, *shape, *region.limits, *(stills or nothing_still(shape)), least))


@njit(cache=True, nogil=True)
def _corridor_cells(  # type: ignore[no-untyped-def]
    values, rectangles, n_rows, n_columns, rise, least_rise, ceiling, still_rows, still_columns, least
):
    offsets, flags = rectangle_offsets(rectangles), np.empty(len(values), dtype=np.uint8)
    corridor_minima(values, flags, rectangles, offsets, n_rows, n_columns, ceiling, still_rows, still_columns, least)
    wanted = np.ones(len(rectangles), dtype=np.bool_)
    mark_valid(values, flags, rectangles, offsets, wanted, n_columns, rise, least_rise, ceiling)
    return list_valid(values, flags, rectangles, offsets, wanted, n_rows, least)


@njit(cache=True, nogil=True)
def mark_valid(values, flags, rectangles, offsets, wanted, n_columns, rise, least_rise, ceiling):  # type: ignore[no-untyped-def]
    """Mark what is valid in those rectangles that are wanted: with one, all that it touches.

    From every minimum along a row the region goes right and left, and from those along a column up and down. A minimum
    that is passed on the way ends no reach that goes further.
    """
    for n in range(len(rectangles)):
        if wanted[n]:
            height, width = rectangles[n, 1] - rectangles[n, 0], rectangles[n, 3] - rectangles[n, 2]
            _mark_rows(values, flags, offsets[n], height, width, rise, least_rise, ceiling)
    reach, before = np.full(n_columns, NOWHERE), np.full(n_columns, NOWHERE)
    # Plain numbers and truths are types of their own, for each of which Numba would compile what is called
    begin: Any = np.int64(0)
    on, back, down, up = np.int64(1), np.int64(-1), np.bool_(True), np.bool_(False)
    while begin < len(rectangles):
        end = strip_end(rectangles, begin)
        _carry(rectangles, wanted, begin, end, begin - 1, back, before, reach)
        _mark_strip(values, flags, rectangles, offsets, wanted, begin, end, down, rise, least_rise, ceiling, reach)
        reach, before = before, reach
        begin = end
    end = len(rectangles)
    reach[:], before[:] = NOWHERE, NOWHERE
    while end > 0:
        begin = end - 1
        while begin > 0 and rectangles[begin - 1, 0] == rectangles[begin, 0]:
            begin -= 1
        _carry(rectangles, wanted, begin, end, end, on, before, reach)
        _mark_strip(values, flags, rectangles, offsets, wanted, begin, end, up, rise, least_rise, ceiling, reach)
        reach, before = before, reach
        end = begin


@njit(cache=True, nogil=True)
def _mark_strip(values, flags, rectangles, offsets, wanted, begin, end, down, rise, least_rise, ceiling, reach):  # type: ignore[no-untyped-def]
    for n in range(begin, end):
        if wanted[n]:
            _mark_columns(values, flags, offsets[n], rectangles[n], down, rise, least_rise, ceiling, reach)


@njit(cache=True, nogil=True)
def _carry(rectangles, wanted, begin, end, other, step, before, reach):  # type: ignore[no-untyped-def]
    """How far minima reach into a strip: from the strip before it where that is known, and else not at all."""
    for n in range(begin, end):
        if wanted[n]:
            reach[rectangles[n, 2] : rectangles[n, 3]] = NOWHERE
    edge = rectangles[begin, 1] if step > 0 else rectangles[begin, 0]
    while 0 <= other < len(rectangles) and rectangles[other, 0 if step > 0 else 1] == edge:
        if wanted[other]:
            for j in range(uint64(rectangles[other, 2]), uint64(rectangles[other, 3])):
                reach[j] = before[j]
        other += step


@njit(cache=True, nogil=True)
def _mark_rows(values, flags, at, height, width, rise, least_rise, ceiling):  # type: ignore[no-untyped-def]
    start, n = uint64(at), uint64(width)
    for _ in range(height):
        limit = NOWHERE
        for j in range(start, start + n):
            value, flag = values[j], flags[j]
            limit = limit if value <= limit else NOWHERE
            if flag & ALONG_ROW:
                limit = max(limit, min(max(value * rise, value + least_rise), ceiling))
            flags[j] = np.uint8(flag | VALID) if value <= limit else flag
        limit = NOWHERE
        for k in range(n):
            j = start + n - ONE - k
            value, flag = values[j], flags[j]
            limit = limit if value <= limit else NOWHERE
            if flag & ALONG_ROW:
                limit = max(limit, min(max(value * rise, value + least_rise), ceiling))
            flags[j] = np.uint8(flag | VALID) if value <= limit else flag
        start += n


@njit(cache=True, nogil=True)
def _mark_columns(values, flags, at, rectangle, upwards, rise, least_rise, ceiling, reach):  # type: ignore[no-untyped-def]
    height, width, c0 = rectangle[1] - rectangle[0], uint64(rectangle[3] - rectangle[2]), uint64(rectangle[2])
    for i in range(height):
        start = uint64(at) + uint64(i if upwards else height - 1 - i) * width
        for j in range(width):
            value, flag, limit = values[start + j], flags[start + j], reach[c0 + j]
            limit = limit if value <= limit else NOWHERE
            further = max(limit, min(max(value * rise, value + least_rise), ceiling))
            limit = further if flag & ALONG_COLUMN else limit
            flags[start + j] = np.uint8(flag | VALID) if value <= limit else flag
            reach[c0 + j] = limit


@njit(cache=True, nogil=True)
def list_valid(values, flags, rectangles, offsets, wanted, n_rows, least):  # type: ignore[no-untyped-def]
    """The arrays of `Cells` of what is valid in those rectangles that are wanted.

    They have room for all cells of these and one more, as a cell is written before it is known whether it counts.
    """
    n_most = 1
    for n in range(len(rectangles)):
        if wanted[n]:
            n_most += offsets[n + 1] - offsets[n]
    firsts, columns = np.zeros(n_rows + 1, dtype=np.int64), np.empty(n_most, dtype=np.int32)
    found, minima = np.empty(n_most, dtype=np.float32), np.empty(n_most, dtype=np.uint8)
    n_found, begin = uint64(0), np.int64(0)
    while begin < len(rectangles):
        end = strip_end(rectangles, begin)
        for i in range(rectangles[begin, 0], rectangles[begin, 1]):
            for n in range(begin, end):
                c0, c1 = rectangles[n, 2], rectangles[n, 3]
                first = max(c0, i + least)
                if wanted[n] and first < c1:
                    at = uint64(offsets[n] + (i - rectangles[n, 0]) * (c1 - c0) + first - c0)
                    n_found = _list(values, flags, at, uint64(first), uint64(c1), n_found, columns, found, minima)
            firsts[i + 1] = np.int64(n_found)
        begin = end
    for i in range(n_rows):  # rows between strips have none
        firsts[i + 1] = max(firsts[i + 1], firsts[i])
    return firsts, columns[: firsts[-1]].copy(), found[: firsts[-1]].copy(), minima[: firsts[-1]].copy()


@njit(cache=True, nogil=True)
def _list(values, flags, at, first, stop, n, columns, found, minima):  # type: ignore[no-untyped-def]
    for j in range(stop - first):
        flag = flags[at + j]
        columns[n], found[n], minima[n] = first + j, values[at + j], flag & BOTH  # written over unless it counts
        n += ONE if flag != NEITHER else uint64(0)
    return n
