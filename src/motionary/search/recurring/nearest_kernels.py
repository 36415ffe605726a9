"""The inner loops of looking for near windows: over blocks, sketches and rows."""

import numpy as np
from numba import njit

from motionary.search.recurring.block_lanes import TILE, tile_squares
from motionary.workers import in_threads

ROOM = 1.0 + 1e-9  # more than roundings of sums in double precision come to
ROOM_32 = 1.0 + 1e-6  # the same in single precision


def reach_of(sketches: np.ndarray, blocks: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """How far (V, B) the sketches of a block's offsets are from that of its middle; never too little."""
    out = np.zeros(middles.shape[:2], dtype=np.float32)
    in_threads(_reaches, sketches, blocks, middles, out, n_parts=len(blocks))
    return out


def measure_at(query: np.ndarray, weights: np.ndarray, table: np.ndarray, rows: np.ndarray, limit: float) -> np.ndarray:
    """The distances (N,) of a window (n, D) and those at `rows` of a table; infinite for those above the limit."""
    out = np.empty(len(rows))
    in_threads(_measure_at, query, weights, table, rows, float(limit), out, n_parts=len(rows))
    return out


@njit(cache=True, nogil=True)
def bound_blocks(  # type: ignore[no-untyped-def]
    thread,
    n_threads,
    z,
    squares,
    edges,
    products,
    own,
    reaches,
    tile_reaches,
    blocks,
    forbidden,
    slack,
    lower,
    least,
    found,
):
    """For every window the least root of any sketch's distance (`lower`, never above it), and the nearest middle
    (`least`, by its square; `found`, by its lane)."""
    tiles_a_side = (len(blocks) + TILE - 1) // TILE
    near = np.empty(TILE, dtype=np.float32)
    for t in range(len(z)):  # a tile stays at hand for all windows
        first = (t % tiles_a_side) * TILE
        for i in range(thread, len(products), n_threads):
            low, best = lower[i], least[i]
            limit = np.float32(max((low + tile_reaches[t]) ** 2 + slack, best))
            if not tile_squares(z, squares, edges, products, own, i, t, limit, near):
                continue
            for lane in range(min(TILE, len(blocks) - first)):
                square, reach = near[lane], reaches[t, lane]
                if square >= best and square >= (low + reach) * (low + reach) + slack:
                    continue
                if blocks[first + lane, 0] >= forbidden[i, 0] and blocks[first + lane, 1] <= forbidden[i, 1]:
                    continue
                if square < best:
                    best = square
                    found[i] = t * TILE + lane
                low = min(low, np.sqrt(max(square - slack, np.float32(0.0))) - reach)
            lower[i], least[i] = low, best


@njit(cache=True, nogil=True)
def open_blocks(thread, n_threads, found, blocks, forbidden, queries, weights, table, distances, rows, mirrored):  # type: ignore[no-untyped-def]
    """Measure what lies in one block for each of some windows, and keep the nearest."""
    lanes_a_side = (len(blocks) + TILE - 1) // TILE * TILE
    for i in range(thread, len(found), n_threads):
        if found[i] < 0:
            continue
        v, b = found[i] // lanes_a_side, found[i] % lanes_a_side
        sums = np.empty(table.shape[1])
        for row in range(blocks[b, 0], blocks[b, 1]):
            if forbidden[i, 0] <= row < forbidden[i, 1]:
                continue
            distance = _distance(queries[v, i], table, row, weights[v], distances[i], sums)
            if distance < distances[i]:
                distances[i], rows[i], mirrored[i] = distance, row, v == 1


@njit(cache=True, nogil=True)
def nearest_in(  # type: ignore[no-untyped-def]
    thread, n_threads, z, squares, edges, products, own, reaches, tile_reaches, blocks, numbers, sketches, forbidden,
    allowed, queries, weights, table, error, slack, distances, rows, mirrored,
):  # fmt: skip
    """The nearest offset of each of some windows within `distances`, which become those of the nearest."""
    tiles_a_side = (len(blocks) + TILE - 1) // TILE
    sums, near = np.empty(table.shape[1]), np.empty(TILE, dtype=np.float32)
    for t in range(len(z)):
        v, first = t // tiles_a_side, (t % tiles_a_side) * TILE
        for i in range(thread, len(products), n_threads):
            root = np.sqrt(distances[i]) * ROOM + error
            limit = np.float32(((root + tile_reaches[t]) ** 2 + slack) * ROOM_32)
            if not tile_squares(z, squares, edges, products, own, i, t, limit, near):
                continue
            for lane in range(min(TILE, len(blocks) - first)):
                root = np.sqrt(distances[i]) * ROOM + error
                if near[lane] > (root + reaches[t, lane]) ** 2 + slack:
                    continue
                for row in range(blocks[first + lane, 0], blocks[first + lane, 1]):
                    if not allowed[row] or forbidden[i, 0] <= row < forbidden[i, 1]:
                        continue
                    if _gap(numbers[i], sketches[v, row]) > root * root * ROOM:
                        continue
                    distance = _distance(queries[v, i], table, row, weights[v], distances[i], sums)
                    better = distance < distances[i] or (distance == distances[i] and rows[i] < 0)
                    if better or (distance == distances[i] and (row, v == 1) < (rows[i], mirrored[i])):
                        distances[i], rows[i], mirrored[i] = distance, row, v == 1
                        root = np.sqrt(distances[i]) * ROOM + error


@njit(cache=True, nogil=True)
def blocks_within(  # type: ignore[no-untyped-def]
    thread, n_threads, z, squares, edges, products, own, reaches, tile_reaches, root, slack, out
):
    """Tell of every lane (T, TILE) whether its block may hold something as near as `root` to the one window."""
    near = np.empty(TILE, dtype=np.float32)
    for t in range(thread, len(z), n_threads):
        limit = np.float32(((root + tile_reaches[t]) ** 2 + slack) * ROOM_32)
        if tile_squares(z, squares, edges, products, own, np.int64(0), t, limit, near):
            for lane in range(TILE):
                out[t, lane] = near[lane] <= (root + reaches[t, lane]) ** 2 + slack


@njit(cache=True, nogil=True)
def _measure_at(thread, n_threads, query, weights, table, rows, limit, out):  # type: ignore[no-untyped-def]
    sums = np.empty(table.shape[1])
    for k in range(thread, len(rows), n_threads):
        out[k] = _distance(query, table, rows[k], weights, limit, sums)


@njit(cache=True, nogil=True)
def _distance(query, table, row, weights, give_up_above, sums):  # type: ignore[no-untyped-def]
    """What `euclid` gives for the window at a row, to the last bit; infinite if it is above `give_up_above`."""
    n_frames, n_dimensions = query.shape
    # First in any order, side by side: most windows are farther away, and this tells it several times as fast
    for d in range(n_dimensions):
        sums[d] = 0.0
    for f in range(n_frames):
        for d in range(n_dimensions):
            gap = query[f, d] - table[row + f, d]
            sums[d] += weights[d] * (gap * gap)
        if f % 10 == 9 and sums.sum() > give_up_above * ROOM:
            return np.inf
    if sums.sum() > give_up_above * ROOM:
        return np.inf
    total = 0.0
    for f in range(n_frames):
        cost = 0.0
        for d in range(n_dimensions):
            gap = query[f, d] - table[row + f, d]
            cost += weights[d] * (gap * gap)
        total += cost
    return total if total <= give_up_above else np.inf


@njit(cache=True, nogil=True)
def _gap(a, b):  # type: ignore[no-untyped-def]
    """|a − b|² of two sketches, in double precision, summed four by four."""
    sums = (0.0, 0.0, 0.0, 0.0)
    one, two, three, four = sums
    n = len(a)
    for k in range(0, n - n % 4, 4):
        one += (np.float64(a[k]) - b[k]) ** 2
        two += (np.float64(a[k + 1]) - b[k + 1]) ** 2
        three += (np.float64(a[k + 2]) - b[k + 2]) ** 2
        four += (np.float64(a[k + 3]) - b[k + 3]) ** 2
    for k in range(n - n % 4, n):
        one += (np.float64(a[k]) - b[k]) ** 2
    return one + two + three + four


@njit(cache=True, nogil=True)
def _reaches(thread, n_threads, sketches, blocks, middles, out):  # type: ignore[no-untyped-def]
    for b in range(thread, len(blocks), n_threads):
        for v in range(len(sketches)):
            farthest = 0.0
            for row in range(blocks[b, 0], blocks[b, 1]):
                farthest = max(farthest, _gap(sketches[v, row], middles[v, b]))
            out[v, b] = np.float32(np.sqrt(farthest) * (1.0 + 1e-6))
