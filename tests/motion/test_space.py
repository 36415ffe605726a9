import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.motion import UNITS_METRES, Space, unit_metres, unit_name

UP = {"y": [0.0, 1.0, 0.0], "z": [0.0, 0.0, 1.0]}


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("handedness", ["right", "left"])
def test_up_becomes_y_and_handedness_is_the_sign_of_the_determinant(up, handedness):
    matrix = Space(up=up, handedness=handedness).ours_from_file

    assert matrix @ UP[up] == pytest.approx([0.0, 1.0, 0.0])
    assert matrix @ matrix.T == pytest.approx(np.eye(3))
    assert np.linalg.det(matrix) == pytest.approx(1.0 if handedness == "right" else -1.0)
    assert matrix @ [1.0, 0.0, 0.0] == pytest.approx([1.0, 0.0, 0.0])  # sides stay sides


def test_z_up_by_hand():
    assert Space(up="z").ours_from_file @ [1.0, 2.0, 3.0] == pytest.approx([1.0, 3.0, -2.0])
    assert Space(up="z", handedness="left").ours_from_file @ [1.0, 2.0, 3.0] == pytest.approx([1.0, 3.0, 2.0])
    assert Space(handedness="left").ours_from_file @ [1.0, 2.0, 3.0] == pytest.approx([1.0, 2.0, -3.0])


@pytest.mark.parametrize(("unit", "metres"), [("cm", 0.01), ("in", 0.0254), ("cmu", 0.056444), ("0.3", 0.3)])
def test_units_by_name_or_length(unit, metres):
    assert unit_metres(unit) == pytest.approx(metres, rel=1e-5)


@pytest.mark.parametrize("name", UNITS_METRES)
def test_unit_names_there_and_back(name):
    assert unit_name(unit_metres(name)) == name


def test_a_unit_without_a_name_is_its_length():
    assert unit_name(0.3) == "0.3 m"


@pytest.mark.parametrize("text", ["furlong", "", "0", "-1", "nan", "inf", "CM", "1e300", "1e-7"])
def test_what_is_no_unit(text):
    with pytest.raises(UsageError, match="is not a unit; use one of m, dm, cm, mm, in, ft, cmu or its length in"):
        unit_metres(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"unit_metres": 0.0}, "a unit of 0 m is not possible; it must be between 1e-06 and 1000 m"),
        ({"unit_metres": 1e300}, r"a unit of 1e\+300 m is not possible"),
        ({"unit_metres": np.nan}, "a unit of nan m is not possible"),
        ({"up": "x"}, "up must be y or z, not 'x'"),
        ({"handedness": "both"}, "handedness must be right or left, not 'both'"),
    ],
)
def test_what_is_no_space(parts, message):
    with pytest.raises(UsageError, match=message):
        Space(**parts)
