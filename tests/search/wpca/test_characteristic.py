import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from motionary.errors import UsageError
from motionary.search.wpca.characteristic import (
    NEUTRAL,
    characteristic_frames,
    characters,
    rarities,
    rarities_reference,
)


@given(seed=st.integers(0, 99), n_sampled=st.integers(1, 80))
def test_rarities_are_distances_to_the_nearest_few(seed, n_sampled):
    rng = np.random.default_rng(seed)
    curve, sample = rng.standard_normal((7, 3)), rng.standard_normal((n_sampled, 3))

    assert_allclose(rarities(curve, sample), rarities_reference(curve, sample), atol=1e-3)


def arm_raise(n_rest, n_hold, n_after):
    """A curve that leaves rest (at 0) for a hold (at 1) and comes back."""
    ramp = np.linspace(0, 1, 6)[1:-1]
    line = np.concatenate([np.zeros(n_rest), ramp, np.ones(n_hold), ramp[::-1], np.zeros(n_after)])
    return np.column_stack([line, 0.01 * np.sin(np.arange(len(line)))])


@pytest.mark.parametrize(("n_hold", "by_mean"), [(2, True), (40, False)])
def test_where_the_action_fills_the_query_only_the_mean_misses_it(n_hold, by_mean):
    curve = arm_raise(5, n_hold, 4)
    rest = 0.05 * np.random.default_rng(0).standard_normal((200, 2))

    chosen = {way: int(np.argmax(characters(curve, way=way, sample=rest))) for way in ("rare", *NEUTRAL)}

    hold = range(9, 9 + n_hold)
    assert (chosen.pop("mean") in hold) == by_mean
    assert all(frame in hold for frame in chosen.values()), chosen


def test_of_two_extremes_the_rare_one_is_characteristic():
    curve = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.95], [0.0, 0.0]])
    common = np.array([1.0, 0.0]) + 0.01 * np.random.default_rng(0).standard_normal((100, 2))
    sample = np.concatenate([common, np.zeros((100, 2))])

    assert np.argmax(characters(curve, way="origin", sample=sample)) == 1
    assert np.argmax(characters(curve, way="rare", sample=sample)) == 2


def test_several_poses_are_apart_and_in_order():
    values = np.array([0.0, 5, 9, 8, 0, 0, 7, 6, 0])

    assert characteristic_frames(values, n_poses=1, least_apart=3) == [2]
    assert characteristic_frames(values, n_poses=2, least_apart=3) == [2, 6]
    assert characteristic_frames(values, n_poses=9, least_apart=4) == [2, 6]
    assert characteristic_frames(np.ones(4), n_poses=2, least_apart=2) == [1, 3]


def test_of_a_hold_the_middle_is_taken():
    values = np.array([0.0, 5, 9.6, 9.7, 10, 9.8, 9.7, 4, 0])

    assert characteristic_frames(values, n_poses=1, least_apart=3) == [4]
    assert characteristic_frames(values[::-1], n_poses=1, least_apart=3) == [4]


def test_an_unknown_way_is_told():
    with pytest.raises(UsageError, match="rare, mean, first, last, ends, origin or a frame, not 'best'"):
        characters(np.zeros((2, 2)), way="best", sample=np.zeros((3, 2)))
