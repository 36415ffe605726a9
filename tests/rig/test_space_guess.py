from dataclasses import replace

import numpy as np
import pytest

from motionary.motion import Motion, Recording, Skeleton, Space, recording_of
from motionary.motion import rotations as rot
from motionary.rig import guess_space
from motionary.rig.space_guess import unit_of_leg
from rig.bodies import axes_by_part, bandai, dance, lafan, with_axes, z_up

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "cmu": 0.0254 / 0.45}
SPACES = [
    Space(unit, up, hand)
    for unit, up, hand in [
        (1.0, "y", "right"),
        (0.01, "y", "right"),
        (0.01, "z", "right"),
        (0.0254, "z", "right"),
        (0.1, "z", "left"),
        (0.001, "y", "left"),
        (0.0254 / 0.45, "y", "right"),
    ]
]


def as_file(motion: Motion, space: Space) -> Recording:
    """What a file in that space would hold; the reader knows nothing of it yet."""
    theirs = np.linalg.inv(space.ours_from_file) / space.unit_metres
    skeleton = replace(
        motion.skeleton,
        offsets=motion.skeleton.offsets @ theirs.T,
        end_site_offsets=motion.skeleton.end_site_offsets @ theirs.T,
    )
    empty = Recording(
        skeleton, recording_of(motion).layout, np.zeros((1, recording_of(motion).layout.n_channels)), 0.1, space
    )
    # the same skeleton to the last bit, so that the motion fits the recording
    fitted = replace(motion, skeleton=empty.motion().skeleton)
    return replace(recording_of(fitted, like=empty), space=Space())


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("rig", [None, lafan, bandai, z_up])
def test_units_and_axes_come_from_the_body(space: Space, rig: object) -> None:
    motion = dance(n_frames=20)
    if rig is not None:
        motion = with_axes(motion, axes_by_part(motion.skeleton, rig))

    guess = guess_space(as_file(motion, space))

    assert guess.space == space
    assert guess.confident
    assert len(guess.reasons) == 3


@pytest.mark.parametrize(
    ("leg", "unit"),
    [
        (0.78, "m"),
        (0.92, "m"),
        (8.2, "dm"),
        (14.0, "cmu"),
        (16.0, "cmu"),
        (30.0, "in"),
        (40.0, "in"),
        (21.7, "in"),  # a child of 44.6 inches
        (78.0, "cm"),
        (90.0, "cm"),
        (55.0, "cm"),  # a child
        (780.0, "mm"),
        (900.0, "mm"),
    ],
)
def test_the_leg_tells_the_unit(leg: float, unit: str) -> None:
    assert unit_of_leg(leg) == (pytest.approx(UNITS[unit]), True)


def test_the_root_may_stand_anywhere() -> None:
    motion = dance(n_frames=10)
    sunk = replace(motion, root_positions=motion.root_positions - (0.0, motion.root_positions[0, 1] + 3.0, 0.0))

    assert guess_space(as_file(sunk, Space(0.01))).space == Space(0.01)


def test_somebody_who_lies_all_the_time_is_understood_by_the_rest_pose() -> None:
    motion = dance(n_frames=20)
    lying = np.array(motion.rotations)
    lying[:, 0] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi), lying[:, 0])
    moved = replace(motion, rotations=lying, root_positions=np.tile([0.0, 0.2, 0.0], (20, 1)))
    moved.root_positions[:, 2] += np.linspace(0.0, 2.0, 20)

    assert guess_space(as_file(moved, Space(0.01))).space == Space(0.01)


@pytest.mark.parametrize(("size", "unit"), [(1.0, 1.0), (30.0, 0.01), (300.0, 0.01), (2000.0, 0.001)])
def test_creatures_get_a_guess_that_says_so(size: float, unit: float) -> None:
    skeleton = Skeleton(("body", "tail"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0.0, 0, size]]))
    motion = Motion(skeleton, 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 2, 1)))

    guess = guess_space(recording_of(motion))

    assert guess.space == Space(unit)
    assert not guess.confident
    assert guess.reasons[0].startswith("no legs to measure")


