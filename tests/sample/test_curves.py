"""Tracks are minimum-jerk between rests, parabolas between knots on a parabola, and smooth everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.sample.curves import Track, smooth_noise


def test_rest_to_rest_is_the_path_of_minimum_jerk() -> None:
    track = Track((0.0, 5.0))
    track.key(2.0, (1.0, 3.0))
    u = np.linspace(0.0, 1.0, 11)

    values = track.at(2.0 * u)

    share = 10 * u**3 - 15 * u**4 + 6 * u**5
    assert values == pytest.approx(np.stack([share, 5.0 - 2.0 * share], axis=-1))


@given(
    start=st.floats(-5, 5),
    velocity=st.floats(-5, 5),
    acceleration=st.floats(-20, 20),
    secs=st.floats(0.05, 3.0),
)
def test_knots_on_a_parabola_are_joined_by_it(start: float, velocity: float, acceleration: float, secs: float) -> None:
    track = Track(start)
    track.key(0.0, start, velocity=velocity, acceleration=acceleration)
    end = start + velocity * secs + 0.5 * acceleration * secs**2
    track.key(secs, end, velocity=velocity + acceleration * secs, acceleration=acceleration)
    times = np.linspace(0.0, secs, 7)

    values = track.at(times)[:, 0]

    assert values == pytest.approx(start + velocity * times + 0.5 * acceleration * times**2, abs=1e-9)


@given(values=st.lists(st.floats(-3, 3), min_size=2, max_size=8), seed=st.integers(0, 1000))
def test_value_velocity_and_acceleration_never_jump(values: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    track, knots = Track(0.0), np.cumsum(rng.uniform(0.2, 1.0, len(values)))
    for time, value in zip(knots, values, strict=True):
        track.key(float(time), value, flowing=bool(rng.random() < 0.6))
    knots = knots[:-1]
    step = 1e-4

    def second(times: np.ndarray) -> np.ndarray:
        before, here, after = (track.at(times + shift)[:, 0] for shift in (-step, 0.0, step))
        return np.asarray((after - 2.0 * here + before) / step**2)

    assert second(knots - 2 * step) == pytest.approx(second(knots + 2 * step), abs=0.05 + 2.0 * np.abs(values).max())


def test_flowing_knots_pass_on_the_parabola_through_their_neighbours() -> None:
    track = Track(0.0)
    track.key(1.0, 1.0, flowing=True)
    track.key(2.0, 4.0, flowing=True)
    track.key(3.0, 9.0)

    near = track.at(np.array([0.999, 1.001]))[:, 0]

    assert np.diff(near) / 0.002 == pytest.approx(2.0, abs=1e-3)  # of t²


def test_holding_stays_and_repeated_times_replace() -> None:
    track = Track(1.0)
    track.hold(2.0)
    track.key(2.0, 3.0)
    track.hold(1.0)

    assert track.last == pytest.approx([3.0])
    assert track.last_time == 2.0
    assert track.at(np.array([-1.0, 5.0]))[:, 0] == pytest.approx([1.0, 3.0])


def test_knots_in_the_past_are_a_mistake() -> None:
    track = Track(1.0)
    track.key(2.0, 3.0)

    with pytest.raises(ValueError, match=r"a knot at 1\.000 s comes after one at 2\.000 s"):
        track.key(1.0, 0.0)


def test_a_track_without_knots_is_constant() -> None:
    assert Track((1.0, 2.0)).at(np.arange(3.0)) == pytest.approx(np.array([[1.0, 2.0]] * 3))


def test_noise_is_smooth_bounded_and_repeatable() -> None:
    times = np.arange(0.0, 60.0, 1.0 / 60.0)

    noise = smooth_noise(times, np.random.default_rng(3), n_dims=4)

    assert noise.shape == (len(times), 4)
    assert np.abs(noise).max() < 3.5
    assert np.abs(np.diff(noise, axis=0)).max() * 60.0 < 8.0
    assert np.array_equal(noise, smooth_noise(times, np.random.default_rng(3), n_dims=4))
