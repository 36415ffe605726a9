"""Bridges: the best ways from one chain to another through the valid region."""

from dataclasses import dataclass

import numpy as np
from numba import njit, uint64

from motionary.search.match_web.chains import MOST_ON_ONE, Paths
from motionary.search.match_web.grid import Cells

N_STATES = 2 * MOST_ON_ONE - 1  # how many cells of a row, or of a column, a path has just gone through in a run
START = 9  # in place of a state that a path comes from
NOT_THERE = -1
NEVER = 2**30
ONE = np.uint64(1)  # numbers that cannot be below 0 are quicker to index with
CELL, KIND, ACROSS, LEFT, BELOW = range(5)  # of a node: its cell, what it is, and the nodes from which steps lead to it
SOURCE, BETWEEN, TARGET = range(3)
assert MOST_ON_ONE == 3  # which the kernel's states are written for


@dataclass(frozen=True, eq=False)
class Bridges:
    """Paths between chains; the first cell of each lies on one chain, the last on another."""

    paths: Paths
    chains: np.ndarray  # (B, 2) int32: which chain each comes from, and which it leads to


def least_mean_path_reference(
    values: dict[tuple[int, int], float], sources: set[tuple[int, int]], targets: set[tuple[int, int]]
) -> tuple[float, list[tuple[int, int]]] | None:
    """The least mean of a path from a source to a target, and one such path, from all there are.

    Between its ends a path touches neither; it steps right, up or both, and stays at most k cells in a row or column.
    """
    best: tuple[float, list[tuple[int, int]]] | None = None

    def walk(path: list[tuple[int, int]]) -> None:
        nonlocal best
        i, j = path[-1]
        for cell in ((i + 1, j + 1), (i, j + 1), (i + 1, j)):
            run = [*path[-MOST_ON_ONE:], cell]
            too_long = len(run) > MOST_ON_ONE and any(len({one[axis] for one in run}) == 1 for axis in (0, 1))
            if cell not in values or cell in sources or too_long:
                continue
            longer = [*path, cell]
            if cell in targets:
                mean = sum(values[one] for one in longer) / len(longer)
                if best is None or mean < best[0]:
                    best = mean, longer
            else:
                walk(longer)

    for start in sorted(sources & values.keys()):
        walk([start])
    return best


def bridges(cells: Cells, found: Paths, *, furthest: int) -> Bridges:
    """From every chain to every other that ways lead to which span less than so many frames of both motions together.

    Looked for is the path of least mean between any cell of one and any of the other, along cells that lie on such
    ways. It is found by Dinkelbach's method: with λ at the best mean so far, the least sum of (value − λ) is below 0 as
    long as there is a better path.
    """
    pairs, *paths = find_bridges(
        *(cells.firsts, cells.columns, cells.values),
        *(found.firsts, found.rows, found.columns, found.values, furthest),
    )
    return Bridges(Paths(*paths), pairs)


@njit(cache=True, nogil=True)
def find_bridges(cell_firsts, cell_columns, cell_values, firsts, rows, columns, values, furthest):  # type: ignore[no-untyped-def]
    """Chains that bridges lead from and to (B, 2), and the arrays of their `Paths`."""
    chain_of = np.full(len(cell_columns), NOT_THERE, dtype=np.int32)
    _mark_chains(cell_firsts, cell_columns, firsts, rows, columns, chain_of)
    pairs, ends, path = _bridges(
        cell_firsts, cell_columns, cell_values, chain_of, firsts, rows, columns, values, furthest
    )
    path_rows = np.empty(len(path), dtype=np.int32)
    for n in range(len(path)):
        path_rows[n] = np.searchsorted(cell_firsts, path[n], side="right") - 1
    return pairs, ends, path_rows, cell_columns[path], cell_values[path]


@njit(cache=True, nogil=True)
def _mark_chains(firsts, columns, chain_firsts, rows, chain_columns, chain_of):  # type: ignore[no-untyped-def]
    for chain in range(len(chain_firsts) - 1):
        for n in range(chain_firsts[chain], chain_firsts[chain + 1]):
            row = rows[n]
            chain_of[_first_from(columns, firsts[row], firsts[row + 1], chain_columns[n])] = chain


