"""Descriptive curves: what the feet touch, how much the body moves, how hard it works."""

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses, rate_of_change
from motionary.plants import FEET, PARTS


def curves() -> Description:
    """Contacts of heels and toes (0 or 1), energy and effort.

    Energy is the sum of the joints' speeds in the world. Effort is the sum of the sizes of their accelerations,
    the differences of those velocities: what a body that keeps its pace, or hangs still, does not need.
    """
    other = dict(zip(FEET, FEET[::-1], strict=True))
    contacts = tuple(
        Dimension(f"{foot} {part} contact", "", f"{foot.title()}Foot", f"{other[foot]} {part} contact")
        for foot in FEET
        for part in PARTS
    )
    whole = (Dimension("energy", "m/s", "", "energy"), Dimension("effort", "m/s²", "", "effort"))
    return Description("curves", contacts + whole, _curves)


def _curves(poses: Poses) -> np.ndarray:
    velocities = rate_of_change(poses.motion.positions_world, frame_time=poses.frame_time)
    accelerations = rate_of_change(velocities, frame_time=poses.frame_time)
    energy, effort = (np.linalg.norm(vectors, axis=-1).sum(axis=1) for vectors in (velocities, accelerations))
    return np.column_stack([poses.contacts.reshape(len(energy), 4), energy, effort])
