"""From the source's world rotations to the target's local ones: the inner loop of every transfer."""

import numpy as np
from numba import njit

from motionary.motion import Skeleton, kinematics, rotations
from motionary.rig.correspondence import Correspondence


def turned_reference(target: Skeleton, follows: Correspondence, source_world: np.ndarray) -> np.ndarray:
    """What `turned` computes, from the definition: the target's local rotations (F, J, 4)."""
    lower = rotations.multiply(source_world[:, follows.lower], follows.lower_turns)
    upper = rotations.multiply(source_world[:, follows.upper], follows.upper_turns)
    world = rotations.slerp(lower, upper, follows.share)
    world = np.where((follows.lower >= 0)[:, None], world, follows.lower_turns)
    return kinematics.local_rotations(target, world)


def turned(target: Skeleton, follows: Correspondence, source_world: np.ndarray) -> np.ndarray:
    """The target's local rotations (F, J, 4), continuous over time, from the source's world rotations."""
    local = np.empty((len(source_world), target.n_joints, 4))
    _turned(
        np.ascontiguousarray(source_world),
        target.parents,
        follows.lower,
        follows.upper,
        follows.share,
        follows.lower_turns,
        follows.upper_turns,
        local,
        np.empty((target.n_joints, 4)),
    )
    return local


@njit(cache=True, nogil=True)
def _turned(source, parents, lower, upper, share, lower_turns, upper_turns, local, world):  # type: ignore[no-untyped-def]
    n_frames, n_joints = local.shape[0], local.shape[1]
    for f in range(n_frames):
        for j in range(n_joints):
            bw, bx, by, bz = lower_turns[j, 0], lower_turns[j, 1], lower_turns[j, 2], lower_turns[j, 3]
            s = lower[j]
            if s < 0:
                w, x, y, z = bw, bx, by, bz
            else:
                if share[j] >= 1.0:
                    s = upper[j]
                    bw, bx, by, bz = upper_turns[j, 0], upper_turns[j, 1], upper_turns[j, 2], upper_turns[j, 3]
                aw, ax, ay, az = source[f, s, 0], source[f, s, 1], source[f, s, 2], source[f, s, 3]
                w = aw * bw - ax * bx - ay * by - az * bz
                x = aw * bx + ax * bw + ay * bz - az * by
                y = aw * by - ax * bz + ay * bw + az * bx
                z = aw * bz + ax * by - ay * bx + az * bw
                if share[j] < 1.0:  # slerp on to the upper joint's
                    s = upper[j]
                    aw, ax, ay, az = source[f, s, 0], source[f, s, 1], source[f, s, 2], source[f, s, 3]
                    bw, bx, by, bz = upper_turns[j, 0], upper_turns[j, 1], upper_turns[j, 2], upper_turns[j, 3]
                    uw = aw * bw - ax * bx - ay * by - az * bz
                    ux = aw * bx + ax * bw + ay * bz - az * by
                    uy = aw * by - ax * bz + ay * bw + az * bx
                    uz = aw * bz + ax * by - ay * bx + az * bw
                    cosine = w * uw + x * ux + y * uy + z * uz
                    sign = 1.0
                    if cosine < 0.0:
                        cosine, sign = -cosine, -1.0
                    first, second = 1.0 - share[j], share[j]
                    if cosine < 1.0 - 1e-9:
                        angle = np.arccos(cosine)
                        sine = np.sin(angle)
                        first, second = np.sin(first * angle) / sine, np.sin(second * angle) / sine
                    second *= sign
                    w, x, y, z = (
                        first * w + second * uw,
                        first * x + second * ux,
                        first * y + second * uy,
                        first * z + second * uz,
                    )
                    size = np.sqrt(w * w + x * x + y * y + z * z)
                    w, x, y, z = w / size, x / size, y / size, z / size
            world[j, 0], world[j, 1], world[j, 2], world[j, 3] = w, x, y, z
            p = parents[j]
            if p >= 0:  # inverse of the parent's rotation, times this one
                aw, ax, ay, az = world[p, 0], -world[p, 1], -world[p, 2], -world[p, 3]
                w, x, y, z = (
                    aw * w - ax * x - ay * y - az * z,
                    aw * x + ax * w + ay * z - az * y,
                    aw * y - ax * z + ay * w + az * x,
                    aw * z + ax * y - ay * x + az * w,
                )
            if f > 0 and (
                w * local[f - 1, j, 0] + x * local[f - 1, j, 1] + y * local[f - 1, j, 2] + z * local[f - 1, j, 3] < 0.0
            ):
                w, x, y, z = -w, -x, -y, -z
            local[f, j, 0], local[f, j, 1], local[f, j, 2], local[f, j, 3] = w, x, y, z
