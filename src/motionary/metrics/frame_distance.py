"""The distance of frames: windows of points, one placed on the other as well as a turn and a move on the ground can."""

import numpy as np
from numba import njit, uint64

from motionary.errors import UsageError
from motionary.metrics.windows import BLOCK, FRAMES, LANES, WindowClouds
from motionary.motion import Placement

STRIDE = 2 * LANES  # from one row of a tile to the next
WHOLE = 8  # lanes are copied in groups of so many: beyond the last frame come zeros
NARROWEST = 8  # columns of a rectangle that are worth a place in a tile
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
    n_cells = _n_cells(rectangles, first.n_frames, second.n_frames)
    if n_cells < 0:
        raise UsageError("rectangles of distances must lie in both motions")
    out = np.empty(n_cells, dtype=np.float32)
    _fill(first, second, rectangles, out)
    return out


def _fill(first: WindowClouds, second: WindowClouds, rectangles: np.ndarray, out: np.ndarray) -> None:
    second = second.counted_from(first.height_from)
    if len(first.omegas) > LONGEST_WINDOW:
        first, second = first.thinned(1), second.thinned(1)
    _frame_distances(
        *(first.columns, first.way_rows, first.sizes),
        *(second.lanes, second.way_lanes, second.sizes),
        *(first.omegas, rectangles, out),
    )


def _check_alike(first: WindowClouds, second: WindowClouds) -> None:
    same_points = first.point_roots is second.point_roots or np.array_equal(first.point_roots, second.point_roots)
    if not same_points or (first.window is not second.window and first.window != second.window):
        raise UsageError("windows of points can only be compared if they have the same points, weights and frames")


