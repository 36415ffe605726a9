from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import MappingError
from motionary.motion import Motion, Skeleton, mirror
from motionary.rig import joint_sides, map_skeleton, mirror_partners, symmetric_pose
from rig.bodies import a_pose, axes_by_part, bandai, dance, lafan, with_axes, z_up
from rig.families import FAMILIES, Family, family_parts, family_skeleton


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_limb_has_its_counterpart(family: Family) -> None:
    skeleton = family_skeleton(family)
    parts = {part: skeleton.index(name) for part, name in family_parts(family).items()}

    partners = mirror_partners(skeleton)

    assert np.array_equal(partners[partners], np.arange(skeleton.n_joints))
    for part, joint in parts.items():
        other = part.replace("Left", "Right") if part.startswith("Left") else part.replace("Right", "Left")
        assert partners[joint] == parts[other]


def test_fingers_and_creatures_have_counterparts_too() -> None:
    names = ("body", "LeftHandIndex1", "RightHandIndex1", "LeftHandIndex2", "lwing", "rwing", "LThumb", "RThumb")
    skeleton = Skeleton(names, np.array([-1] + [0] * 7), np.zeros((8, 3)))

    assert mirror_partners(skeleton).tolist() == [0, 2, 1, 3, 5, 4, 7, 6]
    assert symmetric_pose(skeleton).shape == (8, 4)


@pytest.mark.parametrize("rig", [a_pose, z_up, lafan, bandai])
def test_mirroring_shows_the_same_on_every_rig(rig: object) -> None:
    danced = dance(n_frames=20)
    other = with_axes(danced, axes_by_part(danced.skeleton, rig))
    partners = mirror_partners(danced.skeleton)

    seen = mirror(other, partners, rest_world=symmetric_pose(other.skeleton, motion=other))

    expected = danced.positions_world[:, partners] * (-1.0, 1.0, 1.0)
    assert seen.positions_world == pytest.approx(expected, abs=0.02)


def numbered(motion: Motion) -> Motion:
    """The motion with joints called bone00, bone01 and so on."""
    names = tuple(f"bone{joint:02d}" for joint in range(motion.skeleton.n_joints))
    return replace(motion, skeleton=replace(motion.skeleton, names=names))


def test_a_map_tells_the_sides_of_joints_whose_names_do_not() -> None:
    danced = dance(n_frames=20)
    other = numbered(danced)
    user_map = dict(zip(danced.skeleton.names, other.skeleton.names, strict=True))
    body_map = map_skeleton(other.skeleton, user_map=user_map)

    partners = mirror_partners(other.skeleton, body_map=body_map)

    assert np.array_equal(partners, mirror_partners(danced.skeleton))
    assert joint_sides(other.skeleton, body_map=body_map) == joint_sides(danced.skeleton)
    with pytest.raises(MappingError, match=r"left and right cannot be identified among bone00, bone01, .*map file"):
        mirror_partners(other.skeleton)


def test_a_map_overrules_names() -> None:
    skeleton = dance(n_frames=1).skeleton
    crossed = {"LeftHand": "RightHand", "RightHand": "LeftHand", "Head": "LeftToe"}
    body_map = map_skeleton(skeleton, user_map=crossed)

    partners = mirror_partners(skeleton, body_map=body_map)

    assert partners[skeleton.index("LeftHand")] == skeleton.index("RightHand")
    assert partners[skeleton.index("LeftToe")] == skeleton.index("LeftToe")
    assert partners[skeleton.index("RightToe")] == skeleton.index("RightToe")
    assert joint_sides(skeleton, body_map=body_map)[skeleton.index("RightHand")] == "left"


def test_what_hangs_alike_below_both_sides_belongs_together() -> None:
    names = ("body", "LeftHand", "RightHand", "f1", "f2", "f3", "f4", "odd")
    offsets = np.array([0.0, 1.0, -1.0, 0.1, 0.2, -0.1, -0.2, 0.1])[:, None] * (1.0, 0.0, 0.0)
    alike = Skeleton(names, np.array([-1, 0, 0, 1, 1, 2, 2, 3]), offsets)
    unlike = replace(alike, offsets=offsets * np.array([1, 1, 1, 1, 1, 1, 3, 1])[:, None])

    assert mirror_partners(alike).tolist() == [0, 2, 1, 5, 6, 3, 4, 7]
    assert mirror_partners(unlike).tolist() == [0, 2, 1, 3, 4, 5, 6, 7]


def test_a_chain_in_the_middle_needs_no_sides() -> None:
    names = ("snake", "s1", "s2")
    straight = Skeleton(names, np.array([-1, 0, 1]), np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.001, 0.0, 1.0]]))

    assert mirror_partners(straight).tolist() == [0, 1, 2]


def sides_of(*names: str) -> list[str]:
    n = len(names)
    return list(joint_sides(Skeleton(names, np.arange(n) - 1, np.zeros((n, 3)))))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftFoot", "RightFoot"),
        ("mixamorig:LeftArm", "mixamorig:RightArm"),
        ("LHipJoint", "RHipJoint"),
        ("lfemur", "rfemur"),
        ("lShldr", "rShldr"),
        ("L_Thigh", "R_Thigh"),
        ("Hand_L", "Hand_R"),
        ("upperarm_l", "upperarm_r"),
        ("finger1-1.L", "finger1-1.R"),
        ("b_l_arm", "b_r_arm"),
        ("Bip01 L Calf", "Bip01 R Calf"),
        ("mWristLeft", "mWristRight"),
        ("LEFT_KNEE", "RIGHT_KNEE"),
        ("handL", "handR"),
        ("toe.l", "toe.r"),
    ],
)
def test_names_tell_their_sides_in_either_order(left: str, right: str) -> None:
    assert sides_of("root", left, right) == ["middle", "left", "right"]
    assert sides_of("root", right, left) == ["middle", "right", "left"]


def test_names_that_only_begin_like_a_side_are_in_the_middle() -> None:
    assert sides_of("Hips", "lowerback", "upright", "L5", "ribs") == ["middle"] * 5
    assert sides_of("Hips", "LeftHand", "rightwing", "LThumb") == ["middle", "left", "right", "left"]
