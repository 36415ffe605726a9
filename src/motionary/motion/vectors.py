"""Directions of our space, and vectors as directions."""

import numpy as np

LEFT, UP, FORWARD = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])  # of bodies at rest
NO_LENGTH = 1e-12  # metres: what is shorter points nowhere


def unit(vectors: np.ndarray, *, fallback: np.ndarray | None = None) -> np.ndarray:
    """The directions (..., 3) of vectors; those of no length have the fallback's, or stay 0 without one."""
    vectors = np.asarray(vectors, dtype=float)
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    points = length > NO_LENGTH
    directions = vectors / np.where(points, length, 1.0)
    return np.where(points, directions, 0.0 if fallback is None else unit(fallback))
