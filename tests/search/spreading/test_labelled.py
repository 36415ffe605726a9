import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Segment
from motionary.search.spreading.labelled import MOST_PIECES, LabelledSegment, pieces, some_of_each


@pytest.mark.parametrize(
    ("start", "stop", "expected"),
    [
        (3, 63, [(3, 63)]),
        (0, 1, [(0, 1)]),
        (0, 61, [(0, 60), (1, 61)]),
        (10, 100, [(10, 70), (40, 100)]),
        (0, 1000, [(0, 60), (235, 295), (470, 530), (705, 765), (940, 1000)]),
    ],
)
def test_pieces_of_two_seconds_at_30_hz(start, stop, expected):
    assert pieces(start, stop, rate_hz=30.0) == expected


@given(st.integers(0, 500), st.integers(1, 2000))
def test_pieces_lie_within_and_reach_both_ends(start, n_frames):
    found = pieces(start, start + n_frames, rate_hz=30.0)

    assert 1 <= len(found) <= MOST_PIECES
    assert (found[0][0], found[-1][1]) == (start, start + n_frames)
    assert all(stop - first == min(n_frames, 60) for first, stop in found)


def test_some_of_each_label_from_all_over():
    examples = [LabelledSegment(Segment(n, 0, 1), "walk") for n in range(1, 10)]
    examples += [LabelledSegment(Segment(2, 5, 9), "run")]

    assert [(one.segment.clip_id, one.label) for one in some_of_each(examples, 3)] == [
        (1, "walk"),
        (2, "run"),
        (5, "walk"),
        (9, "walk"),
    ]
    assert some_of_each(examples, 99) == sorted(examples)
