"""Bridges: the best ways from one chain to another through the valid region."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.chains import MOST_ON_ONE, Paths
from motionary.search.match_web.grid import Cells

N_STATES = 2 * MOST_ON_ONE - 1  # how many cells of a row, or of a column, a path has just gone through in a run
START = 9  # in place of a state that a path comes from
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
    """From every chain to every other that begins less than so many frames, of both motions together, further on.

    Looked for is the path of least mean between any cell of one and any of the other, within the box of those of their
    cells that are that near to each other.
    """
    n_chains = found.n_paths
    kept: list[np.ndarray] = []
    kept_values: list[np.ndarray] = []
    pairs: list[tuple[int, int]] = []
    boxes = np.empty((n_chains, 4), dtype=np.int64)
    _chain_boxes(found.firsts, found.rows, found.columns, boxes)
    near = np.empty(4, dtype=np.int64)
    for a in range(n_chains):
        ahead = (
            (boxes[:, 1] >= boxes[a, 0])
            & (boxes[:, 3] >= boxes[a, 2])
            & (np.maximum(boxes[:, 0] - boxes[a, 1], 0) + np.maximum(boxes[:, 2] - boxes[a, 3], 0) < furthest)
        )
        ahead[a] = False
        for b in np.flatnonzero(ahead):
            if not _near_box(found.firsts, found.rows, found.columns, a, b, furthest, near):
                continue
            path = _bridge(cells, found, a, int(b), near)
            if path is not None:
                kept.append(path[0])
                kept_values.append(path[1])
                pairs.append((a, int(b)))
    flat = np.concatenate([np.zeros((0, 2), dtype=np.int32), *kept])
    firsts = np.concatenate([[0], np.cumsum([len(path) for path in kept])]).astype(np.int64)
    values = np.concatenate([np.zeros(0, dtype=np.float32), *kept_values])
    paths = Paths(firsts, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]), values)
    return Bridges(paths, np.array(pairs, dtype=np.int32).reshape(-1, 2))


def least_mean_path(grid: np.ndarray, sources: np.ndarray, targets: np.ndarray) -> np.ndarray | None:
    """The cells (N, 2) of the path of least mean from a source to a target; None if none leads there.

    The grid (R, C) is infinite where no path may go; the two others are masks. The mean is found by Dinkelbach's
    method: with λ at the best mean so far, the least sum of (value − λ) is below 0 as long as there is a better path.
    """
    n_rows, n_columns = grid.shape
    sums = np.empty((2, n_columns, N_STATES))
    came = np.empty((n_rows, n_columns, N_STATES), dtype=np.uint8)
    path = np.empty((n_rows + n_columns, 2), dtype=np.int32)
    return _least_mean_path(grid, sources, targets, sums, came, path)


def _bridge(cells: Cells, found: Paths, a: int, b: int, box: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    shape = int(box[1] - box[0] + 1), int(box[3] - box[2] + 1)
    grid = np.full(shape, np.inf, dtype=np.float32)
    _fill(cells.firsts, cells.columns, cells.values, box, grid)
    masks = np.zeros((2, *shape), dtype=np.bool_)
    for mask, chain in zip(masks, (a, b), strict=True):
        _mark(found.firsts, found.rows, found.columns, chain, box, mask)
    path = least_mean_path(grid, masks[0], masks[1])
    if path is None:
        return None
    return path + box[[0, 2]].astype(np.int32), grid[path[:, 0], path[:, 1]]


@njit(cache=True, nogil=True)
def _chain_boxes(firsts, rows, columns, boxes):  # type: ignore[no-untyped-def]
    for a in range(len(firsts) - 1):
        first, last = firsts[a], firsts[a + 1] - 1
        boxes[a, 0], boxes[a, 1], boxes[a, 2], boxes[a, 3] = rows[first], rows[last], columns[first], columns[last]


@njit(cache=True, nogil=True)
def _near_box(firsts, rows, columns, a, b, furthest, box):  # type: ignore[no-untyped-def]
    """The box of all cells of a and b with one of the other ahead of it, or behind, nearer than `furthest`."""
    found = False
    for s in range(firsts[a], firsts[a + 1]):
        for t in range(firsts[b], firsts[b + 1]):
            up, right = rows[t] - rows[s], columns[t] - columns[s]
            if up < 0 or right < 0:
                continue
            if up + right >= furthest:
                break  # further along the chain it only gets further
            if not found:
                box[0], box[1], box[2], box[3] = rows[s], rows[t], columns[s], columns[t]
                found = True
            box[0], box[2] = min(box[0], rows[s]), min(box[2], columns[s])
            box[1], box[3] = max(box[1], rows[t]), max(box[3], columns[t])
    return found


@njit(cache=True, nogil=True)
def _fill(firsts, columns, values, box, grid):  # type: ignore[no-untyped-def]
    for i in range(box[0], box[1] + 1):
        low, high = firsts[i], firsts[i + 1]
        while low < high:  # the first cell not left of the box
            middle = (low + high) // 2
            if columns[middle] < box[2]:
                low = middle + 1
            else:
                high = middle
        while low < firsts[i + 1] and columns[low] <= box[3]:
            grid[i - box[0], columns[low] - box[2]] = values[low]
            low += 1


@njit(cache=True, nogil=True)
def _mark(firsts, rows, columns, chain, box, mask):  # type: ignore[no-untyped-def]
    for k in range(firsts[chain], firsts[chain + 1]):
        if box[0] <= rows[k] <= box[1] and box[2] <= columns[k] <= box[3]:
            mask[rows[k] - box[0], columns[k] - box[2]] = True


@njit(cache=True, nogil=True)
def _least_mean_path(grid, sources, targets, sums, came, path):  # type: ignore[no-untyped-def]
    mean, best = 0.0, path[:0].copy()
    while True:
        i, j, state = _least_sum(grid, sources, targets, mean, sums, came)
        if i < 0:
            return None
        n, total = 0, 0.0
        while True:
            path[n, 0], path[n, 1] = i, j
            total += grid[i, j]
            n += 1
            before = came[i, j, state]
            if before == START:
                break
            if state == 0:
                i, j = i - 1, j - 1
            elif state <= 2:
                j -= 1
            else:
                i -= 1
            state = before
        if len(best) and not total / n < mean:
            return best
        mean, best = total / n, path[:n][::-1].copy()


@njit(cache=True, nogil=True)
def _least_sum(grid, sources, targets, mean, sums, came):  # type: ignore[no-untyped-def]
    """Where the path of least Σ (value − mean) ends, and in which state; −1 if there is none.

    States: 0 came from the lower left (or starts here); 1 and 2 have two and three cells in this row; 3 and 4 in this
    column. `came` is the state before.
    """
    n_rows, n_columns = grid.shape
    least, row, column, state = np.inf, -1, -1, 0
    sums[:] = np.inf
    for i in range(n_rows):
        now, below = sums[i % 2], sums[1 - i % 2]
        for j in range(n_columns):
            now[j, :] = np.inf
            if grid[i, j] == np.inf:
                continue
            cost = grid[i, j] - mean
            if sources[i, j]:
                now[j, 0], came[i, j, 0] = cost, START
                continue
            if i > 0 and j > 0 and not targets[i - 1, j - 1]:
                for s in range(N_STATES):
                    if below[j - 1, s] + cost < now[j, 0]:
                        now[j, 0], came[i, j, 0] = below[j - 1, s] + cost, s
            if j > 0 and not targets[i, j - 1]:
                left = now[j - 1]
                for s in (0, 3, 4):
                    if left[s] + cost < now[j, 1]:
                        now[j, 1], came[i, j, 1] = left[s] + cost, s
                if left[1] + cost < now[j, 2]:
                    now[j, 2], came[i, j, 2] = left[1] + cost, 1
            if i > 0 and not targets[i - 1, j]:
                for s in (0, 1, 2):
                    if below[j, s] + cost < now[j, 3]:
                        now[j, 3], came[i, j, 3] = below[j, s] + cost, s
                if below[j, 3] + cost < now[j, 4]:
                    now[j, 4], came[i, j, 4] = below[j, 3] + cost, 3
            if targets[i, j]:
                for s in range(N_STATES):
                    if now[j, s] < least:
                        least, row, column, state = now[j, s], i, j, s
    return row, column, state
