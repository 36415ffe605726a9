"""Routes as motions: clips played one after the other, blended at the seams, with feet that stand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionary.blend import blend_poses, moving_alike
from motionary.dynamics import body_masses
from motionary.errors import UsageError
from motionary.features import Rates, at_search_rate
from motionary.graph.route import Route
from motionary.library import Performance
from motionary.motion import Motion, Placement, ease, headings, placement_onto, rotations
from motionary.naturalness import Naturalness, score
from motionary.plants import FEET, PARTS, CleanOptions, Plant, clean
from motionary.rig import Body, FloorRoot, floor_root_of, transfer_between

NEAR = 0.25  # metres: a foot that stands on both sides of a seam, no further apart than this, goes on standing
STEP_FRAMES = 2  # on both sides of a seam where it does not: room for a step
SHORTEST = 2  # frames of a plant


@dataclass(frozen=True, eq=False)
class Actor:
    """The clips of a graph on one body, at the graph's rate; each is read and carried over once."""

    body: Body
    rate_hz: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", {})

    @cached_property
    def floor_root(self) -> FloorRoot | None:
        """What takes the hips for the root, if they hang on a floor point."""
        return floor_root_of(self.body)

    def clip(self, acted: Performance) -> "ActedClip":
        """A clip as this actor performs it."""
        known: dict[int, ActedClip] = self._known  # type: ignore[attr-defined]
        if acted.clip.id not in known:
            motion = acted.clip_motion
            if not acted.body.skeleton.same_as(self.body.skeleton):
                motion = transfer_between(motion, acted.body, self.body)
            own, rates = at_search_rate(motion, rate_hz=self.rate_hz)
            rooted = own if self.floor_root is None else self.floor_root.with_hips_as_root(own)
            known[acted.clip.id] = ActedClip(
                rooted,
                headings(rooted.rotations_world[:, 0], self.body.rest_world[0]),
                tuple(_at_rate(plant, rates) for plant in acted.clip_plants),
                own,
            )
        return known[acted.clip.id]

    def with_own_root(self, motion: Motion, first: "ActedClip") -> Motion:
        """A motion whose root is at the hips on the actor's own skeleton; its root does as in the first clip."""
        return motion if self.floor_root is None else self.floor_root.with_own_root(motion, like=first.own)


@dataclass(frozen=True, eq=False)
class ActedClip:
    """A clip on the actor's body, at the graph's rate."""

    motion: Motion  # its root is at the hips
    headings: np.ndarray  # (F,)
    plants: tuple[Plant, ...]
    own: Motion  # on the actor's own skeleton


@dataclass(frozen=True, eq=False)
class PerformedRoute:
    """A route as a motion, before and after its feet were cleaned up."""

    route: Route
    body: Body
    blended: Motion
    motion: Motion
    plants: tuple[Plant, ...]
    plants_not_held: int

    @property
    def hips(self) -> np.ndarray:
        """Places (F, 3) of the hips."""
        return self.motion.positions_world[:, self.body.body_map.hips]

    @cached_property
    def slides(self) -> np.ndarray:
        """How far (P, 2) each planted foot strays from where it stands on average, before and after clean-up."""
        return np.stack([_slides(motion, self.body, self.plants) for motion in (self.blended, self.motion)], axis=1)

    @cached_property
    def naturalness(self) -> Naturalness:
        return score(self.motion, self.plants, body=self.body, masses=body_masses(self.body))


def perform(
    route: Route, clips: Sequence[Performance | None], actor: Actor, *, clean_feet: bool = True
) -> PerformedRoute:
    """The motion of a route; `clips` are the performances of the graph's clips, at least of those it comes through."""
    graph = route.graph
    starts = graph.ways.starts
    numbers = [int(graph.ways.clip_of(first)) for first, _ in route.runs]
    played: dict[int, ActedClip] = {}
    for number in dict.fromkeys(numbers):
        performance = clips[number]
        if performance is None:
            raise UsageError(f"clip {number} of the graph is needed to perform this route")
        played[number] = actor.clip(performance)
    motions = moving_alike([clip.motion for clip in played.values()])
    played = {n: replace(clip, motion=motion) for (n, clip), motion in zip(played.items(), motions, strict=True)}
    acted = [played[number] for number in numbers]
    spans = [
        (first - int(starts[n]), last - int(starts[n])) for (first, last), n in zip(route.runs, numbers, strict=True)
    ]
    body = actor.body if actor.floor_root is None else actor.floor_root.rooted
    blended = _blended(route, acted, spans)
    plants = _plants(route, acted, spans, blended, body)
    if not clean_feet or not plants:
        blended = actor.with_own_root(blended, acted[0])
        return PerformedRoute(route, actor.body, blended, blended, plants, 0)
    cleaned = clean(blended, plants, body, options=CleanOptions(places="motion"))
    held = tuple(replace(one.plant, place=tuple(np.asarray(one.place).tolist())) for one in cleaned.plants if one.held)
    own, motion = (actor.with_own_root(one, acted[0]) for one in (blended, cleaned.motion))
    return PerformedRoute(route, actor.body, own, motion, held, len(cleaned.plants) - len(held))


