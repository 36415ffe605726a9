"""Parts of the body by the names that people use."""

from motionary.rig import PARTS
from motionary.search.body_parts import body_parts, parts_holding, plain


def test_parts_are_made_of_joints_of_the_reference_skeleton():
    parts = body_parts()

    assert set().union(*parts.values()) == set(PARTS)
    assert parts["left arm"] == {"LeftClavicle", "LeftUpperArm", "LeftForearm", "LeftHand"}
    assert parts["arms"] == parts["left arm"] | parts["right arm"]
    assert parts["feet"] == {"LeftFoot", "LeftToe", "RightFoot", "RightToe"}
    assert not parts["upper body"] & parts["lower body"]
    assert parts["upper body"] | parts["lower body"] == set(PARTS)


def test_no_part_is_called_like_a_joint():
    assert not {plain(name) for name in body_parts()} & {plain(joint) for joint in PARTS}


def test_a_joint_knows_its_parts():
    wrists = {"left wrist", "wrist", "wrists"}
    assert set(parts_holding("LeftHand")) == {"left arm", "arms", "hands", "left side", "upper body"} | wrists
    assert parts_holding("") == ()


def test_capitals_blanks_and_hyphens_do_not_count():
    assert {plain(word) for word in ("left arm", "LeftArm", "left-arm", " LEFT_ARM ")} == {"leftarm"}


def test_joints_by_what_people_call_them():
    parts = body_parts()

    assert parts["left elbow"] == {"LeftForearm"}
    assert parts["right knee"] == {"RightShin"}
    assert parts["ankle"] == parts["ankles"] == {"LeftFoot", "RightFoot"}
    assert parts["wrists"] == parts["hands"]
