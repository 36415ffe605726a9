"""Style from an example (emotional transform; Amaya, Bruderlin & Calvert 1996), put on a motion."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionary.blend import BlendSource, find_cycles
from motionary.edit.borders import border_weights, eased_in
from motionary.edit.curves import Curves, curves_of, facing_of, locals_of_turns, turns_of
from motionary.edit.cutting import plants_outside
from motionary.edit.filtering import spread_smoothed
from motionary.edit.fitting import outline_of
from motionary.edit.operation import Operation, parameter
from motionary.edit.retiming import retimed
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import SkeletonError
from motionary.motion import UP, Motion, rotations
from motionary.plants import Plant, detect_plants

PHASES = 24  # of a cycle that are told apart
# part, change of the mean as a rotation vector in degrees, ratio of deviations of each band (one: in total)
Learnt = tuple[str, tuple[float, float, float], tuple[float, ...]]


@dataclass(frozen=True)
class Style(Operation):
    """Puts what was learnt of a style on a motion: mean poses, how far joints go, how fast, and the pelvis's height.

    `learn_style` makes it from a neutral and a styled motion. Where both had cycles, and the motion has, too, it gets
    the change of every part of the body phase by phase, and the length of the strides. Identity: an amount of 0.
    """

    name: ClassVar[str] = "style"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "style from an example"
    version: ClassVar[int] = 2
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
    pace: float = parameter(1.0, "how many times as fast", low=0.05, high=20.0)
    height: float = parameter(0.0, "change of the pelvis's mean height, in leg lengths", low=-1.0, high=1.0)
    amount: float = parameter(1.0, "how much of it; above 1 exaggerates", low=-2.0, high=3.0, varies=True)
    timing: bool = parameter(True, "take the timing, too")
    cycle: tuple[tuple[str, tuple[float, ...]], ...] = parameter(
        (), "(part, changes of its turn through a cycle: x, y, z in degrees, by phase)"
    )
    root: tuple[float, ...] = parameter((), "changes of the root's place through a cycle, by phase, in leg lengths")
    reference: tuple[tuple[str, tuple[float, ...]], ...] = parameter(
        (), "(part, where it is through the neutral cycle, by phase, in leg lengths)"
    )
    stride: float = parameter(1.0, "how many times as far a cycle goes", low=0.05, high=20.0)

    def apply(self, subject: Subject, place: Place) -> Edited:
        if self.amount == 0.0 or place.strength == 0.0:
            return Edited(subject.motion, subject.plants)
        cycled = self._through_cycles(subject, place) if self.cycle else None
        if cycled is None:
            motion, plants = eased_in(subject.motion, self._posed(subject, place), place), subject.plants
        else:
            motion, plants = cycled
        pace = self.pace ** (self.amount * place.strength)
        if not self.timing or pace == 1.0:
            return Edited(motion, plants)
        weights = border_weights(place, motion.n_frames) / place.strength
        new = np.concatenate([[0.0], np.cumsum(pace**-weights)])
        n_frames = max(round(float(new[-1])), 1)
        new *= n_frames / new[-1]
        shown = place.start + np.interp(np.arange(n_frames), new, np.arange(place.n_frames + 1))
        return retimed(Subject(motion, subject.body, plants), place, shown)

    def _through_cycles(self, subject: Subject, place: Place) -> tuple[Motion, tuple[Plant, ...]] | None:
        """The motion with the changes of a cycle, and its plants; None where it has no cycles."""
        body, motion = subject.body, subject.motion
        if body is None:
            raise SkeletonError("style: the skeleton is no person's, so that no style can be put on it")
        segment = subject.slice(place.start, place.stop)
        phases = phases_of(segment)
        if phases is None:
            return None
        reference = {_other_side(part) if place.mirrored else part: values for part, values in self.reference}
        phases = phases + _best_shift(segment, phases, reference, mirrored=place.mirrored)
        weights = self.amount * border_weights(place, motion.n_frames)
        side = np.array([1.0, -1.0, -1.0]) if place.mirrored else np.ones(3)
        turned = turns_of(segment.motion, subject.rest)
        facing = rotations.from_axis_angle(UP, facing_of(segment.motion, subject.rest))
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
            steps = np.diff(
                segment.motion.root_positions[:, [0, 2]], axis=0, prepend=segment.motion.root_positions[:1, [0, 2]]
            )
            further = np.cumsum(steps * (self.stride**weights - 1.0)[:, None], axis=0)
            places[place.start : place.stop, [0, 2]] += further
            places[place.stop :, [0, 2]] += further[-1]
            shift = _at_phases(self.root, phases) * ([-1.0, 1.0, 1.0] if place.mirrored else [1.0, 1.0, 1.0])
            places[place.start : place.stop] += rotations.rotate(facing, shift * weights[:, None] * body.leg_length)
        moved = replace(motion, rotations=rotations.continuous(local), root_positions=places)
        return moved, self._plants(subject, place, moved)

    @staticmethod
    def _plants(subject: Subject, place: Place, moved: Motion) -> tuple[Plant, ...]:
        """Plants before and after as they were, along with the root; those of the segment found anew."""
        assert subject.body is not None
        kept = []
        for plant in plants_outside(subject.plants, place):
            if plant.start >= place.stop:
                x, y, z = (
                    np.array(plant.place) + moved.root_positions[-1] - subject.motion.root_positions[-1]
                ).tolist()
                plant = replace(plant, place=(x, y, z))
            kept.append(plant)
        found = detect_plants(moved.slice(place.start, place.stop), subject.body).plants
        kept += [replace(one, start=one.start + place.start, stop=one.stop + place.start) for one in found]
        return tuple(sorted(kept, key=lambda plant: (plant.start, plant.foot, plant.part)))

    def _posed(self, subject: Subject, place: Place) -> Motion:
        if subject.body is None:
            raise SkeletonError("style: the skeleton is no person's, so that no style can be put on it")
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


def phases_of(subject: Subject) -> np.ndarray | None:
    """How many cycles have gone by at each frame (F,), from the first cycle on; None where nothing comes back."""
    assert subject.body is not None
    cycles = find_cycles(BlendSource("", subject.motion, subject.body, subject.plants))
    if not cycles:
        return None
    marks = np.array([*(cycle.start for cycle in cycles), cycles[-1].stop], dtype=float)
    period = float(np.mean(np.diff(marks)))
    frames = np.arange(subject.motion.n_frames)
    phases = np.interp(frames, marks, np.arange(len(marks)))
    phases += np.minimum(frames - marks[0], 0.0) / period + np.maximum(frames - marks[-1], 0.0) / period
    return np.asarray(phases)


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
    levels = [vectors]
    for level in range(n - 1):
        levels.append(spread_smoothed(levels[-1], finest * 2.0**level))
    return [fine - coarse for fine, coarse in pairwise(levels)] + [levels[-1]]


def _scaled(vectors: np.ndarray, ratios: np.ndarray, place: Place) -> np.ndarray:
    bands = bands_of(vectors, len(ratios), place.frame_time * place.tempo)
    return np.asarray(sum(ratio * band for ratio, band in zip(ratios, bands, strict=True)))


def _other_side(part: str) -> str:
    for one, other in (("Left", "Right"), ("Right", "Left")):
        if part.startswith(one):
            return other + part.removeprefix(one)
    return part
