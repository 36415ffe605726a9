"""Match sequences: ways through a web from the first to the last frame of a query (Kovar & Gleicher 2004, sec. 3.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.search.match_web.pair_paths import LEVELS
from motionary.search.match_web.views import View

Cell = tuple[int, int, int]  # frames of the query's motion and of the other, and a level


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences that are no worse than others between the same frames, least mean first."""

    others: np.ndarray  # (K,) int32: the other motion
    starts: np.ndarray  # (K,) int32: frames [start, stop) of it
    stops: np.ndarray  # (K,) int32
    means: np.ndarray  # (K,) float64: of the squared distances along them, as shares of the squared ceiling
    ways: "_Ways"  # by number: the cells


def sequences_reference(
    paths: Sequence[Sequence[Cell]], bridges: Mapping[int, tuple[int, int]], first: int, last: int
) -> dict[tuple[int, int], float]:
    """The least mean for every (start, stop) that a sequence leads to, from all sequences of one pair of motions.

    `paths` have the cells of chains and bridges; those that are `bridges` lead from one path to another. Every path
    with a cell in row `first` begins a sequence, at its earliest cell there. It is followed to its end, or left by a
    bridge wherever one leaves it, and so on; a path that reaches row `last` ends one at its last cell in that row.
    """
    best: dict[tuple[int, int], float] = {}
    places = [[cell[:2] for cell in path] for path in paths]

    def walk(number: int, at: int, levels: list[int], start: int) -> None:
        """From a cell of a path on, whose level is counted already."""
        path = paths[number]

        def levels_to(end: int) -> list[int]:
            return levels + [level for _, _, level in path[at + 1 : end + 1]]

        ends = [n for n in range(at, len(path)) if path[n][0] == last]
        if ends:
            key = start, path[ends[-1]][1] + 1
            mean = float(np.mean(np.square(levels_to(ends[-1])))) / LEVELS**2
            best[key] = min(mean, best.get(key, np.inf))
        if number in bridges and path[-1][0] <= last:
            onto = bridges[number][1]
            walk(onto, places[onto].index(places[number][-1]), levels_to(len(path) - 1), start)
        for bridge, (left, _) in bridges.items():
            leave = places[number].index(places[bridge][0]) if left == number else -1
            if leave >= at and path[leave][0] <= last:
                walk(bridge, 0, levels_to(leave), start)

    for number, path in enumerate(paths):
        begin = next((n for n, cell in enumerate(path) if cell[0] == first), None)
        if begin is not None:
            walk(number, begin, [path[begin][2]], path[begin][1])
    return best


def sequences(view: View, first: int, last: int) -> Sequences:
    """The best sequences from row `first` to row `last`, one for every motion, start and stop.

    Ways that have come to the same cell from the same start are compared there: one with no smaller sum and no more
    cells than another can never have the smaller mean, and is not followed. So all of them are found that enumeration
    finds, without its exponential growth.
    """
    arrays = (
        view.firsts,
        view.begins,
        view.ends,
        view.frames,
        view.other_frames,
        view.sums,
        view.to_paths,
        view.to_cells,
    )
    labels = _sequences(arrays, view.bridge_firsts, view.bridges, view.leave_at, first, last)
    numbers = np.flatnonzero(labels[:, END] >= 0)
    ended = labels[numbers]
    ends, starts = ended[:, END], ended[:, START]
    totals = ended[:, TOTAL] + view.sums[ends + 1] - view.sums[ended[:, CELL] + 1]
    means = totals / (ended[:, COUNT] + ends - ended[:, CELL]) / LEVELS**2
    others, stops = view.others[ended[:, PATH]], view.other_frames[ends] + 1
    order = np.lexsort((means, stops, starts, others))
    between = np.stack([others, starts, stops])[:, order]
    is_first = np.ones(len(order), dtype=bool)  # of those between the same frames, the one of least mean
    is_first[1:] = (np.diff(between, axis=1) != 0).any(axis=0)
    order = order[is_first]
    order = order[np.argsort(means[order], kind="stable")]
    return Sequences(
        others[order],
        starts[order].astype(np.int32),
        stops[order].astype(np.int32),
        means[order],
        _Ways(labels, numbers[order]),
    )


# The columns of a label, a way that has come to a cell: the path and the cell (of all) it is on now; its squared levels
# and cells so far, this one with them; the label before, and the cell where its path was left; the cell where this way
# ends, if it stays on its path, else −1; and the other motion's frame where it began.
PATH, CELL, TOTAL, COUNT, BEFORE, LEFT_AT, END, START = range(8)


