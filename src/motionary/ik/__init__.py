"""Inverse kinematics: joint rotations that bring a hand or foot to its place."""

from motionary.ik.two_bone import LimbTurns, two_bone

__all__ = ["LimbTurns", "two_bone"]
