"""Additive blending: what one motion does beyond a reference, added to another."""

from dataclasses import replace

import numpy as np

from motionary.errors import SkeletonError, UsageError
from motionary.motion import Motion, poses_at, rotations


def difference(motion: Motion, reference: Motion) -> np.ndarray:
    """Rotation vectors (F, J, 3) that turn the reference's joints onto the motion's, in their own frames.

    The reference is a pose (one frame), or a motion that is stretched to the same length.
    """
    if not motion.skeleton.same_as(reference.skeleton):
        raise SkeletonError("motions of different skeletons have no difference; transfer one of them first")
    same = _stretched(reference, motion.n_frames)
    return rotations.to_rotation_vector(rotations.multiply(rotations.inverse(same.rotations), motion.rotations))


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
    turns = turns * amounts[:, None, None]
    chosen = np.zeros(base.skeleton.n_joints, dtype=bool)
    chosen[np.arange(1, base.skeleton.n_joints) if joints is None else np.asarray(joints)] = True
    turns[:, ~chosen] = 0.0
    turned = rotations.multiply(base.rotations, rotations.from_rotation_vector(turns))
    return replace(base, rotations=rotations.continuous(turned))


def _stretched(motion: Motion, n_frames: int) -> Motion:
    if motion.n_frames == n_frames:
        return motion
    return poses_at(motion, np.linspace(0.0, motion.n_frames - 1.0, n_frames), smooth=True)
