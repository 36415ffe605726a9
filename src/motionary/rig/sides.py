"""Left and right: which joint is whose counterpart, and how joints stand in a symmetric pose."""

from collections import defaultdict

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, rotations
from motionary.rig.body_map import BodyMap
from motionary.rig.names import OTHER_SIDE, read_names
from motionary.rig.whole_body import body_of


def mirror_partners(skeleton: Skeleton) -> np.ndarray:
    """The counterpart (J,) of every joint on the other side, by name; itself for joints in the middle."""
    partners = np.arange(skeleton.n_joints)
    named: dict[tuple[str, str, tuple[int, ...]], list[int]] = defaultdict(list)
    for joint, name in enumerate(read_names(skeleton.names)):
        if name.side:
            named[name.side, name.word, name.numbers].append(joint)
    for (side, word, numbers), joints in named.items():
        others = named.get((OTHER_SIDE[side], word, numbers), [])
        if len(others) == len(joints):
            partners[joints] = others
    return partners


def symmetric_pose(skeleton: Skeleton, *, body_map: BodyMap | None = None, motion: Motion | None = None) -> np.ndarray:
    """World rotations (J, 4) in which both sides mirror each other: the T-pose; a creature's rest pose."""
    try:
        return body_of(skeleton, body_map=body_map, motion=motion).rest_world
    except MappingError:
        return np.tile(rotations.IDENTITY, (skeleton.n_joints, 1))
