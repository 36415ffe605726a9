import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.plants.clean_fades import LONGEST, fade, fade_reference

GENTLE = {"frame_time": 1 / 60, "fade_secs": 0.3, "most_acceleration": 4.0}


@given(
    known=st.lists(st.booleans(), min_size=1, max_size=60),
    rate_hz=st.sampled_from([24.0, 30.0, 60.0, 120.0]),
    fade_secs=st.sampled_from([0.02, 0.1, 0.3]),
    most=st.sampled_from([0.5, 4.0, np.inf]),
    seed=st.integers(0, 99),
)
def test_it_is_what_the_definition_says(known, rate_hz, fade_secs, most, seed):
    values = np.random.default_rng(seed).normal(size=(len(known), 3))
    options = {"frame_time": 1.0 / rate_hz, "fade_secs": fade_secs, "most_acceleration": most}

    faded = fade(values, np.array(known), **options)

    expected = fade_reference(values, np.array(known), **options)
    assert faded == pytest.approx(expected, rel=1e-6, abs=1e-7 * max(1.0, np.abs(expected).max()))


@given(known=st.lists(st.booleans(), min_size=1, max_size=60), seed=st.integers(0, 99))
def test_known_values_stay_to_the_bit(known, seed):
    values, known = np.random.default_rng(seed).normal(size=(len(known), 2)), np.array(known)

    faded = fade(values, known, **GENTLE)

    assert np.array_equal(faded[known], values[known])


def test_far_from_what_is_known_nothing_is_left():
    known = np.zeros(200, dtype=bool)
    known[90:110] = True

    faded = fade(np.full((200, 1), 0.01), known, **GENTLE)

    assert np.flatnonzero(faded[:, 0]).tolist() == list(range(73, 127))  # 18 frames are 0.3 s


def test_large_corrections_take_longer():
    known = np.zeros(200, dtype=bool)
    known[100] = True

    small, large, huge = (fade(np.full((200, 1), size), known, **GENTLE) for size in (0.01, 0.15, 9.0))

    assert np.count_nonzero(small) < np.count_nonzero(large) < np.count_nonzero(huge)
    assert np.count_nonzero(huge) < 2 * LONGEST * 18 + 1
    assert np.abs(np.diff(large[:, 0], 2)).max() * 3600 <= 4.2


@pytest.mark.parametrize("gap", [1, 2, 3, 10, 17, 18, 19, 40])
def test_a_curve_goes_through_a_gap_without_a_jolt(gap):
    """A parabola with a piece missing: its second differences stay of the size that bridging needs."""
    secs = np.arange(100) / 60
    values = (0.05 * np.sin(3.0 * secs) + 0.02)[:, None]
    known = np.ones(100, dtype=bool)
    known[40 : 40 + gap] = False

    faded = fade(values, known, **GENTLE)

    slope = np.abs(np.diff(values[:, 0])).max() * 60  # ends at the edges
    bends = np.abs(np.diff(faded[:, 0], 2)) * 3600
    assert bends.max() <= 0.5 + 60 * slope + 6.0 * np.abs(values).max() / min((gap + 1) / 60, 0.3) ** 2
    assert np.abs(np.diff(faded[:, 0])).max() * 60 <= 0.2 + 3.0 * np.abs(values).max() / min((gap + 1) / 60, 0.3)


@given(known=st.lists(st.booleans(), min_size=2, max_size=60), seed=st.integers(0, 99))
def test_a_correction_fades_and_never_grows(known, seed):
    """Whatever comes before the edges, noise or a foot that sets out: it once went on as it came, far off."""
    values, known = np.random.default_rng(seed).normal(size=(len(known), 3)), np.array(known)

    faded = fade(values, known, **GENTLE)

    for f in np.flatnonzero(~known):
        before = values[:f][known[:f]][-1:] if known[:f].any() else np.zeros((1, 3))
        after = values[f:][known[f:]][:1] if known[f:].any() else np.zeros((1, 3))
        assert np.linalg.norm(faded[f]) <= max(np.linalg.norm(before), np.linalg.norm(after)) + 1e-12


def test_the_ends_of_a_motion_cut_fades_off():
    known = np.zeros(100, dtype=bool)
    known[50:60] = True
    values = np.random.default_rng(0).normal(size=(100, 3)).cumsum(axis=0) * 0.003

    whole = fade(values, known, **GENTLE)
    cut = fade(values[45:62], known[45:62], **GENTLE)

    assert cut == pytest.approx(whole[45:62])


@pytest.mark.parametrize("known", [[True], [False]])
def test_one_frame(known):
    faded = fade(np.array([[0.3]]), np.array(known), **GENTLE)

    assert faded[0, 0] == (0.3 if known[0] else 0.0)
