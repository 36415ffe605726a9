"""The Euclidean distance of one query and all windows of a table, in lanes."""

import numpy as np
from numba import get_num_threads, njit, prange, uintp

from motionary.alignment.lanes import WIDE, LaneQuery, Poses
from motionary.alignment.lanes_costs import CHECK, add_lanes, any_within, frame_costs, lane_limit, lane_numbers, tiles


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
    z, squares, products, own, row_weights = lane_numbers(query, poses)
    firsts, stops = tiles(spans, wide)
    n_threads, limit_32 = np.int64(get_num_threads()), lane_limit(query, limit)
    _euclid_spans(
        z, squares, products, own, row_weights, np.int64(every), firsts, stops, np.int64(wide), limit_32, n_threads, out
    )


@njit(cache=True, nogil=True)
def _euclid_tile(z, squares, products, own, row_weights, every, first, stop, limit, sums, costs, out):  # type: ignore[no-untyped-def]
    n_lanes = uintp(len(sums))
    sums[:] = 0.0
    for step, i in enumerate(range(0, len(own), every)):
        frame_costs(z, squares, products, own, row_weights, i, first + i, costs, n_lanes)
        add_lanes(sums, costs, n_lanes)
        if step % CHECK == CHECK - 1 and limit < np.inf and not any_within(sums, uintp(stop - first), limit):
            out[first:stop] = np.inf
            return
    out[first:stop] = sums[: stop - first]


@njit(cache=True, nogil=True, parallel=True)
def _euclid_spans(z, squares, products, own, row_weights, every, firsts, stops, wide, limit, n_threads, out):  # type: ignore[no-untyped-def]
    for thread in prange(n_threads):
        sums, costs = np.empty(wide, dtype=np.float32), np.empty(wide, dtype=np.float32)
        for tile in range(thread, len(firsts), n_threads):
            first, stop = firsts[tile], stops[tile]
            _euclid_tile(z, squares, products, own, row_weights, every, first, stop, limit, sums, costs, out)
