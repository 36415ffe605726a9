"""A bound of every window of a table, in lanes, from groups of four poses: their means, and how far they lie apart.

Each pose x of a window meets some frame q of the query. Over a group with the mean m, Σ |q − x|² is Σ |q − m|² +
Σ |x − m|² − 2 Σ (q − c)·(x − m) for any c, because the x − m add up to 0. So it is at least 4 min |q − m|² +
Σ |x − m|² − 2 σ Σ |x − m|, where σ is how far frames that the group may meet are from c at most. Neighbouring poses are
alike, and so are neighbouring frames of the query: little is lost, with a quarter of the poses. Windows that begin in
the same group share the groups that lie wholly within all of them, and so their bound.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import LANES, MOST_WIDE, VECTOR_MATH, WIDE, LaneQuery, Poses, copy_lanes
from motionary.alignment.lanes_costs import (
    any_within,
    frame_costs,
    lane_limit,
    lane_numbers,
    load_poses,
    lower_lanes,
    set_lanes,
    tiles,
)
from motionary.alignment.roundings import SINGLE
from motionary.workers import in_threads

GROUP = 4  # poses
CHECK = 3  # groups between two looks at whether any window of a tile can still be near enough
READ_GROUPS = 1 << 10  # that the cache holds
ROUNDED = 8.0 * SINGLE  # share of a term that single precision may add to it: three roundings, and some room


@dataclass(frozen=True, eq=False)
class PoseGroups:
    """Poses four by four; what is left over at the end is in no group."""

    means: Poses
    squares: np.ndarray  # (G + room,) float32: Σ |x − m|² of every group, or less
    spreads: np.ndarray  # (G + room,) float32: 2 Σ |x − m|, or more
    error: float  # how far off a mean can be

    @classmethod
    def of(cls, rows: Callable[[int, int], np.ndarray], n_rows: int, n_dimensions: int) -> "PoseGroups":
        """From the rows [first, stop) of a table (F, D), wherever they come from."""
        n_groups = n_rows // GROUP
        means = Poses.empty(n_dimensions, n_groups)
        squares, spreads = np.zeros((2, means.z.shape[1]), dtype=np.float32)
        error = 0.0
        for first in range(0, n_groups, READ_GROUPS):
            stop = min(first + READ_GROUPS, n_groups)
            poses = rows(first * GROUP, stop * GROUP).astype(np.float64).reshape(stop - first, GROUP, n_dimensions)
            exact = np.zeros_like(poses[:, 0])
            for pose in range(GROUP):  # several times as fast as a mean along an axis
                exact += poses[:, pose] / GROUP
            poses -= exact[:, None]
            apart = np.einsum("gjd,gjd->gj", poses, poses)
            means.z[:n_dimensions, first:stop] = exact.T
            off = means.z[:n_dimensions, first:stop].T - exact
            error = max(error, float(np.sqrt(np.einsum("gd,gd->g", off, off).max())))
            squares[first:stop] = apart.sum(axis=1) * (1.0 - ROUNDED)
            spreads[first:stop] = 2.0 * np.sqrt(apart).sum(axis=1) * (1.0 + ROUNDED)
        return cls(means, squares, spreads, error * (1.0 + ROUNDED))

    def packed(self) -> "PoseGroups":
        """These groups in fewer bytes, where that loosens bounds by next to nothing."""
        means, error = self.means.packed()
        return PoseGroups(means, self.squares, self.spreads, self.error + error)

    @property
    def n_groups(self) -> int:
        return self.means.n_frames

    @property
    def n_bytes(self) -> int:
        return self.means.n_bytes + self.squares.nbytes + self.spreads.nbytes


@dataclass(frozen=True, eq=False)
class GroupBands:
    """For each group that lies wholly within a window, wherever in its first group the window begins: the frames
    [lows, highs) of the query that its poses may meet, the least weight of them, and how far they lie from their
    centre."""

    lows: np.ndarray  # (A,)
    highs: np.ndarray  # (A,)
    weights: np.ndarray  # (A,)
    spreads: np.ndarray  # (A,)

    @classmethod
    def of(cls, frames: np.ndarray, row_weights: np.ndarray, radii: np.ndarray) -> "GroupBands":
        """From the query's frames (n, K) as the form sees them, their weights, none below 0, and their radii."""
        n_frames = len(frames)
        numbers = np.arange(n_frames)
        lows, highs = [], []
        for a in range(1, n_frames // GROUP):
            first, last = GROUP * (a - 1) + 1, GROUP * (a + 1) - 1  # frames of a window that the group may have
            met = numbers[(numbers + radii >= first) & (numbers - radii <= last)]
            lows.append(int(met[0]))
            highs.append(int(met[-1]) + 1)
        some = [frames[low:high] for low, high in zip(lows, highs, strict=True)]
        return cls(
            np.array(lows, dtype=np.int64),
            np.array(highs, dtype=np.int64),
            np.array([row_weights[low:high].min() for low, high in zip(lows, highs, strict=True)]),
            np.array([np.sqrt(((one - one.mean(axis=0)) ** 2).sum(axis=1).max()) for one in some]),
        )

    @property
    def n_groups(self) -> int:
        return len(self.lows)


def room_for_groups(n_frames: int) -> int:
    """Lanes that a query needs, so that some windows fit beside each other."""
    return max(WIDE, -(-(n_frames // GROUP + LANES) // LANES) * LANES)


def group_lanes(
    query: LaneQuery,
    groups: PoseGroups,
    bands: GroupBands,
    spans: np.ndarray,
    *,
    least: float = 1.0,
    largest: float = 1.0,
    limit: float = np.inf,
    out: np.ndarray,
) -> None:
    """Write into `out` (G,) what the sums of windows that begin in the groups [first, stop) of `spans` (N, 2) are not
    below, but for the error of the means. What is above `limit` may come out as infinite.

    `query` has weights of 1 and no signs; `least` and `largest` are the least and the largest |Rx|² of its form, for
    |x| = 1. Raises FloatingPointError where single precision could not hold sums.
    """
    n_frames = len(query.own)
    wide = room_for_groups(n_frames)
    if wide > MOST_WIDE:
        raise ValueError(f"{wide} lanes")
    farthest = largest * float(groups.squares.max(initial=0.0)) + GROUP * query.highest
    if not 4.0 * n_frames * farthest < float(np.finfo(np.float32).max):
        raise FloatingPointError("sums of groups are too large for single precision")
    firsts, stops = tiles(spans, wide - bands.n_groups - 1)
    in_threads(
        _group_tiles,
        *lane_numbers(query, groups.means),
        groups.squares,
        groups.spreads,
        bands.lows,
        bands.highs,
        (bands.weights * (1.0 - ROUNDED)).astype(np.float32),
        (bands.spreads * np.sqrt(largest) * (1.0 + ROUNDED)).astype(np.float32),
        np.float32(GROUP * (1.0 - ROUNDED)),
        np.float32(least * (1.0 - ROUNDED)),
        firsts,
        stops,
        wide,
        lane_limit(query, limit),
        out,
        n_parts=len(firsts),
    )


def group_sums_reference(
    frames: np.ndarray, row_weights: np.ndarray, poses: np.ndarray, radii: np.ndarray
) -> np.ndarray:
    """What `group_lanes` computes for a plain form, from the definition: (G,) for the poses (F, K); 0 where the
    groups of a window are not all there."""
    n_groups, n_frames = len(poses) // GROUP, len(frames)
    sums = np.zeros(n_groups)
    for start in range(n_groups):
        if (start + 1) * GROUP + n_frames - GROUP > len(poses):
            continue
        for a in range(1, n_frames // GROUP):
            group = poses[(start + a) * GROUP : (start + a + 1) * GROUP]
            mean = group.mean(axis=0)
            # A window that begins `offset` poses into its first group has these poses as its frames j
            places = [GROUP * a - offset + pose for offset in range(GROUP) for pose in range(GROUP)]
            met = [i for i in range(n_frames) if any(abs(i - j) <= radii[i] for j in places)]
            met = list(range(met[0], met[-1] + 1))
            centre = frames[met].mean(axis=0)
            spread = max(float(np.linalg.norm(frames[i] - centre)) for i in met)
            apart = np.linalg.norm(group - mean, axis=1)
            nearest = min(float(((frames[i] - mean) ** 2).sum()) for i in met)
            least = GROUP * nearest + (apart**2).sum() - 2.0 * spread * apart.sum()
            sums[start] += row_weights[met].min() * max(least, 0.0)
    return sums


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _add_group(sums, nearest, squares, spreads, at, scale, least, spread, weight, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        near = nearest[lane]
        near = near if near > np.float32(0.0) else np.float32(0.0)
        total = scale * near + (least * squares[at + lane] - spread * spreads[at + lane])
        sums[lane] += weight * (total if total > np.float32(0.0) else np.float32(0.0))


@njit(cache=True, nogil=True)
def _group_tiles(  # type: ignore[no-untyped-def]
    thread,
    n_threads,
    z,
    steps,
    squares,
    products,
    own,
    row_weights,
    inner,
    apart,
    lows,
    highs,
    weights,
    spreads,
    scale,
    least,
    firsts,
    stops,
    wide,
    limit,
    out,
):
    n_frames = len(own)
    n_lanes = uintp(wide)
    tile_z, tile_squares = np.empty(len(steps) * wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
    costs = np.empty(n_frames * wide, dtype=np.float32)
    nearest, sums = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
    for tile in range(thread, len(firsts), n_threads):
        first, stop = firsts[tile], stops[tile]
        load_poses(z, steps, squares, first, tile_z, tile_squares)
        n_windows = uintp(stop - first)
        sums[:] = np.float32(0.0)
        n_ready = 0  # query frames whose costs are known
        for a in range(len(lows)):
            for i in range(n_ready, highs[a]):
                here = costs[i * wide : (i + 1) * wide]
                frame_costs(tile_z, tile_squares, products, own, row_weights, i, np.int64(0), here, n_lanes)
            n_ready = max(n_ready, highs[a])
            set_lanes(nearest, uintp(0), np.float32(np.inf), n_windows)
            for i in range(lows[a], highs[a]):
                lower_lanes(nearest, costs, uintp(i * wide + a + 1), n_windows)
            at = uintp(first + a + 1)
            _add_group(sums, nearest, inner, apart, at, scale, least, spreads[a], weights[a], n_windows)
            if a % CHECK == CHECK - 1 and limit < np.inf and not any_within(sums, n_windows, limit):
                sums[:] = np.float32(np.inf)
                break
        copy_lanes(sums, uintp(0), out, uintp(first), n_windows)
