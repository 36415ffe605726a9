"""Operations on where the body is: left for right, and in place."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.borders import border_weights, eased_in
from motionary.edit.curves import facing_of, locals_of_turns, turns_of
from motionary.edit.cutting import plants_outside
from motionary.edit.floor_roots import with_hips_as_root
from motionary.edit.joints import joint_mask, mirrored_subject, partners_of
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import Edited, Place, Subject
from motionary.motion import UP, Motion, rotations
from motionary.plants import Plant

MIRROR = np.array([1.0, 1.0, -1.0, -1.0])  # of a turn, seen in the plane x = 0


@dataclass(frozen=True)
class Mirror(Operation):
    """Swaps left and right. Applied twice, it gives the original.

    A whole clip is mirrored together with its path. In a part of a clip, poses are mirrored relative to the body's
    heading, and the path stays; unless joints are named, only the upper body changes, because mirrored feet would have
    to change places in mid-step.
    """

    name: ClassVar[str] = "mirror"
    title: ClassVar[str] = "swap left and right"
    ease_secs: ClassVar[float] = 0.4
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {}

    def apply(self, subject: Subject, place: Place) -> Edited:
        if place.n_frames == subject.motion.n_frames and place.joints.all() and place.strength == 1.0:
            mirrored = mirrored_subject(subject)
            return Edited(mirrored.motion, mirrored.plants)
        if place.joints.all():
            upper = joint_mask(subject, ["upper body"]) if subject.body is not None else ~_is_root(subject)
            place = replace(place, joints=upper)
        return Edited(eased_in(subject.motion, mirrored_poses(subject, place), place), subject.plants)


def mirrored_poses(subject: Subject, place: Place) -> Motion:
    """The segment's poses left for right, as the body faces; the root goes its way."""
    segment = subject.motion.slice(place.start, place.stop)
    turned = turns_of(segment, subject.rest)
    facing = rotations.from_axis_angle(UP, facing_of(segment, subject.rest))
    turned[:, 0] = rotations.multiply(rotations.inverse(facing), turned[:, 0])
    other = turned[:, partners_of(subject)] * MIRROR
    other[:, 0] = rotations.multiply(facing, other[:, 0])
    local = locals_of_turns(other, segment.skeleton.parents, subject.rest)
    return replace(segment, rotations=rotations.continuous(local))


def _is_root(subject: Subject) -> np.ndarray:
    return np.arange(subject.motion.skeleton.n_joints) == 0


@dataclass(frozen=True)
class InPlace(Operation):
    """Removes the root's travel: the body moves on the spot, as on a treadmill, and the rest of the clip follows on.

    Height and tilt stay. Planted feet slide, so the segment's plants are removed. At borders inside the clip, the body
    slows down and sets off again while the edit fades. `root_motion` gives the path and the turns of a motion.
    Identity: an amount of 0.
    """

    name: ClassVar[str] = "in-place"
    title: ClassVar[str] = "remove travel"
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {}

    amount: float = parameter(1.0, "share of the travel that is removed", low=0.0, high=1.0)
    heading: bool = parameter(False, "also remove turns")

    def apply(self, subject: Subject, place: Place) -> Edited:
        if self.amount * place.strength == 0.0:
            return Edited(subject.motion, subject.plants)
        motion, start, stop = subject.motion, place.start, place.stop
        weights = self.amount * border_weights(place, motion.n_frames)
        shares = 0.5 * (weights[1:] + weights[:-1])  # of each step within the segment
        places, turned = np.array(motion.root_positions), np.array(motion.rotations)
        ground = places[start:] * [1.0, 0.0, 1.0]
        steps = np.diff(ground, axis=0)
        steps[: len(shares)] *= 1.0 - shares[:, None]
        away = np.zeros(len(ground))
        if self.heading:
            facing = facing_of(motion, subject.rest)
            away[1 : stop - start] = np.cumsum(shares * np.diff(facing[start:stop]))
            away[stop - start :] = away[stop - start - 1]
            turn = rotations.from_axis_angle(UP, -away)
            turned[start:, 0] = rotations.multiply(turn, turned[start:, 0])
            steps = rotations.rotate(turn[1:], steps)
        now = np.concatenate([ground[:1], ground[0] + np.cumsum(steps, axis=0)])
        places[start:, [0, 2]] = now[:, [0, 2]]
        kept = plants_outside(subject.plants, place)
        after = replace(motion, root_positions=places, rotations=rotations.continuous(turned))
        last = rotations.from_axis_angle(UP, -away[-1])
        moved = [
            _along(plant, motion.root_positions[-1], last, places[-1]) if plant.start >= stop else plant
            for plant in kept
        ]
        return Edited(after, tuple(moved))


def root_motion(subject: Subject) -> tuple[np.ndarray, np.ndarray]:
    """The root's way on the ground (F, 2), from its first place, and its turns (F,), from its first heading."""
    subject = with_hips_as_root(subject)
    facing = facing_of(subject.motion, subject.rest)
    way = subject.motion.root_positions[:, [0, 2]]
    return way - way[0], facing - facing[0]


def _along(plant: Plant, before: np.ndarray, turn: np.ndarray, after: np.ndarray) -> Plant:
    """A plant turned and moved along with the root, which was brought from one place to another."""
    x, y, z = (after + rotations.rotate(turn, np.array(plant.place) - before)).tolist()
    return replace(plant, place=(x, y, z))
