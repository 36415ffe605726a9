"""The distance of frames: windows of points, one placed on the other as well as a turn and a move on the ground can."""

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.metrics.windows import BLOCK, WindowClouds
from motionary.motion import Placement

LANES = 32  # columns that are computed side by side
OF_FRAME = 3 * LANES  # numbers: the products of one frame with them
ROWS = 48  # rows that share them: what they need stays in the nearest cache
LONGEST_WINDOW = LANES // 2  # longer ones are laid out
SAFE_MATH = {"contract"}  # a product and a sum in one rounding; the order of sums stays


def frame_distance_reference(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> tuple[float, Placement]:
    """The least Σ w ‖p − T q‖² of two windows' points (N, 3), weights summing to 1, and the placement T of the second.

    From the definition: for any turn the best move brings one weighted mean onto the other, and then
    Σ w Re(u conj(e^(−iθ) v)) is largest where the turned sum Σ w u conj(v) is real.
    """
    shares = weights / weights.sum()
    centre_first, centre_second = shares @ first, shares @ second
    u, v = first - centre_first, second - centre_second
    along = float((shares * (u[:, 0] * v[:, 0] + u[:, 2] * v[:, 2])).sum())
    across = float((shares * (u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2])).sum())
    turn = Placement(theta=-float(np.arctan2(across, along)))
    moved = turn.apply(centre_second)
    placement = Placement(turn.theta, float(centre_first[0] - moved[0]), float(centre_first[2] - moved[2]))
    return float(shares @ ((first - placement.apply(second)) ** 2).sum(axis=1)), placement


def frame_distances(first: WindowClouds, second: WindowClouds, *, out: np.ndarray | None = None) -> np.ndarray:
    """Squared distances (F1, F2) float32, in m², of all frames of one motion and all of another.

    a_i + a_j − 2 Y_ij − 2 |H_ij|, never below 0, good to half a millimetre. Memory is that of the result; who wants
    less asks for `part`s.
    """
    _check_alike(first, second)
    shape = first.n_frames, second.n_frames
    if out is None:
        out = np.empty(shape, dtype=np.float32)
    if out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise UsageError(f"distances of {shape} do not fit into {out.dtype} {out.shape}")
    _fill(first, second, np.array([[0, shape[0], 0, shape[1]]]), out.reshape(-1))
    return out


def rectangle_distances(first: WindowClouds, second: WindowClouds, rectangles: np.ndarray) -> np.ndarray:
    """Squared distances (N,) float32 in rows and columns [r0, r1), [c0, c1) of rectangles (K, 4), one after the other,
    each row by row."""
    _check_alike(first, second)
    rectangles = np.ascontiguousarray(rectangles, dtype=np.int64).reshape(-1, 4)
    limits = np.array([first.n_frames, first.n_frames, second.n_frames, second.n_frames])
    if (rectangles < 0).any() or (rectangles > limits).any() or (rectangles[:, ::2] > rectangles[:, 1::2]).any():
        raise UsageError("rectangles of distances must lie in both motions")
    out = np.empty(int(np.prod(rectangles[:, 1::2] - rectangles[:, ::2], axis=1).sum()), dtype=np.float32)
    _fill(first, second, rectangles, out)
    return out


def _fill(first: WindowClouds, second: WindowClouds, rectangles: np.ndarray, out: np.ndarray) -> None:
    if len(first.window.offsets) > LONGEST_WINDOW:
        first, second = first.thinned(1), second.thinned(1)
    _frame_distances(
        *(first.columns, first.way_rows, first.sizes),
        *(second.ground, second.heights, second.ways, second.sizes),
        *(first.window.weights.astype(np.float32), rectangles, out),
    )


def distances_of(first: WindowClouds, second: WindowClouds, pairs: np.ndarray) -> np.ndarray:
    """Squared distances (N,) float32 of pairs (N, 2) of frames."""
    _check_alike(first, second)
    pairs = np.ascontiguousarray(pairs, dtype=np.int32).reshape(-1, 2)
    limits = np.array([first.n_frames, second.n_frames])
    if (pairs < 0).any() or (pairs >= limits).any():
        raise UsageError("pairs of frames must lie in both motions")
    out = np.empty(len(pairs), dtype=np.float32)
    _distances_of(
        *(first.columns, first.way_rows, first.sizes, second.columns, second.way_rows, second.sizes),
        *(first.window.weights.astype(np.float32), pairs, out),
    )
    return out


