"""Which windows may be near a query at any of many lengths, seen at once, in lanes.

Whatever its length, a played query meets frame j of a window only with what it shows around then, and each frame of a
window meets something. So the least cost of frame j with any query frame in reach, summed up over the frames of a
window, is below the distance at every length.
"""

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import LANES, LARGEST, VECTOR_MATH, WIDE, LaneQuery, Poses, copy_lanes
from motionary.alignment.lanes_costs import (
    CHECK,
    any_within,
    frame_costs,
    lane_numbers,
    load_poses,
    lower_lanes,
    tiles,
)
from motionary.workers import in_threads

RUN = 4  # query frames whose least cost is found once, for all ranges that they are in


def lengths_lanes(
    query: LaneQuery,
    poses: Poses,
    spans: np.ndarray,
    *,
    reach: np.ndarray,
    limits: np.ndarray,
    wide: int = WIDE,
    out: np.ndarray,
) -> None:
    """Write into `out` (F,) whether windows that begin in the rows of `spans` (N, 2) may be near enough at any length.

    `reach` (P, 2) are the query frames [first, stop) that frame j of a window may meet; both ascend. `limits` are the
    sums that the last lengths up to P may have at most, in the lanes' own numbers; below 0, none. Costs are not.
    """
    met, wide = _met(reach, wide)
    firsts, stops = tiles(spans, wide - int((met[:, 1] - met[:, 0]).max()))
    firsts_met = np.ascontiguousarray(met[:, 0])
    in_threads(
        _lengths_tiles,
        *lane_numbers(query, poses),
        np.ascontiguousarray(reach),
        firsts_met,
        np.minimum(limits, LARGEST).astype(np.float32),
        firsts,
        stops,
        wide,
        out,
        n_parts=len(firsts),
    )


def room_for_lengths(reach: np.ndarray, limits: np.ndarray) -> int:
    """How far lanes read beyond the last pose at most: no further than there is room."""
    return _met(reach, WIDE)[1] + len(limits)


