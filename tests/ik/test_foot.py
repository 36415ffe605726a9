import numpy as np
import pytest
from hypothesis import given

from motionary.errors import UsageError
from motionary.ik import place_foot
from motionary.motion import rotations
from motionary.motion.rotations import rotate
from strategies import unit_quaternions, vectors

ANKLE, HEEL, BALL = np.array([0.0, 0.08, 0.0]), np.array([0.0, 0.0, -0.05]), np.array([0.0, 0.02, 0.15])


@given(move=vectors(), turn=unit_quaternions())
def test_a_foot_is_carried_to_places_that_fit_it(move, turn):
    there = [move + rotate(turn, point) for point in (HEEL, BALL)]

    placed = place_foot(ANKLE, HEEL, BALL, wanted_heel=there[0], wanted_ball=there[1])

    for point, place in zip((HEEL, BALL), there, strict=True):
        assert placed.ankle + rotate(placed.turn, point - ANKLE) == pytest.approx(place, abs=1e-9)


def test_a_foot_keeps_its_length_between_places_too_far_apart():
    wanted = np.array([0.0, 0.0, -0.15]), np.array([0.0, 0.02, 0.25])

    placed = place_foot(ANKLE, HEEL, BALL, wanted_heel=wanted[0], wanted_ball=wanted[1])

    heel, ball = (placed.ankle + rotate(placed.turn, point - ANKLE) for point in (HEEL, BALL))
    assert np.linalg.norm(ball - heel) == pytest.approx(np.linalg.norm(BALL - HEEL))
    assert (heel + ball) / 2 == pytest.approx((wanted[0] + wanted[1]) / 2)


@pytest.mark.parametrize("part", ["heel", "ball"])
def test_on_one_of_them_a_foot_keeps_its_orientation(part):
    place = np.array([[0.1, 0.0, 0.3], [0.2, 0.0, 0.3]])

    placed = place_foot(ANKLE, HEEL, BALL, **{f"wanted_{part}": place})

    assert placed.turn == pytest.approx(np.tile(rotations.IDENTITY, (2, 1)))
    point = HEEL if part == "heel" else BALL
    assert placed.ankle + point - ANKLE == pytest.approx(place)


def test_toes_point_with_the_foot_and_stay_flat():
    turn = rotations.multiply(
        rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.4),
        rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5),
    )
    wanted = [rotate(turn, point) for point in (HEEL, BALL)]

    placed = place_foot(ANKLE, HEEL, BALL, wanted_heel=wanted[0], wanted_ball=wanted[1])

    assert rotate(placed.toes, np.array([0.0, 1.0, 0.0])) == pytest.approx([0.0, 1.0, 0.0])
    assert placed.toes[2] > 0.1  # to the left, like the foot


def test_a_foot_of_no_length_does_not_turn():
    placed = place_foot(ANKLE, HEEL, HEEL, wanted_heel=BALL, wanted_ball=HEEL)

    assert placed.turn == pytest.approx(rotations.IDENTITY)


def test_a_foot_needs_a_place():
    with pytest.raises(UsageError, match="a foot needs a position for its heel or its ball"):
        place_foot(ANKLE, HEEL, BALL)
