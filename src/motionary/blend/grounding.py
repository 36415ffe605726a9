"""Feet of blends stay above the ground: the mean of rotations puts them into it where poses are unlike."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionary.ik import turn_joints, turn_limb, two_bone
from motionary.motion import UP, Motion, ease, rotations
from motionary.plants import PARTS, Plant, part_contacts_of_plants
from motionary.rig import SIDES, Body

AROUND_SECS = 0.1  # before and after, over which a foot is lifted and let down
STEEPEST = 0.9  # sine of the slope to which a foot is tipped
LEAST_TIP = 2e-3  # metres: feet whose heel or toe sinks in less, while the other stands, are left alone
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


def tipped_above_ground(motion: Motion, body: Body, ground: np.ndarray, plants: Sequence[Plant]) -> Motion:
    """The motion with feet tipped that stand on heel or toe alone and sink below heights `ground` (F,) with the other.

    They turn about what stands, the leg follows; `plants` are those that are held.
    """
    reach = max(1, round(AROUND_SECS / motion.frame_time))
    stands = part_contacts_of_plants(plants, motion.n_frames)  # (F, 2, 2)
    for foot, side in enumerate(SIDES):
        thigh, shin, ankle = (body.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        for low in range(len(PARTS)):
            points = body.feet.world(motion)[:, foot]  # (F, 2, 3)
            alone = stands[:, foot, 1 - low] & ~stands[:, foot, low]
            lacking = np.where(alone, ground - points[:, low, 1], 0.0)
            if lacking.max() < LEAST_TIP:
                continue
            # Nothing is turned where both stand, and little just before and after.
            lifts = lift_curve(lacking, reach) * ease(np.clip(_frames_from(stands[:, foot, low]) / reach, 0.0, 1.0))
            turns = _raising(points[:, low] - points[:, 1 - low], lifts)
            places = motion.positions_world
            target = points[:, 1 - low] + rotations.rotate(turns, places[:, ankle] - points[:, 1 - low])
            found = two_bone(places[:, thigh], places[:, shin], places[:, ankle], target)
            still = lifts <= 0.0
            upper, lower = (np.where(still[:, None], rotations.IDENTITY, turn) for turn in (found.upper, found.lower))
            motion = turn_joints(motion, {thigh: upper, shin: lower, ankle: turns})
    return motion


def _raising(ways: np.ndarray, lifts: np.ndarray) -> np.ndarray:
    """Turns (F, 4) about horizontal axes that raise the ends of `ways` (F, 3) by so many metres."""
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1e-9)
    slope = np.clip(ways[:, 1] / lengths, -1.0, 1.0)
    angles = np.arcsin(np.clip((ways[:, 1] + lifts) / lengths, slope, np.maximum(slope, STEEPEST))) - np.arcsin(slope)
    axes = np.cross(ways, UP)
    flat = np.linalg.norm(axes, axis=1, keepdims=True)
    return np.asarray(rotations.from_rotation_vector(axes / np.maximum(flat, 1e-9) * angles[:, None]))


def _frames_from(mask: np.ndarray) -> np.ndarray:
    """How many frames each (F,) is from the nearest in which the mask holds; infinite if it never does."""
    frames = np.arange(len(mask), dtype=float)
    before = np.maximum.accumulate(np.where(mask, frames, -np.inf))
    after = np.minimum.accumulate(np.where(mask, frames, np.inf)[::-1])[::-1]
    return np.minimum(frames - before, after - frames)


def lift_curve(lacking: np.ndarray, reach: int) -> np.ndarray:
    """A smooth curve (F,) that is at least `lacking` (F,) and 0 farther than twice the reach from where that is
    above 0: the greatest of `reach` frames before and after, averaged over as many."""
    padded = np.pad(np.maximum(lacking, 0.0), 2 * reach)
    greatest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    shares = np.cos(0.5 * np.pi * np.arange(-reach, reach + 1) / (reach + 1)) ** 2
    return np.convolve(greatest, shares / shares.sum(), mode="valid")