def _met(reach: np.ndarray, wide: int) -> tuple[np.ndarray, int]:
    """By which frames (n, 2) of a window, from the first to the last, every query frame is met; and how many lanes are
    needed then, at least `wide`."""
    frames = np.arange(int(reach[:, 1].max()))
    firsts = np.searchsorted(reach[:, 1], frames, side="right")
    lasts = np.maximum(np.searchsorted(reach[:, 0], frames, side="right") - 1, firsts)
    longest = int((lasts - firsts).max())
    return np.stack([firsts, lasts], axis=1), max(wide, -(-(longest + LANES // 2) // LANES) * LANES)


def lengths_reference(costs: np.ndarray, *, reach: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """What lanes find, from the definition and costs (n, F): for every window of the shortest length that has one."""
    least = len(reach) - len(limits) + 1
    found = np.zeros(costs.shape[1] - least + 1, dtype=bool)
    for start in range(len(found)):
        met = [costs[first:stop, start + j].min() for j, (first, stop) in enumerate(reach[: costs.shape[1] - start])]
        sums = np.cumsum(np.maximum(met, 0.0))[least - 1 :]
        found[start] = (sums <= limits[: len(sums)]).any()
    return found


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _lowered_twice(values, first, second, least, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        x, y, v = least[lane], values[first + lane], values[second + lane]
        x = y if y < x else x
        least[lane] = v if v < x else x


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _least_of_four(costs, c0, c1, c2, c3, runs, at, n_lanes):  # type: ignore[no-untyped-def]
    for lane in range(n_lanes):
        x, y, u, v = costs[c0 + lane], costs[c1 + lane], costs[c2 + lane], costs[c3 + lane]
        x = y if y < x else x
        u = v if v < u else u
        runs[at + lane] = u if u < x else x


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _added(sums, least, n_lanes):  # type: ignore[no-untyped-def]
    """No cost is below 0, whatever was taken off it."""
    nothing = np.float32(0.0)
    for lane in range(n_lanes):
        x = least[lane]
        sums[lane] += x if x > nothing else nothing


@njit(cache=True, nogil=True)
def _noted(sums, limit, out):  # type: ignore[no-untyped-def]
    for lane in range(len(out)):
        out[lane] |= sums[lane] <= limit


@njit(cache=True, nogil=True)
def _lengths_tile(  # type: ignore[no-untyped-def]
    z, squares, products, own, row_weights, reach, met, limits, costs, runs, least, sums, out
):
    """The windows that begin with the first poses of a tile. Row t of `costs` is query frame t with the poses from
    met[t] on; row t of `runs` the least of rows t to t + 3, with poses from met[t + 3] on."""
    wide = len(sums)
    n_lanes = uintp(wide)
    highest = limits.max()
    n_ready = 0  # query frames whose costs are known
    sums[:] = 0.0
    out[:] = False
    for j in range(len(reach)):
        low, high = reach[j, 0], reach[j, 1]
        while n_ready < high:
            t = n_ready
            frame_costs(z, squares, products, own, row_weights, t, met[t], costs[t * wide :], n_lanes)
            if t >= RUN - 1:
                c0 = (t - 3) * wide + met[t] - met[t - 3]
                c1 = (t - 2) * wide + met[t] - met[t - 2]
                c2 = (t - 1) * wide + met[t] - met[t - 1]
                at = uintp((t - 3) * wide)
                _least_of_four(costs, uintp(c0), uintp(c1), uintp(c2), uintp(t * wide), runs, at, n_lanes)
            n_ready += 1
        if high - low < RUN:
            copy_lanes(costs, uintp(low * wide + j - met[low]), least, uintp(0), n_lanes)
            for t in range(low + 1, high):
                lower_lanes(least, costs, uintp(t * wide + j - met[t]), n_lanes)
        else:
            copy_lanes(runs, uintp(low * wide + j - met[low + 3]), least, uintp(0), n_lanes)
            t = low + RUN
            while t + 2 * RUN <= high:
                one, other = t * wide + j - met[t + 3], (t + RUN) * wide + j - met[t + RUN + 3]
                _lowered_twice(runs, uintp(one), uintp(other), least, n_lanes)
                t += 2 * RUN
            if t + RUN <= high:
                lower_lanes(least, runs, uintp(t * wide + j - met[t + 3]), n_lanes)
                t += RUN
            if t < high:
                t = high - RUN
                lower_lanes(least, runs, uintp(t * wide + j - met[t + 3]), n_lanes)
        _added(sums, least, n_lanes)
        nth = j + 1 - (len(reach) - len(limits) + 1)
        if nth >= 0:
            _noted(sums, limits[nth], out)
        if j % CHECK == CHECK - 1 and not any_within(sums, uintp(len(out)), highest):
            return


@njit(cache=True, nogil=True)
def _lengths_tiles(  # type: ignore[no-untyped-def]
    thread, n_threads, z, steps, squares, products, own, row_weights, reach, met, limits, firsts, stops, wide, out
):
    n_poses = len(reach) + wide
    tile_z, tile_squares = np.empty(len(steps) * n_poses, dtype=np.float32), np.empty(n_poses, dtype=np.float32)
    # Lanes that belong to no window read beyond a row's end, and the last row's: there is room
    costs = np.zeros((len(own) + 1) * wide, dtype=np.float32)
    runs = np.zeros((len(own) + 1) * wide, dtype=np.float32)
    least, sums = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
    for tile in range(thread, len(firsts), n_threads):
        first, stop = firsts[tile], stops[tile]
        load_poses(z, steps, squares, first, tile_z, tile_squares)
        here = out[first:stop]
        _lengths_tile(
            tile_z, tile_squares, products, own, row_weights, reach, met, limits, costs, runs, least, sums, here
        )
