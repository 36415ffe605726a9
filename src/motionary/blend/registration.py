"""Registration: what makes motions blendable.

Every source is aligned with one of them, the reference, along the shortest path through the others; the warps along a
path are composed. The common clock u counts the reference's frames: s_i(u) is the frame of source i that goes with it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from motionary.alignment import Warp, smooth_warp
from motionary.blend.aligning import AlignedPair, TimedClouds, align, align_near, can_align, clouds_for
from motionary.blend.doubts import doubts_of
from motionary.blend.families import Spoiler, costs_of_kinds, families_of, spoilers_of
from motionary.blend.groups import loose_joints
from motionary.blend.paths import middle_of, pair_costs, shortest_paths
from motionary.blend.placing import facing_along, placements_along
from motionary.blend.shared_plants import (
    SharedPlant,
    Span,
    floor_of,
    lone_plants,
    missing_share,
    plant_height,
    plant_spans,
    shared_plants,
)
from motionary.blend.slopes import limited_slopes, limited_warp
from motionary.blend.sources import BlendSource, cloud_of, one_body
from motionary.errors import UsageError
from motionary.motion import Motion
from motionary.plants import Plant
from motionary.rig import Body

SMOOTH_SECS = 0.05  # over which the paces of warps are averaged
OTHER_SHARE = 0.34  # of the time that feet are planted: with more without a partner, other steps are taken
SAME_STEPS = 0.08  # metres per pair of frames: poses as near as this are of the same steps, whatever was detected
MISSING_SECS = 0.3  # that feet do not stand though the others' do: fewer do no harm
REFINED_SECS = 0.1  # by which a composed warp may be moved, so that both motions move at the same time


@dataclass(frozen=True)
class RegistrationOptions:
    """How motions are registered.

    `slope_limit`: how many times as fast or slow a source may run against the reference, paths included. `paths`:
    "graph" aligns unlike motions through those in between, "direct" each with the reference. `spoilers`: what becomes
    of examples that do not fit the others: "drop" leaves them out and says so, "refuse" raises, "keep" blends them.
    """

    slope_limit: float = 3.0
    paths: Literal["graph", "direct"] = "graph"
    spoilers: Literal["drop", "refuse", "keep"] = "drop"

    def __post_init__(self) -> None:
        if not 1.5 <= self.slope_limit <= 20.0:
            raise UsageError(f"a slope limit of {self.slope_limit:g} is not possible; it must be 1.5 to 20")
        if self.paths not in ("graph", "direct"):
            raise UsageError(f'paths are "graph" or "direct", not {self.paths!r}')
        if self.spoilers not in ("drop", "refuse", "keep"):
            raise UsageError(f'spoilers are "drop", "refuse" or "keep", not {self.spoilers!r}')


@dataclass(frozen=True, eq=False)
class Registration:
    """Sources on one body at one rate, their common clock, and how well they fit."""

    sources: tuple[BlendSource, ...]
    reference: int  # the source whose frames the clock counts
    curves: np.ndarray  # (N, U) frames of the sources at u = 0, 1, …, U − 1
    slopes: np.ndarray  # (N, U) frames for each frame of the clock
    turns: np.ndarray  # (N, U) radians that turn a source's pose onto the reference's
    moves: np.ndarray  # (N, U, 2) and the way along x and z that it is moved then
    plants: tuple[SharedPlant, ...]  # of most sources
    before: tuple[int, ...]  # the source that each was aligned with; −1 for the reference
    costs: np.ndarray  # (N,) metres per pair of frames, to the one before
    lone_plants: tuple[tuple[Plant, ...], ...]  # of each source: those without a partner
    spoilers: tuple[Spoiler, ...] = ()  # what was left out, and why
    options: RegistrationOptions = field(default_factory=RegistrationOptions)
    facing: np.ndarray | None = None  # (U,) which way the reference faced, where it is not among the sources any more

    @property
    def body(self) -> Body:
        return self.sources[0].body

    @property
    def frame_time(self) -> float:
        return self.sources[0].motion.frame_time

    def on_own_root(self, motion: Motion) -> Motion:
        """A blend of the sources with the root of their skeleton: where its hips hang on a floor point, sources have
        their roots at the hips."""
        return self.sources[0].on_own_root(motion)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(source.name for source in self.sources)

    @property
    def n_sources(self) -> int:
        return len(self.sources)

    @property
    def n_clock(self) -> int:
        return self.curves.shape[1]

    def warp(self, source: int) -> Warp:
        """From the clock to the frames of a source."""
        return Warp(np.arange(self.n_clock), self.curves[source], self.slopes[source])

    def clock_at(self, source: int, frame: float) -> float:
        """Where on the clock a source is at one of its frames."""
        return float(self.warp(source).inverse()(np.array(frame, dtype=float)))

    def plants_for(self, weights: Sequence[np.ndarray]) -> tuple[SharedPlant, ...]:
        """The plants of a blend by the weights of the left and the right foot, each (N,), or (U, N) along the clock."""
        plants = [source.plants for source in self.sources]
        return shared_plants(plants, self.plant_spans, self.n_clock, weights, frame_time=self.frame_time)

    def plant_height(self, plant: SharedPlant, weights: np.ndarray, foot_weights: np.ndarray) -> float:
        """How high a plant of a blend is, by weights (N,) and those of its foot; NaN if the sources do not say."""
        plants = [source.plants for source in self.sources]
        return plant_height(plants, self.plant_spans, self.floors, plant, weights, foot_weights)

    @cached_property
    def loose_joints(self) -> np.ndarray:
        """(J,) whether joints are such as fingers: no part of the body that is known by name hangs on them."""
        return loose_joints(self.body)

    @cached_property
    def floors(self) -> np.ndarray:
        """(N,) how high the ground is that the sources stand on; NaN for those without plants."""
        return np.array([floor_of(source.plants) for source in self.sources])

    @cached_property
    def lowest_feet(self) -> np.ndarray:
        """(N,) how far below its ground the lowest foot of each source is at some moment, metres; 0 or less."""
        lowest = [source.body.feet.world(source.motion)[..., 1].min() for source in self.sources]
        return np.minimum(np.array(lowest) - self.floors, 0.0)

    def ground(self, weights: np.ndarray) -> np.ndarray | None:
        """How low the feet of a blend by weights (F, N) may be (F,): as low as those of its sources, seen from the
        ground that they stand on; None if a source has no plants to say where that is."""
        used = np.flatnonzero((weights != 0.0).any(axis=0))
        if np.isnan(self.floors[used]).any():
            return None
        return np.asarray(weights[:, used] @ self.floors[used] + self.lowest_feet[used].min())

    @cached_property
    def plant_spans(self) -> tuple[tuple[Span, ...], ...]:
        """Where on the clock the plants of each source begin and end."""
        return tuple(plant_spans(source.plants, self.warp(i)) for i, source in enumerate(self.sources))

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Which sources may be another action after all, and why: a sentence for each."""
        return doubts_of(
            self.sources, self.curves, self.slopes, self.before, self.costs, slope_limit=self.options.slope_limit
        )

    @cached_property
    def headings(self) -> np.ndarray:
        """(N, U) which way each source faces: as the reference does, turned by how the others lie against it.

        To blends it makes no difference how the reference turns, as what all have in common cancels; it does to whoever
        wants to know by how much a blend has turned.
        """
        return np.asarray(self.reference_headings - self.turns)

    @cached_property
    def reference_headings(self) -> np.ndarray:
        """(U,) which way the reference faces along the clock, without its sway."""
        if self.facing is not None:
            return self.facing
        return facing_along(self.sources[self.reference], self.curves[self.reference])

    def as_json(self) -> dict[str, Any]:
        return {
            "reference": self.names[self.reference],
            "clock_frames": self.n_clock,
            "rate_hz": round(1.0 / self.frame_time, 4),
            "plants": [
                {"foot": p.foot, "part": p.part, "start": round(p.start, 2), "stop": round(p.stop, 2)}
                for p in self.plants
            ],
            "sources": [
                {
                    "name": source.name,
                    "frames": source.motion.n_frames,
                    "through": None if self.before[i] < 0 else self.names[self.before[i]],
                    "cost_cm": round(100.0 * float(self.costs[i]), 3),
                    "slope_least": round(float(self.slopes[i].min()), 3),
                    "slope_greatest": round(float(self.slopes[i].max()), 3),
                    "lone_plants": len(self.lone_plants[i]),
                }
                for i, source in enumerate(self.sources)
            ],
            "left_out": [{"name": spoiler.name, "why": spoiler.why} for spoiler in self.spoilers],
            "doubts": list(self.doubts),
        }


