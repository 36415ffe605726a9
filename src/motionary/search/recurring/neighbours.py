"""The nearest windows of a library's windows, exactly, by bounds.

Offsets that follow one another are much alike. So a few of them are taken together as a block, which is known by the
sketch of its middle one and by how far the others are from that. Matrix products compare windows with all blocks;
blocks that may hold something near are opened, and offsets whose own sketches are near are measured as a search does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from motionary.search.recurring.nearest_kernels import (
    TILE,
    bound_blocks,
    measure_at,
    nearest_in,
    open_blocks,
    reach_of,
    tile_reaches,
)
from motionary.search.recurring.sketches import Sketcher
from motionary.search.recurring.windows import Windows

BLOCK = 5  # offsets
TOGETHER = 96  # windows that are compared with blocks at once
BLOCKS_TOGETHER = 64 * TILE
SINGLE = 2.0**-24


@dataclass(frozen=True, eq=False)
class Nearest:
    """Of some windows: how far the nearest is, where that begins, and whether it is mirrored.

    Where nothing is near enough, the distance is infinite and the row −1.
    """

    distances: np.ndarray  # (N,)
    rows: np.ndarray  # (N,)
    mirrored: np.ndarray  # (N,)

    @classmethod
    def none(cls, n: int) -> "Nearest":
        return cls(np.full(n, np.inf), np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=bool))


@dataclass(frozen=True, eq=False)
class Neighbours:
    """All windows of a library, ready to be asked for what is near them. V is 2 where mirror images count, else 1."""

    windows: Windows
    sketches: np.ndarray  # (V, F, K) float32: of all offsets, as they are and in a mirror
    blocks: np.ndarray  # (B, 2) rows [first, stop): offsets that are taken together
    middles: np.ndarray  # (V, B, K) float32
    squares: np.ndarray  # (V, B) float32: of the middles
    reaches: np.ndarray  # (V, B) float32: how far from its middle a block reaches
    error: float  # |a − b| − `error` is never above the root of a distance, a and b being two sketches
    slack: float  # how far off |a − b|² may be when it comes from a matrix product

    @classmethod
    def of(cls, windows: Windows) -> "Neighbours":
        sketcher = Sketcher.trained(windows.table, windows.weights, windows.offsets, windows.n_frames)
        made = [sketcher.sketch(windows.table)]
        if windows.options.both_sides:
            made.append(sketcher.sketch(windows.table, windows.mirrored))
        sketches = np.stack([sketch.numbers for sketch in made])
        blocks = _blocks(windows)
        middles = np.ascontiguousarray(sketches[:, blocks.sum(axis=1) // 2])
        squares = (middles.astype(np.float64) ** 2).sum(axis=2)
        reaches = reach_of(sketches, blocks, middles)
        largest = float(squares.max() + (sketches[0, windows.grid].astype(np.float64) ** 2).sum(axis=1).max())
        return cls(
            *(windows, sketches, blocks, middles, squares.astype(np.float32), reaches),
            error=2.0 * max(sketch.error for sketch in made),
            slack=8.0 * (sketches.shape[2] + 4) * SINGLE * largest,
        )

    def bounds(self, progress: Callable[[int, int], None] | None = None) -> tuple[np.ndarray, Nearest]:
        """Lower bounds (N,) of how far the nearest of every window on the grid is, and something near each."""
        n = len(self.windows.grid)
        lower, least = np.full(n, np.inf, dtype=np.float32), np.full(n, np.inf, dtype=np.float32)
        found = np.full(n, -1, dtype=np.int64)
        for some in _slices(n, TOGETHER):
            numbers, own = self._sketched(self.windows.grid[some])
            for v in range(len(self.sketches)):
                for part in _slices(len(self.blocks), BLOCKS_TOGETHER):
                    bound_blocks(
                        *(numbers @ self.middles[v, part].T, own, self.squares[v, part], self.reaches[v, part]),
                        *(
                            tile_reaches(self.reaches[v, part]),
                            self.blocks[part],
                            self.windows.forbidden[some],
                            v * len(self.blocks) + part.start,
                        ),
                        *(np.float32(self.slack), lower[some], least[some], found[some]),
                    )
            if progress:
                progress(some.stop, n)
        roots = np.maximum(lower.astype(np.float64) - self.error, 0.0)
        near = Nearest.none(n)
        for some in _slices(n, 16 * TOGETHER):
            open_blocks(
                *(found[some], self.blocks, self.windows.forbidden[some], *self._queries(self.windows.grid[some])),
                *(self.windows.table, near.distances[some], near.rows[some], near.mirrored[some]),
            )
        return np.where(np.isinf(lower), np.inf, (roots * (1.0 - 1e-6)) ** 2), near

    def nearest(self, chosen: np.ndarray, limits: np.ndarray, allowed: np.ndarray) -> Nearest:
        """The nearest offset that is `allowed` (F,) of each of some windows on the grid, if it is within its limit.

        Of equal ones the first is taken, and what is not mirrored before what is.
        """
        near = Nearest.none(len(chosen))
        near.distances[:] = limits
        for some in _slices(len(chosen), TOGETHER):
            rows = self.windows.grid[chosen[some]]
            numbers, own = self._sketched(rows)
            nearest_in(
                *(numbers @ self.middles.reshape(-1, self.middles.shape[2]).T, numbers, own),
                *(self.squares.reshape(-1), self.reaches.reshape(-1), tile_reaches(self.reaches.reshape(-1))),
                *(self.blocks, self.sketches),
                *(self.windows.forbidden[chosen[some]], allowed, *self._queries(rows), self.windows.table),
                *(self.error, self.slack, near.distances[some], near.rows[some], near.mirrored[some]),
            )
        near.distances[near.rows < 0] = np.inf
        return near

    def within(self, row: int, limit: float, allowed: np.ndarray) -> Nearest:
        """All offsets that are `allowed` (F,) within a limit of the window at a row, by row; mirrored if so nearer."""
        numbers, own = self._sketched(np.array([row]))
        root = np.sqrt(limit) * (1.0 + 1e-9) + self.error
        queries, weights = self._queries(np.array([row]))
        found = []
        for v in range(len(self.sketches)):
            squares = own[0] + self.squares[v] - 2.0 * (self.middles[v] @ numbers[0])
            near = self.blocks[squares.astype(np.float64) <= (root + self.reaches[v]) ** 2 + self.slack]
            rows = np.concatenate([np.arange(first, stop) for first, stop in near] or [np.zeros(0, dtype=np.int64)])
            rows = rows[allowed[rows]]
            distances = measure_at(queries[v, 0], weights[v], self.windows.table, rows, limit)
            found.append((distances[distances <= limit], rows[distances <= limit], v))
        return _best_side(found)

    def _sketched(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        numbers = self.sketches[0, rows]
        return numbers, (numbers.astype(np.float64) ** 2).sum(axis=1).astype(np.float32)

    def _queries(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The windows (V, Q, n, D) as they are compared, and the weights (V, D)."""
        sides = [[self.windows.query(row, mirrored=v == 1) for row in rows.tolist()] for v in range(len(self.sketches))]
        return np.stack([[rows for rows, _ in side] for side in sides]), np.stack([side[0][1] for side in sides])


def _best_side(found: list[tuple[np.ndarray, np.ndarray, int]]) -> Nearest:
    """Each row once, with the nearer of its sides."""
    distances, rows = (np.concatenate([part[k] for part in found]) for k in range(2))
    sides = np.concatenate([np.full(len(part[1]), part[2]) for part in found])
    order = np.lexsort((sides, distances, rows))
    first = order[np.append(True, np.diff(rows[order]) != 0)] if len(order) else order
    return Nearest(distances[first], rows[first], sides[first] == 1)


def _blocks(windows: Windows) -> np.ndarray:
    spans = zip(windows.firsts.tolist(), windows.stops.tolist(), strict=True)
    starts = [np.arange(first, stop, BLOCK) for first, stop in spans]
    ends = np.repeat(windows.stops, [len(part) for part in starts])
    firsts = np.concatenate(starts)
    return np.stack([firsts, np.minimum(firsts + BLOCK, ends)], axis=1)


def _slices(n: int, size: int) -> Iterator[slice]:
    for first in range(0, n, size):
        yield slice(first, min(first + size, n))
