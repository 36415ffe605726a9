"""Weights of body parts, computed by hand."""

import numpy as np
import pytest

from motionary.dynamics import outward_mass, support_weights, supporting_parts
from motionary.errors import UsageError
from motionary.metrics import PARTS, POINTS, friction_of_parts, mass_weights, part_shares, touching_parts
from motionary.metrics.body_parts import POINTS_OF, branch_numbers, part_weights, point_shares

# A body of five parts, in kg: a trunk with a head, and a leg of thigh, shin and foot.
TRUNK, HEAD, THIGH, SHIN, FOOT = range(5)
PARENTS = np.array([-1, TRUNK, TRUNK, THIGH, SHIN])
BRANCH = np.array([-1, 0, 1, 1, 1])
MASSES = np.array([40.0, 5.0, 10.0, 4.0, 1.0])  # 60 in all


def touched(*parts: int) -> np.ndarray:
    return np.array([[part in parts for part in range(5)]])


def test_a_part_moves_its_own_mass_and_all_outward():
    assert outward_mass(PARENTS, MASSES).tolist() == [60.0, 5.0, 15.0, 5.0, 1.0]


@pytest.mark.parametrize(
    ("on_the_ground", "expected"),
    [
        ((), [0, 0, 0, 0, 0]),
        ((FOOT,), [0, 0, 45, 55, 59]),  # 60 − (10 + 4 + 1), 60 − (4 + 1), 60 − 1
        ((SHIN,), [0, 0, 45, 55, 0]),  # kneeling: the foot is free
        ((HEAD,), [0, 55, 0, 0, 0]),
        ((TRUNK,), [20, 0, 0, 0, 0]),  # the torso supports itself alone
        ((TRUNK, FOOT), [20, 0, 45, 55, 59]),
    ],
)
def test_a_part_that_supports_holds_all_but_what_is_outward(on_the_ground, expected):
    assert support_weights(PARENTS, BRANCH, MASSES, touched(*on_the_ground))[0].tolist() == expected


def test_pairs_that_stand_in_both_frames_cost_more_than_those_that_stand_in_one():
    mass, loaded = outward_mass(PARENTS, MASSES), support_weights(PARENTS, BRANCH, MASSES, touched(FOOT))[0]

    assert (mass + loaded + loaded)[FOOT] == 119.0
    assert (mass + loaded)[FOOT] == 60.0
    assert mass[FOOT] == 1.0


def test_branches_begin_at_the_torso():
    assert supporting_parts(PARENTS, BRANCH, touched(FOOT))[0].tolist() == [False, False, True, True, True]


def test_the_body_has_sixteen_parts_whose_weights_their_points_share():
    shares = point_shares()

    assert len(PARTS) == 16
    assert shares.sum(axis=0) == pytest.approx(np.ones(16))
    assert all(set(POINTS_OF[part]) <= set(POINTS) for part in PARTS)
    assert (shares.sum(axis=1) > 0).all()  # every point belongs to a part
    branch = dict(zip(PARTS, branch_numbers().tolist(), strict=True))
    assert branch["LeftFoot"] == branch["LeftThigh"] != branch["RightFoot"]
    assert branch["Thorax"] == -1
    assert branch["Head"] == 0


def test_masses_are_winters():
    masses = dict(zip(PARTS, part_shares(), strict=True))
    moved = dict(zip(PARTS, mass_weights(part_shares()), strict=True))

    assert masses["LeftThigh"] == pytest.approx(0.100)
    assert moved["Pelvis"] == pytest.approx(1.0)
    assert moved["LeftThigh"] == pytest.approx(0.161)
    assert moved["Thorax"] == pytest.approx(0.216 + 0.081 + 2 * 0.05)


def test_feet_touch_by_contacts_and_the_rest_by_height():
    points = np.ones((3, len(POINTS), 3))
    points[1, POINTS.index("LeftHandTip"), 1] = 0.02
    points[2, POINTS.index("Hips"), 1] = 0.1
    contacts = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]])

    found = touching_parts(points, contacts)

    assert [[part for part, is_down in zip(PARTS, row, strict=True) if is_down] for row in found] == [
        ["LeftFoot"],
        ["LeftHand", "RightFoot"],
        ["Pelvis"],
    ]
    friction = friction_of_parts(part_shares(), found)
    assert friction[0, PARTS.index("LeftFoot")] == pytest.approx(1.0 - 0.0145)
    assert friction[2, PARTS.index("Pelvis")] == pytest.approx(1.0 - 0.142)


@pytest.mark.parametrize("parts", [{"Nose": 2.0}, {"Foot": -1.0}, {"": 0.0}])
def test_weights_that_make_no_sense_are_refused(parts):
    with pytest.raises(UsageError, match=r"no body part|not possible|nothing would be compared"):
        part_weights(parts)
