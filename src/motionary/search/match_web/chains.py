"""Chains of local minima: time alignments of which hardly any cell could be moved for the better."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.grid import Cells

MOST_ON_ONE = 3  # k: frames of one motion that may go with a single one of the other


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths through a grid, each a run of cells that step right, up or both."""

    firsts: np.ndarray  # (P + 1,) int64: where the cells of every path begin
    rows: np.ndarray  # (N,) int32
    columns: np.ndarray  # (N,) int32
    values: np.ndarray  # (N,) float32

    @property
    def n_paths(self) -> int:
        return len(self.firsts) - 1

    def cells(self, path: int) -> list[tuple[int, int]]:
        """The cells of one path."""
        span = slice(self.firsts[path], self.firsts[path + 1])
        return list(zip(self.rows[span].tolist(), self.columns[span].tolist(), strict=True))


def chains_reference(cells: Cells, *, shortest: int) -> list[list[tuple[int, int]]]:
    """What `chains` finds, from the definition.

    From below and the left on, every minimum that is in no chain yet begins one. A chain goes on to the minimum to the
    upper right, or else to the lower one of those to the right and above (of equals, the right one), if that is in no
    chain yet and no row or column gets more than k cells in a run. So minima begin chains that have no neighbour to the
    left, below or below left, as in the paper, and also those where another chain had to end or went past.
    """
    value = {
        (int(i), int(j)): float(value)
        for i, j, value, kind in zip(cells.rows, cells.columns, cells.values, cells.minima, strict=True)
        if kind
    }
    found, used = [], set()
    for start in sorted(value):
        if start in used:
            continue
        chain = [start]
        used.add(start)
        while True:
            i, j = chain[-1]
            last = chain[-MOST_ON_ONE:]
            full_row = len(last) == MOST_ON_ONE and all(cell[0] == i for cell in last)
            full_column = len(last) == MOST_ON_ONE and all(cell[1] == j for cell in last)
            aside = [] if full_row else [(i, j + 1)]
            aside += [] if full_column else [(i + 1, j)]
            aside = sorted((cell for cell in aside if cell in value and cell not in used), key=lambda cell: value[cell])
            diagonal = [(i + 1, j + 1)] if (i + 1, j + 1) in value and (i + 1, j + 1) not in used else []
            if not diagonal + aside:
                break
            chain.append((diagonal + aside)[0])
            used.add(chain[-1])
        if _length(chain[0], chain[-1]) >= shortest:
            found.append(chain)
    return found


def _length(first: tuple[int, int], last: tuple[int, int]) -> int:
    """How many frames of both motions, together, a path spans."""
    return last[0] - first[0] + last[1] - first[1] + 2


def chains(cells: Cells, *, shortest: int) -> Paths:
    """The chains of minima that span at least so many frames of both motions together."""
    is_minimum = cells.minima != 0
    firsts = np.concatenate([[0], np.cumsum(is_minimum)])[cells.firsts].astype(np.int64)
    return Paths(*follow_minima(firsts, cells.columns[is_minimum], cells.values[is_minimum], shortest))


@njit(cache=True, nogil=True)
def follow_minima(firsts, columns, values, shortest):  # type: ignore[no-untyped-def]
    """The same of a list of minima, row after row, as arrays of `Paths`."""
    n_minima = len(columns)
    path_rows, path_columns = np.empty(n_minima, dtype=np.int32), np.empty(n_minima, dtype=np.int32)
    path_values, ends = np.empty(n_minima, dtype=np.float32), np.empty(n_minima + 1, dtype=np.int64)
    n_paths = _chains(firsts, columns, values, shortest, path_rows, path_columns, path_values, ends)
    n = ends[n_paths]
    return ends[: n_paths + 1].copy(), path_rows[:n].copy(), path_columns[:n].copy(), path_values[:n].copy()


@njit(cache=True, nogil=True)
def _chains(firsts, columns, values, shortest, path_rows, path_columns, path_values, ends):  # type: ignore[no-untyped-def]
    """Every cell is used once, and what is too short is written over: n_minima of cells and paths is room enough."""
    n_rows = len(firsts) - 1
    above = np.empty(len(columns), dtype=np.int64)  # the first cell of the next row that is not further left
    for i in range(n_rows):
        stop = firsts[i + 2] if i + 2 <= n_rows else firsts[i + 1]
        n = firsts[i + 1]
        for k in range(firsts[i], firsts[i + 1]):
            while n < stop and columns[n] < columns[k]:
                n += 1
            above[k] = n
    used = np.zeros(len(columns), dtype=np.bool_)
    n_paths, written = 0, 0
    ends[0] = 0
    for start_row in range(n_rows):
        for start in range(firsts[start_row], firsts[start_row + 1]):
            if used[start]:
                continue
            first, k, i = written, start, start_row
            on_row, on_column = 1, 1
            while True:
                used[k] = True
                path_rows[written], path_columns[written], path_values[written] = i, columns[k], values[k]
                written += 1
                j = columns[k]
                row_stop = firsts[i + 2] if i + 2 <= n_rows else firsts[i + 1]
                up, diagonal, right = -1, -1, -1
                n = above[k]
                if n < row_stop and columns[n] == j:
                    if not used[n] and on_column < MOST_ON_ONE:
                        up = n
                    n += 1
                if n < row_stop and columns[n] == j + 1 and not used[n]:
                    diagonal = n
                if k + 1 < firsts[i + 1] and columns[k + 1] == j + 1 and not used[k + 1] and on_row < MOST_ON_ONE:
                    right = k + 1
                if diagonal >= 0:
                    k, i, on_row, on_column = diagonal, i + 1, 1, 1
                elif right >= 0 and (up < 0 or values[right] <= values[up]):
                    k, on_row, on_column = right, on_row + 1, 1
                elif up >= 0:
                    k, i, on_row, on_column = up, i + 1, 1, on_column + 1
                else:
                    break
            span = path_rows[written - 1] - path_rows[first] + path_columns[written - 1] - path_columns[first] + 2
            if span >= shortest:
                n_paths += 1
                ends[n_paths] = written
            else:
                written = first
    return n_paths
