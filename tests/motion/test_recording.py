from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from motionary.errors import SkeletonError, UsageError
from motionary.motion import (
    CHANNEL_NAMES,
    ChannelLayout,
    Motion,
    Recording,
    Skeleton,
    Space,
    default_layout,
    full_layout,
    our_skeleton,
    recording_of,
    rotations,
)
from strategies import EULER_ORDERS, skeletons, unit_quaternions

spaces = st.builds(
    Space,
    st.sampled_from([1.0, 0.01, 0.0254 / 0.45]),
    st.sampled_from(["y", "z"]),
    st.sampled_from(["right", "left"]),
)
rules = st.sampled_from(["replaces offset", "adds to offset", "world"])

LIMB = Skeleton(
    ("hip", "knee", "ankle"),
    np.array([-1, 0, 1]),
    np.array([[1.0, 90.0, 2.0], [0.0, -40.0, 0.0], [0.0, -42.0, 3.0]]),
    np.array([2]),
    np.array([[0.0, -5.0, 12.0]]),
)


def channels(*names):
    """A layout from words such as "0 Xposition"."""
    words = [name.split() for name in names]
    return ChannelLayout(np.array([int(j) for j, _ in words]), np.array([CHANNEL_NAMES.index(k) for _, k in words]))


@st.composite
def recordings(draw: DrawFn) -> Recording:
    """Recordings in every space, with any set and order of channels on any joint."""
    skeleton = draw(skeletons(max_joints=4))
    rule = draw(rules)
    joints, kinds = [], []
    for joint in range(skeleton.n_joints):
        own = draw(st.permutations(range(6)))[: draw(st.integers(0, 6))]
        if rule == "world" and joint > 0 and any(kind < 3 for kind in own):
            own = [*own, *(kind for kind in range(3) if kind not in own)]
        joints += [joint] * len(own)
        kinds += own
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_frames = draw(st.integers(1, 4))
    values = rng.uniform(-2.0, 2.0, size=(n_frames, len(joints)))
    angles = np.array(kinds, dtype=int) >= 3
    values[:, angles] = rng.choice([0.0, 90.0, -90.0, 180.0, 3600.0, 12.5, 170.0], size=(n_frames, angles.sum()))
    values[:, angles] += rng.choice([0.0, 1.0]) * rng.uniform(-2000.0, 2000.0, size=(n_frames, angles.sum()))
    axes = np.array([draw(unit_quaternions()) for _ in range(skeleton.n_joints)]) if draw(st.booleans()) else None
    layout = ChannelLayout(np.array(joints, dtype=int), np.array(kinds, dtype=int), rule, draw(st.booleans()), axes)
    return Recording(skeleton, layout, values, 1 / 119.88, draw(spaces))


def positions_by_matrices(recording):
    """Places (F, J, 3) in the file's own axes and unit, straight from what the channels mean."""
    skeleton, layout = recording.skeleton, recording.layout
    places = np.zeros((recording.n_frames, skeleton.n_joints, 3))
    for f, row in enumerate(recording.values):
        world = []
        for joint in range(skeleton.n_joints):
            turn = np.eye(3)
            here = np.array(skeleton.offsets[joint])
            adds = layout.root_adds_offset if joint == 0 else layout.translation_rule == "adds to offset"
            for column in np.flatnonzero(layout.joints == joint):
                kind, value = layout.kinds[column], row[column]
                if kind < 3:
                    here[kind] = value + (skeleton.offsets[joint, kind] if adds else 0.0)
                else:
                    turn = turn @ rotations.to_matrix(rotations.from_axis_angle(np.eye(3)[kind - 3], np.radians(value)))
            if layout.axes is not None:
                own = rotations.to_matrix(layout.axes[joint])
                turn = own @ turn @ own.T
            above = world[skeleton.parents[joint]] if joint else np.eye(3)
            world.append(above @ turn)
            has_place = np.any((layout.joints == joint) & (layout.kinds < 3))
            if joint == 0 or (layout.translation_rule == "world" and has_place):
                places[f, joint] = here
            else:
                places[f, joint] = places[f, skeleton.parents[joint]] + above @ here
    return places


