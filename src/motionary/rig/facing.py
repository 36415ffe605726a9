"""Where a body faces."""

import numpy as np

from motionary.motion import Motion, headings
from motionary.rig.body_map import BodyMap
from motionary.rig.whole_body import body_of


def body_headings(
    motion: Motion, body_map: BodyMap | None = None, *, rest_world: np.ndarray | None = None
) -> np.ndarray:
    """Where the body faces (F,), in radians about +y from +z, without jumps, whatever axes its hips have.

    `rest_world` (J, 4) is the skeleton's T-pose, if it is known already.
    """
    if body_map is None or rest_world is None:
        body = body_of(motion.skeleton, body_map=body_map, motion=motion)
        body_map = body.body_map
        rest_world = body.rest_world if rest_world is None else rest_world
    return headings(motion.rotations_world[:, body_map.hips], rest_world[body_map.hips])
