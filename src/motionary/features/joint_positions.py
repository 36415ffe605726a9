"""Where joints, hand tips, toes, heels and the top of the head are, as seen from the body's place on the ground."""

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses, other_side
from motionary.rig import SIDES, reference_skeleton

AXES = (("left", -1.0), ("up", 1.0), ("forward", 1.0))  # and what a mirror makes of them
END_SITES = {"Head": "HeadTop", "Hand": "HandTip", "Toe": "ToeTip", "Foot": "Heel"}


def joint_positions() -> Description:
    """All joints but the hips, and the end sites, in a frame that follows the hips' place and heading; height kept."""
    dimensions = tuple(
        Dimension(f"{point} {axis}", "m", part, f"{_mirrored_point(point, part)} {axis}", sign)
        for point, part in _points()
        for axis, sign in AXES
    )
    return Description("positions", dimensions, _positions)


def _positions(poses: Poses) -> np.ndarray:
    motion = poses.motion
    points = np.concatenate([motion.positions_world[:, 1:], motion.end_sites_world], axis=1)
    place = motion.root_positions * (1.0, 0.0, 1.0)
    return poses.into_body(points - place[:, None]).reshape(len(points), -1)


def _points() -> list[tuple[str, str]]:
    """The points' names and the joints they belong to, in the order of the columns."""
    skeleton = reference_skeleton()
    points = [(name, name) for name in skeleton.names[1:]]
    for joint in skeleton.end_site_joints:
        name = skeleton.names[joint]
        side = next((side for side in SIDES if name.startswith(side)), "")
        points.append((side + END_SITES[name.removeprefix(side)], name))
    return points


def _mirrored_point(point: str, part: str) -> str:
    if other_side()[part] == part:
        return point
    left, right = SIDES
    return right + point.removeprefix(left) if point.startswith(left) else left + point.removeprefix(right)
