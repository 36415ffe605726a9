"""Balance: the zero-moment point against what the body stands on."""

from dataclasses import dataclass

import numpy as np

from motionary.dynamics.centre import angular_velocities, check_fits, spins
from motionary.dynamics.derivatives import smoothed_derivative
from motionary.dynamics.masses import Masses
from motionary.dynamics.support import Support, support
from motionary.motion import GRAVITY, Motion
from motionary.rig import Body

LIGHT = 0.2  # of the weight: with less than this on the ground there is no zero-moment point to speak of


@dataclass(frozen=True, eq=False)
class Balance:
    """The zero-moment point of every frame and its distance from the support polygon.

    Frames without contact, or with less than 0.2 of the weight on the ground, are left out: NaN, and counted.
    """

    points: np.ndarray  # (F, 2) x and z of the zero-moment point
    distances: np.ndarray  # (F,) metres; 0 inside the polygon
    offsets: np.ndarray  # (F,) metres from the polygon's middle
    support: Support
    n_without_contact: int
    n_light: int  # frames with contact but hardly any weight

    @property
    def largest(self) -> float:
        """The largest distance; NaN if all frames are left out."""
        counted = self.distances[np.isfinite(self.distances)]
        return float(counted.max()) if len(counted) else float("nan")

    @property
    def mean(self) -> float:
        """The mean distance; NaN if all frames are left out."""
        counted = self.distances[np.isfinite(self.distances)]
        return float(counted.mean()) if len(counted) else float("nan")

    @property
    def lean(self) -> float:
        """The mean distance from the polygon's middle: people stand over their feet, not over their edges."""
        counted = self.offsets[np.isfinite(self.offsets)]
        return float(counted.mean()) if len(counted) else float("nan")


def balance(motion: Motion, masses: Masses, body: Body, contacts: np.ndarray, *, inertia: bool = False) -> Balance:
    """The balance of a motion whose heels and toes touch the ground as `contacts` (F, 2, 2) says.

    With `inertia` the pieces' own turning counts too, not only the movement of their centres.
    """
    ground = support(motion, body, contacts)
    over, under, turning = zmp_terms(motion, masses, ground.height, inertia=inertia)
    weight = masses.shares @ under
    without = ~np.isfinite(ground.height)
    light = ~without & (weight < LIGHT * GRAVITY)
    counted = ~without & ~light
    points = np.full((motion.n_frames, 2), np.nan)
    points[counted] = ((masses.shares @ over + turning).T / weight[:, None])[counted]
    offsets = np.linalg.norm(points - ground.middle, axis=1)
    return Balance(points, ground.distances(points), offsets, ground, int(without.sum()), int(light.sum()))


def zmp_terms(
    motion: Motion, masses: Masses, ground_height: np.ndarray, *, inertia: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(over, under, turning): the zero-moment point is (shares @ over + turning) / (shares @ under).

    x = Σ m[(ÿ+g)x − ẍ(y−y₀)] / Σ m(ÿ+g), z alike, over the pieces: `over` (2, P, F), `under` (P, F). `turning`
    (2, F) is the change of the pieces' own angular momenta, 0 without `inertia`.
    """
    check_fits(motion, masses)
    centres = masses.centres_world(motion)
    accelerations = smoothed_derivative(centres, order=2, frame_time=motion.frame_time)
    under = accelerations[..., 1] + GRAVITY
    above = centres[..., 1] - ground_height[:, None]
    over = np.stack([under * centres[..., k] - accelerations[..., k] * above for k in (0, 2)])
    turning = np.zeros((2, motion.n_frames))
    if inertia:
        angular = angular_velocities(motion, masses.joints)
        momentum = spins(masses, motion.rotations_world[:, masses.joints], angular).sum(axis=1)
        change = smoothed_derivative(momentum, order=1, frame_time=motion.frame_time)
        turning = np.stack([change[:, 2], -change[:, 0]])
    return over.transpose(0, 2, 1), under.T, turning
