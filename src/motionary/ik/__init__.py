"""Inverse kinematics: joint rotations that bring a hand or foot to its place."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.ik.applying import columns_above, turn_in_world, turn_joints, turn_limb
    from motionary.ik.chain import ChainTurns, look_with_chain, reach_with_chain
    from motionary.ik.foot import FootTurn, place_foot
    from motionary.ik.hinge import LimbBends, bent_limb, hinge_bends, hinged_limb, limb_bends, swing_hinges
    from motionary.ik.posing import Posed, look_at, reach
    from motionary.ik.target import Target
    from motionary.ik.two_bone import LimbTurns, two_bone
else:
    import_on_use(__name__)

__all__ = [
    "ChainTurns",
    "FootTurn",
    "LimbBends",
    "LimbTurns",
    "Posed",
    "Target",
    "bent_limb",
    "columns_above",
    "hinge_bends",
    "hinged_limb",
    "limb_bends",
    "look_at",
    "look_with_chain",
    "place_foot",
    "reach",
    "reach_with_chain",
    "swing_hinges",
    "turn_in_world",
    "turn_joints",
    "turn_limb",
    "two_bone",
]
