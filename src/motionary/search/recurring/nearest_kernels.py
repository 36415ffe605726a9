"""The inner loops of looking for near windows: over blocks, sketches and rows."""

import numpy as np
from numba import njit, prange

TILE = 64  # blocks that are passed over together
ROOM = 1.0 + 1e-9  # more than roundings of sums in double precision come to


def reach_of(sketches: np.ndarray, blocks: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """How far (V, B) the sketches of a block's offsets are from that of its middle; never too little."""
    out = np.zeros(middles.shape[:2], dtype=np.float32)
    _reaches(sketches, blocks, middles, out)
    return out


def tile_reaches(reaches: np.ndarray) -> np.ndarray:
    """The largest reach (T,) of every tile of blocks (B,)."""
    return np.maximum.reduceat(reaches, np.arange(0, len(reaches), TILE))


def measure_at(query: np.ndarray, weights: np.ndarray, table: np.ndarray, rows: np.ndarray, limit: float) -> np.ndarray:
    """The distances (N,) of a window (n, D) and those at `rows` of a table; infinite for those above the limit."""
    out = np.empty(len(rows))
    _measure_at(query, weights, table, rows, limit, out)
    return out


@njit(cache=True, nogil=True, parallel=True)
def bound_blocks(  # type: ignore[no-untyped-def]
    products, own, squares, reaches, tile_reaches, blocks, forbidden, first_number, slack, lower, least, found
):
    """Bring down, for every window, the least root of any sketch's distance (`lower`), and the nearest middle
    (`least`, by its square; `found`, by its number), over some blocks."""
    n_blocks = products.shape[1]
    for i in prange(products.shape[0]):
        not_from, not_to = forbidden[i, 0], forbidden[i, 1]
        low, best = lower[i], least[i]
        for first in range(0, n_blocks, TILE):
            stop = min(first + TILE, n_blocks)
            reach = tile_reaches[first // TILE]
            limit = max((low + reach) * (low + reach) + slack, best) - own[i]
            n_near = 0
            for b in range(first, stop):
                n_near += squares[b] - np.float32(2.0) * products[i, b] < limit
            if n_near == 0:
                continue
            for b in range(first, stop):
                if blocks[b, 0] >= not_from and blocks[b, 1] <= not_to:
                    continue
                square = own[i] + squares[b] - np.float32(2.0) * products[i, b]
                if square < best:
                    best = square
                    found[i] = first_number + b
                low = min(low, np.sqrt(max(square - slack, np.float32(0.0))) - reaches[b])
        lower[i], least[i] = low, best


@njit(cache=True, nogil=True, parallel=True)
def open_blocks(found, blocks, forbidden, queries, weights, table, distances, rows, mirrored):  # type: ignore[no-untyped-def]
    """Measure what lies in one block for each of some windows, and keep the nearest."""
    n_blocks = len(blocks)
    for i in prange(len(found)):
        if found[i] < 0:
            continue
        v, b = found[i] // n_blocks, found[i] % n_blocks
        sums = np.empty(table.shape[1])
        for row in range(blocks[b, 0], blocks[b, 1]):
            if forbidden[i, 0] <= row < forbidden[i, 1]:
                continue
            distance = _distance(queries[v, i], table, row, weights[v], distances[i], sums)
            if distance < distances[i]:
                distances[i], rows[i], mirrored[i] = distance, row, v == 1


@njit(cache=True, nogil=True, parallel=True)
def nearest_in(  # type: ignore[no-untyped-def]
    products, numbers, own, squares, reaches, tile_reaches, blocks, sketches, forbidden, allowed, queries, weights,
    table, error, slack, distances, rows, mirrored,
):  # fmt: skip
    """The nearest offset of each of some windows within `distances`, which become those of the nearest."""
    n_blocks, n_all = len(blocks), len(squares)
    for i in prange(len(distances)):
        sums = np.empty(table.shape[1])
        nearest, least = -1, np.float32(np.inf)
        for b in range(n_all):  # the best middle first: what it leads to lets most others be passed over
            square = squares[b] - np.float32(2.0) * products[i, b]
            if square < least and not (
                blocks[b % n_blocks, 0] >= forbidden[i, 0] and blocks[b % n_blocks, 1] <= forbidden[i, 1]
            ):
                nearest, least = b, square
        if nearest < 0:
            continue
        for turn in range(-1, (n_all + TILE - 1) // TILE):
            first, stop = (nearest, nearest + 1) if turn < 0 else (turn * TILE, min((turn + 1) * TILE, n_all))
            reach = reaches[nearest] if turn < 0 else tile_reaches[turn]
            root = np.sqrt(distances[i]) * ROOM + error
            limit = np.float32(((root + reach) ** 2 + slack) * (1.0 + 1e-6) - own[i] * (1.0 - 1e-6))
            n_near = 0
            for b in range(first, stop):
                n_near += squares[b] - np.float32(2.0) * products[i, b] <= limit
            if n_near == 0:
                continue
            for b in range(first, stop):
                root = np.sqrt(distances[i]) * ROOM + error
                if own[i] + squares[b] - np.float32(2.0) * products[i, b] > (root + reaches[b]) ** 2 + slack:
                    continue
                v = b // n_blocks
                for row in range(blocks[b - v * n_blocks, 0], blocks[b - v * n_blocks, 1]):
                    if not allowed[row] or forbidden[i, 0] <= row < forbidden[i, 1]:
                        continue
                    if _gap(numbers[i], sketches[v, row]) > root * root * ROOM:
                        continue
                    distance = _distance(queries[v, i], table, row, weights[v], distances[i], sums)
                    better = distance < distances[i] or (distance == distances[i] and rows[i] < 0)
                    if better or (distance == distances[i] and (row, v == 1) < (rows[i], mirrored[i])):
                        distances[i], rows[i], mirrored[i] = distance, row, v == 1
                        root = np.sqrt(distances[i]) * ROOM + error


@njit(cache=True, nogil=True, parallel=True)
def _measure_at(query, weights, table, rows, limit, out):  # type: ignore[no-untyped-def]
    for k in prange(len(rows)):
        out[k] = _distance(query, table, rows[k], weights, limit, np.empty(table.shape[1]))


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


@njit(cache=True, nogil=True, parallel=True)
def _reaches(sketches, blocks, middles, out):  # type: ignore[no-untyped-def]
    for b in prange(len(blocks)):
        for v in range(len(sketches)):
            farthest = 0.0
            for row in range(blocks[b, 0], blocks[b, 1]):
                farthest = max(farthest, _gap(sketches[v, row], middles[v, b]))
            out[v, b] = np.float32(np.sqrt(farthest) * (1.0 + 1e-6))
