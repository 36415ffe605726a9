"""The web of one pair of motions: its chains and bridges, packed."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.bridges import Bridges, bridges
from motionary.search.match_web.chains import Paths, chains
from motionary.search.match_web.grid import Cells

PATH = np.dtype(
    [
        ("row", "<i4"),  # of the first cell
        ("column", "<i4"),
        ("n_cells", "<i4"),
        ("from_path", "<i4"),  # of a bridge: the chain of this pair that it leaves, −1 for a chain
        ("to_path", "<i4"),  # and the one it leads to
    ]
)
CELL = np.dtype("u1")  # the step that leads to it, and its distance in levels
STEP_BITS = 6
STEP = 1 << STEP_BITS  # times the step, plus the level
LEVELS = STEP - 1  # distances are kept as whole numbers of steps from 0 to the ceiling: 2.4 mm each for 15 cm
UP, RIGHT = 1, 2  # what a step is made of; 3 is both, 0 the first cell


@dataclass(frozen=True, eq=False)
class PairPaths:
    """Chains, then bridges, of a grid whose rows are frames of one motion and whose columns are those of another."""

    paths: np.ndarray  # (P,) of PATH
    cells: np.ndarray  # (N,) of CELL, path after path

    @property
    def n_bridges(self) -> int:
        return int((self.paths["from_path"] >= 0).sum())

    @property
    def is_empty(self) -> bool:
        return len(self.paths) == 0


NO_PATHS = PairPaths(np.zeros(0, dtype=PATH), np.zeros(0, dtype=CELL))


def pair_paths(cells: Cells, *, shortest: int, furthest: int, ceiling: float) -> PairPaths:
    """The chains that span at least `shortest` frames, and the bridges between those nearer than `furthest`."""
    found = chains(cells, shortest=shortest)
    if not found.n_paths:
        return NO_PATHS
    return packed(found, bridges(cells, found, furthest=furthest), ceiling=ceiling)


def packed(found: Paths, between: Bridges, *, ceiling: float) -> PairPaths:
    """Chains and bridges as they are kept; `ceiling` is the largest value (m²)."""
    of = between.paths
    return PairPaths(
        *pack(
            *(found.firsts, found.rows, found.columns, found.values, between.chains),
            *(of.firsts, of.rows, of.columns, of.values, level_scale(ceiling)),
        )
    )


def level_scale(ceiling: float) -> np.float32:
    """How many levels a metre is, if `ceiling` is the largest value (m²)."""
    return np.float32(LEVELS / np.sqrt(ceiling))


def unpacked(pair: PairPaths) -> Paths:
    """All paths with rows, columns and levels (in place of values) of their cells."""
    firsts = np.concatenate([[0], np.cumsum(pair.paths["n_cells"])]).astype(np.int64)
    rows, columns = (np.empty(len(pair.cells), dtype=np.int32) for _ in range(2))
    levels = np.empty(len(pair.cells), dtype=np.uint8)
    unpack(pair.paths, pair.cells, rows, columns, levels)
    return Paths(firsts, rows, columns, levels.astype(np.float32))


@njit(cache=True, nogil=True)
def unpack(paths, cells, rows, columns, levels):  # type: ignore[no-untyped-def]
    """Write rows, columns and levels of the cells of paths, one path after the other."""
    n = 0
    for path in range(len(paths)):
        row, column = paths[path]["row"], paths[path]["column"]
        for _ in range(paths[path]["n_cells"]):
            step = cells[n] >> STEP_BITS
            row += step & UP
            column += (step & RIGHT) >> 1
            rows[n], columns[n], levels[n] = row, column, cells[n] & LEVELS
            n += 1


@njit(cache=True, nogil=True)
def cell_at(rows, columns, first, stop, row, column):  # type: ignore[no-untyped-def]
    """Which of the cells [first, stop) of a path is this one: row and column together grow with every step."""
    while first < stop:
        middle = (first + stop) // 2
        if rows[middle] + columns[middle] < row + column:
            first = middle + 1
        else:
            stop = middle
    return first


@njit(cache=True, nogil=True)
def pack(  # type: ignore[no-untyped-def]
    firsts, rows, columns, values, pairs, bridge_firsts, bridge_rows, bridge_columns, bridge_values, scale
):
    """The arrays of `PairPaths`, from those of the `Paths` of chains and bridges, and the chains of these (B, 2)."""
    n_chains, n_cells = len(firsts) - 1, len(rows)
    paths = np.empty(n_chains + len(pairs), dtype=PATH)
    cells = np.empty(n_cells + len(bridge_rows), dtype=CELL)
    _pack(firsts, rows, columns, values, scale, paths[:n_chains], cells[:n_cells])
    _pack(bridge_firsts, bridge_rows, bridge_columns, bridge_values, scale, paths[n_chains:], cells[n_cells:])
    for n in range(len(pairs)):
        paths[n_chains + n]["from_path"], paths[n_chains + n]["to_path"] = pairs[n, 0], pairs[n, 1]
    return paths, cells


@njit(cache=True, nogil=True)
def _pack(firsts, rows, columns, values, scale, paths, cells):  # type: ignore[no-untyped-def]
    for path in range(len(paths)):
        first, last = firsts[path], firsts[path + 1] - 1
        entry = paths[path]
        entry["row"], entry["column"], entry["n_cells"] = rows[first], columns[first], last - first + 1
        entry["from_path"] = entry["to_path"] = -1
        for n in range(first, last + 1):
            step = UP * (rows[n] - rows[n - 1]) + RIGHT * (columns[n] - columns[n - 1]) if n > first else 0
            cells[n] = STEP * step + min(round(np.sqrt(values[n]) * scale), LEVELS)
