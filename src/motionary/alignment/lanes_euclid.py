"""The Euclidean distance of one query and all windows of a table, in lanes."""

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import WIDE, LaneQuery, Poses, copy_lanes
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
from motionary.workers import in_threads


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
    numbers, limit_32 = lane_numbers(query, poses), lane_limit(query, limit)
    in_threads(_euclid_tiles, *numbers, every, firsts, stops, wide, limit_32, out, n_parts=len(firsts))


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
    copy_lanes(sums, uintp(0), out, uintp(0), uintp(len(out)))


@njit(cache=True, nogil=True)
def _euclid_tiles(  # type: ignore[no-untyped-def]
    thread, n_threads, z, steps, squares, products, own, row_weights, every, firsts, stops, wide, limit, out
):
    n_poses = len(own) + wide
    tile_z, tile_squares = np.empty(len(steps) * n_poses, dtype=np.float32), np.empty(n_poses, dtype=np.float32)
    sums, costs = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
    for tile in range(thread, len(firsts), n_threads):
        first, stop = firsts[tile], stops[tile]
        load_poses(z, steps, squares, first, tile_z, tile_squares)
        here = out[first:stop]
        _euclid_tile(tile_z, tile_squares, products, own, row_weights, every, limit, sums, costs, here)
