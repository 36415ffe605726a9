import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import FORWARD, LEFT, UP, unit

NUMBERS = st.floats(-100.0, 100.0)


@given(vectors=st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_directions_have_length_one_or_none(vectors):
    directions = unit(np.array(vectors))

    lengths = np.linalg.norm(vectors, axis=-1)
    assert np.linalg.norm(directions, axis=-1) == pytest.approx(np.where(lengths > 1e-12, 1.0, 0.0))
    assert directions * lengths[:, None] == pytest.approx(np.array(vectors), abs=1e-12)


def test_what_has_no_length_points_where_the_fallback_does():
    vectors = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -2.0], [0.0, 1e-13, 0.0]])

    assert unit(vectors, fallback=5.0 * UP).tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    assert unit(np.zeros(3), fallback=np.zeros(3)).tolist() == [0.0, 0.0, 0.0]


def test_our_directions_are_right_handed():
    assert np.cross(LEFT, UP).tolist() == FORWARD.tolist()
