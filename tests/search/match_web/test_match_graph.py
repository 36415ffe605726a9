from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    paths = graph.shortest_paths()
    assert paths.distances == pytest.approx([0.0, 0.01, 0.03, 0.04])
    assert paths.before == [-1, 0, 1, 2]
    assert paths.n_steps == {0: 0, 1: 1, 2: 2, 3: 3}
    assert graph.ways(paths)[3].tolist() == [[n, n] for n in range(10, 30)]


def test_where_an_edge_costs_nothing_ways_are_put_together_in_the_order_of_the_path():
    graph = match_graph(A, web([(A, B, 0.05), (A, C, 0.03), (C, B, 0.0)]))

    paths = graph.shortest_paths()

    assert paths.distances.tolist() == [0.0, 0.03, 0.03]
    assert paths.order == [0, graph.nodes.index(C), graph.nodes.index(B)]
    assert graph.ways(paths)[graph.nodes.index(B)].tolist() == [[n, n] for n in range(10, 30)]


def test_no_path_is_longer_than_the_distance_that_is_asked_for():
    links = web([(A, B, 0.01), (A, C, 0.05), (B, C, 0.02), (C, D, 0.01)])

    graph = match_graph(A, links, within=0.035)

    paths = graph.shortest_paths()
    assert {graph.nodes[node]: paths.distances[node] for node in paths.order} == pytest.approx({A: 0, B: 0.01, C: 0.03})
    assert match_graph(A, links, within=0.035, steps=1).nodes == [A, B]
    assert match_graph(A, links, within=0.05, rejected=[B]).nodes == [A, B, C]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.01, 0.03])), max_size=20),
    st.sampled_from([0.0, 0.01, 0.02, 0.04, 0.2]),
)
def test_near_matches_are_those_of_the_whole_graph_that_are_near(table, within):
    pieces = [Piece(motion, 10, 30) for motion in range(6)]
    both = web(
        [
            (pieces[x], pieces[y], cost)
            for a, b, cost in sorted(table, key=lambda one: one[2])
            if a != b
            for x, y in ((a, b), (b, a))
        ]
    )
    near, whole = match_graph(pieces[0], both, within=within), match_graph(pieces[0], both)

    found = [
        {graph.nodes[node]: distance for node, distance in enumerate(graph.shortest_paths().distances.tolist())}
        for graph in (near, whole)
    ]
    wanted = {piece: distance for piece, distance in found[1].items() if distance <= within}
    assert found[0] == pytest.approx(wanted)


costs = st.sampled_from([0.0, 0.0, 0.01, 0.03])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), costs), max_size=20), st.sets(st.integers(1, 5)))
def test_shortest_paths_are_the_least_of_all_paths_that_avoid_what_is_rejected(table, rejected):
    pieces = [Piece(motion, 10, 30) for motion in range(6)]
    links = web([(pieces[a], pieces[b], cost) for a, b, cost in table if a != b])
    graph = match_graph(pieces[0], links, rejected=[pieces[n] for n in rejected])

    paths = graph.shortest_paths()

    for node in range(1, len(graph.nodes)):
        between = [n for n in range(1, len(graph.nodes)) if n != node and n not in graph.rejected]
        best = min(
            sum(
                graph.edges.get((a, b), graph.edges.get((b, a), (np.inf, None)))[0]
                for a, b in pairwise((0, *way, node))
            )
            for n in range(len(between) + 1)
            for way in permutations(between, n)
        )
        assert paths.distances[node] == pytest.approx(best)
    assert sorted(graph.ways(paths)) == sorted(node for node in paths.order if node)
    for node in paths.order[1:]:
        assert paths.before[node] not in graph.rejected


def test_steps_end_a_search():
    links = web([(A, B, 0.01), (B, C, 0.02), (C, D, 0.01)])

    assert match_graph(A, links, steps=2).nodes == [A, B, C]