def register(
    sources: Sequence[BlendSource],
    *,
    options: RegistrationOptions | None = None,
    reference: int | None = None,
    body: BlendSource | None = None,
    frame_time: float | None = None,
    edges: Collection[tuple[int, int]] | None = None,
) -> Registration:
    """Align the sources with each other, so that they can be blended.

    The reference is the one from which the others are reached best, unless it is given. `edges` are the pairs of
    sources that may be aligned directly, as a match graph knows them; without them all may. Sources of other bodies
    and rates are brought to the first one's, or to those asked for. Two families of motions are refused by name.
    """
    options = options or RegistrationOptions()
    if len(sources) < 2:
        raise UsageError(f"a registration needs at least two motions, not {len(sources)}. Choose more motions")
    ready = one_body(sources, body=body, frame_time=frame_time)
    short = [source.name for source in ready if source.motion.n_frames < 4]
    if short:
        raise UsageError(f"{', '.join(short)}: under four frames are too few to be aligned")
    points = [cloud_of(source) for source in ready]
    clouds = [clouds_for(own, frame_time=ready[0].motion.frame_time) for own in points]
    limit = int(np.ceil(options.slope_limit))
    costs = pair_costs(clouds, slope_limit=limit, edges=edges)
    kept = list(range(len(ready)))
    spoilers: list[Spoiler] = []
    if options.spoilers != "keep":
        of_kinds = costs_of_kinds(ready, points, costs)
        families_of(ready, of_kinds)  # raises if there are two
        spoilers = spoilers_of(ready, of_kinds)
        if spoilers and options.spoilers == "refuse":
            raise _misfits(spoilers)
        bad = {spoiler.number for spoiler in spoilers}
        kept = [i for i in kept if i not in bad]
        if reference is not None and reference in bad:
            raise UsageError(
                f"the reference does not fit the others: {next(s for s in spoilers if s.number == reference)}"
            )
    if len(kept) < 2:
        raise _too_few(spoilers)
    inner = costs[np.ix_(kept, kept)]
    start = middle_of(inner) if reference is None else kept.index(reference)
    return _registered(
        [ready[i] for i in kept],
        [points[i] for i in kept],
        [clouds[i] for i in kept],
        inner,
        start,
        spoilers,
        options,
    )


