import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import swaying_body
from motionary.dynamics import balance, body_masses, centre_acceleration, centre_of_mass
from motionary.motion import Motion, Placement, mirror, rotations
from motionary.rig import body_of, mirror_partners, reference_skeleton, root_height
from strategies import numbers

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY)
ALL = np.ones((60, 2, 2), dtype=bool)
SECS = np.arange(60) / 60


def pushed(x: np.ndarray, *, rise: np.ndarray | float = 0.0) -> Motion:
    """The standing reference body, stiff, moved sideways by `x` (F,) and up by `rise`."""
    root = np.stack([x, root_height(BODY.skeleton) + rise + 0.0 * x, 0.0 * x], axis=1)
    local = np.tile(rotations.IDENTITY, (len(x), BODY.skeleton.n_joints, 1))
    return Motion(BODY.skeleton, 1 / 60, root, local)


def test_a_body_at_rest_has_its_zero_moment_point_under_its_centre():
    motion = pushed(0.0 * SECS)

    found = balance(motion, MASSES, BODY, ALL)

    assert found.points == pytest.approx(centre_of_mass(motion, MASSES)[:, [0, 2]], abs=1e-9)
    assert found.largest == found.mean == 0.0
    assert (found.n_without_contact, found.n_light) == (0, 0)


def test_an_accelerating_body_leans_on_the_formula():
    """A body that accelerates as a whole is one mass at its centre: x − ẍ (y − y₀) / (ÿ + g)."""
    motion = pushed(0.5 * 2.0 * SECS**2, rise=0.5 * 1.0 * SECS**2)

    found = balance(motion, MASSES, BODY, ALL)

    centre = centre_of_mass(motion, MASSES)
    wanted = centre[:, 0] - 2.0 * (centre[:, 1] - found.support.height) / (1.0 + 9.81)
    assert found.points[:, 0] == pytest.approx(wanted)
    right_edge = motion.root_positions[:, 0] - 0.05 * 1.75 - 0.04
    assert found.distances == pytest.approx(np.maximum(right_edge - wanted, 0.0), abs=1e-9)
    assert found.largest > 0.04


def bent(motion: Motion, angles: np.ndarray) -> Motion:
    """The body with its spine bent to the left by `angles` (F,)."""
    turned = np.array(motion.rotations)
    turned[:, BODY.skeleton.index("Spine1")] = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), -angles)
    return Motion(motion.skeleton, motion.frame_time, motion.root_positions, turned)


def test_who_sways_does_not_lean():
    leaning = balance(bent(pushed(0.0 * SECS), 0.0 * SECS + 0.8), MASSES, BODY, ALL)
    swaying = balance(bent(pushed(0.0 * SECS), 0.8 * np.sin(4.0 * np.pi * (SECS + 0.5 / 60))), MASSES, BODY, ALL)
    upright = balance(pushed(0.0 * SECS), MASSES, BODY, ALL)

    assert leaning.lean == pytest.approx(np.hypot(*leaning.offsets[0]))
    assert leaning.offsets_of_body[0, 0] > 0.02  # to its left
    assert leaning.lean > upright.lean + 0.02
    assert swaying.lean == pytest.approx(upright.lean, abs=0.01)


def test_a_body_that_turns_round_leans_to_its_own_side():
    """Seen from the world the lean goes round with it, and its mean would be nothing."""
    motion = bent(pushed(0.0 * SECS), 0.0 * SECS + 0.8)
    still = balance(motion, MASSES, BODY, ALL)
    turns = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 2.0 * np.pi * SECS)
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(turns, turned[:, 0])
    turning = Motion(motion.skeleton, 1.0, motion.root_positions, rotations.continuous(turned))  # in a minute

    found = balance(turning, MASSES, BODY, ALL)

    assert np.hypot(*found.offsets.mean(axis=0)) < 0.01
    assert found.lean == pytest.approx(still.lean, abs=0.01)


def test_nothing_that_stands_has_no_lean():
    assert np.isnan(balance(pushed(0.0 * SECS), MASSES, BODY, ~ALL).lean)


def test_the_pieces_own_turning_counts_if_asked_for():
    angle = 1.0 * SECS**2  # 2 rad/s² forward, about +x
    root = pushed(0.0 * SECS)
    turned = np.array(root.rotations)
    turned[:, BODY.skeleton.index("Head")] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle)
    motion = Motion(root.skeleton, 1 / 60, root.root_positions, turned)

    without = balance(motion, MASSES, BODY, ALL).points
    found = balance(motion, MASSES, BODY, ALL, inertia=True).points

    head = list(MASSES.parts).index(0)
    momentum = MASSES.shares[head] * MASSES.radii[head, 0] ** 2 * 2.0
    weight = 9.81 + centre_acceleration(motion, MASSES)[:, 1]
    middle = slice(20, 40)
    assert (found - without)[middle, 1] == pytest.approx((-momentum / weight)[middle], rel=0.02)
    assert (found - without)[:, 0] == pytest.approx(np.zeros(60), abs=1e-9)


def test_frames_without_contact_or_weight_are_left_out_and_counted():
    falling = pushed(0.0 * SECS, rise=-0.5 * 9.81 * SECS**2)
    contacts = np.array(ALL)
    contacts[:20] = False

    found = balance(falling, MASSES, BODY, contacts)

    assert (found.n_without_contact, found.n_light) == (20, 40)
    assert np.isnan(found.points).all()
    assert np.isnan(found.largest)
    assert np.isnan(found.mean)


@given(seed=st.integers(0, 100), turn=numbers(-3, 3), x=numbers(-5, 5), z=numbers(-5, 5))
def test_where_and_whither_do_not_matter(seed, turn, x, z):
    motion = swaying_body(seed)
    place = Placement(turn, x, z)
    contacts = np.random.default_rng(seed).random((60, 2, 2)) < 0.5

    found = balance(motion, MASSES, BODY, contacts)
    placed = balance(place.place(motion), MASSES, BODY, contacts)

    assert placed.distances == pytest.approx(found.distances, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("seed", range(3))
def test_the_mirror_does_not_matter(seed):
    motion = swaying_body(seed)
    contacts = np.random.default_rng(seed).random((60, 2, 2)) < 0.5
    mirrored = mirror(motion, mirror_partners(motion.skeleton))

    found = balance(motion, MASSES, BODY, contacts)
    there = balance(mirrored, MASSES, BODY, contacts[:, ::-1])

    assert there.distances == pytest.approx(found.distances, abs=1e-8, nan_ok=True)
    assert there.points == pytest.approx(found.points * [-1, 1], abs=1e-8, nan_ok=True)


def test_one_frame_is_balanced_by_its_centre():
    motion = pushed(np.zeros(1))

    assert balance(motion, MASSES, BODY, ALL[:1]).points[0] == pytest.approx(centre_of_mass(motion, MASSES)[0, [0, 2]])