@given(recording=recordings())
def test_a_recording_means_what_its_channels_say_in_every_space(recording):
    motion = recording.motion()

    theirs = positions_by_matrices(recording)
    ours = theirs @ (recording.space.unit_metres * recording.space.ours_from_file).T
    assert motion.positions_world == pytest.approx(ours, abs=1e-11)
    assert np.all(np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1) >= -1e-12)
    assert motion.frame_time == 1 / 119.88


@given(recording=recordings())
def test_writing_a_motion_as_it_was_recorded_gives_the_same_motion(recording):
    motion = recording.motion()

    again = recording_of(motion, like=recording)

    assert again.layout is recording.layout
    assert again.space == recording.space
    positions = ~recording.layout.is_rotation
    assert again.values[:, positions] == pytest.approx(recording.values[:, positions], abs=1e-9)
    back = again.motion()
    assert back.positions_world == pytest.approx(motion.positions_world, abs=1e-8)
    assert rotations.angle_between(back.rotations, motion.rotations).max() <= 1e-8


@given(recording=recordings())
def test_writing_a_motion_in_the_default_layout_gives_the_same_motion(recording):
    motion = recording.motion()

    written = recording_of(motion)

    assert written.space == Space()
    assert written.motion().positions_world == pytest.approx(motion.positions_world, abs=1e-8)


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, 270.0, 359.999, 360.0, 574.0, 3600.0, 7200.0, 36000000.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_whole_turns_lose_nothing(degrees, sign):
    recording = Recording(LIMB, channels("0 Yrotation"), [[sign * degrees]], 0.1)

    left = np.radians(sign * (degrees % 360.0))
    expected = rotations.from_axis_angle([0.0, 1.0, 0.0], left)
    assert rotations.angle_between(recording.motion().rotations[0, 0], expected) <= 1e-14


def test_channels_by_hand_in_centimetres_and_z_up():
    body = replace(LIMB, offsets=np.array([[0.0, 0.0, 90.0], [0.0, 0.0, -40.0], [0.0, 3.0, -42.0]]))
    layout = channels("0 Xposition", "0 Yposition", "0 Zposition", "1 Xrotation")
    recording = Recording(body, layout, [[10.0, 20.0, 95.0, 90.0]], 0.1, Space(0.01, "z"))

    motion = recording.motion()

    assert motion.skeleton.offsets == pytest.approx(np.array([[0, 0.9, 0], [0, -0.4, 0], [0, -0.42, -0.03]]))
    assert motion.positions_world[0] == pytest.approx(
        # the shin points down (z −42) and is turned by 90° about x: from −z to +y, which is −z in ours
        np.array([[0.1, 0.95, -0.2], [0.1, 0.55, -0.2], [0.1, 0.58, -0.62]])
    )


def test_a_left_handed_file_turns_the_other_way():
    layout = channels("0 Yrotation")
    here = Recording(LIMB, layout, [[30.0]], 0.1).motion()
    there = Recording(LIMB, layout, [[-30.0]], 0.1, Space(handedness="left")).motion()

    assert there.rotations == pytest.approx(here.rotations)


def test_the_root_stands_at_its_channels_and_else_at_its_offset():
    both = Recording(LIMB, channels("0 Yposition"), [[5.0]], 0.1)

    assert both.motion().root_positions[0] == pytest.approx([1.0, 5.0, 2.0])
    adds = replace(both, layout=replace(both.layout, root_adds_offset=True))
    assert adds.motion().root_positions[0] == pytest.approx([1.0, 95.0, 2.0])


@pytest.mark.parametrize(
    ("rule", "knee"), [("replaces offset", [1, 95, 7]), ("adds to offset", [1, 55, 7]), ("world", [0, 5, 5])]
)
def test_the_three_meanings_of_a_position_channel(rule, knee):
    layout = replace(channels("1 Xposition", "1 Yposition", "1 Zposition"), translation_rule=rule)

    motion = Recording(LIMB, layout, [[0.0, 5.0, 5.0]], 0.1).motion()

    assert motion.positions_world[0, 1] == pytest.approx(knee)


