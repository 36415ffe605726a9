"""Sparse candidates: frames that may be alike are found by products of coarse frames, and minima of their
distances by going downhill from there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.graph.candidates import CANDIDATE, Margins, best_of_table, grow, minima_table
from motionary.graph.descent import descended
from motionary.metrics import PairFrames, Window, frame_products, metric_named, pair_frames

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
    rows: np.ndarray  # (N, D) float32: coarse frames of all motions, one motion after the other; D in blocks of 4
    columns: np.ndarray  # (N, D) float32
    starts: np.ndarray  # (C + 1,) int64: motion c has the coarse frames [starts[c], starts[c + 1])
    order: np.ndarray  # (C,) of two motions, the lower one comes first in a pair, whichever was there before
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
    order: np.ndarray | None = None,
) -> SparseLibrary:
    """Motions, from the pose descriptions of each; `padding` is how far the longest window reaches.

    `order` (C,) says which of two motions comes first in their candidates; by default, that with the lower number.
    """
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
    blocks = ((0, 0), (0, -rows[0].shape[1] % 4))
    order = np.arange(n_motions) if order is None else np.asarray(order)
    return SparseLibrary(
        frames, window, np.pad(np.concatenate(rows), blocks), np.pad(np.concatenate(columns), blocks), starts, order,
        every, metric.is_directed,
    )  # fmt: skip


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
        for turned in _turns(library, second, some):
            check_interrupt()
            found.append(_candidates(library, second, some, turned, margins, off_diagonal))
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


def _turns(library: SparseLibrary, second: int, firsts: range) -> list[np.ndarray]:
    """From which of some motions (n,) candidates lead to another one, and for which the other comes first: True.

    If distances have a direction, both; if not, their order decides, so that the same two motions are always compared
    in the same way, and rounded alike.
    """
    if library.is_directed:
        return [np.zeros(len(firsts), dtype=bool), np.ones(len(firsts), dtype=bool)]
    return [library.order[firsts.start : firsts.stop] > library.order[second]]


def _coarse(library: SparseLibrary, second: int, firsts: range, turned: np.ndarray) -> np.ndarray:
    """Coarse distances of some motions' frames and another's; the same to the last bit, whatever else is compared."""
    starts, low = library.starts, int(library.starts[firsts.start])
    own = slice(starts[second], starts[second + 1])
    near = np.empty((starts[firsts.stop] - low, own.stop - own.start), dtype=np.float32)
    is_turned = np.repeat(turned, np.diff(starts[firsts.start : firsts.stop + 1]))
    for sides, which in (((library.rows, library.columns), ~is_turned), ((library.columns, library.rows), is_turned)):
        to = np.flatnonzero(which)
        frame_products(sides[0], low + to, sides[1][own], out=near, to=to)
    return near


def _candidates(
    library: SparseLibrary, second: int, firsts: range, turned: np.ndarray, margins: Margins, off_diagonal: int
) -> np.ndarray:
    """Local minima between some motions and one: from theirs to it, or from it to them where `turned`."""
    starts, frames = library.starts, library.frames
    itself = second - firsts.start if second in firsts and not turned[second - firsts.start] else -1
    cells = _near_cells(
        _coarse(library, second, firsts, turned), starts[firsts.start : firsts.stop + 1] - starts[firsts.start],
        np.float32(margins.ceiling * SLACK**2), np.float32(STILL**2),
        itself, off_diagonal // library.every - 1, library.is_directed,
    )  # fmt: skip
    if library.is_directed:  # a motion with itself: both ways are in one grid
        cells = cells[~turned[cells[:, 0]] | (firsts.start + cells[:, 0] != second)]
    motions = firsts.start + cells[:, 0]
    ends = frames.starts[1:] - 1
    other_frames = np.minimum(frames.starts[motions] + library.every * cells[:, 1], ends[motions])
    own_frames = np.minimum(frames.starts[second] + library.every * cells[:, 2], ends[second])
    back = turned[cells[:, 0]]
    rows, columns = np.where(back, own_frames, other_frames), np.where(back, other_frames, own_frames)
    rows, columns, costs = descended(frames, library.window, rows, columns, ceiling=margins.ceiling)
    return minima_table(frames.starts, rows, columns, costs, margins, off_diagonal, library.is_directed)


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
