import numpy as np

from motionary.rig.correspondence import correspondence
from motionary.rig.mapping import map_skeleton
from motionary.rig.reference import reference_skeleton
from motionary.rig.rest_pose import t_pose
from rig.families import FAMILIES, family_skeleton

BY_NAME = {family.name: family for family in FAMILIES}


def followed(source: str, target: str) -> dict[str, tuple[str, str, float]]:
    """Target joint -> (lower, upper, share) by name; "reference" is the reference skeleton."""
    skeletons = [
        reference_skeleton() if name == "reference" else family_skeleton(BY_NAME[name]) for name in (source, target)
    ]
    maps = [map_skeleton(skeleton) for skeleton in skeletons]
    follows = correspondence(
        *skeletons,
        source_map=maps[0],
        target_map=maps[1],
        source_rest=t_pose(skeletons[0]),
        target_rest=t_pose(skeletons[1]),
    )
    names = (*skeletons[0].names, "-")
    return {
        name: (names[lower], names[upper], float(share))
        for name, lower, upper, share in zip(
            skeletons[1].names, follows.lower, follows.upper, follows.share, strict=True
        )
    }


def test_one_spine_joint_is_shared_out_over_four() -> None:
    follows = followed("Biovision", "reference")

    assert [follows[f"Spine{i}"] for i in range(1, 5)] == [
        ("Hips", "Chest", 0.25),
        ("Hips", "Chest", 0.5),
        ("Hips", "Chest", 0.75),
        ("Hips", "Chest", 1.0),
    ]
    assert follows["Neck2"] == ("Chest", "Neck", 1.0)
    assert follows["LeftToe"] == ("LeftFoot", "LeftFoot", 1.0)  # no toes: they follow the foot


def test_four_spine_joints_add_up_in_one() -> None:
    follows = followed("reference", "Biovision")

    assert follows["Chest"] == ("Spine4", "Spine4", 1.0)
    assert follows["Neck"] == ("Neck2", "Neck2", 1.0)


def test_a_head_without_a_neck_shares_its_turn_with_the_neck() -> None:
    follows = followed("MoveLab", "reference")

    assert follows["Neck1"][:2] == ("Spine", "Head")
    assert np.isclose(follows["Neck1"][2], 1 / 3)
    assert np.isclose(follows["Neck2"][2], 2 / 3)


def test_joints_above_the_hips_stand_still() -> None:
    assert followed("reference", "Unreal")["root"] == ("-", "-", 1.0)


def test_fingers_follow_their_namesakes_and_else_the_hand() -> None:
    both = followed("Perception Neuron", "Rokoko, HumanIK")
    none = followed("reference", "Rokoko, HumanIK")

    assert both["LeftHandThumb1"][0] == "LeftHandThumb1"
    assert none["LeftHandThumb1"][0] == "LeftHand"
