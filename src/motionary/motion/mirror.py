"""Left for right."""

from dataclasses import replace

import numpy as np

from motionary.errors import SkeletonError
from motionary.motion import kinematics, rotations
from motionary.motion.motion import Motion
from motionary.motion.skeleton import Skeleton

REFLECTED = np.array([-1.0, 1.0, 1.0])  # in the plane x = 0
REFLECTED_ROTATION = np.array([1.0, 1.0, -1.0, -1.0])


def mirror(motion: Motion, partners: np.ndarray, *, rest_world: np.ndarray | None = None) -> Motion:
    """The motion seen in a mirror (the plane x = 0): every joint does what its partner on the other side did.

    `partners` (J,) names each joint's counterpart, itself for those in the middle. `rest_world` (J, 4) are the
    joints' orientations in a symmetric pose; the default, no rotation, fits skeletons whose rest pose is
    symmetric. A joint that only one side has keeps its own pose against its parent. Twice mirrored is the original.
    """
    n_joints = motion.skeleton.n_joints
    partners = np.asarray(partners)
    if not np.array_equal(np.sort(partners), np.arange(n_joints)) or np.any(partners[partners] != range(n_joints)):
        raise SkeletonError("partners must pair the joints: the partner of a joint's partner is the joint itself")
    rest = np.broadcast_to(rotations.IDENTITY, (n_joints, 4)) if rest_world is None else rest_world
    # How far each joint has turned in the world since the symmetric pose is what the mirror reflects.
    since_rest = rotations.multiply(motion.rotations_world, rotations.inverse(rest))
    mirrored = rotations.multiply(since_rest[:, partners] * REFLECTED_ROTATION, rest)
    lone = _lone_joints(motion.skeleton, partners)
    for joint in np.flatnonzero(lone):
        parent = motion.skeleton.parents[joint]
        mirrored[:, joint] = rotations.multiply(mirrored[:, parent], motion.rotations[:, joint])
    moving = motion.moving_joints
    if np.any(~np.isin(partners[moving], moving)):
        raise SkeletonError("a moving joint's partner does not move; such a motion cannot be mirrored")
    column = {int(joint): i for i, joint in enumerate(moving)}
    swapped = [column[int(partners[joint])] for joint in moving]
    parents = motion.skeleton.parents[moving]
    into_partner, from_parent = (
        rest[motion.skeleton.parents[partners[moving]]],
        rotations.inverse(rest[parents]),
    )
    translations = rotations.rotate(into_partner, motion.joint_translations[:, swapped]) * REFLECTED
    translations = np.where(lone[moving, None], motion.joint_translations, rotations.rotate(from_parent, translations))
    return replace(
        motion,
        root_positions=motion.root_positions * REFLECTED,
        rotations=kinematics.local_rotations(motion.skeleton, mirrored),
        translations=translations,
    )


def _lone_joints(skeleton: Skeleton, partners: np.ndarray) -> np.ndarray:
    """Which joints (J,) hang below one side of the body and have no counterpart on the other."""
    lone = np.zeros(skeleton.n_joints, dtype=bool)
    for joint in range(1, skeleton.n_joints):  # parents first
        parent = skeleton.parents[joint]
        lone[joint] = partners[joint] == joint and (partners[parent] != parent or lone[parent])
    return lone
