"""DTW of one query and all windows of a table, in lanes: one diagonal of the band after the other goes on in place."""

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import LANES, VECTOR_MATH, WIDE, LaneQuery, Poses, copy_lanes
from motionary.alignment.lanes_costs import (
    CHECK,
    any_within,
    frame_costs,
    lane_limit,
    lane_numbers,
    load_poses,
    lower_lanes,
    set_lanes,
    tiles,
)
from motionary.workers import in_threads


def dtw_lanes(
    query: LaneQuery,
    poses: Poses,
    spans: np.ndarray,
    *,
    radii: np.ndarray,
    limit: float = np.inf,
    wide: int | None = None,
    out: np.ndarray,
) -> None:
    """Write into `out` (F,) the least sums of all windows that begin in the rows [first, stop) of `spans` (N, 2).

    What is above `limit` may come out as infinite. `wide` lanes go side by side, some of them only for the band.
    """
    wide = lanes_for(radii, least=wide or WIDE)
    firsts, stops = tiles(spans, wide - 2 * int(radii.max()))
    numbers, limit_32 = lane_numbers(query, poses), lane_limit(query, limit)
    in_threads(_dtw_tiles, *numbers, radii, firsts, stops, wide, limit_32, out, n_parts=len(firsts))


def lanes_for(radii: np.ndarray, *, least: int = WIDE) -> int:
    """How many lanes a window needs: the band must fit beside them."""
    return max(least, -(-(2 * int(radii.max()) + LANES // 2) // LANES) * LANES)


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _step(sums, b, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """One diagonal of the band goes on by a query frame, in place: its left neighbour has gone already."""
    beside = b * n_lanes
    aslant = beside + n_lanes
    above = aslant + n_lanes
    for lane in range(n_lanes):
        x, y, v = sums[beside + lane], sums[aslant + lane], sums[above + lane]
        x = x if x < y else y
        sums[aslant + lane] = (x if x < v else v) + costs[shift + lane]


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _four_steps(sums, b, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """Four neighbouring diagonals at once, so that what one gives the next need not be read again."""
    s0 = b * n_lanes
    s1 = s0 + n_lanes
    s2 = s1 + n_lanes
    s3 = s2 + n_lanes
    s4 = s3 + n_lanes
    s5 = s4 + n_lanes
    shift_1, shift_2, shift_3 = shift + uintp(1), shift + uintp(2), shift + uintp(3)
    for lane in range(n_lanes):
        x, y1, y2 = sums[s0 + lane], sums[s1 + lane], sums[s2 + lane]
        y3, y4, y5 = sums[s3 + lane], sums[s4 + lane], sums[s5 + lane]
        v = y1 if y1 < y2 else y2
        x = (x if x < v else v) + costs[shift + lane]
        sums[s1 + lane] = x
        v = y2 if y2 < y3 else y3
        x = (x if x < v else v) + costs[shift_1 + lane]
        sums[s2 + lane] = x
        v = y3 if y3 < y4 else y4
        x = (x if x < v else v) + costs[shift_2 + lane]
        sums[s3 + lane] = x
        v = y4 if y4 < y5 else y5
        x = (x if x < v else v) + costs[shift_3 + lane]
        sums[s4 + lane] = x


@njit(cache=True, nogil=True, fastmath=VECTOR_MATH)
def _first_row(sums, b, before, costs, shift, n_lanes):  # type: ignore[no-untyped-def]
    """With the query's first frame, all that came before is to the left."""
    here, left = b * n_lanes, before * n_lanes
    for lane in range(n_lanes):
        sums[here + lane] = sums[left + lane] + costs[shift + lane]


@njit(cache=True, nogil=True)
def _dtw_tile(z, squares, products, own, row_weights, radii, widest, limit, sums, costs, least, out):  # type: ignore[no-untyped-def]
    """The windows that begin with the first poses of a tile. Row b + 1 of `sums` is the diagonal j − i = b − widest,
    for each window."""
    n_frames = len(radii)
    n_lanes = uintp(len(least))
    nowhere = np.float32(np.inf)
    set_lanes(sums, uintp(0), nowhere, uintp(len(sums)))
    low_before, high_before = widest, widest + 1
    for i in range(n_frames):
        low, high = widest - min(radii[i], i), widest + min(radii[i] + 1, n_frames - i)
        frame_costs(z, squares, products, own, row_weights, i, i + low - widest, costs, n_lanes)
        for b in range(low_before, low):  # left of this row's band
            set_lanes(sums, uintp(b + 1) * n_lanes, nowhere, n_lanes)
        b = low
        if i == 0:
            set_lanes(sums, uintp(widest) * n_lanes, np.float32(0.0), n_lanes)
            for b in range(widest, high):
                _first_row(sums, uintp(b + 1), uintp(b), costs, uintp(b - low), n_lanes)
            set_lanes(sums, uintp(widest) * n_lanes, nowhere, n_lanes)
        else:
            while b + 4 <= high:
                _four_steps(sums, uintp(b), costs, uintp(b - low), n_lanes)
                b += 4
            while b < high:
                _step(sums, uintp(b), costs, uintp(b - low), n_lanes)
                b += 1
        for b in range(high, high_before):  # right of it
            set_lanes(sums, uintp(b + 1) * n_lanes, nowhere, n_lanes)
        low_before, high_before = low, high
        if i % CHECK == CHECK - 1 and limit < np.inf:
            set_lanes(least, uintp(0), nowhere, n_lanes)
            for b in range(low, high):
                lower_lanes(least, sums, uintp(b + 1) * n_lanes, n_lanes)
            if not any_within(least, uintp(len(out)), limit):
                out[:] = np.inf
                return
    copy_lanes(sums, uintp(widest + 1) * n_lanes, out, uintp(0), uintp(len(out)))


@njit(cache=True, nogil=True)
def _dtw_tiles(  # type: ignore[no-untyped-def]
    thread, n_threads, z, steps, squares, products, own, row_weights, radii, firsts, stops, wide, limit, out
):
    widest, n_poses = radii.max(), len(own) + wide
    tile_z, tile_squares = np.empty(len(steps) * n_poses, dtype=np.float32), np.empty(n_poses, dtype=np.float32)
    sums = np.empty((2 * widest + 3) * wide, dtype=np.float32)
    costs = np.zeros(wide + 2 * widest + 1, dtype=np.float32)  # its end is for lanes that belong to no window
    least = np.empty(wide, dtype=np.float32)
    for tile in range(thread, len(firsts), n_threads):  # by turns: neighbours take about as long
        first, stop = firsts[tile], stops[tile]
        load_poses(z, steps, squares, first, tile_z, tile_squares)
        here = out[first:stop]
        _dtw_tile(tile_z, tile_squares, products, own, row_weights, radii, widest, limit, sums, costs, least, here)
