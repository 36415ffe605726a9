"""A query played slower or faster: its poses between frames, taken as rotations."""

from dataclasses import replace

import numpy as np

from motionary.alignment import sampled_frames
from motionary.features import Rates, features_of
from motionary.motion import Motion, poses_at
from motionary.rig import Body

CONTEXT_FRAMES = 15  # before and after, so that speeds, headings and contacts know what they come from


def played(
    motion: Motion, body: Body, *, rates: Rates, start: int, stop: int, length: int, rate_hz: float
) -> dict[str, np.ndarray]:
    """The features (p, D), by description, of the search frames [start, stop) of a clip played in `length` frames.

    Its ends lie on the ends of the frames as they were, and all is as much slower as it is longer: speeds too.
    """
    n_frames = stop - start
    step = (n_frames - 1) / (length - 1) if length > 1 else 1.0
    inner = start + sampled_frames(n_frames, length)
    before = min(CONTEXT_FRAMES, int(inner[0] / step))
    after = min(CONTEXT_FRAMES, int((rates.n_search_frames - 1 - inner[-1]) / step))
    around = np.concatenate(
        [inner[0] - step * np.arange(before, 0, -1), inner, inner[-1] + step * np.arange(1, after + 1)]
    )
    last = motion.n_frames - 1
    resampled = replace(poses_at(motion, np.clip(rates.clip_frames(around), 0, last)), frame_time=1.0 / rate_hz)
    features = features_of(resampled, body, rate_hz=rate_hz)
    return {name: array[before : before + length] for name, array in features.arrays.items()}
