import numpy as np
import pytest

from motionary.facts import mean_joint_speed
from motionary.motion import Motion, Skeleton, rotations


def moving(xs: list[float]) -> Motion:
    """Two joints that move together along x, ten frames a second."""
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    root = np.array(xs)[:, None] * (1.0, 0.0, 0.0)
    return Motion(skeleton, 0.1, root, np.tile(rotations.IDENTITY, (len(xs), 2, 1)))


def test_speed_is_the_mean_of_the_steps_around_a_frame():
    assert mean_joint_speed(moving([0.0, 0.1, 0.4, 0.4])) == pytest.approx([1.0, 2.0, 1.5, 0.0])


def test_a_single_frame_stands_still():
    assert mean_joint_speed(moving([5.0])).tolist() == [0.0]


def test_steps_to_and_from_empty_frames_do_not_count():
    empty = np.array([True, False, False, True, False])

    speed = mean_joint_speed(moving([9.0, 0.1, 0.4, 9.0, 0.4]), empty=empty)

    assert speed == pytest.approx([np.nan, 3.0, 3.0, np.nan, 0.0], nan_ok=True)