def without_toes(motion: Motion, *, foot_end: tuple[float, float, float] | None = None) -> Motion:
    """The motion on a skeleton that ends at the feet, with end sites there if one is given."""
    old = motion.skeleton
    kept = [j for j, name in enumerate(old.names) if not name.endswith("Toe")]
    place = {joint: i for i, joint in enumerate(kept)}
    skeleton = Skeleton(
        tuple(old.names[j] for j in kept),
        np.array([place.get(int(old.parents[j]), -1) for j in kept]),
        old.offsets[kept],
    )
    if foot_end is not None:
        feet = [skeleton.index(side + "Foot") for side in ("Left", "Right")]
        skeleton = replace(skeleton, end_site_joints=np.array(feet), end_site_offsets=np.array([foot_end] * 2))
    return Motion(skeleton, motion.frame_time, motion.root_positions, motion.rotations[:, kept])


def with_knees(motion: Motion, degrees: float) -> Motion:
    """The motion with legs that are straight but for knees bent by this angle, below 0 the wrong way."""
    turned = np.array(motion.rotations)
    x = np.array([1.0, 0.0, 0.0])
    for side in ("Left", "Right"):
        for part, angle in (("Thigh", -0.5), ("Shin", 1.0), ("Foot", -0.5)):
            turned[:, motion.skeleton.index(side + part)] = rot.from_axis_angle(x, np.radians(angle * degrees))
    return replace(motion, rotations=turned)


def test_without_toes_the_knees_tell_left_from_right() -> None:
    toeless = without_toes(dance(n_frames=20))

    for space in (Space(0.01), Space(0.01, "y", "left")):
        assert guess_space(as_file(toeless, space)).space == space


def test_knees_that_estimated_joints_bend_backward_do_not_overrule_the_feet() -> None:
    capture = with_knees(without_toes(dance(n_frames=20), foot_end=(0.0, -0.06, 0.15)), -9.0)

    guess = guess_space(as_file(capture, Space(0.01)))

    assert guess.space == Space(0.01)
    assert guess.handedness.sure
    assert guess_space(as_file(capture, Space(0.01, "y", "left"))).space == Space(0.01, "y", "left")


def test_witnesses_that_disagree_leave_right_handed_axes_and_doubt() -> None:
    capture = with_knees(without_toes(dance(n_frames=20), foot_end=(0.0, -0.06, 0.15)), -40.0)

    guess = guess_space(as_file(capture, Space(0.01)))

    assert guess.space == Space(0.01)
    assert not guess.handedness.sure
    assert guess.unit.sure
    assert guess.up.sure
    assert guess.handedness.reason == (
        "the feet and rest pose speak for right-handed axes, the knees speak for left-handed ones: right-handed"
    )
    assert guess.doubts() == (guess.handedness.reason + " (not sure; --handedness sets it)",)
    assert guess.doubts(handedness=False) == ()


def test_nothing_clear_means_right_handed() -> None:
    capture = with_knees(without_toes(dance(n_frames=20)), -9.0)

    guess = guess_space(as_file(capture, Space(0.01)))

    assert guess.space == Space(0.01)
    assert not guess.handedness.sure


def test_a_way_alone_does_not_mirror_a_body_that_walks_backward() -> None:
    motion = with_knees(without_toes(dance(n_frames=40)), 2.0)
    turned = np.array(motion.rotations)
    turned[:, 0] = rot.IDENTITY
    back = replace(
        motion,
        rotations=turned,
        root_positions=motion.root_positions * (0, 1, 0) - np.linspace(0, 2, 40)[:, None] * (0, 0, 1),
    )

    guess = guess_space(as_file(back, Space(0.01)))

    assert guess.space == Space(0.01)
    assert not guess.handedness.sure


