import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import SkeletonError, UsageError
from motionary.motion import Motion, Skeleton, rotations
from strategies import motions

ARM = Skeleton(
    ("shoulder", "elbow", "wrist"),
    np.array([-1, 0, 1]),
    np.array([[0.0, 1.4, 0.0], [0.3, 0.0, 0.0], [0.25, 0.0, 0.0]]),
    np.array([2]),
    np.array([[0.1, 0.0, 0.0]]),
)


def still(n_frames=4, **changes):
    parts = {
        "skeleton": ARM,
        "frame_time": 0.5,
        "root_positions": np.zeros((n_frames, 3)),
        "rotations": np.broadcast_to(rotations.IDENTITY, (n_frames, 3, 4)),
    }
    return Motion(**{**parts, **changes})


def test_frames_rate_and_duration():
    motion = still(frame_time=1001 / 30000)

    assert motion.n_frames == 4
    assert motion.rate_hz == pytest.approx(29.97003, abs=1e-6)
    assert motion.duration_secs == pytest.approx(4 * 1001 / 30000)


def test_a_bent_elbow_by_hand():
    turns = np.array(still(1).rotations)
    turns[0, 1] = rotations.from_axis_angle([0.0, 0.0, 1.0], 0.5 * np.pi)

    motion = still(1, rotations=turns, root_positions=np.array([[1.0, 2.0, 3.0]]))

    assert motion.positions_world[0] == pytest.approx(np.array([[1, 2, 3], [1.3, 2, 3], [1.3, 2.25, 3]]))
    assert motion.end_sites_world[0] == pytest.approx(np.array([[1.3, 2.35, 3]]))
    assert rotations.angle_between(motion.rotations_world[0, 2], turns[0, 1]) == pytest.approx(0.0, abs=1e-12)


def test_a_moving_joint_stands_at_its_translation_instead_of_its_offset():
    motion = still(2, moving_joints=[1], translations=np.array([[[0.0, 0.5, 0.0]], [[0.0, 0.0, 0.7]]]))

    assert motion.positions_world[:, 1] == pytest.approx(np.array([[0, 0.5, 0], [0, 0, 0.7]]))
    assert motion.positions_world[:, 2] == pytest.approx(np.array([[0.25, 0.5, 0], [0.25, 0, 0.7]]))


def test_moving_joints_stand_at_their_offsets_until_they_are_moved():
    assert np.array_equal(still(moving_joints=[2, 1]).positions_world, still().positions_world)


@given(motion=motions(), data=st.data())
def test_slices_are_those_frames(motion, data):
    start = data.draw(st.integers(0, motion.n_frames - 1))
    stop = data.draw(st.integers(start + 1, motion.n_frames))

    part = motion.slice(start, stop)

    assert part.n_frames == stop - start
    assert part.frame_time == motion.frame_time
    assert np.array_equal(part.positions_world, motion.positions_world[start:stop])
    assert np.array_equal(part.end_sites_world, motion.end_sites_world[start:stop])


def test_a_body_without_end_sites_has_none():
    point = Skeleton(("point",), np.array([-1]), np.zeros((1, 3)))
    motion = Motion(point, 0.1, np.zeros((2, 3)), np.broadcast_to(rotations.IDENTITY, (2, 1, 4)))

    assert motion.end_sites_world.shape == (2, 0, 3)


@pytest.mark.parametrize(("start", "stop"), [(2, 2), (3, 1), (-1, 2), (0, 5), (4, 5)])
def test_frames_that_are_not_there(start, stop):
    with pytest.raises(UsageError, match=rf"no frames \[{start}, {stop}\) in a motion of 4 frames"):
        still().slice(start, stop)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"root_positions": np.zeros((0, 3))}, UsageError, "a motion needs at least one frame"),
        ({"frame_time": 0.0}, UsageError, "a frame time of 0.0 s is not possible; it must be above 0"),
        ({"frame_time": -0.1}, UsageError, "a frame time of -0.1 s is not possible"),
        ({"frame_time": np.nan}, UsageError, "a frame time of nan s is not possible"),
        ({"frame_time": np.inf}, UsageError, "a frame time of inf s is not possible"),
        (
            {"root_positions": np.zeros((4, 2))},
            SkeletonError,
            r"4 frames of 3 joints do not fit arrays of shape \(4, 2\) and \(4, 3, 4\)",
        ),
        (
            {"root_positions": np.zeros((5, 3))},
            SkeletonError,
            r"5 frames of 3 joints do not fit arrays of shape \(5, 3\) and \(4, 3, 4\)",
        ),
        (
            {"moving_joints": [1], "translations": np.zeros((4, 2, 3))},
            SkeletonError,
            "translations must have one entry for each frame and moving joint",
        ),
        ({"moving_joints": [0]}, SkeletonError, "must be a joint of the skeleton other than the root"),
        ({"moving_joints": [3]}, SkeletonError, "must be a joint of the skeleton other than the root"),
        ({"moving_joints": [1, 1]}, SkeletonError, "a joint is listed twice among the moving joints"),
        ({"root_positions": np.full((4, 3), np.nan)}, UsageError, "a position that is not finite"),
        (
            {"moving_joints": [1], "translations": np.full((4, 1, 3), np.inf)},
            UsageError,
            "a position that is not finite",
        ),
        ({"rotations": np.zeros((4, 3, 4))}, UsageError, "a rotation that is not a unit quaternion"),
        ({"rotations": np.full((4, 3, 4), 1.0)}, UsageError, "a rotation that is not a unit quaternion"),
        ({"rotations": np.full((4, 3, 4), np.nan)}, UsageError, "a rotation that is not a unit quaternion"),
    ],
)
def test_what_is_no_motion(changes, error, message):
    with pytest.raises(error, match=message):
        still(**changes)


def test_one_bad_rotation_is_found():
    turns = np.array(still().rotations)
    turns[2, 1] *= 1.01

    with pytest.raises(UsageError, match="not a unit quaternion"):
        still(rotations=turns)


def test_rotations_kept_in_single_precision_are_welcome():
    rng = np.random.default_rng(0)
    turns = rotations.normalise(rng.normal(size=(4, 3, 4))).astype(np.float32)

    assert still(rotations=turns).rotations.dtype == np.float64
