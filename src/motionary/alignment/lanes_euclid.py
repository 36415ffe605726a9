"""The Euclidean distance of one query and all windows of a table, in lanes."""

import numpy as np
from numba import get_num_threads, njit, prange, uintp

from motionary.alignment.lanes import WIDE, LaneQuery, Poses
from motionary.alignment.lanes_costs import (
    CHECK,
    add_lanes,
    any_within,
    frame_costs,
    lane_limit,
    lane_numbers,
    load_poses,
    tiles,
)


def euclid_lanes(
    query: LaneQuery,
    poses: Poses,
    spans: np.ndarray,
    *,
    limit: float = np.inf,
    every: int = 1,
    wide: int = WIDE,
    out: np.ndarray,
) -> None:
    """Write into `out` (F,) the sums of all windows that begin in the rows [first, stop) of `spans` (N, 2).

    What is above `limit` may come out as infinite. With `every`, only each so-many-th query frame is summed up. `wide`
    windows go side by side: a multiple of 64.
    """
    firsts, stops = tiles(spans, wide)
    numbers, limit_32, n_threads = lane_numbers(query, poses), lane_limit(query, limit), np.int64(get_num_threads())
    _euclid_spans(*numbers, np.int64(every), firsts, stops, np.int64(wide), limit_32, n_threads, out)


@njit(cache=True, nogil=True)
def _euclid_tile(z, squares, products, own, row_weights, every, limit, sums, costs, out):  # type: ignore[no-untyped-def]
    """The windows that begin with the first poses of a tile."""
    n_lanes = uintp(len(sums))
    sums[:] = 0.0
    for step, i in enumerate(range(0, len(own), every)):
        frame_costs(z, squares, products, own, row_weights, i, i, costs, n_lanes)
        add_lanes(sums, costs, n_lanes)
        if step % CHECK == CHECK - 1 and limit < np.inf and not any_within(sums, uintp(len(out)), limit):
            out[:] = np.inf
            return
    out[:] = sums[: len(out)]


@njit(cache=True, nogil=True, parallel=True)
def _euclid_spans(  # type: ignore[no-untyped-def]
    z, steps, squares, products, own, row_weights, every, firsts, stops, wide, limit, n_threads, out
):
    n_poses = len(own) + wide
    for thread in prange(n_threads):
        tile_z, tile_squares = np.empty(len(steps) * n_poses, dtype=np.float32), np.empty(n_poses, dtype=np.float32)
        sums, costs = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
        for tile in range(thread, len(firsts), n_threads):
            first, stop = firsts[tile], stops[tile]
            load_poses(z, steps, squares, first, tile_z, tile_squares)
            here = out[first:stop]
            _euclid_tile(tile_z, tile_squares, products, own, row_weights, every, limit, sums, costs, here)
