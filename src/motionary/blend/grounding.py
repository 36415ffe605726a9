"""Feet of blends stay above the ground: the mean of rotations puts them into it where poses are unlike."""

from dataclasses import replace

import numpy as np

from motionary.ik import turn_limb, two_bone
from motionary.motion import Motion, rotations
from motionary.rig import SIDES, Body

AROUND_SECS = 0.1  # before and after, over which a foot is lifted and let down
LEAST = 5e-4  # metres: feet that sink in less are left alone


def above_ground(motion: Motion, body: Body, ground: np.ndarray) -> Motion:
    """The motion with feet lifted, knees bending more, that would sink below heights `ground` (F,).

    Each foot keeps its orientation; it is lifted by a smooth curve that is never less than what it lacks.
    """
    points = body.feet.world(motion)[..., 1]  # (F, 2, 2)
    lacking = ground[:, None] - points.min(axis=2)
    for foot, side in enumerate(SIDES):
        if lacking[:, foot].max() < LEAST:
            continue
        lifts = lift_curve(lacking[:, foot], max(1, round(AROUND_SECS / motion.frame_time)))
        thigh, shin, ankle = (body.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        frames = np.flatnonzero(lifts > 0.0)
        places = motion.positions_world[frames]
        target = places[:, ankle].copy()
        target[:, 1] += lifts[frames]
        found = two_bone(places[:, thigh], places[:, shin], places[:, ankle], target)
        upper, lower = (np.tile(rotations.IDENTITY, (motion.n_frames, 1)) for _ in range(2))
        upper[frames], lower[frames] = found.upper, found.lower
        motion = turn_limb(motion, (thigh, shin, ankle), replace(found, upper=upper, lower=lower))
    return motion


def lift_curve(lacking: np.ndarray, reach: int) -> np.ndarray:
    """A smooth curve (F,) that is at least `lacking` (F,) and 0 farther than twice the reach from where that is
    above 0: the greatest of `reach` frames before and after, averaged over as many."""
    padded = np.pad(np.maximum(lacking, 0.0), 2 * reach)
    greatest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    shares = np.cos(0.5 * np.pi * np.arange(-reach, reach + 1) / (reach + 1)) ** 2
    return np.convolve(greatest, shares / shares.sum(), mode="valid")
