"""Local minima of a grid that is known only in rectangles, and the chains of these."""

import numpy as np
from numba import njit, uint64

from motionary.search.match_web.chains import Paths, follow_minima
from motionary.search.match_web.corridor import rectangle_offsets, strip_end
from motionary.search.match_web.grid import ALONG_COLUMN, ALONG_ROW, Region, Stills, nothing_still, rest_together


def corridor_chains(
    values: np.ndarray,
    rectangles: np.ndarray,
    shape: tuple[int, int],
    region: Region,
    *,
    shortest: int,
    off_diagonal: int | None = None,
    stills: Stills | None = None,
) -> Paths:
    """What `chains` finds in the valid region that `corridor_cells` has, without that.

    A grid that is known everywhere is one rectangle.
    """
    least = -shape[0] if off_diagonal is None else off_diagonal
    rest = stills or nothing_still(shape)
    return Paths(*_corridor_chains(values, rectangles, *shape, region.limits[2], *rest, least, shortest))


BOTH, NEITHER = ALONG_ROW | ALONG_COLUMN, np.uint8(0)
ONE, TWO = np.uint64(1), np.uint64(2)  # numbers that cannot be below 0 make for loops that run in vectors
INFINITE, UNKNOWN = np.float32(np.inf), np.float32(np.nan)


@njit(cache=True, nogil=True)
def _corridor_chains(values, rectangles, n_rows, n_columns, ceiling, still_rows, still_columns, least, shortest):  # type: ignore[no-untyped-def]
    offsets = rectangle_offsets(rectangles)
    flags = np.empty(len(values), dtype=np.uint8)
    firsts, columns, found = corridor_minima(
        values, flags, rectangles, offsets, n_rows, n_columns, ceiling, still_rows, still_columns, least
    )
    return follow_minima(firsts, columns, found, shortest)


@njit(cache=True, nogil=True)
def corridor_minima(  # type: ignore[no-untyped-def]
    values, flags, rectangles, offsets, n_rows, n_columns, ceiling, still_rows, still_columns, least
):
    """Write of which kinds all cells are minima; where those of every row (R + 1,) begin, their columns and values.

    Only what is at least so far to the right of the diagonal is listed.
    """
    firsts = np.zeros(n_rows + 1, dtype=np.int64)
    capacity = len(values) // 8 + n_columns
    columns, found = np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.float32)
    tallest = 0
    for n in range(len(rectangles)):
        tallest = max(tallest, rectangles[n, 1] - rectangles[n, 0])
    # A strip with a cell more on all sides, so that every cell has neighbours; unknown ones are above nothing
    strip = np.empty((tallest + 2, n_columns + 2), dtype=np.float32)
    marks = np.zeros((tallest, n_columns), dtype=np.uint8)
    n_found = begin = np.int64(0)  # a plain 0 is a type of its own, for which Numba would compile what is called, too
    while begin < len(rectangles):
        end = strip_end(rectangles, begin)
        r0, r1 = rectangles[begin, 0], rectangles[begin, 1]
        _lay_strip(values, rectangles, offsets, begin, end, n_rows, n_columns, strip)
        for n in range(begin, end):
            c0, c1 = rectangles[n, 2], rectangles[n, 3]
            _mark(strip, r1 - r0, c0, c1, ceiling, marks)
            _mark_stills(strip, r0, r1, c0, c1, still_rows, still_columns, ceiling, marks)
            _copy(marks, r1 - r0, c0, c1, offsets[n], flags)
        for i in range(r0, r1):
            # A row lists n_columns at most, and the lists had room for that from the start: twice the room is enough.
            if n_found + n_columns > len(columns):
                columns, found = _longer(columns, n_found), _longer(found, n_found)
            for n in range(begin, end):
                c0, c1 = max(rectangles[n, 2], i + least), rectangles[n, 3]
                if c0 < c1:
                    n_found = _list(strip, marks, i - r0, c0, c1, n_found, columns, found)
            firsts[i + 1] = n_found
        begin = end
    for i in range(n_rows):  # rows between strips have none
        firsts[i + 1] = max(firsts[i + 1], firsts[i])
    return firsts, columns[:n_found], found[:n_found]


@njit(cache=True, nogil=True)
def _longer(array, n_used):  # type: ignore[no-untyped-def]
    out = np.empty(2 * len(array), dtype=array.dtype)
    for n in range(n_used):
        out[n] = array[n]
    return out


