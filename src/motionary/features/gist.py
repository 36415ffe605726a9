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

    places = ((point, f"place {axis}", sign) for point in POINTS for axis, sign in PLACE_AXES)
    activities = ((point, f"activity {axis}", 1.0) for point in POINTS for axis, _ in PLACE_AXES)
    turns = ((joint, f"turn {axis}", sign) for joint in TURNED for axis, sign in TURN_AXES)
    dimensions = tuple(
        Dimension(f"{part} {what}", "m", part, f"{other_side()[part]} {what}", sign)
        for part, what, sign in (*places, *activities, *turns)
    )
    return Description("gist", dimensions, compute)


def deviations(values: np.ndarray, n_around: int) -> np.ndarray:
    """The standard deviations (F, D) of the values over the 2 n + 1 frames around each.

    At the ends it is the first or last so many frames, and all frames where there are fewer: the deviation of half as
    many frames would be about half as large. Each is summed from its own frames alone: those farther away never
    change it.
    """
    n_together = min(2 * n_around + 1, len(values))
    n_inner = len(values) - n_together + 1
    spans = [values[shift : shift + n_inner] for shift in range(n_together)]
    means = sum(spans, np.zeros((n_inner, values.shape[1]))) / n_together
    squares = np.zeros((n_inner, values.shape[1]))
    for span in spans:
        squares += np.square(span - means)
    inner = np.sqrt(squares / n_together)
    return np.asarray(inner[np.clip(np.arange(len(values)) - n_around, 0, n_inner - 1)])