@njit(cache=True, nogil=True)
def _bridges(  # type: ignore[no-untyped-def]
    cell_firsts, cell_columns, cell_values, chain_of, firsts, rows, columns, values, furthest
):
    """(pairs of chains, where their bridges' cells end, the cells).

    Before each pair there is room for what it may add: of nodes as many as there are cells in its box, on the path as
    many as nodes, of pairs one.
    """
    n_chains = len(firsts) - 1
    box = np.empty(4, dtype=np.int64)
    means = np.empty(n_chains)
    for a in range(n_chains):
        means[a] = values[firsts[a] : firsts[a + 1]].mean()
    pairs, n_pairs = np.empty((64, 2), dtype=np.int32), 0
    ends, path, n_path = np.zeros(65, dtype=np.int64), np.empty(4096, dtype=np.int64), 0
    spans = np.zeros((len(cell_firsts), 2), dtype=np.int64)  # of a row: where its cells in the box begin and end
    lines = np.empty((2, cell_columns.max() + 3 if len(cell_columns) else 3), dtype=np.int32)
    since, until = np.empty(1024, dtype=np.int32), np.empty(1024, dtype=np.int32)
    nodes, came = np.empty((1024, 5), np.int32), np.empty((1024, N_STATES), np.uint8)
    sums = np.empty((1024, N_STATES), np.float32)
    for a in range(n_chains):
        last_row, last_column = rows[firsts[a + 1] - 1], columns[firsts[a + 1] - 1]
        for b in range(n_chains):
            first, last = firsts[b], firsts[b + 1] - 1
            if rows[first] - last_row >= furthest:
                break  # chains are ordered by the rows they begin in
            if a == b or rows[last] < rows[firsts[a]]:
                continue
            if columns[last] < columns[firsts[a]] or columns[first] - last_column >= furthest:
                continue
            if not _near_box(firsts, rows, columns, a, b, furthest, box):
                continue
            n_inside = 0
            for i in range(box[0], box[1] + 1):
                low, high = _span(cell_firsts, cell_columns, i, box[2], box[3])
                spans[i, 0], spans[i, 1] = low, high
                n_inside += high - low
            if n_inside > len(since):
                since, until = np.empty(2 * n_inside, dtype=np.int32), np.empty(2 * n_inside, dtype=np.int32)
                nodes, came = np.empty((2 * n_inside, 5), np.int32), np.empty((2 * n_inside, N_STATES), np.uint8)
                sums = np.empty((2 * n_inside, N_STATES), np.float32)
            n_nodes = _find_ways(cell_columns, chain_of, a, b, furthest, box, spans, lines, since, until, nodes)
            if n_nodes == 0:
                continue
            if n_path + n_nodes > len(path):
                path = _longer(path, 2 * len(path) + n_nodes)
            n = _least_mean_path(nodes[:n_nodes], cell_values, (means[a] + means[b]) / 2.0, sums, came, path[n_path:])
            if n == 0:
                continue
            if n_pairs == len(pairs):
                more = np.empty((2 * n_pairs, 2), dtype=np.int32)
                for k in range(n_pairs):
                    more[k, 0], more[k, 1] = pairs[k, 0], pairs[k, 1]
                pairs, ends = more, _longer(ends, 2 * n_pairs + 1)
            pairs[n_pairs, 0], pairs[n_pairs, 1] = a, b
            n_path += n
            n_pairs += 1
            ends[n_pairs] = n_path
    return pairs[:n_pairs].copy(), ends[: n_pairs + 1].copy(), path[:n_path].copy()


@njit(cache=True, nogil=True)
def _longer(array, length):  # type: ignore[no-untyped-def]
    out = np.empty(length, dtype=array.dtype)
    for n in range(len(array)):
        out[n] = array[n]
    return out


@njit(cache=True, nogil=True)
def _span(firsts, columns, i, low, high):  # type: ignore[no-untyped-def]
    """The cells of a row in columns [low, high]."""
    begin = _first_from(columns, firsts[i], firsts[i + 1], low)
    return begin, _first_from(columns, begin, firsts[i + 1], high + 1)


