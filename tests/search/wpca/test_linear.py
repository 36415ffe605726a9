import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from motionary.errors import UsageError
from motionary.motion import headings, rotations
from motionary.search.wpca.linear import PoseRows, columns, columns_reference, joints, mean_rotations, motion_of
from search.wpca.made_poses import poses


@given(seed=st.integers(0, 99), size=st.sampled_from([0.0, 1e-13, 0.3, 2.0]), tilt=st.sampled_from([0.0, 0.2, 1.5]))
def test_columns_are_turns_away_from_the_mean_and_the_up_axis(seed, size, tilt):
    made = poses(np.random.default_rng(seed), 9, size=size, tilt=tilt)
    means = mean_rotations([made.angles])

    found = columns(made, means)

    assert_allclose(found, columns_reference(made, means), atol=1e-9)


def test_means_do_not_care_which_sign_a_quaternion_has():
    # Turns of just below and just above half a turn are neighbours, though their vectors point apart
    angles = np.zeros((2, 3 * len(joints())))
    angles[0, 0], angles[1, 0] = np.pi - 0.1, -np.pi + 0.3

    mean = mean_rotations([angles])[0]

    assert_allclose(rotations.angle_between(mean, rotations.from_rotation_vector([np.pi + 0.1, 0, 0])), 0, atol=1e-7)


def test_means_of_pieces_are_those_of_the_whole():
    angles = poses(np.random.default_rng(1), 20).angles

    assert_allclose(mean_rotations([angles[:7], angles[7:]]), mean_rotations([angles]), atol=1e-12)


@given(seed=st.integers(0, 99), tilt=st.sampled_from([0.0, 0.3, 1.2]))
def test_a_motion_comes_back_from_its_columns(seed, tilt):
    rng = np.random.default_rng(seed)
    made = poses(rng, 5, size=0.5, tilt=tilt)
    means = mean_rotations([made.angles])
    facing, places = rng.uniform(-3, 3, 5), rng.uniform(-2, 2, (5, 2))

    motion = motion_of(columns(made, means), means, frame_time=1 / 30, headings=facing, places=places)

    turns = rotations.from_rotation_vector(made.angles.reshape(5, -1, 3))
    assert_allclose(rotations.angle_between(motion.rotations[:, 1:], turns), 0, atol=1e-9)
    up = rotations.rotate(motion.rotations[:, 0], np.array([0.0, 1.0, 0.0]))
    lean = np.hypot(made.root[:, 4], made.root[:, 5])
    assert_allclose(up[:, 1], np.cos(lean), atol=1e-9)
    assert_allclose(motion.root_positions, np.column_stack([places[:, 0], made.root[:, 0], places[:, 1]]))
    upright = np.cos(lean) > 0.6
    turned = headings(motion.rotations_world[:, 0])
    assert_allclose(np.cos(turned - facing)[upright], 1.0, atol=1e-9)


def test_upside_down_has_no_seam():
    """Just before and just after standing on the head, poses are neighbours."""
    root = np.zeros((2, 6))
    root[:, 4] = np.pi - 0.01, -(np.pi - 0.01)
    made = PoseRows(np.zeros((2, 3 * len(joints()))), root)

    found = columns(made, mean_rotations([made.angles]))

    assert np.abs(found[1] - found[0]).max() < 0.03


def test_poses_of_another_shape_are_refused():
    with pytest.raises(UsageError, match=r"the angles of poses are \(F, 69\), not \(2, 3\)"):
        PoseRows(np.zeros((2, 3)), np.zeros((2, 6)))


def test_an_up_axis_without_direction_is_refused():
    made = poses(np.random.default_rng(0), 1)
    means = mean_rotations([made.angles])
    values = columns(made, means)
    values[:, -4:-1] = 0.0

    with pytest.raises(UsageError, match="no direction"):
        motion_of(values, means, frame_time=0.1)
