"""Frames with weights of their own: clouds of points, and what every part holds up in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit, uint64

from motionary.errors import UsageError
from motionary.metrics.windows import HEIGHT_FROM, Window

COLUMNS = 48  # of distances that are in the making together: what they need stays in the nearest caches
ROOM, TIMES = 10, 9  # rows of numbers of a tile's columns, and which of them says how often weights count
SAFE_MATH = {"contract"}  # a product and a sum in one rounding; the order of sums stays


@dataclass(frozen=True, eq=False)
class LoadedFrames:
    """The frames of a motion, or of several one after the other, and which loads each of them has.

    A load is a row of point weights that a frame has or has not: what a part of the body holds up if it stands. Motions
    have `before` and `after` copies of their end frames around them.
    """

    local: np.ndarray  # (N, P, 3) float32: x and z from the frame's mean, heights from HEIGHT_FROM
    centres: np.ndarray  # (N, 2) float64: that mean on the ground
    rows: np.ndarray  # (F,) int64: where frames stand in the arrays before
    loaded: np.ndarray  # (F, B) bool: the loads of every frame
    loads: np.ndarray  # (B, P) float64: the weights of every load
    base: np.ndarray  # (P,) float64: the weights that every frame has
    window: Window

    @property
    def n_frames(self) -> int:
        return len(self.rows)

    @cached_property
    def weights(self) -> np.ndarray:
        """The weights (F, P) of every frame."""
        return np.asarray(self.loaded.astype(np.float64) @ self.loads)

    @cached_property
    def load_codes(self) -> tuple[bytes, ...]:
        """When every load is there; empty for one that never is."""
        return tuple(column.tobytes() if column.any() else b"" for column in np.packbits(self.loaded, axis=0).T)

    @cached_property
    def remembered(self) -> dict[str, Any]:
        return {}

    def thinned(self, every: int) -> "LoadedFrames":
        """Every so many frames; windows stay as they are."""
        return replace(self, rows=self.rows[::every], loaded=self.loaded[::every])

    def part(self, start: int, stop: int) -> "LoadedFrames":
        """Frames [start, stop)."""
        return replace(self, rows=self.rows[start:stop], loaded=self.loaded[start:stop])

    @cached_property
    def mean_heights(self) -> np.ndarray:
        """Heights (F, P) float32 of the points, averaged over the windows."""
        inside = self.rows[:, None] + self.window.offsets
        return np.asarray(np.einsum("w,nwp->np", self.window.weights, self.local[inside, :, 1]), dtype=np.float32)


def loaded_frames(
    points: np.ndarray, loaded: np.ndarray, loads: np.ndarray, base: np.ndarray, window: Window
) -> LoadedFrames:
    """A motion's frames, from points (F, P, 3), which loads (F, B) they have, the weights (B, P) of loads, and those
    (P,) that all frames have."""
    points, loads = np.asarray(points, dtype=np.float64), np.asarray(loads, dtype=np.float64)
    if points.ndim != 3 or points.shape[2] != 3 or not points.size:
        raise UsageError(f"a cloud of points needs the shape (frames, points, 3), not {points.shape}")
    if loaded.shape != (len(points), len(loads)) or loads.shape[1:] != points.shape[1:2]:
        raise UsageError(f"loads {loaded.shape} and {loads.shape} do not fit points {points.shape}")
    if not (np.isfinite(points).all() and np.isfinite(loads).all() and (loads >= 0.0).all()):
        raise UsageError("points must be finite numbers, and weights finite numbers of at least 0")
    padded = np.clip(np.arange(-window.before, len(points) + window.after), 0, len(points) - 1)
    centres = points[..., [0, 2]].mean(axis=1)
    local = points - np.stack([centres[:, 0], np.full(len(points), HEIGHT_FROM), centres[:, 1]], axis=1)[:, None]
    rows = np.arange(len(points)) + window.before
    return LoadedFrames(
        local[padded].astype(np.float32),
        centres[padded],
        rows,
        np.asarray(loaded, dtype=bool),
        loads,
        np.asarray(base, dtype=np.float64),
        window,
    )


def joined_frames(motions: Sequence[LoadedFrames]) -> LoadedFrames:
    """The frames of several motions, one after the other; windows stay within their motions."""
    starts = np.cumsum([0, *(len(motion.local) for motion in motions)])
    return replace(
        motions[0],
        local=np.concatenate([motion.local for motion in motions]),
        centres=np.concatenate([motion.centres for motion in motions]),
        rows=np.concatenate([motion.rows + start for motion, start in zip(motions, starts, strict=False)]),
        loaded=np.concatenate([motion.loaded for motion in motions]),
    )


def loaded_distances(first: LoadedFrames, second: LoadedFrames, *, of_second: float = 1.0, out: np.ndarray) -> None:
    """Squared distances (F1, F2) with the weights base (P,) + the first frame's + `of_second` times the second's.

    The weights of a pair are a sum of few rows of point weights, each taken 0, 1 or 2 times. So all sums over points
    are taken once for every row, as products of frames that windows share, and put together for the pair. Equals
    `pair_weighted_distances`, but for rounding, in a small part of its time.
    """
    _fill(first, second, np.array([[0, first.n_frames, 0, second.n_frames]]), of_second, out.reshape(-1))


def loaded_rectangles(
    first: LoadedFrames, second: LoadedFrames, rectangles: np.ndarray, *, of_second: float = 1.0
) -> np.ndarray:
    """The same in rows and columns [r0, r1), [c0, c1) of rectangles (K, 4), one after the other: (N,) float32."""
    rectangles = np.ascontiguousarray(rectangles, dtype=np.int64).reshape(-1, 4)
    out = np.empty(n_cells(rectangles, first.n_frames, second.n_frames), dtype=np.float32)
    _fill(first, second, rectangles, of_second, out)
    return out


def n_cells(rectangles: np.ndarray, n_rows: int, n_columns: int) -> int:
    """How many cells rectangles (K, 4) have; raises if one does not lie in the grid."""
    r0, r1, c0, c1 = rectangles.T
    if ((r0 < 0) | (r1 < r0) | (r1 > n_rows) | (c0 < 0) | (c1 < c0) | (c1 > n_columns)).any():
        raise UsageError("rectangles of distances must lie in both motions")
    return int(((r1 - r0) * (c1 - c0)).sum())


def _fill(first: LoadedFrames, second: LoadedFrames, rectangles: np.ndarray, of_second: float, out: np.ndarray) -> None:
    if first.window != second.window or not np.array_equal(first.loads, second.loads):
        raise UsageError("frames can only be compared by windows of the same shape and the same loads")
    if not len(out):
        return
    profiles, firsts = _groups(first, second)
    sides = [_side(motion, profiles, firsts) for motion in (first, second)]
    of_points = [np.flatnonzero(profile > 0.0) for profile in profiles]
    chosen = np.concatenate([*of_points, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    bounds = np.cumsum([0, *(len(points) for points in of_points)])
    amounts = np.concatenate([profile[points] for profile, points in zip(profiles, of_points, strict=True)])
    _distances(
        *(sides[0].frames, sides[0].rows, sides[0].ways, sides[0].means, sides[0].sums, sides[0].sizes, sides[0].has),
        *(sides[1].lanes, sides[1].rows, sides[1].ways, sides[1].means, sides[1].sums, sides[1].sizes, sides[1].has),
        *(chosen, bounds, amounts.astype(np.float32), profiles.sum(axis=1).astype(np.float32)),
        *(first.window.weights.astype(np.float32), np.float32(of_second), rectangles, out),
    )


def _groups(first: LoadedFrames, second: LoadedFrames) -> tuple[np.ndarray, tuple[int, ...]]:
    """Rows (1 + G, P) of point weights that pairs have a number of times, base first; and a load of every group.

    Loads that come and go together, as those of a leg mostly do, are one group.
    """
    codes = [motion.load_codes for motion in (first, second)]
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    for load, code in enumerate(zip(*codes, strict=True)):
        if any(code):
            groups.setdefault(code, []).append(load)
    profiles = [first.base, *(first.loads[members].sum(axis=0) for members in groups.values())]
    return np.array(profiles), tuple(members[0] for members in groups.values())


def _side(motion: LoadedFrames, profiles: np.ndarray, firsts: tuple[int, ...]) -> "_Side":
    """What the kernel has to know of a motion, remembered for the groups that were asked for last."""
    key = profiles.tobytes(), firsts
    kept: tuple[Any, _Side] | None = motion.remembered.get("side")
    if kept is None or kept[0] != key:  # other threads may remember other groups meanwhile
        kept = key, _Side(motion, profiles, motion.loaded[:, list(firsts)])
        motion.remembered["side"] = kept
    return kept[1]


class _Side:
    """What the kernel has to know of every frame, with zeros behind it."""

    def __init__(self, motion: LoadedFrames, profiles: np.ndarray, has: np.ndarray) -> None:
        window = motion.window
        inside = motion.rows[:, None] + window.offsets  # (F, W)
        self.frames = motion.local  # (N, P, 3)
        self.lanes = _padded(motion.local.transpose(2, 1, 0))  # (3, P, N + COLUMNS)
        self.rows = motion.rows - window.before
        self.has = _padded(has.T)  # (G, F + COLUMNS)
        centres = motion.centres[:, 0] + 1j * motion.centres[:, 1]
        ways = centres[inside] - (centres[inside] @ window.weights)[:, None]  # (F, W)
        self.ways = _pair(ways.T)  # (2, W, F)
        ground = motion.local[..., 0] + 1j * motion.local[..., 2]
        means = ground @ profiles.T  # (N, 1 + G)
        totals = profiles.sum(axis=1)
        around = means[inside]  # (F, W, 1 + G)
        self.means = _pair((around + 0.5 * ways[..., None] * totals).transpose(2, 1, 0))  # (2, 1 + G, W, F)
        placed = around + ways[..., None] * totals
        self.sums = _pair(np.einsum("w,fwg->gf", window.weights, placed))  # (2, 1 + G, F)
        squares = (np.abs(ground) ** 2 + motion.local[..., 1].astype(np.float64) ** 2) @ profiles.T
        crossed = squares[inside] + 2.0 * (around * np.conj(ways)[..., None]).real
        crossed += np.abs(ways[..., None]) ** 2 * totals
        self.sizes = _padded(np.einsum("w,fwg->gf", window.weights, crossed))


def _pair(values: np.ndarray) -> np.ndarray:
    """Real and imaginary parts, one after the other."""
    return _padded(np.stack([values.real, values.imag]))


def _padded(values: np.ndarray) -> np.ndarray:
    """The same in single precision, with COLUMNS zeros behind every row."""
    out = np.zeros((*values.shape[:-1], values.shape[-1] + COLUMNS), dtype=np.float32)
    out[..., : values.shape[-1]] = values
    return out


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _distances(  # type: ignore[no-untyped-def]
    frames1, rows1, ways1, means1, sums1, sizes1, has1, lanes2, rows2, ways2, means2, sums2, sizes2, has2,
    chosen, bounds, amounts, totals, omega, of_second, rectangles, out,
):  # fmt: skip
    """Frames against tiles of consecutive frames: products of frames, their sums along diagonals, then what the ways
    of the windows add, then the closed form.

    Always COLUMNS columns are computed, however few there are: loops over few arrays, of a length that is known
    beforehand, run in vectors. Arrays of the second side have that many zeros behind them.
    """
    n_groups, n_window = len(totals), len(omega)
    n_lanes = COLUMNS + n_window - 1
    products = np.zeros(n_window * n_groups * 3 * n_lanes, dtype=np.float32)  # by row of the window, group, kind
    room = np.zeros(ROOM * COLUMNS, dtype=np.float32)
    done = 0
    for n in range(len(rectangles)):
        r0, r1, c_first, c_stop = rectangles[n]
        c0 = c_first
        while c0 < c_stop:
            width = 1  # a run of frames that follow one another
            while c0 + width < c_stop and width < COLUMNS and rows2[c0 + width] == rows2[c0] + width:
                width += 1
            known = np.int64(-1)  # the last row whose products are known
            for i in range(r0, r1):
                first = rows1[i]
                for row in range(max(first, known + 1) if known >= first else first, first + n_window):
                    for g in range(n_groups):
                        to = ((row % n_window) * n_groups + g) * 3 * n_lanes
                        _multiply(
                            frames1, row, lanes2, rows2[c0], chosen, bounds[g], bounds[g + 1], amounts, n_lanes, to,
                            products,
                        )  # fmt: skip
                known = first + n_window - 1
                room[:] = 0.0
                for g in range(n_groups):
                    if _count(has1, has2, g, i, c0, width, of_second, room):
                        _add_windows(
                            products, first, g, n_groups, n_lanes, omega, ways1, means1, i, ways2, means2, c0, room
                        )  # fmt: skip
                        _add_sums(totals[g], sizes1[g, i], sums1[0, g, i], sums1[1, g, i], sizes2, sums2, g, c0, room)
                _close(room)
                to = done + (i - r0) * (c_stop - c_first) + c0 - c_first
                for j in range(width):
                    out[to + j] = room[j]
            c0 += width
        done += (r1 - r0) * (c_stop - c_first)


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _multiply(frames, row, lanes, start, chosen, low, high, amounts, n_lanes, to, out):  # type: ignore[no-untyped-def]
    """Of one frame and those of a tile: Re and Im of Σ q u conj(v), and Σ q y y', one after the other."""
    n, length = uint64(n_lanes), uint64(lanes.shape[2])
    real = uint64(to)
    imaginary, up = real + n, real + n + n
    flat = lanes.reshape(-1)
    for j in range(real, up + n):
        out[j] = 0.0
    for m in range(low, high):
        p = uint64(chosen[m])
        x, y, z = amounts[m] * frames[row, p, 0], amounts[m] * frames[row, p, 1], amounts[m] * frames[row, p, 2]
        xs = p * length + uint64(start)
        ys = xs + uint64(lanes.shape[1]) * length
        zs = ys + uint64(lanes.shape[1]) * length
        for j in range(n):
            out[real + j] += x * flat[xs + j] + z * flat[zs + j]
            out[imaginary + j] += z * flat[xs + j] - x * flat[zs + j]
            out[up + j] += y * flat[ys + j]


