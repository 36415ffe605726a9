from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import SkeletonError, UsageError
from motionary.motion import (
    Motion,
    Skeleton,
    check_frame_time,
    even_frames,
    frame_time_of,
    headings,
    join,
    poses_at,
    resample,
    rotations,
)
from motionary.motion.rotations import angle_between, from_axis_angle, multiply
from strategies import FRAME_TIMES, motions, numbers

X, Y, Z = np.eye(3)
POINT = Skeleton(("point",), np.array([-1]), np.zeros((1, 3)))


def spinning(n_frames, *, frame_time, turns_per_sec=0.3, metres_per_sec=2.0):
    """A point that turns about y and moves along x, both steadily."""
    time = np.arange(n_frames) * frame_time
    turns = from_axis_angle(Y, 2.0 * np.pi * turns_per_sec * time)
    return Motion(POINT, frame_time, metres_per_sec * time[:, None] * X, rotations.continuous(turns)[:, None])


def same_poses(a, b, *, within=1e-9):
    assert a.root_positions == pytest.approx(b.root_positions, abs=within)
    assert a.joint_translations == pytest.approx(b.joint_translations, abs=within)
    assert angle_between(a.rotations, b.rotations).max() <= within


@pytest.mark.parametrize("frame_time", FRAME_TIMES)
@pytest.mark.parametrize("other", FRAME_TIMES)
def test_steady_movement_stays_steady_at_every_rate(frame_time, other):
    motion = spinning(240, frame_time=frame_time)

    again = resample(motion, frame_time=other)

    assert again.frame_time == other  # to the last bit
    same_poses(again, spinning(again.n_frames, frame_time=other))
    assert 0.0 <= 239 * frame_time - (again.n_frames - 1) * other + 1e-6 * other < other


@given(motion=motions())
def test_the_same_rate_changes_nothing(motion):
    same_poses(resample(motion, frame_time=motion.frame_time), motion)


@given(motion=motions(), factor=st.integers(1, 5))
def test_a_finer_rate_and_back_is_the_original(motion, factor):
    finer = resample(motion, frame_time=motion.frame_time / factor)

    assert finer.n_frames == (motion.n_frames - 1) * factor + 1
    same_poses(resample(finer, frame_time=motion.frame_time), motion)
    same_poses(finer.slice(finer.n_frames - 1, finer.n_frames), motion.slice(motion.n_frames - 1, motion.n_frames))


def test_rotations_turn_as_rotations_and_the_shorter_way():
    ends = np.array([from_axis_angle(Y, 0.0), -from_axis_angle(Y, 2.0)])[:, None]
    motion = Motion(POINT, 1.0, np.zeros((2, 3)), ends)

    between = resample(motion, frame_time=0.25)

    assert angle_between(rotations.IDENTITY, between.rotations[:, 0]) == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])


@given(motion=motions(), frames=st.lists(numbers(-3.0, 9.0), min_size=1, max_size=6))
def test_samples_are_continuous_unit_and_hold_the_end_poses(motion, frames):
    poses = poses_at(motion, np.array(frames))

    assert np.linalg.norm(poses.rotations, axis=-1) == pytest.approx(np.ones(poses.rotations.shape[:2]))
    assert np.all(np.sum(poses.rotations[1:] * poses.rotations[:-1], axis=-1) >= -1e-12)
    for i, frame in enumerate(frames):
        if frame <= 0.0 or frame >= motion.n_frames - 1:
            whole = 0 if frame <= 0.0 else motion.n_frames - 1
            same_poses(poses.slice(i, i + 1), motion.slice(whole, whole + 1))


@pytest.mark.parametrize("frame_time", [0.0, -1.0, np.nan, np.inf])
def test_frame_times_that_are_not_possible(frame_time):
    with pytest.raises(UsageError, match=f"a frame time of {frame_time} s is not possible; it must be above 0"):
        resample(spinning(3, frame_time=0.1), frame_time=frame_time)


@given(motion=motions(), data=st.data())
def test_what_was_cut_can_be_joined(motion, data):
    cut = data.draw(st.integers(0, motion.n_frames))
    parts = [motion.slice(*part) for part in ((0, cut), (cut, motion.n_frames)) if part[0] < part[1]]

    joined = join(parts)

    assert np.array_equal(joined.root_positions, motion.root_positions)
    assert np.array_equal(joined.joint_translations, motion.joint_translations)
    assert np.array_equal(joined.rotations, motion.rotations)


