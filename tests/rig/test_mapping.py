import numpy as np
import pytest

from motionary.errors import MappingError
from motionary.motion import Skeleton
from motionary.rig import PARTS, map_skeleton, reference_skeleton
from motionary.rig.body_map import anchors
from rig.families import FAMILIES, Family, both_sides, family_parts, family_skeleton, parse_tree


def skeleton_of(tree: str) -> Skeleton:
    names, parents, _ = parse_tree(both_sides(tree))
    return Skeleton(tuple(names), np.array(parents), np.zeros((len(names), 3)))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_is_mapped_by_its_names(family: Family) -> None:
    skeleton = family_skeleton(family)

    body_map = map_skeleton(skeleton)

    expected = family_parts(family)
    found = {part: skeleton.names[joint] for part, joint in body_map.joints.items()}
    found |= {f"Spine{i + 1}": skeleton.names[joint] for i, joint in enumerate(body_map.spine)}
    found |= {f"Neck{i + 1}": skeleton.names[joint] for i, joint in enumerate(body_map.neck)}
    assert found == expected


def test_file_order_and_letter_case_do_not_matter() -> None:
    family = FAMILIES[0]
    names, parents, _ = parse_tree(both_sides(family.tree))
    shouted = family_skeleton(family)
    shouted = Skeleton(tuple(name.upper() for name in names), shouted.parents, shouted.offsets)
    turned = [0, *range(len(names) - 1, 0, -1)]  # children first, then sorted by depth
    depth = {joint: len(shouted.chain(joint)) for joint in range(len(names))}
    order = sorted(turned, key=lambda joint: depth[joint])
    place = {joint: i for i, joint in enumerate(order)}
    reordered = Skeleton(
        tuple(names[j] for j in order),
        np.array([place[parents[j]] if parents[j] >= 0 else -1 for j in order]),
        family_skeleton(family).offsets[order],
    )

    expected = family_parts(family)["RightForearm"]

    assert reordered.names[map_skeleton(reordered).joints["RightForearm"]] == expected
    assert shouted.names[map_skeleton(shouted).joints["Head"]] == "HEAD"


def test_the_reference_maps_onto_itself() -> None:
    skeleton = reference_skeleton()

    slots = map_skeleton(skeleton).slots

    assert slots == {part: (skeleton.index(part),) for part in PARTS}


def test_spine_joints_share_slots() -> None:
    by_name = {family.name: family for family in FAMILIES}
    one = map_skeleton(family_skeleton(by_name["Biovision"])).slots
    six = map_skeleton(family_skeleton(by_name["Second Life, Bento"])).slots

    assert [len(one[f"Spine{i}"]) for i in range(1, 5)] == [0, 0, 0, 1]
    assert [len(six[f"Spine{i}"]) for i in range(1, 5)] == [2, 1, 2, 1]
    assert [len(six[f"Neck{i}"]) for i in (1, 2)] == [0, 1]


@pytest.mark.parametrize(("short", "long"), [(1, 4), (2, 4), (3, 4), (4, 4), (4, 5), (4, 10), (2, 3)])
def test_anchors_rise_to_the_end(short: int, long: int) -> None:
    at = anchors(short, long)

    assert list(at) == sorted(set(at))
    assert at[0] >= 0
    assert at[-1] == long - 1


def test_missing_parts_are_listed() -> None:
    legs = skeleton_of("Hips > ({LeftUpLeg > LeftLeg > LeftFoot})")

    with pytest.raises(MappingError) as error:
        map_skeleton(legs)

    assert str(error.value).startswith(
        "no joint found for Spine1, Head (or a neck), LeftUpperArm, LeftForearm, RightUpperArm, RightForearm "
        "among Hips, "
        "LeftUpLeg"
    )


@pytest.mark.parametrize(
    "tree",
    [
        "LeftHand > (LeftHandThumb1 > LeftHandThumb2 | LeftHandIndex1)",
        "Head",
        "ORG_Hips > ORG_BN_Bip01_Pelvis > ({DEF_BN_Leg_L_11 > DEF_BN_Leg_L_12 > DEF_BN_Leg_L_13 | DEF_BN_Leg_L_21 > "
        "DEF_BN_Leg_L_22 | DEF_BN_Arm_L_01 > DEF_BN_Arm_L_02} | DEF_BN_Eye_L)",
        "a > b > c > (d | e)",
        "Bone > (Bone.001 | Foot.L | Foot.R | LowerLeg.L > LowerLeg.R)",
    ],
    ids=["hand", "head", "crab", "nameless", "feet under the root"],
)
def test_what_is_no_body_is_refused(tree: str) -> None:
    with pytest.raises(MappingError, match="no joint found for"):
        map_skeleton(skeleton_of(tree))