def _blended(route: Route, acted: Sequence[ActedClip], spans: Sequence[tuple[int, int]]) -> Motion:
    """The clips, placed one after the other and blended where one leads to the next."""
    place, heading = route.place, route.heading
    roots, turned, moved, facing = [], [], [], []
    first_clip = acted[0].motion
    for n, (clip, (first, last)) in enumerate(zip(acted, spans, strict=True)):
        begin = first if n == 0 else first + 1  # the first frame of a run is the last of the blend before
        onto = np.array([place.real, 0.0, place.imag])
        placement = placement_onto(clip.motion.root_positions[first], float(clip.headings[first]), onto, heading)
        some = slice(begin, last + 1)
        if last >= begin:
            placed = placement.place(clip.motion.slice(begin, last + 1))
            roots.append(placed.root_positions)
            turned.append(placed.rotations)
            moved.append(placed.joint_translations)
            facing.append(clip.headings[some] + placement.theta)
            place = complex(placed.root_positions[-1, 0], placed.root_positions[-1, 2])
            heading = float(facing[-1][-1])
        if n + 1 == len(acted):
            break
        following, length = acted[n + 1], int(route.graph.lengths[route.taken[n]])
        target = spans[n + 1][0]
        pair = [(clip, last, last + length + 1), (following, target - length, target + 1)]
        weights = ease(np.arange(length + 1) / length)
        blend = blend_poses(
            np.stack([one.motion.root_positions[low:high] for one, low, high in pair]),
            np.stack([one.motion.rotations[low:high] for one, low, high in pair]),
            np.stack([1.0 - weights, weights], axis=1),
            translations=np.stack([one.motion.joint_translations[low:high] for one, low, high in pair]),
            headings_of_sources=np.stack([one.headings[low:high] for one, low, high in pair]),
            start=Placement(heading, place.real, place.imag),
        )
        root, local, headed = _steered(blend.root_positions, blend.rotations, blend.headings, float(route.steers[n]))
        roots.append(root[1:])
        turned.append(local[1:])
        moved.append(blend.translations[1:])
        facing.append(headed[1:])
        place, heading = complex(root[-1, 0], root[-1, 2]), float(headed[-1])
    return replace(
        first_clip,
        frame_time=1.0 / route.graph.rate_hz,
        root_positions=np.concatenate(roots),
        rotations=rotations.continuous(np.concatenate(turned)),
        translations=np.concatenate(moved),
    )


def _steered(
    root: np.ndarray, local: np.ndarray, facing: np.ndarray, steer: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A blend, turned by more and more about where it starts, up to `steer`."""
    if steer == 0.0:
        return root, local, facing
    angles = steer * ease(np.linspace(0.0, 1.0, len(root)))
    turns = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), angles)
    origin = root[0] * (1.0, 0.0, 1.0)
    local = np.array(local)
    local[:, 0] = rotations.multiply(turns, local[:, 0])
    return rotations.rotate(turns, root - origin) + origin, local, facing + angles


def _at_rate(plant: Plant, rates: Rates) -> Plant:
    start, stop = rates.search_segment(plant.start, min(plant.stop, rates.n_frames))
    return replace(plant, start=start, stop=stop)


def _plants(
    route: Route,
    acted: Sequence[ActedClip],
    spans: Sequence[tuple[int, int]],
    motion: Motion,
    body: Body,
) -> tuple[Plant, ...]:
    """The plants of a route: those of its clips, each up to the middle of the blends.

    A foot that stands on both sides of a seam goes on standing, unless its places are too far apart: then it has a few
    frames for a step.
    """
    points = body.feet.world(motion)  # (F, 2, 2, 3)
    lengths = route.graph.lengths[route.taken].tolist()
    found: list[Plant] = []
    at = 0
    for n, (clip, (first, last)) in enumerate(zip(acted, spans, strict=True)):
        before = 0 if n == 0 else lengths[n - 1] // 2
        after = 0 if n == len(lengths) else lengths[n] - lengths[n] // 2
        low, high = first - before, last + after  # of the clip; frame `first` is frame `at` of the motion
        stop_at = motion.n_frames if n == len(lengths) else at + high - first
        for plant in clip.plants:
            start, stop = max(plant.start, low) - first + at, min(plant.stop, high + 1) - first + at
            if min(stop, stop_at) > max(start, 0):
                found.append(replace(plant, start=max(start, 0), stop=min(stop, stop_at), origin="graph"))
        at += last - first + (lengths[n] if n < len(lengths) else 0)
    joined: list[Plant] = []
    for foot in FEET:
        for part in PARTS:
            own = sorted((p for p in found if (p.foot, p.part) == (foot, part)), key=lambda p: p.start)
            joined += _joined(own, points[:, FEET.index(foot), PARTS.index(part)])
    places = {id(p): points[p.start : p.stop, FEET.index(p.foot), PARTS.index(p.part)].mean(axis=0) for p in joined}
    return tuple(replace(p, place=tuple(places[id(p)].tolist())) for p in joined if p.stop - p.start >= SHORTEST)


def _joined(plants: Sequence[Plant], points: np.ndarray) -> list[Plant]:
    """Plants of one part of a foot, those that touch made one or parted."""
    found: list[Plant] = []
    for plant in plants:
        if found and plant.start <= found[-1].stop:
            last = found[-1]
            apart = points[last.start : last.stop].mean(axis=0) - points[plant.start : plant.stop].mean(axis=0)
            if float(np.linalg.norm(apart)) <= NEAR:
                found[-1] = replace(last, stop=max(last.stop, plant.stop))
                continue
            stop, start = last.stop - STEP_FRAMES, max(plant.start, last.stop) + STEP_FRAMES
            if stop > last.start:
                found[-1] = replace(last, stop=stop)
            else:
                found.pop()
            if start < plant.stop:
                found.append(replace(plant, start=start))
            continue
        found.append(plant)
    return found


def _slides(motion: Motion, body: Body, plants: Sequence[Plant]) -> np.ndarray:
    points = body.feet.world(motion)
    found = []
    for plant in plants:
        here = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        found.append(float(np.linalg.norm((here - here.mean(axis=0))[:, [0, 2]], axis=1).max()))
    return np.array(found)
