import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.search.wpca.weights import LEAST, column_names, column_weights, space_presets

NAMES = np.array(column_names())


def weight(weights, name):
    found = weights[name == NAMES]
    assert np.ptp(found) == 0
    return found[0]


def test_joints_weigh_what_they_move():
    weights = column_weights()

    assert weight(weights, "Spine1") > weight(weights, "LeftThigh") > weight(weights, "LeftShin")
    assert weight(weights, "LeftUpperArm") > weight(weights, "LeftHand") > weight(weights, "RightToe") / 10
    assert weight(weights, "tilt") == weights.max()
    assert weights[::3].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("preset", space_presets())
def test_presets_let_the_rest_of_the_body_fall_and_none_to_0(preset):
    weights, whole = column_weights(preset), column_weights()

    kept = space_presets()[preset]
    inside = np.array([name in kept or (name in ("tilt", "height") and "Hips" in kept) for name in NAMES])
    assert weights.min() >= LEAST * weights.max() * (1 - 1e-12) > 0
    assert 0.9 < weights[::3][inside[::3]].sum() < 1.0 + 1e-9
    moving = inside & ~np.isin(NAMES, ("LeftToe", "RightToe"))  # toes move next to nothing, and have the least weight
    assert np.ptp(weights[moving] / whole[moving]) < 1e-9


def test_parts_multiply():
    plain, arms = column_weights(by_mass=False), column_weights(by_mass=False, parts={"arms": 2, "left hand": 3.0})

    ratio = arms / plain
    assert weight(ratio, "LeftUpperArm") == pytest.approx(2 * weight(ratio, "Head"))
    assert weight(ratio, "LeftHand") == pytest.approx(6 * weight(ratio, "Head"))
    assert np.ptp(plain) == 0
    hips = column_weights(parts={"Hips": 4, "tilt": 0.5}) / column_weights()
    assert weight(hips, "height") == pytest.approx(2 * weight(hips, "tilt"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"preset": "tail"}, "no preset named 'tail'; choose from whole body, neck"),
        ({"parts": {"Tail": 1}}, "no part of the body named 'Tail'"),
        ({"parts": {"Head": -1}}, "the weight of Head must be a number of at least 0, not -1"),
        ({"parts": {"whole": 0}}, "no part of the body named 'whole'"),
    ],
)
def test_what_cannot_be_meant_is_told(options, words):
    with pytest.raises(UsageError, match=words):
        column_weights(**options)
