from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, rotations
from motionary.rig import body_of, map_skeleton, reference_skeleton, to_reference, transfer
from rig.bodies import a_pose, axes_by_part, bandai, dance, lafan, with_axes
from rig.families import FAMILIES, Family, family_skeleton

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.fixture(scope="module")
def danced() -> Motion:
    return dance()


def mapped(skeleton: Skeleton) -> list[int]:
    return sorted({joint for joints in map_skeleton(skeleton).slots.values() for joint in joints})


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_there_and_back_brings_the_body_back(family: Family, danced: Motion) -> None:
    own = transfer(danced, family_skeleton(family))

    back = transfer(to_reference(own), own.skeleton)

    error = np.linalg.norm(back.positions_world - own.positions_world, axis=-1)[:, mapped(own.skeleton)]
    assert error.mean() < 0.002
    assert error.max() < 0.01
    assert back.frame_time == danced.frame_time


@pytest.mark.parametrize("height", [1.1, 1.6, 2.0])
def test_bodies_of_other_size_move_alike(height: float, danced: Motion) -> None:
    moved = to_reference(danced, height=height)

    scale = height / 1.75
    assert moved.positions_world == pytest.approx(scale * danced.positions_world, abs=0.003)
    assert transfer(moved, danced.skeleton).positions_world == pytest.approx(danced.positions_world, abs=0.005)


def test_without_a_height_the_reference_gets_the_actors_legs() -> None:
    small = dance(height=1.21)

    assert to_reference(small, height=None).skeleton.same_as(reference_skeleton(1.21))


def longer_feet(motion: Motion) -> Skeleton:
    """A body with longer feet, wider hips and longer thighs but shorter shins."""
    offsets = np.array(motion.skeleton.offsets)
    for j, name in enumerate(motion.skeleton.names):
        if name.endswith("Toe"):
            offsets[j] *= 1.35
        elif name.endswith("Thigh"):
            offsets[j] *= (1.15, 1.0, 1.0)
        elif name.endswith("Shin"):
            offsets[j] *= 1.05
        elif name.endswith("Foot"):
            offsets[j] *= 0.93
    return replace(motion.skeleton, offsets=offsets)


def test_planted_feet_stay_planted_on_another_body() -> None:
    still = dance(n_frames=60)
    planted = plant(still, "LeftFoot")
    target = longer_feet(still)

    moved = transfer(planted, target)

    feet = moved.positions_world[:, [target.index("LeftFoot"), target.index("LeftToe")]]
    assert np.linalg.norm(feet - feet[0], axis=-1).max() < 0.003
    loose = transfer(planted, target, feet=False).positions_world[:, target.index("LeftFoot")]
    assert np.linalg.norm(loose - loose[0], axis=-1).max() > 0.01


def test_a_foot_that_rolls_over_its_ball_keeps_it_in_place() -> None:
    rolling = plant(dance(n_frames=60), "LeftFoot", roll=np.linspace(0.0, 0.7, 60))
    target = longer_feet(rolling)

    balls = transfer(rolling, target).positions_world[:, target.index("LeftToe")]

    source = rolling.positions_world[:, rolling.skeleton.index("LeftToe")]
    assert np.linalg.norm(source - source[0], axis=-1).max() < 0.001
    assert np.linalg.norm(balls - balls[0], axis=-1).max() < 0.004


def test_soles_stay_on_the_ground() -> None:
    standing = plant(dance(n_frames=10), "LeftFoot")
    for family in ("Xsens", "LaFAN1", "Unreal", "Biovision"):
        body = body_of(family_skeleton(BY_NAME[family]))

        moved = transfer(standing, body.skeleton)

        heights = moved.positions_world[:, body.body_map.joints["LeftFoot"], 1] - body.feet.ankle_height[0]
        assert np.abs(heights).max() < 0.005


