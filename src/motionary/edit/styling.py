"""Style from an example (emotional transform; Amaya, Bruderlin & Calvert 1996), put on a motion."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionary.edit.borders import border_weights, eased_in
from motionary.edit.curves import Curves, curves_of, facing_of, locals_of_turns, turns_of
from motionary.edit.cutting import plants_outside
from motionary.edit.filtering import octave_levels
from motionary.edit.fitting import outline_of
from motionary.edit.operation import Operation, parameter
from motionary.edit.phases import phases_of
from motionary.edit.retiming import retimed
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import SkeletonError
from motionary.motion import UP, Motion, mask_intervals, rotations
from motionary.plants import FEET, Foot, Plant, detect_plants, part_contacts_of_plants
from motionary.plants import PARTS as PARTS_OF_FEET

PHASES = 24  # of a cycle that are told apart
STANDS_SECS, LIFTED_SECS = 0.08, 0.12  # shorter, a foot does not stand, or is not lifted
MOVED_IN_GAP = 0.2  # metres: a foot that moves farther was lifted
LIFTED_SHARE = 0.1  # of a cycle: nor is it, if it is lifted for less
NO_CYCLES = "no cycles are found here, so that it gets mean poses and deviations only"
# part, change of the mean as a rotation vector in degrees, ratio of deviations of each band (one: in total)
Learnt = tuple[str, tuple[float, float, float], tuple[float, ...]]


@dataclass(frozen=True)
class Style(Operation):
    """Applies a learned style: mean poses, amplitudes, pace, and the height of the pelvis.

    `learn_style` makes it from a neutral and a styled motion. If both have cycles, and this motion too, it changes
    every part of the body phase by phase, the length of the strides, and when the feet stand. Pace and strides change
    at most to those of the styled motion. Identity: an amount of 0.
    """

    name: ClassVar[str] = "style"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "style from an example"
    version: ClassVar[int] = 3
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {
        "parts": (
            ("Spine2", (18.0, 0.0, 0.0), (1.0,)),
            ("Neck1", (14.0, 0.0, 0.0), (0.5,)),
            ("LeftUpperArm", (0.0, 0.0, -8.0), (0.4,)),
            ("RightUpperArm", (0.0, 0.0, 8.0), (0.4,)),
        ),
        "pace": 0.8,
    }

    parts: tuple[Learnt, ...] = parameter((), "(part, change of its mean in degrees, ratios of its deviations)")
    pace: float = parameter(1.0, "factor of the pace", low=0.05, high=20.0)
    height: float = parameter(0.0, "change of the pelvis's mean height, in leg lengths", low=-1.0, high=1.0)
    amount: float = parameter(
        1.0, "0: no change; 1: the full style; above 1: exaggerated", low=-2.0, high=3.0, varies=True
    )
    timing: bool = parameter(True, "also apply the pace")
    cycle: tuple[tuple[str, tuple[float, ...]], ...] = parameter(
        (), "(part, changes of its turn through a cycle: x, y, z in degrees, by phase)"
    )
    root: tuple[float, ...] = parameter((), "changes of the root's place through a cycle, by phase, in leg lengths")
    reference: tuple[tuple[str, tuple[float, ...]], ...] = parameter(
        (), "(part, where it is through the neutral cycle, by phase, in leg lengths)"
    )
    stride: float = parameter(1.0, "factor of the distance covered in a cycle", low=0.05, high=20.0)
    cycle_length: float = parameter(0.0, "distance covered in the styled cycle, in leg lengths; 0: unknown", low=0.0)
    cycle_secs: float = parameter(0.0, "duration of the styled cycle; 0: unknown", low=0.0, unit="s")
    stands: tuple[float, ...] = parameter(
        (), "how often left heel and toe, right heel and toe stood in the styled cycle, by phase"
    )

    def apply(self, subject: Subject, place: Place) -> Edited:
        if self.amount == 0.0 or place.strength == 0.0:
            return Edited(subject.motion, subject.plants)
        phases = self._phases(subject, place) if self.cycle else None
        notes: tuple[str, ...] = ()
        if phases is None:
            notes = (NO_CYCLES,) if self.cycle else ()
            motion, plants = eased_in(subject.motion, self._posed(subject, place), place), subject.plants
            pace = self.pace
        else:
            motion, plants = self._through_cycles(subject, place, phases)
            cycle_secs = place.frame_time * (place.n_frames - 1) / max(float(phases[-1] - phases[0]), 1e-6)
            pace = cycle_secs / towards(cycle_secs, 1.0 / self.pace, self.cycle_secs)
        pace = pace ** (self.amount * place.strength)
        if not self.timing or pace == 1.0:
            return Edited(motion, plants, notes=notes)
        weights = border_weights(place, motion.n_frames) / place.strength
        new = np.concatenate([[0.0], np.cumsum(pace**-weights)])
        n_frames = max(round(float(new[-1])), 1)
        new *= n_frames / new[-1]
        shown = place.start + np.interp(np.arange(n_frames), new, np.arange(place.n_frames + 1))
        return replace(retimed(Subject(motion, subject.body, plants), place, shown), notes=notes)

    def _phases(self, subject: Subject, place: Place) -> np.ndarray | None:
        """The phases (N,) of the segment in the learnt cycle; None where it has no cycles."""
        if subject.body is None:
            raise SkeletonError("style: the skeleton is not a person's, so no style can be applied to it")
        segment = subject.slice(place.start, place.stop)
        phases = phases_of(segment)
        if phases is None:
            return None
        reference = {_other_side(part) if place.mirrored else part: values for part, values in self.reference}
        return phases + _best_shift(segment, phases, reference, mirrored=place.mirrored)

    def _through_cycles(self, subject: Subject, place: Place, phases: np.ndarray) -> tuple[Motion, tuple[Plant, ...]]:
        """The motion with the changes of a cycle, and its plants."""
        body, motion = subject.body, subject.motion
        assert body is not None
        segment = subject.motion.slice(place.start, place.stop)
        weights = self.amount * border_weights(place, motion.n_frames)
        side = np.array([1.0, -1.0, -1.0]) if place.mirrored else np.ones(3)
        turned = turns_of(segment, subject.rest)
        facing = rotations.from_axis_angle(UP, facing_of(segment, subject.rest))
        turned[:, 0] = rotations.multiply(rotations.inverse(facing), turned[:, 0])
        for part, values in self.cycle:
            joints = [
                one for one in body.body_map.slots[_other_side(part) if place.mirrored else part] if place.joints[one]
            ]
            vectors = side * np.radians(_at_phases(values, phases)) * weights[:, None]
            for joint in joints:
                change = rotations.from_rotation_vector(vectors / len(joints))
                turned[:, joint] = rotations.multiply(change, turned[:, joint])
        turned[:, 0] = rotations.multiply(facing, turned[:, 0])
        local = np.array(motion.rotations)
        local[place.start : place.stop] = locals_of_turns(turned, motion.skeleton.parents, subject.rest)
        places = np.array(motion.root_positions)
        if place.joints[0]:
            period = (place.n_frames - 1) / max(float(phases[-1] - phases[0]), 1e-6)
            own = segment.root_positions / body.leg_length
            even = np.linalg.norm(np.diff(even_way(own, period)[:, [0, 2]], axis=0), axis=1).sum()
            length = float(even) * period / max(place.n_frames - 1, 1)
            stride = towards(length, self.stride, self.cycle_length) / max(length, 1e-9)
            steps = np.diff(segment.root_positions[:, [0, 2]], axis=0, prepend=segment.root_positions[:1, [0, 2]])
            further = np.cumsum(steps * (stride**weights - 1.0)[:, None], axis=0)
            places[place.start : place.stop, [0, 2]] += further
            places[place.stop :, [0, 2]] += further[-1]
            shift = _at_phases(self.root, phases) * ([-1.0, 1.0, 1.0] if place.mirrored else [1.0, 1.0, 1.0])
            places[place.start : place.stop] += rotations.rotate(facing, shift * weights[:, None] * body.leg_length)
        moved = replace(motion, rotations=rotations.continuous(local), root_positions=places)
        return moved, self._plants(subject, place, moved, phases, weights)

    def _plants(
        self, subject: Subject, place: Place, moved: Motion, phases: np.ndarray, weights: np.ndarray
    ) -> tuple[Plant, ...]:
        """Plants before and after as they were, along with the root. Within the segment feet stand when they stood in
        the styled cycle, or else where they are found to stand."""
        assert subject.body is not None
        kept = []
        for plant in plants_outside(subject.plants, place):
            if plant.start >= place.stop:
                x, y, z = (
                    np.array(plant.place) + moved.root_positions[-1] - subject.motion.root_positions[-1]
                ).tolist()
                plant = replace(plant, place=(x, y, z))
            kept.append(plant)
        if not self.stands:
            found = detect_plants(moved.slice(place.start, place.stop), subject.body).plants
            kept += [replace(one, start=one.start + place.start, stop=one.stop + place.start) for one in found]
            return tuple(sorted(kept, key=lambda plant: (plant.start, plant.foot, plant.part)))
        stands = _stands_at(self.stands, phases)
        if place.mirrored:
            stands = stands[:, ::-1]
        own = part_contacts_of_plants(subject.plants, subject.motion.n_frames)[place.start : place.stop]
        stands = np.where((np.abs(weights) > 0.5)[:, None, None], stands > 0.5, own)
        period = (place.n_frames - 1) / max(float(phases[-1] - phases[0]), 1e-6)
        gap = round(min(LIFTED_SECS / place.frame_time, LIFTED_SHARE * period))
        return _with_stands(kept, stands, moved, subject, place, gap)

    def _posed(self, subject: Subject, place: Place) -> Motion:
        if subject.body is None:
            raise SkeletonError("style: the skeleton is not a person's, so no style can be applied to it")
        segment = subject.motion.slice(place.start, place.stop)
        curves = curves_of(segment, subject.rest)
        vectors, means = np.array(curves.vectors), np.array(curves.means)
        slots = subject.body.body_map.slots
        for part, change, ratios in self.parts:
            mirrored = _other_side(part) if place.mirrored else part
            vector = np.radians(change) * ([1.0, -1.0, -1.0] if place.mirrored else [1.0, 1.0, 1.0])
            for joint in slots[mirrored]:
                share = 1.0 / len(slots[mirrored])
                turn = rotations.from_rotation_vector(self.amount * share * vector)
                means[joint] = rotations.multiply(turn, means[joint])
                vectors[:, joint] = _scaled(vectors[:, joint], np.array(ratios) ** self.amount, place)
        places = np.array(curves.places)
        places[:, 1] += self.amount * self.height * subject.body.leg_length
        return Curves(places, curves.headings, vectors, means, curves.rest).motion(segment)


def even_way(places: np.ndarray, period: float) -> np.ndarray:
    """The way (F, 3) without what comes back in every cycle: averaged over a cycle of `period` frames."""
    from scipy.ndimage import uniform_filter1d

    width = max(round(period), 1)
    around = min(width // 2 + 1, len(places) - 1)
    if around < 1:
        return places
    before, after = 2.0 * places[0] - places[around:0:-1], 2.0 * places[-1] - places[-2 : -around - 2 : -1]
    averaged = uniform_filter1d(np.concatenate([before, places, after]), width, axis=0, mode="nearest")
    return np.asarray(averaged[around : around + len(places)])


def towards(own: float, ratio: float, styled: float) -> float:
    """A size times a ratio, but no farther than to the styled motion's own (0: not known), and never away from it."""
    wanted = own * ratio
    if styled <= 0.0:
        return wanted
    return max(wanted, min(own, styled)) if ratio < 1.0 else min(wanted, max(own, styled))


