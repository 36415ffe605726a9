import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.parametric.steering import clock_reference, write_clock


def clock_of(slopes: np.ndarray, weights: np.ndarray, *, cyclic: bool) -> np.ndarray:
    clock = np.empty(len(weights))
    return clock[: write_clock(slopes, weights, cyclic, clock)]


@given(
    seed=st.integers(0, 1000),
    n_sources=st.integers(1, 3),
    n_clock=st.integers(2, 20),
    cyclic=st.booleans(),
)
def test_the_clock_runs_as_the_reference_says(seed, n_sources, n_clock, cyclic):
    rng = np.random.default_rng(seed)
    slopes = rng.uniform(1.0 / 3.0, 3.0, (n_sources, n_clock))
    weights = rng.uniform(-0.1, 1.0, (12, n_sources))
    weights /= weights.sum(axis=1, keepdims=True)

    clock, expected = clock_of(slopes, weights, cyclic=cyclic), clock_reference(slopes, weights, cyclic=cyclic)

    n = min(len(clock), len(expected))
    assert abs(len(clock) - len(expected)) <= 1  # the last frame may be at the end of the clock, or a hair behind it
    np.testing.assert_allclose(clock[:n], expected[:n], atol=0.02)


def test_a_cycle_goes_on_over_the_seam_at_the_pace_of_its_sources():
    """A source that is slow against the clock at its end and fast at its start still plays one frame each frame."""
    slopes = np.linspace(2.0, 0.5, 31)[None]
    curve = np.append(0.0, np.cumsum(0.5 * (slopes[0, 1:] + slopes[0, :-1])))

    clock = clock_of(slopes, np.ones((200, 1)), cyclic=True)

    rounds = np.floor(clock / 30.0)
    within = clock - 30.0 * rounds
    k = np.minimum(within.astype(int), 29)
    share = within - k
    pace = slopes[0, k] + 0.5 * share * (slopes[0, k + 1] - slopes[0, k])
    played = rounds * curve[-1] + curve[k] + share * pace
    np.testing.assert_allclose(np.diff(played), 1.0, atol=1e-9)


@pytest.mark.parametrize("n_frames", [5, 40])
def test_a_motion_that_is_no_cycle_ends_with_the_clock(n_frames):
    clock = clock_of(np.ones((1, 11)), np.ones((n_frames, 1)), cyclic=False)

    np.testing.assert_allclose(clock, np.arange(min(n_frames, 11)), atol=1e-9)
