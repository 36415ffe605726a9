import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.made_graphs import made_graph
from motionary.blend import blend_poses
from motionary.graph import Route
from motionary.graph.ways import blend_moves_reference
from motionary.motion import Placement, ease


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(1, 2))
def test_transitions_move_the_body_as_the_definition_says(seed, half):
    graph = made_graph(seed, half=half)
    turns, moves = graph.moves

    for n in range(graph.n_transitions):
        expected = blend_moves_reference(
            graph.ways, int(graph.departs[n]), int(graph.arrives[n]), int(graph.lengths[n])
        )
        assert turns[n] == pytest.approx(expected[0], abs=1e-12)
        assert moves[n] == pytest.approx(expected[1], abs=1e-12)


def test_plans_move_as_blends_do():
    graph = made_graph(3, n_frames=30, half=4, n_transitions=4)
    ways, n = graph.ways, 0
    spans = [(graph.departs[n], graph.departs[n] + 8), (graph.arrives[n] - 8, graph.arrives[n])]
    frames = [slice(a, b + 1) for a, b in spans]
    root = np.stack(
        [np.stack([ways.places[f].real, 0 * ways.headings[f], ways.places[f].imag], axis=1) for f in frames]
    )
    half_turn = np.stack([0.5 * ways.headings[f] for f in frames])
    zeros = np.zeros_like(half_turn)
    local = np.stack([np.cos(half_turn), zeros, np.sin(half_turn), zeros], axis=-1)[:, :, None]
    weights = ease(np.arange(9) / 8)

    blend = blend_poses(
        root, local, np.stack([1 - weights, weights], axis=1),
        headings_of_sources=2 * half_turn, start=Placement(0.0, 0.0, 0.0),
    )  # fmt: skip

    turns, moves = graph.moves
    assert blend.headings[-1] == pytest.approx(turns[n], abs=1e-9)
    assert complex(blend.root_positions[-1, 0], blend.root_positions[-1, 2]) == pytest.approx(moves[n], abs=1e-9)


def test_a_route_knows_its_length_and_seams():
    graph = made_graph(5, n_clips=4, n_frames=20, n_transitions=60).pruned()
    number = 0
    follower = int(graph.choices.leads_to[number])
    route = Route(graph, int(graph.departs[number]), np.array([number, follower]), int(graph.arrives[follower]))

    headings, places = route.way

    assert len(headings) == len(places) == route.n_frames
    assert route.seams[0] == (0, int(graph.lengths[number]))
    assert route.seams[1][1] == route.n_frames - 1
    assert route.all_lead_on
    with pytest.raises(ValueError, match="can be played"):
        Route(graph, 5, np.zeros(0, dtype=int), 4)