def _stands_at(values: tuple[float, ...], phases: np.ndarray) -> np.ndarray:
    """How often heels and toes stand (F, 2, 2) at phases."""
    rows = np.array(values).reshape(PHASES, 2, 2)
    at = (phases % 1.0) * PHASES - 0.5
    low = np.floor(at).astype(int)
    share = (at - low)[:, None, None]
    return np.asarray(rows[low % PHASES] * (1.0 - share) + rows[(low + 1) % PHASES] * share)


def _with_stands(
    kept: list[Plant], stands: np.ndarray, moved: Motion, subject: Subject, place: Place, gap: int
) -> tuple[Plant, ...]:
    """The plants of outside and those of the segment's contacts (N, 2, 2); what crosses a border, or a gap of no more
    than so many frames, is one plant."""
    assert subject.body is not None
    points, least = subject.body.feet.world(moved), max(round(STANDS_SECS / place.frame_time), 2)
    plants = list(kept)
    for foot, foot_name in enumerate(FEET):
        spans = [
            _without_short_gaps(mask_intervals(stands[:, foot, part]) + place.start, points[:, foot, part], gap)
            for part in (0, 1)
        ]
        where = _places_of_foot(spans, points[:, foot], subject, foot_name, plants)
        for part, part_name in enumerate(PARTS_OF_FEET):
            for (start, stop), its_place in zip(spans[part], where[part], strict=True):
                beside = [one for one in plants if _touches(one, foot_name, part_name, start, stop)]
                if beside:
                    plants = [one for one in plants if one not in beside]
                    first, last = min(one.start for one in beside), max(one.stop for one in beside)
                    plants.append(replace(beside[0], start=min(first, start), stop=max(last, stop)))
                elif stop - start >= least:
                    x, y, z = its_place.tolist()
                    plants.append(Plant(foot_name, part_name, start, stop, (x, y, z), "edited"))
    return tuple(sorted(plants, key=lambda plant: (plant.start, plant.foot, plant.part)))