class _Ways:
    """Which cells of a view sequences lead through."""

    def __init__(self, labels: np.ndarray, numbers: np.ndarray) -> None:
        self._labels, self._numbers = labels, numbers

    @property
    def n_labels(self) -> int:
        return len(self._labels)

    def spans(self, k: int) -> tuple[tuple[int, int], ...]:
        """Cells [first, stop) of one path after the other: all there is to remember of a sequence."""
        label, found = int(self._numbers[k]), []
        end = int(self._labels[label, END])
        while label >= 0:
            _, cell, _, _, before, left_at, _, _ = self._labels[label].tolist()
            found.append((cell if before < 0 else cell + 1, end + 1))
            label, end = before, left_at
        return tuple(found[::-1])


def way_along(view: View, spans: Iterable[tuple[int, int]]) -> np.ndarray:
    """(N, 2) int32: frames of the query's motion and of the other, from the start on."""
    parts = [(view.frames[first:stop], view.other_frames[first:stop]) for first, stop in spans]
    return np.stack([np.concatenate(side) for side in zip(*parts, strict=True)], axis=1)


@njit(cache=True, nogil=True)
def _sequences(arrays, bridge_firsts, bridges, leave_at, first, last):  # type: ignore[no-untyped-def]
    firsts, begins, ends, frames, other_frames, sums, to_paths, to_cells = arrays
    labels = np.empty((256, 8), dtype=np.int64)
    # Numbers are all made np.int64: plain ones are types of their own, for which Numba would compile `_add` again
    n_labels, one, none = np.int64(0), np.int64(1), np.int64(-1)
    for path in range(len(firsts) - 1):
        if begins[path] > first or ends[path] < first:
            continue
        start = firsts[path] + np.searchsorted(frames[firsts[path] : firsts[path + 1]], first)
        begun = n_labels
        level = sums[start + 1] - sums[start]
        n_labels, labels = _add(
            labels, n_labels, begun, path, start, level, one, none, none, np.int64(other_frames[start])
        )
        at = begun
        while at < n_labels:
            here, cell = labels[at, PATH], labels[at, CELL]
            stop = firsts[here + 1]
            if ends[here] >= last:
                labels[at, END] = cell + np.searchsorted(frames[cell:stop], last, side="right") - 1
            if to_paths[here] >= 0 and ends[here] <= last:
                n_labels, labels = _change(labels, n_labels, begun, at, to_paths[here], to_cells[here], stop - 1, sums)
            for n in range(bridge_firsts[here], bridge_firsts[here + 1]):
                if leave_at[n] >= cell and frames[leave_at[n]] <= last:
                    bridge = bridges[n]
                    n_labels, labels = _change(labels, n_labels, begun, at, bridge, firsts[bridge], leave_at[n], sums)
            at += 1
    return labels[:n_labels]


@njit(cache=True, nogil=True)
def _change(labels, n_labels, begun, at, path, cell, leave, sums):  # type: ignore[no-untyped-def]
    """From the cell `leave` of a label's path onto another path, at the cell that is the same."""
    total = labels[at, TOTAL] + sums[leave + 1] - sums[labels[at, CELL] + 1]
    count = labels[at, COUNT] + leave - labels[at, CELL]
    return _add(
        labels, n_labels, begun, np.int64(path), np.int64(cell), total, count, at, np.int64(leave), labels[at, START]
    )


@njit(cache=True, nogil=True)
def _add(labels, n_labels, begun, path, cell, total, count, before, left_at, start):  # type: ignore[no-untyped-def]
    """Unless a way with the same start has come there with no larger sum and no fewer cells."""
    for n in range(begun, n_labels):
        same = labels[n, PATH] == path and labels[n, CELL] == cell
        if same and labels[n, TOTAL] <= total and labels[n, COUNT] >= count:
            return n_labels, labels
    if n_labels == len(labels):
        larger = np.empty((2 * len(labels), labels.shape[1]), dtype=np.int64)
        for n in range(n_labels):
            for column in range(labels.shape[1]):
                larger[n, column] = labels[n, column]
        labels = larger
    row = labels[n_labels]
    row[PATH], row[CELL], row[TOTAL], row[COUNT] = path, cell, total, count
    row[BEFORE], row[LEFT_AT], row[END], row[START] = before, left_at, -1, start
    return n_labels + 1, labels
