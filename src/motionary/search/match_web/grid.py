"""The valid region of a grid of distances, and the local minima in it (Kovar & Gleicher 2004, sec. 3.1)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

ALONG_ROW, ALONG_COLUMN = np.uint8(1), np.uint8(2)  # a local minimum in its row, in its column
Stills = tuple[np.ndarray, np.ndarray]  # of both motions (2, F) int32: where the still stretch that a frame is in
# begins, and where it ends; −1: it moves


@dataclass(frozen=True)
class Region:
    """What a grid's valid region is made by; values are squared distances in m²."""

    rise: float = 0.15  # α: how far a minimum reaches, as a share of its value
    least_rise: float = 0.005**2  # and at least
    ceiling: float = 0.15**2  # what is above does not exist

    @cached_property
    def limits(self) -> tuple[np.float32, np.float32, np.float32]:
        """As kernels take them."""
        return np.float32(1.0 + self.rise), np.float32(self.least_rise), np.float32(self.ceiling)


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a valid region, row after row, columns ascending."""

    firsts: np.ndarray  # (R + 1,) int64: where the cells of every row begin
    columns: np.ndarray  # (N,) int32
    values: np.ndarray  # (N,) float32
    minima: np.ndarray  # (N,) uint8: 0, ALONG_ROW, ALONG_COLUMN or both

    @property
    def n_rows(self) -> int:
        return len(self.firsts) - 1

    @property
    def n_cells(self) -> int:
        return len(self.columns)

    @property
    def rows(self) -> np.ndarray:
        """(N,) int32"""
        return np.repeat(np.arange(self.n_rows, dtype=np.int32), np.diff(self.firsts))


def valid_cells_reference(
    grid: np.ndarray, region: Region, *, off_diagonal: int | None = None, stills: Stills | None = None
) -> Cells:
    """What `valid_cells` finds, from the definition.

    A cell is a minimum along its row if it is below the one before it, or the first, and not above the one after it; of
    neighbours that are equal the first counts, so that flat ground has one. Where both motions are still, only what is
    as long after the one came to rest as after the other is a minimum, or as long before both leave: a query may begin
    late in a still stretch that is longer than another. From a minimum the region goes both ways until a value is above
    (1 + α) times the minimum's, and above the minimum's by the least rise.
    """
    n_rows, n_columns = grid.shape
    minima, valid = np.zeros(grid.shape, dtype=np.uint8), np.zeros(grid.shape, dtype=bool)
    lines = [(ALONG_ROW, [(i, j) for j in range(n_columns)]) for i in range(n_rows)]
    lines += [(ALONG_COLUMN, [(i, j) for i in range(n_rows)]) for j in range(n_columns)]
    for kind, line in lines:
        values = [grid[cell] for cell in line]
        for n, value in enumerate(values):
            is_least = (n == 0 or value < values[n - 1]) and (n == len(line) - 1 or value <= values[n + 1])
            i, j = line[n]
            if stills is not None and stills[0][0, i] >= 0 and stills[1][0, j] >= 0:
                (start, stop), (other_start, other_stop) = stills[0][:, i], stills[1][:, j]
                is_least = i - start == j - other_start or stop - i == other_stop - j
            if not (is_least and value <= np.float32(region.ceiling)):
                continue
            minima[line[n]] |= kind
            limit = _limit_reference(value, region)
            for step in (1, -1):
                k = n
                while 0 <= k < len(line) and values[k] <= limit:
                    valid[line[k]] = True
                    k += step
    if off_diagonal is not None:
        valid &= np.arange(n_columns) - np.arange(n_rows)[:, None] >= off_diagonal
    chosen = [np.flatnonzero(row) for row in valid]
    firsts = np.concatenate([[0], np.cumsum([len(row) for row in chosen])]).astype(np.int64)
    return Cells(firsts, np.concatenate(chosen).astype(np.int32), grid[valid], minima[valid])


def _limit_reference(value: np.float32, region: Region) -> np.float32:
    rise = max(value * np.float32(1.0 + region.rise), value + np.float32(region.least_rise))
    return np.float32(min(rise, np.float32(region.ceiling)))


def valid_cells(
    grid: np.ndarray, region: Region, *, off_diagonal: int | None = None, stills: Stills | None = None
) -> Cells:
    """The valid region of a grid (R, C) float32; of a motion and itself, only what is so far off the diagonal.

    Where the grid is not a number it is unknown: nothing is valid there, and nothing beside it a minimum.
    """
    n_rows, n_columns = grid.shape
    flags = np.zeros((n_rows, n_columns), dtype=np.uint8)
    least = -n_rows if off_diagonal is None else off_diagonal
    numbers = region.limits
    stills = stills or nothing_still(grid.shape)
    _mark_rows(grid, flags, *numbers, *stills)
    _mark_columns(grid, flags, *numbers, *stills, np.empty(n_columns, dtype=np.float32))
    firsts = np.zeros(n_rows + 1, dtype=np.int64)
    _count(flags, least, firsts)
    columns = np.empty(int(firsts[-1]), dtype=np.int32)
    values, minima = np.empty(len(columns), dtype=np.float32), np.empty(len(columns), dtype=np.uint8)
    _collect(grid, flags, least, firsts, columns, values, minima)
    return Cells(firsts, columns, values, minima)


def nothing_still(shape: tuple[int, int]) -> Stills:
    """Two motions that are never still."""
    return np.full((2, shape[0]), -1, dtype=np.int32), np.full((2, shape[1]), -1, dtype=np.int32)


VALID = np.uint8(4)
NOWHERE = np.float32(-1.0)  # below all values: where no minimum reaches


@njit(cache=True, nogil=True)
def rest_together(still_rows, i, still_columns, j):  # type: ignore[no-untyped-def]
    """Whether two still frames are as long after both came to rest, or as long before both leave."""
    came = i - still_rows[0, i] == j - still_columns[0, j]
    return came or still_rows[1, i] - i == still_columns[1, j] - j


@njit(cache=True, nogil=True)
def _mark_rows(grid, flags, rise, least, ceiling, still_rows, still_columns):  # type: ignore[no-untyped-def]
    for i in range(len(grid)):
        mark_row(grid[i], flags[i], True, True, i, 0, rise, least, ceiling, still_rows, still_columns)


@njit(cache=True, nogil=True)
def mark_row(row, marks, at_left, at_right, i, j0, rise, least, ceiling, still_rows, still_columns):  # type: ignore[no-untyped-def]
    """A run of cells of row i from column j0 on, which may begin and end with the grid: to the right and back again.

    A minimum that is passed on the way ends no reach that goes further.
    """
    n = len(row)
    limit, before = NOWHERE, np.float32(np.inf if at_left else np.nan)
    is_still = still_rows[0, i] >= 0
    for j in range(n):
        value = row[j]
        if not value <= limit:
            limit = NOWHERE
        is_least = value < before and (value <= row[j + 1] if j + 1 < n else at_right)
        if is_still and still_columns[0, j0 + j] >= 0:
            is_least = rest_together(still_rows, i, still_columns, j0 + j)
        if is_least and value <= ceiling:
            limit = max(limit, min(max(value * rise, value + least), ceiling))
            marks[j] |= ALONG_ROW
        if value <= limit:
            marks[j] |= VALID
        before = value
    limit = NOWHERE
    for j in range(n - 1, -1, -1):
        value = row[j]
        if not value <= limit:
            limit = NOWHERE
        if marks[j] & ALONG_ROW:
            limit = max(limit, min(max(value * rise, value + least), ceiling))
        if value <= limit:
            marks[j] |= VALID


@njit(cache=True, nogil=True)
def _mark_columns(grid, flags, rise, least, ceiling, still_rows, still_columns, limits):  # type: ignore[no-untyped-def]
    """The same for all columns side by side, down and up again."""
    n_rows, n_columns = grid.shape
    limits[:] = NOWHERE
    for i in range(n_rows):
        row, before, after = grid[i], grid[max(i - 1, 0)], grid[min(i + 1, n_rows - 1)]
        marks = flags[i]
        is_still = still_rows[0, i] >= 0
        for j in range(n_columns):
            value = row[j]
            limit = limits[j] if value <= limits[j] else NOWHERE
            is_least = (i == 0 or value < before[j]) and value <= after[j]
            if is_still and still_columns[0, j] >= 0:
                is_least = rest_together(still_rows, i, still_columns, j)
            if is_least and value <= ceiling:
                limit = max(limit, min(max(value * rise, value + least), ceiling))
                marks[j] |= ALONG_COLUMN
            if value <= limit:
                marks[j] |= VALID
            limits[j] = limit
    limits[:] = NOWHERE
    for i in range(n_rows - 1, -1, -1):
        row, marks = grid[i], flags[i]
        for j in range(n_columns):
            value = row[j]
            limit = limits[j] if value <= limits[j] else NOWHERE
            if marks[j] & ALONG_COLUMN:
                limit = max(limit, min(max(value * rise, value + least), ceiling))
            if value <= limit:
                marks[j] |= VALID
            limits[j] = limit


@njit(cache=True, nogil=True)
def _count(flags, least, firsts):  # type: ignore[no-untyped-def]
    n_rows, n_columns = flags.shape
    for i in range(n_rows):
        n = 0
        for j in range(max(i + least, 0), n_columns):
            n += flags[i, j] != 0
        firsts[i + 1] = firsts[i] + n


@njit(cache=True, nogil=True)
def _collect(grid, flags, least, firsts, columns, values, minima):  # type: ignore[no-untyped-def]
    n_rows, n_columns = flags.shape
    for i in range(n_rows):
        n = firsts[i]
        for j in range(max(i + least, 0), n_columns):
            if flags[i, j] != 0:
                columns[n], values[n], minima[n] = j, grid[i, j], flags[i, j] & (ALONG_ROW | ALONG_COLUMN)
                n += 1
