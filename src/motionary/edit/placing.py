"""Operations on where the body is: left for right, and in place."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import facing_of
from motionary.edit.cutting import plants_outside
from motionary.edit.joints import mirrored_subject
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import UsageError
from motionary.motion import UP, rotations
from motionary.plants import Plant


@dataclass(frozen=True)
class Mirror(Operation):
    """Puts left for right, in the whole clip. Twice mirrored is the original."""

    name: ClassVar[str] = "mirror"
    title: ClassVar[str] = "left for right"
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {}

    def apply(self, subject: Subject, place: Place) -> Edited:
        if place.n_frames != subject.motion.n_frames:
            raise UsageError("mirror: only a whole clip can be mirrored; the seams of a part would tear it")
        mirrored = mirrored_subject(subject)
        return Edited(mirrored.motion, mirrored.plants)


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
