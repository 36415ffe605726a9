"""Where a body faces."""

import numpy as np

from motionary.motion import Motion, headings
from motionary.rig.body import settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.mapping import map_skeleton
from motionary.rig.rest_pose import t_pose


def body_headings(
    motion: Motion, body_map: BodyMap | None = None, *, rest_world: np.ndarray | None = None
) -> np.ndarray:
    """Where the body faces (F,), in radians about +y from +z, without jumps, whatever axes its hips have.

    `rest_world` (J, 4) is the skeleton's T-pose, if it is known already.
    """
    skeleton = settled_skeleton(motion)
    body_map = body_map or map_skeleton(skeleton)
    rest = t_pose(skeleton, body_map, motion=motion) if rest_world is None else rest_world
    return headings(motion.rotations_world[:, body_map.hips], rest[body_map.hips])