@njit(cache=True, nogil=True)
def _count(has1, has2, g, i, c0, width, of_second, room):  # type: ignore[no-untyped-def]
    """How many times the pairs of a row have a group's weights; whether any has them at all."""
    there = False
    at = uint64(TIMES * COLUMNS)
    for j in range(width):
        times = np.float32(1.0) if g == 0 else has1[g - 1, i] + of_second * has2[g - 1, c0 + j]
        room[at + uint64(j)] = times
        there = there or times != 0.0
    return there


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_windows(products, first, g, n_groups, n_lanes, omega, ways1, means1, i, ways2, means2, c0, room):  # type: ignore[no-untyped-def]
    n_window = len(omega)
    flat_ways, flat_means = ways2.reshape(-1), means2.reshape(-1)
    columns, length, n = uint64(COLUMNS), uint64(ways2.shape[2]), uint64(n_lanes)
    real, imaginary, up, times = uint64(0), columns, columns * uint64(2), columns * uint64(TIMES)
    for k in range(n_window):
        o = omega[k]
        bx, bz, tx, tz = o * ways1[0, k, i], o * ways1[1, k, i], o * means1[0, g, k, i], o * means1[1, g, k, i]
        a = uint64((((first + k) % n_window) * n_groups + g) * 3 * n_lanes + k)
        b, c = a + n, a + n + n
        wx = uint64(k) * length + uint64(c0)
        wz = wx + uint64(n_window) * length
        vx = uint64(g * n_window + k) * length + uint64(c0)
        vz = vx + uint64(n_groups * n_window) * length
        for j in range(columns):
            x, z, u, v = flat_ways[wx + j], flat_ways[wz + j], flat_means[vx + j], flat_means[vz + j]
            share = room[times + j]
            room[real + j] += share * (o * products[a + j] + bx * u + bz * v + tx * x + tz * z)
            room[imaginary + j] += share * (o * products[b + j] + bz * u - bx * v + tz * x - tx * z)
            room[up + j] += share * (o * products[c + j])


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _add_sums(total, size, mean_x, mean_z, sizes2, sums2, g, c0, room):  # type: ignore[no-untyped-def]
    columns, start = uint64(COLUMNS), uint64(c0)
    sizes, xs, zs = sizes2[g], sums2[0, g], sums2[1, g]
    at, times = columns * uint64(3), columns * uint64(TIMES)
    for j in range(columns):
        share = room[times + j]
        room[at + j] += share * total
        room[at + columns + j] += share * (size + sizes[start + j])
        room[at + columns + columns + j] += share * mean_x
        room[at + columns + columns + columns + j] += share * mean_z
        room[at + columns * uint64(4) + j] += share * xs[start + j]
        room[at + columns * uint64(5) + j] += share * zs[start + j]


