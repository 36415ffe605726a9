"""The floor that rests tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.floor import BAND, Floor, fit_floor, lowest_level
from motionary.plants.rests import Rests

FRAME_TIME = 1 / 60
SOLES = np.array([[0.0, 0.012], [0.0, 0.012]])


def rests_at(places: np.ndarray, *, point: np.ndarray, n_frames: int = 30) -> Rests:
    start = np.arange(len(places)) * n_frames
    return Rests(point, start, start + n_frames, places, start, start + n_frames)


def on_plane(
    rng: np.random.Generator, *, height: float, slope: tuple[float, float], spread: float, n_rests: int = 40
) -> Rests:
    """Rests of the four points, here and there on a plane."""
    x, z = rng.uniform(-spread, spread, (2, n_rests))
    point = np.arange(n_rests) % 4
    y = height + slope[0] * x + slope[1] * z + SOLES.ravel()[point]
    return rests_at(np.stack([x, y, z], axis=1), point=point)


def fitted(rests: Rests) -> Floor:
    return fit_floor(rests, sole_heights=SOLES, frame_time=FRAME_TIME, usual_height=-1.0)


@given(seed=st.integers(0, 999), height=st.floats(-0.5, 0.5), tilt_deg=st.floats(0.0, 2.0))
def test_a_floor_that_tilts_and_lies_elsewhere_is_found(seed, height, tilt_deg):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.tan(np.radians(tilt_deg)) * np.array([np.cos(angle), np.sin(angle)])

    floor = fitted(on_plane(rng, height=height, slope=tuple(slope), spread=2.0))

    assert floor.height == pytest.approx(height, abs=0.003)
    np.testing.assert_allclose(floor.slope, slope, atol=0.002)
    np.testing.assert_allclose(floor.offsets, SOLES, atol=0.003)
    assert floor.secs == pytest.approx(20.0)


def test_platforms_and_feet_in_the_air_do_not_move_it():
    rng = np.random.default_rng(0)
    rests = on_plane(rng, height=0.1, slope=(0.0, 0.0), spread=2.0)
    places = rests.place.copy()
    places[25:, 1] += rng.choice([0.2, 0.4, 0.55], size=15)  # on steps, or held up

    floor = fitted(rests_at(places, point=rests.point))

    assert floor.height == pytest.approx(0.1, abs=0.005)
    assert floor.tilt < np.radians(0.1)


def test_a_stance_on_one_spot_does_not_tilt_it():
    """The left foot's skeleton is a centimetre too long: it could as well stand on a slope of 3 degrees."""
    point = np.arange(12) % 4
    places = np.zeros((12, 3))
    places[:, 0] = np.where(point < 2, 0.1, -0.1)
    places[:, 1] = SOLES.ravel()[point] + np.where(point < 2, -0.01, 0.0)

    floor = fitted(rests_at(places, point=point))

    assert floor.tilt < np.radians(0.5)
    assert floor.tilt_error > np.radians(0.7)  # and it says that it does not know
    assert floor.offsets[0].mean() < floor.offsets[1].mean() - 0.003


def test_stairs_are_no_slope():
    point = np.arange(24) % 4
    step = np.arange(24) // 4
    places = np.stack([0.3 * step, 0.18 * step + SOLES.ravel()[point], np.where(point < 2, 0.1, -0.1)], axis=1)

    floor = fitted(rests_at(places, point=point))

    assert floor.tilt < np.radians(5.01)
    assert np.min(np.abs(places[:, 1] - SOLES.ravel()[point] - floor.heights(places))) < BAND


def test_without_rests_the_usual_height_is_taken_and_nothing_is_sure():
    floor = fitted(rests_at(np.zeros((0, 3)), point=np.zeros(0, dtype=np.int64)))

    assert (floor.height, floor.secs, floor.tilt) == (-1.0, 0.0, 0.0)
    assert floor.height_error == np.inf


def test_a_planes_height_tilt_and_normal():
    floor = Floor(0.5, np.array([0.0, 1.0]), np.zeros((2, 2)), 0.0, 0.0, 1.0)

    assert floor.tilt == pytest.approx(np.pi / 4)
    np.testing.assert_allclose(floor.normal, np.array([0.0, 1.0, -1.0]) / np.sqrt(2))
    np.testing.assert_allclose(floor.heights(np.array([[3.0, 9.0, 0.0], [0.0, 0.0, 2.0]])), [0.5, 2.5])


@pytest.mark.parametrize(
    ("levels", "weights", "expected"),
    [
        ([0.3], [1.0], 0.3),
        ([0.0, 0.01, 0.5, 0.51], [1.0, 1.0, 5.0, 5.0], 0.005),  # lower, and a sixth of the weight
        ([-0.9, 0.0, 0.01, 0.02], [0.3, 2.0, 2.0, 2.0], 0.01),  # a glitch far below is no floor
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [1.0] * 8, 0.0),  # stairs: none has enough, the lowest is it
    ],
)
def test_the_lowest_level_with_enough_weight(levels, weights, expected):
    assert lowest_level(np.array(levels), np.array(weights)) == pytest.approx(expected)
