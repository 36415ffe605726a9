"""Properties of segments, against motions whose properties are known."""

import numpy as np
import pytest

from motionary.qualities import PROPERTIES
from motionary.search.properties import PropertyCurves

RATE = 30.0


def curves(n_frames=61, *, turning=0.0, ahead=0.0, left=0.0, height=1.0, contacts=1.0, energy=0.0):
    """A body that keeps its rates."""
    columns = [height, ahead, left, turning, 0.0, 0.0]
    root = np.stack([np.broadcast_to(np.asarray(one, dtype=float), n_frames) for one in columns], axis=1)
    ones = np.ones(n_frames)
    body = np.stack([*[contacts * ones] * 4, energy * ones, 0.0 * ones], axis=1)
    return PropertyCurves({"root": root.astype(np.float32), "curves": body.astype(np.float32)}, RATE)


def of(body, name, start=0, stop=61):
    return float(body.measure((name,), np.array([start]), np.array([stop]))[name][0])


def test_a_turn_to_the_left_is_positive_and_in_degrees():
    assert of(curves(turning=np.pi / 4), "turn") == pytest.approx(90.0, rel=1e-5)
    assert of(curves(turning=-np.pi / 4), "turn", 0, 31) == pytest.approx(-45.0, rel=1e-5)


def test_on_a_circle_the_way_is_longer_than_the_travel():
    circle = curves(turning=np.pi, ahead=np.pi)  # once around in two seconds, with a radius of a metre

    assert of(circle, "speed") == pytest.approx(np.pi, rel=1e-5)
    assert of(circle, "travel", 0, 31) == pytest.approx(2.0, rel=1e-2)  # half around
    assert of(circle, "travel") == pytest.approx(0.0, abs=1e-2)


def test_travel_goes_sideways_too():
    assert of(curves(left=0.5), "travel") == pytest.approx(1.0, rel=1e-5)


def test_heights_are_the_extremes_of_the_segment_alone():
    body = curves(height=np.linspace(0.5, 1.1, 61))

    assert of(body, "height", 10, 31) == pytest.approx(0.5 + 0.6 * 30 / 60, rel=1e-5)
    assert of(body, "lowest", 10, 31) == pytest.approx(0.5 + 0.6 * 10 / 60, rel=1e-5)
    assert of(body, "height") == pytest.approx(1.1, rel=1e-5)


def test_in_the_air_is_who_falls_freely_without_contact():
    seconds = np.arange(61) / RATE
    thrown = 1.0 + 3.0 * seconds - 0.5 * 9.81 * seconds**2

    assert of(curves(height=thrown, contacts=0.0), "airborne", 5, 35) == pytest.approx(1.0)
    assert of(curves(height=thrown, contacts=1.0), "airborne", 5, 35) == 0.0
    assert of(curves(contacts=0.0), "airborne") == 0.0  # hanging, or sitting with raised feet


def test_energy_is_a_mean_and_duration_counts_frames():
    assert of(curves(energy=4.0), "energy") == pytest.approx(4.0)
    assert of(curves(), "duration", 0, 15) == pytest.approx(0.5)


def test_many_segments_are_measured_as_each_alone():
    rng = np.random.default_rng(0)
    features = {"root": rng.normal(size=(80, 6)).astype(np.float32), "curves": rng.random((80, 6)).astype(np.float32)}
    body, starts = PropertyCurves(features, RATE), np.array([0, 7, 30, 60])
    stops = starts + np.array([2, 30, 11, 20])

    together = body.measure(tuple(PROPERTIES), starts, stops)

    for i in range(len(starts)):
        alone = body.measure(tuple(PROPERTIES), starts[i : i + 1], stops[i : i + 1])
        assert all(together[name][i] == pytest.approx(alone[name][0]) for name in PROPERTIES)


def test_one_frame_has_properties_too():
    assert of(curves(1), "turn", 0, 1) == of(curves(1), "airborne", 0, 1) == 0.0
