"""The best way through labels in order, staying in each for some time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.route import Route
from motionary.graph.searching import SECS_PER_CM, penalties, times_to_end

MOST_CELLS = 64_000_000  # of a table of frames and times: 256 MB


@dataclass(frozen=True, eq=False)
class Stay:
    """What remains to be paid from the frames of a label, for every time that one still has to stay.

    `table` (T + 1, M) float32, for T frames still to stay down to 0; M frames carry the label, `frames` (M,).
    """

    graph: MotionGraph  # only what lies within the label
    numbers: np.ndarray  # of its transitions in the whole graph
    frames: np.ndarray  # (M,)
    table: np.ndarray

    @property
    def to_enter(self) -> np.ndarray:
        """What remains to be paid (F,) by whoever begins to stay; infinity outside of the label."""
        found = np.full(self.graph.ways.n_frames, np.inf)
        found[self.frames] = self.table[-1]
        return found


def route_through(
    graph: MotionGraph, start: int, labels: Sequence[tuple[str, int]], *, secs_per_cm: float = SECS_PER_CM
) -> Route:
    """The best way from a frame through labels in order, each without a break for so many frames at least.

    The best of all, by its length and what its transitions cost, as in `shortest_route`; with a dwell, the best of
    those in which no stay begins or ends before the dwell after a transition is over. Found from the end to the
    beginning: what is still to be paid from every frame of a label, for every time that one still has to stay; from
    that, what is to be paid from anywhere by whoever is on the way to the label.
    """
    later = np.zeros(graph.ways.n_frames)
    stays: list[Stay] = []
    following = ""
    for label, n_frames in reversed(labels):
        stay = _stay(graph, label, n_frames, later, secs_per_cm)
        if not np.isfinite(stay.table[-1]).any():
            alone = _stay(graph, label, n_frames, np.zeros(len(later)), secs_per_cm)
            if np.isfinite(alone.table[-1]).any():
                raise UsageError(
                    f"no path in this graph leads from the label {label!r} to the label {following!r}; a higher "
                    "threshold makes more transitions"
                )
            raise UsageError(
                f"the label {label!r} cannot be kept for {n_frames / graph.rate_hz:g} s: none of its segments is that "
                "long, and no transitions lead back into it; use fewer seconds or a higher threshold"
            )
        following = label
        stays.insert(0, stay)
        later = times_to_end(graph, stay.to_enter, secs_per_cm=secs_per_cm)
    if not np.isfinite(later[start]):
        raise UsageError(
            f"no path in this graph leads from this frame to the label {labels[0][0]!r}; a higher threshold makes more "
            "transitions"
        )
    taken: list[int] = []
    at = start
    for stay in stays:
        at = _entered(graph, at, stay.to_enter, taken, secs_per_cm)
        at = _stayed(at, stay, taken, secs_per_cm)
    return Route(graph, start, np.array(taken, dtype=np.int64), at)


def is_small_enough(graph: MotionGraph, labels: Sequence[tuple[str, int]]) -> bool:
    """Whether the tables of `route_through` fit into memory."""
    return all((n_frames + 1) * int(graph.labelled(label).sum()) <= MOST_CELLS for label, n_frames in labels)


def least_cost_in_order_reference(graph: MotionGraph, start: int, labels: Sequence[tuple[str, int]]) -> float:
    """The fewest frames from a frame through labels in order, without dwell, frame by frame (Bellman & Ford).

    A node is a frame, how many labels are done, and how long one still has to stay in the next (−1: not begun).
    """
    masks = [graph.labelled(label) for label, _ in labels]
    stops = graph.clip_stops
    within = []
    for mask in masks:
        some = graph.restricted(mask).transitions[["source", "target"]].tolist()
        within.append({tuple(one) for one in some})
    best = {(start, 0, -1): 0.0}
    todo = [(start, 0, -1)]
    ended = np.inf
    while todo:
        state = todo.pop()
        frame, done, left = state
        cost = best[state]
        if done == len(labels):
            ended = min(ended, cost)
            continue
        ways = []
        if left < 0 and masks[done][frame]:
            ways.append(((frame, done, labels[done][1]), cost))
        if left == 0:
            ways.append(((frame, done + 1, -1), cost))
        mask = masks[done]
        if frame + 1 < stops[frame] and (left < 0 or (left > 0 and mask[frame + 1])):
            ways.append(((frame + 1, done, left - 1 if left > 0 else left), cost + 1.0))
        for number in np.flatnonzero(graph.departs == frame).tolist():
            length = int(graph.lengths[number])
            arrive = int(graph.arrives[number])
            inside = tuple(graph.transitions[["source", "target"]][number].tolist()) in within[done]
            if left < 0 or (left > 0 and inside):
                ways.append(((arrive, done, max(left - length, 0) if left > 0 else left), cost + length))
        for way, value in ways:
            if value < best.get(way, np.inf):
                best[way] = value
                todo.append(way)
    return float(ended)


def _stay(graph: MotionGraph, label: str, n_frames: int, later: np.ndarray, secs_per_cm: float) -> Stay:
    mask = graph.labelled(label)
    if graph.allowed is not None:
        mask = mask & graph.allowed
    inside = graph.restricted(mask)
    frames = np.flatnonzero(mask)
    number = np.full(graph.ways.n_frames + 1, -1)
    number[frames] = np.arange(len(frames))
    following = np.where(frames + 1 < inside.clip_stops[frames], number[frames + 1], -1)
    landings = inside.arrives + inside.dwell
    lands = number[np.minimum(landings, graph.ways.n_frames)]
    lands = np.where(landings < inside.clip_stops[inside.arrives], lands, -1)
    firsts = np.searchsorted(inside.departs, frames)
    lasts = np.searchsorted(inside.departs, frames, side="right")
    table = np.empty((n_frames + 1, len(frames)), dtype=np.float32)
    table[0] = later[frames]
    _fill(table, following, firsts, lasts, lands, inside.lengths + inside.dwell, penalties(inside, secs_per_cm))
    return Stay(inside, graph.numbers_of(inside), frames, table)


def _entered(graph: MotionGraph, at: int, values: np.ndarray, taken: list[int], secs_per_cm: float) -> int:
    """Go to where a stay begins; returns the frame."""
    ahead = times_to_end(graph, values, secs_per_cm=secs_per_cm)
    extra = penalties(graph, secs_per_cm)
    stops, landings = graph.clip_stops, graph.arrives + graph.dwell
    while True:
        # play on to where the stay begins, or to a departure, whichever leads to the least
        later = np.arange(at, int(stops[at]))
        enter = later - at + values[later]
        best = float(enter.min())
        low, high = np.searchsorted(graph.departs, [at, int(stops[at])])
        some = np.arange(low, high)
        some = some[landings[some] < stops[graph.arrives[some]]]
        by = graph.departs[some] - at + graph.lengths[some] + extra[some] + graph.dwell + ahead[landings[some]]
        if not len(some) or best <= float(by.min()) + 1e-9:
            return int(later[int(enter.argmin())])
        number = int(some[int(by.argmin())])
        taken.append(number)
        at = int(landings[number])


def _stayed(at: int, stay: Stay, taken: list[int], secs_per_cm: float) -> int:
    """Stay for as long as wanted; returns the frame at the end."""
    inside, left = stay.graph, len(stay.table) - 1
    extra = penalties(inside, secs_per_cm)
    landings = inside.arrives + inside.dwell
    number_of = {int(frame): number for number, frame in enumerate(stay.frames.tolist())}
    while left > 0:
        ways = []  # cost, frame, time left, transition
        if at + 1 < int(inside.clip_stops[at]) and at + 1 in number_of:
            ways.append((float(stay.table[left - 1, number_of[at + 1]]) + 1.0, at + 1, left - 1, -1))
        for number in range(*np.searchsorted(inside.departs, [at, at + 1]).tolist()):
            land, steps = int(landings[number]), int(inside.lengths[number]) + inside.dwell
            if land in number_of and land < int(inside.clip_stops[inside.arrives[number]]):
                then = max(left - steps, 0)
                cost = float(stay.table[then, number_of[land]]) + steps + float(extra[number])
                ways.append((cost, land, then, number))
        _, at, left, number = min(ways)
        if number >= 0:
            taken.append(int(stay.numbers[number]))
    return at


@njit(cache=True, nogil=True)
def _fill(table, following, firsts, lasts, lands, steps, extra):  # type: ignore[no-untyped-def]
    """Row by row: play on, or take a transition; each leads to a row above."""
    for left in range(1, table.shape[0]):
        for m in range(table.shape[1]):
            best = np.float32(np.inf)
            if following[m] >= 0:
                best = table[left - 1, following[m]] + np.float32(1.0)
            for k in range(firsts[m], lasts[m]):
                if lands[k] >= 0:
                    best = min(best, np.float32(table[max(left - steps[k], 0), lands[k]] + steps[k] + extra[k]))
            table[left, m] = best
