"""Steps leave plants behind that say exactly what the tracks do."""

import numpy as np
import pytest

from motionary.plants import FootPart
from motionary.sample import ACTORS
from motionary.sample.feet import SHUFFLE, Feet, Swing, TimedPlant
from motionary.sample.figure import sole_points
from motionary.sample.truth import Side

SKELETON = ACTORS[0].skeleton


@pytest.fixture
def feet() -> Feet:
    return Feet(
        SKELETON, {"left": np.array([0.1, 0.0, 0.0]), "right": np.array([-0.1, 0.0, 0.0])}, {"left": 0.0, "right": 0.0}
    )


def spans(feet: Feet, foot: Side, part: FootPart, until: float = 5.0) -> list[tuple[float, float]]:
    plants: list[TimedPlant] = [p for p in feet.plants(until) if (p.foot, p.part) == (foot, part)]
    return [(round(p.start, 6), round(p.stop, 6)) for p in sorted(plants, key=lambda p: p.start)]


def test_a_heel_first_step_rolls_off_the_toe_and_onto_the_heel(feet: Feet) -> None:
    swing = Swing(heel_off=0.2, push=0.5, strike=0.3, flat=0.1)

    feet.step("left", 1.0, 1.5, np.array([0.1, 0.0, 0.7]), 0.0, swing)

    assert spans(feet, "left", "heel") == [(0.0, 0.8), (1.5, 5.0)]
    assert spans(feet, "left", "toe") == [(0.0, 1.0), (1.6, 5.0)]
    assert spans(feet, "right", "heel") == [(0.0, 5.0)]
    assert feet.tracks["toe_lift_left"].at(np.array([1.5, 1.6]))[:, 0] == pytest.approx([0.3, 0.0])


def test_a_toe_first_step_has_the_heel_follow(feet: Feet) -> None:
    feet.step("left", 1.0, 1.5, np.array([0.1, 0.0, 0.7]), 0.0, Swing(strike=-0.4, flat=0.2))

    assert spans(feet, "left", "toe")[1] == pytest.approx((1.5, 5.0))
    assert spans(feet, "left", "heel")[1] == pytest.approx((1.7, 5.0))


def test_plants_lie_under_heel_and_ball(feet: Feet) -> None:
    feet.step("right", 1.0, 1.5, np.array([2.0, 0.3, 1.0]), np.pi / 2, SHUFFLE)
    _, heel, ball = sole_points(SKELETON, "right")

    places = {p.part: p.place for p in feet.plants(5.0) if p.foot == "right" and p.start > 1.0}

    # It points along +x now: what was ahead is to the side.
    assert places["heel"] == pytest.approx([2.0 + heel[2], 0.3 + heel[1], 1.0], abs=1e-9)
    assert places["toe"] == pytest.approx([2.0 + ball[2], 0.3 + ball[1], 1.0], abs=1e-9)


def test_a_foot_clears_the_edge_of_a_platform(feet: Feet) -> None:
    feet.step("left", 1.0, 2.0, np.array([0.1, 0.3, 0.5]), 0.0, Swing(clearance=0.05))

    sole = feet.tracks["sole_left"].at(np.linspace(1.0, 2.0, 50))

    assert sole[:, 1].max() > 0.34
    assert np.all(sole[sole[:, 2] > 0.3, 1] > 0.28)


def test_rolling_onto_the_ball_keeps_the_toe(feet: Feet) -> None:
    feet.raise_heel("left", 1.0, 1.4, 0.6)
    feet.lower_heel("left", 2.0, 2.5)

    assert spans(feet, "left", "heel") == [(0.0, 1.0), (2.5, 5.0)]
    assert spans(feet, "left", "toe") == [(0.0, 5.0)]


def test_a_foot_on_its_ball_can_step(feet: Feet) -> None:
    feet.raise_heel("left", 1.0, 1.4, 0.6)
    feet.step("left", 2.0, 2.5, np.array([0.1, 0.0, 0.5]), 0.0, SHUFFLE)

    assert spans(feet, "left", "heel") == [(0.0, 1.0), (2.5, 5.0)]
    assert feet.tracks["heel_lift_left"].at(np.array([1.9]))[0, 0] == pytest.approx(0.6)


def test_a_lifted_foot_stands_again_where_it_lands(feet: Feet) -> None:
    feet.lift("left", 1.0, secs=0.2)
    feet.land("left", 2.0, np.array([0.4, 0.0, 0.0]))

    assert spans(feet, "left", "heel") == [(0.0, 0.8), (2.0, 5.0)]
    assert spans(feet, "left", "toe") == [(0.0, 1.0), (2.0, 5.0)]
    assert feet.middle == pytest.approx([0.15, 0.0, 0.0])
