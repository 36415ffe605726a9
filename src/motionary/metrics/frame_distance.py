"""The distance of frames: windows of points, one placed on the other as well as a turn and a move on the ground can."""

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.metrics.windows import BLOCK, WindowClouds
from motionary.motion import Placement

LANES = 256  # columns that are computed side by side: what they need stays in the nearest cache
ROWS = 32  # rows that share the columns' numbers
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
    fill_rectangles(first, second, np.array([[0, shape[0], 0, shape[1]]]), out=out)
    return out


def fill_rectangles(first: WindowClouds, second: WindowClouds, rectangles: np.ndarray, *, out: np.ndarray) -> None:
    """Fill parts of `out` (F1, F2) with squared distances: those in rows and columns [r0, r1), [c0, c1), for each of
    the rectangles (N, 4)."""
    _check_alike(first, second)
    shape = first.n_frames, second.n_frames
    if out.shape != shape or out.dtype != np.float32:
        raise UsageError(f"distances of {shape} do not fit into {out.dtype} {out.shape}")
    rectangles = np.ascontiguousarray(rectangles, dtype=np.int64).reshape(-1, 4)
    limits = np.array([shape[0], shape[0], shape[1], shape[1]])
    if (rectangles < 0).any() or (rectangles > limits).any():
        raise UsageError("rectangles of distances must lie in both motions")
    n_window = len(first.window.offsets)
    rows = np.empty((3, ROWS + n_window - 1, LANES + n_window - 1), dtype=np.float32)
    window_weights = first.window.weights.astype(np.float32)
    _frame_distances(
        *(first.ground, first.heights, first.ways, first.sizes),
        *(second.ground, second.heights, second.ways, second.sizes),
        *(window_weights, rows, rectangles, out),
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
def _frame_distances(ground1, heights1, ways1, sizes1, ground2, heights2, ways2, sizes2, omega, rows, rectangles, out):  # type: ignore[no-untyped-def]
    """Tiles of ROWS × LANES: products of frames first, then their sums along diagonals, a window long."""
    n_window = len(omega)
    sums = np.empty((3, LANES), dtype=np.float32)
    for n in range(len(rectangles)):
        row_stop, column_stop = rectangles[n, 1], rectangles[n, 3]
        for j0 in range(rectangles[n, 2], column_stop, LANES):
            j1 = min(j0 + LANES, column_stop)
            for i0 in range(rectangles[n, 0], row_stop, ROWS):
                height = min(ROWS, row_stop - i0)
                for r in range(height + n_window - 1):
                    _frame_products(
                        ground1, heights1, i0 + r, ground2, heights2, j0, j1 + n_window - 1,
                        rows[0, r], rows[1, r], rows[2, r],
                    )  # fmt: skip
                for r in range(height):
                    sums[:] = 0.0
                    for k in range(n_window):
                        _add_window_frame(
                            omega[k], rows[0, r + k][k : k + j1 - j0], rows[1, r + k][k : k + j1 - j0],
                            rows[2, r + k][k : k + j1 - j0], ways1[0, k, i0 + r], ways1[1, k, i0 + r],
                            ways2[0, k][j0:j1], ways2[1, k][j0:j1], sums[0], sums[1], sums[2],
                        )  # fmt: skip
                    _close(sums[0], sums[1], sums[2], sizes1[i0 + r], sizes2[j0:j1], out[i0 + r][j0:j1])


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _frame_products(ground1, heights1, i, ground2, heights2, j0, j1, along, across, up):  # type: ignore[no-untyped-def]
    """Of one frame and many: Re and Im of Σ u conj(v), and Σ y y'."""
    along[:] = 0.0
    across[:] = 0.0
    up[:] = 0.0
    for p in range(0, len(heights1), BLOCK):
        x, z, y = ground1[0, p : p + BLOCK, i], ground1[1, p : p + BLOCK, i], heights1[p : p + BLOCK, i]
        _add_points(
            x[0], x[1], x[2], x[3], z[0], z[1], z[2], z[3],
            ground2[0, p][j0:j1], ground2[0, p + 1][j0:j1], ground2[0, p + 2][j0:j1], ground2[0, p + 3][j0:j1],
            ground2[1, p][j0:j1], ground2[1, p + 1][j0:j1], ground2[1, p + 2][j0:j1], ground2[1, p + 3][j0:j1],
            along, across,
        )  # fmt: skip
        _add_heights(
            y[0], y[1], y[2], y[3],
            heights2[p][j0:j1], heights2[p + 1][j0:j1], heights2[p + 2][j0:j1], heights2[p + 3][j0:j1], up,
        )  # fmt: skip


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_points(x0, x1, x2, x3, z0, z1, z2, z3, u0, u1, u2, u3, v0, v1, v2, v3, along, across):  # type: ignore[no-untyped-def]
    """Four points in one go: sums are fetched and put back once."""
    for j in range(len(u0)):
        along[j] += (
            x0 * u0[j] + x1 * u1[j] + x2 * u2[j] + x3 * u3[j] + z0 * v0[j] + z1 * v1[j] + z2 * v2[j] + z3 * v3[j]
        )
        across[j] += (
            z0 * u0[j] + z1 * u1[j] + z2 * u2[j] + z3 * u3[j] - x0 * v0[j] - x1 * v1[j] - x2 * v2[j] - x3 * v3[j]
        )


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_heights(y0, y1, y2, y3, h0, h1, h2, h3, up):  # type: ignore[no-untyped-def]
    for j in range(len(h0)):
        up[j] += y0 * h0[j] + y1 * h1[j] + y2 * h2[j] + y3 * h3[j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_window_frame(omega, along, across, up, x, z, xs, zs, real, imaginary, upright):  # type: ignore[no-untyped-def]
    """One frame of a window and one of many windows: their points' products, and their ways'."""
    for j in range(len(xs)):
        real[j] += omega * along[j] + x * xs[j] + z * zs[j]
        imaginary[j] += omega * across[j] + z * xs[j] - x * zs[j]
        upright[j] += omega * up[j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _close(real, imaginary, upright, size, sizes, out):  # type: ignore[no-untyped-def]
    zero, two = np.float32(0.0), np.float32(2.0)
    for j in range(len(out)):
        turned = np.sqrt(real[j] * real[j] + imaginary[j] * imaginary[j])
        out[j] = max(zero, size + sizes[j] - two * (upright[j] + turned))


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
