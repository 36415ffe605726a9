"""How every joint is turned against its parent, as an axis-angle vector."""

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses, other_side
from motionary.motion import rotations
from motionary.rig import reference_skeleton

AXES = (("x", 1.0), ("y", -1.0), ("z", -1.0))  # and what a mirror makes of a turn about them
NEAR_HALF_TURN = np.radians(170.0)


def joint_angles() -> Description:
    """Axis-angle vectors of all joints but the hips, counted from the T-pose, of at most half a turn.

    A joint that passes half a turn jumps to the other side; `half_turn_shares` tells how often that is near.
    """
    dimensions = tuple(
        Dimension(f"{joint} {axis}", "rad", joint, f"{other_side()[joint]} {axis}", sign)
        for joint in reference_skeleton().names[1:]
        for axis, sign in AXES
    )
    return Description("angles", dimensions, _angles)


def half_turn_shares(angles: np.ndarray) -> dict[str, float]:
    """By joint, the share of frames of the feature array `angles` (F, D) in which it is turned by more than 170°."""
    sizes = np.linalg.norm(np.reshape(angles, (len(angles), -1, 3)), axis=-1)
    shares = (sizes > NEAR_HALF_TURN).mean(axis=0)
    return dict(zip(reference_skeleton().names[1:], shares.tolist(), strict=True))


def _angles(poses: Poses) -> np.ndarray:
    vectors = rotations.to_rotation_vector(poses.motion.rotations[:, 1:])
    return vectors.reshape(len(vectors), -1)
