import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.ik import bent_limb, hinged_limb, limb_bends
from motionary.ik.hinge import hinged_limb_reference
from motionary.motion import rotations
from motionary.motion.rotations import rotate
from strategies import numbers, unit_quaternions, vectors

X, Y, Z = np.eye(3)
HIP, KNEE, ANKLE = 1.0 * Y, np.array([0.0, 0.55, 0.05]), np.array([0.0, 0.1, 0.0])
lengths = numbers(0.05, 1.0)


@st.composite
def hinged(draw, *, least=0.0, most=3.0, off_plane=0.2):
    """(upper, middle, end, axis): bent about the axis, its bones not quite at right angles to it, turned anyhow."""
    first, second, bend = draw(lengths), draw(lengths), draw(numbers(least, most))
    aside = draw(numbers(-off_plane, off_plane)), draw(numbers(-off_plane, off_plane))
    upper, turn = draw(vectors()), draw(unit_quaternions())
    upper_bone = np.array([aside[0], -1.0, 0.0])
    lower_bone = rotate(rotations.from_axis_angle(X, bend), np.array([aside[1], -1.0, 0.0]))
    middle = upper + rotate(turn, first * upper_bone)
    return upper, middle, middle + rotate(turn, second * lower_bone), rotate(turn, X)


def test_a_right_handed_turn_about_the_axis_bends_the_limb():
    bends = limb_bends(np.zeros(3), -0.4 * Y, np.array([0.0, -0.4, -0.3]), axis=X)  # a shin that points backwards

    assert bends.bend == pytest.approx(np.pi / 2)
    assert bends.reach(bends.bend) == pytest.approx(0.5)
    assert bends.reach(0.0) == pytest.approx(0.7)
    assert bends.reach(np.pi) == pytest.approx(0.1)


@given(limb=hinged(least=-0.5), more=numbers(-0.5, 0.5))
def test_reach_and_bend_go_together(limb, more):
    upper, middle, end, axis = limb
    bends = limb_bends(upper, middle, end, axis=axis)

    turns = bent_limb(upper, middle, end, end, axis=axis, bend_by=more)

    assert bends.reach(bends.bend) == pytest.approx(np.linalg.norm(end - upper), abs=1e-9)
    assert np.linalg.norm(turns.end - upper) == pytest.approx(bends.reach(bends.bend + more), abs=1e-9)


@given(limb=hinged(), target=vectors(3.0), soft=st.sampled_from([0.0, 0.02, 0.3]))
def test_it_is_what_the_definition_says(limb, target, soft):
    upper, middle, end, axis = limb
    assume(np.linalg.norm(target - upper) > 1e-3)

    turns = hinged_limb(upper, middle, end, target, axis=axis, soft=soft)

    assume(np.linalg.norm(turns.end - upper) > 1e-3)  # folded onto its upper joint a limb points nowhere
    knee, foot = hinged_limb_reference(upper, middle, end, target, axis=axis, soft=soft)
    assert turns.end == pytest.approx(foot, abs=2e-6)
    assert turns.unreached == pytest.approx(np.linalg.norm(target - turns.end))
    opposite = rotations.angle_between(rotations.between_vectors(end - upper, target - upper), rotations.IDENTITY)
    if opposite < 3.1:  # half a turn may go about any normal
        assert turns.middle == pytest.approx(knee, abs=1e-4)


@given(limb=hinged(least=-0.5), target=vectors(2.0), soft=st.sampled_from([0.0, 0.1]))
def test_turns_give_the_places_and_the_knee_only_bends(limb, target, soft):
    upper, middle, end, axis = limb

    turns = hinged_limb(upper, middle, end, target, axis=axis, soft=soft)

    assert upper + rotate(turns.upper, middle - upper) == pytest.approx(turns.middle, abs=1e-9)
    assert turns.middle + rotate(turns.lower, end - middle) == pytest.approx(turns.end, abs=1e-9)
    within = rotations.multiply(rotations.inverse(turns.upper), turns.lower)
    assert rotate(within, axis) == pytest.approx(axis, abs=1e-9)


@given(limb=hinged(least=-0.3), soft=st.sampled_from([0.0, 0.1]))
def test_a_limb_that_is_there_already_stays(limb, soft):
    upper, middle, end, axis = limb
    assume(np.linalg.norm(end - upper) > 1e-3)

    turns = hinged_limb(upper, middle, end, end, axis=axis, soft=soft)

    assert turns.middle == pytest.approx(middle, abs=1e-6)
    assert turns.end == pytest.approx(end, abs=1e-6)