def placement_of(first: WindowClouds, i: int, second: WindowClouds, j: int) -> Placement:
    """The placement that brings the window around frame j of the second motion onto that of frame i of the first."""
    _check_alike(first, second)
    u, _ = first.vectors(np.array([i]))
    v, _ = second.vectors(np.array([j]))
    theta = -float(np.angle(complex((u.astype(np.complex128) * np.conj(v)).sum())))
    mean = complex(second.means[j])
    turned = Placement(theta).apply(np.array([mean.real, 0.0, mean.imag]))
    onto = complex(first.means[i])
    return Placement(theta, onto.real - float(turned[0]), onto.imag - float(turned[2]))


def _check_alike(first: WindowClouds, second: WindowClouds) -> None:
    if first.window != second.window or not np.array_equal(first.point_roots, second.point_roots):
        raise UsageError("windows of points can only be compared if they have the same points, weights and frames")


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _frame_distances(columns1, ways1, sizes1, ground2, heights2, ways2, sizes2, omega, rectangles, out):  # type: ignore[no-untyped-def]
    """Tiles of ROWS × LANES: products of frames first, then their sums along diagonals, a window long.

    The columns of a tile are copied side by side, and always LANES of them are computed, however few are asked for:
    loops over one array, of a length that is known beforehand, run as fast as a matrix product.
    """
    n_window, n_blocks = len(omega), len(heights2) // BLOCK
    tile = np.empty((n_blocks, 3 * BLOCK * LANES), dtype=np.float32)
    ways = np.empty((n_window, 2 * LANES), dtype=np.float32)
    products = np.zeros((ROWS + n_window + 1) * OF_FRAME, dtype=np.float32)  # a frame too many, that is read, not used
    sums, sizes = np.empty(3 * LANES, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    at = 0
    for n in range(len(rectangles)):
        row_start, row_stop, column_start, column_stop = rectangles[n]
        width = column_stop - column_start
        block = out[at : at + (row_stop - row_start) * width].reshape((row_stop - row_start, width))
        at += block.size
        for j0 in range(column_start, column_stop, LANES - n_window + 1):
            n_lanes = min(LANES - n_window + 1, column_stop - j0)
            _copy_tile(ground2, heights2, ways2, j0, n_lanes + n_window - 1, tile, ways)
            sizes[:n_lanes] = sizes2[j0 : j0 + n_lanes]
            for i0 in range(row_start, row_stop, ROWS):
                height = min(ROWS, row_stop - i0)
                for r in range(0, height + n_window - 1, 2):
                    after = min(i0 + r + 1, len(columns1) - 1)
                    _two_frames(columns1[i0 + r], columns1[after], tile, products[r * OF_FRAME : (r + 2) * OF_FRAME])
                for r in range(height):
                    sums[:] = 0.0
                    for k in range(n_window):
                        _add_window_frame(
                            omega[k],
                            products[(r + k) * OF_FRAME + k :],
                            ways1[i0 + r, 0, k],
                            ways1[i0 + r, 1, k],
                            ways[k],
                            sums,
                        )
                    _close(sums, sizes1[i0 + r], sizes)
                    row = block[i0 + r - row_start]
                    for j in range(n_lanes):
                        row[j0 - column_start + j] = sums[j]


@njit(cache=True, nogil=True)
def _copy_tile(ground2, heights2, ways2, j0, n_lanes, tile, ways):  # type: ignore[no-untyped-def]
    """x, z and heights of BLOCK points each, LANES frames from j0 on; nothing where there are no more."""
    tile[:, :] = 0.0
    ways[:, :] = 0.0
    for p in range(len(heights2)):
        part = tile[p // BLOCK]
        x = (p % BLOCK) * LANES
        z, y = x + BLOCK * LANES, x + 2 * BLOCK * LANES
        for j in range(n_lanes):
            part[x + j], part[z + j], part[y + j] = ground2[0, p, j0 + j], ground2[1, p, j0 + j], heights2[p, j0 + j]
    for k in range(len(ways)):
        for j in range(min(n_lanes, ways2.shape[2] - j0)):
            ways[k, j], ways[k, LANES + j] = ways2[0, k, j0 + j], ways2[1, k, j0 + j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _two_frames(row, other, tile, out):  # type: ignore[no-untyped-def]
    """Of two frames and a tile's: Re and Im of Σ u conj(v), and Σ y y', LANES of each."""
    for j in range(2 * OF_FRAME):
        out[j] = 0.0
    for block in range(len(tile)):
        t, p = tile[block], block * BLOCK
        x0, x1, x2, x3 = row[0, p], row[0, p + 1], row[0, p + 2], row[0, p + 3]
        z0, z1, z2, z3 = row[1, p], row[1, p + 1], row[1, p + 2], row[1, p + 3]
        y0, y1, y2, y3 = row[2, p], row[2, p + 1], row[2, p + 2], row[2, p + 3]
        p0, p1, p2, p3 = other[0, p], other[0, p + 1], other[0, p + 2], other[0, p + 3]
        q0, q1, q2, q3 = other[1, p], other[1, p + 1], other[1, p + 2], other[1, p + 3]
        r0, r1, r2, r3 = other[2, p], other[2, p + 1], other[2, p + 2], other[2, p + 3]
        for j in range(LANES):
            a, b, c, d = t[j], t[LANES + j], t[2 * LANES + j], t[3 * LANES + j]
            e, f, g, h = t[4 * LANES + j], t[5 * LANES + j], t[6 * LANES + j], t[7 * LANES + j]
            out[j] += x0 * a + x1 * b + x2 * c + x3 * d + z0 * e + z1 * f + z2 * g + z3 * h
            out[LANES + j] += z0 * a + z1 * b + z2 * c + z3 * d - x0 * e - x1 * f - x2 * g - x3 * h
            out[OF_FRAME + j] += p0 * a + p1 * b + p2 * c + p3 * d + q0 * e + q1 * f + q2 * g + q3 * h
            out[OF_FRAME + LANES + j] += q0 * a + q1 * b + q2 * c + q3 * d - p0 * e - p1 * f - p2 * g - p3 * h
        for j in range(LANES):
            a, b, c, d = t[8 * LANES + j], t[9 * LANES + j], t[10 * LANES + j], t[11 * LANES + j]
            out[2 * LANES + j] += y0 * a + y1 * b + y2 * c + y3 * d
            out[OF_FRAME + 2 * LANES + j] += r0 * a + r1 * b + r2 * c + r3 * d


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_window_frame(omega, products, x, z, ways, sums):  # type: ignore[no-untyped-def]
    """One frame of a window and one of LANES windows: their points' products, and their ways'."""
    for j in range(LANES):
        sums[j] += omega * products[j] + x * ways[j] + z * ways[LANES + j]
        sums[LANES + j] += omega * products[LANES + j] + z * ways[j] - x * ways[LANES + j]
        sums[2 * LANES + j] += omega * products[2 * LANES + j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _close(sums, size, sizes):  # type: ignore[no-untyped-def]
    """From the three sums the distances, in place of the first."""
    zero, two = np.float32(0.0), np.float32(2.0)
    for j in range(LANES):
        turned = np.sqrt(sums[j] * sums[j] + sums[LANES + j] * sums[LANES + j])
        sums[j] = max(zero, size + sizes[j] - two * (sums[2 * LANES + j] + turned))


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _distances_of(columns1, ways1, sizes1, columns2, ways2, sizes2, omega, pairs, out):  # type: ignore[no-untyped-def]
    """Columns (F + W − 1, 3, P) hold x, z and height of a frame side by side."""
    n_points = columns1.shape[2]
    zero, two = np.float32(0.0), np.float32(2.0)
    for n in range(len(pairs)):
        i, j = pairs[n, 0], pairs[n, 1]
        real, imaginary, upright = zero, zero, zero
        for k in range(len(omega)):
            a, b = columns1[i + k], columns2[j + k]
            along, across, up = zero, zero, zero
            for p in range(n_points):
                along += a[0, p] * b[0, p] + a[1, p] * b[1, p]
                across += a[1, p] * b[0, p] - a[0, p] * b[1, p]
                up += a[2, p] * b[2, p]
            real += omega[k] * along + ways1[i, 0, k] * ways2[j, 0, k] + ways1[i, 1, k] * ways2[j, 1, k]
            imaginary += omega[k] * across + ways1[i, 1, k] * ways2[j, 0, k] - ways1[i, 0, k] * ways2[j, 1, k]
            upright += omega[k] * up
        out[n] = max(zero, sizes1[i] + sizes2[j] - two * (upright + np.sqrt(real * real + imaginary * imaginary)))
