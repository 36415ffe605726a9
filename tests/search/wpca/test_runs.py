import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.wpca.runs import best_of_runs, best_of_runs_reference, longest_gap


@given(
    frames=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=30, unique_by=lambda f: f[0]),
    gap=st.integers(1, 5),
)
def test_runs_are_what_joining_frame_by_frame_gives(frames, gap):
    places = np.array([place for place, _ in frames], dtype=np.int64)
    distances = np.array([float(distance) for _, distance in frames])
    clips = places // 25  # clips follow one another: the last frame of one lies beside the first of the next

    found = best_of_runs(places, distances, clips, gap=gap)

    assert found.tolist() == best_of_runs_reference(places, distances, clips, gap=gap)


@pytest.mark.parametrize(("rate_hz", "gap"), [(30.0, 3), (120.0, 12), (29.0, 2), (10.0, 1), (5.0, 1)])
def test_gaps_are_meant_in_seconds(rate_hz, gap):
    assert longest_gap(0.1, rate_hz) == gap