@pytest.mark.parametrize("order", EULER_ORDERS[:6])
def test_written_angles_do_not_jump(order):
    time = np.linspace(0.0, 1.0, 90)[:, None]
    angles = time * [900.0, 80.0, -700.0]
    layout = channels(*(f"0 {axis}rotation" for axis in order))
    recording = Recording(LIMB, layout, angles, 0.1)

    assert recording_of(recording.motion(), like=recording).values == pytest.approx(angles, abs=1e-9)


@pytest.mark.parametrize("order", ["X", "ZX", "XZ", "YX"])
def test_joints_of_one_or_two_channels_hold_any_angle(order):
    layout = channels(*(f"1 {axis}rotation" for axis in order))
    angles = np.linspace(100.0, 900.0, 60)[:, None] * [1.0, -1.0][: len(order)]
    recording = Recording(LIMB, layout, angles, 0.1)

    values = recording_of(recording.motion(), like=recording).values

    whole_turns = 360.0 * np.round((angles[0] - values[0]) / 360.0)  # where it starts to count is its own choice
    assert values + whole_turns == pytest.approx(angles, abs=1e-9)


def test_a_rotation_that_the_channels_cannot_hold_is_an_error():
    recording = Recording(LIMB, channels("0 Zrotation", "1 Xrotation", "1 Yrotation"), np.zeros((2, 3)), 0.1)
    motion = recording.motion()

    for joint, order in ((1, "XY"), (2, "none"), (0, "Z")):
        turned = np.array(motion.rotations)
        axis = [1.0, 0.0, 0.0] if joint != 1 else [0.0, 0.0, 1.0]
        turned[1, joint] = rotations.from_axis_angle(axis, np.radians(10.0))
        message = (
            f"'{LIMB.names[joint]}' has only the rotation channels {order}; 10 degrees would be lost. `full_layout`"
        )
        with pytest.raises(SkeletonError, match=message):
            recording_of(replace(motion, rotations=turned), like=recording)


def test_a_move_that_the_channels_cannot_hold_is_an_error():
    recording = Recording(LIMB, channels("0 Xposition", "0 Zposition"), np.zeros((2, 2)), 0.1, Space(0.01))
    motion = recording.motion()
    higher = replace(motion, root_positions=motion.root_positions + np.array([0.0, 0.2, 0.0]))
    parted = replace(motion, moving_joints=[1], translations=np.full((2, 1, 3), 0.5))

    with pytest.raises(SkeletonError, match=r"joint 'hip' has no channel Yposition; a move of 0\.2 m would be lost"):
        recording_of(higher, like=recording)
    with pytest.raises(
        SkeletonError,
        match=r"joint 'knee' has no channel Xposition, Yposition, Zposition; a move of 0\.9 m would be",
    ):
        recording_of(parted, like=recording)


def test_a_moving_joint_that_stays_at_its_offset_needs_no_channels():
    recording = Recording(LIMB, channels("0 Xrotation"), np.zeros((1, 1)), 0.1)
    motion = replace(recording.motion(), moving_joints=[1], translations=LIMB.offsets[None, 1:2])

    assert recording_of(motion, like=recording).values == pytest.approx(np.zeros((1, 1)))


def test_the_default_layout_has_positions_where_joints_move():
    motion = Motion(LIMB, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 3, 1)), np.array([2]))

    layout = default_layout(motion)

    assert [layout.rotation_order(joint) for joint in range(3)] == ["ZXY"] * 3
    assert [len(layout.of_joint(joint)) for joint in range(3)] == [6, 3, 6]
    assert layout.n_channels == 15


def test_channels_of_many_joints_may_stand_in_any_order():
    """More than the 16 columns up to which any sort is stable."""
    rng = np.random.default_rng(3)
    skeleton = Skeleton(tuple(map(str, range(20))), np.arange(20) - 1, rng.normal(size=(20, 3)))
    columns = rng.permutation([(joint, kind) for joint in range(20) for kind in range(6)])
    layout = ChannelLayout(columns[:, 0], columns[:, 1])
    recording = Recording(skeleton, layout, rng.uniform(-180.0, 180.0, size=(2, 120)), 0.1)

    expected = positions_by_matrices(recording)
    assert recording.motion().positions_world == pytest.approx(expected, rel=1e-11, abs=1e-9)


