"""Forward kinematics: from local rotations to places and orientations in the world."""

import numpy as np
from numba import njit

from motionary.motion import rotations
from motionary.motion.skeleton import Skeleton


def forward(
    skeleton: Skeleton,
    root_positions: np.ndarray,
    rotations_local: np.ndarray,
    moving_joints: np.ndarray,
    translations: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(positions, rotations) of all joints in the world: (F, J, 3) and (F, J, 4)."""
    n_frames, n_joints = rotations_local.shape[:2]
    positions = np.empty((n_frames, n_joints, 3))
    rotations_world = np.empty((n_frames, n_joints, 4))
    mover = np.full(n_joints, -1, dtype=np.int32)  # which column of translations, if any
    mover[moving_joints] = np.arange(len(moving_joints))
    _forward(
        skeleton.parents,
        skeleton.offsets,
        np.ascontiguousarray(root_positions),
        np.ascontiguousarray(rotations_local),
        mover,
        np.ascontiguousarray(translations),
        positions,
        rotations_world,
    )
    return positions, rotations_world


def forward_reference(
    skeleton: Skeleton,
    root_positions: np.ndarray,
    rotations_local: np.ndarray,
    moving_joints: np.ndarray,
    translations: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """What `forward` computes, from the definition: products of 4 × 4 matrices down the tree."""
    n_frames, n_joints = rotations_local.shape[:2]
    world = np.zeros((n_frames, n_joints, 4, 4))
    moving = {int(joint): column for column, joint in enumerate(moving_joints)}
    for f in range(n_frames):
        for joint in range(n_joints):
            local = np.eye(4)
            local[:3, :3] = rotations.to_matrix(rotations_local[f, joint])
            if joint == 0:
                local[:3, 3] = root_positions[f]
            elif joint in moving:
                local[:3, 3] = translations[f, moving[joint]]
            else:
                local[:3, 3] = skeleton.offsets[joint]
            world[f, joint] = local if joint == 0 else world[f, skeleton.parents[joint]] @ local
    return world[..., :3, 3], rotations.from_matrix(world[..., :3, :3])


def end_sites(skeleton: Skeleton, positions: np.ndarray, rotations_world: np.ndarray) -> np.ndarray:
    """Places (F, E, 3) of the end sites, from those of the joints."""
    joints = skeleton.end_site_joints
    return positions[:, joints] + rotations.rotate(rotations_world[:, joints], skeleton.end_site_offsets)


def local_rotations(skeleton: Skeleton, rotations_world: np.ndarray) -> np.ndarray:
    """The local rotations (F, J, 4) that give these world rotations: the inverse of `forward`."""
    local = np.array(rotations_world, dtype=float)
    parents = skeleton.parents[1:]
    local[:, 1:] = rotations.multiply(rotations.inverse(rotations_world[:, parents]), rotations_world[:, 1:])
    return rotations.continuous(local)


@njit(cache=True, nogil=True)
def pose_joints(parents, offsets, root, local, mover, translations, f, positions, world):  # type: ignore[no-untyped-def]
    """Forward kinematics of one frame, for kernels: `root` (3,) and `local` (J, 4) into (J, 3) and (J, 4).

    `mover` (J,) is the column of `translations` (F, M, 3) that a joint stands at in frame f, −1 if it has none.
    """
    for j in range(local.shape[0]):
        w, x, y, z = local[j, 0], local[j, 1], local[j, 2], local[j, 3]
        p = parents[j]
        if p < 0:
            positions[j, 0], positions[j, 1], positions[j, 2] = root[0], root[1], root[2]
            world[j, 0], world[j, 1], world[j, 2], world[j, 3] = w, x, y, z
            continue
        pw, px, py, pz = world[p, 0], world[p, 1], world[p, 2], world[p, 3]
        world[j, 0] = pw * w - px * x - py * y - pz * z
        world[j, 1] = pw * x + px * w + py * z - pz * y
        world[j, 2] = pw * y - px * z + py * w + pz * x
        world[j, 3] = pw * z + px * y - py * x + pz * w
        m = mover[j]
        if m >= 0:
            ox, oy, oz = translations[f, m, 0], translations[f, m, 1], translations[f, m, 2]
        else:
            ox, oy, oz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
        tx = 2.0 * (py * oz - pz * oy)
        ty = 2.0 * (pz * ox - px * oz)
        tz = 2.0 * (px * oy - py * ox)
        positions[j, 0] = positions[p, 0] + ox + pw * tx + py * tz - pz * ty
        positions[j, 1] = positions[p, 1] + oy + pw * ty + pz * tx - px * tz
        positions[j, 2] = positions[p, 2] + oz + pw * tz + px * ty - py * tx


@njit(cache=True, nogil=True)
def _forward(parents, offsets, root_positions, local, mover, translations, positions, world):  # type: ignore[no-untyped-def]
    for f in range(local.shape[0]):
        pose_joints(parents, offsets, root_positions[f], local[f], mover, translations, f, positions[f], world[f])
