"""Operations that take something from another motion: paste, additive."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import mean_turns, turns_of
from motionary.edit.cutting import fitted_source
from motionary.edit.displacing import with_turns
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.subject import Place, Subject
from motionary.motion import Motion, poses_at, rotations


@dataclass(frozen=True)
class Paste(PoseOperation):
    """Makes the chosen joints move as in another motion, stretched to the length of the segment.

    The position of the root is never pasted; its tilt is, if the root is chosen. Identity: a weight of 0.
    """

    name: ClassVar[str] = "paste"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "paste from another motion"
    default_joints: ClassVar[tuple[str, ...]] = ("arms",)
    identity: ClassVar[Any] = {"source": "source", "weight": 0.0}
    example: ClassVar[Any] = {"source": "source"}

    source: str = parameter("", "the other motion: CLIP:START-STOP")
    weight: float = parameter(1.0, "1: only the other motion; 0: none of it", low=-1.0, high=2.0, varies=True)

    @property
    def source_names(self) -> tuple[str, ...]:
        return (self.source,)

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        if self.weight == 0.0:
            return segment, ()
        other = turns_of(source_poses(subject, place, self.source), subject.rest)
        own = turns_of(segment, subject.rest)
        other[:, 0] = own[:, 0]
        return with_turns(segment, rotations.slerp(own, other, self.weight), subject), ()


@dataclass(frozen=True)
class Additive(PoseOperation):
    """Adds the difference between another motion and a reference pose: a wave, a limp, a breath.

    The reference is the other motion's first pose or its mean pose. Identity: a weight of 0.
    """

    name: ClassVar[str] = "additive"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "add the difference of another motion"
    default_joints: ClassVar[tuple[str, ...]] = ("upper body",)
    identity: ClassVar[Any] = {"source": "source", "weight": 0.0}
    example: ClassVar[Any] = {"source": "source"}

    source: str = parameter("", "the other motion: CLIP:START-STOP")
    weight: float = parameter(1.0, "factor of the difference", low=-3.0, high=3.0, varies=True)
    reference: str = parameter("first", "pose that is subtracted from the other motion", choices=("first", "mean"))
    side: str = parameter("child", "frame in which the difference is applied", choices=("parent", "child"))

    @property
    def source_names(self) -> tuple[str, ...]:
        return (self.source,)

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        if self.weight == 0.0:
            return segment, ()
        other = turns_of(source_poses(subject, place, self.source), subject.rest)
        base = other[0] if self.reference == "first" else mean_turns(other)
        away = rotations.multiply(rotations.inverse(base), other)
        if self.side == "parent":
            away = rotations.multiply(other, rotations.inverse(base))
        change = rotations.from_rotation_vector(self.weight * rotations.to_rotation_vector(away))
        own = turns_of(segment, subject.rest)
        change[:, 0] = rotations.IDENTITY
        order = (change, own) if self.side == "parent" else (own, change)
        return with_turns(segment, rotations.multiply(*order), subject), ()


def source_poses(subject: Subject, place: Place, name: str) -> Motion:
    """The other motion on the subject's skeleton, from its first to its last pose in the time of the segment."""
    other = fitted_source(subject, place.source(name), mirrored=place.mirrored).motion
    span = place.times[-1] - place.times[0]
    share = (place.times - place.times[0]) / span if span > 0 else np.zeros(place.n_frames)
    return poses_at(other, share * (other.n_frames - 1))
