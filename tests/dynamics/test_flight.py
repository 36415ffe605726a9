import numpy as np
import pytest

from motionary.dynamics import body_masses, centre_of_mass, flights
from motionary.dynamics.flight import momenta_between
from motionary.motion import Motion, rotations
from motionary.rig import body_of, reference_skeleton, root_height

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY)
N = 60
SECS = np.arange(N) / 60


def thrown(*, gravity: float = 9.81, spin: float = 0.0, bent: bool = False) -> Motion:
    """A body thrown up at 4.5 m/s, its centre on a parabola, turning evenly about the left–right axis."""
    local = np.tile(rotations.IDENTITY, (N, BODY.skeleton.n_joints, 1))
    local[:, 0] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), spin * SECS)
    if bent:  # legs drawn in while it turns as before: angular momentum is lost
        for side in ("Left", "Right"):
            local[:, BODY.skeleton.index(side + "Thigh")] = rotations.from_axis_angle(np.array([-1.0, 0, 0]), SECS)
            local[:, BODY.skeleton.index(side + "Shin")] = rotations.from_axis_angle(np.array([2.0, 0, 0]), 2 * SECS)
    still = Motion(BODY.skeleton, 1 / 60, np.zeros((N, 3)), local)
    way = np.stack([0.5 * SECS, 1.0 + 4.5 * SECS - 0.5 * gravity * SECS**2, 0.2 * SECS], axis=1)
    root = way - centre_of_mass(still, MASSES)
    return Motion(BODY.skeleton, 1 / 60, root, local)


NONE = np.zeros((N, 2, 2), dtype=bool)


def test_a_free_fall_is_perfect():
    found = flights(thrown(), MASSES, BODY, NONE)

    assert found.spans == ((0, N),)
    assert found.n_frames == N
    assert found.fall_error < 1e-12
    assert found.momentum_error < 1e-12


def test_a_body_that_hangs_in_the_air_does_not_fall():
    motion = thrown(gravity=0.0)

    found = flights(motion, MASSES, BODY, NONE)

    residual = 0.5 * 9.81 * (SECS - SECS.mean()) ** 2
    residual = residual - residual.mean()  # a straight line explains no parabola
    assert found.falls == pytest.approx(np.abs(residual), abs=1e-9)
    assert found.fall_error == pytest.approx(np.sqrt(np.mean(residual**2)))


def test_a_spinning_rigid_body_conserves_angular_momentum():
    even = flights(thrown(spin=6.0), MASSES, BODY, NONE)
    bent = flights(thrown(spin=6.0, bent=True), MASSES, BODY, NONE)

    assert even.momentum_error < 1e-12
    assert bent.momentum_error > 0.01
    assert bent.fall_error < 1e-9


def test_momentum_of_a_spin_about_a_principal_axis_is_even():
    turns = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), 5.0 * SECS)  # a somersault; left = right
    local = np.tile(rotations.IDENTITY, (N, BODY.skeleton.n_joints, 1))
    local[:, 0] = turns
    motion = Motion(BODY.skeleton, 1 / 60, np.zeros((N, 3)), local)

    momentum = momenta_between(
        MASSES.centres_world(motion), motion.rotations_world[:, MASSES.joints], MASSES, motion.frame_time
    )

    assert momentum == pytest.approx(np.tile(momentum[0], (N - 1, 1)), abs=1e-10)
    assert momentum[0, 0] * MASSES.body_mass / 5.0 == pytest.approx(11.0, abs=4.0)  # kg m² of a stretched body


def test_only_four_frames_or_more_off_the_ground_fly():
    motion = thrown()
    contacts = np.ones((N, 2, 2), dtype=bool)
    contacts[10:13] = False
    contacts[30:40] = False

    found = flights(motion, MASSES, BODY, contacts)

    assert found.spans == ((30, 40),)
    assert np.flatnonzero(np.isfinite(found.falls)).tolist() == list(range(30, 40))
    assert np.isfinite(found.momenta[30:40]).all()


def test_a_foot_that_stays_near_the_ground_does_not_fly():
    local = np.tile(rotations.IDENTITY, (N, BODY.skeleton.n_joints, 1))
    motion = Motion(BODY.skeleton, 1 / 60, np.tile([0.0, root_height(BODY.skeleton), 0.0], (N, 1)), local)
    contacts = np.ones((N, 2, 2), dtype=bool)
    contacts[20:40] = False

    found = flights(motion, MASSES, BODY, contacts)

    assert found.spans == ()
    assert np.isnan(found.fall_error)
    assert np.isnan(found.momentum_error)
