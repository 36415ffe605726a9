"""Ground-plane placements."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.motion import rotations
from motionary.motion.motion import Motion
from motionary.motion.vectors import UP


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


def placement_onto(position: np.ndarray, heading: float, onto_position: np.ndarray, onto_heading: float) -> Placement:
    """The placement that brings one root position and heading onto another's."""
    theta = float(onto_heading - heading)
    moved = rotations.rotate(rotations.from_axis_angle(UP, theta), position)
    return Placement(theta, float(onto_position[0] - moved[0]), float(onto_position[2] - moved[2]))
