import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import euler, rotations
from motionary.motion.euler import AXES, from_euler, near, nearest_euler, to_euler
from motionary.motion.rotations import angle_between, rotate
from strategies import EULER_ORDERS, NASTY_QUATERNIONS, numbers, unit_quaternions

orders = st.sampled_from(EULER_ORDERS)
round_angles = st.sampled_from(range(-720, 721, 45)).map(np.radians)
angles = st.one_of(numbers(-10.0, 10.0), round_angles)
triples = st.tuples(angles, angles, angles).map(np.array)


def matrix(axis, angle):
    """Rx, Ry or Rz, written out."""
    c, s = np.cos(angle), np.sin(angle)
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def is_proper(order):
    return order[0] == order[2]


def at_lock(order):
    """The two middle angles at which the outer ones turn about the same axis."""
    return (0.0, np.pi) if is_proper(order) else (0.5 * np.pi, -0.5 * np.pi)


@given(angles=triples, order=orders)
def test_an_order_is_the_product_of_its_axes_from_left_to_right(angles, order):
    product = matrix(order[0], angles[0]) @ matrix(order[1], angles[1]) @ matrix(order[2], angles[2])

    assert rotations.to_matrix(from_euler(angles, order)) == pytest.approx(product, abs=1e-12)


def test_zyx_by_hand():
    quarter = 0.5 * np.pi

    turn = from_euler(np.array([quarter, 0.0, quarter]), "ZYX")  # y first to z by the turn about x, which stays

    assert rotate(turn, [0.0, 1.0, 0.0]) == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)
    assert rotate(turn, [1.0, 0.0, 0.0]) == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)


def test_fewer_axes_and_none():
    assert from_euler(np.array([0.3]), "Y") == pytest.approx(rotations.from_axis_angle([0, 1, 0], 0.3))
    assert from_euler(np.zeros((4, 0)), "") == pytest.approx(np.broadcast_to(rotations.IDENTITY, (4, 4)))


@given(q=unit_quaternions(), order=orders)
def test_rotations_there_and_back(q, order):
    angles = to_euler(q, order)

    assert angle_between(from_euler(angles, order), q) <= 4e-9  # the slack is for the edge of gimbal lock
    assert np.all(np.abs(angles[[0, 2]]) <= np.pi)
    if is_proper(order):
        assert 0.0 <= angles[1] <= np.pi
    else:
        assert abs(angles[1]) <= 0.5 * np.pi


@given(angles=triples, order=orders)
def test_angles_there_and_back_away_from_gimbal_lock(angles, order):
    within = np.array([angles[0] / 4.1, np.clip(angles[1] / 8, -1.4, 1.4), angles[2] / 4.1])
    if is_proper(order):
        within[1] = abs(within[1]) + 0.1

    assert to_euler(from_euler(within, order), order) == pytest.approx(within, abs=1e-12)


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_nasty_rotations_in_every_order(order):
    q = np.array(NASTY_QUATERNIONS)

    assert angle_between(from_euler(to_euler(q, order), order), q).max() <= 4e-9


@given(order=orders, which=st.sampled_from([0, 1]), first=angles, last=angles)
def test_gimbal_lock_is_exact_and_its_last_angle_zero(order, which, first, last):
    middle = at_lock(order)[which]
    q = from_euler(np.array([first, middle, last]), order)

    angles = to_euler(q, order)

    assert angle_between(from_euler(angles, order), q) <= 1e-12
    assert angles[2] == 0.0
    assert angles[1] == pytest.approx(middle, abs=1e-8)


@given(order=orders, which=st.sampled_from([0, 1]), gap=st.sampled_from([1e-3, 1e-6, 1e-8, 2e-9, 1e-10, 1e-14]))
def test_near_gimbal_lock_nothing_is_lost(order, which, gap):
    q = from_euler(np.array([0.4, at_lock(order)[which] + gap, -1.1]), order)

    assert angle_between(from_euler(to_euler(q, order), order), q) <= 4e-9


@given(order=orders, whole=st.integers(-30, 30), angles=triples)
def test_thousands_of_degrees_are_the_rotation_that_is_left(order, whole, angles):
    turns = 2.0 * np.pi * whole * np.array([1, -1, 1])

    assert angle_between(from_euler(angles + turns, order), from_euler(angles, order)) <= 1e-12


