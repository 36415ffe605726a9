import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.dynamics.derivatives import derivative, smoothed_derivative, weigh_frames_reference
from motionary.errors import UsageError

RATES = [10, 24, 29.97, 30, 50, 60, 119.88, 120, 240]


@pytest.mark.parametrize("rate_hz", RATES)
@pytest.mark.parametrize("n_frames", [4, 5, 9, 60, 131])
def test_cubic_curves_are_differentiated_exactly_up_to_the_ends(rate_hz, n_frames):
    t = np.arange(n_frames) / rate_hz
    curve = np.stack([3 - 2 * t + 5 * t**2 - t**3, 1 + t], axis=1)

    def differentiated(order):
        return smoothed_derivative(curve, order=order, frame_time=1 / rate_hz)

    assert differentiated(0) == pytest.approx(curve, abs=1e-9)
    assert differentiated(1) == pytest.approx(np.stack([-2 + 10 * t - 3 * t**2, 1 + 0 * t], axis=1), abs=1e-8)
    assert differentiated(2) == pytest.approx(np.stack([10 - 6 * t, 0 * t], axis=1), abs=1e-6)


def gain(order: int, hz: float, rate_hz: float) -> float:
    """What a wave of that frequency keeps of its derivative, in the middle of a long motion."""
    middle = derivative(order, frame_time=1 / rate_hz, n_frames=201)
    waves = np.exp(2j * np.pi * hz * (np.arange(201) - 100) / rate_hz)
    width = middle.weights.shape[1]
    found = middle.weights[100] @ waves[middle.starts[100] : middle.starts[100] + width]
    return float(np.abs(found / (2j * np.pi * hz) ** order))


@pytest.mark.parametrize("rate_hz", [30, 60, 120])
def test_the_cutoff_is_at_six_hertz(rate_hz):
    assert gain(2, 1.0, rate_hz) == pytest.approx(1.0, abs=0.01)
    assert gain(2, 3.0, rate_hz) == pytest.approx(0.975, abs=0.02)
    assert gain(2, 6.0, rate_hz) == pytest.approx(np.sqrt(0.5), abs=0.02)
    assert gain(2, 12.0, rate_hz) == pytest.approx(1.0 / (1.0 + 16.0 * (np.sqrt(2.0) - 1.0)), abs=0.03)


def test_below_thirty_frames_a_second_the_cutoff_is_a_fifth_of_the_rate():
    assert gain(0, 2.0, 10.0) == pytest.approx(np.sqrt(0.5), abs=0.07)


@pytest.mark.parametrize("n_frames", [1, 2, 3])
def test_few_frames_have_as_many_derivatives_as_they_can(n_frames):
    t = np.arange(n_frames) / 60
    values = 1.0 + 2.0 * t + 3.0 * t**2

    assert smoothed_derivative(values, order=0, frame_time=1 / 60) == pytest.approx(values)
    if n_frames < 2:
        assert smoothed_derivative(values, order=1, frame_time=1 / 60) == pytest.approx(np.zeros(n_frames))
    wanted = 6.0 if n_frames == 3 else 0.0
    assert smoothed_derivative(values, order=2, frame_time=1 / 60) == pytest.approx(np.full(n_frames, wanted), abs=1e-6)


@given(
    n_frames=st.integers(1, 70),
    n_columns=st.integers(1, 9),
    order=st.integers(0, 2),
    rate_hz=st.sampled_from(RATES),
    seed=st.integers(0, 1000),
)
def test_the_kernel_weighs_as_the_definition_says(n_frames, n_columns, order, rate_hz, seed):
    values = np.random.default_rng(seed).normal(size=(n_frames, n_columns))
    d = derivative(order, frame_time=1 / rate_hz, n_frames=n_frames)

    found = d(values)

    scale = np.abs(d.weights).sum()
    assert found == pytest.approx(weigh_frames_reference(values, d.starts, d.weights), abs=1e-13 * scale)
    backwards = (-1.0) ** order * d(values[::-1])[::-1]  # time has no direction
    assert found == pytest.approx(backwards, abs=1e-9 * scale)


def test_wrong_orders_times_and_lengths_are_refused():
    with pytest.raises(UsageError, match="the order of a derivative must be 0, 1 or 2, not 3"):
        derivative(3, frame_time=1 / 60, n_frames=5)
    with pytest.raises(UsageError, match="a frame time of 0 s is not possible"):
        derivative(1, frame_time=0, n_frames=5)
    with pytest.raises(UsageError, match="over 5 frames cannot take 6"):
        derivative(1, frame_time=1 / 60, n_frames=5)(np.zeros(6))