@pytest.mark.parametrize("jump", [0.0, 0.4])
def test_the_motion_tells_the_up_axis_where_the_rest_pose_stands_along_another(jump: float) -> None:
    motion = dance(n_frames=40)
    raised = motion.root_positions + np.array([0, 1, 0]) * jump * np.sin(np.linspace(0, 3, 40))[:, None] ** 8
    motion = replace(motion, root_positions=raised * (1, 1, 0.01))
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi)
    lying = as_file(with_axes(motion, axes_by_part(motion.skeleton, lambda _: turn)), Space(0.01, "z"))

    assert np.ptp(lying.skeleton.rest_positions()[:, 1]) > 100.0  # the rest pose is along y
    guess = guess_space(lying)

    assert guess.space == Space(0.01, "z")
    assert "though the rest pose stands along y" in guess.up.reason


def test_somebody_who_stoops_in_a_file_with_another_rest_pose_stands_on_a_level_floor() -> None:
    motion = dance(n_frames=40)
    turned = np.array(motion.rotations)
    stoop = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.65)
    turned[:, 0] = rot.multiply(stoop, turned[:, 0])
    for side in ("Left", "Right"):
        thigh = motion.skeleton.index(side + "Thigh")
        turned[:, thigh] = rot.multiply(rot.inverse(stoop), turned[:, thigh])
    motion = replace(motion, rotations=turned, root_positions=motion.root_positions * (4, 1, 4))
    turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi)

    guess = guess_space(as_file(with_axes(motion, axes_by_part(motion.skeleton, lambda _: turn)), Space(0.01, "z")))

    assert guess.space == Space(0.01, "z")


def test_somebody_who_swims_along_an_axis_does_not_stand_on_it() -> None:
    motion = dance(n_frames=90)
    lying = np.array(motion.rotations)
    lying[:, 0] = rot.multiply(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi), lying[:, 0])
    way = np.linspace(0.0, 1.0, 90)[:, None] * np.array([0.0, 0.0, 1.0])
    height = (0.9 + 0.5 * np.sin(np.linspace(0.0, 9.0, 90)))[:, None] * np.array([0.0, 1.0, 0.0])
    swimming = replace(motion, rotations=lying, root_positions=way + height)

    guess = guess_space(as_file(swimming, Space()))

    assert guess.space.up == "y"
    assert not guess.up.sure


def test_frames_of_zeros_say_nothing() -> None:
    recording = as_file(dance(n_frames=20), Space(0.01, "z"))
    empty = np.concatenate([np.zeros((60, recording.values.shape[1])), recording.values])

    guess = guess_space(replace(recording, values=empty))

    assert guess.space == Space(0.01, "z")
    assert guess.confident


@pytest.mark.parametrize("size", [180.0, 18.0])
def test_a_hand_is_measured_as_a_hand_and_in_doubt(size: float) -> None:
    names = ("RightHand", *(f"Right{finger}{i}" for finger in ("Thumb", "Index", "Pinky") for i in (1, 2)))
    parents = np.array([-1, 0, 1, 0, 3, 0, 5])
    offsets = np.zeros((7, 3))
    offsets[1:, 0] = 0.5 * size
    motion = Motion(Skeleton(names, parents, offsets), 0.1, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, 7, 1)))

    guess = guess_space(recording_of(motion))

    assert guess.space.unit_metres == pytest.approx(0.18 / size)
    assert guess.doubts()[0] == f"{guess.unit.reason} (not sure; --unit sets it)"


def test_a_giant_is_a_question() -> None:
    motion = dance(n_frames=5)
    offsets = np.array(motion.skeleton.offsets)
    offsets[[motion.skeleton.index(f"Spine{i}") for i in (1, 2, 3, 4)]] *= 4.0
    giant = replace(motion, skeleton=replace(motion.skeleton, offsets=offsets))

    guess = guess_space(as_file(giant, Space(0.01)))

    assert guess.space.unit_metres == 0.01
    assert not guess.unit.sure
    assert "as no person's is (not sure; --unit sets it)" in guess.doubts()[0]
