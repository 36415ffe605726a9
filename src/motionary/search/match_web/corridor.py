"""Corridors: the parts of a grid where a coarser web shows the way."""

import numpy as np
from numba import njit

from motionary.search.match_web.chains import Paths

TALL = 12  # frames: about as high as rectangles are, so that few rows are computed for the windows' sake alone
PADDING = 1  # coarse cells around paths


def corridor(paths: Paths, every: int, shape: tuple[int, int], *, reach: int) -> np.ndarray:
    """Rectangles (N, 4) of frames around the coarse cells of paths, and so many cells beyond both ends of each.

    Those of one strip of rows are disjoint and ordered, and strips follow one another. A coarse cell stands for the
    frames around it, half-way to its neighbours.
    """
    strip = max(1, round(TALL / every))
    return np.asarray(_corridor(paths.firsts, paths.rows, paths.columns, every, strip, *shape, reach))


@njit(cache=True, nogil=True)
def _corridor(firsts, rows, columns, every, strip, n_rows, n_columns, reach):  # type: ignore[no-untyped-def]
    half = every // 2
    mask = np.zeros(((n_rows - 1 + half) // (strip * every) + 1, (n_columns - 1 + half) // every + 1), dtype=np.bool_)
    _mark_paths(firsts, rows, columns, strip, reach, mask)
    found = _runs(mask)
    for n in range(len(found)):
        found[n, 0] = max(found[n, 0] * strip * every - half, 0)
        found[n, 1] = min(found[n, 1] * strip * every - half, n_rows)
        found[n, 2], found[n, 3] = max(found[n, 2] * every - half, 0), min(found[n, 3] * every - half, n_columns)
    return found


@njit(cache=True, nogil=True)
def _mark_paths(firsts, rows, columns, strip, reach, mask):  # type: ignore[no-untyped-def]
    for path in range(len(firsts) - 1):
        first, last = firsts[path], firsts[path + 1] - 1
        for n in range(first, last + 1):
            _mark_around(mask, np.int64(rows[n]), np.int64(columns[n]), strip)
        for beyond in range(1, reach + 1):
            _mark_around(mask, rows[first] - beyond, columns[first] - beyond, strip)
            _mark_around(mask, rows[last] + beyond, columns[last] + beyond, strip)


@njit(cache=True, nogil=True)
def _mark_around(mask, row, column, strip):  # type: ignore[no-untyped-def]
    for s in range(max(row - PADDING, 0) // strip, min((row + PADDING) // strip + 1, mask.shape[0])):
        for j in range(max(column - PADDING, 0), min(column + PADDING + 1, mask.shape[1])):
            mask[s, j] = True


@njit(cache=True, nogil=True)
def _runs(mask):  # type: ignore[no-untyped-def]
    """Runs (N, 4) of what is marked: rows and columns [r0, r1), [c0, c1), one row each."""
    found, n = np.empty((64, 4), dtype=np.int64), 0
    n_rows, n_columns = mask.shape
    for i in range(n_rows):
        j = 0
        while j < n_columns:
            if not mask[i, j]:
                j += 1
                continue
            if n == len(found):
                more = np.empty((2 * n, 4), dtype=np.int64)
                for k in range(n):
                    for side in range(4):
                        more[k, side] = found[k, side]
                found = more
            found[n, 0], found[n, 1], found[n, 2] = i, i + 1, j
            while j < n_columns and mask[i, j]:
                j += 1
            found[n, 3] = j
            n += 1
    return found[:n].copy()


@njit(cache=True, nogil=True)
def rectangle_offsets(rectangles):  # type: ignore[no-untyped-def]
    """Where the values of every rectangle (N + 1,) begin."""
    offsets = np.zeros(len(rectangles) + 1, dtype=np.int64)
    for n in range(len(rectangles)):
        r0, r1, c0, c1 = rectangles[n]
        offsets[n + 1] = offsets[n] + (r1 - r0) * (c1 - c0)
    return offsets


@njit(cache=True, nogil=True)
def strip_end(rectangles, begin):  # type: ignore[no-untyped-def]
    end = begin
    while end < len(rectangles) and rectangles[end, 0] == rectangles[begin, 0]:
        end += 1
    return end


@njit(cache=True, nogil=True)
def parts(rectangles):  # type: ignore[no-untyped-def]
    """To which part of the corridor every rectangle (N,) belongs: no step leads from one part to another.

    A part has the number of its first rectangle.
    """
    part = np.arange(len(rectangles))
    begin = np.int64(0)
    while begin < len(rectangles):
        end = strip_end(rectangles, begin)
        m = end  # of the next strip
        for n in range(begin, end):
            while m < len(rectangles) and rectangles[m, 0] == rectangles[n, 1] and rectangles[m, 3] <= rectangles[n, 2]:
                m += 1
            k = m
            while k < len(rectangles) and rectangles[k, 0] == rectangles[n, 1] and rectangles[k, 2] <= rectangles[n, 3]:
                a, b = _root(part, n), _root(part, k)
                part[max(a, b)] = min(a, b)
                k += 1
        begin = end
    for n in range(len(rectangles)):
        part[n] = _root(part, n)
    return part


@njit(cache=True, nogil=True)
def _root(part, n):  # type: ignore[no-untyped-def]
    while part[n] != n:
        n = part[n]
    return n


@njit(cache=True, nogil=True)
def rectangle_at(rectangles, row, column):  # type: ignore[no-untyped-def]
    """The rectangle in which a cell lies."""
    first, stop = 0, len(rectangles)
    while stop - first > 1:
        middle = (first + stop) // 2
        r0, c0 = rectangles[middle, 0], rectangles[middle, 2]
        if r0 > row or (rectangles[middle, 1] > row and c0 > column):
            stop = middle
        else:
            first = middle
    return first
