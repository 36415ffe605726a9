from dataclasses import replace

import numpy as np
import pytest

from motionary.motion import Motion, rotations
from motionary.rig import map_skeleton, reference_skeleton, t_pose, to_reference, transfer
from motionary.rig.body import posed_places
from motionary.rig.rest_pose import t_frame
from motionary.rig.rest_shape import rest_shape
from rig.bodies import (
    a_pose,
    arms_down,
    arms_up,
    axes_by_part,
    bandai,
    dance,
    lafan,
    lafan_but_ends,
    leaning,
    shoulders_up,
    with_axes,
    z_up,
)
from rig.families import FAMILIES, Family, family_skeleton

RIGS = {
    "a_pose": a_pose,
    "arms_down": arms_down,
    "arms_up": arms_up,
    "shoulders_up": shoulders_up,
    "leaning": leaning,
    "z_up": z_up,
    "lafan": lafan,
    "bandai": bandai,
    "lafan_but_ends": lafan_but_ends,
}


@pytest.fixture(scope="module")
def danced() -> Motion:
    return dance()


def test_the_reference_stands_in_its_t_pose_already() -> None:
    assert np.allclose(t_pose(reference_skeleton()), rotations.IDENTITY)


@pytest.mark.parametrize("rig", RIGS)
def test_any_rig_is_put_into_the_reference_t_pose(rig: str, danced: Motion) -> None:
    motion = with_axes(danced, axes_by_part(danced.skeleton, RIGS[rig]))

    pose = t_pose(motion.skeleton, motion=motion)

    assert posed_places(motion.skeleton, pose) == pytest.approx(danced.skeleton.rest_positions(), abs=2e-3)
    # and the twist is right as well: the same axes as those the rig was given
    turned = rotations.angle_between(pose, axes_by_part(danced.skeleton, RIGS[rig]))
    assert np.degrees(turned).max() < 5.0


@pytest.mark.parametrize("rig", RIGS)
def test_a_motion_comes_back_from_any_rig(rig: str, danced: Motion) -> None:
    motion = with_axes(danced, axes_by_part(danced.skeleton, RIGS[rig]))
    assert motion.positions_world == pytest.approx(danced.positions_world, abs=1e-9)

    back = to_reference(motion)

    error = np.linalg.norm(back.positions_world - danced.positions_world, axis=-1)
    assert error.mean() < 0.002
    assert error.max() < 0.01


@pytest.mark.parametrize("rig", RIGS)
def test_a_motion_goes_onto_any_rig(rig: str, danced: Motion) -> None:
    other = with_axes(danced, axes_by_part(danced.skeleton, RIGS[rig]))

    there = transfer(danced, other.skeleton, target_motion=other)

    error = np.linalg.norm(there.positions_world - danced.positions_world, axis=-1)
    assert error.mean() < 0.002
    assert error.max() < 0.01


def test_bundles_are_not_taken_for_bodies(danced: Motion) -> None:
    shapes = {}
    for rig, axes in RIGS.items():
        skeleton = with_axes(danced, axes_by_part(danced.skeleton, axes)).skeleton
        shapes[rig] = rest_shape(skeleton, map_skeleton(skeleton))

    people = ("a_pose", "arms_down", "arms_up", "shoulders_up", "leaning", "z_up")
    assert shapes == dict.fromkeys(people, "human") | dict.fromkeys(("lafan", "bandai", "lafan_but_ends"), "bundle")


def test_a_neck_at_the_place_of_the_next_shows_its_axes_by_how_it_mostly_is(danced: Motion) -> None:
    """CMU's Neck and Neck1 are at one place: the first has no bone to lie along."""
    offsets = np.array(danced.skeleton.offsets)
    offsets[danced.skeleton.index("Neck2")] = 0.0
    short = replace(danced, skeleton=replace(danced.skeleton, offsets=offsets))
    turned = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.5 * np.pi)

    def lafan_but_neck(name: str) -> np.ndarray:
        return rotations.multiply(turned, lafan(name)) if name in ("Neck1", "Neck2", "Head") else lafan(name)

    axes = axes_by_part(danced.skeleton, lafan_but_neck)
    motion = with_axes(short, axes)

    found = rotations.angle_between(t_pose(motion.skeleton, motion=motion), axes)

    assert np.degrees(found).max() < 8.0  # as far as the neck mostly leans


