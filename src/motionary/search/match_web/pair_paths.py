"""The web of one pair of motions: its chains and bridges, packed."""

from dataclasses import dataclass

import numpy as np

from motionary.search.match_web.bridges import Bridges, bridges
from motionary.search.match_web.chains import Paths, chains
from motionary.search.match_web.grid import Cells

PATH = np.dtype(
    [
        ("row", "<i4"),  # of the first cell
        ("column", "<i4"),
        ("n_cells", "<i4"),
        ("n_rows", "<i4"),  # how many it goes through
        ("n_columns", "<i4"),
        ("from_path", "<i4"),  # of a bridge: the chain of this pair that it leaves, −1 for a chain
        ("from_cell", "<i4"),  # and at which of its cells
        ("to_path", "<i4"),
        ("to_cell", "<i4"),
    ]
)
CELL = np.dtype([("step", "u1"), ("level", "u1")])
UP, RIGHT = 1, 2  # what a step is made of; 3 is both, 0 the first cell
LEVELS = 255  # distances are kept as whole numbers of steps from 0 to the ceiling: 0.6 mm each for 15 cm


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
    parts = [_path_rows(found), _path_rows(between.paths)]
    bridge_rows = parts[1]
    for side, name in enumerate(("from", "to")):
        which = between.chains[:, side]
        bridge_rows[f"{name}_path"] = which
        at = between.paths.firsts[:-1] if side == 0 else between.paths.firsts[1:] - 1
        along = between.paths.rows[at].astype(np.int64) + between.paths.columns[at]  # grows with every step of a path
        bridge_rows[f"{name}_cell"] = [
            np.searchsorted(_along(found, chain), place) for chain, place in zip(which, along, strict=True)
        ]
    cells = [_path_cells(paths, ceiling) for paths in (found, between.paths)]
    return PairPaths(np.concatenate(parts), np.concatenate(cells))


def unpacked(pair: PairPaths) -> Paths:
    """All paths with rows, columns and levels (in place of values) of their cells."""
    firsts = np.concatenate([[0], np.cumsum(pair.paths["n_cells"])]).astype(np.int64)
    steps = pair.cells["step"]
    counts = pair.paths["n_cells"]

    def places(bit: int, start: str) -> np.ndarray:
        moved = np.cumsum((steps & bit) != 0)
        return (moved - np.repeat(moved[firsts[:-1]], counts) + np.repeat(pair.paths[start], counts)).astype(np.int32)

    if not len(steps):
        nothing = np.zeros(0, dtype=np.int32)
        return Paths(firsts, nothing, nothing, nothing.astype(np.float32))
    return Paths(firsts, places(UP, "row"), places(RIGHT, "column"), pair.cells["level"].astype(np.float32))


def _path_rows(paths: Paths) -> np.ndarray:
    rows = np.zeros(paths.n_paths, dtype=PATH)
    first, last = paths.firsts[:-1], paths.firsts[1:] - 1
    rows["row"], rows["column"] = paths.rows[first], paths.columns[first]
    rows["n_rows"] = paths.rows[last] - paths.rows[first] + 1
    rows["n_columns"] = paths.columns[last] - paths.columns[first] + 1
    rows["n_cells"] = np.diff(paths.firsts)
    rows["from_path"] = rows["to_path"] = -1
    return rows


def _path_cells(paths: Paths, ceiling: float) -> np.ndarray:
    cells = np.zeros(len(paths.rows), dtype=CELL)
    if len(cells):
        up, right = (np.diff(places, prepend=places[0]) for places in (paths.rows, paths.columns))
        step = UP * up + RIGHT * right
        step[paths.firsts[:-1]] = 0
        cells["step"] = step
        cells["level"] = np.clip(np.round(LEVELS * np.sqrt(paths.values / ceiling)), 0, LEVELS)
    return cells


def _along(paths: Paths, path: int) -> np.ndarray:
    span = slice(paths.firsts[path], paths.firsts[path + 1])
    return paths.rows[span].astype(np.int64) + paths.columns[span]
