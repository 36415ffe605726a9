"""A motion along a path on the ground: search over frames and placements, best first within layers of progress."""

import time
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.graph.ground_path import GroundPath
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.route import Route
from motionary.graph.ways import Ways

LAYER = 0.4  # metres of the path: states of one layer compete with each other
HORIZON_SECS = 1.6  # how long a clip may play before the next transition
AHEAD_SECS = 0.8  # what steering aims at
BIN = 4  # frames: states of one layer that arrive nearer than this, and within 10°, are the same
WIDTHS = (8, 32, 128, 512, 2048, 8192)
MOST_STARTS = 120
ENDED = 4096
SAME_TURN = 0.17


@dataclass(frozen=True)
class FollowOptions:
    """What a good way is: near the path, facing along it, by good transitions, soon at its end."""

    off_path: float = 100.0  # for a second at 1 m from the path, growing with the square
    turned_away: float = 0.4  # for a second with the hips turned away from the path by 90°
    per_transition: float = 40.0  # for a squared distance of 1 m²
    per_blend: float = 0.1  # for every transition
    per_second: float = 0.3
    most_off: float = 0.6  # metres: who is further away has lost the path
    steer_deg: float = 12.0  # how far a transition may turn the body besides
    width: int = 8  # of the search: states that are followed up in every layer

    def __post_init__(self) -> None:
        if not (self.most_off > 0.0 and self.width >= 1 and 0.0 <= self.steer_deg <= 45.0):
            raise UsageError("following needs a width of at least 1, most_off above 0 m and 0 to 45° of steering")


@dataclass(frozen=True, eq=False)
class Followed:
    """The best way that was found, and how well it follows the path."""

    route: Route
    path: GroundPath
    cost: float
    is_optimal: bool  # whether the search has left nothing out that could be better
    width: int  # at which it was found

    @property
    def distances(self) -> np.ndarray:
        """Metres (n,) from the root to the path, frame by frame, as planned."""
        return self.path.distances(self.route.way[1])


def follow_path(
    graph: MotionGraph,
    path: GroundPath,
    *,
    options: FollowOptions | None = None,
    start: int | None = None,
    time_limit_secs: float | None = None,
    scale: float = 1.0,
) -> Followed:
    """The best way along a path that a search finds, from any frame or from `start`.

    The search takes layers of the path one after the other and follows up the best states of each: first few of them,
    then more. With a time limit it goes on widening until it is over or nothing is left out, and gives the best way so
    far; without one it stops at `options.width`, and finds the same every time. States that cannot get below the best
    way any more, even at the highest speed of the library, are dropped (the bound is never above the true cost).
    `scale`: the size of the body that is to move, compared with one of 1.75 m.
    """
    options = options or FollowOptions()
    ways = graph.ways.scaled(scale)
    turns, moves = graph.moves
    courses = _courses(graph) * (scale, 1.0)
    begin = time.monotonic()
    best: Followed | None = None
    starts, headings = _starts(graph, path, start)
    fastest = _fastest(ways, graph)
    for width in WIDTHS:
        if time_limit_secs is None and width > (options.width if best is not None else 4 * options.width):
            break
        if best is not None and time_limit_secs is not None and time.monotonic() - begin > time_limit_secs:
            break
        found = _follow(
            graph.departs, graph.arrives, graph.lengths, turns, moves * scale, graph.costs, graph.first_departures,
            graph.clip_stops, ways.headings, ways.places, courses, graph.dwell, 1.0 / graph.rate_hz,
            path.points, path.spacing, starts, headings,
            options.off_path, options.turned_away, options.per_transition, options.per_blend, options.per_second,
            options.most_off,
            np.radians(options.steer_deg), round(HORIZON_SECS * graph.rate_hz),
            LAYER, width, BIN, fastest, np.inf if best is None else best.cost,
        )  # fmt: skip
        cost, start_number, stop, taken, steers, complete = found
        if start_number >= 0 and (best is None or cost < best.cost):
            route = Route(
                graph, int(starts[start_number]), taken, int(stop), steers, complex(path.points[0]),
                float(headings[start_number]),
            )  # fmt: skip
            best = Followed(route, path, float(cost), bool(complete), width)
        elif best is not None and complete:
            best = Followed(best.route, path, best.cost, True, best.width)
        if complete:
            break
    if best is None:
        raise UsageError(
            f"no motion of this graph stays within {options.most_off:g} m of the path to its end. Use clips that go "
            "that way (turns for bends, walks for lines), a path with wider bends, a higher threshold, or --most-off"
        )
    return best


