import pytest

from motionary.rig.names import JointName, read_names


def read(name: str) -> tuple[str, str]:
    joint = read_names([name])[0]
    return joint.side, joint.word


@pytest.mark.parametrize(
    ("name", "side", "word"),
    [
        ("LeftUpLeg", "Left", "upleg"),
        ("leftupleg", "Left", "upleg"),
        ("Lefthand", "Left", "hand"),
        ("lShldr", "Left", "shldr"),
        ("rfemur", "Right", "femur"),
        ("lTorso_Clavicle", "Left", "torsoclavicle"),
        ("L_Hip", "Left", "hip"),
        ("UpperArm_R", "Right", "upperarm"),
        ("upper_arm.L", "Left", "upperarm"),
        ("thigh_r", "Right", "thigh"),
        ("mHandIndex1Left", "Left", "handindex"),
        ("Bip01_L_Thigh", "Left", "thigh"),
        ("Bip001 R Calf", "Right", "calf"),
        ("CC_Base_L_Thigh", "Left", "thigh"),
        ("J_Bip_L_UpperArm", "Left", "upperarm"),
        ("J_Bip_C_Hips", "", "hips"),
        ("mixamorig:Hips", "", "hips"),
        ("mixamorig12:LeftLeg", "Left", "leg"),
        ("mixamorigHips", "", "hips"),
        ("Daniel:Hips", "", "hips"),
        ("ValveBiped.Bip01_Pelvis", "", "pelvis"),
        ("DEF-thigh.L", "Left", "thigh"),
        ("joint_Root", "", "root"),
        ("hips_JNT", "", "hips"),
        ("arm_stretch.l", "Left", "arm"),
        ("左ひじ", "Left", "ひじ"),
        ("Right Upper Arm", "Right", "upperarm"),
        # what only begins with a side's letter
        ("lowerback", "", "lowerback"),
        ("LowerBack", "", "lowerback"),
        ("root", "", "root"),
        ("ring", "", "ring"),
        ("ribs", "", "ribs"),
        ("lefteye", "Left", "eye"),
        ("L5", "", "l"),
    ],
)
def test_names_fall_into_side_and_word(name: str, side: str, word: str) -> None:
    assert read(name) == (side, word)


def test_numbers_are_kept_in_order() -> None:
    assert read_names(["finger2-1.L"])[0] == JointName("Left", "finger", (2, 1))
    assert read_names(["spine_01"])[0].numbers == (1,)


@pytest.mark.parametrize(
    "name",
    [
        "HeadTop_End",
        "LeftForeArmEnd",
        "Bip01 L Toe0Nub",
        "__Clavicle_L",
        "upperarm_twist_01_l",
        "LHipJoint",
        "lButtock",
        "ik_foot_l",
        "RightToeTip",
        "HeadTip",
        "Prop1",
        "leftEye",
        "CC_Base_L_ToeBaseShareBone",
        "lShldrTwist",
    ],
)
def test_helpers_are_known(name: str) -> None:
    assert read_names([name])[0].helper


@pytest.mark.parametrize("name", ["Hips", "LowerBack", "CC_Base_NeckTwist01", "LeftHand", "lShldrBend", "Neck"])
def test_parts_of_the_body_are_no_helpers(name: str) -> None:
    assert not read_names([name])[0].helper


def test_running_numbers_and_common_prefixes_are_stripped() -> None:
    names = ["Rig_Hips_01", "Rig_Spine1_02", "Rig_Head_03", "Rig_L_Thigh_04", "Rig_R_Thigh_05"]

    read = read_names(names)

    assert [(joint.side, joint.word, joint.numbers) for joint in read] == [
        ("", "hips", ()),
        ("", "spine", (1,)),
        ("", "head", ()),
        ("Left", "thigh", ()),
        ("Right", "thigh", ()),
    ]


def test_a_side_that_all_names_share_is_no_prefix() -> None:
    names = ["Left_Hand", "Left_Thumb1", "Left_Thumb2", "Left_Index1", "Left_Index2"]

    assert {joint.side for joint in read_names(names)} == {"Left"}


def test_a_bare_letter_is_a_side_where_the_counterpart_is_there() -> None:
    assert [joint.side for joint in read_names(["root", "lwing", "rwing", "rump"])] == ["", "Left", "Right", ""]
