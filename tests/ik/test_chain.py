from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.ik import look_with_chain, reach_with_chain
from motionary.ik.chain import DAMPING, _reach_step, step_reference
from motionary.motion import rotations
from motionary.motion.rotations import rotate
from strategies import directions, numbers

Y, Z = np.eye(3)[1:]
SPINE = np.array([[0.0, 0.2 * k, 0.02 * (-1) ** k] for k in range(5)])  # four joints and a tip


@st.composite
def chains(draw):
    """Places (K + 1, 3) of joints and tip, bent anyhow."""
    rng = np.random.default_rng(draw(st.integers(0, 9999)))
    n_joints = draw(st.integers(2, 6))
    bones = rng.normal(size=(n_joints, 3)) * rng.uniform(0.05, 0.4, size=(n_joints, 1))
    return np.concatenate([rng.normal(size=(1, 3)), bones]).cumsum(axis=0)


def carried(chain, turns):
    """Where joints and tip come to be by forward kinematics: every bone turned by its joint's turn."""
    bones = rotate(turns, np.diff(chain, axis=0))
    return np.concatenate([chain[:1], chain[0] + np.cumsum(bones, axis=0)])


@given(chain=chains(), direction=directions(), share=numbers(0.35, 0.97))
def test_the_tip_comes_to_a_target_in_reach(chain, direction, share):
    lengths = np.linalg.norm(np.diff(chain, axis=0), axis=1)
    nearest = max(0.0, 2 * lengths.max() - lengths.sum())
    target = chain[0] + (nearest + share * (lengths.sum() - nearest)) * direction

    found = reach_with_chain(chain[None, :-1], chain[None, -1], target[None])

    assert found.left[0] <= 2e-3
    assert carried(chain, found.turns[0])[-1] == pytest.approx(found.tip[0], abs=1e-9)
    assert np.linalg.norm(found.tip[0] - target) == pytest.approx(found.left[0], abs=1e-9)


@given(chain=chains(), direction=directions())
def test_out_of_reach_it_stretches_towards_its_target(chain, direction):
    lengths = np.linalg.norm(np.diff(chain, axis=0), axis=1)
    target = chain[0] + 2.0 * lengths.sum() * direction

    found = reach_with_chain(chain[None, :-1], chain[None, -1], target[None])

    assert lengths.sum() - 1e-9 <= found.left[0] <= 1.1 * lengths.sum()


@given(chain=chains(), error=directions(), seed=st.integers(0, 99), damping=st.sampled_from([DAMPING, 1.0, 100.0]))
def test_a_round_is_what_the_definition_says(chain, error, seed, damping):
    n_joints = len(chain) - 1
    weights = np.random.default_rng(seed).uniform(0.1, 1.0, n_joints)
    step = np.empty((n_joints, 3))

    _reach_step(np.vstack([chain, Z]), tuple(error), weights, damping, step)

    levers = chain[-1] - chain[:-1]
    trace = 2.0 * float(weights @ np.sum(levers**2, axis=1)) / 3.0
    expected = step_reference(chain[:-1], chain[-1], error, weights, damping * trace)
    assert step == pytest.approx(expected, rel=1e-4, abs=1e-6 * np.abs(expected).max())


def test_a_numerical_solver_does_not_find_smaller_turns():
    """Descent along the solutions: of all turns that reach, ours are near the least for a small way."""
    target = SPINE[-1] + np.array([0.05, -0.02, 0.04])
    found = reach_with_chain(SPINE[None, :-1], SPINE[None, -1], target[None], within=1e-6)
    ours = np.linalg.norm(_joint_turns(found.turns[0]))

    rng = np.random.default_rng(0)
    best = np.inf
    for _ in range(12):
        guess = rng.normal(scale=0.1, size=(4, 3))
        for _ in range(15):  # Newton with numerical slopes, then pulled to the least turns in their null space
            slope, tip = _slope(guess)
            back = np.linalg.pinv(slope)
            guess = (back @ (target - tip) + back @ slope @ guess.ravel()).reshape(4, 3)
        if np.linalg.norm(_slope(guess)[1] - target) < 1e-6:
            best = min(best, np.linalg.norm(guess))

    assert ours <= 1.05 * best


