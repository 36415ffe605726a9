import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import swaying_body
from motionary.motion import poses_at, rotations
from motionary.motion.sampling import sample_poses_reference
from strategies import motions, numbers


@given(motion=motions(max_frames=7), frames=st.lists(numbers(-1.0, 8.0), min_size=1, max_size=6))
def test_smooth_poses_are_those_of_the_definition(motion, frames):
    poses = poses_at(motion, np.array(frames), smooth=True)

    root, turned, moved = sample_poses_reference(
        motion.root_positions, motion.rotations, motion.joint_translations, np.array(frames)
    )
    assert poses.root_positions == pytest.approx(root, abs=1e-9)
    assert np.allclose(np.abs(np.sum(poses.rotations * turned, axis=-1)), 1.0)
    assert poses.joint_translations == pytest.approx(moved.reshape(poses.joint_translations.shape), abs=1e-9)


@given(motion=motions(max_frames=6))
def test_whole_frames_are_kept_to_the_bit(motion):
    poses = poses_at(motion, np.arange(motion.n_frames), smooth=True)

    assert np.array_equal(poses.root_positions, motion.root_positions)
    assert np.array_equal(np.abs(poses.rotations), np.abs(motion.rotations))


def test_smooth_poses_are_nearer_to_the_truth_than_straight_lines():
    fine = swaying_body(3, n_frames=120, frame_time=1 / 120)
    coarse = poses_at(fine, np.arange(0, 120, 6))
    at = np.arange(120) / 6

    errors = [
        rotations.angle_between(poses_at(coarse, at, smooth=smooth).rotations[6:100], fine.rotations[6:100]).max()
        for smooth in (False, True)
    ]

    assert errors[1] < 0.3 * errors[0]
