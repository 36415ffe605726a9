import numpy as np
import pytest
from hypothesis import given

from motionary.motion import Skeleton, kinematics, rotations
from motionary.motion.kinematics import end_sites, forward, forward_reference, local_rotations
from strategies import motions


def arguments(motion):
    return (
        motion.skeleton,
        motion.root_positions,
        motion.rotations,
        motion.moving_joints,
        motion.joint_translations,
    )


@given(motion=motions(max_frames=4))
def test_forward_agrees_with_products_of_matrices(motion):
    positions, turned = forward(*arguments(motion))
    positions_reference, turned_reference = forward_reference(*arguments(motion))

    assert positions == pytest.approx(positions_reference, abs=1e-12)
    assert rotations.angle_between(turned, turned_reference).max() <= 1e-12


@given(motion=motions())
def test_the_rest_pose_is_the_sum_of_offsets(motion):
    upright = np.broadcast_to(rotations.IDENTITY, motion.rotations.shape)
    still = (
        motion.skeleton,
        motion.root_positions,
        upright,
        np.zeros(0, np.int32),
        np.zeros((motion.n_frames, 0, 3)),
    )

    positions, turned = forward(*still)

    expected = motion.root_positions[:, None] + motion.skeleton.rest_positions()
    assert positions == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(turned, upright)


@given(motion=motions(moving=False))
def test_bones_keep_their_lengths(motion):
    positions = motion.positions_world
    bones = positions[:, 1:] - positions[:, motion.skeleton.parents[1:]]

    lengths = np.linalg.norm(motion.skeleton.offsets[1:], axis=-1)
    assert np.linalg.norm(bones, axis=-1) == pytest.approx(np.broadcast_to(lengths, bones.shape[:2]), abs=1e-12)


@given(motion=motions())
def test_local_rotations_undo_forward(motion):
    back = local_rotations(motion.skeleton, motion.rotations_world)

    assert rotations.angle_between(back, motion.rotations).max() <= 1e-12
    assert np.all(np.sum(back[1:] * back[:-1], axis=-1) >= -1e-12)


@given(motion=motions())
def test_end_sites_hang_on_their_joints_as_a_child_without_rotation_would(motion):
    skeleton = motion.skeleton
    n_ends = len(skeleton.end_site_joints)
    with_tips = Skeleton(
        (*skeleton.names, *(f"tip {i}" for i in range(n_ends))),
        np.append(skeleton.parents, skeleton.end_site_joints),
        np.concatenate([skeleton.offsets, skeleton.end_site_offsets]),
    )
    upright = np.broadcast_to(rotations.IDENTITY, (motion.n_frames, n_ends, 4))
    turns = np.concatenate([motion.rotations, upright], axis=1)

    positions, _ = forward_reference(with_tips, motion.root_positions, turns, *arguments(motion)[3:])

    tips = end_sites(skeleton, *forward(*arguments(motion)))
    assert tips == pytest.approx(positions[:, skeleton.n_joints :], abs=1e-12)


def test_strided_input_is_understood():
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    turns = rotations.normalise(np.random.default_rng(0).normal(size=(6, 2, 4)))
    nobody = (np.zeros(0, np.int32), np.zeros((3, 0, 3)))

    positions, _ = kinematics.forward(skeleton, np.ones((6, 3))[::2], turns[::2], *nobody)

    assert positions == pytest.approx(forward_reference(skeleton, np.ones((3, 3)), turns[::2], *nobody)[0])
