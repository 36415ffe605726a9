"""Warps: strictly increasing, through the alignment, and back."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import Alignment, Warp, dtw_alignment, lcss_alignment, warp_of
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
        with pytest.raises(UsageError, match="an alignment without pairs gives no warp"):
            warp_of(alignment)
        return
    pairs = alignment.pairs

    assert np.allclose(warp_of(alignment)(pairs[:, 0]), pairs[:, 1])


def test_waits_are_crossed_in_their_middle():
    pairs = [[0, 0], [1, 1], [1, 2], [1, 3], [2, 4], [3, 4], [4, 4], [5, 5]]

    warp = warp_of(Alignment(np.array(pairs)))

    assert warp.query_times.tolist() == [0, 1, 3, 5]
    assert warp.candidate_times.tolist() == [0, 2, 4, 5]
    assert warp(np.array(2.0)) == 3.0


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
