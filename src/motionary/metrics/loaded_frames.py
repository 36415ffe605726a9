"""Frames with weights of their own: clouds of points, and what every part holds up in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.metrics.windows import HEIGHT_FROM, Window

AT_ONCE = 512  # rows and columns of distances that are in the making together


@dataclass(frozen=True, eq=False)
class LoadedFrames:
    """The frames of a motion, or of several one after the other, each with a row of point weights.

    Few rows differ (which feet stand, mostly): frames with the same row are a class. Motions have `before` and `after`
    copies of their end frames around them.
    """

    local: np.ndarray  # (N, P, 3) float32: x and z from the frame's mean, heights from HEIGHT_FROM
    centres: np.ndarray  # (N, 2) float64: that mean on the ground
    rows: np.ndarray  # (F,) int64: where frames stand in the arrays before
    classes: np.ndarray  # (F,) int32: of every frame
    weights: np.ndarray  # (C, P) float64: of every class
    window: Window

    @property
    def n_frames(self) -> int:
        return len(self.rows)

    def thinned(self, every: int) -> "LoadedFrames":
        """Every so many frames; windows stay as they are."""
        return replace(self, rows=self.rows[::every], classes=self.classes[::every])

    def part(self, start: int, stop: int) -> "LoadedFrames":
        """Frames [start, stop)."""
        return replace(self, rows=self.rows[start:stop], classes=self.classes[start:stop])

    @cached_property
    def mean_heights(self) -> np.ndarray:
        """Heights (F, P) float32 of the points, averaged over the windows."""
        inside = self.rows[:, None] + self.window.offsets
        return np.asarray(np.einsum("w,nwp->np", self.window.weights, self.local[inside, :, 1]), dtype=np.float32)

    def windows(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Windows laid out: ground (n, W, P) complex64 from the window's mean place, and heights (n, W, P) float32."""
        inside = self.rows[frames][:, None] + self.window.offsets
        local, centres = self.local[inside], self.centres[inside]
        ways = (centres - np.einsum("w,nwc->nc", self.window.weights, centres)[:, None]).astype(np.float32)
        ground = (local[..., 0] + ways[..., None, 0]) + 1j * (local[..., 2] + ways[..., None, 1])
        return ground.astype(np.complex64), local[..., 1]


def loaded_frames(points: np.ndarray, weights: np.ndarray, window: Window) -> LoadedFrames:
    """A motion's frames, from points (F, P, 3) and their weights (F, P)."""
    points, weights = np.asarray(points, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if points.ndim != 3 or points.shape[2] != 3 or not points.size or weights.shape != points.shape[:2]:
        raise UsageError(f"points {points.shape} and weights {weights.shape} are not of the same frames and points")
    if not (np.isfinite(points).all() and np.isfinite(weights).all() and (weights >= 0.0).all()):
        raise UsageError("points must be finite numbers, and weights finite numbers of at least 0")
    padded = np.clip(np.arange(-window.before, len(points) + window.after), 0, len(points) - 1)
    centres = points[..., [0, 2]].mean(axis=1)
    local = points - np.stack([centres[:, 0], np.full(len(points), HEIGHT_FROM), centres[:, 1]], axis=1)[:, None]
    known, classes = np.unique(weights, axis=0, return_inverse=True)
    rows = np.arange(len(points)) + window.before
    return LoadedFrames(
        local[padded].astype(np.float32), centres[padded], rows, classes.reshape(-1).astype(np.int32), known, window
    )


def joined_frames(motions: Sequence[LoadedFrames]) -> LoadedFrames:
    """The frames of several motions, one after the other; windows stay within their motions."""
    starts = np.cumsum([0, *(len(motion.local) for motion in motions)])
    every = np.concatenate([motion.weights for motion in motions])
    known, numbers = np.unique(every, axis=0, return_inverse=True)
    firsts = np.cumsum([0, *(len(motion.weights) for motion in motions)])
    numbers = numbers.reshape(-1)
    return LoadedFrames(
        np.concatenate([motion.local for motion in motions]),
        np.concatenate([motion.centres for motion in motions]),
        np.concatenate([motion.rows + start for motion, start in zip(motions, starts, strict=False)]),
        np.concatenate(
            [numbers[motion.classes + first] for motion, first in zip(motions, firsts, strict=False)]
        ).astype(np.int32),
        known,
        motions[0].window,
    )


def loaded_distances(
    first: LoadedFrames,
    second: LoadedFrames,
    *,
    base: np.ndarray,
    of_second: float = 1.0,
    out: np.ndarray,
) -> None:
    """Squared distances (F1, F2) with the weights base (P,) + the first frame's + `of_second` times the second's.

    Frames of one class each have the same weights in every pair, so that their distances are those of fixed weights:
    one complex and one real matrix product. Equals `pair_weighted_distances`, five times as fast.
    """
    if first.window != second.window:
        raise UsageError("frames can only be compared by windows of the same shape")
    groups = [[np.flatnonzero(side.classes == c) for c in range(len(side.weights))] for side in (first, second)]
    omega = np.sqrt(first.window.weights).astype(np.float32)
    for k, rows in enumerate(groups[0]):
        for j, columns in enumerate(groups[1]):
            weights = base + first.weights[k] + of_second * second.weights[j]
            for i in range(0, len(rows), AT_ONCE):
                some = rows[i : i + AT_ONCE]
                placed = _Placed(first, some, weights, omega)
                for m in range(0, len(columns), AT_ONCE):
                    others = columns[m : m + AT_ONCE]
                    out[np.ix_(some, others)] = placed.distances(_Placed(second, others, weights, omega))


class _Placed:
    """Windows of some frames as vectors, centred by one row of weights."""

    def __init__(self, frames: LoadedFrames, chosen: np.ndarray, weights: np.ndarray, omega: np.ndarray) -> None:
        ground, heights = frames.windows(chosen)
        roots = np.sqrt(weights).astype(np.float32)
        total = float(weights.sum())
        shares = (np.outer(frames.window.weights, weights) / max(total, 1e-300)).astype(np.float32)
        ground = ground - np.einsum("wp,nwp->n", shares, ground)[:, None, None]
        scale = omega[:, None] * roots
        self.ground = (ground * scale).reshape(len(chosen), -1)
        self.heights = (heights * scale).reshape(len(chosen), -1)
        both = self.ground.real**2 + self.ground.imag**2 + self.heights**2
        self.sizes = both.sum(axis=1, dtype=np.float64).astype(np.float32)

    def distances(self, other: "_Placed") -> np.ndarray:
        turned = np.abs(self.ground @ np.conj(other.ground).T)
        both = self.sizes[:, None] + other.sizes - 2.0 * (self.heights @ other.heights.T) - 2.0 * turned
        return np.maximum(both, 0.0)


def loaded_rectangles(
    first: LoadedFrames, second: LoadedFrames, rectangles: np.ndarray, *, base: np.ndarray, of_second: float = 1.0
) -> np.ndarray:
    """The same in rows and columns [r0, r1), [c0, c1) of rectangles (K, 4), one after the other: (N,) float32."""
    rectangles = np.ascontiguousarray(rectangles, dtype=np.int64).reshape(-1, 4)
    cells = cells_of(rectangles, first.n_frames, second.n_frames)
    return loaded_cells(first, second, cells[:, 0], cells[:, 1], base=base, of_second=of_second)


def loaded_cells(
    first: LoadedFrames,
    second: LoadedFrames,
    rows: np.ndarray,
    columns: np.ndarray,
    *,
    base: np.ndarray,
    of_second: float = 1.0,
) -> np.ndarray:
    """The same for single pairs of frames (N,)."""
    out = np.empty(len(rows), dtype=np.float32)
    _cells(
        *(first.local, first.centres, first.rows, first.classes, first.weights),
        *(second.local, second.centres, second.rows, second.classes, second.weights),
        *(first.window.weights, first.window.before, np.asarray(base, dtype=np.float64), float(of_second)),
        *(np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64), out),
    )
    return out


