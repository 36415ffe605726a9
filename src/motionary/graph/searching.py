"""The shortest way from a frame to a frame, or to any frame of some."""

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.route import Route

SECS_PER_CM = 0.02  # how much longer a way may be to avoid a transition that is 1 cm worse


def shortest_route(
    graph: MotionGraph,
    start: int,
    goal: int | np.ndarray,
    *,
    secs_per_cm: float = SECS_PER_CM,
    place: complex = 0.0j,
    heading: float = 0.0,
) -> Route:
    """The quickest way from the frame `start` to the frame `goal`, or to any frame of a mask (F,).

    Transitions cost time besides, by their distance: `secs_per_cm`; 0 gives the shortest motion. Raises if there is no
    way.
    """
    until = frames_until(graph, goal_mask(graph, goal))
    ways = graph.choices
    last, came_from, by_transition = _shortest(
        graph.departs, graph.arrives, graph.lengths, penalties(graph, secs_per_cm), ways.stays_at, ways.leads_to,
        int(graph.first_departures[start]), start, until,
    )  # fmt: skip
    if last == -2:
        whither = "that label" if isinstance(goal, np.ndarray) else "the other"
        raise UsageError(
            f"no path in this graph leads from this frame to {whither}; a higher threshold makes more transitions, and "
            "`graph info` tells how much of the library is connected"
        )
    taken = []
    while last >= 0:
        taken.append(last)
        node = last
        while came_from[node] >= 0 and not by_transition[node]:
            node = came_from[node]
        last = came_from[node]
    taken.reverse()
    arrived = int(graph.arrives[taken[-1]]) if taken else start
    return Route(
        graph, start, np.array(taken, dtype=np.int64), arrived + int(until[arrived]), place=place, heading=heading
    )


def shortest_frames_reference(graph: MotionGraph, start: int, goal: np.ndarray) -> float:
    """The fewest frames from a frame to any of a mask, frame by frame (Bellman & Ford), from the definition.

    A node is a frame and how long one has to stay yet before leaving again.
    """
    stops = graph.clip_stops
    best = {(start, 0): 0.0}
    changed = True
    while changed:
        changed = False
        for (frame, wait), so_far in list(best.items()):
            ways = []
            if frame + 1 < stops[frame]:
                ways.append(((frame + 1, max(wait - 1, 0)), so_far + 1.0))
            if wait == 0:
                for number in np.flatnonzero(graph.departs == frame).tolist():
                    ways.append(((int(graph.arrives[number]), graph.dwell), so_far + float(graph.lengths[number])))
            for state, value in ways:
                if value < best.get(state, np.inf):
                    best[state] = value
                    changed = True
    return min((value for (frame, _), value in best.items() if goal[frame]), default=np.inf)


def penalties(graph: MotionGraph, secs_per_cm: float) -> np.ndarray:
    """How many frames longer (N,) a way may be to avoid each transition."""
    return np.asarray(secs_per_cm * graph.rate_hz * 100.0 * np.sqrt(np.maximum(graph.costs, 0.0)))


def goal_mask(graph: MotionGraph, goal: int | np.ndarray) -> np.ndarray:
    """The frames (F,) that are a goal."""
    if isinstance(goal, np.ndarray):
        return goal
    mask = np.zeros(graph.ways.n_frames, dtype=bool)
    mask[goal] = True
    return mask


def frames_until(graph: MotionGraph, goal: np.ndarray) -> np.ndarray:
    """How many frames (F,) to play on until the next goal; infinity if there is none before the end."""
    n_frames = len(goal)
    following = np.where(goal, np.arange(n_frames), n_frames)
    following = np.minimum.accumulate(following[::-1])[::-1]
    return np.where(following < graph.clip_stops, following - np.arange(n_frames), np.inf)


def times_to(graph: MotionGraph, goal: np.ndarray) -> np.ndarray:
    """The fewest frames (F,) from every frame to any of a mask; infinity where there is no way."""
    until = frames_until(graph, goal)
    of_departures = _times_to(
        graph.departs, graph.arrives, graph.lengths.astype(np.float64), graph.choices.stays_at,
        graph.choices.leads_to, until[graph.departs], until[graph.arrives],
    )  # fmt: skip
    return _with_departures(graph, until, of_departures)


def _with_departures(graph: MotionGraph, until: np.ndarray, of_departures: np.ndarray) -> np.ndarray:
    """The better (F,) of playing on to a goal and of going to the next departure."""
    firsts = graph.first_departures
    reached = firsts >= 0
    best = np.array(until)
    ahead = graph.departs[firsts[reached]] - np.flatnonzero(reached) + of_departures[firsts[reached]]
    best[reached] = np.minimum(best[reached], ahead)
    return best


