"""The legs of a moved body: what is lengthened by a foot's roll can be shortened by it again."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.rig.foot_placing import SLACK, _taken_up


@given(slack=st.floats(1e-9, 1.0), longer=st.floats(-0.1, 0.1))
def test_taking_up_slack_solves_its_equation_and_is_undone_by_the_opposite(slack, longer):
    taken = _taken_up(np.array([slack]), np.array([longer]))

    assert taken[0] > 0.0
    assert np.isclose(taken + SLACK * np.log(taken), slack + SLACK * np.log(slack) - longer, rtol=1e-9, atol=1e-12)
    assert np.allclose(_taken_up(taken, np.array([-longer])), slack, rtol=1e-9, atol=1e-15)


def test_a_bent_leg_is_lengthened_as_asked_and_a_straight_one_hardly():
    bent, straight = _taken_up(np.array([0.3, 1e-6]), np.array([0.02, 0.02]))

    assert np.isclose(bent, 0.28, atol=0.002)
    assert straight < 1e-6
