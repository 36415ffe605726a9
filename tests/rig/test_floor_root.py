from functools import cache
from typing import get_args

import numpy as np
import pytest

from blend.made_sources import long_walk
from motionary.motion import Motion, rotations
from motionary.rig import body_of, floor_root_of, reference_skeleton
from rig.floor_points import Root, on_floor_point

ROOTS = get_args(Root)


@cache
def walk() -> Motion:
    return long_walk()[0].motion.slice(0, 120)


def test_a_skeleton_whose_root_is_its_hips_has_no_floor_root():
    assert floor_root_of(body_of(reference_skeleton())) is None


@pytest.mark.parametrize("root", ROOTS)
def test_poses_stay_when_the_root_is_taken_to_the_hips_and_back(root):
    motion = on_floor_point(walk(), root)
    floor_root = floor_root_of(body_of(motion.skeleton, motion=motion))
    assert floor_root is not None

    rooted = floor_root.with_hips_as_root(motion)
    back = floor_root.with_own_root(rooted, like=motion)

    np.testing.assert_allclose(motion.positions_world[:, 1:], walk().positions_world, atol=1e-9)
    np.testing.assert_allclose(rooted.positions_world[:, 1:], walk().positions_world, atol=1e-9)
    np.testing.assert_allclose(rooted.root_positions, walk().root_positions, atol=1e-9)
    assert rotations.angle_between(rooted.rotations_world[:, 1:], walk().rotations_world).max() < 1e-6
    np.testing.assert_allclose(back.positions_world[:, 1:], motion.positions_world[:, 1:], atol=1e-9)
    assert rotations.angle_between(back.rotations_world[:, 1:], motion.rotations_world[:, 1:]).max() < 1e-6
    assert back.skeleton.same_as(motion.skeleton)


@pytest.mark.parametrize("root", ROOTS)
def test_the_root_does_as_it_did(root):
    motion = on_floor_point(walk(), root)
    floor_root = floor_root_of(body_of(motion.skeleton, motion=motion))
    assert floor_root is not None

    back = floor_root.with_own_root(floor_root.with_hips_as_root(motion), like=motion)

    np.testing.assert_allclose(back.root_positions, motion.root_positions, atol=1e-9)
    assert rotations.angle_between(back.rotations[:, 0], motion.rotations[:, 0]).max() < 1e-6


def test_a_joint_that_moves_against_its_parent_in_the_made_motion_alone_keeps_doing_so():
    motion = on_floor_point(walk(), "still")
    floor_root = floor_root_of(body_of(motion.skeleton, motion=motion))
    assert floor_root is not None
    rooted = floor_root.with_hips_as_root(motion)
    hand = rooted.skeleton.index("RightHand")
    stretched = np.linspace(1.0, 1.5, rooted.n_frames)[:, None, None] * rooted.skeleton.offsets[hand]
    moved = Motion(
        rooted.skeleton, rooted.frame_time, rooted.root_positions, rooted.rotations,
        np.array([hand], dtype=np.int32), stretched,
    )  # fmt: skip

    back = floor_root.with_own_root(moved, like=motion)

    np.testing.assert_allclose(back.positions_world[:, 1:], moved.positions_world[:, 1:], atol=1e-9)