@given(order=st.sampled_from(["", *AXES, "XY", "XZ", "YX", "YZ", "ZX", "ZY"]), angles=st.lists(triples, min_size=1))
def test_fewer_than_three_angles_there_and_back(order, angles):
    angles = np.array(angles)[:, : len(order)]
    q = from_euler(angles, order)

    back = nearest_euler(q, order)

    assert back.shape == angles.shape
    assert np.exp(1j * back) == pytest.approx(np.exp(1j * angles), abs=1e-12)
    assert np.exp(1j * nearest_euler(-q, order)) == pytest.approx(np.exp(1j * angles), abs=1e-12)


@given(q=unit_quaternions(), order=st.sampled_from(["X", "Y", "Z", "XY", "ZX", "YX"]))
def test_fewer_than_three_angles_come_nearest(q, order):
    grid = np.linspace(-np.pi, np.pi, 25)
    tries = np.stack(np.meshgrid(*[grid] * len(order)), axis=-1).reshape(-1, len(order))

    nearest = angle_between(from_euler(nearest_euler(q, order), order), q)

    assert nearest <= angle_between(from_euler(tries, order), q).min() + 1e-7


@given(order=orders, seed=st.integers(0, 10**6), n_joints=st.integers(1, 3))
def test_near_undoes_wrapping_of_smooth_angles(order, seed, n_joints):
    rng = np.random.default_rng(seed)
    smooth = np.cumsum(rng.uniform(-0.3, 0.3, size=(60, n_joints, 3)), axis=0)
    q = from_euler(smooth, order)
    wrapped = to_euler(q, order)

    unwrapped = near(wrapped, order)

    assert angle_between(from_euler(unwrapped, order), q).max() <= 1e-7
    assert np.array_equal(unwrapped[0], wrapped[0])
    for f in range(1, len(wrapped)):  # by definition: the nearest of both triples and all full turns
        assert jump(unwrapped[f] - unwrapped[f - 1]) == pytest.approx(
            least_jump(wrapped[f], unwrapped[f - 1], order), abs=1e-8
        )


def jump(difference):
    return np.abs(difference).sum(axis=-1)


def least_jump(angles, before, order):
    middle = -angles[:, 1] if is_proper(order) else np.pi - angles[:, 1]
    other = np.stack([angles[:, 0] + np.pi, middle, angles[:, 2] + np.pi], axis=-1)
    return np.minimum(*(jump(np.angle(np.exp(1j * (triple - before)))) for triple in (angles, other)))


@pytest.mark.parametrize("order", EULER_ORDERS)
@pytest.mark.parametrize("which", [0, 1])
def test_angles_do_not_jump_through_gimbal_lock(order, which):
    time = np.linspace(0.0, 4.0, 200)
    angles = np.stack([3.0 * time, np.full_like(time, at_lock(order)[which]), -2.0 * time], axis=-1)
    q = from_euler(angles, order)

    unwrapped = near(to_euler(q, order), order)

    assert angle_between(from_euler(unwrapped, order), q).max() <= 1e-12
    assert np.abs(np.diff(unwrapped, axis=0)).max() <= 0.06


def test_near_keeps_counting_turns():
    time = np.linspace(0.0, 1.0, 100)[:, None]
    spinning = time * np.radians([3600.0, 20.0, 0.0])

    assert near(to_euler(from_euler(spinning, "YXZ"), "YXZ"), "YXZ") == pytest.approx(spinning, abs=1e-9)


def test_near_leaves_its_argument_alone():
    angles = np.array([[3.0, 0.1, 0.0], [-3.0, 0.1, 0.0]])

    near(angles, "XYZ")

    assert angles[1, 0] == -3.0


@pytest.mark.parametrize("order", ["ABC", "xyz", "XYZX", "X Y"])
def test_what_is_no_order(order):
    with pytest.raises(UsageError, match="is not an Euler order; write up to three of X, Y and Z, such as ZYX"):
        euler.check_axes(order)


@pytest.mark.parametrize("order", ["XX", "XXY", "XYY", "X", ""])
def test_orders_that_cannot_hold_every_rotation(order):
    with pytest.raises(UsageError, match="cannot describe every rotation; use three axes, no two neighbours"):
        to_euler(rotations.IDENTITY, order)


def test_as_many_angles_as_axes():
    with pytest.raises(UsageError, match="2 angles for the 3 axes of order 'ZYX'"):
        from_euler(np.zeros(2), "ZYX")


@pytest.mark.parametrize("order", ["XX", "XYZ"])
def test_nearest_angles_need_one_axis_or_two_different_ones(order):
    with pytest.raises(UsageError, match="is not one axis or two different ones"):
        nearest_euler(rotations.IDENTITY, order)
