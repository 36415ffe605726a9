"""Inverse kinematics: joint rotations that bring a hand or foot to its place."""

from motionary.ik.applying import turn_joints, turn_limb
from motionary.ik.foot import FootTurn, place_foot
from motionary.ik.hinge import LimbBends, bent_limb, hinged_limb, limb_bends
from motionary.ik.target import Target
from motionary.ik.two_bone import LimbTurns, two_bone

__all__ = [
    "FootTurn",
    "LimbBends",
    "LimbTurns",
    "Target",
    "bent_limb",
    "hinged_limb",
    "limb_bends",
    "place_foot",
    "turn_joints",
    "turn_limb",
    "two_bone",
]
