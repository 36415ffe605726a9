import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import swaying_body
from motionary.dynamics import (
    angular_momentum,
    body_masses,
    centre_acceleration,
    centre_of_mass,
    centre_velocity,
    kinetic_energy,
)
from motionary.motion import Motion, Placement, mirror, rotations
from motionary.rig import body_of, mirror_partners, reference_skeleton
from strategies import numbers

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY, body_mass=70.0)
SECS = np.arange(60) / 60


def rigid(root: np.ndarray, turns: np.ndarray | None = None) -> Motion:
    """The reference body, stiff as a board, thrown along `root` (F, 3) and turned by `turns` (F, 4)."""
    local = np.tile(rotations.IDENTITY, (len(root), BODY.skeleton.n_joints, 1))
    if turns is not None:
        local[:, 0] = turns
    return Motion(BODY.skeleton, 1 / 60, root, local)


def test_a_body_moved_as_a_whole_moves_its_centre_with_it():
    way = np.stack([1.0 + 2.0 * SECS, -0.5 * 9.81 * SECS**2, 0.3 * SECS], axis=1)
    motion = rigid(way)

    assert np.ptp(centre_of_mass(motion, MASSES) - way, axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert centre_velocity(motion, MASSES) == pytest.approx(
        np.stack([0 * SECS + 2, -9.81 * SECS, 0 * SECS + 0.3], axis=1)
    )
    assert centre_acceleration(motion, MASSES) == pytest.approx(np.tile([0.0, -9.81, 0.0], (60, 1)), abs=1e-8)


def test_kinetic_energy_is_half_mass_times_speed_squared():
    motion = rigid(np.stack([3.0 * SECS, 0.0 * SECS, 4.0 * SECS], axis=1))

    assert kinetic_energy(motion, MASSES) == pytest.approx(np.full(60, 0.5 * 70.0 * 25.0))
    assert kinetic_energy(rigid(np.zeros((60, 3))), MASSES) == pytest.approx(np.zeros(60), abs=1e-20)


def test_a_spinning_body_keeps_angular_momentum_and_energy():
    about_x = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), 2.0 * np.pi * SECS)  # a somersault a second
    still = rigid(np.zeros((60, 3)), about_x)
    motion = rigid(-centre_of_mass(still, MASSES), about_x)  # about its centre

    momentum = angular_momentum(motion, MASSES)[10:50]
    energy = kinetic_energy(motion, MASSES)[10:50]

    assert momentum == pytest.approx(np.tile(momentum[0], (40, 1)), rel=1e-6, abs=1e-6)
    assert momentum[0, 0] / (2.0 * np.pi) == pytest.approx(12.0, abs=3.0)  # kg m² of a stretched body
    assert momentum[0, 1:] == pytest.approx(np.zeros(2), abs=1e-9)
    assert energy == pytest.approx(0.5 * 2.0 * np.pi * momentum[:, 0], rel=0.01)  # ω · L / 2; ω is smoothed too


def test_a_body_that_does_not_turn_has_no_angular_momentum():
    motion = rigid(np.stack([3.0 * SECS, -(SECS**2), SECS], axis=1))

    assert angular_momentum(motion, MASSES) == pytest.approx(np.zeros((60, 3)), abs=1e-9)


@given(seed=st.integers(0, 100), turn=numbers(-3, 3), x=numbers(-5, 5), z=numbers(-5, 5))
def test_a_placement_moves_the_centre_along_and_changes_no_energy(seed, turn, x, z):
    motion = swaying_body(seed, n_frames=40)
    placed = Placement(turn, x, z).place(motion)

    moved = Placement(turn, x, z).place(rigid(centre_of_mass(motion, MASSES))).root_positions
    assert centre_of_mass(placed, MASSES) == pytest.approx(moved, abs=1e-9)
    assert kinetic_energy(placed, MASSES) == pytest.approx(kinetic_energy(motion, MASSES), rel=1e-7, abs=1e-7)


def test_the_mirror_reflects_the_centre():
    motion = swaying_body(3)
    mirrored = mirror(motion, mirror_partners(motion.skeleton))

    assert centre_of_mass(mirrored, MASSES) == pytest.approx(centre_of_mass(motion, MASSES) * [-1, 1, 1], abs=1e-9)
    assert kinetic_energy(mirrored, MASSES) == pytest.approx(kinetic_energy(motion, MASSES))


def test_one_frame_stands_still():
    motion = swaying_body(n_frames=1)

    assert centre_velocity(motion, MASSES) == pytest.approx(np.zeros((1, 3)))
    assert kinetic_energy(motion, MASSES) == pytest.approx(np.zeros(1))
