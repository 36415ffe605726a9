"""Sparse candidates: frames that may be alike are found by one matrix product of coarse frames, and minima of their
distances by going downhill from there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.graph.candidates import CANDIDATE, Margins, best_of_table, grow
from motionary.graph.descent import descended
from motionary.metrics import PairFrames, Window, metric_named, pair_frames

EVERY_SECS = 0.1  # between coarse frames
SLACK = 1.4  # how much above the ceiling a coarse distance may be: turned by a rule, not as fits best
STILL = 0.015  # metres: below this distances are noise, and minima lie anywhere
AT_ONCE = 16_384  # coarse frames of one product


@dataclass(frozen=True, eq=False)
class SparseLibrary:
    """Motions as they are compared: coarse frames for matrix products, and all frames for single pairs.

    The coarse distance of two frames is nearly `rows` · `columns`.
    """

    frames: PairFrames
    window: Window
    rows: np.ndarray  # (N, D) float32: coarse frames of all motions, one motion after the other
    columns: np.ndarray  # (N, D) float32
    starts: np.ndarray  # (C + 1,) int64: motion c has the coarse frames [starts[c], starts[c + 1])
    every: int
    is_directed: bool

    @property
    def n_motions(self) -> int:
        return len(self.starts) - 1


def sparse_library(
    metric_name: str,
    window: Window,
    features: Callable[[int], Mapping[str, np.ndarray]],
    n_motions: int,
    *,
    rate_hz: float,
    padding: int,
) -> SparseLibrary:
    """Motions, from the pose descriptions of each; `padding` is how far the longest window reaches."""
    metric = metric_named(metric_name, window=window)
    every = max(1, round(EVERY_SECS * rate_hz))
    rows, columns = [], []
    for number in range(n_motions):
        coarse = metric.coarse(metric.describe(features(number), rate_hz=rate_hz), every)
        ones = np.ones((len(coarse.rows), 1), dtype=np.float32)
        row_sizes, column_sizes = coarse.row_sizes - coarse.allowances, coarse.column_sizes - coarse.allowances
        rows.append(np.concatenate([coarse.rows, row_sizes[:, None], ones], axis=1, dtype=np.float32))
        columns.append(np.concatenate([coarse.columns, ones, column_sizes[:, None]], axis=1, dtype=np.float32))
    frames = pair_frames(metric, (features(n) for n in range(n_motions)), rate_hz=rate_hz, padding=padding)
    starts = np.cumsum([0, *(len(one) for one in rows)])
    return SparseLibrary(
        frames, window, np.concatenate(rows), np.concatenate(columns), starts, every, metric.is_directed
    )


def sparse_candidates(
    library: SparseLibrary,
    second: int,
    firsts: range | None = None,
    *,
    margins: Margins,
    reach: int,
    off_diagonal: int,
    check_interrupt: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """The candidates (N,) of CANDIDATE of a motion with itself and those before it; both ways if these differ.

    `firsts` limits the other motions to some that follow one another.
    """
    firsts = range(second + 1) if firsts is None else firsts
    found = [np.zeros(0, dtype=CANDIDATE)]
    for some in _parts(library.starts, firsts):
        for back in (False, True) if library.is_directed else (False,):
            check_interrupt()
            found.append(_candidates(library, second, some, back, margins, off_diagonal))
    return best_of_table(np.concatenate(found), reach)


def _parts(starts: np.ndarray, firsts: range) -> Iterable[range]:
    """Motions that follow one another, as many as are multiplied at once."""
    start = firsts.start
    while start < firsts.stop:
        stop = start + 1
        while stop < firsts.stop and starts[stop + 1] - starts[start] <= AT_ONCE:
            stop += 1
        yield range(start, stop)
        start = stop


def _candidates(
    library: SparseLibrary, second: int, firsts: range, back: bool, margins: Margins, off_diagonal: int
) -> np.ndarray:
    """Local minima between some motions and one, from theirs to it, or `back`."""
    starts, frames = library.starts, library.frames
    own = slice(starts[second], starts[second + 1])
    others = slice(starts[firsts.start], starts[firsts.stop])
    if back:
        near = library.columns[others] @ library.rows[own].T
    else:
        near = library.rows[others] @ library.columns[own].T
    itself = second - firsts.start if second in firsts and not back else -1
    cells = _near_cells(
        near, starts[firsts.start : firsts.stop + 1] - starts[firsts.start],
        np.float32(margins.ceiling * SLACK**2), np.float32(STILL**2),
        itself, off_diagonal // library.every - 1, library.is_directed,
    )  # fmt: skip
    motions = firsts.start + cells[:, 0]
    ends = frames.starts[1:] - 1
    other_frames = np.minimum(frames.starts[motions] + library.every * cells[:, 1], ends[motions])
    own_frames = np.minimum(frames.starts[second] + library.every * cells[:, 2], ends[second])
    if back:
        keep = motions != second
        rows, columns = own_frames[keep], other_frames[keep]
    else:
        rows, columns = other_frames, own_frames
    rows, columns, costs = descended(frames, library.window, rows, columns, ceiling=margins.ceiling)
    return _table(frames.starts, rows, columns, costs, margins, off_diagonal, library.is_directed)


def _table(
    starts: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    costs: np.ndarray,
    margins: Margins,
    off_diagonal: int,
    is_directed: bool,
) -> np.ndarray:
    """Cells that may be candidates, by motions and their own frames."""
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
def _near_cells(near, starts, limit, still, itself, off_diagonal, is_directed):  # type: ignore[no-untyped-def]
    """Cells (N, 3) to go downhill from: motion, coarse row in it, coarse column.

    Distances lie in valleys along diagonals, where both motions go on alike. A cell counts that is below the limit and
    at the bottom of its valley, lower than the cells across it; or where bodies are still, which has no valleys.
    """
    found, n = np.empty((256, 3), dtype=np.int64), 0
    n_columns = near.shape[1]
    for motion in range(len(starts) - 1):
        low, high = starts[motion], starts[motion + 1]
        for i in range(low, high):
            for j in range(n_columns):
                value = near[i, j]
                if value > limit:
                    continue
                if value > still and (
                    (i > low and j + 1 < n_columns and near[i - 1, j + 1] < value)
                    or (i + 1 < high and j > 0 and near[i + 1, j - 1] < value)
                ):
                    continue
                if motion == itself and (abs(j - i + low) < off_diagonal or (not is_directed and j < i - low)):
                    continue
                if n == len(found):
                    found = grow(found)
                found[n, 0], found[n, 1], found[n, 2] = motion, i - low, j
                n += 1
    return found[:n].copy()
