import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import rotations
from motionary.motion.rotations import (
    IDENTITY,
    angle_between,
    between_vectors,
    continuous,
    from_axis_angle,
    from_matrix,
    from_rotation_vector,
    inverse,
    multiply,
    normalise,
    rotate,
    slerp,
    swing_twist,
    to_matrix,
    to_rotation_vector,
)
from strategies import NASTY_QUATERNIONS, directions, numbers, unit_quaternions, vectors

X, Y, Z = np.eye(3)
QUARTER = 0.5 * np.pi


def same_rotation(a, b, *, within=1e-9):
    return np.all(angle_between(a, b) <= within)


@pytest.mark.parametrize(
    ("axis", "before", "after"),
    [(X, Y, Z), (Y, Z, X), (Z, X, Y), (X, Z, -Y), (Y, X, -Z), (Z, Y, -X), (Y, Y, Y)],
)
def test_a_quarter_turn_is_right_handed(axis, before, after):
    assert rotate(from_axis_angle(axis, QUARTER), before) == pytest.approx(after)


def test_products_turn_by_the_right_factor_first():
    first, then = from_axis_angle(Y, QUARTER), from_axis_angle(X, QUARTER)

    assert rotate(multiply(then, first), Z) == pytest.approx(X)  # z to x by the turn about y; x stays on its axis
    assert rotate(multiply(first, then), Z) == pytest.approx(-Y)  # z to −y by the turn about x; that stays


def test_the_axis_may_have_any_length_and_any_leading_shape():
    turns = from_axis_angle(np.array([[0.0, 3.0, 0.0], [0.2, 0.0, 0.0]]), np.array([QUARTER, np.pi]))

    assert turns == pytest.approx(np.array([[np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0], [0.0, 1.0, 0.0, 0.0]]))
    assert from_axis_angle(X, np.zeros((5, 2))).shape == (5, 2, 4)
    assert from_axis_angle(np.ones((5, 2, 3)), 0.1).shape == (5, 2, 4)


def test_a_thousand_turns_are_none():
    assert same_rotation(from_axis_angle(Y, 2000.0 * np.pi), IDENTITY, within=1e-11)


@given(a=unit_quaternions(), b=unit_quaternions(), v=vectors())
def test_products_and_inverses_agree_with_matrices(a, b, v):
    assert to_matrix(multiply(a, b)) == pytest.approx(to_matrix(a) @ to_matrix(b), abs=1e-12)
    assert rotate(a, v) == pytest.approx(to_matrix(a) @ v, abs=1e-12)
    assert to_matrix(inverse(a)) == pytest.approx(to_matrix(a).T, abs=1e-12)
    assert rotate(inverse(a), rotate(a, v)) == pytest.approx(v, abs=1e-12)


@given(q=unit_quaternions())
def test_matrices_there_and_back(q):
    matrix = to_matrix(q)

    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1.0)
    assert same_rotation(from_matrix(matrix), q, within=1e-12)


@pytest.mark.parametrize("q", NASTY_QUATERNIONS, ids=str)
def test_the_nasty_rotations_survive_every_form(q):
    assert same_rotation(from_matrix(to_matrix(q)), q, within=1e-12)
    assert same_rotation(from_rotation_vector(to_rotation_vector(q)), q, within=1e-12)
    assert same_rotation(multiply(q, inverse(q)), IDENTITY, within=1e-15)
    assert same_rotation(slerp(q, -q, 0.5), q, within=1e-12)


