"""Frames of a whole library for distances of single pairs, by windows of any length."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numba import njit, uint64

from motionary.errors import UsageError
from motionary.metrics.windows import HEIGHT_FROM, Window

SAFE_MATH = {"contract"}  # a product and a sum in one rounding; the order of sums stays
LANES = 24  # points that are summed side by side: the 20 of a body, and zeros behind them
SUMS = 8  # of every point: what the closed form needs
PAIR_ROOM = SUMS * LANES


class PairMetric(Protocol):
    """A metric of points whose weights are base + the first frame's own + `of_second` · the second's."""

    @property
    def of_second(self) -> float:
        """How often the second frame's own weights count."""
        ...

    @property
    def lift(self) -> float:
        """How much more it costs to lift a point than to move it level, as a share."""
        ...

    @property
    def is_placed(self) -> bool:
        """Whether windows are turned and moved onto each other; if not, single frames are compared as they are."""
        ...

    def pair_points(
        self, features: Mapping[str, np.ndarray], *, rate_hz: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The points (F, P, 3) of a motion, the weights (P,) that all frames have, and those (F, P) of their own."""
        ...


@dataclass(frozen=True, eq=False)
class PairFrames:
    """The frames of some motions, one motion after the other, each with copies of its end frames around it."""

    points: np.ndarray  # (N · 3 · LANES,) float32: x and z from the frame's mean, y from HEIGHT_FROM, zeros behind
    centres: np.ndarray  # (N, 2) float64: that mean on the ground
    rows: np.ndarray  # (F,) int64: where frames stand among the N
    own: np.ndarray  # (F, P) float32: their own weights
    base: np.ndarray  # (P,) float32: the weights of all frames
    starts: np.ndarray  # (C + 1,) int64: motion c has the frames [starts[c], starts[c + 1])
    padding: int  # copies on either side: windows may reach this far
    of_second: float
    lift: float
    is_placed: bool

    @property
    def n_frames(self) -> int:
        return len(self.rows)

    def arrays(self, window: Window) -> tuple[Any, ...]:
        """As kernels take them, with the weights of a window and how far it reaches back."""
        if not self.is_placed:
            window = Window(0, 0)
        if max(window.before, window.after) > self.padding:
            raise UsageError(f"windows of {window.before}+{window.after} frames reach beyond {self.padding}")
        return (
            *(self.points, self.centres, self.rows, self.own, self.base),
            *(np.float32(self.of_second), np.float32(self.lift), self.is_placed),
            *(window.weights.astype(np.float32), window.before),
        )


def pair_frames(
    metric: Any, features: Iterable[Mapping[str, np.ndarray]], *, rate_hz: float, padding: int
) -> PairFrames:
    """The frames of motions, from their pose descriptions; the metric is a PairMetric, as all of the registry are."""
    points, centres, rows, own = [], [], [], []
    base = np.zeros(0)
    n_padded = 0
    for one in features:
        cloud, base, weights = metric.pair_points(one, rate_hz=rate_hz)
        around = np.clip(np.arange(-padding, len(cloud) + padding), 0, len(cloud) - 1)
        centre = cloud[..., [0, 2]].mean(axis=1) if metric.is_placed else np.zeros((len(cloud), 2))
        local = cloud - np.stack([centre[:, 0], np.full(len(cloud), HEIGHT_FROM), centre[:, 1]], axis=1)[:, None]
        laid_out = np.zeros((len(around), 3, LANES), dtype=np.float32)
        laid_out[..., : local.shape[1]] = local[around].transpose(0, 2, 1)
        points.append(laid_out.ravel())
        centres.append(centre[around])
        rows.append(n_padded + padding + np.arange(len(cloud)))
        own.append(weights.astype(np.float32))
        n_padded += len(around)
    starts = np.cumsum([0, *(len(one) for one in rows)])
    return PairFrames(
        np.concatenate(points), np.concatenate(centres), np.concatenate(rows), np.concatenate(own),
        base.astype(np.float32), starts, padding, metric.of_second, metric.lift, metric.is_placed,
    )  # fmt: skip


def pair_distances(frames: PairFrames, rows: np.ndarray, columns: np.ndarray, window: Window) -> np.ndarray:
    """Squared distances (N,) float32 from frames to frames, numbered through all motions."""
    out = np.empty(len(rows), dtype=np.float32)
    rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    arguments = (*frames.arrays(window), rows, columns, out)
    _pair_distances(*arguments)
    return out


@njit(cache=True, nogil=True)
def _pair_distances(  # type: ignore[no-untyped-def]
    points, centres, rows, own, base, of_second, lift, is_placed, omega, before, firsts, seconds, out
):
    sums = np.empty(PAIR_ROOM, dtype=np.float32)
    for n in range(len(firsts)):
        out[n] = pair_distance(
            points, centres, rows, own, base, of_second, lift, is_placed, omega, before, firsts[n], seconds[n], sums
        )


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def pair_distance(  # type: ignore[no-untyped-def]
    points, centres, rows, own, base, of_second, lift, is_placed, omega, before, i, j, sums
):
    """The squared distance of two frames, in one pass over the points of their windows; `sums` (PAIR_ROOM,) is room.

    Sums over the window are taken for LANES points side by side, and weighted at the end, in double precision.
    """
    lanes = uint64(LANES)
    x_first, z_first, x_second, z_second = lanes, lanes * uint64(2), lanes * uint64(3), lanes * uint64(4)
    along, across, rises = lanes * uint64(5), lanes * uint64(6), lanes * uint64(7)
    for p in range(uint64(SUMS * LANES)):
        sums[p] = 0.0
    r, s = rows[i], rows[j]
    for k in range(len(omega)):
        a, b, o = r + k - before, s + k - before, omega[k]
        ax, az = np.float32(centres[a, 0] - centres[r, 0]), np.float32(centres[a, 1] - centres[r, 1])
        bx, bz = np.float32(centres[b, 0] - centres[s, 0]), np.float32(centres[b, 1] - centres[s, 1])
        first, second = uint64(a) * uint64(3 * LANES), uint64(b) * uint64(3 * LANES)
        for p in range(lanes):
            x1, z1 = points[first + p] + ax, points[first + lanes + lanes + p] + az
            x2, z2 = points[second + p] + bx, points[second + lanes + lanes + p] + bz
            up = points[second + lanes + p] - points[first + lanes + p]
            sums[p] += o * (x1 * x1 + z1 * z1 + x2 * x2 + z2 * z2 + up * up)
            sums[x_first + p] += o * x1
            sums[z_first + p] += o * z1
            sums[x_second + p] += o * x2
            sums[z_second + p] += o * z2
            sums[along + p] += o * (x1 * x2 + z1 * z2)
            sums[across + p] += o * (z1 * x2 - x1 * z2)
            sums[rises + p] += o * up
    total, size, mx, mz, nx, nz, re, im, work = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for p in range(uint64(len(base))):
        w = np.float64(base[p] + own[i, p] + of_second * own[j, p])
        total += w
        size += w * sums[p]
        mx += w * sums[x_first + p]
        mz += w * sums[z_first + p]
        nx += w * sums[x_second + p]
        nz += w * sums[z_second + p]
        re += w * sums[along + p]
        im += w * sums[across + p]
        work += base[p] * sums[rises + p] * abs(sums[rises + p])
    if total <= 0.0:
        return np.float32(0.0)
    if not is_placed:
        return np.float32(max(size - 2.0 * re, 0.0))
    re -= (mx * nx + mz * nz) / total
    im -= (mz * nx - mx * nz) / total
    moved = (mx * mx + mz * mz + nx * nx + nz * nz) / total
    squared = max(size - moved - 2.0 * np.sqrt(re * re + im * im), 0.0)
    return np.float32(max(squared + lift * work, 0.0))
