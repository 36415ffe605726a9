"""Speeds over windows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.speeds import slowest_speeds, slowest_speeds_reference, window_frames


@given(
    seed=st.integers(0, 999),
    n_frames=st.integers(1, 40),
    n_window=st.integers(1, 9),
    rate=st.sampled_from([24, 60, 240]),
)
def test_the_kernel_is_its_reference(seed, n_frames, n_window, rate):
    points = np.random.default_rng(seed).normal(size=(n_frames, 3, 3))
    n_window = min(n_window, n_frames)

    speeds = slowest_speeds(points, n_window=n_window, frame_time=1 / rate)

    expected = slowest_speeds_reference(points, n_window=n_window, frame_time=1 / rate)
    np.testing.assert_allclose(speeds, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("rate_hz", "n_frames", "expected"),
    [(24, 99, 3), (30, 99, 3), (60, 99, 5), (120, 99, 9), (240, 99, 18), (120, 4, 4), (60, 1, 1)],
)
def test_windows_span_the_same_time_at_all_rates(rate_hz, n_frames, expected):
    assert window_frames(0.07, frame_time=1 / rate_hz, n_frames=n_frames) == expected


def test_what_moves_straight_has_its_speed():
    points = np.linspace(0, 1, 31)[:, None, None] * np.array([3.0, 0.0, 4.0])  # 5 m in 1 s

    np.testing.assert_allclose(slowest_speeds(points, n_window=5, frame_time=1 / 30), 5.0)


def test_what_keeps_still_and_one_frame_alone_have_no_speed():
    still = np.full((8, 2, 3), 0.3)

    np.testing.assert_allclose(slowest_speeds(still, n_window=3, frame_time=0.01), 0.0, atol=1e-12)
    np.testing.assert_allclose(slowest_speeds(still[:1], n_window=1, frame_time=0.01), 0.0)


def test_a_rest_is_still_from_its_first_frame_to_its_last():
    """The windows that look ahead and back see nothing of what was before and comes after."""
    x = np.concatenate([np.arange(-10, 0), np.zeros(8), np.arange(1, 11)]) * 0.05
    points = np.stack([x, 0 * x, 0 * x], axis=1)[:, None]

    speeds = slowest_speeds(points, n_window=5, frame_time=1 / 60)[:, 0]

    assert speeds[10:18].max() < 1e-12
    assert speeds[:9].min() > 1.0
    assert speeds[20:].min() > 1.0
