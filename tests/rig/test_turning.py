import numpy as np
import pytest

from motionary.rig.body_map import BodyMap
from motionary.rig.correspondence import correspondence
from motionary.rig.mapping import map_skeleton
from motionary.rig.rest_pose import t_pose
from motionary.rig.turning import turned, turned_reference
from rig.bodies import a_pose, axes_by_part, dance, with_axes
from rig.families import FAMILIES, family_skeleton

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize("family", ["Biovision", "Second Life, Bento", "Vicon A", "Unreal", "Bandai Namco"])
def test_the_kernel_computes_what_its_reference_does(family: str) -> None:
    motion = dance(n_frames=15)
    motion = with_axes(motion, axes_by_part(motion.skeleton, a_pose))
    target = family_skeleton(BY_NAME[family])
    maps: dict[str, BodyMap] = {"source_map": map_skeleton(motion.skeleton), "target_map": map_skeleton(target)}
    follows = correspondence(
        motion.skeleton, target, **maps, source_rest=t_pose(motion.skeleton), target_rest=t_pose(target)
    )

    fast = turned(target, follows, motion.rotations_world)

    slow = turned_reference(target, follows, motion.rotations_world)
    assert np.abs(np.sum(fast * slow, axis=-1)) == pytest.approx(np.ones(fast.shape[:2]), abs=1e-12)
    assert np.all(np.sum(fast[1:] * fast[:-1], axis=-1) >= 0.0)