@njit(cache=True, nogil=True)
def _first_from(columns, first, stop, column):  # type: ignore[no-untyped-def]
    """The first of the cells [first, stop) that is in this column or further right."""
    while first < stop:
        middle = (first + stop) // 2
        if columns[middle] < column:
            first = middle + 1
        else:
            stop = middle
    return first


@njit(cache=True, nogil=True)
def _near_box(firsts, rows, columns, a, b, furthest, box):  # type: ignore[no-untyped-def]
    """The box of all cells of a and b with one of the other ahead of it, or behind, nearer than `furthest`."""
    found = False
    begin = firsts[b]
    for s in range(firsts[a], firsts[a + 1]):
        while begin < firsts[b + 1] and (rows[begin] < rows[s] or columns[begin] < columns[s]):
            begin += 1  # what is behind this cell is behind all that follow it
        for t in range(begin, firsts[b + 1]):
            up, right = rows[t] - rows[s], columns[t] - columns[s]
            if up + right >= furthest:
                break  # further along the chain it only gets further
            if not found:
                box[0], box[1], box[2], box[3] = rows[s], rows[t], columns[s], columns[t]
                found = True
            box[0], box[2] = min(box[0], rows[s]), min(box[2], columns[s])
            box[1], box[3] = max(box[1], rows[t]), max(box[3], columns[t])
    return found


@njit(cache=True, nogil=True)
def _find_ways(columns, chain_of, a, b, furthest, box, spans, lines, since, until, nodes):  # type: ignore[no-untyped-def]
    """Write those cells of the box that lie on ways from chain a to chain b shorter than `furthest`; how many.

    Row and column together tell how far along a way a cell is, whichever way. So `since`, the latest place where a way
    to a cell leaves a, and `until`, the earliest where one from it meets b, tell the length of the shortest through it.
    `lines` hold, column by column, what is passed on from a row to the next.
    """
    width, left = uint64(box[3] - box[2] + 3), uint64(box[2] - 1)
    found, at = False, uint64(0)
    for i in range(box[0], box[1] + 1):
        now, before = uint64(i & 1), uint64(1 - (i & 1))
        _fill(lines, i & 1, width, NOT_THERE)
        if i == box[0]:
            _fill(lines, 1 - (i & 1), width, NOT_THERE)
        for k in range(uint64(spans[i, 0]), uint64(spans[i, 1])):
            c = uint64(columns[k]) - left
            latest = max(lines[now, c - ONE], max(lines[before, c], lines[before, c - ONE]))
            chain, place = chain_of[k], i + columns[k]
            passed = latest = place if chain == a else latest
            until[at] = NEVER
            if chain == b:
                passed = NOT_THERE
                if latest >= 0 and place - latest < furthest:
                    until[at], found = place, True
            since[at], lines[now, c] = latest, passed
            at += ONE
    if not found:
        return 0
    for i in range(box[1], box[0] - 1, -1):
        now, after = uint64(i & 1), uint64(1 - (i & 1))
        _fill(lines, i & 1, width, NEVER)
        if i == box[1]:
            _fill(lines, 1 - (i & 1), width, NEVER)
        k = uint64(spans[i, 1])
        for _ in range(spans[i, 1] - spans[i, 0]):
            k -= ONE
            at -= ONE
            c, chain = uint64(columns[k]) - left, chain_of[k]
            earliest = min(lines[now, c + ONE], min(lines[after, c], lines[after, c + ONE]))
            earliest = until[at] if chain == b else earliest
            is_on_way = since[at] >= 0 and earliest - since[at] < furthest
            since[at] = since[at] if is_on_way else NOT_THERE
            lines[now, c] = earliest if is_on_way and chain != a else NEVER
    return _list_nodes(columns, chain_of, a, b, box, spans, lines, since, nodes)


@njit(cache=True, nogil=True)
def _fill(lines, n, width, value):  # type: ignore[no-untyped-def]
    line = uint64(n)
    for c in range(width):
        lines[line, c] = value


