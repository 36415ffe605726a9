"""The gist: places, activity and turns against their definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from features.moving_bodies import body, wild_body
from motionary.features import descriptions, features_of
from motionary.features.gist import deviations

SECS = np.arange(30)[:, None] / 30


def gist_columns(words: str) -> list[int]:
    return [i for i, dimension in enumerate(descriptions()["gist"].dimensions) if words in dimension.name]


def deviations_reference(values: np.ndarray, n_around: int) -> np.ndarray:
    """What `deviations` computes, from the definition."""
    last = max(0, len(values) - 2 * n_around - 1)
    firsts = [min(max(0, f - n_around), last) for f in range(len(values))]
    return np.array([values[first : first + 2 * n_around + 1].std(axis=0) for first in firsts])


@given(
    n_frames=st.integers(1, 30),
    n_around=st.integers(0, 40),
    seed=st.integers(0, 1000),
    size=st.sampled_from([0, 1, 50]),
)
def test_deviations_are_those_of_the_frames_around(n_frames, n_around, seed, size):
    values = 3.0 + size * np.random.default_rng(seed).normal(size=(n_frames, 2))

    assert np.allclose(deviations(values, n_around), deviations_reference(values, n_around), atol=1e-12)


@given(seed=st.integers(0, 1000))
def test_frames_farther_away_never_change_a_deviation(seed):
    values = np.random.default_rng(seed).normal(size=(40, 2))

    assert np.array_equal(deviations(values, 5)[12:20], deviations(values[5:30], 5)[7:15])


@given(seed=st.integers(0, 1000))
def test_it_is_places_activity_and_turns(seed):
    features = features_of(wild_body(seed))
    known = descriptions()
    names = {name: [dimension.name for dimension in known[name].dimensions] for name in known}
    places = gist_columns(" place ")

    named = [names["gist"][column].replace(" place", "") for column in places]
    assert np.array_equal(
        features["gist"][:, places], features["positions"][:, [names["positions"].index(place) for place in named]]
    )
    activity = 0.2 * np.log2(0.02 + deviations_reference(features["gist"][:, places].astype(np.float64), 5))
    assert np.allclose(features["gist"][:, gist_columns(" activity ")], activity, atol=1e-4)
    turns = [name.replace(" turn", "") for name in names["gist"] if " turn " in name]
    angles = features["angles"][:, [names["angles"].index(turn) for turn in turns]]
    assert np.allclose(features["gist"][:, gist_columns(" turn ")], 0.25 * angles, atol=1e-6)
    assert (len(places), len(activity[0]), len(turns)) == (27, 27, 18)


def test_a_wave_is_as_active_at_any_moment_and_doubling_it_counts_for_20_cm():
    def waving(size: float) -> np.ndarray:
        swing = size * np.sin(2 * np.pi * SECS * 30 / 11)  # a wave in 11 frames
        features = features_of(body(turns={"LeftForearm": swing * (0.0, 1.0, 0.0)}))
        return features["gist"][5:-5, gist_columns("LeftHand activity forward")]

    small, large = waving(0.4), waving(0.8)
    assert np.ptp(small) < 0.005
    assert np.allclose(large - small, 0.2, atol=0.05)  # less the 2 cm below which all is at rest


def test_a_body_at_rest():
    standing = features_of(body())["gist"][:, gist_columns(" activity ")]

    assert np.allclose(standing, 0.2 * np.log2(0.02))
    assert np.allclose(
        features_of(wild_body(0, n_frames=1))["gist"][:, gist_columns(" activity ")], 0.2 * np.log2(0.02)
    )
