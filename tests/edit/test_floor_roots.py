"""Hips that hang on a floor point: edits give the same poses as on a skeleton whose root is its hips."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

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
from motionary.motion import UP, Motion, Skeleton, rotations
from motionary.qualities import quality_measures
from motionary.rig import body_of

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


def test_a_floor_point_may_turn_by_itself() -> None:
    """A root that goes along with the body, and turns with it, keeps its own turns."""
    on = on_floor_point(moving=True)
    turn = rotations.from_axis_angle(UP, np.linspace(0.0, 2.0, 400))
    turned = np.array(on.motion.rotations)
    turned[:, 0] = turn
    turned[:, 1] = rotations.multiply(rotations.inverse(turn), turned[:, 1])
    moved = rotations.rotate(rotations.inverse(turn), on.motion.joint_translations[:, 0])[:, None]
    other = replace(on, motion=replace(on.motion, rotations=turned, translations=moved))

    after = edited(other, Emote(vertical=-1.0, sagittal=1.0))

    assert np.abs(after.positions_world - edited(on, Emote(vertical=-1.0, sagittal=1.0)).positions_world).max() < 1e-9
    assert np.array_equal(after.rotations[:, 0], turn)
