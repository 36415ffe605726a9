import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.wpca.runs import best_of_runs, best_of_runs_reference, longest_gap


@given(
    frames=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=30, unique_by=lambda f: f[0]),
    gap=st.integers(1, 5),
    longest=st.integers(1, 40),
)
def test_runs_are_what_joining_frame_by_frame_gives(frames, gap, longest):
    places = np.array([place for place, _ in frames], dtype=np.int64)
    distances = np.array([float(distance) for _, distance in frames])
    clips = places // 25  # clips follow one another: the last frame of one lies beside the first of the next

    found = best_of_runs(places, distances, clips, gap=gap, longest=longest)

    assert found.tolist() == best_of_runs_reference(places, distances, clips, gap=gap, longest=longest)


@pytest.mark.parametrize(("rate_hz", "gap"), [(30.0, 3), (120.0, 12), (29.0, 2), (10.0, 1), (5.0, 1)])
def test_gaps_are_meant_in_seconds(rate_hz, gap):
    assert longest_gap(0.1, rate_hz) == gap


def test_a_long_run_holds_more_than_one_match():
    places, distances = np.arange(20), np.abs(np.arange(20) - 4.0)

    assert best_of_runs(places, distances, np.zeros(20, dtype=int), gap=3, longest=100).tolist() == [4]
    assert best_of_runs(places, distances, np.zeros(20, dtype=int), gap=3, longest=8).tolist() == [4, 12]
