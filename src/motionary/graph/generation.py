"""What a graph of a bank is for: walks, ways, paths on the ground, labels in order; each comes out as a motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np

from motionary.arguments import check_is, number, texts
from motionary.bank import Bank, Clip
from motionary.errors import NotInBankError, UsageError
from motionary.formats import write_motion
from motionary.graph.bank_graph import BuiltGraph
from motionary.graph.building import MADE_BY_GRAPH
from motionary.graph.follow_options import FollowOptions
from motionary.graph.following import Followed, follow_path
from motionary.graph.ground_path import GroundPath, parsed_points, read_ground_path
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.ordered_labels import is_small_enough, route_through
from motionary.graph.playable import playable_intervals
from motionary.graph.route import Route
from motionary.graph.route_motion import Actor, PerformedRoute, perform
from motionary.graph.searching import shortest_route
from motionary.graph.walking import random_walk
from motionary.library import performance
from motionary.motion import Segment, recording_of
from motionary.rig import Body, body_of, reference_skeleton
from motionary.rounding import json_number

SUFFIXES = (".bvh", ".glb")
MOST_REPEATS = 5  # of one transition, on a way through labels, before it is walked at random instead


@dataclass(frozen=True, eq=False)
class GraphMotion:
    """A motion out of a graph: the route, as it is performed, and where its parts come from."""

    performed: PerformedRoute
    pieces: tuple[tuple[str, int, int], ...]  # clip and its frames [start, stop), of every run
    path: GroundPath | None = None  # what was followed
    is_optimal: bool | None = None  # whether nothing better can be found, for a path that was followed

    @property
    def motion(self) -> Any:
        return self.performed.motion

    @property
    def path_distances(self) -> np.ndarray:
        """Metres (F,) from the hips to the path that was followed."""
        if self.path is None:
            raise UsageError("this motion follows no path")
        hips = self.performed.hips
        return self.path.distances(hips[:, 0] + 1j * hips[:, 2])

    def facts(self) -> dict[str, Any]:
        """What there is to say about it."""
        performed, route = self.performed, self.performed.route
        costs = route.graph.costs[route.taken]
        before, after = (performed.slides.max(axis=0) if len(performed.slides) else np.zeros(2)).tolist()
        found = {
            "secs": round(self.motion.duration_secs, 3),
            "frames": self.motion.n_frames,
            "transitions": len(route.taken),
            "worst_cm": round(100.0 * float(np.sqrt(costs.max(initial=0.0))), 2),
            "slide_before_cm": round(100.0 * before, 2),
            "slide_cm": round(100.0 * after, 3),
            "plants_not_held": performed.plants_not_held,
            "score_cm": json_number(100.0 * performed.naturalness.score, 2),
            "pieces": [f"{name}:{start}-{stop}" for name, start, stop in self.pieces],
        }
        if self.path is not None:
            distances = self.path_distances
            found |= {
                "path_m": round(self.path.length, 2),
                "off_path_mean_cm": round(100.0 * float(distances.mean()), 2),
                "off_path_most_cm": round(100.0 * float(distances.max()), 2),
            }
        return found

    def save(self, path: Path | str) -> None:
        """Write the motion as .bvh or .glb."""
        write_motion(self.motion, path, extras={"pieces": self.facts()["pieces"]})

    def keep(self, bank: Bank, name: str) -> int:
        """Put the motion into the bank as a clip, with its plants; returns its id."""
        return bank.add(
            name,
            recording_of(self.motion),
            plants=self.performed.plants,
            description="out of a motion graph: " + ", ".join(self.facts()["pieces"][:8]),
            notes=(MADE_BY_GRAPH,),
        )


def graph_walk(
    bank: Bank,
    built: BuiltGraph,
    *,
    secs: float = 20.0,
    seed: int = 0,
    start: str | None = None,
    prefer: Mapping[str, float] | None = None,
    only: str | Sequence[str] = (),
    avoid: str | Sequence[str] = (),
    body: str | None = None,
    clean: bool = True,
) -> GraphMotion:
    """A seeded walk of so many seconds; it could go on forever.

    `prefer` draws it to labels, `only` keeps it within labels, `avoid` lists segments that it does not play. The motion
    is that of the body of a clip, `body`, or of the first clip of the graph.
    """
    if not 0.1 <= number(secs, "secs") <= 36_000.0:
        raise UsageError(f"a walk of {secs:g} s is not possible; it lasts 0.1 s to 10 h")
    graph = allowed_part(bank, built, only, avoid)
    first = None if start is None else frame_named(bank, built, start)
    if first is not None and graph.first_departures[first] < 0:
        raise UsageError(
            f"no transition leaves the clip of {start!r} after it, or not within what may be played; start earlier, or "
            "use a higher threshold"
        )
    route = random_walk(graph, rng=np.random.default_rng(seed), secs=secs, start=first, prefer=prefer)
    return _performed(bank, built, route, _body(bank, built, body), clean)


def graph_path(
    bank: Bank,
    built: BuiltGraph,
    start: str,
    goal: str | None = None,
    *,
    label: str | None = None,
    labels: Sequence[tuple[str, float]] = (),
    avoid: str | Sequence[str] = (),
    seed: int = 0,
    body: str | None = None,
    clean: bool = True,
) -> GraphMotion:
    """The shortest way from a frame to another frame, or to a `label`; or through `labels` in order, each for so many
    seconds at least."""
    if sum((goal is not None, label is not None, bool(labels))) != 1:
        raise UsageError("name one goal: a frame, a label, or labels to pass through in order")
    graph = allowed_part(bank, built, (), avoid, prune=False)
    first = frame_named(bank, built, start)
    last = None if goal is None else frame_named(bank, built, goal)
    for text, frame in ((start, first), (goal, last)):
        if frame is not None and graph.allowed is not None and not graph.allowed[frame]:
            raise UsageError(f"{text!r} lies in a segment to avoid; avoid less, or name another frame")
    if last is not None:
        route = shortest_route(graph, first, last)
    elif label is not None:
        route = shortest_route(graph, first, graph.labelled(label))
    else:
        route = _in_order(graph, first, labels, np.random.default_rng(seed))
    return _performed(bank, built, route, _body(bank, built, body), clean)


def graph_follow(
    bank: Bank,
    built: BuiltGraph,
    path: GroundPath | str | Path | Sequence[tuple[float, float]],
    *,
    scale: float = 1.0,
    options: FollowOptions | None = None,
    only: str | Sequence[str] = (),
    avoid: str | Sequence[str] = (),
    start: str | None = None,
    time_limit_secs: float | None = None,
    body: str | None = None,
    clean: bool = True,
) -> GraphMotion:
    """A motion along a path on the ground: points (x, z), text as in `0,0 4,0 4,3`, a CSV file, or an SVG file.

    `scale` turns the file's units into metres. `only` keeps it within labels. With a time limit the search goes on
    until it is over; without one it is the same every time.
    """
    line = ground_path(path, scale=scale)
    actor_body = _body(bank, built, body)
    graph = allowed_part(bank, built, only, avoid)
    size = actor_body.leg_length / body_of(reference_skeleton()).leg_length
    followed: Followed = follow_path(
        graph,
        line,
        options=options,
        start=None if start is None else frame_named(bank, built, start),
        time_limit_secs=time_limit_secs,
        scale=size,
    )
    made = _performed(bank, built, followed.route, actor_body, clean)
    return replace(made, path=line, is_optimal=followed.is_optimal)


def ground_path(given: GroundPath | str | Path | Sequence[tuple[float, float]], *, scale: float = 1.0) -> GroundPath:
    """A path on the ground from whatever says one."""
    if not (np.isfinite(scale) and scale > 0.0):
        raise UsageError(f"a scale of {scale:g} is not possible; it must be above 0")
    if isinstance(given, GroundPath):
        return given
    if isinstance(given, str | Path):
        if Path(given).suffix.lower() in (".csv", ".svg", ".txt"):
            return read_ground_path(given, scale=scale)
        return GroundPath.through(parsed_points(str(given)), scale=scale)
    return GroundPath.through(given, scale=scale)


def allowed_part(
    bank: Bank, built: BuiltGraph, only: str | Sequence[str], avoid: str | Sequence[str], *, prune: bool = True
) -> MotionGraph:
    """The part of a graph with frames of one of these labels, and without some segments."""
    graph = built.graph
    labels, segments = texts(only, "only"), bank.segments_of(texts(avoid, "avoid"))
    if not (labels or segments):
        return graph
    allowed = np.ones(graph.ways.n_frames, dtype=bool)
    if labels:
        allowed = np.any([graph.labelled(label) for label in labels], axis=0)
    for segment in segments:
        low, high = _frames_of(built, segment)
        allowed[low:high] = False
    part = graph.restricted(allowed)
    if prune:
        part = part.pruned()
        if not part.n_transitions:
            said = [f"within label {' or '.join(labels)}"] if labels else []
            said += ["without the segments to avoid"] if segments else []
            raise UsageError(
                f"no walk {' and '.join(said)} can go on forever; use a higher threshold, more labels, or avoid less"
            )
    return part


def frame_named(bank: Bank, built: BuiltGraph, text: str) -> int:
    """The frame of the graph that is called CLIP:FRAME or CLIP:2.5s."""
    check_is(text, str, called="frame", meant="CLIP:FRAME, or CLIP:2.5s")
    name, colon, at = text.rpartition(":")
    try:
        if not colon:
            raise ValueError(text)
        clip = bank.clip(name if not name.startswith("#") else int(name[1:]))
        frame = int(at) if not at.endswith("s") else round(float(at[:-1]) / clip.frame_time)
    except (ValueError, OverflowError):
        raise UsageError(f"{text!r} is not a frame; write CLIP:FRAME, or CLIP:2.5s") from None
    if not 0 <= frame < clip.n_frames:
        raise UsageError(f"{text!r}: clip {clip.name} has the frames 0 to {clip.n_frames - 1}")
    found = _frames_of(built, Segment(clip.id, frame, frame + 1))[0]
    allowed = built.graph.allowed
    if allowed is not None and not allowed[found]:
        raise NotInBankError(f"{text!r} {_why_not_played(built, clip, found)}")
    return found


def _why_not_played(built: BuiltGraph, clip: Clip, found: int) -> str:
    """Why a frame of the graph is not played, and which frame of its clip is."""
    graph = built.graph
    n = int(graph.ways.clip_of(found))
    begin, rates = int(graph.ways.starts[n]), built.features.rates[built.numbers[n]]
    why = [
        one.why
        for one in built.left_out.get(built.features.digests[built.numbers[n]], ())
        if one.start <= found - begin < one.stop
    ]
    if not why:
        return f"is not in this graph, which is built only of {built.of}"
    intervals = playable_intervals(graph, n)
    later = [start for start, _ in intervals if start > found - begin]
    if later:
        advice = f"the next frame that it plays is {clip.name}:{ceil(later[0] * rates.step)}"
    elif intervals:
        advice = f"the last frame that it plays is {clip.name}:{floor((intervals[-1][1] - 1) * rates.step)}"
    else:
        advice = "it plays nothing of this clip"
    return f"is not played by the graph ({why[0]}); {advice}"


def _frames_of(built: BuiltGraph, segment: Segment) -> tuple[int, int]:
    """Frames [start, stop) of the graph."""
    if segment.clip_id not in built.graph.clip_ids:
        raise NotInBankError(f"clip #{segment.clip_id} is not in the graph of {built.of}")
    n = list(built.graph.clip_ids).index(segment.clip_id)
    low, high = built.features.rates[built.numbers[n]].search_segment(segment.start, segment.stop)
    start = int(built.graph.ways.starts[n])
    return start + low, start + high


def _in_order(graph: MotionGraph, start: int, labels: Sequence[tuple[str, float]], rng: np.random.Generator) -> Route:
    """Through labels in order: the best way; or, where its tables would be too large or it would play the same piece
    again and again, the shortest way to each label, and a walk in it for as long as wanted."""
    wanted_frames = [(label, round(number(secs, "seconds") * graph.rate_hz)) for label, secs in labels]
    if min(n_frames for _, n_frames in wanted_frames) < 0:
        raise UsageError("the time in a label must be at least 0 s")
    if not is_small_enough(graph, wanted_frames):
        return _walked_in_order(graph, start, labels, rng)
    best = route_through(graph, start, wanted_frames)
    if _most_repeats(best) <= MOST_REPEATS:
        return best
    try:
        walked = _walked_in_order(graph, start, labels, rng)
    except UsageError:  # from where the walk ends, no way leads on
        return best
    return walked if _most_repeats(walked) < _most_repeats(best) else best


def _most_repeats(route: Route) -> int:
    """How often a route takes the transition that it takes most often."""
    return int(np.bincount(route.taken).max(initial=0))


def _walked_in_order(
    graph: MotionGraph, start: int, labels: Sequence[tuple[str, float]], rng: np.random.Generator
) -> Route:
    """The shortest way to each label, and a walk in it for as long as wanted."""
    route = Route(graph, start, np.zeros(0, dtype=np.int64), start)
    for label, secs in labels:
        mask = graph.labelled(label)
        wanted = round(number(secs, "seconds") * graph.rate_hz)
        inside = graph.restricted(mask)
        endless = inside.pruned()
        left = inside.clip_stops - 1 - np.arange(graph.ways.n_frames)  # frames that can be played on within the label
        able = mask & (left >= wanted)
        if endless.n_transitions:
            able |= mask & (endless.first_departures >= 0)
        if not able.any():
            raise UsageError(
                f"the label {label!r} cannot be kept for {secs:g} s: none of its segments is that long, and no "
                "transitions lead back into it; use fewer seconds or a higher threshold"
            )
        route = route.joined(shortest_route(graph, route.stop, able))
        at = route.stop
        if left[at] >= wanted:
            held = Route(graph, at, np.zeros(0, dtype=np.int64), at + wanted)
        else:
            walked = random_walk(endless, rng=rng, secs=wanted / graph.rate_hz, start=at)
            held = Route(graph, at, graph.numbers_of(endless)[walked.taken], walked.stop)
        route = route.joined(held)
    return route


def _body(bank: Bank, built: BuiltGraph, clip: str | None) -> Body:
    return performance(bank, int(built.graph.clip_ids[0]) if clip is None else bank.clip(clip)).body


def _performed(bank: Bank, built: BuiltGraph, route: Route, body: Body, clean: bool) -> GraphMotion:
    graph = route.graph
    numbers = [int(graph.ways.clip_of(first)) for first, _ in route.runs]
    clips = {n: performance(bank, int(graph.clip_ids[n])) for n in dict.fromkeys(numbers)}
    performances = [clips.get(n) for n in range(graph.ways.n_clips)]
    performed = perform(route, performances, Actor(body, graph.rate_hz), clean_feet=clean)
    pieces = []
    for n, (first, last) in zip(numbers, route.runs, strict=True):
        begin = int(graph.ways.starts[n])
        rates = built.features.rates[built.numbers[n]]
        pieces.append((clips[n].clip.name, *rates.clip_segment(first - begin, last + 1 - begin)))
    return GraphMotion(performed, tuple(pieces))
