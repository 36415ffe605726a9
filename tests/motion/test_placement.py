import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Placement, headings, placement_onto, rotations
from motionary.motion.rotations import from_axis_angle, multiply
from strategies import motions, numbers, unit_quaternions, vectors

X, Y, Z = np.eye(3)
placements = st.builds(Placement, numbers(-10.0, 10.0), numbers(-5.0, 5.0), numbers(-5.0, 5.0))


def turned(theta):
    return from_axis_angle(Y, theta)


def test_a_placement_turns_first_and_then_moves():
    placement = Placement(theta=0.5 * np.pi, x=1.0, z=2.0)

    assert placement.apply(np.array([0.0, 5.0, 3.0])) == pytest.approx([4.0, 5.0, 2.0])  # z becomes x


def test_the_default_placement_changes_nothing():
    assert Placement().apply(np.array([[1.0, 2.0, 3.0]])) == pytest.approx(np.array([[1.0, 2.0, 3.0]]))


@given(first=placements, then=placements, point=vectors())
def test_placements_follow_and_undo_each_other(first, then, point):
    assert first.then(then).apply(point) == pytest.approx(then.apply(first.apply(point)), abs=1e-12)
    assert first.inverse().apply(first.apply(point)) == pytest.approx(point, abs=1e-12)
    both = first.then(first.inverse())
    assert (both.theta, both.x, both.z) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


@given(motion=motions(), placement=placements)
def test_placing_a_motion_places_all_of_it(motion, placement):
    before = motion.rotations.copy()

    placed = placement.place(motion)

    assert placed.positions_world == pytest.approx(placement.apply(motion.positions_world), abs=1e-12)
    assert placed.end_sites_world == pytest.approx(placement.apply(motion.end_sites_world), abs=1e-12)
    assert np.array_equal(motion.rotations, before)


@given(start=vectors(), end=vectors(), heading=numbers(-9.0, 9.0), onto=numbers(-9.0, 9.0))
def test_one_root_is_brought_onto_another(start, end, heading, onto):
    placement = placement_onto(start, heading, end, onto)

    assert placement.apply(start)[[0, 2]] == pytest.approx(end[[0, 2]], abs=1e-12)
    assert placement.apply(start)[1] == start[1]  # heights stay
    facing = placement.apply(start + rotations.rotate(turned(heading), Z)) - placement.apply(start)
    assert facing == pytest.approx(rotations.rotate(turned(onto), Z), abs=1e-12)


@pytest.mark.parametrize("degrees", [0, 30, 90, 179, -90, -179])
def test_headings_count_from_z_towards_x(degrees):
    theta = np.radians(degrees)

    assert headings(turned(theta)[None]) == pytest.approx([theta])
    assert rotations.rotate(turned(theta), Z)[[0, 2]] == pytest.approx([np.sin(theta), np.cos(theta)])


@given(q=unit_quaternions())
def test_a_heading_does_not_depend_on_the_sign(q):
    a, b = headings(q[None])[0], headings(-q[None])[0]

    assert np.exp(1j * a) == pytest.approx(np.exp(1j * b), abs=1e-12)
    assert abs(a) <= np.pi


@given(theta=numbers(-3.0, 3.0), tilt=numbers(0.0, 1.04), towards=numbers(0.0, 6.28))
def test_leaning_by_less_than_60_degrees_does_not_change_the_heading(theta, tilt, towards):
    sideways = rotations.rotate(turned(towards), X)

    assert headings(multiply(from_axis_angle(sideways, tilt), turned(theta))[None]) == pytest.approx([theta])


def test_headings_go_on_counting_over_many_turns():
    theta = np.linspace(0.0, 20.0 * np.pi, 500)

    assert headings(turned(theta)) == pytest.approx(theta)
    assert headings(turned(-theta)) == pytest.approx(-theta)


def test_headings_are_taken_since_the_pelvis_stood_upright():
    rest = from_axis_angle(X, -0.5 * np.pi)  # a root whose own z axis points up
    theta = np.linspace(0.0, 2.0, 20)

    assert headings(multiply(turned(theta), rest), rest) == pytest.approx(theta)


@pytest.mark.parametrize("theta", [0.0, 1.0, -2.5])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_cartwheel_keeps_its_heading(theta, side):
    roll = np.linspace(0.0, 2.0 * np.pi, 121)  # sideways about the direction it faces
    pelvis = multiply(turned(theta), from_axis_angle(Z, side * roll))

    assert headings(pelvis) == pytest.approx(np.full(121, theta))


def test_a_heading_that_changes_while_upside_down_is_carried_on_until_upright_again():
    """A round-off: half a turn to the right is made while the body is over its hands."""
    roll = np.linspace(0.0, 2.0 * np.pi, 121)
    over = np.clip((roll - 0.5 * np.pi) / np.pi, 0.0, 1.0)
    pelvis = multiply(turned(1.0 - np.radians(150.0) * over), from_axis_angle(Z, roll))
    good = np.cos(roll) > 0.5

    found = headings(pelvis)

    before, after = good & (roll < np.pi), good & (roll > np.pi)
    assert found[before] == pytest.approx(np.ones(before.sum()))
    assert found[~good] == pytest.approx(np.ones((~good).sum()))  # carried on from the last good frame
    assert found[after] == pytest.approx(np.full(after.sum(), 1.0 - np.radians(150.0)))


def test_getting_up_takes_the_first_good_heading_from_the_start():
    pitch = np.linspace(0.5 * np.pi, 0.0, 50)  # from lying on the belly to standing
    rolling = np.where(pitch > np.radians(60.0), 2.0 * pitch, 0.0)  # and turning about as long as it lies
    pelvis = multiply(turned(0.8 + rolling), from_axis_angle(X, pitch))

    assert headings(pelvis) == pytest.approx(np.full(50, 0.8))


def test_the_limit_lies_at_30_degrees_above_horizontal():
    just_below, just_above = np.radians(60.1), np.radians(59.9)
    lean = from_axis_angle(X, np.array([0.0, just_below, just_above]))
    pelvis = multiply(turned(np.array([0.0, 1.0, 1.0])), lean)

    assert headings(pelvis) == pytest.approx([0.0, 0.0, 1.0])


def test_a_body_that_never_stands_heads_to_zero():
    assert np.array_equal(headings(np.broadcast_to(from_axis_angle(X, 0.5 * np.pi), (3, 4))), np.zeros(3))