def elephant() -> Skeleton:
    """Human words on four-legged: the spine runs level along z, arms and legs hang down."""
    names, parents, _ = parse_tree(
        both_sides(
            "Hips > Bip01_Pelvis > (BN_Tail_01 | Bip01_Spine > ({Bip01_L_Thigh > Bip01_L_Calf > Bip01_L_Foot > "
            "Bip01_L_Toe0} | Bip01_Spine1 > Bip01_Spine2 > Bip01_Neck > (Bip01_Head > BN_Nose_01 | {Bip01_L_Clavicle > "
            "Bip01_L_UpperArm > Bip01_L_Forearm > Bip01_L_Hand})))"
        )
    )
    shape = {
        "Spine1": (0, 0.1, 0.8),
        "Spine2": (0, 0.1, 0.8),
        "Neck": (0, 0.1, 0.4),
        "Head": (0, 0.2, 0.4),
        "Thigh": (0.4, -0.2, 0.05),
        "Calf": (0, -0.8, 0.1),
        "Foot": (0, -0.7, -0.1),
        "Toe": (0, -0.1, 0.2),
        "Clavicle": (0.3, -0.2, 0),
        "UpperArm": (0.1, -0.1, 0),
        "Forearm": (0, -0.8, -0.1),
        "Hand": (0, -0.7, 0.1),
    }
    offsets = np.zeros((len(names), 3))
    for i, name in enumerate(names):
        word = name.split("_")[-1].rstrip("0")
        offsets[i] = np.array(shape.get(word, (0, 0, 0))) * (-1 if "_R_" in name else 1, 1, 1)
    return Skeleton(tuple(names), np.array(parents), offsets)


def test_human_words_on_four_legs_are_refused() -> None:
    with pytest.raises(MappingError, match="four-legged"):
        map_skeleton(elephant())


def test_the_user_may_insist_on_an_elephant() -> None:
    skeleton = elephant()

    body_map = map_skeleton(skeleton, user_map={"Hips": "Bip01_Pelvis"})

    assert skeleton.names[body_map.hips] == "Bip01_Pelvis"


def test_a_user_map_fills_what_names_do_not_say() -> None:
    skeleton = skeleton_of(
        "bowl > ({LeftUpLeg > shank_L > LeftFoot} | s1 > s2 > s3 > s4 > s5 > (Neck > Head | {LeftArm > LeftForeArm}))"
    )
    with pytest.raises(MappingError, match="no joint found for LeftShin, RightShin"):
        map_skeleton(skeleton)

    body_map = map_skeleton(
        skeleton, user_map={"LeftShin": "shank_L", "RightShin": "shank_R", "Spine1": ["s1", "s2"], "Spine2": "s4"}
    )

    assert skeleton.names[body_map.joints["RightShin"]] == "shank_R"
    assert [skeleton.names[joint] for joint in body_map.spine] == ["s1", "s2", "s4"]
    assert skeleton.names[body_map.hips] == "bowl"


@pytest.mark.parametrize(
    ("user_map", "message"),
    [
        ({"LeftKnee": "LeftLeg"}, "'LeftKnee' is not a body part; choose from Hips, Spine1"),
        ({"LeftShin": "LeftShank"}, "the map names 'LeftShank' as LeftShin, but the skeleton has Hips"),
        ({"LeftShin": "LeftLeg", "LeftFoot": "LeftLeg"}, "the map names 'LeftLeg' for two body parts"),
        ({"Head": ["Head", "Neck"]}, "the map must name one joint as Head, not 2"),
    ],
)
def test_a_wrong_user_map_says_what_is_wrong(user_map: dict[str, str], message: str) -> None:
    skeleton = family_skeleton(FAMILIES[0])

    with pytest.raises(MappingError) as error:
        map_skeleton(skeleton, user_map=user_map)

    assert str(error.value).startswith(message)
