"""Frames as vectors that turn and move with the body: near ones are found without placing any."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit, uint64

from motionary.errors import UsageError
from motionary.metrics.windows import BLOCK, HEIGHT_FROM, LANES, Window, WindowClouds

CLEAR = 0.5  # how much of the way from right to left must run along the ground to tell where left is
N_MODES = 2  # what is kept of a window: its mean, and how it changes
ROWS = 4  # that share a tile's numbers while these are at hand
SAFE_MATH = {"contract"}  # a product and a sum in one rounding; the order of sums stays
assert BLOCK == ROWS == 4  # which the kernel is written for


def turned_vectors(clouds: WindowClouds, frames: np.ndarray, *, to_left: Sequence[float]) -> np.ndarray:
    """Windows around frames as vectors (n, 3 · N_MODES · P) float32.

    Each is turned so that the way from its right points to its left ones (`to_left`: −1 and 1) runs along x, and of how
    its points move only the straight part is kept. Turning by a rule of its own and not as fits another best makes
    distances larger, leaving out bends smaller: both by two millimetres on average, for poses within 15 cm.
    """
    clouds = clouds.counted_from(HEIGHT_FROM)  # as all vectors are
    ground, heights = clouds.vectors(frames)
    n_window, n_points = len(clouds.window.offsets), clouds.heights.shape[0]
    turned = ground * np.conj(_directions(clouds, to_left)[frames])[:, None]
    modes = window_modes(clouds.window)

    def kept(values: np.ndarray) -> np.ndarray:
        windows = values.reshape(len(frames), n_window, n_points)
        return np.einsum("mw,nwp->nmp", modes, windows).reshape(len(frames), -1)

    return np.concatenate([kept(turned.real), kept(turned.imag), kept(heights)], axis=1, dtype=np.float32)


def _directions(clouds: WindowClouds, to_left: Sequence[float]) -> np.ndarray:
    """Where left is, seen from the right, of every frame (F,) complex64 of length 1.

    Where that is nearly upwards or downwards, as in cartwheels, it is carried on from the last frame where it is not.
    """
    sides = np.zeros(len(clouds.point_roots), dtype=np.float32)
    sides[: len(to_left)] = to_left
    sides *= clouds.point_roots
    n_frames, before = clouds.n_frames, clouds.window.before
    of_frames = slice(before, before + n_frames)
    along = sides @ clouds.ground[0, :, of_frames] + 1j * (sides @ clouds.ground[1, :, of_frames])
    up, length = sides @ clouds.heights[:, of_frames], np.abs(along)
    is_clear = (length > 0.0) & (length >= CLEAR * np.hypot(length, up))
    last = np.maximum.accumulate(np.where(is_clear, np.arange(n_frames), -1))
    last[last < 0] = int(np.argmax(is_clear))  # at the beginning, the first that is clear
    found = along[last] / np.maximum(length[last], 1e-30)
    return np.where(np.abs(found) > 0.5, found, 1.0).astype(np.complex64)


def window_modes(window: Window) -> np.ndarray:
    """Orthonormal weights (N_MODES, W) float32 over the frames of a window: for the mean, and for even change."""
    roots = np.sqrt(window.weights)
    powers = roots * window.offsets.astype(np.float64) ** np.arange(min(N_MODES, len(roots)))[:, None]
    return np.linalg.qr(powers.T)[0].T.astype(np.float32)


@dataclass(frozen=True, eq=False)
class CoarseFrames:
    """Frames whose squared distance is nearly row_sizes + column_sizes + rows · columns: one matrix product."""

    rows: np.ndarray  # (F, D) float32
    columns: np.ndarray  # (F, D) float32
    row_sizes: np.ndarray  # (F,) float32
    column_sizes: np.ndarray  # (F,) float32
    allowances: np.ndarray  # (F,) float32: squared distance to frames between these

    @classmethod
    def of(cls, vectors: np.ndarray) -> "CoarseFrames":
        """Frames whose distances are those of vectors (F, D)."""
        vectors = np.asarray(vectors, dtype=np.float32)
        sizes = (vectors**2).sum(axis=1)
        return cls(-2.0 * vectors, vectors, sizes, sizes, half_steps(vectors))


@dataclass(frozen=True, eq=False)
class TurnedFrames:
    """Vectors, laid out to be compared, and what is allowed for each."""

    vectors: np.ndarray  # (F, D) float32, with zeros behind, so that D is a multiple of 4
    lanes: np.ndarray  # (D, F + LANES) float32: the same dimension by dimension, with zeros behind
    sizes: np.ndarray  # (F + LANES,) float32: their squared lengths
    allowances: np.ndarray  # (F + LANES,) float32: squared distances that do not count

    @property
    def n_frames(self) -> int:
        return len(self.vectors)


def turned_frames(vectors: np.ndarray, *, allowances: np.ndarray | None = None) -> TurnedFrames:
    """Vectors (F, D), of whose distances so much (F,) is left out: by default nothing."""
    n_frames, n_dimensions = vectors.shape
    padded = np.zeros((n_frames, -(-n_dimensions // BLOCK) * BLOCK), dtype=np.float32)
    padded[:, :n_dimensions] = vectors
    left_out, sizes = np.zeros(n_frames + LANES, dtype=np.float32), np.zeros(n_frames + LANES, dtype=np.float32)
    left_out[:n_frames] = 0.0 if allowances is None else allowances
    _squared_lengths(padded, sizes)
    return TurnedFrames(padded, np.pad(padded.T, ((0, 0), (0, LANES))), sizes, left_out)


def turned_distances(first: TurnedFrames, second: TurnedFrames) -> tuple[np.ndarray, float]:
    """Squared Euclidean distances (F1, F2) float32 of vectors, less what is allowed for each; and the least of them.

    At least a quarter of them is left. Every number is summed in the same order, wherever it stands: what is found by
    them depends on nothing else.
    """
    out = np.empty((first.n_frames, second.n_frames), dtype=np.float32)
    least = _turned_distances(
        *(first.vectors, first.sizes, first.allowances),
        *(second.lanes, second.sizes, second.allowances, out),
    )
    return out, least


def frame_products(
    vectors: np.ndarray, chosen: np.ndarray, others: np.ndarray, *, out: np.ndarray, to: np.ndarray
) -> None:
    """Products of chosen vectors (of (F, D) float32) and others (N, D), into the rows `to` of `out` (M, N).

    D is a multiple of 4. Every number is summed in the same order, wherever it stands and whichever of its two vectors
    is among the others. A matrix product of BLAS gives neither, and its threads wait for each other where cores are
    busy.
    """
    if vectors.shape[1] % BLOCK or vectors.shape[1] != others.shape[1] or len(chosen) != len(to):
        raise UsageError(f"vectors {vectors.shape} and {others.shape} cannot be multiplied in blocks of {BLOCK}")
    if len(chosen) and len(others):
        lanes = np.zeros((others.shape[1], len(others) + LANES), dtype=np.float32)
        lanes[:, : len(others)] = others.T
        _frame_products(vectors, chosen, lanes, len(others), out, to)


def half_steps(vectors: np.ndarray) -> np.ndarray:
    """Half of the squared distance (F,) float32 that is covered within half a step around each of the vectors (F, D).

    Frames that are alike may lie between those that are compared. Those then are further apart by this much, on both
    sides together, than the ones that are meant.
    """
    steps = ((vectors[1:] - vectors[:-1]) ** 2).sum(axis=1) / 8.0
    if not len(steps):
        return np.zeros(len(vectors), dtype=np.float32)
    return np.minimum(np.append(steps[0], steps), np.append(steps, steps[-1])).astype(np.float32)


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _squared_lengths(vectors, sizes):  # type: ignore[no-untyped-def]
    for i in range(len(vectors)):
        for d in range(vectors.shape[1]):
            sizes[i] += vectors[i, d] * vectors[i, d]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _turned_distances(vectors, sizes1, allowed1, lanes2, sizes2, allowed2, out):  # type: ignore[no-untyped-def]
    """Tiles of ROWS × LANES, copied side by side: loops of a length that is known beforehand run in vectors."""
    n_rows, n_columns = out.shape
    tile, products = np.empty(len(lanes2) * LANES, dtype=np.float32), np.empty(ROWS * LANES, dtype=np.float32)
    least = np.float32(np.inf)
    for j0 in range(0, n_columns, LANES):
        _copy_tile(lanes2, j0, LANES, tile)
        for i0 in range(0, n_rows, ROWS):
            last = n_rows - 1  # rows beyond are computed and not used
            _add_products(vectors, i0, min(i0 + 1, last), min(i0 + 2, last), min(i0 + 3, last), tile, products)
            for r in range(min(ROWS, n_rows - i0)):
                row_least = _close(
                    products, r, sizes1[i0 + r], allowed1[i0 + r], sizes2, allowed2, j0, n_columns, products
                )
                _copy_row(products, r, i0 + r, j0, min(LANES, n_columns - j0), out)
                least = min(least, row_least)
    return least


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _frame_products(vectors, chosen, lanes, n_columns, out, to):  # type: ignore[no-untyped-def]
    n_rows = len(chosen)
    tile, products = np.empty(len(lanes) * LANES, dtype=np.float32), np.empty(ROWS * LANES, dtype=np.float32)
    for j0 in range(0, n_columns, LANES):
        _copy_tile(lanes, j0, LANES, tile)
        for i0 in range(0, n_rows, ROWS):
            last = n_rows - 1  # rows beyond are computed and not used
            second, third, fourth = min(i0 + 1, last), min(i0 + 2, last), min(i0 + 3, last)
            _add_products(vectors, chosen[i0], chosen[second], chosen[third], chosen[fourth], tile, products)
            for r in range(min(ROWS, n_rows - i0)):
                _copy_row(products, r, to[i0 + r], j0, min(LANES, n_columns - j0), out)


@njit(cache=True, nogil=True)
def _copy_tile(lanes, j0, width, tile):  # type: ignore[no-untyped-def]
    at, start, n_lanes = uint64(0), uint64(j0), uint64(width)
    for d in range(uint64(len(lanes))):
        for j in range(n_lanes):
            tile[at + j] = lanes[d, start + j]
        at += n_lanes


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _close(products, r, size, allowed, sizes, allowances, j0, n_columns, out):  # type: ignore[no-untyped-def]
    """From a row's products their distances, in place; the least of them."""
    zero, two, quarter, least = np.float32(0.0), np.float32(2.0), np.float32(0.25), np.float32(np.inf)
    at, start = uint64(r * LANES), uint64(j0)
    for j in range(uint64(LANES)):
        distance = max(zero, size + sizes[start + j] - two * products[at + j])
        out[at + j] = max(distance - allowed - allowances[start + j], quarter * distance)
    for j in range(uint64(min(LANES, n_columns - j0))):
        least = min(least, out[at + j])
    return least


