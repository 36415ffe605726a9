"""How the body as a whole stands and moves: height, speed, turning, tilt."""

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses, rate_of_change
from motionary.motion import UP, rotations

_DIMENSIONS = (
    ("height", "m", 1.0),
    ("speed forward", "m/s", 1.0),
    ("speed left", "m/s", -1.0),
    ("turning", "rad/s", -1.0),
    ("tilt forward", "rad", 1.0),
    ("tilt left", "rad", -1.0),
)


def root() -> Description:
    """The hips' height, their speed forward and to the left, turning (to the left is positive) and tilt.

    Tilt is the angle between the pelvis's own up axis and the vertical, shared out by the direction in which it
    leans: two numbers that say where the axis points, however far it leans.
    """
    dimensions = tuple(
        Dimension(f"root {name}", unit, "Hips", f"root {name}", sign) for name, unit, sign in _DIMENSIONS
    )
    return Description("root", dimensions, _root)


def _root(poses: Poses) -> np.ndarray:
    motion = poses.motion
    velocity = poses.into_body(rate_of_change(motion.root_positions, frame_time=poses.frame_time))
    turning = rate_of_change(poses.headings, frame_time=poses.frame_time)
    up = poses.into_body(rotations.rotate(motion.rotations[:, 0], UP))
    level = np.hypot(up[:, 0], up[:, 2])
    # As the lean goes to 0, so does the angle, and angle / level to 1; upside down has no direction, and leans forward.
    angle = np.arctan2(level, up[:, 1])
    share = np.where(level > 1e-12, angle / np.maximum(level, 1e-12), 1.0)
    forward = np.where((level <= 1e-12) & (up[:, 1] < 0), np.pi, share * up[:, 2])
    return np.stack(
        [motion.root_positions[:, 1], velocity[:, 2], velocity[:, 0], turning, forward, share * up[:, 0]], axis=1
    )