def test_a_rejected_match_is_no_query():
    links = web([(A, B, 0.01), (B, C, 0.02)])

    graph = match_graph(A, links, rejected=[Piece(1, 12, 33)])

    assert graph.nodes == [A, B]
    assert graph.rejected == {1}


def test_a_rejected_match_is_on_no_path_to_another():
    graph = match_graph(A, web([(A, B, 0.01), (A, C, 0.09), (C, B, 0.01)]), rejected=[B])

    assert graph.shortest_paths().distances[graph.nodes.index(C)] == 0.09


@pytest.mark.parametrize(
    ("stretch", "is_rejected"), [(Piece(1, 0, 300), True), (Piece(1, 19, 300), True), (Piece(1, 15, 24), False)]
)
def test_what_lies_mostly_within_a_rejected_stretch_is_rejected(stretch, is_rejected):
    graph = match_graph(A, web([(A, B, 0.01)]), rejected=[stretch])

    assert graph.rejected == ({1} if is_rejected else set())


def test_overlaps_are_merged_dropped_or_new():
    near, half, far = Piece(1, 11, 31), Piece(1, 20, 40), Piece(1, 29, 49)
    links = web([(A, B, 0.01), (A, C, 0.01), (C, near, 0.02), (C, half, 0.02), (C, far, 0.02)])

    graph = match_graph(A, links)

    assert graph.nodes == [A, Piece(1, 10, 31), C, far]  # B and `near` are one, at their average
    assert set(graph.edges) == {(0, 1), (0, 2), (2, 1), (2, 3)}


def test_averaging_brings_no_node_onto_another():
    near, far = Piece(1, 12, 32), Piece(1, 25, 45)
    links = web([(A, B, 0.01), (A, C, 0.01), (A, D, 0.01), (A, far, 0.01), (C, near, 0.02), (D, near, 0.02)])

    graph = match_graph(A, links)

    assert near.overlap(far) > 0.2
    assert graph.nodes == [A, Piece(1, 11, 31), C, D, far]  # where the average of all three would overlap `far`


def test_what_is_much_longer_or_in_a_motion_that_is_not_allowed_stays_out():
    links = web([(A, Piece(1, 0, 200), 0.01), (A, C, 0.01), (A, D, 0.01)])

    assert match_graph(A, links, allowed={0, 1, 3}).nodes == [A, D]
    assert match_graph(A, links, merging=Merging(longest=20.0), most=1).nodes == [A, Piece(1, 0, 200)]


def test_of_two_ways_between_the_same_the_better_counts():
    links = web([(A, B, 0.03), (B, A, 0.01), (B, A, 0.02)])

    graph = match_graph(A, links)

    assert graph.nodes == [A, B]
    assert [cost for cost, _ in graph.edges.values()] == [0.01]
    paths = graph.shortest_paths()
    assert paths.distances[1] == 0.01
    assert graph.ways(paths)[1][0].tolist() == [10, 10]


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(14, 26), st.integers(0, 60), st.integers(14, 26)), max_size=30)
)
def test_no_two_nodes_are_nearly_the_same_however_they_were_averaged(table):
    pieces = [(Piece(a % 2, a, a + n), Piece(b % 3, b, b + m)) for a, n, b, m in table]

    graph = match_graph(A, web([(one, other, 0.01) for one, other in pieces] + [(A, B, 0.0), (A, C, 0.0)]))

    for one, other in combinations(graph.nodes, 2):
        assert one.overlap(other) < 0.2


def test_a_way_that_only_the_other_end_knows_is_turned_round():
    long = Piece(1, 50, 90)

    def links(piece):
        if piece == A:
            return [Link(C, 0.01, line(A, C))]
        return [Link(long, 0.01, line(C, long))] if piece == C else [Link(A, 0.005, line(long, A))]

    graph = match_graph(A, links)

    paths, node = graph.shortest_paths(), graph.nodes.index(long)
    assert paths.before[node] == 0  # by the alignment that was asked for from its own side
    assert graph.ways(paths)[node].tolist() == line(long, A)()[:, ::-1].tolist()
