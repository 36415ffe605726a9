"""Oddities, put one at a time into a body that moves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from motionary.motion import Motion, rotations
from motionary.motion.oddities import Oddity, oddities
from motionary.rig import reference_skeleton, root_height
from strategies import motions

SKELETON = reference_skeleton()


def moving(n_frames: int = 60, *, frame_time: float = 1 / 30, degrees: float = 40.0) -> Motion:
    """A body that walks along x at 1 m/s and swings every joint to its own measure."""
    times = np.arange(n_frames) * frame_time
    phases = np.arange(SKELETON.n_joints)
    angles = np.radians(degrees) * np.sin(3.0 * times[:, None] + phases)
    axes = np.eye(3)[phases % 3]
    places = np.stack([times, np.full(n_frames, root_height(SKELETON)), 0.1 * np.sin(times)], axis=1)
    return Motion(SKELETON, frame_time, places, rotations.from_axis_angle(axes, angles))


def with_frames(motion: Motion, start: int, stop: int, *, place=None, turns=None) -> Motion:
    """The motion with other poses in frames [start, stop)."""
    places, turned = np.array(motion.root_positions), np.array(motion.rotations)
    if place is not None:
        places[start:stop] = place
    if turns is not None:
        turned[start:stop] = turns
    return replace(motion, root_positions=places, rotations=turned)


def kinds(motion: Motion) -> list[tuple[str, int, int]]:
    return [(oddity.kind, oddity.start, oddity.stop) for oddity in oddities(motion)]


def test_an_ordinary_motion_has_none():
    assert oddities(moving()) == ()
    assert oddities(moving(n_frames=1)) == ()
    assert oddities(moving(n_frames=2)) == ()
    assert oddities(moving(1000, frame_time=1 / 240)) == ()


def test_a_first_frame_at_rest_is_a_t_pose():
    motion = moving()

    odd = with_frames(motion, 0, 1, place=motion.root_positions[1], turns=rotations.IDENTITY)

    assert oddities(odd) == (
        Oddity(0, 1, "t-pose", "frame 0 is an artificial T-pose; the capture starts after it, with a jump"),
    )


def test_a_t_pose_far_away_is_no_jump_of_the_root_as_well():
    odd = with_frames(moving(), 0, 1, place=(-3.0, 0.9, 7.0), turns=rotations.IDENTITY)

    assert kinds(odd) == [("t-pose", 0, 1)]


def test_spread_arms_are_a_t_pose_where_the_rest_pose_is_another():
    motion = with_frames(moving(), 0, 1, turns=rotations.IDENTITY)
    rng = np.random.default_rng(3)
    own = rotations.normalise(rng.normal(size=(SKELETON.n_joints, 4)))  # axes of each joint, as it stands in T
    above = np.concatenate([rotations.IDENTITY[None], own[SKELETON.parents[1:]]])
    turned = rotations.multiply(rotations.multiply(rotations.inverse(above), motion.rotations), own)
    skeleton = replace(
        SKELETON,
        offsets=rotations.rotate(rotations.inverse(above), SKELETON.offsets),
        end_site_offsets=rotations.rotate(rotations.inverse(own[SKELETON.end_site_joints]), SKELETON.end_site_offsets),
    )

    other = replace(motion, skeleton=skeleton, rotations=rotations.continuous(turned))

    assert other.positions_world == pytest.approx(motion.positions_world)
    assert kinds(other) == [("t-pose", 0, 1)]


def test_another_first_pose_is_no_t_pose():
    motion = moving()
    rng = np.random.default_rng(0)
    curled = rotations.normalise(rng.normal(size=(SKELETON.n_joints, 4)))

    assert kinds(with_frames(motion, 0, 1, turns=curled)) == []


def test_a_body_that_starts_in_a_t_pose_and_moves_on_is_not_odd():
    motion = moving()
    growing = np.minimum(np.arange(60) / 30, 1.0)[:, None]

    near = rotations.from_rotation_vector(np.random.default_rng(5).normal(0.0, 0.04, (SKELETON.n_joints, 3)))
    slowly = rotations.slerp(near, motion.rotations, growing)

    assert kinds(replace(motion, rotations=slowly)) == []


def test_an_exact_t_pose_is_artificial_even_if_the_motion_is_blended_in():
    motion = moving()
    growing = np.clip((np.arange(60) - 2) / 30, 0.0, 1.0)[:, None]

    (odd,) = oddities(replace(motion, rotations=rotations.slerp(rotations.IDENTITY, motion.rotations, growing)))

    assert odd == Oddity(0, 3, "t-pose", "frames 0 to 2 are an artificial T-pose; the capture is blended in after it")


def test_a_t_pose_of_which_a_few_joints_are_turned_is_exact_too():
    motion = moving()
    growing = np.clip((np.arange(60) - 2) / 30, 0.0, 1.0)[:, None]
    start = np.tile(rotations.IDENTITY, (SKELETON.n_joints, 1))
    for name, angle in (("LeftFoot", -0.37), ("RightFoot", 0.37), ("LeftHand", 0.2)):
        start[SKELETON.index(name)] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle)

    (odd,) = oddities(replace(motion, rotations=rotations.slerp(start, motion.rotations, growing)))

    assert (odd.kind, odd.start, odd.stop) == ("t-pose", 0, 3)


def test_fingers_that_never_move_do_not_hide_a_t_pose():
    motion = moving(degrees=8.0)
    hand = SKELETON.index("LeftHand")
    n_fingers = 40
    skeleton = replace(
        SKELETON,
        names=(*SKELETON.names, *(f"LeftFinger{i}" for i in range(n_fingers))),
        parents=np.append(SKELETON.parents, [hand] * n_fingers),
        offsets=np.concatenate([SKELETON.offsets, np.tile([0.02, 0.0, 0.0], (n_fingers, 1))]),
    )
    turns = np.concatenate([motion.rotations, np.tile(rotations.IDENTITY, (60, n_fingers, 1))], axis=1)
    for side, sign in (("Left", -1.0), ("Right", 1.0)):  # standing: only the arms hang
        arm = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), sign * 1.3)
        turns[:, SKELETON.index(side + "UpperArm")] = rotations.multiply(
            arm, turns[:, SKELETON.index(side + "UpperArm")]
        )
    turns[0] = rotations.IDENTITY

    assert kinds(replace(motion, skeleton=skeleton, rotations=turns)) == [("t-pose", 0, 1)]


@pytest.mark.parametrize(
    ("start", "stop", "where"), [(0, 3, "at the start"), (20, 21, "inside"), (55, 60, "at the end")]
)
def test_zero_frames_are_found_wherever_they_are(start, stop, where):
    odd = with_frames(moving(), start, stop, place=0.0, turns=rotations.IDENTITY)

    assert kinds(odd) == [("zero frames", start, stop)]
    assert where in oddities(odd)[0].text


def test_zero_frames_after_a_t_pose_are_told_apart():
    motion = moving()
    odd = with_frames(motion, 0, 1, place=0.0, turns=rotations.IDENTITY)
    arms = np.array(odd.rotations[0])
    arms[1] = rotations.from_axis_angle(np.array([1.0, 0, 0]), 0.1)
    odd = with_frames(odd, 0, 1, turns=arms)
    odd = with_frames(odd, 1, 5, place=0.0, turns=rotations.IDENTITY)

    assert kinds(odd) == [("t-pose", 0, 1), ("zero frames", 1, 5)]


def test_many_zero_frames_are_not_frozen_as_well():
    odd = with_frames(moving(), 0, 40, place=0.0, turns=rotations.IDENTITY)

    assert kinds(odd) == [("zero frames", 0, 40)]


def test_ten_equal_frames_are_frozen():
    motion = moving()

    def frozen(start, stop):
        return with_frames(motion, start, stop, place=motion.root_positions[start], turns=motion.rotations[start])

    assert oddities(frozen(20, 30)) == (
        Oddity(20, 30, "frozen", "frames 20 to 29 are all the same: the motion is frozen"),
        Oddity(29, 31, "root jump", "the root jumps by 33 cm between frames 29 and 30"),
    )
    assert "frozen" not in [kind for kind, *_ in kinds(frozen(20, 29))]


def test_two_short_frozen_stretches_count_together():
    motion = moving()
    for start in (10, 40):
        motion = with_frames(
            motion, start, start + 5, place=motion.root_positions[start], turns=motion.rotations[start]
        )

    assert [kind for kind in kinds(motion) if kind[0] == "frozen"] == [("frozen", 10, 15), ("frozen", 40, 45)]


def test_a_still_root_with_moving_limbs_is_not_frozen():
    motion = moving()

    assert kinds(with_frames(motion, 0, 60, place=motion.root_positions[0])) == []


@pytest.mark.parametrize("frame_time", [1 / 120, 1 / 30])
@pytest.mark.parametrize("frame", [1, 30, 59])
def test_a_jump_of_the_root_is_found_at_any_rate(frame, frame_time):
    motion = moving(frame_time=frame_time)
    jumped = with_frames(motion, frame, 60, place=motion.root_positions[frame:] + np.array([0.0, 0.0, 0.25]))

    assert kinds(jumped) == [("root jump", frame - 1, frame + 1)]
    assert f"between frames {frame - 1} and {frame}" in oddities(jumped)[0].text


def test_a_run_is_no_jump():
    motion = moving()

    assert kinds(replace(motion, root_positions=motion.root_positions * [9.0, 1.0, 1.0])) == []


def test_a_jump_that_takes_several_frames_is_found_by_its_speed():
    motion = moving()
    away = np.array(motion.root_positions)
    away[31:] += [0.0, 0.0, 0.3]
    away[32:] += [0.0, 0.0, 0.3]

    assert kinds(replace(motion, root_positions=away)) == [("root jump", 30, 33)]


def test_a_wrong_rate_is_named():
    standing = np.full(60, 1.0)
    times = np.arange(30) / 60.0
    flight = 1.0 + 0.5 * 9.81 * times * (times[-1] - times)
    heights = np.concatenate([standing, flight, standing])
    places = np.zeros((150, 3))
    places[:, 1] = heights
    turns = np.tile(rotations.IDENTITY, (150, SKELETON.n_joints, 1))

    motion = Motion(SKELETON, 1 / 120, places, turns)

    (odd,) = [oddity for oddity in oddities(motion) if oddity.kind == "frame rate"]
    assert (odd.start, odd.stop) == (0, 150)
    assert odd.text == "the body falls as if it had been captured at about 60 Hz, not 120 Hz"


@given(motion=motions())
def test_any_motion_can_be_asked_and_is_not_changed(motion):
    places, turns = np.array(motion.root_positions), np.array(motion.rotations)

    found = oddities(motion)

    assert list(found) == sorted(found)
    assert all(0 <= oddity.start < oddity.stop <= motion.n_frames for oddity in found)
    assert np.array_equal(places, motion.root_positions)
    assert np.array_equal(turns, motion.rotations)