def walk(theta, start):
    """Three frames of a point that walks ahead, heading `theta`, nodding as it goes."""
    ahead = rotations.rotate(from_axis_angle(Y, theta), Z)
    steps = np.array(start) + np.arange(3)[:, None] * ahead
    nod = from_axis_angle(X, np.array([0.0, 0.2, 0.1]))
    return Motion(POINT, 0.1, steps, multiply(from_axis_angle(Y, theta), nod)[:, None])


def test_placed_motions_start_where_and_as_the_last_one_ended():
    joined = join([walk(0.5, [1.0, 1.0, 0.0]), walk(-2.0, [7.0, 1.0, 7.0]), walk(3.0, [0.0, 1.0, 9.0])], placed=True)

    assert joined.n_frames == 9
    assert headings(joined.rotations[:, 0]) == pytest.approx(np.full(9, 0.5))
    ahead = rotations.rotate(from_axis_angle(Y, 0.5), Z)
    steps = np.array([0, 1, 2, 2, 3, 4, 4, 5, 6])  # each first pose stands on the last one's last
    assert joined.root_positions == pytest.approx([1.0, 1.0, 0.0] + steps[:, None] * ahead)
    assert np.all(np.sum(joined.rotations[1:] * joined.rotations[:-1], axis=-1) >= -1e-12)


def test_a_motion_that_ends_lying_hands_on_its_last_good_heading():
    fall = from_axis_angle(X, np.array([0.0, 0.7, 1.5]))
    lying = replace(walk(1.2, [0.0, 1.0, 0.0]), rotations=multiply(from_axis_angle(Y, 1.2), fall)[:, None])

    joined = join([lying, walk(0.0, [0.0, 1.0, 0.0])], placed=True)

    assert headings(joined.rotations[3:, 0]) == pytest.approx(np.full(3, 1.2))


def test_a_root_that_does_not_rest_upright_is_placed_by_its_rest():
    rest = from_axis_angle(X, -0.5 * np.pi)
    first, second = (
        replace(motion, rotations=multiply(motion.rotations, rest))
        for motion in (walk(0.5, [0.0, 1.0, 0.0]), walk(2.0, [3.0, 1.0, 0.0]))
    )

    joined = join([first, second], placed=True, pelvis_rest=rest)

    assert headings(joined.rotations[:, 0], rest) == pytest.approx(np.full(6, 0.5))


def test_frame_times_may_differ_by_their_rounding():
    motion, rounded = spinning(3, frame_time=1 / 120), spinning(3, frame_time=0.0083333)

    assert join([motion, rounded]).frame_time == 1 / 120
    assert join([rounded, motion]).frame_time == 0.0083333


def test_what_cannot_be_joined():
    motion = spinning(3, frame_time=1 / 30)
    other_skeleton = replace(motion, skeleton=Skeleton(("dot",), np.array([-1]), np.zeros((1, 3))))
    two = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)))
    still = Motion(two, 0.1, np.zeros((1, 3)), np.broadcast_to(rotations.IDENTITY, (1, 2, 4)))

    with pytest.raises(UsageError, match="no motions to join"):
        join([])
    with pytest.raises(SkeletonError, match="motions of different skeletons cannot be joined; transfer them first"):
        join([motion, other_skeleton])
    with pytest.raises(UsageError, match=r"motions at 30 and 29\.97 Hz cannot be joined; resample them first"):
        join([motion, replace(motion, frame_time=1001 / 30000)])
    with pytest.raises(SkeletonError, match="motions whose moving joints differ cannot be joined"):
        join([still, replace(still, moving_joints=[1], translations=None)])


def test_frames_are_sampled_evenly_with_both_ends():
    assert even_frames(1, 10).tolist() == [0]
    assert even_frames(5, 10).tolist() == [0, 1, 2, 3, 4]
    assert even_frames(100_001, 3).tolist() == [0, 50_000, 100_000]


@pytest.mark.parametrize("rate_hz", [0.0, -5.0, 0.99, 10_001.0, 1e9, np.inf, np.nan])
def test_rates_that_nobody_can_mean(rate_hz):
    with pytest.raises(UsageError, match=r"a rate of .* Hz is not possible; it must be between 1 and 10,000"):
        frame_time_of(rate_hz)
    with pytest.raises(UsageError, match="is not possible"):
        check_frame_time(1.0 / rate_hz if rate_hz else 0.0)


def test_rates_at_the_limits():
    assert frame_time_of(1.0) == 1.0
    check_frame_time(frame_time_of(10_000.0))