def _starts(graph: MotionGraph, path: GroundPath, start: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Frames from which to start, and the headings with which their clips then move along the path."""
    ways = graph.ways
    if start is not None:
        frames = np.array([start])
    else:
        frames = np.flatnonzero(graph.first_departures >= 0)
        if graph.allowed is not None:
            frames = frames[graph.allowed[frames]]
        frames = frames[:: max(1, len(frames) // MOST_STARTS)]
    if not len(frames):
        raise UsageError("no frame of this graph may be played; the labels or segments to avoid leave nothing")
    later = np.minimum(frames + round(AHEAD_SECS * graph.rate_hz), graph.clip_stops[frames] - 1)
    moved = ways.places[later] - ways.places[frames]
    ahead = path.points[min(len(path.points) - 1, max(1, round(0.8 / path.spacing)))] - path.points[0]
    # a move m of the clip is m · e^(i(θ − Θ)) for a heading Θ: turned so that it runs along the path
    still = np.abs(moved) < 0.15
    turned = np.angle(moved) - np.angle(ahead)
    facing = np.angle(1j) - np.angle(ahead)  # of a body that heads along the path
    return frames, np.where(still, facing, ways.headings[frames] + turned)


def _courses(graph: MotionGraph) -> np.ndarray:
    """How far (N, 2) clips go in the time after every arrival, in metres, and in which direction, seen from there."""
    ways, arrives = graph.ways, graph.arrives
    later = np.minimum(arrives + round(AHEAD_SECS * graph.rate_hz), graph.clip_stops[arrives] - 1)
    moved = ways.places[later] - ways.places[arrives]
    return np.stack([np.abs(moved), np.angle(moved) + ways.headings[arrives]], axis=1)


def _fastest(ways: Ways, graph: MotionGraph) -> float:
    """The highest speed, in m/s, at which any clip or blend moves."""
    steps = np.abs(np.diff(ways.places)) * graph.rate_hz
    same = np.ones(len(steps), dtype=bool)
    same[ways.starts[1:-1] - 1] = False
    return float(max(np.max(steps[same], initial=0.1), 0.1)) * 1.2


@njit(cache=True, nogil=True)
def _off(points, p, x):  # type: ignore[no-untyped-def]
    """The nearest point of the path from point p on, as long as it gets nearer; and how far it is, squared."""
    best = abs(points[p] - x)
    look = 0
    q = p
    while q + 1 < len(points) and look < 12:
        q += 1
        distance = abs(points[q] - x)
        if distance < best:
            best, p, look = distance, q, 0
        else:
            look += 1
    return p, best * best


@njit(cache=True, nogil=True)
def _frame_cost(points, p, x, heading, off_path, turned_away, per_second, dt):  # type: ignore[no-untyped-def]
    p, off = _off(points, p, x)
    q = min(p + 4, len(points) - 1)
    along = points[q] - points[max(q - 4, 0)]
    facing = 1j * np.exp(-1j * heading)
    size = abs(along)
    away = 0.0
    if size > 0.0:
        away = 1.0 - (along.real * facing.real + along.imag * facing.imag) / size
    return p, off, dt * (off_path * off + turned_away * away + per_second)


@njit(cache=True, nogil=True)
def _follow(  # type: ignore[no-untyped-def]
    departs, arrives, lengths, turns, moves, costs, firsts, stops, headings, places,
    courses, dwell, dt, points, spacing,
    starts, start_headings, off_path, turned_away, per_transition, per_blend, per_second, most_off, most_steer,
    horizon, layer, width, bin_frames, fastest, best_cost,
):  # fmt: skip
    """States are arrivals with a placement; a layer keeps the best of them. Returns the best way."""
    n_points = len(points)
    n_layers = int(n_points * spacing / layer) + 2
    capacity = width * n_layers + len(starts) + 16  # and room for ways that have ended
    # of every state: frame, point of the path, parent, transition; heading, place, cost, steer
    frame, point = np.empty(capacity + ENDED, dtype=np.int64), np.empty(capacity + ENDED, dtype=np.int64)
    parent, by = np.empty(capacity + ENDED, dtype=np.int64), np.empty(capacity + ENDED, dtype=np.int64)
    theta, cost, steer = np.empty(capacity + ENDED), np.empty(capacity + ENDED), np.empty(capacity + ENDED)
    place = np.empty(capacity + ENDED, dtype=np.complex128)
    n = 0
    layers = np.full((n_layers, width), -1, dtype=np.int64)
    sizes, done = np.zeros(n_layers, dtype=np.int64), np.zeros(n_layers, dtype=np.int64)
    complete = True
    limit = most_off * most_off
    for s in range(len(starts)):
        frame[n], point[n], parent[n], by[n] = starts[s], 0, -1, s
        theta[n], cost[n], steer[n], place[n] = start_headings[s], 0.0, 0.0, points[0]
        n += 1
    n_starts = n
    best, best_state, best_stop = best_cost, -1, -1
    expanded = np.zeros(capacity + ENDED, dtype=np.bool_)
    at_layer = -1  # the starts come first
    while at_layer < n_layers:
        if at_layer < 0:
            state = done[0]
            if state >= n_starts:
                at_layer, done[0] = 0, 0
                continue
            done[0] += 1
        else:
            # the cheapest state of the layer that was not followed up yet
            state = -1
            for m in range(sizes[at_layer]):
                k = layers[at_layer, m]
                if not expanded[k] and (state < 0 or cost[k] < cost[state]):
                    state = k
            if state < 0:
                at_layer += 1
                continue
            expanded[state] = True
        f0, p, heading0, x0, spent = frame[state], point[state], theta[state], place[state], cost[state]
        if spent >= best:
            continue
        turn = np.exp(1j * (headings[f0] - heading0))
        f = f0
        k = firsts[f0]
        wait = f0 + (dwell if state >= n_starts else 0)
        while True:
            x = x0 + (places[f] - places[f0]) * turn
            heading = heading0 + headings[f] - headings[f0]
            if f > f0:
                p, off, more = _frame_cost(points, p, x, heading, off_path, turned_away, per_second, dt)
                spent += more
                if off > limit or spent + per_second * (n_points - 1 - p) * spacing / fastest >= best:
                    break
                if p >= n_points - 1:
                    best, best_state, best_stop = spent, state, f
                    break
            while 0 <= k < len(departs) and departs[k] < f:
                k += 1
            if f >= wait:
                e, toward = k, np.exp(-1j * heading)
                while 0 <= e < len(departs) and departs[e] == f:
                    # the blend, as a straight line, steered towards where its clip should go
                    a = arrives[e]
                    if spent + per_blend + per_transition * costs[e] >= best:
                        e += 1
                        continue
                    turned = heading + turns[e]
                    end = x + moves[e] * toward
                    aim_from, off = _off(points, p, end)
                    if off > (most_off + most_steer * abs(moves[e])) ** 2:
                        e += 1
                        continue  # no steering brings it back
                    extra, far = 0.0, courses[e, 0]
                    if most_steer > 0.0 and far > 0.1:
                        aim = points[min(aim_from + int(far / spacing) + 1, n_points - 1)] - end
                        if abs(aim) > 0.1:
                            # a heading that grows turns moves backwards
                            wrong = courses[e, 1] - turned - np.angle(aim)
                            wrong = (wrong + np.pi) % (2.0 * np.pi) - np.pi
                            extra = min(max(wrong, -most_steer), most_steer)
                    end = x + moves[e] * np.exp(-1j * (heading + extra))
                    q, total, off = p, spent + per_blend + per_transition * costs[e], 0.0
                    steps = lengths[e]
                    for part in range(1, 3):
                        share = part / 2.0
                        q, here, more = _frame_cost(
                            points, q, x + share * (end - x), heading + share * (turns[e] + extra), off_path,
                            turned_away, per_second, dt * steps / 2.0,
                        )  # fmt: skip
                        total += more
                        off = max(off, here)
                    bound = total + per_second * (n_points - 1 - q) * spacing / fastest
                    if off <= limit and bound < best:
                        if q >= n_points - 1:
                            # the path ends within the blend: what follows it is not needed
                            if n < len(frame):
                                frame[n], point[n], parent[n], by[n] = a, q, state, e
                                theta[n], cost[n], steer[n], place[n] = turned + extra, total, extra, end
                                best, best_state, best_stop = total, n, a
                                n += 1
                        else:
                            slot = -1
                            to = int(q * spacing / layer)
                            worst, worst_cost, free = -1, -1.0, sizes[to] < width
                            better = True
                            for m in range(sizes[to]):
                                other = layers[to, m]
                                if (
                                    bin_frames > 0
                                    and abs(frame[other] - a) < bin_frames
                                    and abs((theta[other] - turned - extra + np.pi) % (2.0 * np.pi) - np.pi) < SAME_TURN
                                    and abs(place[other] - end) < layer
                                ):
                                    complete = False
                                    if cost[other] <= total or expanded[other]:
                                        better = False
                                    else:
                                        slot = m
                                    break
                                if not expanded[other] and cost[other] > worst_cost:
                                    worst, worst_cost = m, cost[other]
                            if better and slot < 0:
                                if free:
                                    slot = sizes[to]
                                    sizes[to] += 1
                                else:
                                    complete = False
                                    if worst >= 0 and worst_cost > total:
                                        slot = worst
                            if better and slot >= 0:
                                # states that were not followed up are nobody's parents: their places are free
                                new = layers[to, slot]
                                if new < 0:
                                    new, n = n, n + 1
                                layers[to, slot] = new
                                frame[new], point[new], parent[new], by[new] = a, q, state, e
                                theta[new], cost[new], steer[new], place[new] = turned + extra, total, extra, end
                    e += 1
            if f + 1 >= stops[f] or f - f0 >= horizon:
                if f - f0 >= horizon:
                    complete = False
                break
            f += 1
    if best_state < 0:
        return best, -1, -1, np.zeros(0, dtype=np.int64), np.zeros(0), complete
    count, state = 0, best_state
    while parent[state] >= 0:
        count, state = count + 1, parent[state]
    taken, steers = np.empty(count, dtype=np.int64), np.empty(count)
    state = best_state
    for m in range(count - 1, -1, -1):
        taken[m], steers[m] = by[state], steer[state]
        state = parent[state]
    return best, by[state], best_stop, taken, steers, complete
