"""Foot contacts, frame by frame."""

from collections.abc import Iterable

import numpy as np

from motionary.motion import Motion
from motionary.plants.plant import FEET, Plant
from motionary.rig import BodyMap, foot_points, map_skeleton, t_pose

NEAR_FLOOR_METRES = 0.06
SLOW_METRES_PER_SEC = 0.35


def simple_contacts(motion: Motion, body_map: BodyMap | None = None) -> np.ndarray:
    """Whether the left and the right foot stand (F, 2): heel or ball near the floor and slow.

    The floor is where the lowest points of the feet usually are; one height for the whole motion.
    """
    body_map = body_map or map_skeleton(motion.skeleton)
    rest = t_pose(motion.skeleton, body_map, motion=motion)
    points = foot_points(motion.skeleton, body_map, rest).world(motion)  # (F, foot, heel or toe, 3)
    floor = np.percentile(points[..., 1].min(axis=1), 10, axis=0)  # heel and toe apart: their rest heights differ
    speed = np.zeros(points.shape[:-1])
    if motion.n_frames > 1:
        step = np.linalg.norm(np.diff(points, axis=0), axis=-1) / motion.frame_time
        speed[1:], speed[0] = step, step[0]
    near = points[..., 1] < floor + NEAR_FLOOR_METRES
    return np.any(near & (speed < SLOW_METRES_PER_SEC), axis=2)


def contacts_of_plants(plants: Iterable[Plant], n_frames: int) -> np.ndarray:
    """Whether the left and the right foot stand (F, 2), by their plants."""
    contacts = np.zeros((n_frames, 2), dtype=bool)
    for plant in plants:
        contacts[plant.start : plant.stop, FEET.index(plant.foot)] = True
    return contacts
