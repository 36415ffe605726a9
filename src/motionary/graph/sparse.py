"""Sparse candidates: frames that may be alike are found by one matrix product of coarse frames, and only what is around
them is compared exactly."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit

from motionary.graph.candidates import Candidates, Margins, best_within, grow, is_local_minimum
from motionary.metrics import AnyMetric, CoarseFrames

EVERY_SECS = 0.1  # between coarse frames
SLACK = 1.25  # how much above the ceiling a coarse distance may be: turned by a rule, not as fits best
AT_ONCE = 16_384  # coarse columns of one product
STRIP = 4  # coarse rows of a rectangle
PADDING = 1  # coarse cells around those that are near
GAP = 2  # coarse columns: rectangles that are nearer than this are one


@dataclass(frozen=True, eq=False)
class SparseMotion:
    """A motion as the metric describes it, and its coarse frames."""

    metric: AnyMetric
    described: Any
    n_frames: int
    every: int

    @cached_property
    def coarse(self) -> CoarseFrames:
        return self.metric.coarse(self.described, self.every)


def sparse_candidates(
    motions: Sequence[SparseMotion],
    second: int,
    firsts: range | None = None,
    *,
    margins: Margins,
    reach: int,
    off_diagonal: int,
    check_interrupt: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, int, Candidates]]:
    """The candidates of a motion with itself and all before it, (first, second, cells); both ways if these differ.

    `firsts` limits the other motions to some that follow one another.
    """
    directed = bool(getattr(motions[second].metric, "is_directed", False))
    firsts = range(second + 1) if firsts is None else firsts
    start = firsts.start
    while start < firsts.stop:
        stop, n_coarse = start, 0
        while stop < firsts.stop and (n_coarse == 0 or n_coarse + len(motions[stop].coarse.rows) <= AT_ONCE):
            n_coarse += len(motions[stop].coarse.rows)
            stop += 1
        check_interrupt()
        ways = (False, True) if directed else (False,)
        for back in ways:
            for first, near in _near(motions[start:stop], motions[second], back):
                number = start + first
                if back and number == second:
                    continue
                rows, columns = (second, number) if back else (number, second)
                own = Margins(margins.before, margins.after, margins.ceiling, off_diagonal if number == second else 0)
                found = _refined(motions[rows], motions[columns], near, own, reach)
                if len(found):
                    yield rows, columns, found
        start = stop


def _near(others: Sequence[SparseMotion], motion: SparseMotion, back: bool) -> Iterator[tuple[int, np.ndarray]]:
    """Coarse distances of every motion with one, less what is allowed: rows are the first's, or the other way round."""
    one = motion.coarse
    if back:
        product = one.rows @ np.concatenate([other.coarse.columns for other in others]).T
    else:
        product = one.columns @ np.concatenate([other.coarse.rows for other in others]).T
    at = 0
    for number, other in enumerate(others):
        n = len(other.coarse.rows)
        part = product[:, at : at + n]
        at += n
        sizes = (one.row_sizes, other.coarse.column_sizes) if back else (one.column_sizes, other.coarse.row_sizes)
        part = part + (sizes[0] - one.allowances)[:, None] + (sizes[1] - other.coarse.allowances)
        yield number, part if back else np.ascontiguousarray(part.T)


def _refined(first: SparseMotion, second: SparseMotion, near: np.ndarray, margins: Margins, reach: int) -> Candidates:
    """The candidates around near coarse cells."""
    limit = np.float32(margins.ceiling * SLACK**2)
    shape = first.n_frames, second.n_frames
    rectangles = _rectangles(near, limit, first.every, *shape)
    if not len(rectangles):
        return Candidates(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))
    values = first.metric.rectangles(first.described, second.described, rectangles)
    grid = np.full(shape, np.inf, dtype=np.float32)
    _fill(values, rectangles, grid)
    rows, columns = _minima_in(
        grid, rectangles, margins.before, margins.after, np.float32(margins.ceiling), margins.off_diagonal
    )
    return best_within(Candidates(rows, columns, grid[rows, columns]), reach)


@njit(cache=True, nogil=True)
def _rectangles(near, limit, every, n_rows, n_columns):  # type: ignore[no-untyped-def]
    """Rectangles (N, 4) of frames around coarse cells below the limit, strip by strip, disjoint."""
    found, n = np.empty((64, 4), dtype=np.int64), 0
    n1, n2 = near.shape
    marked = np.zeros(n2, dtype=np.bool_)
    for strip in range(0, n1, STRIP):
        marked[:] = False
        any_marked = False
        for i in range(max(strip - PADDING, 0), min(strip + STRIP + PADDING, n1)):
            for j in range(n2):
                if near[i, j] <= limit:
                    marked[j] = True
                    any_marked = True
        if not any_marked:
            continue
        r0, r1 = strip * every, min((strip + STRIP) * every, n_rows)
        if strip + STRIP >= n1:
            r1 = n_rows
        j, last = 0, -1  # the column where the last rectangle of this strip ends
        while j < n2:
            if not marked[j]:
                j += 1
                continue
            low = max(j - PADDING, 0)
            while j < n2 and marked[j]:
                j += 1
            c0, c1 = low * every, min((j + PADDING) * every, n_columns)
            if j + PADDING >= n2:
                c1 = n_columns
            if last >= 0 and c0 <= last + GAP * every:
                found[n - 1, 3] = max(c1, found[n - 1, 3])
            else:
                if n == len(found):
                    found = grow(found)
                found[n, 0], found[n, 1], found[n, 2], found[n, 3] = r0, r1, c0, c1
                n += 1
            last = found[n - 1, 3]
    return found[:n].copy()


@njit(cache=True, nogil=True)
def _fill(values, rectangles, grid):  # type: ignore[no-untyped-def]
    n = 0
    for k in range(len(rectangles)):
        for i in range(rectangles[k, 0], rectangles[k, 1]):
            for j in range(rectangles[k, 2], rectangles[k, 3]):
                grid[i, j] = values[n]
                n += 1


@njit(cache=True, nogil=True)
def _minima_in(grid, rectangles, before, after, ceiling, off_diagonal):  # type: ignore[no-untyped-def]
    n_rows, n_columns = grid.shape
    found, n = np.empty((64, 2), dtype=np.int32), 0
    for k in range(len(rectangles)):
        for i in range(max(rectangles[k, 0], before), min(rectangles[k, 1], n_rows - after)):
            for j in range(max(rectangles[k, 2], before), min(rectangles[k, 3], n_columns - after)):
                if grid[i, j] <= ceiling and abs(i - j) >= off_diagonal and is_local_minimum(grid, i, j):
                    if n == len(found):
                        found = grow(found)
                    found[n, 0], found[n, 1] = i, j
                    n += 1
    return found[:n, 0].copy(), found[:n, 1].copy()
