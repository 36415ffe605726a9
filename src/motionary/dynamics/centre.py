"""The centre of mass and what moves with it: momentum, kinetic energy."""

import numpy as np

from motionary.dynamics.derivatives import smoothed_derivative
from motionary.dynamics.masses import Masses
from motionary.errors import SkeletonError
from motionary.motion import Motion, rotations


def centre_of_mass(motion: Motion, masses: Masses) -> np.ndarray:
    """Places (F, 3) of the body's centre of mass."""
    check_fits(motion, masses)
    return masses.shares @ masses.centres_world(motion)


def centre_velocity(motion: Motion, masses: Masses) -> np.ndarray:
    """Velocities (F, 3) of the centre of mass, smoothed (see `smoothed_derivative`)."""
    return smoothed_derivative(centre_of_mass(motion, masses), order=1, frame_time=motion.frame_time)


def centre_acceleration(motion: Motion, masses: Masses) -> np.ndarray:
    """Accelerations (F, 3) of the centre of mass, smoothed."""
    return smoothed_derivative(centre_of_mass(motion, masses), order=2, frame_time=motion.frame_time)


def angular_velocities(motion: Motion, joints: np.ndarray) -> np.ndarray:
    """Angular velocities (F, n, 3) of joints in the world, smoothed: ω = 2 q̇ q*."""
    turned = rotations.continuous(motion.rotations_world[:, joints])
    turning = smoothed_derivative(turned, order=1, frame_time=motion.frame_time)
    return 2.0 * rotations.multiply(turning, rotations.inverse(turned))[..., 1:]


def spins(masses: Masses, rotations_world: np.ndarray, angular: np.ndarray) -> np.ndarray:
    """Angular momenta (F, P, 3) of the pieces about their own centres, per kilogram of the body.

    `rotations_world` (F, P, 4) and angular velocities (F, P, 3) are those of the pieces' joints.
    """
    axes = rotations.rotate(rotations_world, masses.axes)
    along = np.sum(axes * angular, axis=-1, keepdims=True) * axes
    across_square, along_square = masses.radii[:, :1] ** 2, masses.radii[:, 1:] ** 2
    return masses.shares[:, None] * (across_square * (angular - along) + along_square * along)


def kinetic_energy(motion: Motion, masses: Masses) -> np.ndarray:
    """Joules (F,): of the pieces' centres, and of their turning."""
    check_fits(motion, masses)
    velocities = smoothed_derivative(masses.centres_world(motion), order=1, frame_time=motion.frame_time)
    angular = angular_velocities(motion, masses.joints)
    turning = np.sum(spins(masses, motion.rotations_world[:, masses.joints], angular) * angular, axis=(1, 2))
    moving = np.sum(velocities**2, axis=2) @ masses.shares
    return 0.5 * masses.body_mass * (moving + turning)


def angular_momentum(motion: Motion, masses: Masses) -> np.ndarray:
    """Angular momenta (F, 3) about the centre of mass, in kg m²/s."""
    check_fits(motion, masses)
    centres = masses.centres_world(motion)
    velocities = smoothed_derivative(centres, order=1, frame_time=motion.frame_time)
    from_centre = centres - (masses.shares @ centres)[:, None]
    relative = velocities - (masses.shares @ velocities)[:, None]
    orbits = masses.shares @ np.cross(from_centre, relative)
    angular = angular_velocities(motion, masses.joints)
    own = spins(masses, motion.rotations_world[:, masses.joints], angular).sum(axis=1)
    return masses.body_mass * (orbits + own)


def check_fits(motion: Motion, masses: Masses) -> None:
    """Raise unless the masses are those of the motion's joints."""
    if motion.skeleton.names != masses.skeleton.names or np.any(motion.skeleton.parents != masses.skeleton.parents):
        raise SkeletonError("these masses belong to another skeleton; make them from the motion's own body")
