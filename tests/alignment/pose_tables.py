"""Tables of poses of many kinds.

from alignment.pose_tables import KINDS, table
"""

import numpy as np

KINDS = ("smooth", "ties", "constant", "spikes", "tiny", "far away")


def table(rng: np.random.Generator, kind: str, n_frames: int, n_dimensions: int) -> np.ndarray:
    """Poses (F, D) of one kind, in single precision as features are."""
    values = np.cumsum(rng.normal(size=(n_frames, n_dimensions)) * 0.1, axis=0)
    if kind == "ties":
        values = rng.integers(-2, 3, size=(n_frames, n_dimensions)).astype(float)
    if kind == "constant":
        values = np.tile(rng.normal(size=n_dimensions), (n_frames, 1))
    if kind == "spikes":
        values[rng.integers(n_frames, size=2), rng.integers(n_dimensions)] = rng.choice([-1e4, 1e4])
    if kind == "tiny":
        values = values * 1e-6
    if kind == "far away":
        values = values + 300.0
    return values.astype(np.float32)