def _registered(
    sources: list[BlendSource],
    points: list[np.ndarray],
    clouds: list[TimedClouds],
    costs: np.ndarray,
    start: int,
    spoilers: list[Spoiler],
    options: RegistrationOptions,
) -> Registration:
    if options.paths == "graph":
        lengths, before = shortest_paths(costs, start)
    else:
        lengths, before = costs[start].copy(), np.full(len(sources), start)
        before[start] = -1
    frame_time = sources[0].motion.frame_time
    clock = np.arange(sources[start].motion.n_frames, dtype=float)
    warps: dict[int, Warp] = {start: Warp(clock, clock)}
    pair_cost = np.zeros(len(sources))
    for i in np.argsort(lengths, kind="stable").tolist():
        if i == start:
            continue
        over = int(before[i])
        if not np.isfinite(lengths[i]) or over not in warps:
            spoilers.append(Spoiler(i, sources[i].name, "nothing leads to it from the others"))
            continue
        try:
            pair = align(clouds[over], clouds[i], slope_limit=int(np.ceil(options.slope_limit)))
            composed = _refined(
                warps[over].then(_smoothed(pair, options, frame_time)), clouds[start], clouds[i], options, frame_time
            )
        except UsageError as error:
            spoilers.append(Spoiler(i, sources[i].name, str(error)))
            continue
        whole = limited_warp(composed, clock, options.slope_limit, frame_time=frame_time)
        if whole is None:
            least, greatest = composed.steepness()
            fastest = max(greatest, 1.0 / least)
            spoilers.append(
                Spoiler(i, sources[i].name, f"its time would have to run {fastest:.1f} times as fast or slow")
            )
            continue
        warps[i], pair_cost[i] = whole, pair.cost
    if options.spoilers == "refuse" and spoilers:
        raise _misfits(spoilers)
    kept = sorted(warps)
    if len(kept) < 2:
        raise _too_few(spoilers)
    sources = [sources[i] for i in kept]
    curves = np.stack([warps[i](clock) for i in kept])
    slopes = np.stack([limited_slopes(warps[i], clock, options.slope_limit) for i in kept])
    turns, moves = placements_along(sources, [points[i] for i in kept], curves, kept.index(start))
    plants = [source.plants for source in sources]
    spans = [plant_spans(own, warps[i]) for own, i in zip(plants, kept, strict=True)]
    shared = shared_plants(plants, spans, len(clock), frame_time=frame_time)
    registration = Registration(
        tuple(sources),
        kept.index(start),
        curves,
        slopes,
        turns,
        moves,
        shared,
        tuple(-1 if i == start else kept.index(int(before[i])) for i in kept),
        pair_cost[kept],
        lone_plants(plants, spans, shared),
        tuple(spoilers),
        options,
    )
    return registration if options.spoilers == "keep" else _stepping_alike(registration)