def plant(motion: Motion, foot: str, *, roll: np.ndarray | None = None) -> Motion:
    """The motion with one foot flat on the ground at the origin, or rolling over its ball by `roll` radians."""
    skeleton = motion.skeleton
    joints = {part: skeleton.index(foot.replace("Foot", part)) for part in ("Thigh", "Shin", "Foot", "Toe")}
    hips = np.array(motion.rotations)
    hips[:, 0] = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.4 * np.sin(np.arange(motion.n_frames) / 9))
    local = hips
    bend = 0.5 + 0.1 * np.sin(np.arange(motion.n_frames) / 7)
    x = np.array([1.0, 0.0, 0.0])
    local[:, joints["Thigh"]] = rotations.from_axis_angle(x, -bend)
    local[:, joints["Shin"]] = rotations.from_axis_angle(x, 2.0 * bend)
    above = rotations.multiply(local[:, 0], rotations.multiply(local[:, joints["Thigh"]], local[:, joints["Shin"]]))
    wanted = rotations.from_axis_angle(x, np.zeros(motion.n_frames) if roll is None else roll)
    local[:, joints["Foot"]] = rotations.multiply(rotations.inverse(above), wanted)
    local[:, joints["Toe"]] = rotations.IDENTITY
    loose = replace(motion, rotations=local, root_positions=np.zeros((motion.n_frames, 3)))
    ball_height = 1.75 * 0.007
    root = np.array([0.0, ball_height, 0.0]) - loose.positions_world[:, joints["Toe"]]
    return replace(loose, root_positions=root)


@pytest.mark.parametrize("rig", [lafan, bandai])
def test_a_bundle_can_be_the_target(rig: object, danced: Motion) -> None:
    other = with_axes(dance(n_frames=40), axes_by_part(danced.skeleton, rig))

    moved = transfer(danced, other.skeleton, target_motion=other)

    assert moved.positions_world == pytest.approx(danced.positions_world, abs=0.01)


def test_moving_joints_are_settled(danced: Motion) -> None:
    shin = danced.skeleton.index("LeftShin")
    swell = 0.01 * np.sin(np.arange(danced.n_frames))[:, None, None] * np.array([0.0, 1.0, 0.0])
    moving = replace(danced, moving_joints=[shin], translations=danced.skeleton.offsets[shin] + swell)

    moved = to_reference(moving)

    assert not len(moved.moving_joints)
    assert np.linalg.norm(moved.positions_world - moving.positions_world, axis=-1).mean() < 0.01


def test_a_target_whose_offsets_are_not_its_bones_is_filled_by_its_motion(danced: Motion) -> None:
    """Bandai Namco: the hips' OFFSET is far from where the data put them."""
    shin = danced.skeleton.index("LeftShin")
    offsets = np.array(danced.skeleton.offsets)
    offsets[shin] = (1.0, 2.0, 3.0)
    odd = replace(danced.skeleton, offsets=offsets)
    real = np.tile(danced.skeleton.offsets[[shin]], (danced.n_frames, 1, 1))
    own = Motion(odd, danced.frame_time, danced.root_positions, danced.rotations, [shin], real)

    moved = transfer(danced, odd, target_motion=own)

    assert moved.skeleton is odd
    assert moved.positions_world == pytest.approx(danced.positions_world, abs=0.002)


def test_single_frames_are_moved(danced: Motion) -> None:
    assert to_reference(danced.slice(7, 8)).n_frames == 1


def test_creatures_are_refused(danced: Motion) -> None:
    creature = Skeleton(("body", "tail"), np.array([-1, 0]), np.zeros((2, 3)))

    with pytest.raises(MappingError, match="no joint found for Hips"):
        transfer(danced, creature)


def test_users_maps_are_used(danced: Motion) -> None:
    names = tuple(name.replace("Shin", "Bein") for name in danced.skeleton.names)
    motion = replace(danced, skeleton=replace(danced.skeleton, names=names))
    user_map = map_skeleton(motion.skeleton, user_map={"LeftShin": "LeftBein", "RightShin": "RightBein"})

    moved = to_reference(motion, user_map)

    assert moved.positions_world == pytest.approx(danced.positions_world, abs=0.002)
    assert transfer(danced, motion.skeleton, target_map=user_map).skeleton.names == names


def test_the_rest_pose_of_the_target_does_not_matter(danced: Motion) -> None:
    other = with_axes(danced, axes_by_part(danced.skeleton, a_pose))

    assert transfer(danced, other.skeleton).positions_world == pytest.approx(danced.positions_world, abs=0.002)
