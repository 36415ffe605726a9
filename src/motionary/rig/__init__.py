"""Bodies: the reference skeleton, and how people's skeletons map onto it."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.rig.body import FootPoints, body_height, foot_points, leg_length, settled_skeleton
    from motionary.rig.body_bones import body_bones, outgrowths
    from motionary.rig.body_map import PARTS, BodyMap
    from motionary.rig.facing import body_headings
    from motionary.rig.floor_root import FloorRoot, OwnRoot, floor_root_of
    from motionary.rig.map_file import read_map
    from motionary.rig.mapping import UserMap, find_parts, map_skeleton
    from motionary.rig.reference import (
        ARM,
        HEIGHT,
        JOINT_WORDS,
        LEG,
        NECK,
        SIDES,
        SPINE,
        reference_skeleton,
        root_height,
    )
    from motionary.rig.rest_pose import t_pose
    from motionary.rig.sides import Side, joint_sides, mirror_partners, symmetric_pose
    from motionary.rig.space_guess import SpaceGuess, guess_space
    from motionary.rig.transfer import to_reference, transfer, transfer_between
    from motionary.rig.whole_body import Body, body_of
else:
    import_on_use(__name__)

__all__ = [
    "ARM",
    "HEIGHT",
    "JOINT_WORDS",
    "LEG",
    "NECK",
    "PARTS",
    "SIDES",
    "SPINE",
    "Body",
    "BodyMap",
    "FloorRoot",
    "FootPoints",
    "OwnRoot",
    "Side",
    "SpaceGuess",
    "UserMap",
    "body_bones",
    "body_headings",
    "body_height",
    "body_of",
    "find_parts",
    "floor_root_of",
    "foot_points",
    "guess_space",
    "joint_sides",
    "leg_length",
    "map_skeleton",
    "mirror_partners",
    "outgrowths",
    "read_map",
    "reference_skeleton",
    "root_height",
    "settled_skeleton",
    "symmetric_pose",
    "t_pose",
    "to_reference",
    "transfer",
    "transfer_between",
]
