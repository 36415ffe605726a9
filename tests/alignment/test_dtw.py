"""DTW by hand, against its reference and against every path there is."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import dtw, dtw_alignment, euclid
from motionary.alignment.dtw import dtw_reference


def all_paths(n_frames: int, radii: np.ndarray) -> Iterator[list[tuple[int, int]]]:
    """Every path in the window from the first pair to the last."""

    def onward(path: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        i, j = path[-1]
        if (i, j) == (n_frames - 1, n_frames - 1):
            yield path
        for a, b in ((i + 1, j), (i, j + 1), (i + 1, j + 1)):
            if a < n_frames and b < n_frames and abs(a - b) <= radii[a]:
                yield from onward([*path, (a, b)])

    return onward([(0, 0)])


@given(case=search_cases())
def test_dtw_is_its_definition(case):
    distance = dtw(case.query, case.candidate, weights=case.weights, radius=case.radii)

    assert distance == pytest.approx(
        dtw_reference(case.query, case.candidate, case.weights, case.radii), abs=case.slack
    )


@given(case=search_cases(max_frames=5))
def test_the_reference_is_the_least_sum_of_all_paths(case):
    costs = np.sum(case.weights[:, None] * (case.query[:, None] - case.candidate[None]) ** 2, axis=-1)
    least = min(sum(costs[pair] for pair in path) for path in all_paths(case.n_frames, case.radii))

    assert dtw_reference(case.query, case.candidate, case.weights, case.radii) == pytest.approx(least, abs=case.slack)


@given(case=search_cases())
def test_a_window_of_0_is_the_euclidean_distance_to_the_last_bit(case):
    assert dtw(case.query, case.candidate, weights=case.weights, radius=0) == euclid(
        case.query, case.candidate, weights=case.weights
    )


@given(case=search_cases())
def test_the_alignment_has_the_distance_and_stays_in_the_window(case):
    warped = dtw_alignment(case.query, case.candidate, weights=case.weights, radius=case.radii)

    assert warped.distance == dtw(case.query, case.candidate, weights=case.weights, radius=case.radii)
    pairs = warped.alignment.pairs
    assert pairs[0].tolist() == [0, 0]
    assert pairs[-1].tolist() == [case.n_frames - 1] * 2
    assert not warped.alignment.has_gaps
    assert (np.abs(pairs[:, 0] - pairs[:, 1]) <= case.radii[pairs[:, 0]]).all()
    costs = np.sum(case.weights[pairs[:, 0]] * (case.query[pairs[:, 0]] - case.candidate[pairs[:, 1]]) ** 2)
    assert costs == pytest.approx(warped.distance, abs=case.slack)
    assert warped.mean == warped.distance / len(pairs)


@given(case=search_cases(negative=False))
def test_giving_up_never_loses_a_candidate(case):
    whole = dtw(case.query, case.candidate, weights=case.weights, radius=case.radii)

    for threshold in (0.0, 0.5 * whole, whole, 2.0 * whole):
        found = dtw(case.query, case.candidate, weights=case.weights, radius=case.radii, give_up_above=threshold)
        assert found == whole or (found == np.inf and whole > threshold)


def test_negative_weights_are_never_abandoned():
    """A partial sum above the threshold may still come down."""
    query, candidate = np.array([[5.0, 0.0], [0.0, 5.0]]), np.zeros((2, 2))

    assert dtw(query, candidate, weights=np.array([1.0, -2.0]), give_up_above=0.0) == -25.0


def test_by_hand():
    query = np.array([[0.0], [0.0], [1.0], [2.0]])
    candidate = np.array([[0.0], [1.0], [2.0], [2.0]])

    assert dtw(query, candidate) == 2.0
    assert dtw(query, candidate, radius=1) == 0.0
    warped = dtw_alignment(query, candidate, radius=1)
    assert warped.alignment.pairs.tolist() == [[0, 0], [1, 0], [2, 1], [3, 2], [3, 3]]
    assert dtw(query, candidate, radius=np.array([1, 1, 1, 0])) == 1.0  # tight at the end
    assert dtw(query, candidate, radius=np.array([1, 1, 0, 0])) == 2.0


def test_among_paths_of_equal_sums_the_diagonal_is_taken():
    same = np.zeros((4, 1))

    assert dtw_alignment(same, same, radius=3).alignment.pairs.tolist() == [[i, i] for i in range(4)]


def test_all_dimensions_warp_together():
    query = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    candidate = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]])

    assert dtw(query[:, :1], candidate[:, :1], radius=1) == dtw(query[:, 1:], candidate[:, 1:], radius=1) == 0.0
    assert dtw(query, candidate, radius=1) > 0.0