def test_matrices_of_many_frames_are_read_by_their_own_largest_parts():
    turns = np.array([IDENTITY, [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])

    assert same_rotation(from_matrix(to_matrix(turns)), turns, within=0.0)


@given(
    axis=directions(),
    angle=st.one_of(
        numbers(0.0, np.pi), st.sampled_from([0.0, 1e-300, 1e-16, 1e-8, np.pi - 1e-8, np.pi - 1e-15, np.pi])
    ),
)
def test_rotation_vectors_there_and_back(axis, angle):
    vector = axis * angle

    back = to_rotation_vector(from_rotation_vector(vector))

    if angle < np.pi - 1e-12:
        assert back == pytest.approx(vector, abs=1e-14, rel=1e-9)
    assert same_rotation(from_rotation_vector(vector), from_axis_angle(axis, angle), within=1e-14)
    assert same_rotation(from_rotation_vector(back), from_rotation_vector(vector), within=1e-13)
    assert np.linalg.norm(back) <= np.pi * (1 + 1e-15)


def test_rotation_vectors_keep_the_smallest_turns():
    assert to_rotation_vector(from_rotation_vector(1e-200 * X)) == pytest.approx(1e-200 * X, rel=1e-12, abs=0.0)


@given(q=unit_quaternions())
def test_a_rotation_vector_does_not_depend_on_the_sign(q):
    a, b = to_rotation_vector(q), to_rotation_vector(-q)

    assert same_rotation(from_rotation_vector(a), from_rotation_vector(b), within=1e-12)


def test_lengths_become_one_and_nothing_becomes_the_identity():
    q = normalise(np.array([[0.0, 3.0, 0.0, 4.0], [0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]]))

    assert q == pytest.approx(np.array([[0.0, 0.6, 0.0, 0.8], IDENTITY, IDENTITY]))


@given(q=unit_quaternions(), axis=directions(), angle=numbers(0.0, np.pi))
def test_angles_are_those_of_the_turn_between(q, axis, angle):
    turned = multiply(q, from_axis_angle(axis, angle))

    assert angle_between(q, turned) == pytest.approx(angle, abs=1e-12)
    assert angle_between(-turned, q) == pytest.approx(angle, abs=1e-12)


def test_small_angles_are_exact():
    assert angle_between(IDENTITY, from_axis_angle(X, 1e-12)) == pytest.approx(1e-12, rel=1e-9)


@given(
    a=unit_quaternions(),
    axis=directions(),
    angle=st.one_of(numbers(0.0, 3.1), st.sampled_from([1e-9, 1e-6, 3e-6, 1e-4, 5e-3, 0.02])),
    share=numbers(0.0, 1.0),
)
def test_slerp_goes_the_share_of_the_shorter_way(a, axis, angle, share):
    b = multiply(a, from_axis_angle(axis, angle))

    assert same_rotation(slerp(a, b, share), multiply(a, from_axis_angle(axis, share * angle)), within=2e-15)
    assert same_rotation(slerp(a, -b, share), slerp(a, b, share), within=1e-12)
    assert np.linalg.norm(slerp(a, b, share)) == pytest.approx(1.0)


@given(a=unit_quaternions(), b=unit_quaternions())
def test_slerp_keeps_both_ends(a, b):
    assert slerp(a, b, 0.0) == pytest.approx(a, abs=1e-15)
    assert same_rotation(slerp(a, b, 1.0), b, within=1e-14)


def test_slerp_between_tiny_and_half_turns():
    tiny = from_axis_angle(X, 1e-9)
    half = from_axis_angle(Z, np.pi)

    assert angle_between(IDENTITY, slerp(IDENTITY, tiny, 0.25)) == pytest.approx(0.25e-9, rel=1e-6)
    assert angle_between(IDENTITY, slerp(IDENTITY, half, 0.25)) == pytest.approx(0.25 * np.pi)


def test_slerp_takes_one_share_for_each_frame():
    a = np.broadcast_to(IDENTITY, (3, 2, 4))
    b = np.broadcast_to(from_axis_angle(Y, 1.0), (3, 2, 4))

    between = slerp(a, b, np.array([0.0, 0.5, 1.0])[:, None])

    assert angle_between(a, between) == pytest.approx(np.array([[0.0] * 2, [0.5] * 2, [1.0] * 2]))


@given(u=directions(), v=directions(), lengths=st.tuples(numbers(0.01, 9.0), numbers(0.01, 9.0)))
def test_the_turn_between_vectors_is_the_smallest(u, v, lengths):
    turn = between_vectors(u * lengths[0], v * lengths[1])

    assert rotate(turn, u) == pytest.approx(v, abs=1e-14)
    between = 2.0 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))
    assert angle_between(IDENTITY, turn) == pytest.approx(between, abs=1e-12)


