"""Matches, and where to cut their list."""

from dataclasses import replace

import numpy as np
import pytest

from motionary.alignment import Alignment, Match, Result, suggested_cut
from motionary.motion import Segment


def test_what_a_match_says_of_itself():
    alignment = Alignment(np.array([[0, 0], [1, 1]]))
    match = Match(Segment(3, 10, 12), 0.5, 2.5, "cm", "dtw", alignment, 2, 30.0, scale=1.1, mirrored=True, clip="walk")

    assert match.as_json() == {
        "clip": "walk",
        "id": 3,
        "start": 10,
        "stop": 12,
        "distance": 0.5,
        "mean": 2.5,
        "unit": "cm",
        "method": "dtw",
        "scale": 1.1,
        "mirrored": True,
        "tier": 1,
    }
    assert Match(Segment(3, 10, 12), 0.5, 2.5, "cm", "dtw", alignment, 2, 30.0).as_json()["clip"] == "#3"
    assert repr(match) == "Match(walk:10-12, dtw 2.5 cm, mirrored)"


def test_a_result_is_a_sequence_of_its_matches():
    alignment = Alignment(np.array([[0, 0], [1, 1]]))
    first, second = (Match(Segment(n, 0, 2), 0.5, 2.5, "", "lcss", alignment, 2, 30.0) for n in (1, 2))
    result = Result()
    result.matches = (first, second)

    assert (len(result), list(result), result[0], result[-1:]) == (2, [first, second], first, (second,))
    assert repr(result) == "Result(2 matches, nearest #1:0-2)"
    result.matches = (first, replace(second, clip="<b>", mirrored=True))
    assert "<td>2</td><td>&lt;b&gt;:0-2</td><td>2.50 </td><td>mirrored</td>" in result._repr_html_()
    result.matches = (first,) * 53
    assert result._repr_html_().endswith("<p>and 3 more</p>")
    result.matches = ()
    assert (len(result), bool(result), repr(result)) == (0, True, "Result(0 matches)")


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        ([], None),
        ([1.0, 5.0, 9.0], None),  # the first two ranks say nothing
        ([1.0, 1.0, 1.0, 2.0], 3),
        ([1.0, 1.0, 1.0, 1.29], None),
        ([1.0, 1.0, 1.0, 1.4, 2.8, 2.9], 4),
        ([1.0, 1.0, 1.0, 2.0, 4.0], 3),  # the first of equal gaps
        ([0.0, 0.0, 0.0, 1e-9, 5.0], 3),
        ([-2.0, -2.0, -2.0, -1.0, 3.0], None),
        ([1.0] * 100 + [50.0], None),  # beyond rank 100
        ([1.0] * 99 + [50.0], 99),
    ],
)
def test_the_cut_is_at_the_largest_gap(sizes, cut):
    assert suggested_cut(sizes) == cut
