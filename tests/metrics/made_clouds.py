"""Clouds of points that wander about."""

import numpy as np


def wandering(seed: int, n_frames: int, n_points: int, *, far: float = 0.0) -> np.ndarray:
    """Points (F, P, 3) of a body-sized cloud, that begin `far` from the origin."""
    rng = np.random.default_rng(seed)
    body = rng.normal(scale=(0.3, 0.5, 0.2), size=(n_points, 3)) + np.array([0.0, 0.9, 0.0])
    steps = rng.normal(scale=0.02, size=(n_frames, n_points, 3)) + rng.normal(scale=(0.02, 0.0, 0.02), size=3)
    return body + np.cumsum(steps, axis=0) + np.array([far, 0.0, -far])


def around(points: np.ndarray, frame: int, offsets: np.ndarray) -> np.ndarray:
    """The points (W·P, 3) of the window around a frame; beyond the ends, those of the end."""
    return points[np.clip(frame + offsets, 0, len(points) - 1)].reshape(-1, 3)
