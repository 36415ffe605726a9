"""Bridges: the best ways from one chain to another through the valid region."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.chains import MOST_ON_ONE, Paths
from motionary.search.match_web.grid import Cells

N_STATES = 2 * MOST_ON_ONE - 1  # how many cells of a row, or of a column, a path has just gone through in a run
START = 9  # in place of a state that a path comes from
NOT_THERE = -1
NEVER = 2**30
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
    n_cells = len(cell_columns)
    left, below, across = np.empty(n_cells, np.int32), np.empty(n_cells, np.int32), np.empty(n_cells, np.int32)
    _neighbours(cell_firsts, cell_columns, left, below, across)
    chain_of = np.full(n_cells, NOT_THERE, dtype=np.int32)
    _mark_chains(cell_firsts, cell_columns, firsts, rows, columns, chain_of)
    pairs, ends, path = _bridges(
        cell_firsts, cell_columns, cell_values, left, below, across, chain_of, firsts, rows, columns, values, furthest
    )
    path_rows = np.empty(len(path), dtype=np.int32)
    for n in range(len(path)):
        path_rows[n] = np.searchsorted(cell_firsts, path[n], side="right") - 1
    return pairs, ends, path_rows, cell_columns[path], cell_values[path]


@njit(cache=True, nogil=True)
def _neighbours(firsts, columns, left, below, across):  # type: ignore[no-untyped-def]
    """The cells from which a step leads to each cell: from the left, from below, and from the lower left."""
    for i in range(len(firsts) - 1):
        n = firsts[i - 1] if i > 0 else 0
        stop = firsts[i] if i > 0 else 0
        for k in range(firsts[i], firsts[i + 1]):
            left[k] = k - 1 if k > firsts[i] and columns[k - 1] == columns[k] - 1 else NOT_THERE
            while n < stop and columns[n] < columns[k] - 1:
                n += 1
            across[k] = below[k] = NOT_THERE
            if n < stop and columns[n] == columns[k] - 1:
                across[k] = n
                if n + 1 < stop and columns[n + 1] == columns[k]:
                    below[k] = n + 1
            elif n < stop and columns[n] == columns[k]:
                below[k] = n


@njit(cache=True, nogil=True)
def _mark_chains(firsts, columns, chain_firsts, rows, chain_columns, chain_of):  # type: ignore[no-untyped-def]
    for chain in range(len(chain_firsts) - 1):
        for n in range(chain_firsts[chain], chain_firsts[chain + 1]):
            first = firsts[rows[n]]
            chain_of[first + np.searchsorted(columns[first : firsts[rows[n] + 1]], chain_columns[n])] = chain


@njit(cache=True, nogil=True)
def _bridges(  # type: ignore[no-untyped-def]
    cell_firsts, cell_columns, cell_values, left, below, across, chain_of, firsts, rows, columns, values, furthest
):
    n_chains = len(firsts) - 1
    box = np.empty(4, dtype=np.int64)
    means = np.empty(n_chains)
    for a in range(n_chains):
        means[a] = values[firsts[a] : firsts[a + 1]].mean()
    pairs, n_pairs = np.empty((64, 2), dtype=np.int32), 0
    ends, path, n_path = np.zeros(65, dtype=np.int64), np.empty(4096, dtype=np.int64), 0
    spans = np.zeros((len(cell_firsts), 3), dtype=np.int64)  # of a row: where its cells begin among all, end, and
    # begin among those of the box
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
                spans[i, 0], spans[i, 1], spans[i, 2] = low, high, n_inside
                n_inside += high - low
            if n_inside > len(since):
                since, until = np.empty(2 * n_inside, dtype=np.int32), np.empty(2 * n_inside, dtype=np.int32)
                nodes, came = np.empty((2 * n_inside, 5), np.int32), np.empty((2 * n_inside, N_STATES), np.uint8)
                sums = np.empty((2 * n_inside, N_STATES), np.float32)
            n_nodes = _find_ways(
                cell_columns, left, below, across, chain_of, a, b, furthest, box, spans, since, until, nodes
            )  # fmt: skip
            if n_nodes == 0:
                continue
            if n_path + n_nodes > len(path):
                path = _longer(path, 2 * len(path) + n_nodes)
            n = _least_mean_path(nodes[:n_nodes], cell_values, (means[a] + means[b]) / 2.0, sums, came, path[n_path:])
            if n == 0:
                continue
            if n_pairs == len(pairs):
                more = np.empty((2 * n_pairs, 2), dtype=np.int32)
                more[:n_pairs] = pairs
                pairs, ends = more, _longer(ends, 2 * n_pairs + 1)
            pairs[n_pairs, 0], pairs[n_pairs, 1] = a, b
            n_path += n
            n_pairs += 1
            ends[n_pairs] = n_path
    return pairs[:n_pairs].copy(), ends[: n_pairs + 1].copy(), path[:n_path].copy()


@njit(cache=True, nogil=True)
def _longer(array, n):  # type: ignore[no-untyped-def]
    out = np.empty(n, dtype=array.dtype)
    out[: len(array)] = array
    return out


@njit(cache=True, nogil=True)
def _span(firsts, columns, i, low, high):  # type: ignore[no-untyped-def]
    """The cells of a row in columns [low, high]."""
    first, stop = firsts[i], firsts[i + 1]
    begin = first + np.searchsorted(columns[first:stop], low)
    return begin, begin + np.searchsorted(columns[begin:stop], high, side="right")


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
def _find_ways(columns, left, below, across, chain_of, a, b, furthest, box, spans, since, until, nodes):  # type: ignore[no-untyped-def]
    """Write those cells of the box that lie on ways from chain a to chain b shorter than `furthest`; how many.

    Row and column together tell how far along a way a cell is, whichever way. So `since`, the latest place where a way
    to a cell leaves a, and `until`, the earliest where one from it meets b, tell the length of the shortest through it.
    """
    found = False
    low_below, high_below, at_below = 0, 0, 0
    for i in range(box[0], box[1] + 1):
        low, high, at_row = spans[i]
        for k in range(low, high):
            at = at_row + k - low
            until[at] = NEVER
            if chain_of[k] == a:
                since[at] = i + columns[k]
                continue
            latest = NOT_THERE
            n = left[k]
            if n >= low and chain_of[n] != b:
                latest = since[at_row + n - low]
            for n in (below[k], across[k]):
                if low_below <= n < high_below and chain_of[n] != b:
                    latest = max(latest, since[at_below + n - low_below])
            since[at] = latest
            if chain_of[k] == b and latest >= 0 and i + columns[k] - latest < furthest:
                until[at] = i + columns[k]
                found = True
        low_below, high_below, at_below = low, high, at_row
    if not found:
        return 0
    for i in range(box[1], box[0] - 1, -1):
        low, high, at_row = spans[i]
        low_below, high_below, at_below = 0, 0, 0
        if i > box[0]:
            low_below, high_below, at_below = spans[i - 1]
        for k in range(high - 1, low - 1, -1):
            at = at_row + k - low
            if since[at] < 0 or until[at] - since[at] >= furthest:
                since[at] = NOT_THERE
                continue
            if chain_of[k] == a:
                continue
            if left[k] >= low and chain_of[left[k]] != b:
                before = at_row + left[k] - low
                until[before] = min(until[before], until[at])
            for n in (below[k], across[k]):
                if low_below <= n < high_below and chain_of[n] != b:
                    before = at_below + n - low_below
                    until[before] = min(until[before], until[at])
    return _list_nodes(left, below, across, chain_of, a, b, box, spans, since, until, nodes)


@njit(cache=True, nogil=True)
def _list_nodes(left, below, across, chain_of, a, b, box, spans, since, numbers, nodes):  # type: ignore[no-untyped-def]
    """Write cells that are left, with the numbers of those from which steps lead to them; how many there are."""
    n_nodes = 0
    low_below, high_below, at_below = 0, 0, 0
    for i in range(box[0], box[1] + 1):
        low, high, at_row = spans[i]
        for k in range(low, high):
            at = at_row + k - low
            numbers[at] = NOT_THERE
            if since[at] < 0:
                continue
            node = nodes[n_nodes]
            node[CELL], node[KIND] = k, SOURCE if chain_of[k] == a else TARGET if chain_of[k] == b else BETWEEN
            node[ACROSS] = node[LEFT] = node[BELOW] = NOT_THERE
            n = across[k]
            if low_below <= n < high_below and chain_of[n] != b:
                node[ACROSS] = numbers[at_below + n - low_below]
            n = left[k]
            if n >= low and chain_of[n] != b:
                node[LEFT] = numbers[at_row + n - low]
            n = below[k]
            if low_below <= n < high_below and chain_of[n] != b:
                node[BELOW] = numbers[at_below + n - low_below]
            numbers[at] = n_nodes
            n_nodes += 1
        low_below, high_below, at_below = low, high, at_row
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
            path[:n_best] = best
            return n_best
        path[:n] = path[:n][::-1].copy()
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
        now, came_from = sums[n], came[n]
        if nodes[n, KIND] == SOURCE:
            now[:] = infinite
            now[0], came_from[0] = cost, START
            continue
        across, row_two, row_three, column_two, column_three = infinite, infinite, infinite, infinite, infinite
        other = nodes[n, ACROSS]
        if other >= 0:
            before = sums[other]
            across, state = before[0], 0
            for s in range(1, N_STATES):
                if before[s] < across:
                    across, state = before[s], s
            came_from[0] = state
        other = nodes[n, LEFT]
        if other >= 0:
            before = sums[other]
            row_two, state = before[0], 0
            for s in (3, 4):
                if before[s] < row_two:
                    row_two, state = before[s], s
            row_three, came_from[1], came_from[2] = before[1], state, 1
        other = nodes[n, BELOW]
        if other >= 0:
            before = sums[other]
            column_two, state = before[0], 0
            for s in (1, 2):
                if before[s] < column_two:
                    column_two, state = before[s], s
            column_three, came_from[3], came_from[4] = before[3], state, 3
        now[0], now[1], now[2] = across + cost, row_two + cost, row_three + cost
        now[3], now[4] = column_two + cost, column_three + cost
        if nodes[n, KIND] == TARGET:
            for s in range(N_STATES):
                if now[s] < least:
                    least, end, end_state = now[s], n, s
    return end, end_state
