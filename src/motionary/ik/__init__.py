"""Inverse kinematics: joint rotations that bring a hand or foot to its place."""

from motionary.ik.applying import turn_joints, turn_limb
from motionary.ik.foot import FootTurn, place_foot
from motionary.ik.hinge import hinged_limb
from motionary.ik.two_bone import LimbTurns, two_bone

__all__ = ["FootTurn", "LimbTurns", "hinged_limb", "place_foot", "turn_joints", "turn_limb", "two_bone"]