def test_hips_whose_spine_starts_at_their_place_point_an_axis_upward(danced: Motion) -> None:
    """CMU's hip joints lie below and well before the hips: their direction is no vertical."""
    offsets = np.array(danced.skeleton.offsets)
    offsets[danced.skeleton.index("Spine1")] = 0.0
    for side in ("Left", "Right"):
        offsets[danced.skeleton.index(side + "Thigh"), 1:] = (-0.10, 0.06)
    body = replace(danced, skeleton=replace(danced.skeleton, offsets=offsets))
    motion = with_axes(body, axes_by_part(danced.skeleton, lafan))

    turned = rotations.angle_between(t_pose(motion.skeleton, motion=motion), axes_by_part(danced.skeleton, lafan))

    assert np.degrees(turned).max() < 5.0


def test_a_frame_in_t_pose_gives_the_twist_without_any_bending() -> None:
    still = dance(n_frames=3)
    unturned = np.tile(rotations.IDENTITY, (3, still.skeleton.n_joints, 1))
    quiet = Motion(still.skeleton, still.frame_time, still.root_positions, unturned)
    motion = with_axes(quiet, axes_by_part(still.skeleton, lafan))

    assert t_frame(motion, map_skeleton(motion.skeleton)) == 0
    pose = t_pose(motion.skeleton, motion=motion)

    assert np.degrees(rotations.angle_between(pose, axes_by_part(still.skeleton, lafan))).max() < 0.01


def test_a_dance_holds_no_t_pose(danced: Motion) -> None:
    assert t_frame(danced, map_skeleton(danced.skeleton)) is None


def test_spread_legs_are_closed_and_their_feet_with_them() -> None:
    """CMU: the rest pose is a T with legs spread by 20 degrees, the feet tilted along."""
    danced = dance()
    spread = np.radians(20.0)

    def axes(name: str) -> np.ndarray:
        if not name.endswith(("Thigh", "Shin", "Foot", "Toe")):
            return rotations.IDENTITY
        return rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), -spread if name.startswith("Left") else spread)

    motion = with_axes(danced, axes_by_part(danced.skeleton, axes))

    turned = rotations.angle_between(t_pose(motion.skeleton), axes_by_part(danced.skeleton, axes))

    assert np.degrees(turned).max() < 0.01


def test_flat_feet_of_spread_legs_stay_flat() -> None:
    danced = dance()

    def axes(name: str) -> np.ndarray:
        if not name.endswith(("Thigh", "Shin")):
            return rotations.IDENTITY
        return rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.3 if name.startswith("Left") else 0.3)

    motion = with_axes(danced, axes_by_part(danced.skeleton, axes))

    turned = rotations.angle_between(t_pose(motion.skeleton), axes_by_part(danced.skeleton, axes))

    assert np.degrees(turned).max() < 0.01


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_stands_upright_in_its_t_pose(family: Family) -> None:
    skeleton = family_skeleton(family)
    body_map = map_skeleton(skeleton)

    places = posed_places(skeleton, t_pose(skeleton, body_map))

    joints = body_map.joints
    assert places[joints["LeftForearm"], 0] > places[joints["LeftUpperArm"], 0] + 0.1
    assert places[joints["RightForearm"], 0] < places[joints["RightUpperArm"], 0] - 0.1
    assert places[joints["LeftFoot"], 1] < places[joints["LeftThigh"], 1] - 0.5


def test_raised_clavicles_come_out_level_without_a_motion_too(danced: Motion) -> None:
    rig = with_axes(danced, axes_by_part(danced.skeleton, shoulders_up)).skeleton
    shoulders = [rig.index(side + "UpperArm") for side in ("Left", "Right")]

    there = transfer(danced, rig).positions_world[:, shoulders]

    across = np.linalg.norm(there[:, 0] - there[:, 1], axis=1)
    assert across == pytest.approx(np.full(len(across), 0.39), abs=0.02)
