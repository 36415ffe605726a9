"""Corridors: the parts of a grid where a coarser web shows the way, and the valid region within them."""

import numpy as np
from numba import njit

from motionary.search.match_web.chains import Paths
from motionary.search.match_web.grid import (
    ALONG_COLUMN,
    ALONG_ROW,
    NOWHERE,
    VALID,
    Cells,
    Region,
    Stills,
    mark_row,
    nothing_still,
)

TALL = 12  # frames: about as high as rectangles are, so that few rows are computed for the windows' sake alone
PADDING = 1  # coarse cells around paths


def corridor(paths: Paths, every: int, shape: tuple[int, int], *, reach: int) -> np.ndarray:
    """Rectangles (N, 4) of frames around the coarse cells of paths, and so many cells beyond both ends of each.

    Those of one strip of rows are disjoint and ordered, and strips follow one another. A coarse cell stands for the
    frames around it, half-way to its neighbours.
    """
    strip = max(1, round(TALL / every))
    half = every // 2
    n_strips, n_columns = (shape[0] - 1 + half) // (strip * every) + 1, (shape[1] - 1 + half) // every + 1
    mask = np.zeros((n_strips, n_columns), dtype=np.bool_)
    _mark_paths(paths.firsts, paths.rows, paths.columns, strip, reach, mask)
    found = np.empty((n_strips * (n_columns // 2 + 1), 4), dtype=np.int64)
    n_found = _runs(mask, found)
    found = found[:n_found] * every * np.array([strip, strip, 1, 1]) - half
    return np.clip(found, 0, np.array([shape[0], shape[0], shape[1], shape[1]]))


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
    offsets = np.concatenate([[0], np.cumsum(np.prod(rectangles[:, 1::2] - rectangles[:, ::2], axis=1))]).astype(
        np.int64
    )
    flags = np.zeros(len(values), dtype=np.uint8)
    least = -shape[0] if off_diagonal is None else off_diagonal
    _mark(values, flags, rectangles, offsets, shape, *region.limits, *(stills or nothing_still(shape)))
    firsts = np.zeros(shape[0] + 1, dtype=np.int64)
    _count(flags, rectangles, offsets, least, firsts)
    columns = np.empty(int(firsts[-1]), dtype=np.int32)
    found, minima = np.empty(len(columns), dtype=np.float32), np.empty(len(columns), dtype=np.uint8)
    _collect(values, flags, rectangles, offsets, least, firsts.copy(), columns, found, minima)
    return Cells(firsts, columns, found, minima)


@njit(cache=True, nogil=True)
def _mark_paths(firsts, rows, columns, strip, reach, mask):  # type: ignore[no-untyped-def]
    for path in range(len(firsts) - 1):
        first, last = firsts[path], firsts[path + 1] - 1
        for n in range(first, last + 1):
            _mark_around(mask, rows[n], columns[n], strip)
        for beyond in range(1, reach + 1):
            _mark_around(mask, rows[first] - beyond, columns[first] - beyond, strip)
            _mark_around(mask, rows[last] + beyond, columns[last] + beyond, strip)


@njit(cache=True, nogil=True)
def _mark_around(mask, row, column, strip):  # type: ignore[no-untyped-def]
    for s in range(max(row - PADDING, 0) // strip, min((row + PADDING) // strip + 1, mask.shape[0])):
        for j in range(max(column - PADDING, 0), min(column + PADDING + 1, mask.shape[1])):
            mask[s, j] = True


@njit(cache=True, nogil=True)
def _runs(mask, found):  # type: ignore[no-untyped-def]
    n = 0
    for s in range(mask.shape[0]):
        inside = False
        for j in range(mask.shape[1]):
            if mask[s, j] and not inside:
                found[n, 0], found[n, 1], found[n, 2] = s, s + 1, j
            if inside and not mask[s, j]:
                found[n, 3] = j
                n += 1
            inside = mask[s, j]
        if inside:
            found[n, 3] = mask.shape[1]
            n += 1
    return n


@njit(cache=True, nogil=True)
def _mark(values, flags, rectangles, offsets, shape, rise, least, ceiling, still_rows, still_columns):  # type: ignore[no-untyped-def]
    n_rows, n_columns = shape
    unknown = np.float32(np.nan)
    behind, ahead = np.full(n_columns, unknown), np.full(n_columns, unknown)
    limits = np.full(n_columns, NOWHERE)
    n_rectangles = len(rectangles)
    for n in range(n_rectangles):
        r0, r1, c0, c1 = rectangles[n]
        for i in range(r0, r1):
            span = slice(offsets[n] + (i - r0) * (c1 - c0), offsets[n] + (i - r0 + 1) * (c1 - c0))
            mark_row(
                values[span], flags[span], c0 == 0, c1 == n_columns, i, c0,
                rise, least, ceiling, still_rows, still_columns,
            )  # fmt: skip
    begin = 0
    while begin < n_rectangles:  # strip by strip: up along the columns
        r0, r1 = rectangles[begin, 0], rectangles[begin, 1]
        end = _strip_end(rectangles, begin)
        if end < n_rectangles and rectangles[end, 0] == r1:
            _lay(values, rectangles, offsets, end, _strip_end(rectangles, end), False, ahead)
        for n in range(begin, end):
            c0, c1 = rectangles[n, 2], rectangles[n, 3]
            block = values[offsets[n] : offsets[n + 1]].reshape((r1 - r0, c1 - c0))
            marks = flags[offsets[n] : offsets[n + 1]].reshape((r1 - r0, c1 - c0))
            for i in range(r1 - r0):
                row, mark = block[i], marks[i]
                before = block[i - 1] if i > 0 else behind[c0:c1]
                after = block[i + 1] if i + 1 < r1 - r0 else ahead[c0:c1]
                first, last = r0 + i == 0, r0 + i == n_rows - 1
                is_still, since = still_rows[r0 + i] >= 0, r0 + i - still_rows[r0 + i]
                for j in range(c1 - c0):
                    value = row[j]
                    limit = limits[c0 + j] if value <= limits[c0 + j] and before[j] == before[j] else NOWHERE
                    is_least = (first or value < before[j]) and (last or value <= after[j])
                    if is_still and still_columns[c0 + j] >= 0:
                        is_least = since == c0 + j - still_columns[c0 + j]
                    if is_least and value <= ceiling:
                        limit = max(limit, min(max(value * rise, value + least), ceiling))
                        mark[j] |= ALONG_COLUMN
                    if value <= limit:
                        mark[j] |= VALID
                    limits[c0 + j] = limit
        ahead[:] = unknown
        behind[:] = unknown
        if end < n_rectangles and rectangles[end, 0] == r1:
            _lay(values, rectangles, offsets, begin, end, True, behind)
        begin = end
    limits[:] = NOWHERE
    end = n_rectangles
    while end > 0:  # and back down
        r0, r1 = rectangles[end - 1, 0], rectangles[end - 1, 1]
        begin = end - 1
        while begin > 0 and rectangles[begin - 1, 0] == r0:
            begin -= 1
        ahead[:] = unknown
        if end < n_rectangles and rectangles[end, 0] == r1:
            _lay(values, rectangles, offsets, end, _strip_end(rectangles, end), False, ahead)
        for n in range(begin, end):
            c0, c1 = rectangles[n, 2], rectangles[n, 3]
            block = values[offsets[n] : offsets[n + 1]].reshape((r1 - r0, c1 - c0))
            marks = flags[offsets[n] : offsets[n + 1]].reshape((r1 - r0, c1 - c0))
            for i in range(r1 - r0 - 1, -1, -1):
                row, mark = block[i], marks[i]
                after = block[i + 1] if i + 1 < r1 - r0 else ahead[c0:c1]
                for j in range(c1 - c0):
                    value = row[j]
                    limit = limits[c0 + j] if value <= limits[c0 + j] and after[j] == after[j] else NOWHERE
                    if mark[j] & ALONG_COLUMN:
                        limit = max(limit, min(max(value * rise, value + least), ceiling))
                    if value <= limit:
                        mark[j] |= VALID
                    limits[c0 + j] = limit
        end = begin


@njit(cache=True, nogil=True)
def _strip_end(rectangles, begin):  # type: ignore[no-untyped-def]
    end = begin
    while end < len(rectangles) and rectangles[end, 0] == rectangles[begin, 0]:
        end += 1
    return end


@njit(cache=True, nogil=True)
def _lay(values, rectangles, offsets, begin, end, last, line):  # type: ignore[no-untyped-def]
    """The first row of a strip, or its last, along a line as long as the grid is wide."""
    for n in range(begin, end):
        c0, c1 = rectangles[n, 2], rectangles[n, 3]
        at = offsets[n + 1] - (c1 - c0) if last else offsets[n]
        line[c0:c1] = values[at : at + c1 - c0]


@njit(cache=True, nogil=True)
def _count(flags, rectangles, offsets, least, firsts):  # type: ignore[no-untyped-def]
    for n in range(len(rectangles)):
        r0, r1, c0, c1 = rectangles[n]
        for i in range(r0, r1):
            at = offsets[n] + (i - r0) * (c1 - c0) - c0
            for j in range(max(i + least, c0), c1):
                firsts[i + 1] += flags[at + j] != 0
    for i in range(len(firsts) - 1):
        firsts[i + 1] += firsts[i]


@njit(cache=True, nogil=True)
def _collect(values, flags, rectangles, offsets, least, at_row, columns, found, minima):  # type: ignore[no-untyped-def]
    for n in range(len(rectangles)):
        r0, r1, c0, c1 = rectangles[n]
        for i in range(r0, r1):
            at = offsets[n] + (i - r0) * (c1 - c0) - c0
            for j in range(max(i + least, c0), c1):
                if flags[at + j] != 0:
                    k = at_row[i]
                    columns[k], found[k] = j, values[at + j]
                    minima[k] = flags[at + j] & (ALONG_ROW | ALONG_COLUMN)
                    at_row[i] += 1
