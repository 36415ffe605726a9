import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.ik import LimbBends
from motionary.motion import GRAVITY
from motionary.plants.clean_legs import (
    MASS_ABOVE_HIPS,
    STEP,
    UNKNOWNS,
    _balance,
    _carried,
    _knee_limits,
    _solve,
    balance_reference,
    carried_reference,
    round_reference,
    share_between_knees_and_root,
)
from plants.made_legs import legs


def missed(hips, wanted, bends, root, bend_by):
    """How far (F, 2) the legs' reach is from their feet's distance."""
    away = np.linalg.norm(wanted - hips - root[:, None], axis=-1)
    return np.abs(bends.reach(bends.bend + bend_by) - away)


@given(seed=st.integers(0, 999), n_frames=st.integers(1, 9), stiffness=st.sampled_from([0.0, 1.0, 300.0]))
def test_a_round_is_what_the_definition_says(seed, n_frames, stiffness):
    rng = np.random.default_rng(seed)
    hips, ankles, bends = legs(rng.uniform(-0.05, 1.0, (n_frames, 2)))
    wanted = ankles + 0.05 * rng.normal(size=ankles.shape)
    planted = rng.random((n_frames, 2)) < 0.5
    start = 0.05 * rng.normal(size=(n_frames, UNKNOWNS))
    found = np.array(start)

    inside, weights, limits = np.ones(n_frames, dtype=bool), rng.uniform(0.2, 1.0, n_frames), rng.uniform(0.0, 1.5, 2)
    _solve(hips, wanted, bends.bend, bends.even, bends.span, planted, weights, limits, inside, stiffness, 1, found)

    expected = round_reference(hips, wanted, bends, planted, weights, limits, stiffness, start)
    assert found == pytest.approx(start + STEP * (expected - start), rel=1e-5, abs=1e-7)


def test_noise_does_not_make_the_pelvis_sink():
    """Knees that tremble would tremble less if they were bent more; at 120 frames a second that once cost 4 cm."""
    rng = np.random.default_rng(3)
    hips, ankles, bends = legs(np.full((360, 2), 0.15))
    trembling = hips + 0.0003 * rng.normal(size=(360, 1, 3))

    root, bend_by = share_between_knees_and_root(
        trembling, ankles, np.full_like(ankles, 1e-9), bends, np.ones((360, 2), dtype=bool), frame_time=1 / 120
    )

    assert missed(trembling, ankles, bends, root, bend_by).max() < 1e-6
    assert np.abs(root).max() < 0.010  # at the ends, where noise is averaged over fewer frames
    assert np.abs(root[60:-60]).max() < 0.003
    assert np.abs(np.diff(bend_by, axis=0)).max() < 0.010
    assert np.abs(np.diff(bend_by[60:-60], axis=0)).max() < 0.003  # alone, the knees would move by 0.02 radians


def test_bent_legs_follow_by_themselves():
    hips, ankles, bends = legs(np.full((120, 2), 0.8))
    moves = 0.02 * np.sin(np.arange(120) / 10)[:, None, None] * np.array([0.0, 1.0, 0.0])
    wanted = ankles + moves * np.array([1.0, 0.0])[:, None]

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((120, 2), dtype=bool), frame_time=1 / 60
    )

    assert missed(hips, wanted, bends, root, bend_by).max() < 1e-6
    assert np.abs(root).max() < 0.3 * 0.02
    assert np.abs(bend_by[:, 0]).max() > 0.05


def test_the_root_comes_along_where_legs_are_straight():
    hips, ankles, bends = legs(np.full((120, 2), 0.05))
    wanted = ankles - np.array([0.0, 0.03, 0.0])  # three centimetres that no straight leg has

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((120, 2), dtype=bool), frame_time=1 / 60
    )

    assert missed(hips, wanted, bends, root, bend_by).max() < 1e-4
    assert root[:, 1] == pytest.approx(np.full(120, -0.03), abs=2e-3)
    assert np.abs(bend_by).max() < 0.2


