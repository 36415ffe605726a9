import numpy as np
import pytest

from motionary.motion import Skeleton
from motionary.rig import body_bones, outgrowths, reference_skeleton
from motionary.rig.names import read_names
from rig.families import FAMILIES, family_skeleton

BY_NAME = {family.name: family for family in FAMILIES}


def on_the_floor(skeleton: Skeleton) -> Skeleton:
    """The skeleton below a root that stands 4 m away on the floor."""
    return Skeleton(
        ("joint_Root", *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]),
        np.concatenate([np.zeros((1, 3)), [[4.0, 1.0, 0.0]], skeleton.offsets[1:]]),
        skeleton.end_site_joints + 1,
        skeleton.end_site_offsets,
    )


def test_a_root_far_from_the_hips_is_no_part_of_the_body() -> None:
    skeleton = on_the_floor(reference_skeleton())

    bones = body_bones(skeleton)

    assert [skeleton.names[j] for j in np.flatnonzero(~bones[: skeleton.n_joints])] == ["joint_Root", "Hips"]
    assert bones[skeleton.n_joints :].all()
    assert body_bones(reference_skeleton()).all()


def test_nothing_is_behind_a_joint_that_marks_an_end() -> None:
    body = reference_skeleton()
    head, toe = body.index("Head"), body.index("LeftToe")
    skeleton = Skeleton(
        (*body.names, "HeadTop_End", "LeftToe_End"),
        np.append(body.parents, [head, toe]),
        np.concatenate([body.offsets, [[0.0, 0.2, 0.0], [0.0, 0.0, 0.07]]]),
        np.array([body.n_joints, body.n_joints + 1, body.index("LeftHand")]),
        np.array([[0.0, 0.2, 0.0], [0.0, 0.0, 0.07], [0.1, 0.0, 0.0]]),
    )

    assert body_bones(skeleton).tolist() == [True] * skeleton.n_joints + [False, False, True]


@pytest.mark.parametrize("name", ["Unreal", "Reallusion", "MakeHuman, new", "Bandai Namco"])
def test_the_body_begins_at_the_hips_of_every_family(name: str) -> None:
    family = next(family for family in FAMILIES if family.name.startswith(name))
    skeleton = family_skeleton(family)

    bones = body_bones(skeleton)[: skeleton.n_joints]

    assert all(bones[skeleton.index(joint)] for joint in family.spine.split(", "))


def test_a_creature_without_names_is_taken_whole() -> None:
    skeleton = Skeleton(tuple("abc"), np.array([-1, 0, 1]), np.array([[0.0, 0, 0], [5.0, 0, 0], [0.5, 0, 0]]))

    assert body_bones(skeleton).all()


def test_breasts_fingers_and_faces_are_outgrowths() -> None:
    names = ("Hips", "breast.L", "LeftHandIndex1", "lThumb1", "jaw", "LeftEye", "LeftArm", "Spine", "LeftFoot")
    skeleton = Skeleton(names, np.array([-1] + [0] * 8), np.zeros((9, 3)))

    assert outgrowths(skeleton).tolist() == [False, True, True, True, True, True, False, False, False]


def test_any_digit_may_stand_in_a_name() -> None:
    assert read_names(["a\u00b2", "b\u0663"])[1].numbers == (3,)
    assert read_names(["a\u00b2"])[0].numbers == ()
