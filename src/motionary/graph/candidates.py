"""Candidates for transitions: local minima of a grid of distances, and of those the best within a quarter second."""

from dataclasses import dataclass

import numpy as np
from numba import njit

CANDIDATE = np.dtype(
    [("first", "<i4"), ("second", "<i4"), ("row", "<i4"), ("column", "<i4"), ("half", "<i2"), ("cost", "<f4")]
)  # the numbers of two motions, a frame of each, half the length of the blend in frames, the squared distance


@dataclass(frozen=True, eq=False)
class Candidates:
    """Cells of one grid: frames of the first motion, frames of the second, and their squared distance."""

    rows: np.ndarray  # (N,) int32
    columns: np.ndarray  # (N,) int32
    costs: np.ndarray  # (N,) float32

    def __len__(self) -> int:
        return len(self.rows)

    def chosen(self, which: np.ndarray) -> "Candidates":
        """Some of them: a mask, or numbers."""
        return Candidates(self.rows[which], self.columns[which], self.costs[which])


@dataclass(frozen=True)
class Margins:
    """Which cells may be candidates at all: frames with a whole window around them, off the diagonal, near enough."""

    before: int  # frames that must lie before
    after: int  # and after
    ceiling: float  # squared distance
    off_diagonal: int = 0  # of a motion with itself: how far apart two frames must be at least; 0 for two motions
    both_sides: bool = True  # of a motion with itself: also cells below the diagonal

    def allows(self, row: int, column: int, shape: tuple[int, int]) -> bool:
        inside = self.before <= row < shape[0] - self.after and self.before <= column < shape[1] - self.after
        ahead = abs(column - row) if self.both_sides else column - row
        return inside and (not self.off_diagonal or ahead >= self.off_diagonal)


def local_minima_reference(grid: np.ndarray, margins: Margins) -> list[tuple[int, int]]:
    """Allowed cells with no smaller one among their eight neighbours; of equal neighbours, the first by row, column."""
    found = []
    n_rows, n_columns = grid.shape
    for i in range(n_rows):
        for j in range(n_columns):
            if not margins.allows(i, j, grid.shape) or grid[i, j] > margins.ceiling:
                continue
            around = [
                (grid[a, b], a, b)
                for a in range(max(i - 1, 0), min(i + 2, n_rows))
                for b in range(max(j - 1, 0), min(j + 2, n_columns))
            ]
            if min(around) == (grid[i, j], i, j):
                found.append((i, j))
    return found


def best_within_reference(candidates: Candidates, reach: int) -> np.ndarray:
    """Which candidates (N,) have none better within `reach` frames on both sides; of equal ones the first is better."""
    keys = list(zip(candidates.costs.tolist(), candidates.rows.tolist(), candidates.columns.tolist(), strict=True))
    return np.array(
        [
            not any(
                other < key and abs(other[1] - key[1]) <= reach and abs(other[2] - key[2]) <= reach for other in keys
            )
            for key in keys
        ],
        dtype=bool,
    )


def nearly_minima(grid: np.ndarray, margins: Margins, *, slack: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns (N,) of all cells that may be minima of a grid whose differences are off by `slack` at most."""
    return tuple(
        _nearly_minima(
            *(grid, margins.before, margins.after, np.float32(margins.ceiling + slack), margins.off_diagonal),
            *(margins.both_sides, np.float32(slack)),
        )
    )


def best_within(candidates: Candidates, reach: int) -> Candidates:
    """Those with none better within `reach` frames on both sides, by row and column."""
    order = np.lexsort((candidates.columns, candidates.rows))
    sorted_ones = candidates.chosen(order)
    return sorted_ones.chosen(_best_within(sorted_ones.rows, sorted_ones.columns, sorted_ones.costs, reach))


def best_of_table(table: np.ndarray, reach: int) -> np.ndarray:
    """Candidates (N,) of CANDIDATE with none better within `reach` frames on both sides, of the same two motions."""
    order = np.lexsort((table["column"], table["row"], table["second"], table["first"]))
    table = table[order]
    pairs = np.stack([table["first"], table["second"]], axis=1)
    number = np.cumsum(np.any(np.diff(pairs, axis=0, prepend=pairs[:1]), axis=1))  # of the pair of motions
    most = int(table["row"].max(initial=0)) + reach + 1  # rows of different pairs are further apart than the reach
    rows = table["row"].astype(np.int64) + most * number
    return table[_best_within(rows, table["column"].astype(np.int64), table["cost"], reach)]


def minima_table(
    starts: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    costs: np.ndarray,
    margins: Margins,
    off_diagonal: int,
    is_directed: bool,
) -> np.ndarray:
    """Minima that may be candidates, by motions and their own frames, from frames numbered through all motions."""
    table = np.zeros(len(rows), dtype=CANDIDATE)
    for motion, frame, numbers in (("first", "row", rows), ("second", "column", columns)):
        table[motion] = np.searchsorted(starts, numbers, side="right") - 1
        table[frame] = numbers - starts[table[motion]]
    table["cost"] = costs
    allowed = np.ones(len(table), dtype=bool)
    for motion, frame in (("first", "row"), ("second", "column")):
        lengths = np.diff(starts)[table[motion]]
        allowed &= (table[frame] >= margins.before) & (table[frame] < lengths - margins.after)
    ahead = table["column"].astype(np.int64) - table["row"]
    allowed &= (table["first"] != table["second"]) | ((np.abs(ahead) if is_directed else ahead) >= off_diagonal)
    return table[allowed]


@njit(cache=True, nogil=True)
def grow(table):  # type: ignore[no-untyped-def]
    """The same rows in twice as much room."""
    more = np.empty((2 * len(table), table.shape[1]), dtype=table.dtype)
    for n in range(len(table)):
        for column in range(table.shape[1]):
            more[n, column] = table[n, column]
    return more


@njit(cache=True, nogil=True)
def _best_within(rows, columns, costs, reach):  # type: ignore[no-untyped-def]
    """Rows ascend, and columns within a row."""
    n = len(rows)
    keep = np.ones(n, dtype=np.bool_)
    first = 0
    for k in range(n):
        while rows[first] < rows[k] - reach:
            first += 1
        m = first
        while m < n and rows[m] <= rows[k] + reach:
            is_better = costs[m] < costs[k] or (costs[m] == costs[k] and m < k)  # of equals, the earlier
            if is_better and abs(columns[m] - columns[k]) <= reach:
                keep[k] = False
                break
            m += 1
    return keep


@njit(cache=True, nogil=True)
def _nearly_minima(grid, before, after, ceiling, off_diagonal, both_sides, slack):  # type: ignore[no-untyped-def]
    n_rows, n_columns = grid.shape
    found, n = np.empty((64, 2), dtype=np.int64), 0
    for i in range(before, n_rows - after):
        for j in range(before, n_columns - after):
            value = grid[i, j]
            if not value <= ceiling:
                continue
            ahead = abs(j - i) if both_sides else j - i
            if off_diagonal and ahead < off_diagonal:
                continue
            is_low = True
            for a in range(max(i - 1, 0), min(i + 2, n_rows)):
                for b in range(max(j - 1, 0), min(j + 2, n_columns)):
                    is_low = is_low and value <= grid[a, b] + slack
            if is_low:
                if n == len(found):
                    found = grow(found)
                found[n, 0], found[n, 1] = i, j
                n += 1
    return found[:n, 0].copy(), found[:n, 1].copy()
