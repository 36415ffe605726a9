"""Poses and curves for tests of pose spaces."""

from zlib import crc32

import numpy as np

from motionary.features import descriptions
from motionary.library import LibraryFeatures
from motionary.search.wpca.linear import PoseRows, joints
from search.tiny_libraries import library


def poses(rng: np.random.Generator, n_frames: int, *, size: float = 0.4, tilt: float = 0.3) -> PoseRows:
    """Random poses: joints turned by about `size`, the trunk leaning by about `tilt`."""
    root = np.zeros((n_frames, 6))
    root[:, 0] = rng.uniform(0.5, 1.0, n_frames)
    root[:, 4:] = tilt * rng.standard_normal((n_frames, 2))
    return PoseRows(size * rng.standard_normal((n_frames, 3 * len(joints()))), root)


def smooth_clip(rng: np.random.Generator, n_frames: int) -> dict[str, np.ndarray]:
    """The features of a body that sways: neighbouring frames are alike."""
    time = np.arange(n_frames)[:, None] / 30.0
    seed = int(rng.integers(2**32))
    rows = {}
    for name, description in descriptions().items():
        own = np.random.default_rng([seed, crc32(name.encode())])  # whatever other descriptions there are
        n = description.n_dimensions
        rows[name] = 0.5 * np.sin(time * own.uniform(1, 6, n) + own.uniform(0, 6, n))
    return rows


def smooth_library(rng: np.random.Generator, lengths: list[int]) -> LibraryFeatures:
    return library([smooth_clip(rng, n) for n in lengths])
