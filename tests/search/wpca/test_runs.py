import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.wpca.runs import dips_of_runs, dips_of_runs_reference, frames_of


@given(
    frames=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=30, unique_by=lambda f: f[0]),
    gap=st.integers(1, 5),
    dip=st.integers(1, 40),
)
def test_dips_are_what_joining_frame_by_frame_gives(frames, gap, dip):
    places = np.array([place for place, _ in frames], dtype=np.int64)
    distances = np.array([float(distance) for _, distance in frames])
    clips = places // 25  # clips follow one another: the last frame of one lies beside the first of the next

    found = dips_of_runs(places, distances, clips, gap=gap, dip=dip)

    assert found.tolist() == dips_of_runs_reference(places, distances, clips, gap=gap, dip=dip)


def test_a_pose_that_is_passed_twice_has_two_dips():
    places, one_clip = np.arange(40), np.zeros(40, dtype=int)
    distances = np.minimum(np.abs(places - 8), np.abs(places - 30.0))

    assert dips_of_runs(places, distances, one_clip, gap=3, dip=7).tolist() == [8, 30]
    assert dips_of_runs(places, distances, one_clip, gap=3, dip=40).tolist() == [8]


def test_where_a_pose_is_held_the_middle_is_taken():
    distances = np.array([9.0, 5, 1.0, 1.2, 1.1, 1.3, 1.2, 4, 9])

    found = dips_of_runs(np.arange(9), distances, np.zeros(9, dtype=int), gap=1, dip=1)

    assert found.tolist() == [4]


@pytest.mark.parametrize(("rate_hz", "gap"), [(30.0, 3), (120.0, 12), (29.0, 2), (10.0, 1), (5.0, 1)])
def test_gaps_are_meant_in_seconds(rate_hz, gap):
    assert frames_of(0.1, rate_hz) == gap