def test_knees_do_not_pop_when_a_foot_is_pulled_past_full_stretch():
    """One foot goes away and comes back, through full stretch: the knee's bend stays smooth."""
    hips, ankles, bends = legs(np.full((240, 2), 0.3))
    pull = 0.06 * np.exp(-(((np.arange(240) - 120) / 40.0) ** 2))
    wanted = ankles - pull[:, None, None] * np.array([0.0, 1.0, 0.0]) * np.array([1.0, 0.0])[:, None]

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((240, 2), dtype=bool), frame_time=1 / 60
    )

    assert missed(hips, wanted, bends, root, bend_by).max() < 1e-4
    assert np.abs(np.diff(bend_by, 2, axis=0)).max() * 3600 < 25.0
    assert np.abs(np.diff(root, 2, axis=0)).max() * 3600 < 3.0
    assert (bends.bend + bend_by).min() > 0.0


def test_feet_in_the_air_do_not_move_the_root():
    hips, ankles, bends = legs(np.full((60, 2), 0.1))
    wanted = ankles - np.array([0.0, 0.02, 0.0])

    root, _ = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.zeros((60, 2), dtype=bool), frame_time=1 / 60
    )

    assert np.abs(root).max() < 1e-6


@given(seed=st.integers(0, 999), n_frames=st.integers(1, 12))
def test_the_root_goes_with_the_feet_as_the_definition_says(seed, n_frames):
    rng = np.random.default_rng(seed)
    hips, ankles, _ = legs(rng.uniform(0.0, 1.0, (n_frames, 2)))
    moves = 0.05 * rng.normal(size=ankles.shape)
    planted = rng.random((n_frames, 2)) < 0.5
    weights, root = rng.uniform(0.2, 1.0, n_frames), np.zeros((n_frames, 3))

    _balance(hips, ankles + moves, moves, planted, weights, np.ones(n_frames, dtype=bool), 1 / 30, root)

    expected = balance_reference(hips, ankles + moves, moves, planted, weights, frame_time=1 / 30)
    assert root == pytest.approx(expected, abs=1e-12)
    assert np.abs(root).max() <= 1.2 * np.abs(moves).max()  # a mean of what the feet do, and the legs' own mass


def test_the_zero_moment_point_moves_as_the_standing_foot():
    """The pendulum's law, for the mass of body and legs together: r − (h/g) r″ is what the foot was moved by."""
    hips, ankles, _ = legs(np.full((90, 2), 0.3))
    moves = np.zeros_like(ankles)
    moves[30:60, 0] = [0.03, 0.0, 0.0]  # the foot that stands
    planted = np.tile([True, False], (90, 1))
    root = np.zeros((90, 3))

    _balance(hips, ankles, moves, planted, np.ones(90), np.ones(90, dtype=bool), 1 / 30, root)

    height = MASS_ABOVE_HIPS * (hips[0, 0, 1] - ankles[0, 0, 1])
    bend = np.diff(root[:, 0], 2) * 900
    inner = np.r_[5:28, 33:57, 63:85]  # where the foot keeps still
    point = root[1:-1, 0] - height / GRAVITY * bend
    assert point[inner] == pytest.approx(moves[1:-1, 0, 0][inner] * 0.927, abs=1e-9)  # the rest is the leg's


def test_knees_stay_on_their_side():
    """A leg that was stretched a little too far bends forwards, never backwards."""
    hips, ankles, bends = legs(np.full((120, 2), -0.03))
    wanted = ankles + np.array([0.0, 0.02, 0.0]) * np.array([1.0, 0.0])[:, None]

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((120, 2), dtype=bool), frame_time=1 / 60
    )

    assert (bends.bend + bend_by).min() > -0.04
    assert missed(hips, wanted, bends, root, bend_by).max() < 1e-3


def test_knees_do_not_jump_from_one_side_to_the_other():
    """Legs stretched too far, more and less: a foot pulled by a millimetre must not throw the knee over."""
    back = -0.05 + 0.03 * np.sin(np.arange(120) / 8)
    hips, ankles, bends = legs(np.stack([back, back], axis=1))
    wanted = ankles + np.array([0.0, 0.001, 0.0]) * np.array([1.0, 0.0])[:, None]

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((120, 2), dtype=bool), frame_time=1 / 30
    )

    own = np.abs(np.diff(bends.bend, 2, axis=0)).max() * 900
    now = np.abs(np.diff(bends.bend + bend_by, 2, axis=0)).max() * 900
    assert now < own + 5.0  # rad/s²
    assert missed(hips, wanted, bends, root, bend_by).max() < 2e-3


