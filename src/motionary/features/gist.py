"""The gist of a pose and of its movement: few dimensions that tell actions apart, all as if in metres."""

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.joint_angles import AXES as TURN_AXES
from motionary.features.joint_angles import joint_angles
from motionary.features.joint_positions import AXES as PLACE_AXES
from motionary.features.joint_positions import joint_positions
from motionary.features.poses import Poses, other_side
from motionary.rig import SIDES

POINTS = ("Head", *(side + joint for side in SIDES for joint in ("Forearm", "Hand", "Shin", "Foot")))
TURNED = tuple(side + joint for side in SIDES for joint in ("UpperArm", "Forearm", "Hand"))
METRES_A_DOUBLING = 0.2  # what a movement twice as large counts for
METRES_A_RADIAN = 0.25
AT_REST = 0.02  # metres: smaller deviations hardly differ from none
REACH_SECS = 1.0 / 6.0  # before and after a frame


def gist() -> Description:
    """Where nine points are, how much they move about there, and how the arms are turned.

    The activity of a point along an axis is the logarithm of its deviation over a third of a second. It tells waving
    from holding still at any moment of the wave, and a large movement from a small one by their ratio, so that those
    who do the same with more or less vigour stay near each other.
    """
    positions, angles = joint_positions(), joint_angles()
    number = {dimension.name: column for column, dimension in enumerate(positions.dimensions)}
    placed = [number[f"{point} {axis}"] for point in POINTS for axis, _ in PLACE_AXES]
    turned = angles.columns(TURNED)

    def compute(poses: Poses) -> np.ndarray:
        places = positions.compute(poses)[:, placed]
        n_around = max(1, round(REACH_SECS / poses.frame_time))
        activity = METRES_A_DOUBLING * np.log2(AT_REST + deviations(places, n_around))
        return np.concatenate([places, activity, METRES_A_RADIAN * angles.compute(poses)[:, turned]], axis=1)

    activities = (
        Dimension(f"{point} {axis} activity", "m", point, f"{other_side()[point]} {axis} activity")
        for point in POINTS
        for axis, _ in PLACE_AXES
    )
    turns = (
        Dimension(f"{joint} turn {axis}", "m", joint, f"{other_side()[joint]} turn {axis}", sign)
        for joint in TURNED
        for axis, sign in TURN_AXES
    )
    return Description("gist", (*(positions.dimensions[column] for column in placed), *activities, *turns), compute)


def deviations(values: np.ndarray, n_around: int) -> np.ndarray:
    """The standard deviations (F, D) of the values over `n_around` frames before and after each, as far as there are.

    Each is summed from its own frames alone, so that frames farther away never change it.
    """
    n_frames = len(values)
    most = min(n_around, n_frames - 1)
    spans = [
        (slice(max(0, -shift), n_frames - max(0, shift)), slice(max(0, shift), n_frames - max(0, -shift)))
        for shift in range(-most, most + 1)
    ]
    counts = np.zeros((n_frames, 1))
    sums, squares = np.zeros(values.shape), np.zeros(values.shape)
    for here, there in spans:
        counts[here] += 1.0
        sums[here] += values[there]
    means = sums / counts
    for here, there in spans:
        squares[here] += np.square(values[there] - means[here])
    return np.asarray(np.sqrt(squares / counts))
