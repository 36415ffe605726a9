"""Balance: the zero-moment point against what the body stands on."""

from dataclasses import dataclass

import numpy as np

from motionary.dynamics.centre import angular_velocities, check_fits, spins
from motionary.dynamics.derivatives import smoothed_derivative
from motionary.dynamics.masses import Masses
from motionary.dynamics.support import LEVEL, Support, support
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
    offsets: np.ndarray  # (F, 2) metres from the polygon's middle, along x and z
    offsets_of_body: np.ndarray  # (F, 2) the same, to the body's left and ahead of it
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
        """How far the zero-moment point is to one side of the polygon's middle, on the average over the frames.

        People sway about the middle of their feet. Who leans is always to the same side of it: of the world, or as the
        body faces; the larger of both means counts.
        """
        counted = np.isfinite(self.offsets[:, 0])
        if not counted.any():
            return float("nan")
        return float(max(np.hypot(*its[counted].mean(axis=0)) for its in (self.offsets, self.offsets_of_body)))


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
    offsets = points - ground.middle
    left = directions_left(motion, body)
    to_left, ahead = np.sum(offsets * left, axis=1), offsets[:, 1] * left[:, 0] - offsets[:, 0] * left[:, 1]
    return Balance(
        points,
        ground.distances(points),
        offsets,
        np.stack([to_left, ahead], axis=1),
        ground,
        int(without.sum()),
        int(light.sum()),
    )


def directions_left(motion: Motion, body: Body) -> np.ndarray:
    """Unit vectors (F, 2) on the ground, x and z, from the right hip to the left; x where both are above each other."""
    left, right = (motion.positions_world[:, body.body_map.joints[side + "Thigh"]] for side in ("Left", "Right"))
    across = (left - right)[:, [0, 2]]
    size = np.linalg.norm(across, axis=1, keepdims=True)
    return np.where(size > LEVEL, across / np.maximum(size, LEVEL), [1.0, 0.0])


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
