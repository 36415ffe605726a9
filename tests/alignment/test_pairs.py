"""Alignments: what they may be, and how gaps are filled."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import Alignment, lcss_alignment
from motionary.errors import UsageError


@pytest.mark.parametrize("pairs", [[[1, 1], [0, 2]], [[0, 0], [0, 0]], [[-1, 0]], [[2, 3], [3, 2]]])
def test_an_alignment_goes_forward(pairs):
    with pytest.raises(UsageError, match="must go forward in time"):
        Alignment(np.array(pairs))


@pytest.mark.parametrize(
    ("pairs", "completed"),
    [
        ([], [[0, 0], [1, 1], [2, 2]]),
        ([[1, 1]], [[0, 0], [1, 1], [2, 2]]),
        ([[0, 0], [2, 2]], [[0, 0], [1, 1], [2, 2]]),
        ([[2, 0]], [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]),
        ([[0, 2]], [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]]),
    ],
)
def test_gaps_are_filled_by_hand(pairs, completed):
    assert Alignment(np.array(pairs)).completed(3, 3).pairs.tolist() == completed


@given(case=search_cases())
def test_a_completed_alignment_keeps_its_pairs_and_leaves_no_frame_out(case):
    _, alignment = lcss_alignment(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)

    whole = alignment.completed(case.n_frames, case.n_frames)

    pairs = {tuple(pair) for pair in whole.pairs.tolist()}
    assert {tuple(pair) for pair in alignment.pairs.tolist()} <= pairs
    assert not whole.has_gaps
    assert whole.pairs[0].tolist() == [0, 0]
    assert whole.pairs[-1].tolist() == [case.n_frames - 1] * 2


def test_lengths_may_differ():
    assert Alignment(np.zeros((0, 2))).completed(2, 4).pairs[:, 1].tolist() == [0, 1, 2, 3]
    assert Alignment(np.array([[0, 0]])).completed(1, 3).pairs.tolist() == [[0, 0], [0, 1], [0, 2]]
    assert Alignment(np.array([[3, 0]])).completed(5, 1).pairs.tolist() == [[i, 0] for i in range(5)]