def cells_of(rectangles: np.ndarray, n_rows: int, n_columns: int) -> np.ndarray:
    """The cells (N, 2) of rectangles (K, 4), one after the other, each row by row."""
    r0, r1, c0, c1 = rectangles.T
    if ((r0 < 0) | (r1 < r0) | (r1 > n_rows) | (c0 < 0) | (c1 < c0) | (c1 > n_columns)).any():
        raise UsageError("rectangles of distances must lie in both motions")
    out = np.empty((int(((r1 - r0) * (c1 - c0)).sum()), 2), dtype=np.int64)
    _fill_cells(rectangles, out)
    return out


@njit(cache=True, nogil=True)
def _fill_cells(rectangles, out):  # type: ignore[no-untyped-def]
    n = 0
    for k in range(len(rectangles)):
        for i in range(rectangles[k, 0], rectangles[k, 1]):
            for j in range(rectangles[k, 2], rectangles[k, 3]):
                out[n, 0], out[n, 1] = i, j
                n += 1


@njit(cache=True, nogil=True)
def _cells(  # type: ignore[no-untyped-def]
    local1, centres1, rows1, classes1, weights1, local2, centres2, rows2, classes2, weights2, omega, before, base,
    of_second, rows, columns, out,
):  # fmt: skip
    """Every sum of the closed form in one pass over the points of two windows."""
    n_points = len(base)
    w = np.empty(n_points)
    for n in range(len(rows)):
        i, j = rows[n], columns[n]
        total = 0.0
        for p in range(n_points):
            w[p] = base[p] + weights1[classes1[i], p] + of_second * weights2[classes2[j], p]
            total += w[p]
        if total <= 0.0:
            out[n] = 0.0
            continue
        r, s = rows1[i], rows2[j]
        squares, mx, mz, nx, nz, along, across = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(len(omega)):
            a, b = r + k - before, s + k - before
            ax, az = centres1[a, 0] - centres1[r, 0], centres1[a, 1] - centres1[r, 1]
            bx, bz = centres2[b, 0] - centres2[s, 0], centres2[b, 1] - centres2[s, 1]
            for p in range(n_points):
                weight = omega[k] * w[p]
                x1, z1, x2, z2 = local1[a, p, 0] + ax, local1[a, p, 2] + az, local2[b, p, 0] + bx, local2[b, p, 2] + bz
                up = local1[a, p, 1] - local2[b, p, 1]
                squares += weight * (x1 * x1 + z1 * z1 + x2 * x2 + z2 * z2 + up * up)
                mx += weight * x1
                mz += weight * z1
                nx += weight * x2
                nz += weight * z2
                along += weight * (x1 * x2 + z1 * z2)
                across += weight * (z1 * x2 - x1 * z2)
        along -= (mx * nx + mz * nz) / total
        across -= (mz * nx - mx * nz) / total
        moved = (mx * mx + mz * mz + nx * nx + nz * nz) / total
        out[n] = max(squares - moved - 2.0 * np.sqrt(along * along + across * across), 0.0)
