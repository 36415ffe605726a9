import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.picture import Row
from motionary.picture.layout import _whole, place
from motionary.picture.poses import poses_of
from motionary.picture.scene import scenes_of
from motionary.rig import reference_skeleton

WIDTH = 1400.0


def laid_out(*motions, n_poses=None, spread="auto"):
    scenes = scenes_of([Row(motion) for motion in motions], "auto")
    return place(scenes, width=WIDTH, page_width=1600.0, n_poses=n_poses, spread=spread)


def test_poses_are_even_in_time_and_place_and_do_not_overlap_much(walk):
    (row,) = laid_out(walk(60, speed=0.0))

    xs = row.pixels_at(row.frames)[:, 0]

    assert len(row.frames) >= 8
    assert len(set(np.diff(row.frames)[:-1])) == 1
    assert np.diff(xs)[:-1] == pytest.approx(np.full(len(xs) - 2, np.diff(xs)[0]))
    assert np.diff(xs)[0] >= 0.9 * row.cell
    assert xs[0] >= 0.0
    assert xs[-1] <= WIDTH


@pytest.mark.parametrize("n_poses", [1, 2, 5, 17])
def test_as_many_poses_as_asked_for_from_the_first_frame_to_the_last(walk, n_poses):
    (row,) = laid_out(walk(60), n_poses=n_poses)

    assert len(row.frames) == n_poses
    assert row.frames[0] == 0
    assert n_poses == 1 or row.frames[-1] == 59


def test_never_more_poses_than_frames(walk):
    assert laid_out(walk(3), n_poses=40)[0].frames.tolist() == [0, 1, 2]
    assert laid_out(walk(1))[0].frames.tolist() == [0]


def test_rows_share_scale_and_clock(walk):
    long, short = laid_out(walk(60, speed=0.2), walk(40, speed=0.2))

    n = len(short.frames) - 1  # the last one stands where it ends
    assert long.camera.scale == short.camera.scale
    assert long.frames[:n].tolist() == short.frames[:n].tolist()
    assert long.pixels_at(long.frames)[:n, 0] == pytest.approx(short.pixels_at(short.frames)[:n, 0])


@pytest.mark.parametrize("n_frames", [2, 31, 37, 60, 61, 97, 118])
@pytest.mark.parametrize("spread", ["time", "ends"])
def test_every_row_is_drawn_to_its_last_frame(walk, n_frames, spread):
    for row in laid_out(walk(120, speed=0.0), walk(n_frames, speed=0.0), spread=spread):
        xs = row.pixels_at(row.frames)[:, 0]

        assert row.frames[[0, -1]].tolist() == [0, row.scene.row.motion.n_frames - 1]
        assert len(xs) < 3 or np.diff(xs).min() >= 0.45 * np.diff(xs)[0]  # not on top of the one before


def test_rows_on_another_clock_are_drawn_to_their_last_frame(walk):
    clock = np.linspace(0.0, 1.0, 50) ** 2 * 1.7
    scenes = scenes_of([Row(walk(60, speed=0.0)), Row(walk(50, speed=0.0), clock=clock)], "auto")

    for row in place(scenes, width=WIDTH, page_width=1600.0, n_poses=None, spread="time"):
        assert row.frames[-1] == row.scene.row.motion.n_frames - 1


def test_rows_of_different_rates_stand_at_the_same_times(walk):
    fast, slow = laid_out(walk(241, speed=0.0, frame_time=1 / 120), walk(61, speed=0.0, frame_time=1 / 30))

    assert fast.frames / 120 == pytest.approx(slow.frames / 30)
    assert fast.pixels_at(fast.frames)[:, 0] == pytest.approx(slow.pixels_at(slow.frames)[:, 0])


def test_rows_of_very_different_length_run_from_end_to_end(walk):
    long, short = laid_out(walk(300, speed=0.0), walk(30, speed=0.0))

    ends = [row.pixels_at(np.array([0, row.scene.row.motion.n_frames - 1]))[:, 0] for row in (long, short)]
    assert ends[0] == pytest.approx(ends[1])


def test_a_long_straight_walk_is_drawn_where_it_goes(walk):
    (row,) = laid_out(walk(200, speed=1.2))  # 8 m

    metres = row.scene.path()[:, 0]
    assert row.on_path
    assert row.frame_pixels[:, 0] - row.frame_pixels[0, 0] == pytest.approx(metres * row.camera.scale)
    assert row.frame_pixels[:, 0].max() <= WIDTH


def test_a_walk_with_a_rest_or_of_many_metres_is_spread_over_time(walk):
    motion = walk(200, speed=1.2)
    stops = np.concatenate([np.arange(100), np.full(100, 99), np.arange(100, 200)])
    resting = Motion(motion.skeleton, 1 / 30, motion.root_positions[stops], motion.rotations[stops])

    assert not laid_out(resting)[0].on_path
    assert not laid_out(walk(2000, speed=1.2))[0].on_path
    assert laid_out(resting, spread="travel")[0].on_path


def test_small_and_huge_bodies_are_drawn_equally_large(stand):
    scales = [laid_out(stand(reference_skeleton(height)))[0].camera.scale * height for height in (0.02, 1.75, 30.0)]

    assert scales == pytest.approx([scales[0]] * 3)


@given(step=st.floats(0.01, 9.0))
def test_a_whole_step_is_at_most_a_tenth_smaller_than_planned(step):
    whole = _whole(step)

    assert whole == int(whole) >= 1
    assert whole > 0.89 * step
    assert whole < step + 1


def test_impossible_wishes_are_explained(walk):
    with pytest.raises(UsageError, match="the number of poses must be at least 1"):
        laid_out(walk(5), n_poses=0)
    with pytest.raises(UsageError, match="'space' is not a valid spread; choose auto, time, ends, travel"):
        laid_out(walk(5), spread="space")


@pytest.mark.parametrize("spread", ["time", "ends", "travel"])
def test_no_more_poses_than_can_be_told_apart(walk, spread):
    (row,) = laid_out(walk(600), n_poses=500, spread=spread)

    gaps = np.diff(row.pixels_at(row.frames)[:, 0])

    assert len(row.frames) == row.room < 500
    assert row.scene.mannequin.size * row.camera.scale >= 39.0
    assert gaps.mean() >= 0.24 * row.cell


@pytest.mark.parametrize("spread", ["time", "ends", "travel"])
@pytest.mark.parametrize("speed", [0.0, 0.8])
def test_bodies_that_reach_out_stay_on_the_strip(walk, spread, speed):
    motion = walk(90, speed=speed)
    skeleton = motion.skeleton
    turned = np.array(motion.rotations)
    for name in ("LeftUpperArm", "RightUpperArm"):  # arms stretched out to the sides, seen from the front
        turned[:, skeleton.index(name)] = rotations.IDENTITY
    reaching = Motion(skeleton, motion.frame_time, motion.root_positions, turned)
    scenes = scenes_of([Row(reaching), Row(motion)], "front")

    for row in place(scenes, width=WIDTH, page_width=1600.0, n_poses=None, spread=spread):
        poses = poses_of(row.scene.mannequin, row.scene.row.motion, row.frames)
        across, extents = row.pixels_at(row.frames)[:, 0], row.scene.extents(poses) * row.camera.scale
        assert np.min(across - extents[:, 0]) >= -1.0
        assert np.max(across + extents[:, 1]) <= WIDTH + 1.0