@njit(cache=True, nogil=True)
def _list_nodes(columns, chain_of, a, b, box, spans, lines, since, nodes):  # type: ignore[no-untyped-def]
    """Write cells that are left, with the numbers of those from which steps lead to them; how many there are."""
    width, left = uint64(box[3] - box[2] + 3), uint64(box[2] - 1)
    n_nodes, at = 0, uint64(0)
    for i in range(box[0], box[1] + 1):
        now, before = uint64(i & 1), uint64(1 - (i & 1))
        _fill(lines, i & 1, width, NOT_THERE)
        if i == box[0]:
            _fill(lines, 1 - (i & 1), width, NOT_THERE)
        for k in range(uint64(spans[i, 0]), uint64(spans[i, 1])):
            if since[at] >= 0:
                c, chain = uint64(columns[k]) - left, chain_of[k]
                nodes[n_nodes, CELL] = k
                nodes[n_nodes, KIND] = SOURCE if chain == a else TARGET if chain == b else BETWEEN
                nodes[n_nodes, ACROSS] = lines[before, c - ONE]
                nodes[n_nodes, LEFT], nodes[n_nodes, BELOW] = lines[now, c - ONE], lines[before, c]
                lines[now, c] = NOT_THERE if chain == b else n_nodes
                n_nodes += 1
            at += ONE
    return n_nodes


@njit(cache=True, nogil=True)
def _least_mean_path(nodes, values, mean, sums, came, path):  # type: ignore[no-untyped-def]
    """Write the cells of the path of least mean from a source to a target; how many, 0 if none leads there.

    `mean` is a guess to begin with. A path may be written that is worse than the one before: then that is put back.
    """
    n_best = 0
    best = path[:0].copy()
    while True:
        node, state = _least_sum(nodes, values, mean, sums, came)
        if node < 0:
            return 0
        n, total = 0, 0.0
        while True:
            path[n] = nodes[node, CELL]
            total += values[path[n]]
            n += 1
            before = came[node, state]
            if before == START:
                break
            node = nodes[node, ACROSS if state == 0 else LEFT if state <= 2 else BELOW]
            state = before
        if n_best and not total / n < mean:
            for k in range(n_best):
                path[k] = best[k]
            return n_best
        for k in range(n // 2):
            path[k], path[n - 1 - k] = path[n - 1 - k], path[k]
        mean, n_best, best = total / n, n, path[:n].copy()


@njit(cache=True, nogil=True)
def _least_sum(nodes, values, mean, sums, came):  # type: ignore[no-untyped-def]
    """Where the path of least Σ (value − mean) ends, and in which state; −1 if there is none.

    States: 0 came from the lower left (or starts here); 1 and 2 have two and three cells in this row; 3 and 4 in this
    column. `came` is the state before.
    """
    infinite = np.float32(np.inf)
    least, end, end_state = infinite, -1, 0
    for n in range(len(nodes)):
        cost = np.float32(values[nodes[n, CELL]] - mean)
        if nodes[n, KIND] == SOURCE:
            sums[n, 0], came[n, 0] = cost, START
            sums[n, 1] = sums[n, 2] = sums[n, 3] = sums[n, 4] = infinite
            continue
        across, row_two, row_three, column_two, column_three = infinite, infinite, infinite, infinite, infinite
        other = nodes[n, ACROSS]
        if other >= 0:
            across, state = sums[other, 0], 0
            for s in range(1, N_STATES):
                if sums[other, s] < across:
                    across, state = sums[other, s], s
            came[n, 0] = state
        other = nodes[n, LEFT]
        if other >= 0:
            row_two, state = sums[other, 0], 0
            for s in (3, 4):
                if sums[other, s] < row_two:
                    row_two, state = sums[other, s], s
            row_three, came[n, 1], came[n, 2] = sums[other, 1], state, 1
        other = nodes[n, BELOW]
        if other >= 0:
            column_two, state = sums[other, 0], 0
            for s in (1, 2):
                if sums[other, s] < column_two:
                    column_two, state = sums[other, s], s
            column_three, came[n, 3], came[n, 4] = sums[other, 3], state, 3
        sums[n, 0], sums[n, 1], sums[n, 2] = across + cost, row_two + cost, row_three + cost
        sums[n, 3], sums[n, 4] = column_two + cost, column_three + cost
        if nodes[n, KIND] == TARGET:
            for s in range(N_STATES):
                if sums[n, s] < least:
                    least, end, end_state = sums[n, s], n, s
    return end, end_state
