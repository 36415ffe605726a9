from hypothesis import given, settings
from hypothesis import strategies as st

from graph.made_graphs import made_graph
from motionary.graph.components import strong_transitions_reference, within_components


@settings(max_examples=60)
@given(st.integers(0, 5000), st.integers(0, 20), st.integers(0, 4))
def test_strong_components_under_dwell_are_those_of_all_frames(seed, n_transitions, dwell):
    graph = made_graph(seed, n_transitions=n_transitions, dwell=dwell)
    expected = strong_transitions_reference(
        graph.ways.n_frames, graph.clip_stops, graph.departs, graph.arrives, dwell=dwell
    )

    inside, component = within_components(graph.choices)

    groups: dict[int, set[int]] = {}
    for number in inside.nonzero()[0].tolist():
        groups.setdefault(int(component[number]), set()).add(number)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, expected))
    assert sorted(graph.components(), reverse=True) == sorted(map(len, expected), reverse=True)
    assert graph.pruned().n_transitions == max(map(len, expected), default=0)


def test_a_pruned_graph_has_no_dead_end():
    graph = made_graph(7, n_clips=6, n_frames=20, n_transitions=80, dwell=2).pruned()

    assert graph.n_transitions
    assert (graph.choices.leads_to >= 0).all()
    assert graph.pruned().n_transitions == graph.n_transitions