def test_far_from_corrections_nothing_changes():
    hips, ankles, bends = legs(np.full((300, 2), 0.1))
    wanted = np.array(ankles)
    wanted[:20, :, 1] -= 0.02

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((300, 2), dtype=bool), frame_time=1 / 60
    )

    assert root[10].any()
    assert not root[80:].any()
    assert not bend_by[80:].any()


@pytest.mark.parametrize("n_frames", [1, 2, 3])
def test_a_few_frames_are_enough(n_frames):
    hips, ankles, bends = legs(np.full((n_frames, 2), 0.4))
    wanted = ankles + np.array([0.01, 0.01, 0.0])

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.ones((n_frames, 2), dtype=bool), frame_time=1 / 60
    )

    assert missed(hips, wanted, bends, root, bend_by).max() < 1e-6


def test_legs_of_no_length_are_left_out():
    hips, ankles, bends = legs(np.full((5, 2), 0.4))
    none = LimbBends(0 * bends.bend, 0 * bends.even, 0 * bends.span)

    root, bend_by = share_between_knees_and_root(
        hips, ankles, np.zeros_like(ankles), none, np.ones((5, 2), dtype=bool), frame_time=1 / 60
    )

    assert not root.any()
    assert not bend_by.any()


@given(seed=st.integers(0, 999), n_frames=st.integers(1, 40), rate_hz=st.sampled_from([5.0, 30.0, 120.0]))
def test_the_weight_on_the_ground_is_what_the_definition_says(seed, n_frames, rate_hz):
    rng = np.random.default_rng(seed)
    hips, _, _ = legs(np.zeros((n_frames, 2)))
    hips[:, :, 1] += np.cumsum(rng.normal(size=(n_frames, 2)) / rate_hz, axis=0)
    weights = np.empty(n_frames)

    _carried(hips, 1 / rate_hz, weights)

    assert weights == pytest.approx(carried_reference(hips, frame_time=1 / rate_hz), abs=1e-9)


def test_a_falling_body_is_light_and_a_standing_one_is_not():
    hips, _, _ = legs(np.zeros((60, 2)))
    weights = np.empty(60)

    _carried(hips, 1 / 60, weights)
    assert (weights == 1.0).all()

    hips[:, :, 1] -= 0.5 * GRAVITY * (np.arange(60)[:, None] / 60) ** 2
    _carried(hips, 1 / 60, weights)
    assert weights == pytest.approx(np.full(60, 0.2))


def test_a_knee_may_move_about_as_sharply_as_it_does_itself():
    bends = np.zeros((9, 2))
    bends[4, 0] = 0.1  # second differences 0.1, −0.2, 0.1
    limits = np.empty(2)

    _knee_limits(bends, 0.1, limits)

    assert limits == pytest.approx([1.1 * 0.2, 4.0 * 0.01])


def test_a_knee_that_moves_smoothly_is_not_jerked():
    """A foot that jumps by a centimetre within a stance: the root helps a knee that never moved that sharply."""
    bend = 0.35 + 0.1 * np.sin(np.arange(120) / 15)
    hips, ankles, bends = legs(np.stack([bend, bend], axis=1))
    wanted = np.array(ankles)
    wanted[60:, 0, 1] += 0.01

    root, bend_by = share_between_knees_and_root(
        hips, wanted, wanted - ankles, bends, np.tile([True, False], (120, 1)), frame_time=1 / 60
    )

    jerks = np.abs(np.diff((bends.bend + bend_by)[:, 0], 2)) * 3600
    alone = np.arccos((np.sum((wanted - hips) ** 2, axis=-1) - bends.even) / bends.span)[:, 0]
    assert jerks.max() < 0.5 * np.abs(np.diff(alone, 2)).max() * 3600
    assert missed(hips, wanted, bends, root, bend_by)[:, 0].max() < 1e-4