@njit(cache=True, nogil=True, fastmath=SAFE_MATH)
def _close(room):  # type: ignore[no-untyped-def]
    zero, one, two = np.float32(0.0), np.float32(1.0), np.float32(2.0)
    n = uint64(COLUMNS)
    for j in range(n):
        re, im, up, total, size = (
            room[j],
            room[n + j],
            room[uint64(2) * n + j],
            room[uint64(3) * n + j],
            room[uint64(4) * n + j],
        )
        mr, mi, nr, ni = (
            room[uint64(5) * n + j],
            room[uint64(6) * n + j],
            room[uint64(7) * n + j],
            room[uint64(8) * n + j],
        )
        share = one / max(total, np.float32(1e-30))
        along = re - (mr * nr + mi * ni) * share
        across = im - (mi * nr - mr * ni) * share
        moved = (mr * mr + mi * mi + nr * nr + ni * ni) * share
        room[j] = max(size - two * up - moved - two * np.sqrt(along * along + across * across), zero)


def loaded_cells(
    first: LoadedFrames,
    second: LoadedFrames,
    rows: np.ndarray,
    columns: np.ndarray,
    *,
    of_second: float = 1.0,
) -> np.ndarray:
    """The same for single pairs of frames (N,)."""
    out = np.empty(len(rows), dtype=np.float32)
    _cells(
        *(first.local, first.centres, first.rows, first.weights),
        *(second.local, second.centres, second.rows, second.weights),
        *(first.window.weights, first.window.before, first.base, float(of_second)),
        *(np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64), out),
    )
    return out


def cells_of(rectangles: np.ndarray, n_rows: int, n_columns: int) -> np.ndarray:
    """The cells (N, 2) of rectangles (K, 4), one after the other, each row by row."""
    out = np.empty((n_cells(rectangles, n_rows, n_columns), 2), dtype=np.int64)
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
    local1, centres1, rows1, weights1, local2, centres2, rows2, weights2, omega, before, base,
    of_second, rows, columns, out,
):  # fmt: skip
    """Every sum of the closed form in one pass over the points of two windows."""
    n_points = len(base)
    w = np.empty(n_points)
    for n in range(len(rows)):
        i, j = rows[n], columns[n]
        total = 0.0
        for p in range(n_points):
            w[p] = base[p] + weights1[i, p] + of_second * weights2[j, p]
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
