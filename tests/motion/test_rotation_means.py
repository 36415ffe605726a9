"""Means of rotations: the Karcher mean, in any order, inside and outside of the rotations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import rotations
from strategies import directions, numbers, unit_quaternions

Y = np.array([0.0, 1.0, 0.0])


@st.composite
def cones(draw, *, half_angle=45.0, max_sources=5):
    """Rotations (N, 4) within a cone, and weights (N,) of 0 to 1 that sum to 1."""
    n = draw(st.integers(1, max_sources))
    middle = draw(unit_quaternions())
    turned = [
        rotations.multiply(
            middle, rotations.from_axis_angle(draw(directions()), np.radians(draw(numbers(0, half_angle))))
        )
        for _ in range(n)
    ]
    signs = [draw(st.sampled_from([1.0, -1.0])) for _ in range(n)]
    shares = np.array([draw(numbers(0.01, 1.0)) for _ in range(n)])
    return np.array(turned) * np.array(signs)[:, None], shares / shares.sum()


@given(case=cones())
def test_means_are_those_of_the_definition_in_any_order(case):
    q, weights = case

    mean = rotations.mean(q, weights)

    assert np.degrees(rotations.angle_between(mean, rotations.mean_reference(q, weights))) < 1e-3
    assert np.degrees(rotations.angle_between(mean, rotations.mean(q[::-1], weights[::-1]))) < 1e-3


@given(a=unit_quaternions(), b=unit_quaternions(), share=numbers(0.0, 1.0))
def test_two_rotations_give_their_slerp(a, b, share):
    if rotations.angle_between(a, b) > np.radians(175.0):
        return
    mean = rotations.mean(np.stack([a, b]), np.array([1.0 - share, share]))

    assert rotations.angle_between(mean, rotations.slerp(a, b, share)) < 1e-6


@given(q=st.lists(unit_quaternions(), min_size=1, max_size=4), which=st.integers(0, 3))
def test_a_weight_of_one_gives_that_rotation_back_to_the_bit(q, which):
    weights = np.zeros(len(q))
    weights[which % len(q)] = 1.0

    assert np.array_equal(rotations.mean(np.array(q), weights), q[which % len(q)])


def test_weights_outside_of_0_to_1_extrapolate():
    q = np.stack([rotations.IDENTITY, rotations.from_axis_angle(Y, np.radians(90.0))])

    mean = rotations.mean(q, np.array([1.2, -0.2]))

    assert np.degrees(rotations.to_rotation_vector(mean))[1] == pytest.approx(-18.0)


def test_leading_axes_are_kept():
    q = np.tile(rotations.IDENTITY, (3, 5, 2, 1))

    assert rotations.mean(q, np.array([0.5, 0.5])).shape == (3, 5, 4)


def test_what_has_no_mean_is_refused():
    far = np.stack([rotations.IDENTITY, rotations.from_axis_angle(Y, np.radians(160.0))])
    with pytest.raises(UsageError, match="more than 150° apart cannot be extrapolated"):
        rotations.mean(far, np.array([1.1, -0.1]))
    assert rotations.mean(far, np.array([0.5, 0.5])).shape == (4,)
    with pytest.raises(UsageError, match="must sum to 1"):
        rotations.mean(far, np.array([0.5, 0.6]))
    with pytest.raises(UsageError, match="do not fit"):
        rotations.mean(far, np.ones(3) / 3)
