"""Labels in order, against all ways."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.made_graphs import made_graph
from motionary.errors import UsageError
from motionary.graph.ordered_labels import is_small_enough, least_cost_in_order_reference, route_through


def labelled_graph(seed, **options):
    """Three clips, some parts of which carry a label."""
    graph = made_graph(seed, n_transitions=14, **options)
    rng = np.random.default_rng(seed + 1)
    labels = {}
    for name in ("walk", "run"):
        starts = np.sort(rng.integers(0, graph.ways.n_frames - 5, 2))
        spans = [(int(start), int(min(start + rng.integers(3, 12), graph.ways.n_frames))) for start in starts]
        labels[name] = np.array(spans)
    return replace(graph, labels=labels)


def stays_in_order(graph, route, labels):
    """Whether a route stays in each label, in order, for so many frames."""
    played = []  # of every frame of the motion, the frames of the library that it is made of
    for number, (first, last) in enumerate(route.runs):
        played += [(frame,) for frame in range(first + (number > 0), last + 1)]
        if number < len(route.taken):
            taken = int(route.taken[number])
            a, b, n = int(graph.departs[taken]), int(graph.arrives[taken]), int(graph.lengths[taken])
            played += [*((a + k, b - n + k) for k in range(1, n)), (b,)]
    at = 0
    for label, n_frames in labels:
        mask = graph.labelled(label)
        inside = [all(mask[frame] for frame in frames) for frames in played]
        run = 0
        while at < len(played):
            run = run + 1 if inside[at] else 0
            if run > n_frames:
                break
            at += 1
        else:
            return False
    return True


@settings(max_examples=80)
@given(st.integers(0, 5000), st.integers(0, 9), st.integers(0, 6))
def test_the_best_way_through_labels_is_that_of_all_ways(seed, first, second):
    graph = labelled_graph(seed)
    labels = [("walk", first), ("run", second), ("walk", 2)]
    expected = least_cost_in_order_reference(graph, 1, labels)

    if not np.isfinite(expected):
        with pytest.raises(UsageError, match=r"label '(walk|run)'"):
            route_through(graph, 1, labels, secs_per_cm=0.0)
        return
    route = route_through(graph, 1, labels, secs_per_cm=0.0)

    assert route.n_frames - 1 == expected
    assert stays_in_order(graph, route, labels)


@settings(max_examples=40)
@given(st.integers(0, 5000), st.integers(1, 3))
def test_dwell_is_obeyed_between_labels(seed, dwell):
    graph = labelled_graph(seed, dwell=dwell)
    labels = [("walk", 4), ("run", 3)]
    try:
        route = route_through(graph, 1, labels)
    except UsageError:
        return

    assert route.obeys_dwell()
    assert stays_in_order(graph, route, labels)


def test_better_transitions_are_worth_a_longer_way():
    graph = labelled_graph(23)
    labels = [("walk", 3), ("run", 3)]

    def cost(secs_per_cm):
        route = route_through(graph, 1, labels, secs_per_cm=secs_per_cm)
        return np.sqrt(graph.costs[route.taken]).sum(), route.n_frames

    short, cheap = cost(0.0), cost(1.0)

    assert short[1] < cheap[1]
    assert cheap[0] < short[0]


def test_tables_have_a_largest_size():
    graph = labelled_graph(3)

    assert is_small_enough(graph, [("walk", 100)])
    assert not is_small_enough(graph, [("walk", 1_000_000_000)])
