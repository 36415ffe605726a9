"""Legs for tests, bent as one likes."""

import numpy as np

from motionary.ik import LimbBends, limb_bends

THIGH, SHIN = 0.42, 0.40


def legs(bend: np.ndarray) -> tuple[np.ndarray, np.ndarray, LimbBends]:
    """(hips, ankles, bends) of legs bent like that (F, 2): hips at 0.9 m, ankles straight below them."""
    shape = np.shape(bend)
    hips = np.zeros((*shape, 3))
    hips[..., 0], hips[..., 1] = [0.1, -0.1], 0.9
    knees, ankles = np.array(hips), np.array(hips)
    knees[..., 1] -= THIGH
    ankles[..., 1] -= THIGH + SHIN * np.cos(bend)
    ankles[..., 2] -= SHIN * np.sin(bend)
    return hips, ankles, limb_bends(hips, knees, ankles, axis=np.array([1.0, 0.0, 0.0]))
