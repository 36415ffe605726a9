"""Additive blending: what one motion does beyond a reference, added to another."""

from dataclasses import replace

import numpy as np

from motionary.blend.grounding import lift_curve
from motionary.blend.opposites import ALIKE, FADE_SECS, OPPOSITE
from motionary.errors import SkeletonError, UsageError
from motionary.motion import Motion, poses_at, rotations


def difference(motion: Motion, reference: Motion) -> np.ndarray:
    """Rotation vectors (F, J, 3) that turn the reference's joints onto the motion's, in their own frames; they follow a
    joint beyond half a turn.

    The reference is a pose (one frame), or a motion that is stretched to the same length.
    """
    if not motion.skeleton.same_as(reference.skeleton):
        raise SkeletonError("motions of different skeletons have no difference; transfer one of them first")
    same = _stretched(reference, motion.n_frames)
    away = rotations.multiply(rotations.inverse(same.rotations), motion.rotations)
    return rotations.unfolded_vectors(rotations.continuous(away))


def add_motion(
    base: Motion,
    added: Motion,
    *,
    reference: Motion,
    amount: float | np.ndarray = 1.0,
    joints: np.ndarray | None = None,
) -> Motion:
    """The base with what `added` does beyond its `reference`, times an amount, or amounts over time (F,).

    The difference is stretched to the base's length. Place and heading are the base's; `joints` limits it to some.
    Where it jumps all the same, as after a whole turn, a share of it would jump, too: there, it fades out and in again.
    """
    if not base.skeleton.same_as(added.skeleton):
        raise SkeletonError("motions of different skeletons cannot be added; transfer one of them first")
    amounts = (
        np.broadcast_to(np.asarray(amount, dtype=float), (base.n_frames,))
        if np.ndim(amount) == 0
        else np.asarray(amount, float)
    )
    if amounts.shape != (base.n_frames,) or not np.isfinite(amounts).all():
        raise UsageError(f"an amount must be one finite number, or one for each of {base.n_frames} frames")
    turns = difference(_stretched(added, base.n_frames), reference)
    # Whole amounts of a turn do not jump: they fade by nothing, and halves the most.
    turns *= 1.0 - _opposite(turns, base.frame_time)[..., None] * np.abs(np.sin(np.pi * amounts))[:, None, None]
    turns = turns * amounts[:, None, None]
    chosen = np.zeros(base.skeleton.n_joints, dtype=bool)
    chosen[np.arange(1, base.skeleton.n_joints) if joints is None else np.asarray(joints)] = True
    turns[:, ~chosen] = 0.0
    turned = rotations.multiply(base.rotations, rotations.from_rotation_vector(turns))
    return replace(base, rotations=rotations.continuous(turned))


def _opposite(turns: np.ndarray, frame_time: float) -> np.ndarray:
    """How near (F, J), from 0 to 1, rotation vectors (F, J, 3) are to half a turn; 0 for joints that never pass it."""
    near = np.zeros(turns.shape[:2])
    jumps = np.linalg.norm(np.diff(turns, axis=0), axis=2) > np.pi  # (F − 1, J)
    for joint in np.flatnonzero(jumps.any(axis=0)).tolist():
        angles = np.linalg.norm(turns[:, joint], axis=1)
        own = np.clip((angles - ALIKE) / (OPPOSITE - ALIKE), 0.0, 1.0)
        own[:-1][jumps[:, joint]] = own[1:][jumps[:, joint]] = 1.0
        near[:, joint] = lift_curve(own, max(1, round(FADE_SECS / frame_time)))
    return near


def _stretched(motion: Motion, n_frames: int) -> Motion:
    if motion.n_frames == n_frames:
        return motion
    return poses_at(motion, np.linspace(0.0, motion.n_frames - 1.0, n_frames), smooth=True)
