"""Best first, and apart."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.exact.onsets import beside, ranked, separated, separated_reference


def test_ties_go_by_clip_and_start():
    clips, starts = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])

    assert ranked(clips, starts, np.array([1.0, 0.0, 0.0, 1.0])).tolist() == [1, 2, 0, 3]
    assert ranked(clips, starts, np.zeros(4), np.array([3.0, 2.0, 2.0, 1.0])).tolist() == [3, 1, 2, 0]


def test_a_better_window_removes_its_neighbours_only():
    clips, starts = np.zeros(7, dtype=int), np.arange(7)
    order = ranked(clips, starts, np.array([3.0, 1.0, 2.0, 5.0, 0.5, 6.0, 7.0]))

    assert separated(order, clips, starts, least=3).tolist() == [4, 1]
    assert separated(order, clips, starts, least=1, most=2).tolist() == [4, 1]
    assert separated(order[:0], clips, starts, least=1).tolist() == []


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 12), st.integers(0, 3)), max_size=25, unique_by=lambda w: w[:2]
    ),
    st.integers(1, 6),
)
def test_taken_windows_are_apart_and_every_other_is_near_a_better_one(windows, least):
    windows.sort()
    clips, starts, keys = (np.array([window[i] for window in windows], dtype=int) for i in range(3))
    order = ranked(clips, starts, keys)

    taken = separated(order, clips, starts, least=least).tolist()

    rank = {window: place for place, window in enumerate(order.tolist())}
    near = lambda a, b: clips[a] == clips[b] and abs(starts[a] - starts[b]) < least  # noqa: E731
    assert taken == sorted(taken, key=rank.__getitem__)
    for window in range(len(windows)):
        betters = [other for other in taken if rank[other] < rank[window] and near(window, other)]
        assert (window in taken) == (not betters)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(0, 3)), max_size=40),
    st.integers(1, 6),
    st.none() | st.integers(0, 5),
)
def test_several_windows_may_begin_together(windows, least, most):
    windows.sort(key=lambda window: window[:2])
    clips, starts, keys = (np.array([window[i] for window in windows], dtype=int) for i in range(3))
    order = ranked(clips, starts, keys)

    taken = separated(order, clips, starts, least=least, most=most)

    assert taken.tolist() == separated_reference(order.tolist(), clips, starts, least=least, most=most)
    near = beside(taken, clips, starts, least=least)
    for window in range(len(windows)):
        others = [one for one in taken if clips[one] == clips[window] and abs(starts[one] - starts[window]) < least]
        assert near[window] == bool(others)
