"""All paths of a web that touch one motion, laid out for a query of its frames."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.search.match_web.pair_paths import PairPaths, unpacked


@dataclass(frozen=True, eq=False)
class View:
    """Paths of one motion with all others: a cell is a frame of the motion and one of the other.

    Levels are summed as squares of whole numbers, so that no order of adding changes a sum.
    """

    others: np.ndarray  # (P,) int32: the other motion of every path
    firsts: np.ndarray  # (P + 1,) int64: where the cells of every path begin
    frames: np.ndarray  # (N,) int32: of the motion
    other_frames: np.ndarray  # (N,) int32
    sums: np.ndarray  # (N + 1,) int64: of the squared levels of all cells before
    to_paths: np.ndarray  # (P,) int32: where a bridge leads, −1 for chains
    to_cells: np.ndarray  # (P,) int64: and at which of all cells
    bridge_firsts: np.ndarray  # (P + 1,) int64: where the bridges that leave a chain begin
    bridges: np.ndarray  # (B,) int32: paths, ordered by where they leave
    leave_at: np.ndarray  # (B,) int64: at which of all cells each leaves

    @property
    def n_paths(self) -> int:
        return len(self.others)


def view_of(parts: Sequence[tuple[int, PairPaths, bool]]) -> View:
    """From pairs: the other motion, the paths, and whether their columns (not rows) are frames of the motion."""
    frames, other_frames, levels, counts, others = _lists(5)
    to_paths, to_cells, from_paths, from_cells = _lists(4)
    n_paths, n_cells = 0, 0
    for other, pair, turned in parts:
        found = unpacked(pair)
        sides = (found.columns, found.rows) if turned else (found.rows, found.columns)
        frames.append(sides[0])
        other_frames.append(sides[1])
        levels.append(found.values.astype(np.int64))
        counts.append(pair.paths["n_cells"].astype(np.int64))
        others.append(np.full(len(pair.paths), other, dtype=np.int32))
        for name, which, where in (("from", from_paths, from_cells), ("to", to_paths, to_cells)):
            path, cell = pair.paths[f"{name}_path"], pair.paths[f"{name}_cell"]
            which.append(np.where(path >= 0, path + n_paths, -1).astype(np.int32))
            where.append(np.where(path >= 0, found.firsts[path] + cell + n_cells, -1).astype(np.int64))
        n_paths += len(pair.paths)
        n_cells += len(found.rows)
    leaves = _joined(from_paths, np.int32)
    leave_at = _joined(from_cells, np.int64)
    are_bridges = np.flatnonzero(leaves >= 0)
    order = are_bridges[np.lexsort((leave_at[are_bridges], leaves[are_bridges]))]
    return View(
        _joined(others, np.int32),
        np.concatenate([[0], np.cumsum(_joined(counts, np.int64))]).astype(np.int64),
        _joined(frames, np.int32),
        _joined(other_frames, np.int32),
        np.concatenate([[0], np.cumsum(_joined(levels, np.int64) ** 2)]).astype(np.int64),
        _joined(to_paths, np.int32),
        _joined(to_cells, np.int64),
        np.searchsorted(leaves[order], np.arange(n_paths + 1)).astype(np.int64),
        order.astype(np.int32),
        leave_at[order],
    )


def _lists(n: int) -> list[list[np.ndarray]]:
    return [[] for _ in range(n)]


def _joined(parts: Sequence[np.ndarray], dtype: type[np.generic]) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=dtype), *parts])
