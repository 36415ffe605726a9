"""Uniform scaling: lengths, resampling, and one bound for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.search_cases import search_cases
from motionary.alignment import (
    dtw,
    euclid,
    keogh_bound,
    query_envelope,
    sampled_frames,
    sampled_rows,
    scaled_bound,
    scaled_envelope,
    scaled_lengths,
)
from motionary.errors import UsageError


def resampled(values: np.ndarray, length: int) -> np.ndarray:
    """A table at other frames, in straight lines."""
    frames = sampled_frames(len(values), length)
    return np.stack([np.interp(frames, np.arange(len(values)), column) for column in values.T], axis=1)


def test_every_whole_length_is_tried():
    assert list(scaled_lengths(60, 0.1)) == list(range(54, 67))
    assert list(scaled_lengths(10, 0.3)) == list(range(7, 14))
    assert list(scaled_lengths(7, 0.1)) == [7]
    assert list(scaled_lengths(1, 0.9)) == [1]
    assert list(scaled_lengths(30, 0.0)) == [30]
    with pytest.raises(UsageError, match="scale must be at least 0 and below 1, not 1"):
        scaled_lengths(10, 1.0)


def test_ends_lie_on_ends():
    assert sampled_frames(5, 9).tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    assert sampled_frames(5, 3).tolist() == [0, 2, 4]
    assert sampled_frames(5, 1).tolist() == [0]
    assert sampled_frames(1, 3).tolist() == [0, 0, 0]


def test_radii_and_thresholds_are_those_of_the_nearest_frame():
    assert sampled_rows(np.array([0, 5, 9]), 5).tolist() == [0, 5, 5, 9, 9]
    assert sampled_rows(np.array([[np.inf], [-1.0]]), 3).tolist() == [[np.inf], [-1.0], [-1.0]]


@given(case=search_cases(negative=False), scale=st.sampled_from([0.0, 0.25, 0.5]))
def test_one_bound_never_exceeds_the_distance_at_any_scale(case, scale):
    n_frames, lengths = case.n_frames, scaled_lengths(case.n_frames, scale)
    candidate = np.concatenate([case.candidate, case.query])[: lengths[-1]]
    scaled = [(resampled(case.query, p), sampled_rows(case.weights, p), sampled_rows(case.radii, p)) for p in lengths]
    envelope = scaled_envelope([query_envelope(query, weights=w, radius=radii) for query, w, radii in scaled])

    bound = scaled_bound(candidate, envelope, n_frames=n_frames, longest=lengths[-1])

    for p, (query, weights, radii) in zip(lengths, scaled, strict=True):
        distance = dtw(query, candidate[:p], weights=weights, radius=radii) * n_frames / p
        assert bound <= distance + 4.0 * case.slack


def test_slip_the_envelope_of_the_largest_stretch_does_not_cover_the_others():
    query = np.array([[0.0], [0.0], [8.0], [8.0]])
    lengths = scaled_lengths(4, 0.5)
    candidate = np.concatenate([resampled(query, 2), np.full((4, 1), 8.0)])
    distance = euclid(resampled(query, 2), candidate[:2]) * 4 / 2
    largest = query_envelope(resampled(query, 6))
    union = scaled_envelope([query_envelope(resampled(query, p)) for p in lengths])

    assert distance == 0.0
    assert keogh_bound(candidate, largest) * 4 / 6 > distance
    assert scaled_bound(candidate, union, n_frames=4, longest=6) <= distance


def test_negative_weights_have_no_bound_for_all_scales():
    envelope = query_envelope(np.zeros((2, 1)), weights=np.array([-1.0]))
    with pytest.raises(UsageError, match="a bound for all scales needs weights"):
        scaled_bound(np.zeros((2, 1)), envelope, n_frames=2, longest=2)
