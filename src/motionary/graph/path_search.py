"""The search along a path: over frames and placements, best first within layers of progress."""

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.graph.follow_options import FollowOptions
from motionary.graph.ground_path import GroundPath
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.ways import Ways

LAYER = 0.4  # metres of the path: states of one layer compete with each other
HORIZON_SECS = 1.6  # how long a clip plays before it competes with other ways again
AHEAD_SECS = 0.8  # what steering aims at
FULL_STEER = 0.1  # metres that a body moves in a blend: from there on it may be steered as far as allowed
STEPS_AHEAD, STEP_AHEAD_SECS = 4, 0.15  # for how long clips are looked into to rank the states of a layer
ENDED = 4096
LOOK = 12  # points of the path that are further away end the search for the nearest
SAME_TURN = 0.17


def starting_states(
    graph: MotionGraph, path: GroundPath, start: int | None, most: int
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Frames from which to start, the headings with which their clips then move along the path, and whether these are
    all frames."""
    ways = graph.ways
    if start is not None:
        every = np.array([start])
    else:
        every = np.flatnonzero(graph.first_departures >= 0)
        if graph.allowed is not None:
            every = every[graph.allowed[every]]
    frames = every[:: max(1, len(every) // most)]
    if not len(frames):
        raise UsageError("no frame of this graph may be played; the labels or segments to avoid leave nothing")
    later = np.minimum(frames + round(AHEAD_SECS * graph.rate_hz), graph.clip_stops[frames] - 1)
    moved = ways.places[later] - ways.places[frames]
    ahead = path.points[min(len(path.points) - 1, max(1, round(0.8 / path.spacing)))] - path.points[0]
    # a move m of the clip is m · e^(i(θ − Θ)) for a heading Θ: turned so that it runs along the path
    still = np.abs(moved) < 0.15
    turned = np.angle(moved) - np.angle(ahead)
    facing = np.angle(1j) - np.angle(ahead)  # of a body that heads along the path
    return frames, np.where(still, facing, ways.headings[frames] + turned), len(frames) == len(every)


def courses_after(graph: MotionGraph) -> np.ndarray:
    """How far (N, 2) clips go in the time after every arrival, in metres, and in which direction, seen from there."""
    ways, arrives = graph.ways, graph.arrives
    later = np.minimum(arrives + round(AHEAD_SECS * graph.rate_hz), graph.clip_stops[arrives] - 1)
    moved = ways.places[later] - ways.places[arrives]
    return np.stack([np.abs(moved), np.angle(moved) + ways.headings[arrives]], axis=1)


def steering_limits(graph: MotionGraph, most: float) -> np.ndarray:
    """How far (N,) each transition may turn the body besides, in radians: up to `most` where it walks, less where it
    moves less. Who stands or sits cannot be turned on feet that stay where they are."""
    return np.asarray(most * np.minimum(np.abs(graph.moves[1]) / FULL_STEER, 1.0))


def least_cost_left(places: np.ndarray, path: GroundPath, *, options: FollowOptions, fastest: float) -> np.ndarray:
    """What it costs at least (n,) to get from places to the end of the path: time, straight and at the highest speed.

    Never above the true cost: whoever has ended is within `most_off` of the end, and all other costs are at least 0.
    """
    straight = np.maximum(np.abs(path.points[-1] - places) - options.most_off, 0.0)
    return np.asarray(options.per_second * straight / fastest)


def fastest_root(ways: Ways, rate_hz: float) -> float:
    """The highest speed, in m/s, at which the root of any clip moves; in blends it is never higher."""
    steps = np.abs(np.diff(ways.places)) * rate_hz
    same = np.ones(len(steps), dtype=bool)
    same[ways.starts[1:-1] - 1] = False
    return max(float(np.max(steps[same], initial=0.0)), 0.1)


def least_cost_reference(graph: MotionGraph, path: GroundPath, options: FollowOptions, start: int) -> float:
    """The cost of the best way from a frame, from the definition: all are tried, none is bounded or left out."""
    ways, (turns, moves) = graph.ways, graph.moves
    _, headings, _ = starting_states(graph, path, start, 1)
    courses, end = courses_after(graph), len(path.points) - 1
    limits, dt = steering_limits(graph, float(np.radians(options.steer_deg))), 1.0 / graph.rate_hz

    def nearest(point: int, place: complex) -> int:
        """The nearest point of the path, from one on; some that are further away end the search."""
        far = np.abs(path.points - place)
        best = point
        for other in range(point + 1, len(far)):
            if other - best > LOOK:
                break
            best = other if far[other] < far[best] else best
        return best

    def passed(point: int, place: complex, heading: float, secs: float) -> tuple[int, float]:
        """Where on the path a body is that has gone on for a while, and what that costs; infinity if it is lost."""
        point = nearest(point, place)
        off = abs(path.points[point] - place)
        along = path.points[min(point + 4, end)] - path.points[max(min(point + 4, end) - 4, 0)]
        facing = 1j * np.exp(-1j * heading)
        away = 1.0 - (np.conj(along) * facing).real / abs(along)
        cost = secs * (options.off_path * off**2 + options.turned_away * away + options.per_second)
        return point, cost if off <= options.most_off else np.inf

    def steered(number: int, place: complex, heading: float) -> float:
        """How far a transition is turned besides: its clip shall go to where the path is then."""
        landed, turned = place + moves[number] * np.exp(-1j * heading), heading + turns[number]
        aim = path.points[min(nearest(point_of[0], landed) + int(courses[number, 0] / path.spacing) + 1, end)] - landed
        if courses[number, 0] <= 0.1 or abs(aim) <= 0.1:
            return 0.0
        wrong = (courses[number, 1] - turned - np.angle(aim) + np.pi) % (2.0 * np.pi) - np.pi
        return float(np.clip(wrong, -limits[number], limits[number]))

    point_of = [0]
    best = np.inf
    todo = [(start, 0, float(headings[0]), complex(path.points[0]), 0.0, 0)]
    while todo:
        frame, point, heading, place, cost, wait = todo.pop()
        if point >= end:
            best = min(best, cost)
            continue
        for number in np.flatnonzero((graph.departs == frame) & (wait <= 0)).tolist():
            point_of[0] = point
            extra = steered(number, place, heading)
            move, at, total = moves[number] * np.exp(-1j * (heading + extra)), point, cost
            total += options.per_blend + options.per_transition * graph.costs[number]
            for share in (0.5, 1.0):
                turned = heading + share * (turns[number] + extra)
                at, more = passed(at, place + share * move, turned, 0.5 * dt * graph.lengths[number])
                total += more
            if np.isfinite(total):
                arrived = heading + turns[number] + extra
                todo.append((int(graph.arrives[number]), at, arrived, place + move, total, graph.dwell))
        if frame + 1 < graph.clip_stops[frame]:
            by = ways.headings[frame + 1] - ways.headings[frame]
            step = (ways.places[frame + 1] - ways.places[frame]) * np.exp(1j * (ways.headings[frame] - heading))
            at, more = passed(point, place + step, heading + by, dt)
            if np.isfinite(more):
                todo.append((frame + 1, at, heading + by, place + step, cost + more, wait - 1))
    return float(best)


@njit(cache=True, nogil=True)
def _turned(angle):  # type: ignore[no-untyped-def]
    """What a heading turns moves by."""
    return complex(np.cos(angle), -np.sin(angle))


@njit(cache=True, nogil=True)
def _off(points, p, x):  # type: ignore[no-untyped-def]
    """The nearest point of the path from point p on, as long as it gets nearer; and how far it is, squared."""
    gap = points[p] - x
    best = gap.real * gap.real + gap.imag * gap.imag
    q, stop = p + 1, min(p + LOOK + 1, len(points))
    while q < stop:
        gap = points[q] - x
        distance = gap.real * gap.real + gap.imag * gap.imag
        if distance < best:
            best, p, stop = distance, q, min(q + LOOK + 1, len(points))
        q += 1
    return p, best


@njit(cache=True, nogil=True)
def _frame_cost(points, p, x, heading, off_path, turned_away, per_second, dt):  # type: ignore[no-untyped-def]
    p, off = _off(points, p, x)
    q = min(p + 4, len(points) - 1)
    along = points[q] - points[max(q - 4, 0)]
    size = np.sqrt(along.real * along.real + along.imag * along.imag)
    away = 0.0
    if size > 0.0:
        away = 1.0 - (along.real * np.sin(heading) + along.imag * np.cos(heading)) / size
    return p, off, dt * (off_path * off + turned_away * away + per_second)


@njit(cache=True, nogil=True)
def _least_cost_left(place, end, most_off, per_second, fastest):  # type: ignore[no-untyped-def]
    return per_second * max(abs(end - place) - most_off, 0.0) / fastest


@njit(cache=True, nogil=True)
def _cost_ahead(  # type: ignore[no-untyped-def]
    points, p, f, theta, place, stops, headings, places, off_path, turned_away, per_second, dt, steps, step
):
    """What it costs to play on from a frame for a while, which says whether its clip goes where the path does."""
    found, turn = 0.0, _turned(theta - headings[f])
    for n in range(1, steps + 1):
        g = f + n * step
        if g >= stops[f]:
            break
        x = place + (places[g] - places[f]) * turn
        p, _, more = _frame_cost(
            points, p, x, theta + headings[g] - headings[f], off_path, turned_away, per_second, step * dt
        )
        found += more
    return found


@njit(cache=True, nogil=True)
def _slot(  # type: ignore[no-untyped-def]
    row, size, bars, layer, alike, near, frame, theta, place, cost, rank, expanded, new_frame, new_theta, new_place,
    new_cost, new_rank,
):  # fmt: skip
    """Where among the states of a layer, `size` of them, a new one goes, or −1; and whether one is left out.

    `bars`: the worst rank of a layer that is full, or more; what is no better is turned away at once.
    """
    if size == len(row) and new_rank >= bars[layer]:
        return -1, True
    worst, worst_rank = -1, -np.inf
    for m in range(size):
        other = row[m]
        if abs(frame[other] - new_frame) < alike and abs(place[other] - new_place) < near:
            apart = abs((theta[other] - new_theta + np.pi) % (2.0 * np.pi) - np.pi)
            if apart < SAME_TURN:
                return (-1 if cost[other] <= new_cost or expanded[other] else m), True
        # states that were followed up are parents of others: they stay
        if not expanded[other] and rank[other] > worst_rank:
            worst, worst_rank = m, rank[other]
    if size < len(row):
        return size, False
    bars[layer] = worst_rank  # it can only fall
    return (worst if worst_rank > new_rank else -1), True


@njit(cache=True, nogil=True)
def search_along(  # type: ignore[no-untyped-def]
    departs, arrives, lengths, turns, moves, sizes_of_moves, costs, firsts, stops, headings, places,
    courses, dwell, dt, points, spacing,
    starts, start_headings, off_path, turned_away, per_transition, per_blend, per_second, most_off, most_steers,
    horizon, steps_ahead, step_ahead, layer, width, alike, fastest, best_cost, is_over,
):  # fmt: skip
    """States are arrivals with a placement, and clips that have played for the horizon; a layer keeps the best of them.
    Returns the best way, and whether nothing was left out. Ends early when `is_over` is set from outside."""
    n_points = len(points)
    n_layers = int(n_points * spacing / layer) + 2
    capacity = width * n_layers + len(starts) + 16 + ENDED  # room for ways that have ended, too
    # of every state: frame, point of the path, parent, transition (−1: the clip plays on); heading, place, cost, steer
    frame, point = np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int64)
    parent, by = np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int64)
    theta, cost, steer, rank = np.empty(capacity), np.empty(capacity), np.empty(capacity), np.empty(capacity)
    place = np.empty(capacity, dtype=np.complex128)
    n = 0
    layers = np.full((n_layers, width), -1, dtype=np.int64)
    sizes, bars = np.zeros(n_layers, dtype=np.int64), np.full(n_layers, np.inf)
    complete = True
    limit = most_off * most_off
    for s in range(len(starts)):
        frame[n], point[n], parent[n], by[n] = starts[s], 0, -1, s
        theta[n], cost[n], steer[n], place[n] = start_headings[s], 0.0, 0.0, points[0]
        n += 1
    n_starts = n
    best, best_state, best_stop = best_cost, -1, -1
    expanded = np.zeros(capacity, dtype=np.bool_)
    at_layer, next_start = 0, 0
    while at_layer < n_layers:
        if is_over[0]:
            complete = False
            break
        if next_start < n_starts:  # the starts come first
            state = next_start
            next_start += 1
        else:
            # the most promising state of the layer that was not followed up yet
            state = -1
            for m in range(sizes[at_layer]):
                k = layers[at_layer, m]
                if not expanded[k] and (state < 0 or rank[k] < rank[state]):
                    state = k
            if state < 0:
                at_layer += 1
                continue
            expanded[state] = True
        f0, p, heading0, x0, spent = frame[state], point[state], theta[state], place[state], cost[state]
        if spent >= best:
            continue
        turn = _turned(heading0 - headings[f0])
        f = f0
        k = firsts[f0]
        wait = f0  # the first frame of which transitions are tried
        if parent[state] >= 0:
            wait = f0 + dwell if by[state] >= 0 else f0 + 1
        while True:
            x = x0 + (places[f] - places[f0]) * turn
            heading = heading0 + headings[f] - headings[f0]
            if f > f0:
                p, off, more = _frame_cost(points, p, x, heading, off_path, turned_away, per_second, dt)
                spent += more
                if off > limit or spent + _least_cost_left(x, points[-1], most_off, per_second, fastest) >= best:
                    break
                if p >= n_points - 1:
                    best, best_state, best_stop = spent, state, f
                    break
            while 0 <= k < len(departs) and departs[k] < f:
                k += 1
            if f >= wait:
                e, toward = k, _turned(heading)
                while 0 <= e < len(departs) and departs[e] == f:
                    # the blend, as a straight line, steered towards where its clip should go
                    a = arrives[e]
                    if spent + per_blend + per_transition * costs[e] >= best:
                        e += 1
                        continue
                    turned = heading + turns[e]
                    end = x + moves[e] * toward
                    aim_from, off = _off(points, p, end)
                    if off > (most_off + most_steers[e] * sizes_of_moves[e]) ** 2:
                        e += 1
                        continue  # no steering brings it back
                    extra, far = 0.0, courses[e, 0]
                    if most_steers[e] > 0.0 and far > 0.1:
                        aim = points[min(aim_from + int(far / spacing) + 1, n_points - 1)] - end
                        if abs(aim) > 0.1:
                            # a heading that grows turns moves backwards
                            wrong = courses[e, 1] - turned - np.angle(aim)
                            wrong = (wrong + np.pi) % (2.0 * np.pi) - np.pi
                            extra = min(max(wrong, -most_steers[e]), most_steers[e])
                    end = x + moves[e] * _turned(heading + extra)
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
                    bound = total + _least_cost_left(end, points[-1], most_off, per_second, fastest)
                    if off <= limit and bound < best:
                        new = -1
                        if q >= n_points - 1:
                            # the path ends within the blend: what follows it is not needed
                            if n < capacity:
                                new, n = n, n + 1
                                best, best_state, best_stop = total, new, a
                            else:
                                complete = False
                        else:
                            to = int(q * spacing / layer)
                            promise = total + _cost_ahead(
                                points, q, a, turned + extra, end, stops, headings, places, off_path, turned_away,
                                per_second, dt, steps_ahead, step_ahead,
                            )  # fmt: skip
                            slot, left_out = _slot(
                                layers[to], sizes[to], bars, to, alike, layer, frame, theta, place, cost, rank,
                                expanded, a, turned + extra, end, total, promise,
                            )  # fmt: skip
                            complete = complete and not left_out
                            if slot >= 0:
                                # states that were not followed up are nobody's parents: their places are free
                                new = layers[to, slot]
                                if slot == sizes[to]:
                                    sizes[to], new, n = sizes[to] + 1, n, n + 1
                                layers[to, slot], rank[new] = new, promise
                        if new >= 0:
                            frame[new], point[new], parent[new], by[new] = a, q, state, e
                            theta[new], cost[new], steer[new], place[new] = turned + extra, total, extra, end
                    e += 1
            if f + 1 >= stops[f]:
                break
            if f - f0 >= horizon:
                to = int(p * spacing / layer)
                promise = spent + _cost_ahead(
                    points, p, f, heading, x, stops, headings, places, off_path, turned_away, per_second, dt,
                    steps_ahead, step_ahead,
                )  # fmt: skip
                slot, left_out = _slot(
                    layers[to], sizes[to], bars, to, alike, layer, frame, theta, place, cost, rank, expanded,
                    f, heading, x, spent, promise,
                )  # fmt: skip
                complete = complete and not left_out
                if slot >= 0:
                    new = layers[to, slot]
                    if slot == sizes[to]:
                        sizes[to], new, n = sizes[to] + 1, n, n + 1
                    layers[to, slot], rank[new] = new, promise
                    frame[new], point[new], parent[new], by[new] = f, p, state, -1
                    theta[new], cost[new], steer[new], place[new] = heading, spent, 0.0, x
                break
            f += 1
    if best_state < 0:
        return best, -1, -1, np.zeros(0, dtype=np.int64), np.zeros(0), complete
    count, state = 0, best_state
    while parent[state] >= 0:
        count, state = count + (by[state] >= 0), parent[state]
    taken, steers = np.empty(count, dtype=np.int64), np.empty(count)
    state, m = best_state, count
    while parent[state] >= 0:
        if by[state] >= 0:
            m -= 1
            taken[m], steers[m] = by[state], steer[state]
        state = parent[state]
    return best, by[state], best_stop, taken, steers, complete
