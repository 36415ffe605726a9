"""What bears weight, and what hangs in the air."""

import numpy as np
import pytest

from plants.made_feet import Feet

LEFT, RIGHT = 0, 1
HEEL, TOE, BOTH = 0, 1, slice(0, 2)


def stands(feet: Feet, foot: int, part: int, start: float, stop: float, *, noise: float = 0.0) -> float:
    """The share of this time (seconds) for which a part is found to stand."""
    contacts = feet.detect(noise).contacts[round(start * feet.rate_hz) : round(stop * feet.rate_hz), foot, part]
    return float(contacts.mean())


def lifted(height: float = 0.3) -> Feet:
    """The right foot is lifted at 0.5 s, held from 1.0 to 2.0 s, and put down again."""
    feet = Feet()
    feet.move(RIGHT, BOTH, 0.5, 1.0, (0.0, height, 0.1))
    feet.move(RIGHT, BOTH, 2.0, 2.5, (0.0, -height, -0.1))
    return feet


def on_a_step(height: float) -> Feet:
    """The right foot steps up, the left one follows: both stand there at the end."""
    feet = Feet(240)
    for foot, start in ((RIGHT, 0.5), (LEFT, 2.0)):
        feet.move(foot, BOTH, start, start + 0.4, (0.0, height + 0.08, 0.15))
        feet.move(foot, BOTH, start + 0.4, start + 0.7, (0.0, -0.08, 0.15))
    feet.pelvis[:, 1] += height * np.clip(np.linspace(-1.0, 2.0, 240), 0.0, 1.0)
    return feet


@pytest.mark.parametrize("noise", [0.0, 0.002])
@pytest.mark.parametrize("height", [0.1, 0.3, 0.5])
def test_a_foot_held_still_in_the_air_does_not_stand(height, noise):
    feet = lifted(height)

    for part in (HEEL, TOE):
        assert stands(feet, RIGHT, part, 1.0, 2.0, noise=noise) == 0.0
        assert stands(feet, LEFT, part, 0.0, 3.0, noise=noise) == 1.0
        assert stands(feet, RIGHT, part, 2.6, 3.0, noise=noise) == 1.0


@pytest.mark.parametrize("noise", [0.0, 0.002])
@pytest.mark.parametrize("height", [-0.25, 0.1, 0.2, 0.35])
def test_a_foot_on_a_platform_stands_there(height, noise):
    feet = on_a_step(height)

    for part in (HEEL, TOE):
        assert stands(feet, RIGHT, part, 1.3, 4.0, noise=noise) == 1.0
        assert stands(feet, LEFT, part, 2.8, 4.0, noise=noise) == 1.0
        assert stands(feet, RIGHT, part, 0.7, 1.0, noise=noise) == 0.0
    expected = 0.0 if height > 0 else height
    assert feet.detect(noise).floor.height == pytest.approx(expected, abs=0.01)


def test_a_foot_put_on_a_stool_stands_though_the_other_bears():
    feet = Feet(240)
    feet.move(RIGHT, BOTH, 0.5, 0.9, (0.0, 0.4, 0.2))
    feet.move(RIGHT, BOTH, 0.9, 1.2, (0.0, -0.1, 0.1))
    feet.move(RIGHT, BOTH, 3.0, 3.3, (0.0, 0.1, 0.0))
    feet.move(RIGHT, BOTH, 3.3, 3.7, (0.0, -0.4, -0.3))

    assert stands(feet, RIGHT, TOE, 1.25, 2.95) == 1.0
    assert stands(feet, RIGHT, TOE, 3.2, 3.5) == 0.0


def test_a_foot_above_the_pelvis_does_not_stand_even_if_it_comes_down_to_there():
    feet = Feet(240)
    feet.move(RIGHT, BOTH, 0.5, 0.9, (0.0, 0.9, 0.2))
    feet.move(RIGHT, BOTH, 0.9, 1.2, (0.0, -0.1, 0.1))
    feet.move(RIGHT, BOTH, 3.0, 3.3, (0.0, 0.1, 0.0))

    assert stands(feet, RIGHT, TOE, 1.2, 3.0) == 0.0


@pytest.mark.parametrize("secs", [0.3, 1.2])
def test_heels_on_tiptoe_do_not_stand_but_toes_do(secs):
    feet = Feet(240)
    for foot in (LEFT, RIGHT):
        feet.move(foot, HEEL, 1.0, 1.0 + secs, (0.0, 0.07, 0.02))

    for foot in (LEFT, RIGHT):
        assert stands(feet, foot, HEEL, 1.1 + secs, 4.0) == 0.0
        assert stands(feet, foot, HEEL, 0.0, 0.95) == 1.0
        assert stands(feet, foot, TOE, 0.0, 4.0) == 1.0


def test_a_foot_on_a_ramp_stands_with_its_ball_above_its_heel():
    """Up a ramp of 15 degrees: the right foot has stepped onto it, and the left one swings past."""
    feet = Feet(180)
    feet.move(RIGHT, BOTH, 0.3, 0.6, (0.0, 0.22, 0.3))
    feet.move(RIGHT, BOTH, 0.6, 0.8, (0.0, -0.08, 0.1))
    feet.move(RIGHT, TOE, 0.3, 0.8, (0.0, 0.043, -0.005))
    feet.move(LEFT, BOTH, 1.4, 2.2, (0.0, 0.4, 0.9))
    feet.pelvis[:, 1] += 0.15

    assert stands(feet, RIGHT, HEEL, 0.9, 3.0) == 1.0
    assert stands(feet, RIGHT, TOE, 0.9, 3.0) == 1.0


def test_a_jump_has_no_foot_on_the_ground():
    feet = Feet(120)
    times = np.arange(120) / 60
    flight = np.where(np.abs(times - 1.0) < 0.25, 0.5 * 9.81 * (0.25**2 - (times - 1.0) ** 2), 0.0)
    feet.points[..., 1] += flight[:, None, None]
    feet.pelvis[:, 1] += flight

    contacts = feet.detect().contacts

    assert not contacts[47:74].any()
    assert contacts[:44].all()
    assert contacts[77:].all()
