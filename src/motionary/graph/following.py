"""A motion along a path on the ground, by searches that are wider and wider."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Timer

import numpy as np

from motionary.errors import UsageError
from motionary.graph.follow_options import FollowOptions
from motionary.graph.ground_path import GroundPath
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.path_search import (
    HORIZON_SECS,
    LAYER,
    STEP_AHEAD_SECS,
    STEPS_AHEAD,
    courses_after,
    fastest_root,
    search_along,
    starting_states,
    steering_limits,
)
from motionary.graph.route import Route

WIDTHS = (8, 32, 128, 512, 2048, 8192)
STARTS = 120  # frames to start from at first; in wider searches four times the width
MOST_STATES = 4_000_000  # of one search, so that it takes less than half a GB
STRAYS = 0.25  # metres off the path, somewhere: a wider search may know better
WIDE = 2048  # states that are followed up for that, if not more are wanted anyway


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
    far; the first way is waited for. Without one it finds the same every time: it stops at `options.width`, unless
    there is no way yet or it strays far from the path; then it goes on to `WIDE`.
    States that cannot get below the best way any more are dropped (`least_cost_left` is never above the true cost).
    `scale`: the size of the body that is to move, compared with one of 1.75 m.
    """
    options = options or FollowOptions()
    most_steers = steering_limits(graph, float(np.radians(options.steer_deg)))
    graph = graph.scaled(scale)
    ways, (turns, moves), courses = graph.ways, graph.moves, courses_after(graph)
    begin = time.monotonic()
    best: Followed | None = None
    complete = False
    fastest = fastest_root(ways, graph.rate_hz)
    for width in _widths(path, options.width, endless=time_limit_secs is not None):
        left = np.inf if time_limit_secs is None else time_limit_secs - (time.monotonic() - begin)
        if best is None:
            is_enough = left <= 0.0 and width > max(WIDE, 4 * options.width)
        elif time_limit_secs is None:
            is_enough = width > options.width and (width > WIDE or float(best.distances.max()) <= STRAYS)
        else:
            is_enough = left <= 0.0
        if is_enough:
            break
        starts, headings, are_all = starting_states(graph, path, start, max(STARTS, 4 * width))
        is_over = np.zeros(1, dtype=np.bool_)
        timer = Timer(max(left, 0.0), is_over.__setitem__, (0, True)) if best is not None and left < np.inf else None
        if timer is not None:
            timer.start()
        try:
            cost, start_number, stop, taken, steers, complete = search_along(
                graph.departs, graph.arrives, graph.lengths, turns, moves, np.abs(moves), graph.costs,
                graph.first_departures, graph.clip_stops, ways.headings, ways.places, courses, graph.dwell,
                1.0 / graph.rate_hz, path.points, path.spacing, np.ascontiguousarray(starts), headings,
                options.off_path, options.turned_away, options.per_transition, options.per_blend, options.per_second,
                options.most_off, most_steers,
                max(round(HORIZON_SECS * graph.rate_hz), graph.dwell + 1),
                STEPS_AHEAD, max(1, round(STEP_AHEAD_SECS * graph.rate_hz)),
                LAYER, width, options.alike_frames, fastest, np.inf if best is None else best.cost, is_over,
            )  # fmt: skip
        finally:
            if timer is not None:
                timer.cancel()
        complete = bool(complete and are_all)
        if start_number >= 0 and (best is None or cost < best.cost):
            route = Route(
                graph, int(starts[start_number]), taken, int(stop), steers, complex(path.points[0]),
                float(headings[start_number]),
            )  # fmt: skip
            best = Followed(route, path, float(cost), complete, width)
        elif best is not None and complete:
            best = Followed(best.route, path, best.cost, True, best.width)
        if complete:
            break
    if best is None:
        which = "no motion of this graph stays" if complete else "the search found no motion of this graph that stays"
        raise UsageError(
            f"{which} within {options.most_off:g} m of the path to its end. Use clips that go that way (turns for "
            "bends, walks for lines), a path with wider bends, a higher threshold, or --most-off"
            + ("" if complete else "; or search longer, as with --time 60")
        )
    return best


def _widths(path: GroundPath, wanted: int, *, endless: bool) -> Iterator[int]:
    """Widths of searches, each wider than the one before."""
    most = max(1, MOST_STATES // (int(path.length / LAYER) + 2))
    widths = [width for width in WIDTHS if width < wanted] + [wanted]
    while widths[-1] < max(WIDTHS[-1] if endless else WIDE, 4 * wanted):
        widths.append(4 * widths[-1])
    yield from dict.fromkeys(min(width, most) for width in widths)
