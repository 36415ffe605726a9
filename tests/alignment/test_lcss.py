"""LCSS by hand, against its reference, and its alignments."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import Likeness, lcss, lcss_alignment
from motionary.alignment.lcss import lcss_reference
from motionary.errors import UsageError


@given(case=search_cases(max_frames=16))
def test_lcss_is_its_definition(case):
    found = lcss(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)

    assert found == lcss_reference(case.query, case.candidate, case.thresholds, case.radii)
    assert 0 <= found.n_common <= found.n_counted <= case.n_frames


@given(case=search_cases(max_frames=16))
def test_the_alignment_is_as_long_and_all_its_pairs_match(case):
    likeness, alignment = lcss_alignment(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)

    assert likeness == lcss(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)
    assert alignment.n_pairs == likeness.n_common
    assert (np.diff(alignment.pairs, axis=0) >= 1).all()
    for i, j in alignment.pairs:
        gaps, thresholds = np.abs(case.query[i] - case.candidate[j]), case.thresholds[i]
        assert abs(i - j) <= case.radii[i]
        assert np.where(thresholds >= 0, gaps <= thresholds, gaps > -thresholds).all()
        assert np.isfinite(thresholds).any()


def test_inclusion_exclusion_and_do_not_care():
    query, candidate = np.zeros((3, 2)), np.array([[0.1, 0.0], [0.3, 0.0], [0.1, 5.0]])

    assert lcss(query, candidate, thresholds=np.array([0.2, 1.0])).n_common == 1
    assert lcss(query, candidate, thresholds=np.array([0.2, np.inf])).n_common == 2
    assert lcss(query, candidate, thresholds=np.array([0.2, -1.0])).n_common == 1  # near in one, unlike in the other
    assert lcss(query, candidate, thresholds=np.array([0.3, np.inf])).n_common == 3  # on the threshold is within
    assert lcss(query, candidate, thresholds=np.array([-0.3, np.inf])).n_common == 0  # and not beyond it
    assert lcss(query, candidate, thresholds=np.array([-0.1, np.inf])) == Likeness(1, 3)


def test_frames_that_do_not_care_at_all_leave_count_and_length():
    query, candidate = np.zeros((4, 1)), np.array([[0.0], [9.0], [9.0], [0.0]])
    thresholds = np.array([[1.0], [np.inf], [np.inf], [1.0]])

    found, alignment = lcss_alignment(query, candidate, thresholds=thresholds)

    assert (found.similarity, found.distance) == (1.0, 0.0)
    assert found.n_counted == 2
    assert alignment.pairs.tolist() == [[0, 0], [3, 3]]
    assert alignment.has_gaps


def test_a_query_that_does_not_care_at_all_is_refused():
    with pytest.raises(UsageError, match="all thresholds are infinite, so nothing would be compared"):
        lcss(np.zeros((2, 1)), np.zeros((2, 1)), thresholds=np.array([np.inf]))


def test_nothing_in_common_is_no_match():
    found = lcss(np.zeros((2, 1)), np.ones((2, 1)), thresholds=np.array([0.5]))

    assert found.similarity == 0.0
    assert not found.is_match


def test_time_may_shift_within_the_window():
    query, candidate = np.arange(5.0)[:, None], np.arange(5.0)[:, None] + 1.0

    assert [lcss(query, candidate, thresholds=np.array([0.1]), radius=r).n_common for r in (0, 1, 4)] == [0, 4, 4]
    varying = np.array([0, 1, 0, 1, 1])
    assert lcss(query, candidate, thresholds=np.array([0.1]), radius=varying).n_common == 3
