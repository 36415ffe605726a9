"""How fast a body moves."""

import numpy as np

from motionary.motion import Motion


def mean_joint_speed(motion: Motion) -> np.ndarray:
    """The joints' mean speed (F,) in m/s: over the steps before and after a frame, at the ends over one of them."""
    speed = np.zeros(motion.n_frames)
    if motion.n_frames > 1:
        steps = np.linalg.norm(np.diff(motion.positions_world, axis=0), axis=-1).mean(axis=-1) / motion.frame_time
        speed[1:-1], speed[0], speed[-1] = 0.5 * (steps[1:] + steps[:-1]), steps[0], steps[-1]
    return speed
