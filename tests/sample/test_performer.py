"""A performer writes tracks, labels, targets and flights into one take."""

import numpy as np
import pytest

from motionary.motion import GRAVITY
from motionary.sample import ACTORS
from motionary.sample.gestures import idle
from motionary.sample.performer import Performer, forward_of, left_of, within


@pytest.fixture
def p() -> Performer:
    return Performer(ACTORS[1], np.random.default_rng(5), place=(0.5, 1.5), heading=0.4)


def test_it_stands_at_its_place_facing_its_heading(p: Performer) -> None:
    assert p.support() == pytest.approx([0.5, 1.5])
    assert p.forward == pytest.approx(forward_of(0.4))
    across = p.feet.soles["left"] - p.feet.soles["right"]
    assert across == pytest.approx(p.stance * left_of(0.4))


def test_left_is_left_of_forward() -> None:
    assert forward_of(0.0) == pytest.approx([0.0, 0.0, 1.0])
    assert left_of(0.0) == pytest.approx([1.0, 0.0, 0.0])
    assert np.cross([0.0, 1.0, 0.0], forward_of(1.1)) == pytest.approx(left_of(1.1))


def test_labels_cover_what_is_done_inside(p: Performer) -> None:
    idle(p, 1.0)
    with p.label("wave"):
        p.now += 0.5

    take = p.take("one", rate_hz=60.0)

    assert [(label.start, label.stop, label.name) for label in take.labels] == [(0, 60, "idle"), (60, 90, "wave")]
    assert take.motion.n_frames == 90
    assert (take.name, take.actor) == ("one", "bruno")


def test_what_is_reached_is_a_target(p: Performer) -> None:
    shoulder = p.shoulders({})["left"][0]
    place = shoulder + 0.8 * p.arm * p.forward
    p.reach("left", 0.0, 1.0, place)
    p.let_go("left", 1.2, 2.0)
    p.now = 2.0

    take = p.take("one", rate_hz=60.0)

    (target,) = take.targets
    assert (target.joint, target.frame) == ("LeftHand", 60)
    assert target.place == pytest.approx(place)
    hand = take.motion.positions_world[:, p.skeleton.index("LeftHand")]
    assert hand[60:72] == pytest.approx(np.repeat(place[None], 12, axis=0), abs=1e-6)
    assert np.linalg.norm(hand[-1] - hand[0]) < 0.05


def test_arms_aim_along_a_direction(p: Performer) -> None:
    away = 0.3 * p.forward + 0.5 * p.left + np.array([0.0, 0.6, 0.0])
    p.move(0.0, 1.0, {"arm_left": p.aim("left", away), "hanging": 1.0, "spine": (0.0, 0.0, 0.0)})
    p.now = 2.0

    motion = p.take("one", rate_hz=60.0).motion
    upper = np.subtract(*(motion.positions_world[-1, p.skeleton.index(f"Left{j}")] for j in ("Forearm", "UpperArm")))

    assert upper @ away / np.linalg.norm(upper) / np.linalg.norm(away) > 0.99


def test_flights_are_parabolas(p: Performer) -> None:
    p.move(0.0, 0.4, height=p.standing - 0.2)
    p.fly(0.6, 1.0, low=p.standing)

    height = p.tracks["height"].at(np.arange(0.6, 1.0, 0.01))[:, 0]

    assert np.diff(height, 2) / 0.01**2 == pytest.approx(-GRAVITY, rel=1e-6)
    assert height[0] == pytest.approx(p.standing)


def test_beginning_holds_everything(p: Performer) -> None:
    p.move(0.0, 1.0, spine=(0.5, 0.0, 0.0))
    p.now = 3.0
    p.begin()
    p.flow(4.0, spine=(0.0, 0.0, 0.0))

    assert p.tracks["spine"].at(np.array([2.0]))[0, 0] == pytest.approx(0.5)


def test_places_are_brought_within_reach() -> None:
    centre = np.array([1.0, 1.0, 1.0])

    assert within(centre, np.array([1.0, 1.0, 3.0]), 0.5) == pytest.approx([1.0, 1.0, 1.5])
    assert within(centre, np.array([1.0, 1.2, 1.0]), 0.5) == pytest.approx([1.0, 1.2, 1.0])
