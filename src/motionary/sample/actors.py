"""The people of the sample library: how they are built, how they stand and how they move."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.motion import Skeleton
from motionary.rig import reference_skeleton
from motionary.sample.truth import Side


@dataclass(frozen=True)
class Actor:
    """A body, as ratios to the reference skeleton of its height, and habits of movement."""

    name: str
    height: float  # metres
    legs: float = 1.0
    arms: float = 1.0
    torso: float = 1.0
    shoulders: float = 1.0  # width
    hips: float = 1.0  # width
    tempo: float = 1.0  # above 1: quicker
    hand: Side = "right"  # the hand that writes, throws and waves
    stance: float = 0.13  # metres from one foot to the other when standing, as a share of the height
    toe_out: float = 0.12  # radians that each foot points outwards
    stoop: float = 0.04  # radians that the spine is bent forwards when at ease
    arm_swing: float = 1.0
    arms_out: float = 0.12  # radians that the hanging arms stand off the body
    elbows: float = 0.28  # radians that they are bent when hanging
    bounce: float = 1.0  # how springy the steps are

    @cached_property
    def skeleton(self) -> Skeleton:
        """The reference skeleton with this actor's proportions."""
        reference = reference_skeleton(self.height)
        offsets = np.array(reference.offsets)
        for joint, name in enumerate(reference.names):
            if name.endswith(("Shin", "Foot")):
                offsets[joint] *= self.legs
            elif name.endswith(("Forearm", "Hand")):
                offsets[joint] *= self.arms
            elif name.startswith(("Spine", "Neck", "Head")):
                offsets[joint] *= self.torso
            elif name.endswith(("UpperArm", "Clavicle")):
                offsets[joint, 0] *= self.shoulders
            elif name.endswith("Thigh"):
                offsets[joint, 0] *= self.hips
        grown = (self.legs - 1.0) * (0.240 + 0.243) * self.height
        offsets[0, 1] += grown  # longer legs stand higher
        return Skeleton(
            reference.names, reference.parents, offsets, reference.end_site_joints, reference.end_site_offsets
        )


ACTORS = (
    Actor("ada", 1.68, hips=1.06, arms_out=0.13),
    Actor("bruno", 1.86, legs=1.03, shoulders=1.1, tempo=0.9, stance=0.15, toe_out=0.2, arms_out=0.2, bounce=0.85),
    Actor("chika", 1.57, legs=0.97, torso=1.03, tempo=1.14, stance=0.11, toe_out=0.06, arm_swing=1.15, bounce=1.15),
    Actor("davor", 1.78, arms=1.05, hand="left", stoop=0.11, arm_swing=0.85, elbows=0.36),
    Actor("elif", 1.72, legs=1.05, torso=0.97, arms=0.98, tempo=1.06, stoop=0.0, elbows=0.2, bounce=1.2),
    Actor("femi", 1.94, legs=1.02, arms=1.04, shoulders=1.06, tempo=0.86, stoop=0.08, arm_swing=1.1, elbows=0.32),
    Actor(
        "gwen", 1.63, legs=0.96, shoulders=1.08, hips=1.12, tempo=0.96, stance=0.16, stoop=0.13, arms_out=0.22,
        arm_swing=0.8, bounce=0.75, hand="left",
    ),
)  # fmt: skip