@njit(cache=True, nogil=True)
def _copy_row(distances, r, i, j0, n_lanes, out):  # type: ignore[no-untyped-def]
    at, row, start = uint64(r * LANES), uint64(i), uint64(j0)
    for j in range(uint64(n_lanes)):
        out[row, start + j] = distances[at + j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_products(vectors, first, second, third, fourth, tile, out):  # type: ignore[no-untyped-def]
    """Products of four vectors and a tile's, LANES of each after the other."""
    i, k, m, n, lanes = uint64(first), uint64(second), uint64(third), uint64(fourth), uint64(LANES)
    for j in range(uint64(ROWS * LANES)):
        out[j] = 0.0
    for block in range(uint64(vectors.shape[1] // BLOCK)):
        d0 = block * uint64(BLOCK)
        d1, d2, d3 = d0 + uint64(1), d0 + uint64(2), d0 + uint64(3)
        a0, a1, a2, a3 = vectors[i, d0], vectors[i, d1], vectors[i, d2], vectors[i, d3]
        b0, b1, b2, b3 = vectors[k, d0], vectors[k, d1], vectors[k, d2], vectors[k, d3]
        c0, c1, c2, c3 = vectors[m, d0], vectors[m, d1], vectors[m, d2], vectors[m, d3]
        e0, e1, e2, e3 = vectors[n, d0], vectors[n, d1], vectors[n, d2], vectors[n, d3]
        t = d0 * lanes
        for j in range(lanes):
            x, y = tile[t + j], tile[t + j + lanes]
            z, w = tile[t + j + lanes + lanes], tile[t + j + lanes + lanes + lanes]
            out[j] += a0 * x + a1 * y + a2 * z + a3 * w
            out[j + lanes] += b0 * x + b1 * y + b2 * z + b3 * w
            out[j + lanes + lanes] += c0 * x + c1 * y + c2 * z + c3 * w
            out[j + lanes + lanes + lanes] += e0 * x + e1 * y + e2 * z + e3 * w
