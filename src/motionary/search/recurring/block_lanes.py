"""Points side by side in vector lanes, and how near another is to them: a few dimensions first, the rest where needed.

|a − b|² is taken apart into |a|², |b|² and a product, for some dimensions at a time. What the first of them come to is
never above the whole, so most tiles of points are passed over after these.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit, uintp

from motionary.alignment import VECTOR_MATH

TILE = 64  # points side by side, so that no loop has a remainder
SUMMED_AT_ONCE = 8  # dimensions
FIRST_STAGES = (8, 16, 32)  # dimensions after which it is looked whether any point can still be near


@dataclass(frozen=True, eq=False)
class BlockLanes:
    """Points of K dimensions in tiles; the last lanes may be empty, and infinitely far from all."""

    z: np.ndarray  # (T, K, TILE) float32, K a multiple of 8
    squares: np.ndarray  # (T, S, TILE) float32: of the dimensions of every stage
    edges: np.ndarray  # (S + 1,) the dimensions of the stages

    @classmethod
    def of(cls, points: np.ndarray) -> "BlockLanes":
        """From (N, K), of any K."""
        n_points, n_given = points.shape
        n_tiles, n_dimensions = -(-n_points // TILE), -(-n_given // SUMMED_AT_ONCE) * SUMMED_AT_ONCE
        edges = np.array([0, *(edge for edge in FIRST_STAGES if edge < n_dimensions), n_dimensions])
        wide = np.zeros((n_tiles * TILE, n_dimensions), dtype=np.float32)
        wide[:n_points, :n_given] = points
        squares = _stage_squares(wide, edges)
        squares[n_points:] = np.inf
        return cls(_in_tiles(wide), _in_tiles(squares), edges)

    @classmethod
    def joined(cls, some: Sequence["BlockLanes"]) -> "BlockLanes":
        """The tiles of several, of as many dimensions each, one after the other."""
        z, squares = (np.concatenate([getattr(one, name) for one in some]) for name in ("z", "squares"))
        return cls(z, squares, some[0].edges)

    def lane_points(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Other points (N, K) as the lanes compare them: −2 times each, and their squares (N, S) by stages."""
        wide = np.zeros((len(points), int(self.edges[-1])), dtype=np.float32)
        wide[:, : points.shape[1]] = points
        return -2.0 * wide, _stage_squares(wide, self.edges)


def squares_reference(points: np.ndarray, other: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """What `tile_squares` comes to after every stage (S, N), from the definition."""
    gaps = (points.astype(np.float64) - other.astype(np.float64)) ** 2
    return np.stack([gaps[:, :edge].sum(axis=1) for edge in edges[1:]])


@njit(cache=True, nogil=True)
def tile_squares(z, squares, edges, products, own, i, t, limit, out):  # type: ignore[no-untyped-def]
    """Write |a − b|² of point i and all of tile t into `out`; False as soon as none of them can be within the limit."""
    n_stages, n_dimensions = squares.shape[1], z.shape[1]
    flat, flat_squares, flat_products = z.reshape(-1), squares.reshape(-1), products.reshape(-1)
    for stage in range(n_stages):
        first = uintp((t * n_stages + stage) * TILE)
        if stage == 0:
            _start(flat_squares, first, own[i, 0], out)
        else:
            _go_on(flat_squares, first, own[i, stage], out)
        for k in range(edges[stage], edges[stage + 1], SUMMED_AT_ONCE):
            _add_products(flat, uintp((t * n_dimensions + k) * TILE), flat_products, uintp(i * n_dimensions + k), out)
        if not _any_within(out, limit):
            return False
    return True


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _start(squares, first, own, out):  # type: ignore[no-untyped-def]
    for lane in range(uintp(TILE)):
        out[lane] = squares[first + lane] + own


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _go_on(squares, first, own, out):  # type: ignore[no-untyped-def]
    for lane in range(uintp(TILE)):
        out[lane] += squares[first + lane] + own


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_products(z, first, products, k, out):  # type: ignore[no-untyped-def]
    """Eight dimensions of the product."""
    p0, p1, p2, p3 = products[k], products[k + uintp(1)], products[k + uintp(2)], products[k + uintp(3)]
    p4, p5, p6, p7 = products[k + uintp(4)], products[k + uintp(5)], products[k + uintp(6)], products[k + uintp(7)]
    z1 = first + uintp(TILE)
    z2 = z1 + uintp(TILE)
    z3 = z2 + uintp(TILE)
    z4 = z3 + uintp(TILE)
    z5 = z4 + uintp(TILE)
    z6 = z5 + uintp(TILE)
    z7 = z6 + uintp(TILE)
    for lane in range(uintp(TILE)):
        out[lane] += (p0 * z[first + lane] + p1 * z[z1 + lane] + p2 * z[z2 + lane] + p3 * z[z3 + lane]) + (
            p4 * z[z4 + lane] + p5 * z[z5 + lane] + p6 * z[z6 + lane] + p7 * z[z7 + lane]
        )


@njit(cache=True, nogil=True)
def _any_within(values, limit):  # type: ignore[no-untyped-def]
    n_within = 0
    for lane in range(uintp(TILE)):
        n_within += values[lane] <= limit
    return n_within > 0


def _stage_squares(points: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """|a|² (N, S) float32 of the dimensions of every stage."""
    squares = points.astype(np.float64) ** 2
    return np.add.reduceat(squares, edges[:-1], axis=1).astype(np.float32)


def _in_tiles(rows: np.ndarray) -> np.ndarray:
    """(N, K) as (T, K, TILE)."""
    return np.ascontiguousarray(rows.reshape(-1, TILE, rows.shape[1]).transpose(0, 2, 1))