def _without_short_gaps(spans: np.ndarray, points: np.ndarray, gap: int) -> list[list[int]]:
    """Spans (N, 2), those that are no farther apart than the gap made one, if the point (F, 3) hardly moves in it.

    The first and the last one stay alone: on the borders of the segment they may go on from outside, elsewhere.
    """
    joined: list[list[int]] = []
    for number, (start, stop) in enumerate(spans.tolist()):
        before = joined[-1] if joined else None
        if (
            before is not None
            and 1 < number < len(spans) - 1
            and start - before[1] <= gap
            and np.linalg.norm(points[start] - points[before[1] - 1]) < MOVED_IN_GAP
        ):
            before[1] = stop
        else:
            joined.append([start, stop])
    return joined


def _touches(plant: Plant, foot: str, part: str, start: int, stop: int) -> bool:
    return (plant.foot, plant.part) == (foot, part) and (plant.stop == start or plant.start == stop)


def _places_of_foot(
    spans: list[list[list[int]]], points: np.ndarray, subject: Subject, foot: Foot, outside: list[Plant]
) -> list[list[np.ndarray]]:
    """Where a foot's heel and toe stand, by its points (F, 2, 3), for every span of both.

    Toes stand where they are in the midst of their time, heels beside their toes, as far from them as on the foot;
    what stands on from outside stays.
    """
    levels = [
        [one.place[1] for one in subject.plants if (one.foot, one.part) == (foot, name)] for name in PARTS_OF_FEET
    ]
    toes: list[np.ndarray] = []
    heels: list[np.ndarray] = []
    for part, found in ((1, toes), (0, heels)):
        for start, stop in spans[part]:
            shared = [min(stop, last) - max(start, first) for first, last in spans[1 - part]]
            other = int(np.argmax(shared)) if shared and max(shared) > 0 else None
            first, last = (start, stop) if other is None else spans[1 - part][other]
            pose = points[(max(start, first) + min(stop, last)) // 2]
            y = [float(np.median(level)) if level else float(pose[which, 1]) for which, level in enumerate(levels)]
            along = (pose[1] - pose[0]) * [1.0, 0.0, 1.0]
            length = float(np.sqrt(max(np.sum((pose[1] - pose[0]) ** 2) - (y[1] - y[0]) ** 2, 0.0)))
            along *= length / max(float(np.linalg.norm(along)), 1e-9)
            where = pose.mean(axis=0) + (part - 0.5) * along
            on = [
                [one for one in outside if _touches(one, foot, PARTS_OF_FEET[which], *span)]
                for which, span in ((part, (start, stop)), (1 - part, (first, last)))
            ]
            if on[0]:
                where = np.array(on[0][0].place)
            elif other is not None and part == 0:
                where = toes[other] - along
            elif other is not None and on[1]:
                where = np.array(on[1][0].place) + along
            found.append(np.array([where[0], y[part], where[2]]))
    return [heels, toes]


def _at_phases(values: tuple[float, ...], phases: np.ndarray) -> np.ndarray:
    """Values by phase, x, y, z, at phases (F, 3), along straight lines between them and round the end."""
    rows = np.array(values).reshape(PHASES, 3)
    at = (phases % 1.0) * PHASES - 0.5
    low = np.floor(at).astype(int)
    share = (at - low)[:, None]
    return np.asarray(rows[low % PHASES] * (1.0 - share) + rows[(low + 1) % PHASES] * share)


def _best_shift(
    subject: Subject, phases: np.ndarray, reference: Mapping[str, tuple[float, ...]], *, mirrored: bool
) -> float:
    """By how much of a cycle the neutral one is ahead of the subject's: where the parts are most alike."""
    outline = outline_of(subject)
    at = np.round(np.linspace(0, outline.n_frames - 1, len(phases))).astype(int)
    shared = [part for part in outline.parts if part in reference]
    places = outline.places[at][:, [outline.parts.index(part) for part in shared]]
    places = places - places.mean(axis=0)
    costs = []
    for shift in np.arange(PHASES) / PHASES:
        wanted = np.stack([_at_phases(reference[part], phases + shift) for part in shared], axis=1)
        if mirrored:
            wanted = wanted * [-1.0, 1.0, 1.0]
        costs.append(float(np.mean((places - (wanted - wanted.mean(axis=0))) ** 2)))
    return float(np.argmin(costs)) / PHASES


def bands_of(vectors: np.ndarray, n: int, frame_time: float) -> list[np.ndarray]:
    """Vectors (F, 3) as so many bands, the finest first, that add up to them."""
    finest = max(1.0 / 15.0 / frame_time, 1.0)
    levels = octave_levels(vectors, finest, n - 1)
    return [fine - coarse for fine, coarse in pairwise(levels)] + [levels[-1]]


def _scaled(vectors: np.ndarray, ratios: np.ndarray, place: Place) -> np.ndarray:
    bands = bands_of(vectors, len(ratios), place.frame_time * place.tempo)
    return np.asarray(sum(ratio * band for ratio, band in zip(ratios, bands, strict=True)))


def _other_side(part: str) -> str:
    for one, other in (("Left", "Right"), ("Right", "Left")):
        if part.startswith(one):
            return other + part.removeprefix(one)
    return part