@given(limb=hinged(), share=numbers(0.0, 1.0))
def test_what_is_in_reach_is_reached(limb, share):
    upper, middle, end, axis = limb
    bends = limb_bends(upper, middle, end, axis=axis)
    wanted = bends.reach(np.pi) + share * (bends.reach(0.0) - bends.reach(np.pi))

    turns = hinged_limb(upper, middle, end, upper + wanted * Z, axis=axis)

    assert turns.unreached == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize(
    ("middle", "end", "target"),
    [
        (-0.5 * Y, -1.0 * Y, -0.7 * Y),  # straight, to be bent
        (-0.5 * Y, -1.0 * Y, 0.7 * Y),  # to the opposite side
        (-0.5 * Y, -1.0 * Y, -1.0 * Y),  # straight and there
        (-0.5 * Y, -1.0 * Y, -9.0 * Y),  # far out of reach
        (-0.5 * Y, 0.0 * Y, -0.8 * Y),  # folded, along its bones
        (-0.5 * Y, -0.2 * Y, -0.1 * Y),  # target too near
        (0.0 * Y, -0.5 * Y, 0.5 * X),  # no upper bone
        (-0.5 * Y, -0.5 * Y, 0.5 * X),  # no lower bone
        (0.5 * X, 1.0 * X, 0.5 * Y),  # bones along the axis: no hinge
    ],
)
def test_singular_places_have_an_answer(middle, end, target):
    bends = limb_bends(np.zeros(3), middle, end, axis=X)

    turns = hinged_limb(np.zeros(3), middle, end, target, axis=X)

    gap = np.clip(np.linalg.norm(target), bends.reach(np.pi), bends.reach(0.0)) - np.linalg.norm(target)
    assert turns.unreached == pytest.approx(abs(gap), abs=1e-7)
    for turn in (turns.upper, turns.lower):
        assert np.linalg.norm(turn) == pytest.approx(1.0)


def test_a_limb_without_an_axis_only_swings():
    turns = hinged_limb(HIP, KNEE, ANKLE, HIP + 0.2 * Z, axis=np.zeros(3))

    assert turns.upper == pytest.approx(turns.lower)
    assert np.linalg.norm(turns.end - HIP) == pytest.approx(np.linalg.norm(ANKLE - HIP))


def test_an_overstretched_knee_comes_over_to_its_side_without_a_jump():
    """The shorter the leg has to be, the more the knee bends, from a little backwards to well forwards."""
    upper, middle = np.zeros(3), -0.5 * Y
    end = middle + rotate(rotations.from_axis_angle(X, np.radians(-5.0)), -0.5 * Y)
    reach = np.linalg.norm(end)
    wanted = np.linspace(reach, 0.9, 500)

    turns = hinged_limb(upper, middle, end, -wanted[:, None] * Y, axis=X)

    bends = limb_bends(np.zeros((500, 3)), turns.middle, turns.end, axis=X).bend
    assert bends[0] == pytest.approx(np.radians(-5.0), abs=1e-6)
    assert np.all(np.diff(bends) > 0.0)
    assert np.diff(bends).max() < np.radians(6.0)
    assert turns.unreached.max() < 2.5e-3  # in between it is a trifle too long
    assert turns.unreached[-1] < 1e-4


@given(limb=hinged(least=0.2, most=2.0), soft=st.sampled_from([0.01, 0.1, 0.5]))
def test_softness_is_monotone_and_never_stretches(limb, soft):
    upper, middle, end, axis = limb
    bends = limb_bends(upper, middle, end, axis=axis)
    longest = bends.reach(0.0)
    wanted = np.linspace(bends.reach(bends.bend), 1.5 * longest, 300)

    turns = hinged_limb(upper, middle, end, upper + wanted[:, None] * Z, axis=axis, soft=soft)

    reached = np.linalg.norm(turns.end - upper, axis=-1)
    assert np.all(np.diff(reached) >= -1e-9)
    assert np.all(np.diff(reached) <= np.diff(wanted) + 1e-9)
    assert reached.max() <= longest + 1e-9


def test_many_limbs_at_once_are_each_limb_alone():
    rng = np.random.default_rng(0)
    places = rng.normal(size=(5, 4, 2, 3))

    together = hinged_limb(*places[:4], axis=places[4], soft=0.02)

    assert together.upper.shape == (4, 2, 4)
    alone = hinged_limb(*places[:4, 3, 1], axis=places[4, 3, 1], soft=0.02)
    assert together.end[3, 1] == pytest.approx(alone.end)
    assert together.lower[3, 1] == pytest.approx(alone.lower)


@pytest.mark.parametrize("soft", [-0.1, 1.0, np.nan])
def test_softness_is_a_share(soft):
    with pytest.raises(UsageError, match=f"a softness of {soft:g} is not possible; it is a share of the limb, from 0"):
        hinged_limb(HIP, KNEE, ANKLE, ANKLE, axis=X, soft=soft)


def test_places_are_vectors():
    with pytest.raises(UsageError, match="vectors of 3 numbers, not an array of shape"):
        limb_bends(HIP[:2], KNEE[:2], ANKLE[:2], axis=X[:2])
