"""Which bones of a skeleton are part of its body: not the way from a floor point to the hips, not dummy end sites."""

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Skeleton
from motionary.rig.aliases import OUTGROWTH_WORDS
from motionary.rig.body_map import BodyMap
from motionary.rig.mapping import map_skeleton
from motionary.rig.names import read_names


def body_bones(skeleton: Skeleton, *, body_map: BodyMap | None = None) -> np.ndarray:
    """Whether the bone that leads to each joint, then to each end site, is one of the body's (J + E,).

    A person begins at the hips: what is above them or beside them (a motionless root on the floor, controls) is
    not part of the body. Joints that mark the end of a head, toe or finger (HeadTop_End) have nothing behind them.
    """
    if body_map is None:
        try:
            body_map = map_skeleton(skeleton)
        except MappingError:
            body_map = None
    first = body_map.hips if body_map is not None else 0
    below = np.zeros(skeleton.n_joints, dtype=bool)
    for joint in range(skeleton.n_joints):
        below[joint] = joint == first or (joint > 0 and below[skeleton.parents[joint]])
    marks_end = np.array([name.marks_end for name in read_names(skeleton.names)])
    ends = below[skeleton.end_site_joints] & ~marks_end[skeleton.end_site_joints]
    below[first] = first == 0  # nothing leads to the first joint, but a root is where it is
    return np.concatenate([below, ends])


def outgrowths(skeleton: Skeleton) -> np.ndarray:
    """Which joints (J,) are breasts, fingers or parts of a face: they are no limbs, whatever they hang on."""
    return np.array([any(word in name.word for word in OUTGROWTH_WORDS) for name in read_names(skeleton.names)])