@njit(cache=True, nogil=True)
def _n_cells(rectangles, n_rows, n_columns):  # type: ignore[no-untyped-def]
    """How many cells rectangles have; −1 if one does not lie in the grid."""
    n_cells = 0
    for n in range(len(rectangles)):
        r0, r1, c0, c1 = rectangles[n]
        if not (0 <= r0 <= r1 <= n_rows and 0 <= c0 <= c1 <= n_columns):
            return -1
        n_cells += (r1 - r0) * (c1 - c0)
    return n_cells


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _frame_distances(columns1, ways1, sizes1, lanes2, ways2, sizes2, omega, rectangles, out):  # type: ignore[no-untyped-def]
    """Tiles of ROWS × LANES: products of frames first, then their sums along diagonals, a window long.

    The columns of a tile are copied side by side, and always LANES of them are computed, however few are asked for:
    loops over one array, of a length that is known beforehand, run as fast as a matrix product. So narrow rectangles
    with the same rows share a tile.
    """
    n_window = len(omega)
    tile, ways = np.zeros(len(lanes2) * STRIDE, dtype=np.float32), np.zeros(len(ways2) * STRIDE, dtype=np.float32)
    omegas = np.zeros(-(-n_window // FRAMES) * FRAMES, dtype=np.float32)
    for n in range(n_window):
        omegas[n] = omega[n]
    products = np.zeros((ROWS + len(omegas) + 2) * OF_FRAME, dtype=np.float32)  # some are read that do not count
    sums, sizes = np.empty(OF_FRAME, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    pieces = np.empty((LANES, 4), dtype=np.int64)  # first lane, number of columns, where they go, how wide it is there
    n, done, at = 0, 0, 0  # the rectangle, how many columns of it are done, where its distances begin
    while n < len(rectangles):
        row_start, row_stop = rectangles[n, 0], rectangles[n, 1]
        n_pieces, lane = 0, 0
        while n < len(rectangles) and rectangles[n, 0] == row_start and rectangles[n, 1] == row_stop:
            width, first = rectangles[n, 3] - rectangles[n, 2], rectangles[n, 2] + done
            n_lanes = min(LANES - n_window + 1 - lane, width - done)
            if n_lanes < min(width - done, NARROWEST) or n_pieces == len(pieces):
                break
            _copy_tile(lanes2, first, n_lanes + n_window - 1, lane, tile)
            _copy_tile(ways2, first, n_lanes, lane, ways)
            for j in range(n_lanes):
                sizes[lane + j] = sizes2[first + j]
            piece = pieces[n_pieces]
            piece[0], piece[1], piece[2], piece[3] = lane, n_lanes, at + done, width
            n_pieces, lane, done = n_pieces + 1, lane + n_lanes + n_window - 1, done + n_lanes
            if done == width:
                n, done, at = n + 1, 0, at + (row_stop - row_start) * width
        for i0 in range(row_start, row_stop, ROWS):
            height = min(ROWS, row_stop - i0)
            for r in range(0, height + n_window - 1, 2):
                after = min(i0 + r + 1, len(columns1) - 1)
                _two_frames(columns1, i0 + r, after, tile, r, products)
            for r in range(height):
                _sum_window(products, r, omegas, ways1, i0 + r, ways, sums)
                _close(sums, sizes1[i0 + r], sizes)
                _copy_row(sums, pieces, n_pieces, i0 + r - row_start, out)


@njit(cache=True, nogil=True)
def _copy_tile(lanes, first, n_lanes, lane, tile):  # type: ignore[no-untyped-def]
    """So many numbers of every row, from a frame on, to a lane and those after it."""
    at, start, stop = uint64(lane), uint64(first), uint64(-(-n_lanes // WHOLE) * WHOLE)
    for row in range(uint64(len(lanes))):
        for j in range(stop):
            tile[at + j] = lanes[row, start + j]
        at += uint64(STRIDE)


@njit(cache=True, nogil=True)
def _copy_row(sums, pieces, n_pieces, row, out):  # type: ignore[no-untyped-def]
    for n in range(n_pieces):
        lane, n_lanes, at, width = pieces[n]
        first, start = uint64(lane), uint64(at + row * width)
        for j in range(uint64(n_lanes)):
            out[start + j] = sums[first + j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _two_frames(columns, first, second, tile, nth, out):  # type: ignore[no-untyped-def]
    """Of two frames and a tile's, as the nth and the next of `out`: Re and Im of Σ u conj(v), Σ y y', LANES of each."""
    i, k, lanes = uint64(first), uint64(second), uint64(LANES)
    real = uint64(nth) * uint64(OF_FRAME)
    imaginary, up = real + lanes, real + lanes + lanes
    real2 = real + uint64(OF_FRAME)
    imaginary2, up2 = real2 + lanes, real2 + lanes + lanes
    for j in range(real, real2 + uint64(OF_FRAME)):
        out[j] = 0.0
    for block in range(uint64(columns.shape[2] // BLOCK)):
        p0 = block * uint64(BLOCK)
        p1, p2, p3 = p0 + uint64(1), p0 + uint64(2), p0 + uint64(3)
        x = block * uint64(3 * BLOCK * STRIDE)
        z, y = x + uint64(BLOCK * STRIDE), x + uint64(2 * BLOCK * STRIDE)
        a0, a1, a2, a3 = columns[i, 0, p0], columns[i, 0, p1], columns[i, 0, p2], columns[i, 0, p3]
        b0, b1, b2, b3 = columns[i, 1, p0], columns[i, 1, p1], columns[i, 1, p2], columns[i, 1, p3]
        c0, c1, c2, c3 = columns[i, 2, p0], columns[i, 2, p1], columns[i, 2, p2], columns[i, 2, p3]
        d0, d1, d2, d3 = columns[k, 0, p0], columns[k, 0, p1], columns[k, 0, p2], columns[k, 0, p3]
        e0, e1, e2, e3 = columns[k, 1, p0], columns[k, 1, p1], columns[k, 1, p2], columns[k, 1, p3]
        f0, f1, f2, f3 = columns[k, 2, p0], columns[k, 2, p1], columns[k, 2, p2], columns[k, 2, p3]
        for j in range(lanes):
            x0, x1, x2, x3 = _four(tile, x + j)
            z0, z1, z2, z3 = _four(tile, z + j)
            out[real + j] += a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3 + b0 * z0 + b1 * z1 + b2 * z2 + b3 * z3
            out[imaginary + j] += b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3 - a0 * z0 - a1 * z1 - a2 * z2 - a3 * z3
            out[real2 + j] += d0 * x0 + d1 * x1 + d2 * x2 + d3 * x3 + e0 * z0 + e1 * z1 + e2 * z2 + e3 * z3
            out[imaginary2 + j] += e0 * x0 + e1 * x1 + e2 * x2 + e3 * x3 - d0 * z0 - d1 * z1 - d2 * z2 - d3 * z3
        for j in range(lanes):
            y0, y1, y2, y3 = _four(tile, y + j)
            out[up + j] += c0 * y0 + c1 * y1 + c2 * y2 + c3 * y3
            out[up2 + j] += f0 * y0 + f1 * y1 + f2 * y2 + f3 * y3


@njit(cache=True, nogil=True)
def _four(tile, at):  # type: ignore[no-untyped-def]
    return tile[at], tile[at + uint64(STRIDE)], tile[at + uint64(2 * STRIDE)], tile[at + uint64(3 * STRIDE)]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _sum_window(products, nth, omegas, ways1, row, ways, sums):  # type: ignore[no-untyped-def]
    """Over the frames of a window, and of LANES windows: their points' products along diagonals, and their ways'.

    Five frames in one go, as many as windows have if nothing else is asked for; others go on with frames that count
    nothing.
    """
    lanes, next_frame = uint64(LANES), uint64(OF_FRAME + 1)
    for j in range(uint64(OF_FRAME)):
        sums[j] = 0.0
    for k in range(0, len(omegas), FRAMES):
        o0, o1, o2, o3, o4 = omegas[k], omegas[k + 1], omegas[k + 2], omegas[k + 3], omegas[k + 4]
        x0, x1, x2, x3, x4 = _five(ways1, row, 0, k)
        z0, z1, z2, z3, z4 = _five(ways1, row, 1, k)
        p0 = uint64(nth + k) * uint64(OF_FRAME) + uint64(k)
        p1, w0 = p0 + next_frame, uint64(k) * uint64(2 * STRIDE)
        p2, w1 = p1 + next_frame, w0 + uint64(2 * STRIDE)
        p3, w2 = p2 + next_frame, w1 + uint64(2 * STRIDE)
        p4, w3 = p3 + next_frame, w2 + uint64(2 * STRIDE)
        w4 = w3 + uint64(2 * STRIDE)
        for j in range(lanes):
            a0, a1, a2, a3, a4 = ways[w0 + j], ways[w1 + j], ways[w2 + j], ways[w3 + j], ways[w4 + j]
            m, s = j + lanes, j + uint64(STRIDE)
            b0, b1, b2, b3, b4 = ways[w0 + s], ways[w1 + s], ways[w2 + s], ways[w3 + s], ways[w4 + s]
            real = sums[j] + o0 * products[p0 + j] + x0 * a0 + z0 * b0
            imaginary = sums[m] + o0 * products[p0 + m] + z0 * a0 - x0 * b0
            real = real + o1 * products[p1 + j] + x1 * a1 + z1 * b1
            imaginary = imaginary + o1 * products[p1 + m] + z1 * a1 - x1 * b1
            real = real + o2 * products[p2 + j] + x2 * a2 + z2 * b2
            imaginary = imaginary + o2 * products[p2 + m] + z2 * a2 - x2 * b2
            real = real + o3 * products[p3 + j] + x3 * a3 + z3 * b3
            imaginary = imaginary + o3 * products[p3 + m] + z3 * a3 - x3 * b3
            sums[j] = real + o4 * products[p4 + j] + x4 * a4 + z4 * b4
            sums[m] = imaginary + o4 * products[p4 + m] + z4 * a4 - x4 * b4
        for j in range(lanes + lanes, lanes + lanes + lanes):
            sums[j] += (
                o0 * products[p0 + j] + o1 * products[p1 + j] + o2 * products[p2 + j] + o3 * products[p3 + j]
            ) + o4 * products[p4 + j]


@njit(cache=True, nogil=True)
def _five(ways, row, axis, k):  # type: ignore[no-untyped-def]
    i, n, c = uint64(row), uint64(axis), uint64(k)
    return (
        ways[i, n, c],
        ways[i, n, c + uint64(1)],
        ways[i, n, c + uint64(2)],
        ways[i, n, c + uint64(3)],
        ways[i, n, c + uint64(4)],
    )


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _close(sums, size, sizes):  # type: ignore[no-untyped-def]
    """From the three sums the distances, in place of the first."""
    zero, two = np.float32(0.0), np.float32(2.0)
    for j in range(LANES):
        turned = np.sqrt(sums[j] * sums[j] + sums[LANES + j] * sums[LANES + j])
        sums[j] = max(zero, size + sizes[j] - two * (sums[2 * LANES + j] + turned))