def test_a_recording_of_another_skeleton_is_no_model():
    recording = Recording(LIMB, channels("0 Xrotation"), np.zeros((1, 1)), 0.1)
    longer = replace(LIMB, offsets=LIMB.offsets * 1.1)
    motion = Motion(longer, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 3, 1)))

    with pytest.raises(SkeletonError, match="the motion has another skeleton than the recording; transfer it first"):
        recording_of(motion, like=recording)


def test_skeletons_and_end_sites_come_in_metres():
    ours = our_skeleton(LIMB, Space(0.01, "y", "left"))

    assert ours.offsets[2] == pytest.approx([0.0, -0.42, -0.03])
    assert ours.end_site_offsets[0] == pytest.approx([0.0, -0.05, -0.12])


def test_slices_are_those_frames():
    recording = Recording(LIMB, channels("0 Xrotation"), np.arange(5.0)[:, None], 0.1)

    assert recording.slice(1, 3).values == pytest.approx(np.array([[1.0], [2.0]]))
    with pytest.raises(UsageError, match=r"no frames \[3, 9\) in a recording of 5 frames"):
        recording.slice(3, 9)


@pytest.mark.parametrize(
    ("joints", "kinds", "rule", "message"),
    [
        ([0, 0], [3], "replaces offset", "every channel needs one joint and one kind"),
        ([[0]], [[3]], "replaces offset", "every channel needs one joint and one kind"),
        ([0, 1, 0], [3, 3, 3], "replaces offset", "a joint has the same channel twice"),
        ([0], [6], "replaces offset", "a channel has a joint or a kind that does not exist"),
        ([-1], [3], "replaces offset", "a channel has a joint or a kind that does not exist"),
        ([0], [3], "new", "the translation rule cannot be 'new'; choose from replaces offset, adds to offset, world"),
        ([1, 1], [0, 1], "world", "a world position needs all three position channels"),
    ],
)
def test_what_is_no_layout(joints, kinds, rule, message):
    with pytest.raises(SkeletonError, match=message):
        ChannelLayout(np.array(joints), np.array(kinds), rule)


def test_layouts_must_fit_numbers_and_skeleton():
    with pytest.raises(SkeletonError, match=r"frames of shape \(1, 2\) for 1 channels"):
        Recording(LIMB, channels("0 Xrotation"), np.zeros((1, 2)), 0.1)
    with pytest.raises(SkeletonError, match="a channel belongs to a joint that does not exist"):
        Recording(LIMB, channels("3 Xrotation"), np.zeros((1, 1)), 0.1)
    turned = replace(channels("0 Xrotation"), axes=np.tile(rotations.IDENTITY, (2, 1)))
    with pytest.raises(SkeletonError, match=r"axes of shape \(2, 4\) for 3 joints"):
        Recording(LIMB, turned, np.zeros((1, 1)), 0.1)


def test_a_full_layout_holds_what_the_own_channels_cannot():
    own = channels("0 Zposition", "0 Zrotation", "1 Yrotation", "1 Xrotation", "2 Xposition", "2 Yrotation")
    rng = np.random.default_rng(0)
    motion = replace(
        Recording(LIMB, own, rng.uniform(-50, 50, (5, 6)), 0.1).motion(),
        rotations=rotations.from_rotation_vector(rng.normal(size=(5, 3, 3))),
    )

    layout = full_layout(own, motion)
    written = recording_of(motion, like=Recording(LIMB, layout, np.empty((0, layout.n_channels)), 0.1))

    assert layout.joints.tolist() == [0] * 6 + [1] * 3 + [2] * 6
    assert layout.kinds.tolist() == [0, 1, 2, 5, 3, 4, 4, 3, 5, 1, 2, 0, 4, 5, 3]
    assert written.motion().positions_world == pytest.approx(motion.positions_world)
