"""Operations on where the body is: left for right, and in place."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.borders import eased_in
from motionary.edit.curves import facing_of, locals_of_turns, turns_of
from motionary.edit.cutting import plants_outside
from motionary.edit.joints import joint_mask, mirrored_subject, partners_of
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import Edited, Place, Subject
from motionary.motion import UP, Motion, rotations
from motionary.plants import Plant

MIRROR = np.array([1.0, 1.0, -1.0, -1.0])  # of a turn, seen in the plane x = 0


@dataclass(frozen=True)
class Mirror(Operation):
    """Puts left for right. Twice mirrored is the original.

    A whole clip is mirrored with its path. In a part of it, poses are mirrored as the body faces and the body goes its
    way; of all joints those of the upper body, as feet would have to change places in mid-step, unless some are named.
    """

    name: ClassVar[str] = "mirror"
    title: ClassVar[str] = "left for right"
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
    """Takes the root's way out: the body moves on the spot, as on a treadmill; what follows comes along.

    Height and tilt stay. Planted feet slide then, as they must; the segment's plants are gone. `root_motion` gives what
    was taken out. Identity: an amount of 0.
    """

    name: ClassVar[str] = "in-place"
    title: ClassVar[str] = "on the spot"
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {}

    amount: float = parameter(1.0, "how much of the way is taken out", low=0.0, high=1.0)
    heading: bool = parameter(False, "take the turns out, too")

    def apply(self, subject: Subject, place: Place) -> Edited:
        amount = self.amount * place.strength
        if amount == 0.0:
            return Edited(subject.motion, subject.plants)
        motion = subject.motion
        segment = slice(place.start, place.stop)
        places, turned = np.array(motion.root_positions), np.array(motion.rotations)
        facing = facing_of(motion, subject.rest)
        base = places[place.start].copy()
        if self.heading:
            away = np.zeros(motion.n_frames)
            away[segment] = facing[segment] - facing[place.start]
            away[place.stop :] = away[place.stop - 1]
            turn = rotations.from_axis_angle(UP, -amount * away)
            turned[:, 0] = rotations.multiply(turn, turned[:, 0])
            relative = rotations.rotate(turn[place.stop :], places[place.stop :] - places[place.stop - 1])
            end = places[place.stop - 1]
            places[place.stop :] = end + relative
        way = np.zeros((motion.n_frames, 2))
        way[segment] = places[segment][:, [0, 2]] - base[[0, 2]]
        way[place.stop :] = way[place.stop - 1]
        places[:, [0, 2]] -= amount * way
        kept = plants_outside(subject.plants, place)
        after = replace(motion, root_positions=places, rotations=rotations.continuous(turned))
        moved = [_replaced(plant, motion.root_positions, after.root_positions, place) for plant in kept]
        return Edited(after, tuple(moved) if not self.heading else tuple(p for p in moved if p.stop <= place.start))


def root_motion(subject: Subject) -> tuple[np.ndarray, np.ndarray]:
    """The root's way on the ground (F, 2), from its first place, and its turns (F,), from its first heading."""
    facing = facing_of(subject.motion, subject.rest)
    way = subject.motion.root_positions[:, [0, 2]]
    return way - way[0], facing - facing[0]


def _replaced(plant: Plant, before: np.ndarray, after: np.ndarray, place: Place) -> Plant:
    if plant.start < place.stop:
        return plant
    x, y, z = (np.array(plant.place) + after[-1] - before[-1]).tolist()
    return replace(plant, place=(x, y, z))
