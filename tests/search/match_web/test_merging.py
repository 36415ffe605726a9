"""Which node of a match graph a match is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.search.match_web.merging import NEITHER, Merging, Nodes, merged_reference
from motionary.search.match_web.pieces import Links, Piece


def links(pieces):
    places = np.array([(one.motion, one.start, one.stop) for one in pieces], dtype=np.int64).reshape(-1, 3)
    return Links(places, np.zeros(len(pieces)), lambda n: places[n])


# Few motions, starts and lengths: ties, and matches that overlap by exactly what is asked for, are frequent
pieces = st.builds(
    lambda motion, start, length: Piece(motion, start, start + length),
    st.integers(0, 2),
    st.integers(0, 12),
    st.integers(1, 20),
)
mergings = st.sampled_from([Merging(), Merging(0.5, 0.5, 2.0), Merging(0.6, 0.1), Merging(longest=1.0)])


@given(
    st.integers(-1, 2),
    st.lists(st.lists(pieces, max_size=12), max_size=4),
    mergings,
    st.none() | st.sets(st.integers(0, 2)),
)
def test_nodes_are_those_of_the_definition(motion, batches, merging, allowed):
    query = Piece(motion, 3, 11)
    nodes = Nodes(query, merging, allowed)
    plain, merged = [query], [[]]

    for batch in batches:
        found = nodes.merge(links(batch)).tolist()

        assert found == merged_reference(plain, merged, links(batch), merging, allowed)
    assert [nodes[n] for n in range(nodes.n)] == plain


def test_no_more_nodes_come_than_are_wanted():
    nodes = Nodes(Piece(0, 0, 10), Merging(), None)

    found = nodes.merge(links([Piece(1, 0, 10), Piece(2, 0, 10), Piece(3, 0, 10), Piece(1, 0, 11)]), most=2)

    assert found.tolist() == [1, 2, NEITHER, 1]


@pytest.mark.parametrize(
    "options",
    [
        {"same_above": "x"},
        {"same_above": 2.0},
        {"new_below": 0.9},
        {"new_below": 0.0},
        {"longest": 0.0},
        {"longest": None},
        {"new_below": True},
        {"longest": float("nan")},
    ],
)
def test_what_leaves_no_match_is_refused(options):
    with pytest.raises(UsageError):
        Merging(**options)
