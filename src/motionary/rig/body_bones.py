"""Which bones of a skeleton are part of its body: not the way from a floor point to the hips, not dummy end sites."""

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Skeleton
from motionary.rig.aliases import OUTGROWTH_WORDS
from motionary.rig.body_map import BodyMap
from motionary.rig.mapping import map_skeleton
from motionary.rig.names import read_names

FAR_ROOT = 0.4  # of what hangs below: a root further away from its only child is no part of a creature's body


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
    first = body_map.hips if body_map is not None else _first_joint(skeleton)
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


def _first_joint(skeleton: Skeleton) -> int:
    """The root, or its only child if that is far away from it for the size of all else."""
    children = np.flatnonzero(skeleton.parents == 0)
    if len(children) != 1 or skeleton.n_joints < 4:
        return 0
    rest = skeleton.rest_positions()[1:]
    size = float(np.linalg.norm(np.ptp(rest, axis=0)))
    return int(children[0]) if np.linalg.norm(skeleton.offsets[children[0]]) > FAR_ROOT * size > 0.0 else 0
