import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blend.test_opposites import PART, flip, turning
from motionary.alignment import Warp
from motionary.blend import frame_clock
from motionary.motion import rotations
from motionary.parametric import make_parametric, steer
from motionary.parametric.steering import clock_over_time


def warps(n_sources: int, n_clock: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Curves and slopes (N, U) of sources whose paces differ, also over the seam."""
    rng = np.random.default_rng(seed)
    paces = rng.uniform(0.5, 2.0, (n_sources, 1)) * np.exp(np.cumsum(rng.normal(0.0, 0.1, (n_sources, n_clock - 1)), 1))
    curves = np.concatenate([np.zeros((n_sources, 1)), np.cumsum(paces, axis=1)], axis=1)
    return curves, np.stack([Warp(np.arange(n_clock), curve).slope(np.arange(n_clock)) for curve in curves])


@given(seed=st.integers(0, 1000), n_clock=st.integers(2, 30))
def test_one_source_alone_is_played_frame_by_frame_over_all_seams(seed, n_clock):
    curves, slopes = warps(2, n_clock, seed)

    clock = clock_over_time(curves, slopes, np.tile([0.0, 1.0], (60, 1)), cyclic=True)

    rounds = np.floor(clock / (n_clock - 1.0))
    within = clock - rounds * (n_clock - 1.0)
    played = rounds * curves[1, -1] + Warp(np.arange(n_clock), curves[1], slopes[1])(within)
    np.testing.assert_allclose(np.diff(played), 1.0, atol=1e-6)


@given(seed=st.integers(0, 1000), n_sources=st.integers(1, 3), n_clock=st.integers(5, 30))
def test_constant_weights_give_the_clock_of_a_blend(seed, n_sources, n_clock):
    """But for the blend's last frame: it is the end of the clock."""
    curves, slopes = warps(n_sources, n_clock, seed)
    weights = np.random.default_rng(seed).dirichlet(np.ones(n_sources))
    exact = frame_clock(curves, slopes, np.tile(weights, (n_clock, 1)))
    whole = float(weights @ curves[:, -1])

    clock = clock_over_time(curves, slopes, np.tile(weights, (200, 1)), cyclic=False)

    assert len(clock) == int(whole + 1e-6) + 1
    n = min(len(clock), len(exact))
    stretched = np.arange(n) * (len(exact) - 1) / whole  # where frames of `clock` lie among those of the blend
    expected = np.interp(stretched, np.arange(len(exact)), exact)
    np.testing.assert_allclose(clock[:n], expected, atol=0.5)


@pytest.mark.parametrize("n_frames", [5, 40])
def test_a_motion_that_is_no_cycle_ends_with_the_clock(n_frames):
    curves, slopes = np.arange(11.0)[None], np.ones((1, 11))

    clock = clock_over_time(curves, slopes, np.ones((n_frames, 1)), cyclic=False)

    np.testing.assert_allclose(clock, np.arange(min(n_frames, 11)), atol=1e-9)


def test_a_joint_does_not_jump_where_a_source_passes_the_opposite_of_the_other():
    rests, flips = turning(np.zeros(60), name="rests"), turning(flip(), name="flips")
    parametric = make_parametric([rests, flips], [], given={"rests": 0.0, "flips": 1.0}, n_draws=20)
    joint = rests.motion.skeleton.index(PART)

    steered = steer(parametric, [[0.3], [0.45]], clean_up=False)

    turned = steered.motion.rotations[:, joint]
    assert np.degrees(rotations.angle_between(turned[1:], turned[:-1])).max() < 30.0  # 125 by the shorter way
    assert steered.weights[:, 1].min() > 0.2
