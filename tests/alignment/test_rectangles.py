"""Rectangles: their bounds hold for whatever lies in them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.search_cases import cuts, search_cases
from motionary.alignment import (
    Rectangles,
    dtw,
    envelope_rectangles,
    euclid,
    even_edges,
    keogh_bound,
    lcss,
    lcss_bound,
    match_envelope,
    match_rectangles,
    merged_edges,
    query_envelope,
    rectangle_bound,
    rectangle_likeness,
    rectangle_limit,
    rectangles,
)
from motionary.alignment.rectangles import rectangle_bound_reference, rectangle_likeness_reference
from motionary.errors import UsageError


@given(case=search_cases(), data=st.data())
def test_rectangle_bound_is_exact_and_never_exceeds_dtw(case, data):
    edges, others = data.draw(cuts(case.n_frames)), data.draw(cuts(case.n_frames))
    whole = query_envelope(case.query, weights=case.weights, radius=case.radii)
    envelope, boxes = envelope_rectangles(whole, edges), rectangles(case.candidate, others)

    bound = rectangle_bound(envelope, edges, boxes)

    assert bound == pytest.approx(rectangle_bound_reference(envelope, edges, boxes), abs=case.slack)
    assert bound <= keogh_bound(case.candidate, whole) + case.slack
    assert bound <= dtw(case.query, case.candidate, weights=case.weights, radius=case.radii) + case.slack


@given(case=search_cases(), data=st.data())
def test_rectangle_bound_holds_for_any_candidate_inside(case, data):
    edges, others = data.draw(cuts(case.n_frames)), data.draw(cuts(case.n_frames))
    envelope = envelope_rectangles(query_envelope(case.query, weights=case.weights, radius=case.radii), edges)
    boxes = rectangles(case.candidate, others)
    box = np.searchsorted(others, np.arange(case.n_frames), side="right") - 1
    share = case.rng.choice([0.0, 0.3, 1.0], size=case.candidate.shape)
    other = boxes.lower[box] + share * (boxes.upper[box] - boxes.lower[box])

    assert rectangle_bound(envelope, edges, boxes) <= (
        dtw(case.query, other, weights=case.weights, radius=case.radii) + case.slack
    )


@given(case=search_cases(), data=st.data())
def test_bound_and_limit_enclose_the_euclidean_distance(case, data):
    edges, others = data.draw(cuts(case.n_frames)), data.draw(cuts(case.n_frames))
    query, candidate = rectangles(case.query, edges), rectangles(case.candidate, others)
    envelope = envelope_rectangles(query_envelope(case.query, weights=case.weights), edges)
    largest = np.maximum.reduceat(case.weights, edges[:-1], axis=0)

    distance = euclid(case.query, case.candidate, weights=case.weights)

    assert rectangle_bound(envelope, edges, candidate) <= distance + case.slack
    limit = rectangle_limit(query, candidate, largest)
    assert limit >= distance - case.slack
    assert limit >= dtw(case.query, case.candidate, weights=case.weights, radius=case.radii) - case.slack


@given(case=search_cases(), data=st.data())
def test_rectangles_never_promise_less_than_lcss(case, data):
    edges, others = data.draw(cuts(case.n_frames)), data.draw(cuts(case.n_frames))
    whole = match_envelope(case.query, thresholds=case.thresholds, radius=case.radii)
    envelope, boxes = match_rectangles(whole, edges), rectangles(case.candidate, others)

    bound = rectangle_likeness(envelope, edges, boxes)

    assert bound == rectangle_likeness_reference(envelope, edges, boxes)
    assert bound.n_common >= lcss_bound(case.candidate, whole).n_common
    found = lcss(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)
    assert bound.n_common >= found.n_common


@given(case=search_cases())
def test_rectangles_of_single_frames_are_the_frames(case):
    edges = np.arange(case.n_frames + 1)
    whole = query_envelope(case.query, weights=case.weights, radius=case.radii)

    bound = rectangle_bound(envelope_rectangles(whole, edges), edges, rectangles(case.candidate, edges))

    assert bound == pytest.approx(keogh_bound(case.candidate, whole), abs=case.slack)


def test_slip_overlap_in_time_counts_frames():
    """Half-open: [0, 4) and [2, 6) share 2 frames. One too few, and the limit falls below the distance."""
    query, candidate = np.zeros((6, 1)), np.full((6, 1), 2.0)
    boxes = Rectangles(np.array([0, 2, 6]), np.full((2, 1), 2.0), np.full((2, 1), 2.0))
    edges = np.array([0, 4, 6])
    envelope = envelope_rectangles(query_envelope(query), edges)

    distance = euclid(query, candidate)

    assert distance == rectangle_bound(envelope, edges, boxes) == 24.0
    assert rectangle_limit(rectangles(query, edges), boxes, np.ones((2, 1))) == distance
    overlaps = [2, 2, 2]
    assert sum(4.0 * (n_frames - 1) for n_frames in overlaps) < distance


def test_slip_the_least_distance_is_the_weighted_square_times_the_overlap():
    """Not a root per pair of rectangles: roots do not add up to the root of the sum."""
    query = np.array([[0.0, 0.0]] * 4)
    boxes = Rectangles(np.array([0, 4]), np.array([[3.0, 1.0]]), np.array([[5.0, 2.0]]))
    envelope = envelope_rectangles(query_envelope(query, weights=np.array([2.0, 1.0])), np.array([0, 4]))

    assert rectangle_bound(envelope, np.array([0, 4]), boxes) == 4 * (2 * 9.0 + 1.0)


def test_slip_merging_by_volume_fails_where_a_dimension_never_changes():
    values = np.column_stack([[0.0, 0.1, 5.0, 5.1, 9.0, 9.1], np.zeros(6)])
    volumes = [np.prod(np.ptp(values[i : i + 2], axis=0)) for i in range(5)]
    assert set(volumes) == {0.0}  # every pair of neighbours looks alike

    assert merged_edges(values, 3).tolist() == [0, 2, 4, 6]


def test_merging_follows_the_weights():
    values = np.column_stack([[0.0, 0.0, 1.0, 1.0], [0.0, 9.0, 9.0, 0.0]])

    assert merged_edges(values, 2, weights=np.array([1.0, 0.0])).tolist() == [0, 2, 4]
    assert merged_edges(values, 3, weights=np.array([0.0, 1.0])).tolist() == [0, 1, 3, 4]


def test_edges():
    assert even_edges(10, 4).tolist() == [0, 2, 5, 7, 10]
    assert even_edges(2, 5).tolist() == [0, 1, 2]
    assert merged_edges(np.zeros((1, 2)), 3).tolist() == [0, 1]
    for bad in ([0, 3], [1, 4], [0, 2, 2, 4], [0]):
        with pytest.raises(UsageError, match="cut at ascending frames from 0 to 4"):
            rectangles(np.zeros((4, 1)), np.array(bad))
    boxes = rectangles(np.zeros((4, 1)), np.array([0, 4]))
    with pytest.raises(UsageError, match="1 rectangles need 2 edges, not 3"):
        rectangle_bound(
            envelope_rectangles(query_envelope(np.zeros((4, 1))), np.array([0, 4])), np.array([0, 2, 4]), boxes
        )
