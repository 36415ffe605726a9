"""Acclaim skeletons: what is understood, what is noted and what is refused."""

import numpy as np
import pytest

from acclaim_files import ASF_PATH, leg
from motionary.errors import MotionFileError
from motionary.formats.asf import parse_asf


def parse(text: str):
    return parse_asf(text.encode(), ASF_PATH)


def changed(*changes: tuple[str, str]) -> str:
    """The leg's file with each old text replaced once."""
    text = leg().asf().decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_bones_come_parents_first():
    asf = parse(changed())

    assert [bone.name for bone in asf.bones] == ["root", "lhipjoint", "lfemur", "ltibia"]
    assert asf.parents == (-1, 0, 1, 2)
    assert asf.notes == ()


def test_branches_keep_their_order():
    asf = parse(changed(("root lhipjoint", "root ltibia lhipjoint"), ("    lfemur ltibia\n", "")))

    assert [bone.name for bone in asf.bones] == ["root", "ltibia", "lhipjoint", "lfemur"]
    assert asf.skeleton().parents.tolist() == [-1, 0, 0, 2]
    assert asf.skeleton().end_site_joints.tolist() == [1, 3]


def test_limits_are_read_over_several_lines():
    assert parse(changed()).bones[2].limits == ((-160.0, 20.0), (-70.0, 70.0), (-70.0, 70.0))


def test_limits_may_be_infinite_or_misspelt():
    asf = parse(changed(("(-160.0 20.0)", "(-inf inf)"), ("(-70.0 70.0)", "(-l80, 180)")))

    assert asf.bones[2].limits == ((-np.inf, np.inf), (-np.inf, 180.0), (-70.0, 70.0))


def test_commas_comments_exponents_and_case_are_as_the_format_says():
    asf = parse(
        changed(
            ("direction 1.0 0.0 0.0", "DIRECTION 1., 7.62852e-016, 0 # to the left"),
            ("root lhipjoint", "Root LHipJoint"),
            ("dof rx ry rz", "dof RX RY RZ"),
            (":units", ":Units"),
        )
    )

    assert asf.bones[1].vector == (0.5, pytest.approx(0.0), 0.0)
    assert asf.bones[2].dofs == ("rx", "ry", "rz")
    assert asf.notes == ()


def test_bare_carriage_returns_end_lines():
    assert len(parse(changed().replace("\n", "\r")).bones) == 4


def test_masses_and_skins_are_passed_over_and_unknown_words_noted():
    asf = parse(
        changed(("  end\n", "    bodymass 10.0\n    cofmass 1.0 end\n    vicon 7\n  end\n")) + ":skin a.obj\n  b.obj\n"
    )

    assert asf.notes == ("01.asf:24: 'vicon' is unknown and ignored",)


def test_units_are_optional():
    text = changed((":units\n  mass 1.0\n  length 0.45\n  angle deg\n", ""))

    assert parse(text).degrees
    assert parse(text).length_scale == 1.0


def test_units_may_stand_in_one_line():
    text = changed((":units\n  mass 1.0\n  length 0.45\n  angle deg\n", ":units mass 1 length 2.54 angle rad\n"))

    assert not parse(text).degrees
    assert parse(text).space().unit_metres == pytest.approx(0.01)  # data in cm, as the definition's example


def test_a_direction_that_is_not_of_length_one_is_noted():
    asf = parse(changed(("direction 1.0 0.0 0.0", "direction 3.0 0.0 4.0")))

    assert asf.skeleton().offsets[2] == pytest.approx([0.3, 0.0, 0.4])
    assert asf.notes == ("01.asf:16: the direction of 'lhipjoint' has length 5, taken as 1",)


def test_a_bone_without_length_needs_no_direction():
    asf = parse(changed(("direction 1.0 0.0 0.0", "direction 0 0 0"), ("length 0.5", "length 0")))

    assert asf.skeleton().offsets[2].tolist() == [0.0, 0.0, 0.0]


def test_an_oriented_root_is_noted():
    asf = parse(changed(("orientation 0.0 0.0 0.0", "orientation 0.0 90.0 0.0")))

    assert "programs differ" in asf.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("angle deg", "angle turns", 7, "deg or rad"),
        ("length 0.45", "length 0", 6, "length scale of 0"),
        (":hierarchy", ":skin", None, "no :hierarchy section"),
        ("axis XYZ", "axis XYX", 12, "a permutation of X, Y and Z"),
        ("direction 1.0 0.0 0.0", "direction 1.0 0.0", 19, "a direction needs 3 numbers"),
        ("direction 1.0 0.0 0.0", "direction 1.0 0.0 nan", 19, "not a valid number"),
        ("direction 1.0 0.0 0.0", "direction 0 0 0", 16, "length but no direction"),
        ("dof rx\n", "dof rx l\n", 40, "changes its length"),
        ("dof rx\n", "dof rx rx\n", 40, "twice"),
        ("dof rx\n", "dof rw\n", 40, "'rw' is not a degree of freedom"),
        ("name ltibia", "name lfemur", 34, "second bone named 'lfemur'"),
        ("lfemur ltibia", "lfemur lfoot", 47, "no bone is named 'lfoot'"),
        ("lfemur ltibia", "lfemur ltibia lhipjoint", 47, "'lhipjoint' has two parents"),
        ("lfemur ltibia", "ltibia lfemur", 34, "'ltibia' is not connected to the root"),
        ("    lfemur ltibia\n", "", 34, "'ltibia' is not connected to the root"),
        ("  begin\n     id 2", "     id 2", 23, "outside begin"),
        ("  end\n  begin\n     id 2", "  begin\n     id 2", 22, "'begin' inside a bone"),
        ("name ltibia", "name left tibia", 34, "no name"),
        ("  end\n:hierarchy", ":hierarchy", 41, "the last bone has no 'end'"),
        ("lfemur ltibia", "ltibia", 47, "'ltibia' has no children here"),
        (":version", "hello\n:version", 2, "before the first section"),
        (":bonedata", ":root\n:bonedata", 15, "second :root section"),
    ],
)
def test_a_wrong_skeleton_is_an_error_with_line(old, new, line, problem):
    with pytest.raises(MotionFileError) as raised:
        parse(changed((old, new)))

    place = f"01.asf:{line}: " if line else "01.asf: "
    assert str(raised.value).startswith(place), str(raised.value)
    assert problem in str(raised.value)