def times_to_end(graph: MotionGraph, values: np.ndarray, *, secs_per_cm: float = 0.0) -> np.ndarray:
    """The least (F,) that is to be paid from every frame: the frames to some frame, transitions with their penalties,
    and what that frame itself asks for, `values` (F,). Whoever arrives by a transition first stays for its dwell."""
    stops, n_frames = graph.clip_stops, graph.ways.n_frames
    until = np.array(values, dtype=np.float64)
    _play_on(until, stops)
    landings = graph.arrives + graph.dwell
    fits = landings < stops[graph.arrives]
    at_landing = np.where(fits, graph.dwell + until[np.minimum(landings, n_frames - 1)], np.inf)
    lengths = graph.lengths + penalties(graph, secs_per_cm)
    of_departures = _times_to(
        graph.departs, graph.arrives, lengths, graph.choices.stays_at, graph.choices.leads_to,
        until[graph.departs], at_landing,
    )  # fmt: skip
    return _with_departures(graph, until, of_departures)


@njit(cache=True, nogil=True)
def _play_on(values, stops):  # type: ignore[no-untyped-def]
    """The least of every frame's value and of those after it in its clip, a frame more for each step, in place."""
    for frame in range(len(values) - 2, -1, -1):
        if frame + 1 < stops[frame]:
            values[frame] = min(values[frame], values[frame + 1] + 1.0)


@njit(cache=True, nogil=True)
def _push(keys, items, n, key, item):  # type: ignore[no-untyped-def]
    keys[n], items[n] = key, item
    while n > 0 and keys[(n - 1) // 2] > keys[n]:
        parent = (n - 1) // 2
        keys[n], keys[parent], items[n], items[parent] = keys[parent], keys[n], items[parent], items[n]
        n = parent


@njit(cache=True, nogil=True)
def _pop(keys, items, n):  # type: ignore[no-untyped-def]
    """The least, of n; the rest is in order again."""
    key, item = keys[0], items[0]
    keys[0], items[0] = keys[n - 1], items[n - 1]
    n -= 1
    at = 0
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        if child + 1 < n and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= keys[at]:
            break
        keys[at], keys[child], items[at], items[child] = keys[child], keys[at], items[child], items[at]
        at = child
    return key, item


@njit(cache=True, nogil=True)
def _shortest(departs, arrives, lengths, penalties, stays_at, leads_to, first, start, until):  # type: ignore[no-untyped-def]
    """Dijkstra's search over departures: the last transition of the best way (−1: none is needed, −2: no way), and for
    every departure from where it was reached, and whether by a transition."""
    n = len(departs)
    times = np.full(n, np.inf)
    came_from, by_transition = np.full(n, -1), np.zeros(n, dtype=np.bool_)
    best, best_last = until[start], -1
    if best == np.inf:
        best_last = -2
    keys, items, n_open = np.empty(2 * n + 4), np.empty(2 * n + 4, dtype=np.int64), np.int64(0)
    if first >= 0:
        times[first] = departs[first] - start
        _push(keys, items, n_open, times[first], first)
        n_open += 1
    while n_open:
        time, k = _pop(keys, items, n_open)
        n_open -= 1
        if time >= best:
            break
        if time > times[k]:
            continue
        landed = time + lengths[k] + penalties[k]
        if landed + until[arrives[k]] < best:
            best, best_last = landed + until[arrives[k]], k
        for way in range(2):
            to = stays_at[k] if way == 0 else leads_to[k]
            if to < 0:
                continue
            reached = time + departs[to] - departs[k] if way == 0 else landed + departs[to] - arrives[k]
            if reached < times[to]:
                times[to], came_from[to], by_transition[to] = reached, k, way == 1
                _push(keys, items, n_open, reached, to)
                n_open += 1
    return best_last, came_from, by_transition


@njit(cache=True, nogil=True)
def _times_to(departs, arrives, lengths, stays_at, leads_to, at_departure, at_arrival):  # type: ignore[no-untyped-def]
    """The fewest frames from every departure to a goal: Dijkstra's search backwards.

    `at_departure` and `at_arrival` (N,): how many it takes from there by playing on.
    """
    n = len(departs)
    # who leads to every departure, as lists in one array
    counts = np.zeros(n + 1, dtype=np.int64)
    for k in range(n):
        for to in (stays_at[k], leads_to[k]):
            if to >= 0:
                counts[to + 1] += 1
    for k in range(n):
        counts[k + 1] += counts[k]
    before = np.empty(counts[n], dtype=np.int64)
    room = counts[:n].copy()
    for k in range(n):
        for way in range(2):
            to = stays_at[k] if way == 0 else leads_to[k]
            if to >= 0:
                before[room[to]] = 2 * k + way
                room[to] += 1
    times = np.full(n, np.inf)
    keys, items, n_open = np.empty(3 * n + 4), np.empty(3 * n + 4, dtype=np.int64), np.int64(0)
    for k in range(n):
        times[k] = min(at_departure[k], lengths[k] + at_arrival[k])
        if times[k] < np.inf:
            _push(keys, items, n_open, times[k], k)
            n_open += 1
    while n_open:
        time, k = _pop(keys, items, n_open)
        n_open -= 1
        if time > times[k]:
            continue
        for m in range(counts[k], counts[k + 1]):
            source, way = before[m] // 2, before[m] % 2
            step = departs[k] - departs[source] if way == 0 else lengths[source] + departs[k] - arrives[source]
            if time + step < times[source]:
                times[source] = time + step
                _push(keys, items, n_open, times[source], source)
                n_open += 1
    return times
