"""Pose descriptions of motions that nobody moved."""

import numpy as np

from motionary.features import descriptions


def made_features(seed: int, n_frames: int) -> dict[str, np.ndarray]:
    """What all descriptions might say of a body that wanders, with feet that stand now and then."""
    rng = np.random.default_rng(seed)
    pose = np.random.default_rng(7)  # the same body every time
    found = {}
    for name, description in descriptions().items():
        middle = pose.normal(scale=0.3, size=description.n_dimensions)
        found[name] = middle + np.cumsum(rng.normal(scale=0.02, size=(n_frames, description.n_dimensions)), axis=0)
    found["root"][:, 0] += 0.9
    found["curves"][:, :4] = np.repeat(rng.integers(0, 2, (-(-n_frames // 4), 4)), 4, axis=0)[:n_frames]
    return {name: values.astype(np.float32) for name, values in found.items()}
