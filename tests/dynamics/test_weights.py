import numpy as np
import pytest

from motionary.dynamics import body_masses, displaced_mass, friction_weights
from motionary.dynamics.weights import branches
from motionary.errors import UsageError
from motionary.rig import body_of, reference_skeleton

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY)
NAMES = BODY.skeleton.names


def test_a_joint_displaces_its_own_mass_and_all_outward():
    weights = dict(zip(NAMES, displaced_mass(MASSES), strict=True))

    assert weights["Hips"] == pytest.approx(1.0)
    assert weights["LeftThigh"] == pytest.approx(0.100 + 0.0465 + 0.0145)
    assert weights["LeftFoot"] == pytest.approx(0.0145)
    assert weights["RightUpperArm"] == pytest.approx(0.028 + 0.016 + 0.006)
    assert weights["RightClavicle"] == pytest.approx(weights["RightUpperArm"])
    assert weights["Neck1"] == pytest.approx(0.081)
    assert weights["LeftToe"] == 0.0


def test_the_branches_are_head_arms_and_legs():
    branch = dict(zip(NAMES, branches(BODY).tolist(), strict=True))

    assert {branch[name] for name in NAMES if name.startswith(("Hips", "Spine"))} == {-1}
    assert [branch[name] for name in ("Head", "LeftHand", "RightClavicle", "LeftToe", "RightThigh")] == [0, 1, 2, 3, 4]


def test_a_standing_leg_holds_the_rest_of_the_body():
    touching = np.zeros((2, len(NAMES)), dtype=bool)
    touching[0, NAMES.index("LeftToe")] = True

    weights = friction_weights(MASSES, BODY, touching)

    by_name = dict(zip(NAMES, weights[0], strict=True))
    assert by_name["LeftToe"] == pytest.approx(1.0)
    assert by_name["LeftFoot"] == pytest.approx(1.0 - 0.0145)
    assert by_name["LeftThigh"] == pytest.approx(1.0 - 0.161)
    assert sum(value > 0 for value in by_name.values()) == 4
    assert np.all(weights[1] == 0.0)


def test_a_torso_part_on_the_ground_supports_itself_alone():
    touching = np.zeros((1, len(NAMES)), dtype=bool)
    touching[0, NAMES.index("Hips")] = True

    weights = friction_weights(MASSES, BODY, touching)[0]

    assert weights[0] == pytest.approx(1.0 - MASSES.joint_shares[0])
    assert np.all(weights[1:] == 0.0)


def test_a_loaded_foot_costs_most_and_a_free_hand_least():
    touching = np.zeros((1, len(NAMES)), dtype=bool)
    touching[0, NAMES.index("LeftFoot")] = True

    pair = displaced_mass(MASSES) + 2.0 * friction_weights(MASSES, BODY, touching)[0]

    assert pair[NAMES.index("LeftFoot")] > pair[0] > pair[NAMES.index("RightFoot")] > pair[NAMES.index("RightHand")]


def test_touching_joints_must_be_booleans_for_every_joint():
    with pytest.raises(UsageError, match=r"must be \(F, 24\) of bool, not \(1, 3\)"):
        friction_weights(MASSES, BODY, np.zeros((1, 3), dtype=bool))
