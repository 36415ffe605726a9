"""Bounds from single frames never exceed DTW; what the seed printed does."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import (
    Envelope,
    dtw,
    dtw_alignment,
    euclid,
    keogh_bound,
    query_envelope,
)
from motionary.alignment.frame_bounds import keogh_bound_reference
from motionary.errors import UsageError


def of(*values: float) -> np.ndarray:
    """One dimension over time."""
    return np.array(values)[:, None]


@given(case=search_cases())
def test_keogh_bound_is_exact_and_never_exceeds_dtw(case):
    distance = dtw(case.query, case.candidate, weights=case.weights, radius=case.radii)
    envelope = query_envelope(case.query, weights=case.weights, radius=case.radii)

    bound = keogh_bound(case.candidate, envelope)

    assert bound == pytest.approx(keogh_bound_reference(case.candidate, envelope), abs=case.slack)
    assert bound <= distance + case.slack


@given(case=search_cases())
def test_with_radius_0_keogh_s_bound_is_the_euclidean_distance(case):
    bound = keogh_bound(case.candidate, query_envelope(case.query, weights=case.weights))

    assert bound == pytest.approx(euclid(case.query, case.candidate, weights=case.weights), abs=case.slack)


@given(case=search_cases(negative=False))
def test_a_partial_sum_is_a_bound_too(case):
    envelope = query_envelope(case.query, weights=case.weights, radius=case.radii)
    whole = keogh_bound(case.candidate, envelope)

    part = keogh_bound(case.candidate, envelope, give_up_above=0.3 * whole)

    assert 0.3 * whole <= part <= whole


def test_an_envelope_of_another_shape_is_refused():
    with pytest.raises(UsageError, match="do not fit an envelope"):
        keogh_bound(of(1.0, 2.0), query_envelope(of(1.0)))


def test_slip_bounds_hold_for_the_sum_not_for_the_mean():
    query, candidate = of(0.0, 0.0, 0.0), of(1.0, 1.0, 1.0)
    bound = keogh_bound(candidate, query_envelope(query, radius=1))

    warped = dtw_alignment(query, candidate, radius=1)

    assert bound <= warped.distance
    assert bound > warped.mean


def test_slip_the_window_is_that_of_the_query_frame():
    """Candidate frame 2 meets query frame 0 alone, which has a radius of 2; its own of 1 does not reach there."""
    query, candidate, radii = of(0.0, 5.0, 5.0, 5.0, 5.0), of(0.0, 0.0, 0.0, 5.0, 5.0), np.array([2, 2, 1, 1, 1])
    distance = dtw(query, candidate, radius=radii)
    around = [query[max(0, j - radii[j]) : j + radii[j] + 1] for j in range(5)]
    wrong = Envelope(
        np.array([near.min(axis=0) for near in around]),
        np.array([near.max(axis=0) for near in around]),
        np.ones((5, 1)),
        np.ones(5, dtype=np.int64),
    )

    assert distance == 0.0
    assert keogh_bound(candidate, wrong) > distance
    assert keogh_bound(candidate, query_envelope(query, radius=radii)) <= distance


def test_slip_varying_weights_count_with_the_least_over_what_is_met():
    query, candidate, weights = of(0.0, 5.0, 5.0), of(0.0, -3.0, 5.0), np.array([[0.0], [9.0], [9.0]])
    distance = dtw(query, candidate, weights=weights, radius=1)
    envelope = query_envelope(query, weights=weights, radius=1)
    wrong = Envelope(envelope.lower, envelope.upper, weights, envelope.visits)

    assert distance == 0.0
    assert keogh_bound(candidate, wrong) > distance
    assert keogh_bound(candidate, envelope) <= distance


def test_slip_a_path_may_visit_a_negative_cell_several_times():
    """Per candidate frame, the least sum below 0 counts as often as the frame may be visited; once is too little."""
    query, candidate, weights = of(0.0, 0.0, 0.0), of(0.0, 4.0, 0.0), np.array([-1.0])
    envelope = query_envelope(query, weights=weights, radius=1)
    once = Envelope(envelope.lower, envelope.upper, envelope.weights, np.ones(3, dtype=np.int64))

    distance = dtw(query, candidate, weights=weights, radius=1)

    assert distance == -48.0
    assert keogh_bound(candidate, envelope) <= distance < keogh_bound(candidate, once)


def test_slip_negative_dimensions_count_with_the_largest_distance():
    query, candidate = np.array([[0.0, 0.0], [0.0, 3.0]]), np.array([[0.0, 3.0], [0.0, 0.0]])
    weights = np.array([1.0, -1.0])
    envelope = query_envelope(query, weights=weights, radius=1)
    nearest = np.sum(envelope.weights * (candidate - np.clip(candidate, envelope.lower, envelope.upper)) ** 2)

    distance = dtw(query, candidate, weights=weights, radius=1)

    assert keogh_bound(candidate, envelope) <= distance < nearest
