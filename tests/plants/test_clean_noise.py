import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.clean_noise import UNKNOWNS, tremble, tremble_reference, without_noise
from plants.made_legs import legs


@given(seed=st.integers(0, 999), n_frames=st.integers(1, 9))
def test_what_noise_asks_for_is_shared_as_the_definition_says(seed, n_frames):
    rng = np.random.default_rng(seed)
    hips, ankles, bends = legs(rng.uniform(0.1, 1.0, (n_frames, 2)))
    wanted = ankles + 0.003 * rng.normal(size=ankles.shape)
    planted = rng.random((n_frames, 2)) < 0.7
    unknowns = 0.01 * rng.normal(size=(n_frames, UNKNOWNS))

    added = tremble(hips, wanted, bends, planted, unknowns)

    assert added == pytest.approx(tremble_reference(hips, wanted, bends, planted, unknowns), rel=1e-6, abs=1e-9)


@given(seed=st.integers(0, 999), n_frames=st.integers(1, 20), rate_hz=st.sampled_from([24, 30, 60, 120, 240]))
def test_without_noise_lines_stay_and_noise_shrinks(seed, n_frames, rate_hz):
    rng = np.random.default_rng(seed)
    line = rng.normal(size=(1, 2, 3)) * np.arange(n_frames)[:, None, None]
    noise = rng.normal(size=(n_frames, 2, 3))

    def quiet(values):
        return without_noise(values, frame_time=1 / rate_hz)

    assert quiet(line) == pytest.approx(line, abs=1e-12)
    assert quiet(line + noise) - line == pytest.approx(quiet(noise), abs=1e-12)
    assert np.abs(quiet(noise)).max() <= np.abs(noise).max() + 1e-12


def test_at_30_frames_a_second_nothing_is_noise():
    values = np.random.default_rng(0).normal(size=(20, 2))

    np.testing.assert_array_equal(without_noise(values, frame_time=1 / 30), values)


def test_one_leg_gives_its_noise_to_the_root():
    hips, ankles, bends = legs(np.full((3, 2), 0.1))
    wanted = ankles - np.array([0.0, 0.0002, 0.0])
    planted = np.array([[True, False], [True, True], [False, False]])

    added = tremble(hips, wanted, bends, planted, np.zeros((3, UNKNOWNS)))

    assert added[:2, 1] == pytest.approx([-0.0002, -0.0002], rel=0.05)
    assert np.abs(added[:2, 3:]).max() < 1e-3
    assert not added[2].any()
