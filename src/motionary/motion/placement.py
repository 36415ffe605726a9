"""Ground-plane placements and headings."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.motion import rotations
from motionary.motion.motion import Motion
from motionary.motion.vectors import UP

LEVEL_WITHIN = np.radians(30.0)  # a pelvis nearer to horizontal than this has no heading of its own


@dataclass(frozen=True, slots=True)
class Placement:
    """Turn about the vertical by `theta` (right-handed about +y), then move by (x, z) on the ground."""

    theta: float = 0.0
    x: float = 0.0
    z: float = 0.0

    @property
    def rotation(self) -> np.ndarray:
        """The turn as a quaternion."""
        return rotations.from_axis_angle(UP, self.theta)

    def apply(self, points: np.ndarray) -> np.ndarray:
        """Points (..., 3), placed."""
        return rotations.rotate(self.rotation, points) + np.array([self.x, 0.0, self.z])

    def place(self, motion: Motion) -> Motion:
        """The motion, placed."""
        turned = np.array(motion.rotations)
        turned[:, 0] = rotations.multiply(self.rotation, turned[:, 0])
        return replace(motion, root_positions=self.apply(motion.root_positions), rotations=turned)

    def then(self, later: "Placement") -> "Placement":
        """This placement, followed by `later`."""
        moved = later.apply(np.array([self.x, 0.0, self.z]))
        return Placement(self.theta + later.theta, float(moved[0]), float(moved[2]))

    def inverse(self) -> "Placement":
        """The placement that undoes this one."""
        back = rotations.rotate(rotations.inverse(self.rotation), np.array([-self.x, 0.0, -self.z]))
        return Placement(-self.theta, float(back[0]), float(back[2]))


def headings(pelvis_world: np.ndarray, pelvis_rest: np.ndarray = rotations.IDENTITY) -> np.ndarray:
    """Where a body faces (F,), in radians about +y from +z, without jumps of a turn.

    It is the twist of the pelvis about the vertical (swing–twist), relative to `pelvis_rest`, the pelvis's
    orientation when the body stands upright and faces +z. Where the pelvis's own up axis lies within 30° of
    horizontal, or points down (cartwheels, getting up), the heading is carried on from the last good frame;
    before the first good frame it is that frame's. A motion without a good frame heads to 0.
    """
    turn = rotations.multiply(pelvis_world, rotations.inverse(pelvis_rest))
    good = rotations.rotate(turn, UP)[..., 1] > np.sin(LEVEL_WITHIN)
    w, y = turn[..., 0], turn[..., 2]
    twist = np.arctan2(2.0 * w * y, w * w - y * y)  # twice the half angle; the same for q and −q
    if not good.any():
        return np.zeros(len(turn))
    last_good = np.maximum.accumulate(np.where(good, np.arange(len(turn)), -1))
    last_good[last_good < 0] = int(np.argmax(good))
    return np.unwrap(twist[last_good])


def placement_onto(position: np.ndarray, heading: float, onto_position: np.ndarray, onto_heading: float) -> Placement:
    """The placement that brings one root position and heading onto another's."""
    theta = float(onto_heading - heading)
    moved = rotations.rotate(rotations.from_axis_angle(UP, theta), position)
    return Placement(theta, float(onto_position[0] - moved[0]), float(onto_position[2] - moved[2]))
