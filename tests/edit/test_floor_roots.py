"""Hips that hang on a floor point: edits give the same poses as on a skeleton whose root is its hips."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.ndimage import uniform_filter1d

from edit.made_subjects import subject
from motionary.edit import (
    Bands,
    Delete,
    Displace,
    Emote,
    InPlace,
    Loop,
    Mirror,
    Operation,
    Reach,
    Replace,
    Smooth,
    Speed,
    Subject,
    apply_operation,
    place_of,
    root_motion,
)
from motionary.edit.fitting import outline_of
from motionary.motion import UP, Motion, Skeleton, headings, rotations
from motionary.qualities import quality_measures
from motionary.rig import body_of
from rig.floor_points import on_floor_point as below

OPERATIONS = (
    Smooth(cutoff_hz=1.5),
    Bands(gains=(1.0, 1.0, 1.5, 1.5, 1.0, 1.0)),
    Displace(moves=((1.0, 0.1, 0.05, 0.1),)),
    Reach("LeftHand", 1.0, (0.1, 0.2, 0.2)),
    Emote(vertical=-1.0, horizontal=1.0),
    Mirror(),
    InPlace(heading=True),
    Speed(factor=1.5),
    Delete(),
    Loop(),
    Replace("source"),
)


@cache
def on_floor_point(*, moving: bool) -> Subject:
    """The subject with a point above its hips, which carries their place; or stands still, and the hips move."""
    made = subject().slice(0, 400)
    motion, old = made.motion, made.motion.skeleton
    names, parents = ("floor", *old.names), np.concatenate([[-1], old.parents + 1])
    offsets = np.concatenate([np.zeros((1, 3)), old.offsets])
    offsets[1] = [0.0, 0.9, 0.0]
    skeleton = Skeleton(names, parents, offsets, old.end_site_joints + 1, old.end_site_offsets)
    still = np.tile(rotations.IDENTITY, (motion.n_frames, 1, 1))
    places = motion.root_positions - offsets[1]
    put = Motion(
        skeleton,
        motion.frame_time,
        np.zeros_like(places) if moving else places,
        np.concatenate([still, motion.rotations], axis=1),
        moving_joints=np.array([1] if moving else [], dtype=np.int32),
        translations=motion.root_positions[:, None] if moving else None,
    )
    return Subject(put, body_of(skeleton), made.plants)


def edited(on: Subject, operation: Operation) -> Motion:
    sources = {"source": on.slice(20, 120)}
    return apply_operation(on, operation, place_of(on, operation, 150, 300, sources=sources)).motion


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_poses_are_the_same(operation: Operation, moving: bool) -> None:
    plain, on = subject().slice(0, 400), on_floor_point(moving=moving)

    after = edited(on, operation)

    assert np.abs(after.positions_world[:, 1:] - edited(plain, operation).positions_world).max() < 1e-6


@pytest.mark.parametrize("moving", [False, True])
def test_what_is_not_edited_stays_to_the_bit(moving: bool) -> None:
    on = on_floor_point(moving=moving)

    after = edited(on, Emote(vertical=1.0))

    for one, other in (
        (after.rotations, on.motion.rotations),
        (after.root_positions, on.motion.root_positions),
        (after.joint_translations, on.motion.joint_translations),
    ):
        assert np.array_equal(one[:70], other[:70])
        assert np.array_equal(one[380:], other[380:])
        assert np.array_equal(after.rotations[:, 0], on.motion.rotations[:, 0])


def test_it_is_aligned_and_measured_as_it_faces() -> None:
    plain, on = subject().slice(0, 400), on_floor_point(moving=True)
    turned = replace(plain.motion, rotations=np.array(plain.motion.rotations))
    assert np.array_equal(outline_of(on).places, outline_of(replace(plain, motion=turned)).places)
    assert root_motion(on)[1] == pytest.approx(root_motion(plain)[1], abs=1e-9)
    assert quality_measures(on.motion, on.body) == pytest.approx(quality_measures(plain.motion, plain.body), abs=1e-6)


FOLLOWED = (
    Delete(),
    Loop(repeats=3),
    Replace("source"),
    Replace("source", length="segment"),
    Mirror(),
    InPlace(),
    InPlace(heading=True),
    Displace(moves=((1.0, 0.5, 0.0, 0.3),)),
)


@cache
def floor_point_below(*, beside: float = 0.0) -> Subject:
    """The subject with a floor point that follows its hips, so many metres beside them, and turns with them."""
    made = subject().slice(0, 400)
    motion = below(made.motion, "below")
    if beside:
        away = rotations.rotate(motion.rotations[:, 0], np.array([beside, 0.0, 0.0]))
        hips = motion.joint_translations - np.array([beside, 0.0, 0.0])
        motion = replace(motion, root_positions=motion.root_positions + away, translations=hips)
    return Subject(motion, body_of(motion.skeleton, motion=motion), made.plants)


@pytest.mark.parametrize("beside", [0.0, 0.4])
@pytest.mark.parametrize(("start", "stop"), [(150, 300), (0, 400)])
@pytest.mark.parametrize("operation", FOLLOWED, ids=lambda operation: operation.name)
def test_a_floor_point_follows_the_hips_where_an_edit_takes_them(
    operation: Operation, start: int, stop: int, beside: float
) -> None:
    if isinstance(operation, Delete) and stop == 400:
        stop = 250  # all of it cannot be deleted
    on, plain = floor_point_below(beside=beside), subject().slice(0, 400)

    after, expected = (
        apply_operation(one, operation, place_of(one, operation, start, stop, sources={"source": one.slice(20, 120)}))
        for one in (on, plain)
    )

    motion = after.motion
    np.testing.assert_allclose(motion.positions_world[:, 1:], expected.motion.positions_world, atol=1e-6)
    assert below_hips(motion) == pytest.approx(np.tile(below_hips(on.motion)[0], (motion.n_frames, 1)), abs=0.01)
    assert np.all(motion.root_positions[:, 1] == 0.0)
    hips = motion.positions_world[:, 1] * (1.0, 0.0, 1.0)
    turns = rotations.angle_between(motion.rotations[1:, 0], motion.rotations[:-1, 0])
    longest = np.linalg.norm(np.diff(hips, axis=0), axis=1).max() + beside * turns.max()
    assert np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1).max() < longest + 1e-6
    assert turns.max() <= np.abs(np.diff(headings(motion.rotations_world[:, 1]))).max() + 1e-6


def test_a_floor_point_below_stays_to_the_bit_where_nothing_is_edited() -> None:
    on = floor_point_below(beside=0.4)

    motion = apply_operation(on, Delete(), place_of(on, Delete(), 150, 300), protect=False).motion

    for after, before in (
        (motion.root_positions, on.motion.root_positions),
        (motion.rotations, on.motion.rotations),
        (motion.joint_translations, on.motion.joint_translations),
    ):
        assert np.array_equal(after[:100], before[:100])


def test_a_floor_point_on_a_smooth_way_does_not_jump_where_frames_are_deleted() -> None:
    on = floor_point_below()
    motion = on.motion
    smooth = uniform_filter1d(motion.root_positions, 61, axis=0, mode="nearest")
    away = rotations.rotate(rotations.inverse(motion.rotations[:, 0]), motion.root_positions - smooth)
    hips = motion.joint_translations + away[:, None]
    on = replace(on, motion=replace(motion, root_positions=smooth, translations=hips))

    after, plain = edited(on, Delete()), edited(subject().slice(0, 400), Delete())

    np.testing.assert_allclose(after.positions_world[:, 1:], plain.positions_world, atol=1e-6)
    for motion, most in ((on.motion, 0.008), (after, 0.016)):  # metres in a frame of 1/60 s
        assert np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1).max() < most
    assert np.abs(below_hips(after)[200:, :2] - below_hips(on.motion)[350:, :2]).max() < 1e-6


def below_hips(motion: Motion) -> np.ndarray:
    """Where the floor point is (F, 3) as seen from the hips: across, ahead, and its turn."""
    away = (motion.root_positions - motion.positions_world[:, 1]) * (1.0, 0.0, 1.0)
    facing = headings(motion.rotations_world[:, 1])
    seen = rotations.rotate(rotations.from_axis_angle(UP, -facing), away)
    turn = headings(motion.rotations[:, 0]) - facing
    return np.stack([seen[:, 0], seen[:, 2], np.arctan2(np.sin(turn), np.cos(turn))], axis=1)


def test_the_floor_point_alone_is_not_the_hips() -> None:
    on = on_floor_point(moving=True)
    operation = Displace(moves=((1.0, 0.5, 0.0, 0.3),))

    for joints, moves in ((["floor"], False), (["Hips"], True)):
        after = apply_operation(on, operation, place_of(on, operation, 150, 300, joints=joints)).motion

        assert (np.abs(after.positions_world - on.motion.positions_world).max() > 0.1) == moves


def test_a_floor_point_may_turn_by_itself() -> None:
    """One that stands where it is, but turns, is turned as much as the hips are."""
    on = on_floor_point(moving=True)
    turn = rotations.from_axis_angle(UP, np.linspace(0.0, 2.0, 400))
    turned = np.array(on.motion.rotations)
    turned[:, 0] = turn
    turned[:, 1] = rotations.multiply(rotations.inverse(turn), turned[:, 1])
    moved = rotations.rotate(rotations.inverse(turn), on.motion.joint_translations[:, 0])[:, None]
    other = replace(on, motion=replace(on.motion, rotations=turned, translations=moved))

    after, plain = (edited(one, Emote(vertical=-1.0, sagittal=1.0)) for one in (other, on))

    assert np.abs(after.positions_world[:, 1:] - plain.positions_world[:, 1:]).max() < 1e-9
    np.testing.assert_allclose(below_hips(after)[:, 2], below_hips(other.motion)[:, 2], atol=1e-9)
