"""What all distances in lanes share: tiles of neighbouring windows, and the costs of a query frame with their poses.

Numbers that count lanes are unsigned, because only they make an index without a branch, and arrays are flat, because a
view of a row costs as much as its lanes.
"""

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import BLOCK, LARGEST, VECTOR_MATH, LaneQuery, Poses, copy_lanes, unpack
from motionary.alignment.roundings import SINGLE

CHECK = 6  # frames between two looks at whether any window of a tile can still be near enough


def lane_numbers(
    query: LaneQuery, poses: Poses
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Poses, as `load_poses` takes them, then the query, as `frame_costs` does."""
    products = query.products.reshape(-1)
    return poses.flat, poses.steps, query.squares, products, query.own, query.row_weights


def lane_limit(query: LaneQuery, limit: float) -> np.float32:
    at_most = query.raised(limit) * (1 + 4 * SINGLE)
    return np.float32(np.inf if query.is_signed or at_most >= LARGEST else at_most)


def tiles(spans: np.ndarray, n_windows: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last window but one of every tile: at most `n_windows` neighbours."""
    counts = -(-np.maximum(spans[:, 1] - spans[:, 0], 0) // n_windows)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    firsts = np.repeat(spans[:, 0], counts) + within * n_windows
    return firsts, np.minimum(firsts + n_windows, np.repeat(spans[:, 1], counts))


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _start_costs(squares, first, own, weight, costs, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        costs[lane] = squares[first + lane] * weight + own


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_costs(z, stride, first, products, k, costs, n_lanes):  # type: ignore[no-untyped-def]
    """Eight dimensions of the product."""
    p0, p1, p2, p3 = products[k], products[k + uintp(1)], products[k + uintp(2)], products[k + uintp(3)]
    p4, p5, p6, p7 = products[k + uintp(4)], products[k + uintp(5)], products[k + uintp(6)], products[k + uintp(7)]
    z1 = first + stride
    z2 = z1 + stride
    z3 = z2 + stride
    z4 = z3 + stride
    z5 = z4 + stride
    z6 = z5 + stride
    z7 = z6 + stride
    for lane in range(n_lanes):
        costs[lane] += (p0 * z[first + lane] + p1 * z[z1 + lane] + p2 * z[z2 + lane] + p3 * z[z3 + lane]) + (
            p4 * z[z4 + lane] + p5 * z[z5 + lane] + p6 * z[z6 + lane] + p7 * z[z7 + lane]
        )


@njit(cache=True, nogil=True)
def load_poses(z, steps, squares, first, tile_z, tile_squares):  # type: ignore[no-untyped-def]
    """As many poses as a tile holds, from `first` on."""
    stride, n_poses = len(squares), len(tile_squares)
    unpack(z, stride, first, steps, tile_z, n_poses, uintp(n_poses))
    copy_lanes(squares, uintp(first), tile_squares, uintp(0), uintp(n_poses))


@njit(cache=True, nogil=True)
def frame_costs(z, squares, products, own, row_weights, i, first, costs, n_lanes):  # type: ignore[no-untyped-def]
    """The costs of query frame i with as many poses of a tile as there are lanes, from `first` on."""
    stride = len(squares)
    n_dimensions = len(z) // stride
    _start_costs(squares, uintp(first), own[i], row_weights[i], costs, n_lanes)
    for k in range(0, n_dimensions, BLOCK):
        _add_costs(z, uintp(stride), uintp(k * stride + first), products, uintp(i * n_dimensions + k), costs, n_lanes)


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def set_lanes(values, first, value, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        values[first + lane] = value


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def add_lanes(sums, costs, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        sums[lane] += costs[lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def lower_lanes(least, values, first, n_lanes):  # type: ignore[no-untyped-def]
    """Lower what is least to the values from `first` on, where these are less."""
    for lane in range(n_lanes):
        x, y = least[lane], values[first + lane]
        least[lane] = y if y < x else x


@njit(cache=True, nogil=True)
def any_within(sums, n_windows, limit):  # type: ignore[no-untyped-def]
    n_within = 0
    for lane in range(n_windows):
        n_within += sums[lane] <= limit
    return n_within > 0
