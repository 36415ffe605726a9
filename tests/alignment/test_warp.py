"""Warps: strictly increasing, through the alignment, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.search_cases import search_cases
from motionary.alignment import Alignment, Warp, dtw_alignment, lcss_alignment, smooth_warp, warp_of
from motionary.alignment.warp import _wait_middles, _wait_middles_reference, _within, _within_reference
from motionary.errors import UsageError


@given(case=search_cases(negative=False, max_frames=20))
def test_a_warp_increases_strictly_keeps_the_ends_and_stays_near_its_alignment(case):
    alignment = dtw_alignment(case.query, case.candidate, weights=case.weights, radius=case.radii).alignment

    warp = warp_of(alignment)

    times = np.linspace(-2.0, case.n_frames + 1.0, 200)
    warped = warp(times)
    assert (np.diff(warped) > 0).all()
    assert np.allclose(warp.inverse()(warped), times)
    assert np.allclose(warp(np.array([0, case.n_frames - 1])), [0, case.n_frames - 1])
    widest = max(case.radii.max(), 1)
    assert (np.abs(warp(alignment.pairs[:, 0]) - alignment.pairs[:, 1]) <= 2 * widest).all()


@given(case=search_cases(max_frames=16))
def test_alignments_with_gaps_give_warps_too(case):
    _, alignment = lcss_alignment(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)
    if alignment.n_pairs == 0:
        with pytest.raises(UsageError, match="an alignment without pairs cannot become a warp"):
            warp_of(alignment)
        return
    pairs = alignment.pairs

    assert np.allclose(warp_of(alignment)(pairs[:, 0]), pairs[:, 1])


def test_waits_are_crossed_in_their_middle():
    pairs = [[0, 0], [1, 1], [1, 2], [1, 3], [2, 4], [3, 4], [4, 4], [5, 5]]

    warp = warp_of(Alignment(np.array(pairs)))

    assert warp.query_times.tolist() == [0, 1, 3, 5]
    assert warp.candidate_times.tolist() == [0, 2, 4, 5]
    assert 3.0 < warp(np.array(2.0)) < 3.2


def test_waits_that_meet_in_a_corner():
    pairs = [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2], [2, 3], [2, 4], [3, 5]]

    warp = warp_of(Alignment(np.array(pairs)))

    assert warp.query_times.tolist() == [0, 1, 2, 3]
    assert warp.candidate_times.tolist() == [0, 2, 3, 5]


def test_one_frame_goes_on_at_the_same_pace():
    assert warp_of(Alignment(np.array([[0, 0]])))(np.array([-1.0, 0.0, 2.5])).tolist() == [-1.0, 0.0, 2.5]


@pytest.mark.parametrize(("query", "candidate"), [([0, 0], [0, 1]), ([0, 1], [1, 0]), ([], []), ([0, 1], [0, 1, 2])])
def test_what_is_no_warp_is_refused(query, candidate):
    with pytest.raises(UsageError, match="warp"):
        Warp(np.array(query), np.array(candidate))


@st.composite
def warps(draw):
    n = draw(st.integers(1, 12))
    steps = st.lists(st.floats(0.05, 3.0), min_size=n, max_size=n)
    return Warp(np.cumsum(draw(steps)), np.cumsum(draw(steps)))


@given(warp=warps())
def test_warps_are_smooth_and_their_inverse_is_exact(warp):
    first, last = warp.query_times[[0, -1]]
    times = np.linspace(first - 1.0, last + 1.0, 400)

    values, slopes = warp(times), warp.slope(times)

    assert (np.diff(values) > 0).all()
    assert (slopes > 0).all()
    assert np.allclose(warp.inverse()(values), times, atol=1e-7)
    inside = np.linspace(first, last, 20_001)[1:-1]
    if len(inside) and last - first > 0.1:
        numeric = np.gradient(warp(inside), inside)
        assert np.allclose(numeric, warp.slope(inside), rtol=0.05, atol=0.05 * warp.steepness()[1])
    assert np.allclose(warp.inverse().inverse()(times), values)


@given(first=warps(), later=warps())
def test_warps_follow_each_other(first, later):
    later = Warp(later.query_times - later.query_times[0] + first.candidate_times[0], later.candidate_times)

    both = first.then(later)

    knots = both.query_times
    assert np.allclose(both(knots), later(first(knots)), atol=1e-6)
    assert (both.slope(np.linspace(knots[0], knots[-1], 50)) > 0).all()


def test_a_smooth_warp_keeps_ends_and_limits():
    pairs = (
        [[i, 0] for i in range(6)] + [[5 + i, 3 * i] for i in range(1, 10)] + [[14 + i, 27 + i] for i in range(1, 10)]
    )

    warp = smooth_warp(Alignment(np.array(pairs)), slope_limit=3.0)

    assert np.allclose(warp(np.array([0.0, 23.0])), [0.0, 36.0])
    least, greatest = warp.steepness()
    assert least >= 0.33
    assert greatest <= 3.01
    with pytest.raises(UsageError, match="by more than a factor of 2"):
        smooth_warp(Alignment(np.array([[i, 5 * i] for i in range(9)])), slope_limit=2.0)
    with pytest.raises(UsageError, match="at least two frames"):
        smooth_warp(Alignment(np.array([[0, 0], [0, 1]])))


@pytest.mark.parametrize("slopes", [[1.0], [1.0, 0.0], [1.0, -1.0]])
def test_slopes_must_be_above_0(slopes):
    with pytest.raises(UsageError, match="a slope above 0 at every knot"):
        Warp(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array(slopes))


@given(steps=st.lists(st.sampled_from([(0, 1), (1, 0), (1, 1), (2, 1)]), min_size=1, max_size=40))
def test_middles_of_waits_are_those_of_the_definition(steps):
    pairs = np.concatenate([[[0, 0]], np.cumsum(steps, axis=0)]).astype(float)

    assert np.array_equal(_wait_middles(pairs), _wait_middles_reference(pairs))


@given(
    paces=st.lists(st.floats(0.0, 20.0), min_size=2, max_size=40),
    limit=st.floats(1.5, 9.0),
    share=st.floats(0.1, 0.9),
)
def test_paces_within_their_limit_are_those_of_the_definition(paces, limit, share):
    given_paces, total = np.array(paces), len(paces) * limit ** (2.0 * share - 1.0)

    assert _within(given_paces, limit, total) == pytest.approx(_within_reference(given_paces, limit, total), rel=1e-9)
