"""How fast a body moves."""

import numpy as np

from motionary.motion import Motion


def mean_joint_speed(motion: Motion, *, empty: np.ndarray | None = None) -> np.ndarray:
    """The joints' mean speed (F,) in m/s: over the steps before and after a frame, at the ends over one of them.

    Frames that are `empty` (F,) of movement have none (NaN), and steps from and to them do not count.
    """
    empty = np.zeros(motion.n_frames, dtype=bool) if empty is None else empty
    steps = np.linalg.norm(np.diff(motion.positions_world, axis=0), axis=-1).mean(axis=-1) / motion.frame_time
    counts = ~(empty[1:] | empty[:-1])
    padded, beside = np.zeros(motion.n_frames + 1), np.zeros(motion.n_frames + 1)
    padded[1:-1], beside[1:-1] = np.where(counts, steps, 0.0), counts
    speed = (padded[1:] + padded[:-1]) / np.maximum(beside[1:] + beside[:-1], 1.0)
    speed[empty] = np.nan
    return speed
