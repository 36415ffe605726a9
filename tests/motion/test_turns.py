import numpy as np
import pytest
from hypothesis import given

from motionary.motion import rotations, turns
from strategies import directions, unit_quaternions, vectors


def same_turn(q, expected):
    return float(rotations.angle_between(np.array(q), expected)) <= 1e-7


@given(a=unit_quaternions(), b=unit_quaternions(), v=vectors())
def test_they_are_the_rotations_of_arrays(a, b, v):
    assert turns.multiply(tuple(a), tuple(b)) == pytest.approx(tuple(rotations.multiply(a, b)))
    assert turns.inverse(tuple(a)) == pytest.approx(tuple(rotations.inverse(a)))
    assert turns.rotate(tuple(a), tuple(v)) == pytest.approx(tuple(rotations.rotate(a, v)), abs=1e-12)
    assert turns.from_rotation_vector(tuple(v)) == pytest.approx(tuple(rotations.from_rotation_vector(v)), abs=1e-12)
    assert same_turn(turns.from_rotation_vector(turns.to_rotation_vector(tuple(a))), a)


@given(u=directions(), v=directions())
def test_a_swing_is_the_smallest_turn_between_directions(u, v):
    swing = turns.swing(tuple(3.0 * u), tuple(0.2 * v))

    assert turns.rotate(swing, tuple(u)) == pytest.approx(tuple(v), abs=1e-7)
    angle = np.linalg.norm(turns.to_rotation_vector(swing))
    assert angle == pytest.approx(np.arctan2(np.linalg.norm(np.cross(u, v)), u @ v), abs=1e-7)


@pytest.mark.parametrize("u", [*np.eye(3), np.array([0.6, 0.0, -0.8])])
def test_opposite_directions_swing_half_a_turn(u):
    swing = turns.swing(tuple(u), tuple(-u))

    assert turns.rotate(swing, tuple(u)) == pytest.approx(tuple(-u))
    assert swing[0] == 0.0


def test_what_has_no_length_does_not_swing():
    assert turns.swing((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
    assert turns.swing((1.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)


@given(q=unit_quaternions())
def test_the_twist_about_the_vertical_leaves_a_level_axis(q):
    twist = np.array(turns.twist_about_up(tuple(q)))

    assert twist[1] == twist[3] == 0.0
    if q[0] ** 2 + q[2] ** 2 > 1e-6:
        swing = rotations.multiply(q, rotations.inverse(twist))
        assert swing[2] == pytest.approx(0.0, abs=1e-9)
    else:
        assert np.linalg.norm(twist) == pytest.approx(1.0)
