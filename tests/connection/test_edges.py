import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.connection import Edges, reach
from motionary.graph import TRANSITION, MotionGraph, Ways
from transition.pools import small_pool


@st.composite
def some_edges(draw: st.DrawFn) -> Edges:
    """Up to eight edges between three clips of 12 frames."""
    starts = np.array([0, 12, 24, 36])
    rows = set()
    for _ in range(draw(st.integers(0, 8))):
        length = draw(st.integers(2, 4))
        source, target = draw(st.integers(0, 2)), draw(st.integers(0, 2))
        depart = 12 * source + draw(st.integers(0, 11 - length))
        rows.add((depart, 12 * target + draw(st.integers(length, 11)), length))
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    costs = np.array([draw(st.floats(0.0, 0.1)) for _ in rows])
    return Edges(starts, table[:, 0], table[:, 1], table[:, 2], costs)


def reached_reference(edges: Edges, start: int, most_frames: int) -> dict[int, int]:
    """The fewest frames to the departure of every edge that can be left again in time, frame by frame."""
    found: dict[int, int] = {}
    seen: dict[tuple[int, bool], int] = {}
    states = [(start, False, 0)]
    while states:
        frame, landed, frames = states.pop()
        if frames > most_frames or seen.get((frame, landed), most_frames + 1) <= frames:
            continue
        seen[frame, landed] = frames
        if frame + 1 < edges.clip_stop(frame):
            states.append((frame + 1, False, frames + 1))
        if not landed:  # the clip is played for a frame between two edges
            for edge in np.flatnonzero(edges.departs == frame).tolist():
                after = frames + int(edges.lengths[edge])
                if after <= most_frames:
                    found[edge] = min(found.get(edge, frames), frames)
                    states.append((int(edges.arrives[edge]), True, after))
    return found


@given(edges=some_edges(), start=st.integers(0, 35), most=st.integers(0, 30))
def test_edges_are_reached_as_early_as_can_be(edges, start, most):
    found = reach(edges, [start], most, frames_per_metre=0.0)

    assert {e: int(found.taken_at[e]) for e in found.taken} == reached_reference(edges, start, most)


@given(edges=some_edges(), start=st.integers(0, 35), most=st.integers(0, 30), price=st.floats(0.0, 500.0))
def test_ways_can_be_gone_in_the_time_that_they_say(edges, start, most, price):
    found = reach(edges, [start], most, frames_per_metre=price)

    for edge in found.taken.tolist():
        at, frames = start, 0
        for number, one in enumerate(found.way(edge)):
            at = at + 1 if number else at
            assert at <= edges.departs[one] < edges.clip_stop(at)
            frames += int(edges.departs[one]) - at + (1 if number else 0)
            if one == edge:
                assert frames == found.taken_at[edge]
            at, frames = int(edges.arrives[one]), frames + int(edges.lengths[one])
        assert frames <= most


@given(edges=some_edges())
def test_time_reversed_twice_is_time(edges):
    again = edges.backwards.backwards

    np.testing.assert_array_equal(again.starts, edges.starts)
    for name in ("departs", "arrives", "lengths", "costs"):
        np.testing.assert_array_equal(getattr(again, name), getattr(edges, name))
    assert (np.diff(edges.backwards.departs) >= 0).all()


def test_a_dear_edge_is_avoided_for_a_price():
    """From clip 0 to clip 2 straight, which is dear, or by way of clip 1."""
    edges = Edges(
        np.array([0, 20, 40, 60]), np.array([2, 2, 24]), np.array([24, 44, 46]), np.array([3, 3, 3]),
        np.array([0.0, 0.1, 0.0]),
    )  # fmt: skip
    cheap, quick = (reach(edges, [0], 30, frames_per_metre=price) for price in (1000.0, 0.0))

    assert quick.taken_at.tolist() == [2, 2, -1]
    assert cheap.way(1) == (1,)
    assert pytest.approx(0.1) == edges.costs[1]


def test_a_graph_of_other_clips_at_another_rate_finds_its_place_in_the_pool():
    pool = small_pool()  # clips 1, 2 and 3 at 30 Hz
    ways = Ways.joined([(np.zeros(n), np.zeros(n, dtype=complex)) for n in (75, 40, 75)])
    rows = [(20, 30 + 115, 2, 3, 0.01), (25, 90, 2, 2, 0.04), (73, 20 + 115, 1, 1, 0.0)]  # the second into clip 99
    graph = MotionGraph(ways, np.array(rows, dtype=TRANSITION), 15.0, clip_ids=[3, 99, 1])

    edges = Edges.of(graph, pool)

    third = int(pool.starts[2])
    assert edges.departs.tolist() == [third + 36, third + 144]
    assert edges.arrives.tolist() == [66, 42]
    assert edges.lengths.tolist() == [10, 4]
    np.testing.assert_allclose(edges.costs, [0.1, 0.0], atol=1e-6)
