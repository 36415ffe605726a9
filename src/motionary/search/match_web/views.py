"""All paths of a web that touch one motion, laid out for a query of its frames."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.pair_paths import CELL, PATH, PairPaths, cell_at, unpack


@dataclass(frozen=True, eq=False)
class View:
    """Paths of one motion with all others: a cell is a frame of the motion and one of the other.

    Levels are summed as squares of whole numbers, so that no order of adding changes a sum.
    """

    others: np.ndarray  # (P,) int32: the other motion of every path
    firsts: np.ndarray  # (P + 1,) int64: where the cells of every path begin
    begins: np.ndarray  # (P,) int32: the first of the motion's frames on every path
    ends: np.ndarray  # (P,) int32: and the last
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


class ViewMemory:
    """The views that were used last, of as many cells as there is room for, but always one."""

    def __init__(self, most_cells: int) -> None:
        self._most_cells, self._n_cells = most_cells, 0
        self._views: dict[int, View] = {}  # the one that was used last is the last

    def view(self, motion: int, make: Callable[[], View]) -> View:
        """That of a motion, made if it is not known."""
        found = self._views.pop(motion, None)
        if found is None:
            found = make()
            self._n_cells += len(found.frames)
        self._views[motion] = found
        while len(self._views) > 1 and self._n_cells > self._most_cells:
            self._n_cells -= len(self._views.pop(next(iter(self._views))).frames)
        return found


ENTRY = np.dtype(
    [
        ("other", "<i8"),
        ("first_path", "<i8"),
        ("n_paths", "<i8"),
        ("first_cell", "<i8"),
        ("n_cells", "<i8"),
        ("turned", "?"),
    ]
)


def view_of(parts: Sequence[tuple[int, PairPaths, bool]]) -> View:
    """From pairs: the other motion, the paths, and whether their columns (not rows) are frames of the motion."""
    entries = np.zeros(len(parts), dtype=ENTRY)
    n_paths, n_cells = 0, 0
    for entry, (other, pair, turned) in zip(entries, parts, strict=True):
        entry["other"], entry["turned"] = other, turned
        entry["first_path"], entry["n_paths"] = n_paths, len(pair.paths)
        entry["first_cell"], entry["n_cells"] = n_cells, len(pair.cells)
        n_paths, n_cells = n_paths + len(pair.paths), n_cells + len(pair.cells)
    paths = np.concatenate([np.zeros(0, dtype=PATH), *(pair.paths for _, pair, _ in parts)])
    cells = np.concatenate([np.zeros(0, dtype=CELL), *(pair.cells for _, pair, _ in parts)])
    return view_of_tables(paths, cells, entries)


def view_of_tables(paths: np.ndarray, cells: np.ndarray, entries: np.ndarray) -> View:
    """From tables of paths and cells, and what of them belongs to each pair (of ENTRY)."""
    n_paths, n_cells = int(entries["n_paths"].sum()), int(entries["n_cells"].sum())
    others, to_paths, leaves = (np.empty(n_paths, dtype=np.int32) for _ in range(3))
    firsts = np.empty(n_paths + 1, dtype=np.int64)
    to_cells, leave_at = np.empty(n_paths, dtype=np.int64), np.empty(n_paths, dtype=np.int64)
    rows, columns = np.empty(n_cells, dtype=np.int32), np.empty(n_cells, dtype=np.int32)
    levels, sums = np.empty(n_cells, dtype=np.uint8), np.empty(n_cells + 1, dtype=np.int64)
    all_meet = _lay_out(
        *(paths, cells, entries, others, firsts, rows, columns, levels, sums),
        *(leaves, leave_at, to_paths, to_cells),
    )
    assert all_meet, "a bridge does not meet its chains"
    are_bridges = np.flatnonzero(leaves >= 0)
    order = are_bridges[np.lexsort((leave_at[are_bridges], leaves[are_bridges]))]
    return View(
        others,
        firsts,
        rows[firsts[:-1]],
        rows[firsts[1:] - 1],
        rows,
        columns,
        sums,
        to_paths,
        to_cells,
        np.searchsorted(leaves[order], np.arange(n_paths + 1)).astype(np.int64),
        order.astype(np.int32),
        leave_at[order],
    )


@njit(cache=True, nogil=True)
def _lay_out(  # type: ignore[no-untyped-def]
    paths, cells, entries, others, firsts, rows, columns, levels, sums, leaves, leave_at, to_paths, to_cells
):
    path, cell, all_meet = 0, 0, True
    firsts[0], sums[0] = 0, 0
    for n in range(len(entries)):
        entry = entries[n]
        some = paths[entry["first_path"] : entry["first_path"] + entry["n_paths"]]
        stop = cell + entry["n_cells"]
        unpack(
            some, cells[entry["first_cell"] : entry["first_cell"] + entry["n_cells"]],
            rows[cell:stop], columns[cell:stop], levels[cell:stop],
        )  # fmt: skip
        for p in range(len(some)):
            others[path + p] = entry["other"]
            firsts[path + p + 1] = firsts[path + p] + some[p]["n_cells"]
        for p in range(len(some)):
            leaves[path + p] = to_paths[path + p] = -1
            leave_at[path + p] = to_cells[path + p] = -1
            if some[p]["from_path"] >= 0:
                first, last = firsts[path + p], firsts[path + p + 1] - 1
                a, b = path + some[p]["from_path"], path + some[p]["to_path"]
                leaves[path + p], to_paths[path + p] = a, b
                leave_at[path + p] = cell_at(rows, columns, firsts[a], firsts[a + 1], rows[first], columns[first])
                to_cells[path + p] = cell_at(rows, columns, firsts[b], firsts[b + 1], rows[last], columns[last])
                all_meet &= _is_at(rows, columns, leave_at[path + p], firsts[a + 1], rows[first], columns[first])
                all_meet &= _is_at(rows, columns, to_cells[path + p], firsts[b + 1], rows[last], columns[last])
        path += len(some)
        for k in range(cell, stop):
            sums[k + 1] = sums[k] + np.int64(levels[k]) ** 2
            if entry["turned"]:
                rows[k], columns[k] = columns[k], rows[k]
        cell = stop
    return all_meet


@njit(cache=True, nogil=True)
def _is_at(rows, columns, cell, stop, row, column):  # type: ignore[no-untyped-def]
    return cell < stop and rows[cell] == row and columns[cell] == column
