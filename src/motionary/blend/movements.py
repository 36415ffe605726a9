"""Which parts of the body a motion moves: what tells actions apart without other motions to compare them with."""

from collections.abc import Sequence

import numpy as np

from motionary.blend.sources import BlendSource, cloud_of
from motionary.motion import headings

ROOT_COUNTS = 2.0  # as many points
SWAY = 0.05  # m/s: speeds about as low as this are not told apart
OTHER_MOVEMENT = 0.70  # of two motions whose movements are less alike, other parts of the body move
LIKE_MOVEMENT = 0.85  # they are of one kind if their movements are at least as alike as this


def movement_of(source: BlendSource, points: np.ndarray | None = None) -> np.ndarray:
    """How fast each point of the body moves, seen from the root and its heading, and then the root (P + 1,): m/s,
    root mean square over time. `points` (F, P, 3) is the source's cloud, if it is known."""
    motion, hips = source.motion, source.body.body_map.hips
    points = cloud_of(source) if points is None else points
    facing = headings(motion.rotations_world[:, hips], source.body.rest_world[hips])
    root = motion.root_positions * np.array([1.0, 0.0, 1.0])
    cosine, sine = np.cos(facing)[:, None], np.sin(facing)[:, None]
    away = points - root[:, None]
    own = np.stack(
        [cosine * away[..., 0] - sine * away[..., 2], away[..., 1], sine * away[..., 0] + cosine * away[..., 2]], axis=2
    )
    of_points = np.sqrt(np.square(np.diff(own, axis=0)).sum(axis=2).mean(axis=0)) / motion.frame_time
    of_root = np.sqrt(np.square(np.diff(root, axis=0)).sum(axis=1).mean()) / motion.frame_time
    return np.append(of_points + SWAY, ROOT_COUNTS * of_root)


def movement_likeness(movements: Sequence[np.ndarray]) -> np.ndarray:
    """How alike the movements of motions are (N, N): 1 where the same parts of the body move, at whatever pace and
    wherever they go; 0 where none does in both."""
    stacked = np.stack(movements)
    stacked /= np.linalg.norm(stacked, axis=1, keepdims=True)
    return np.asarray(np.clip(stacked @ stacked.T, 0.0, 1.0))
