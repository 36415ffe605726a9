"""Bodies: the reference skeleton, and how people's skeletons map onto it."""

from motionary.rig.body_map import PARTS, BodyMap
from motionary.rig.map_file import read_map
from motionary.rig.mapping import UserMap, map_skeleton
from motionary.rig.reference import reference_skeleton, root_height
from motionary.rig.space_guess import SpaceGuess, guess_space

__all__ = [
    "PARTS",
    "BodyMap",
    "SpaceGuess",
    "UserMap",
    "guess_space",
    "map_skeleton",
    "read_map",
    "reference_skeleton",
    "root_height",
]