def _joint_turns(turns):
    own = [turns[0], *(rotations.multiply(rotations.inverse(a), b) for a, b in pairwise(turns))]
    return rotations.to_rotation_vector(np.array(own))


def _tip(vectors):
    turn, place = rotations.IDENTITY, SPINE[0]
    for k in range(4):
        turn = rotations.multiply(turn, rotations.from_rotation_vector(vectors[k]))
        place = place + rotate(turn, SPINE[k + 1] - SPINE[k])
    return place


def _slope(vectors):
    tip, slope = _tip(vectors), np.empty((3, 12))
    for i in range(12):
        nudge = np.zeros(12)
        nudge[i] = 1e-6
        slope[:, i] = (_tip(vectors + nudge.reshape(4, 3)) - tip) / 1e-6
    return slope, tip


@pytest.mark.parametrize(
    ("target", "left"),
    [
        (1.0 * Y, 0.0),  # there
        (0.6 * Y, 0.0),  # straight inwards: no first-order turn helps
        (0.05 * Y, 0.0),
        (3.0 * Y, 2.0),  # straight outwards, too far
        (-0.7 * Y, 0.0),  # the other way round
        (0.0 * Y, 0.0),  # onto its own base
    ],
)
def test_a_straight_chain_knows_its_way(target, left):
    chain = np.linspace(0.0, 1.0, 5)[:, None] * Y

    found = reach_with_chain(chain[None, :-1], chain[None, -1], target[None])

    assert found.left[0] == pytest.approx(left, abs=2e-4)
    assert np.isfinite(found.turns).all()


@pytest.mark.parametrize("target", [0.2 * Y, 0.0 * Y, 5.0 * Z])
def test_chains_of_no_length_stay(target):
    chain = np.zeros((3, 3))

    found = reach_with_chain(chain[None, :-1], chain[None, -1], target[None])

    assert found.left[0] == pytest.approx(np.linalg.norm(target))
    assert np.isfinite(found.turns).all()


def test_weights_say_who_turns():
    target = SPINE[-1] + np.array([0.1, -0.05, 0.0])

    found = reach_with_chain(SPINE[None, :-1], SPINE[None, -1], target[None], weights=[0.0, 1.0, 1.0, 0.0])

    own = np.linalg.norm(_joint_turns(found.turns[0]), axis=1)
    assert own[0] == own[3] == 0.0
    assert own[1] > 0.05
    assert found.left[0] <= 1e-4


@given(chain=chains(), gaze=directions(), towards=directions())
def test_a_gaze_meets_its_target(chain, gaze, towards):
    target = chain[-1] + 5.0 * towards

    found = look_with_chain(chain[None, :-1], chain[None, -1], gaze[None], target[None])

    seen = rotate(found.turns[0, -1], gaze)
    away = target - found.tip[0]
    assert np.arccos(np.clip(seen @ away / np.linalg.norm(away), -1.0, 1.0)) <= 2e-3
    assert found.left[0] <= 1e-3


def test_frames_are_solved_each_for_itself():
    rng = np.random.default_rng(1)
    targets = SPINE[-1] + 0.2 * rng.normal(size=(5, 3))
    together = reach_with_chain(np.tile(SPINE[:-1], (5, 1, 1)), SPINE[-1], targets)

    alone = reach_with_chain(SPINE[None, :-1], SPINE[-1], targets[3])

    assert np.array_equal(together.turns[3], alone.turns[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"places": SPINE}, r"a chain's joints must have the shape \(frames, joints, 3\), not \(5, 3\)"),
        ({"target": np.full(3, np.nan)}, "a chain contains a position that is not finite"),
        ({"weights": [1.0, 1.0]}, "5 joints need as many weights, none below 0 and not all 0"),
        ({"weights": [0.0] * 5}, "5 joints need as many weights"),
        ({"weights": [-1.0, 1.0, 1.0, 1.0, 1.0]}, "5 joints need as many weights"),
        ({"within": 0.0}, "within must be above 0"),
    ],
)
def test_bad_chains_are_refused(change, message):
    given = {"places": SPINE[None], "tip": SPINE[-1] + Y, "target": np.zeros(3), **change}

    with pytest.raises(UsageError, match=message):
        reach_with_chain(given.pop("places"), given.pop("tip"), given.pop("target"), **given)
