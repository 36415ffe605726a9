"""The nearest windows of a library's windows, exactly, by bounds.

Offsets that follow one another are much alike. So a few of them are taken together as a block, which is known by the
sketch of its middle one and by how far the others are from that. Windows are compared with all blocks, many side by
side in lanes; blocks that may hold something near are opened, and offsets whose own sketches are near are measured as a
search does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from motionary.alignment import SINGLE
from motionary.search.recurring.block_lanes import TILE, BlockLanes
from motionary.search.recurring.nearest_kernels import (
    blocks_within,
    bound_blocks,
    measure_at,
    nearest_in,
    open_blocks,
    reach_of,
)
from motionary.search.recurring.sketches import Sketcher
from motionary.search.recurring.windows import Windows
from motionary.workers import in_threads

OFFSETS_A_BLOCK = 5
TOGETHER = 512  # windows that are compared with all blocks in one go: a fraction of a second, so that Ctrl-C is heard
MOST_NUMBERS = 2**23  # that these windows have, or there are fewer of them: 64 MB in double precision

Array = np.ndarray
Compared = tuple[Array, Array, Array, Array, Array, Array, Array]


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

    def at(self, which: np.ndarray) -> "Nearest":
        """Those of some of the windows: their numbers, or which (N,) they are."""
        return Nearest(self.distances[which], self.rows[which], self.mirrored[which])

    def put(self, which: np.ndarray, found: "Nearest") -> None:
        """Take these for some of the windows from now on."""
        self.distances[which], self.rows[which], self.mirrored[which] = found.distances, found.rows, found.mirrored


@dataclass(frozen=True, eq=False)
class Neighbours:
    """All windows of a library, ready to be asked for what is near them. V is 2 where mirror images count, else 1."""

    windows: Windows
    sketches: np.ndarray  # (V, F, K) float32: of all offsets, as they are and in a mirror
    blocks: np.ndarray  # (B, 2) rows [first, stop): offsets that are taken together
    lanes: BlockLanes  # the middles of blocks, T tiles: those of one side after those of the other
    reaches: np.ndarray  # (T, TILE) float32: how far from its middle a block reaches
    error: float  # |a − b| − `error` is never above the root of a distance, a and b being two sketches
    slack: float  # how far off |a − b|² may be when it comes from lanes

    @classmethod
    def of(cls, windows: Windows) -> "Neighbours":
        sketcher = Sketcher.trained(windows.table, windows.weights, windows.offsets, windows.n_frames)
        made = sketcher.sketch(windows.table, [None, windows.mirrored] if windows.options.both_sides else [None])
        sketches = made.numbers
        blocks = _blocks(windows)
        middles = np.ascontiguousarray(sketches[:, blocks.sum(axis=1) // 2])
        reaches = reach_of(sketches, blocks, middles)
        sides = [BlockLanes.of(side) for side in middles]
        padded = np.zeros((len(sides), len(sides[0].z) * TILE), dtype=np.float32)
        padded[:, : len(blocks)] = reaches
        largest = _largest_square(middles) + _largest_square(sketches[0, windows.grid])
        return cls(
            *(windows, sketches, blocks, BlockLanes.joined(sides), padded.reshape(-1, TILE)),
            error=2.0 * made.error,
            slack=8.0 * (sketches.shape[2] + 4) * SINGLE * largest,
        )

    def bounds(
        self, chosen: np.ndarray, progress: Callable[[int, int], None] | None = None
    ) -> tuple[np.ndarray, Nearest]:
        """Lower bounds (N,) of how far the nearest of each of some windows on the grid is, and something near each."""
        n = len(chosen)
        lower, least = np.full(n, np.inf, dtype=np.float32), np.full(n, np.inf, dtype=np.float32)
        found, near = np.full(n, -1, dtype=np.int64), Nearest.none(n)
        for some in _slices(n, self._together):
            rows, forbidden = self.windows.grid[chosen[some]], self.windows.forbidden[chosen[some]]
            compared = (*self._compared(rows), self.blocks, forbidden, np.float32(self.slack))
            in_threads(bound_blocks, *compared, lower[some], least[some], found[some], n_parts=len(rows))
            opened = (found[some], self.blocks, forbidden, *self._queries(rows), self.windows.table)
            nearest = near.distances[some], near.rows[some], near.mirrored[some]
            in_threads(open_blocks, *opened, *nearest, n_parts=len(rows))
            if progress:
                progress(some.stop, n)
        roots = np.maximum(lower.astype(np.float64) - self.error, 0.0)
        return np.where(np.isinf(lower), np.inf, (roots * (1.0 - 1e-6)) ** 2), near

    def nearest(self, chosen: np.ndarray, limits: np.ndarray, allowed: np.ndarray) -> Nearest:
        """The nearest offset that is `allowed` (F,) of each of some windows on the grid, if it is within its limit.

        Of equal ones the first is taken, and what is not mirrored before what is.
        """
        near = Nearest.none(len(chosen))
        near.distances[:] = limits
        for some in _slices(len(chosen), self._together):
            rows = self.windows.grid[chosen[some]]
            near_them = (self.windows.forbidden[chosen[some]], allowed, *self._queries(rows), self.windows.table)
            compared = (*self._compared(rows), self.blocks, self.sketches[0, rows], self.sketches, *near_them)
            found = near.distances[some], near.rows[some], near.mirrored[some]
            in_threads(nearest_in, *compared, self.error, self.slack, *found, n_parts=len(rows))
        near.distances[near.rows < 0] = np.inf
        return near

    def within(self, row: int, limit: float, allowed: np.ndarray) -> Nearest:
        """All offsets that are `allowed` (F,) within a limit of the window at a row, by row; mirrored if so nearer."""
        root = np.sqrt(limit) * (1.0 + 1e-9) + self.error
        near = np.zeros(self.reaches.shape, dtype=bool)
        in_threads(blocks_within, *self._compared(np.array([row])), root, self.slack, near, n_parts=len(near))
        queries, weights = self._queries(np.array([row]))
        found = []
        for v, side in enumerate(near.reshape(len(self.sketches), -1)):
            blocks = self.blocks[side[: len(self.blocks)]]
            rows = blocks[:, :1] + np.arange(OFFSETS_A_BLOCK)
            rows = rows[rows < blocks[:, 1:]]
            rows = rows[allowed[rows]]
            distances = measure_at(queries[v, 0], weights[v], self.windows.table, rows, limit)
            found.append((distances[distances <= limit], rows[distances <= limit], v))
        return _best_side(found)

    def _compared(self, rows: np.ndarray) -> Compared:
        """What kernels compare: the lanes, the windows at some rows as these see them, and the reaches."""
        lanes = self.lanes
        points = lanes.lane_points(self.sketches[0, rows])
        return lanes.z, lanes.squares, lanes.edges, *points, self.reaches, self.reaches.max(axis=1)

    @property
    def _together(self) -> int:
        """How many windows are compared in one go."""
        numbers = len(self.sketches) * self.windows.n_frames * self.windows.table.shape[1]
        return max(1, min(TOGETHER, MOST_NUMBERS // numbers))

    def _queries(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The windows (V, Q, n, D) as they are compared, and the weights (V, D)."""
        sides = len(self.sketches)
        queries = np.empty((sides, len(rows), self.windows.n_frames, self.windows.table.shape[1]))
        weights = np.empty((sides, queries.shape[3]))
        for v in range(sides):
            for k, row in enumerate(rows.tolist()):
                queries[v, k], weights[v] = self.windows.query(row, mirrored=v == 1)
        return queries, weights


