from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.made_graphs import made_graph
from motionary.errors import UsageError
from motionary.graph import Route, random_walk, shortest_route, times_to
from motionary.graph.searching import goal_mask, shortest_frames_reference
from motionary.graph.statistics import reach_secs, unreachable_labels, walked_frames


@settings(max_examples=60)
@given(st.integers(0, 5000), st.integers(0, 25), st.integers(0, 3))
def test_the_shortest_way_is_that_of_an_exhaustive_search(seed, n_transitions, dwell):
    graph = made_graph(seed, n_transitions=n_transitions, dwell=dwell)
    start, goal = np.random.default_rng(seed).integers(0, graph.ways.n_frames, 2).tolist()
    expected = shortest_frames_reference(graph, start, goal_mask(graph, goal))

    if not np.isfinite(expected):
        with pytest.raises(UsageError, match="no path in this graph leads"):
            shortest_route(graph, start, goal, secs_per_cm=0.0)
        return
    route = shortest_route(graph, start, goal, secs_per_cm=0.0)

    assert route.n_frames - 1 == expected
    assert route.stop == goal
    assert route.obeys_dwell()


@pytest.mark.parametrize("seed", range(5))
def test_of_many_ways_the_shortest_is_found(seed):
    """Clips long enough, and transitions enough, that ways differ by how long clips play before the next departure."""
    graph = made_graph(seed, n_clips=4, n_frames=30, n_transitions=30, dwell=seed % 3)
    for goal in range(3, graph.ways.n_frames, 9):
        mask = goal_mask(graph, goal)
        expected = shortest_frames_reference(graph, 0, mask)

        assert times_to(graph, mask)[0] == expected
        if np.isfinite(expected):
            assert shortest_route(graph, 0, goal, secs_per_cm=0.0).n_frames - 1 == expected


@settings(max_examples=30)
@given(st.integers(0, 5000), st.integers(0, 2))
def test_times_to_a_goal_are_those_of_the_shortest_ways(seed, dwell):
    graph = made_graph(seed, n_transitions=12, dwell=dwell)
    goal = np.zeros(graph.ways.n_frames, dtype=bool)
    goal[np.random.default_rng(seed).integers(0, len(goal), 2)] = True

    times = times_to(graph, goal)

    for frame in range(0, graph.ways.n_frames, 3):
        assert times[frame] == shortest_frames_reference(graph, frame, goal)


def big_graph(dwell=0):
    return made_graph(1, n_clips=8, n_frames=40, n_transitions=300, dwell=dwell).pruned()


def test_walks_never_end_and_are_the_same_for_the_same_seed():
    graph = big_graph(dwell=3)

    walks = [random_walk(graph, rng=np.random.default_rng(seed), n_transitions=20_000) for seed in (1, 1, 2)]

    assert len(walks[0].taken) == 20_000
    assert walks[0].all_lead_on
    assert walks[0].obeys_dwell()
    assert (walks[0].taken == walks[1].taken).all()
    assert (walks[0].taken != walks[2].taken).any()


def test_a_walk_that_comes_to_a_dead_end_says_so():
    with pytest.raises(UsageError, match="dead end after 1 transitions; walk a pruned graph"):
        random_walk(made_graph(4), rng=np.random.default_rng(0), secs=60.0)


def test_walks_are_as_long_as_wanted_and_drawn_to_labels():
    graph = big_graph()
    mask = graph.labelled("first")

    def share(walk: Route) -> float:
        return float(np.mean([mask[first : last + 1].mean() for first, last in walk.runs]))

    plain = random_walk(graph, rng=np.random.default_rng(0), secs=60.0)
    drawn = random_walk(graph, rng=np.random.default_rng(0), secs=60.0, prefer={"first": 20.0})

    assert plain.duration_secs == pytest.approx(60.0, abs=2.0)
    assert share(drawn) > share(plain)
    with pytest.raises(UsageError, match="labelled 'second'; there are: first"):
        random_walk(graph, rng=np.random.default_rng(0), secs=1.0, prefer={"second": 1.0})


def test_labels_that_no_walk_comes_to_are_told():
    graph = big_graph()
    before = int(graph.arrives[graph.ways.clip_of(graph.arrives) == 0].min())
    labels = {"early": np.array([[0, before]]), "later": np.array([[0, before + 1]])}

    assert before > 0
    assert unreachable_labels(replace(graph, labels=labels)) == ["early"]


def test_reach_is_that_of_all_frames_that_are_walked():
    """Not only from departures to arrivals, which are next to transitions."""
    graph = made_graph(4, n_clips=3, n_frames=24, n_transitions=20, dwell=1).pruned()
    walked = np.flatnonzero(walked_frames(graph)).tolist()
    masks = {goal: goal_mask(graph, goal) for goal in walked}
    frames = [shortest_frames_reference(graph, start, masks[goal]) for start in walked for goal in walked]

    found = reach_secs(graph, n_goals=len(walked))

    assert len(walked) > 20
    expected = np.quantile(frames, [0.5, 0.9, 1.0]) / graph.rate_hz
    assert list(found.values()) == pytest.approx(expected, abs=0.006)


def test_what_is_not_allowed_is_not_played():
    graph = big_graph()
    allowed = np.ones(graph.ways.n_frames, dtype=bool)
    barred = slice(int(graph.ways.starts[1]) + 5, int(graph.ways.starts[1]) + 12)
    allowed[barred] = False

    walk = random_walk(graph.restricted(allowed).pruned(), rng=np.random.default_rng(0), n_transitions=500)

    played = np.zeros(graph.ways.n_frames, dtype=bool)
    for first, last in walk.runs:
        played[first : last + 1] = True
    assert played.any()
    assert not played[barred].any()