def _misfits(spoilers: Sequence[Spoiler]) -> UsageError:
    return UsageError(f"these motions do not fit the others: {'; '.join(map(str, spoilers))}. Leave them out")


def _too_few(spoilers: Sequence[Spoiler]) -> UsageError:
    return UsageError(
        f"fewer than two motions are left that fit together: {'; '.join(map(str, spoilers))}. Choose motions that are "
        "more alike"
    )


def _smoothed(pair: AlignedPair, options: RegistrationOptions, frame_time: float) -> Warp:
    limit = 1.2 * np.ceil(options.slope_limit)
    return smooth_warp(pair.alignment, smoothing=SMOOTH_SECS / frame_time, slope_limit=limit)


def _refined(
    composed: Warp, reference: TimedClouds, own: TimedClouds, options: RegistrationOptions, frame_time: float
) -> Warp:
    """The composed warp, moved a little so that both motions move at the same time; as it is where that cannot be."""
    frames = composed(np.arange(reference.n_frames, dtype=float))
    limit = int(np.ceil(options.slope_limit))
    if not can_align(reference.n_frames, own.n_frames, slope_limit=limit):
        return composed
    pair = align_near(reference, own, frames, within=REFINED_SECS / frame_time, slope_limit=limit)
    return _smoothed(pair, options, frame_time)


def _stepping_alike(registration: Registration) -> Registration:
    """The registration without motions that take other steps: most of their plants have no partner, or they do not
    stand where the others do."""
    found = [(i, _other_steps(registration, i)) for i in range(registration.n_sources) if i != registration.reference]
    spoilers = [Spoiler(i, registration.names[i], why) for i, why in found if why is not None]
    if not spoilers:
        if not registration.plants and all(source.plants for source in registration.sources):
            raise UsageError("these motions have no foot plants in common; choose motions that take the same steps")
        return registration
    bad = [spoiler.number for spoiler in spoilers]
    if registration.options.spoilers == "refuse":
        raise _misfits(spoilers)
    if registration.n_sources - len(bad) < 2:
        raise _too_few(spoilers)
    fewer = without(registration, bad)
    return replace(with_shared_plants(fewer), spoilers=(*registration.spoilers, *spoilers))


def _other_steps(registration: Registration, number: int) -> str | None:
    """What is wrong with the steps of a motion; None if they are those of the others."""
    if registration.costs[number] <= SAME_STEPS:
        return None
    plants, lone = registration.sources[number].plants, registration.lone_plants[number]
    if len(lone) >= 3 and _n_planted(lone) > OTHER_SHARE * _n_planted(plants):
        return f"{len(lone)} of its {len(plants)} plants have no partner"
    share, missing = missing_share(plants, registration.plant_spans[number], registration.plants, registration.n_clock)
    if share > OTHER_SHARE and missing * registration.frame_time > MISSING_SECS:
        return f"its feet are off the ground for {100.0 * share:.0f} % of the time in which the others' stand"
    return None


def with_shared_plants(registration: Registration) -> Registration:
    """The registration with the plants that its sources share."""
    plants, spans = [source.plants for source in registration.sources], registration.plant_spans
    shared = shared_plants(plants, spans, registration.n_clock, frame_time=registration.frame_time)
    return replace(registration, plants=shared, lone_plants=lone_plants(plants, spans, shared))


def _n_planted(plants: Sequence[Plant]) -> int:
    return sum(plant.stop - plant.start for plant in plants)


def without(registration: Registration, dropped: Collection[int]) -> Registration:
    """The registration of fewer sources, on the same clock; the reference may be among the dropped."""
    kept = [i for i in range(registration.n_sources) if i not in set(dropped)]
    if len(kept) < 1:
        raise UsageError("a registration needs at least one source")
    number = {old: new for new, old in enumerate(kept)}
    return replace(
        registration,
        sources=tuple(registration.sources[i] for i in kept),
        reference=number.get(registration.reference, 0),
        curves=registration.curves[kept],
        slopes=registration.slopes[kept],
        turns=registration.turns[kept],
        moves=registration.moves[kept],
        before=tuple(number.get(registration.before[i], -1) for i in kept),
        costs=registration.costs[kept],
        lone_plants=tuple(registration.lone_plants[i] for i in kept),
        facing=registration.reference_headings,
    )