def _largest_square(points: np.ndarray) -> float:
    return float(np.einsum("...k,...k->...", points, points, dtype=np.float64).max())  # without a copy in double


def _best_side(found: list[tuple[np.ndarray, np.ndarray, int]]) -> Nearest:
    """Each row once, with the nearer of its sides."""
    distances, rows = (np.concatenate([part[k] for part in found]) for k in range(2))
    sides = np.concatenate([np.full(len(part[1]), part[2]) for part in found])
    order = np.lexsort((sides, distances, rows))
    first = order[np.append(True, np.diff(rows[order]) != 0)] if len(order) else order
    return Nearest(distances[first], rows[first], sides[first] == 1)


def _blocks(windows: Windows) -> np.ndarray:
    spans = zip(windows.firsts.tolist(), windows.stops.tolist(), strict=True)
    starts = [np.arange(first, stop, OFFSETS_A_BLOCK) for first, stop in spans]
    ends = np.repeat(windows.stops, [len(part) for part in starts])
    firsts = np.concatenate(starts)
    return np.stack([firsts, np.minimum(firsts + OFFSETS_A_BLOCK, ends)], axis=1)


def _slices(n: int, size: int) -> Iterator[slice]:
    for first in range(0, n, size):
        yield slice(first, min(first + size, n))