@njit(cache=True, nogil=True)
def _lay_strip(values, rectangles, offsets, begin, end, n_rows, n_columns, strip):  # type: ignore[no-untyped-def]
    """Lay out a strip and what is around its rectangles: infinite beyond the grid, unknown where nothing is known."""
    r0, r1 = rectangles[begin, 0], rectangles[begin, 1]
    height = r1 - r0
    below, above = INFINITE if r0 == 0 else UNKNOWN, INFINITE if r1 == n_rows else UNKNOWN
    for n in range(begin, end):
        c0, c1 = rectangles[n, 2], rectangles[n, 3]
        left, right = INFINITE if c0 == 0 else UNKNOWN, INFINITE if c1 == n_columns else UNKNOWN
        _lay(values, offsets[n], height, c0, c1, left, right, strip)
        for j in range(uint64(c0) + ONE, uint64(c1) + ONE):
            strip[0, j], strip[height + 1, j] = below, above
    n = begin - 1
    while n >= 0 and rectangles[n, 1] == r0:
        c0, c1 = rectangles[n, 2], rectangles[n, 3]
        _lay_row(values, offsets[n + 1] - (c1 - c0), c0, c1, strip[0])
        n -= 1
    n = end
    while n < len(rectangles) and rectangles[n, 0] == r1:
        c0, c1 = rectangles[n, 2], rectangles[n, 3]
        _lay_row(values, offsets[n], c0, c1, strip[height + 1])
        n += 1


@njit(cache=True, nogil=True)
def _lay_row(values, at, c0, c1, row):  # type: ignore[no-untyped-def]
    start, begin = uint64(at), uint64(c0) + ONE
    for j in range(uint64(c1 - c0)):
        row[begin + j] = values[start + j]


@njit(cache=True, nogil=True)
def _lay(values, at, height, c0, c1, left, right, strip):  # type: ignore[no-untyped-def]
    start, begin, end = uint64(at), uint64(c0), uint64(c1)
    for i in range(ONE, uint64(height) + ONE):
        strip[i, begin] = left
        for j in range(end - begin):
            strip[i, begin + j + ONE] = values[start + j]
        strip[i, end + ONE] = right
        start += end - begin


@njit(cache=True, nogil=True)
def _mark(strip, height, c0, c1, ceiling, marks):  # type: ignore[no-untyped-def]
    """Write of which kinds the cells of a rectangle are minima."""
    for i in range(uint64(height)):
        for j in range(uint64(c0), uint64(c1)):
            value = strip[i + ONE, j + ONE]
            low = value <= ceiling
            along = (value < strip[i + ONE, j]) & (value <= strip[i + ONE, j + TWO]) & low
            across = (value < strip[i, j + ONE]) & (value <= strip[i + TWO, j + ONE]) & low
            kind = ALONG_COLUMN if across else NEITHER
            marks[i, j] = np.uint8(kind | ALONG_ROW) if along else kind


@njit(cache=True, nogil=True)
def _copy(marks, height, c0, c1, at, flags):  # type: ignore[no-untyped-def]
    start, begin, end = uint64(at), uint64(c0), uint64(c1)
    for i in range(uint64(height)):
        for j in range(end - begin):
            flags[start + j] = marks[i, begin + j]
        start += end - begin


@njit(cache=True, nogil=True)
def _list(strip, marks, row, c0, c1, n_found, columns, found):  # type: ignore[no-untyped-def]
    """Append the minima of a row in columns [c0, c1); how many there are then."""
    i, n, none = uint64(row), uint64(n_found), uint64(0)
    for j in range(uint64(c0), uint64(c1)):
        columns[n], found[n] = j, strip[i + ONE, j + ONE]  # written over unless it is one
        n += ONE if marks[i, j] != NEITHER else none
    return np.int64(n)


@njit(cache=True, nogil=True)
def _mark_stills(strip, r0, r1, c0, c1, still_rows, still_columns, ceiling, marks):  # type: ignore[no-untyped-def]
    for i in range(r0, r1):
        if still_rows[0, i] >= 0:
            for j in range(c0, c1):
                if still_columns[0, j] >= 0:
                    is_least = rest_together(still_rows, i, still_columns, j) & (strip[i - r0 + 1, j + 1] <= ceiling)
                    marks[i - r0, j] = BOTH if is_least else NEITHER