@pytest.mark.parametrize("gap", [0.0, 1e-16, 1e-15, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3])
@pytest.mark.parametrize("axis", range(3))
def test_all_but_opposite_vectors_are_turned_exactly(axis, gap):
    rng = np.random.default_rng(axis)
    u = np.concatenate([np.eye(3), rotations.rotate(normalise(rng.normal(size=(20, 4))), X)])
    v = -u + gap * np.eye(3)[axis]
    v /= np.linalg.norm(v, axis=-1, keepdims=True)

    turn = between_vectors(u, v)

    assert rotate(turn, u) == pytest.approx(v, abs=4e-15)
    assert angle_between(IDENTITY, turn) == pytest.approx(np.pi, abs=1.01 * gap + 1e-14)


@given(q=unit_quaternions(), axis=directions())
def test_swing_and_twist_make_the_rotation(q, axis):
    swing, twist = swing_twist(q, axis)

    assert multiply(swing, twist) == pytest.approx(q, abs=1e-12)
    assert np.cross(twist[1:], axis) == pytest.approx(np.zeros(3), abs=1e-12)  # about the axis
    if np.hypot(q[0], q[1:] @ axis) > 1e-6:
        assert swing[1:] @ axis == pytest.approx(0.0, abs=1e-9)  # about a normal


def test_swing_and_twist_by_hand():
    turn, tilt = from_axis_angle(Y, 0.7), from_axis_angle(X, 0.4)

    swing, twist = swing_twist(multiply(tilt, turn), Y)

    assert same_rotation(twist, turn)
    assert same_rotation(swing, tilt)


def test_a_half_turn_about_a_normal_is_all_swing():
    swing, twist = swing_twist(from_axis_angle(X, np.pi) * [0, 1, 1, 1], Y)

    assert same_rotation(twist, IDENTITY)
    assert same_rotation(swing, from_axis_angle(X, np.pi))


@given(qs=st.lists(unit_quaternions(), min_size=1, max_size=8), flips=st.lists(st.booleans(), min_size=8, max_size=8))
def test_continuous_changes_signs_only_and_leaves_no_jump(qs, flips):
    q = np.array(qs) * np.where(flips[: len(qs)], -1.0, 1.0)[:, None]
    before = q.copy()

    smooth = continuous(q)

    assert np.all(np.sum(smooth[1:] * smooth[:-1], axis=-1) >= 0.0)
    assert np.array_equal(np.abs(smooth), np.abs(q))
    assert np.array_equal(smooth[0], q[0])
    assert np.array_equal(q, before)


def test_continuous_works_joint_by_joint():
    q = np.array([[IDENTITY, IDENTITY], [-IDENTITY, IDENTITY], [IDENTITY, -IDENTITY]])

    assert np.array_equal(continuous(q), np.broadcast_to(IDENTITY, (3, 2, 4)))


def test_no_function_changes_its_arguments():
    a, b, v = (np.array(x) for x in (NASTY_QUATERNIONS[8], NASTY_QUATERNIONS[14], [1.0, 2.0, 3.0]))
    for array in (a, b, v):
        array.flags.writeable = False

    for call in (
        lambda: multiply(a, b),
        lambda: rotate(a, v),
        lambda: slerp(a, b, 0.3),
        lambda: swing_twist(a, Y),
        lambda: between_vectors(v, -v),
        lambda: to_rotation_vector(a),
        lambda: normalise(a),
        lambda: inverse(a),
    ):
        call()
