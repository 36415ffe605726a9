import numpy as np
import pytest

from motionary.search.match_web.match_graph import Link, Merging, Piece, match_graph


def line(piece, other):
    """A straight way from one piece to another."""
    n = max(piece.stop - piece.start, other.stop - other.start)
    ends = [np.linspace(one.start, one.stop - 1, n).round() for one in (piece, other)]
    return lambda: np.stack(ends, axis=1).astype(np.int32)


def web(table):
    """What is like each piece, from (piece, other, cost)."""
    return lambda piece: [
        Link(other, cost, line(piece, other)) for one, other, cost in table if one.overlap(piece) > 0.7
    ]


A, B, C, D = (Piece(motion, 10, 30) for motion in range(4))


def test_matches_of_matches_are_found_and_ranked_along_the_shortest_path():
    links = web([(A, B, 0.01), (A, C, 0.05), (B, C, 0.02), (C, D, 0.01)])

    graph = match_graph(A, links)

    assert graph.nodes == [A, B, C, D]
    assert graph.tiers == [0, 1, 1, 2]
    distances, before = graph.distances()
    assert distances == pytest.approx([0.0, 0.01, 0.03, 0.04])
    assert before == [-1, 0, 1, 2]
    assert graph.ways(distances, before)[3].tolist() == [[n, n] for n in range(10, 30)]


def test_steps_end_a_search():
    links = web([(A, B, 0.01), (B, C, 0.02), (C, D, 0.01)])

    assert match_graph(A, links, steps=2).nodes == [A, B, C]


def test_a_rejected_match_is_no_query():
    links = web([(A, B, 0.01), (B, C, 0.02)])

    graph = match_graph(A, links, rejected=[Piece(1, 12, 33)])

    assert graph.nodes == [A, B]
    assert graph.rejected == {1}


def test_overlaps_are_merged_dropped_or_new():
    near, half, far = Piece(1, 11, 31), Piece(1, 20, 40), Piece(1, 29, 49)
    links = web([(A, B, 0.01), (A, C, 0.01), (C, near, 0.02), (C, half, 0.02), (C, far, 0.02)])

    graph = match_graph(A, links)

    assert graph.nodes == [A, Piece(1, 10, 31), C, far]  # B and `near` are one, at their average
    assert set(graph.edges) == {(0, 1), (0, 2), (2, 1), (2, 3)}


def test_what_is_much_longer_or_in_a_motion_that_is_not_allowed_stays_out():
    links = web([(A, Piece(1, 0, 200), 0.01), (A, C, 0.01), (A, D, 0.01)])

    assert match_graph(A, links, allowed={0, 1, 3}).nodes == [A, D]
    assert match_graph(A, links, merging=Merging(longest=20.0), most=1).nodes == [A, Piece(1, 0, 200)]


def test_of_two_ways_between_the_same_the_better_counts():
    links = web([(A, B, 0.03), (B, A, 0.01), (B, A, 0.02)])

    graph = match_graph(A, links)

    assert graph.nodes == [A, B]
    assert [cost for cost, _ in graph.edges.values()] == [0.01]
    distances, before = graph.distances()
    assert distances[1] == 0.01
    assert graph.ways(distances, before)[1][0].tolist() == [10, 10]
