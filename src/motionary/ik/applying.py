"""Putting the turns that a solver found into a motion."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numba import njit

from motionary.errors import SkeletonError, UsageError
from motionary.ik.two_bone import LimbTurns
from motionary.motion import Motion, kinematics, rotations
from motionary.motion import turns as single


def turn_joints(motion: Motion, turns: Mapping[int, np.ndarray], *, root_moves: np.ndarray | None = None) -> Motion:
    """The motion, joints turned in the world: a joint's new orientation is its turn (F, 4) · its old one.

    What hangs on a turned joint turns with it, down to the next one that has a turn of its own; a turn of
    [1, 0, 0, 0] keeps a joint as it stood in the world. All other local rotations stay as they are, to the bit, and
    so do those of joints that turn exactly as what they hang on. The root is moved by `root_moves` (F, 3).
    """
    skeleton, n_frames = motion.skeleton, motion.n_frames
    joints = np.array(sorted(turns), dtype=np.int64)
    if len(joints) and (joints[0] < 0 or joints[-1] >= skeleton.n_joints):
        raise SkeletonError(f"joints {joints.tolist()} do not exist; the skeleton has {skeleton.n_joints}")
    stacked = np.empty((n_frames, len(joints) + 1, 4))
    for column, joint in enumerate(joints):
        turn = np.asarray(turns[int(joint)], dtype=float)
        if turn.shape not in ((4,), (n_frames, 4)):
            raise UsageError(f"the turns of joint {joint} have the shape {turn.shape}, not {(n_frames, 4)}")
        stacked[:, column] = turn
    stacked[:, -1] = rotations.IDENTITY  # for what hangs on no turned joint: column −1
    local = np.array(motion.rotations)
    turn_in_world(
        skeleton.parents, joints, columns_above(skeleton.parents, joints), stacked, motion.rotations_world, local
    )
    root = motion.root_positions if root_moves is None else motion.root_positions + root_moves
    return replace(motion, root_positions=root, rotations=local)


def turn_joints_reference(motion: Motion, turns: Mapping[int, np.ndarray]) -> np.ndarray:
    """The local rotations (F, J, 4) of `turn_joints`, from the definition: turn the world, read the local ones."""
    world = np.array(motion.rotations_world)
    carried: dict[int, np.ndarray] = {-1: np.broadcast_to(rotations.IDENTITY, (motion.n_frames, 4))}
    for joint, parent in enumerate(motion.skeleton.parents):
        carried[joint] = np.asarray(turns.get(joint, carried[int(parent)]))
        world[:, joint] = rotations.multiply(carried[joint], world[:, joint])
    return kinematics.local_rotations(motion.skeleton, world)


def turn_limb(motion: Motion, limb: tuple[int, int, int], turns: LimbTurns) -> Motion:
    """The motion with a limb (upper, middle, end joints) turned; its hand or foot keeps its orientation."""
    upper, middle, end = limb
    return turn_joints(motion, {upper: turns.upper, middle: turns.lower, end: rotations.IDENTITY})


def columns_above(parents: np.ndarray, joints: np.ndarray) -> np.ndarray:
    """For each joint the column of the nearest turned joint above it, −1 if there is none."""
    column_of = {int(joint): column for column, joint in enumerate(joints)}
    above = np.full(len(joints), -1, dtype=np.int64)
    for column, joint in enumerate(joints):
        parent = int(parents[joint])
        while parent >= 0 and parent not in column_of:
            parent = int(parents[parent])
        above[column] = column_of.get(parent, -1)
    return above


@njit(cache=True, nogil=True)
def turn_in_world(parents, joints, above, turns, world, local):  # type: ignore[no-untyped-def]
    """Turn joints (T,) in the world by `turns` (F, T + 1, 4), the last of which are none; writes `local` (F, J, 4).

    `above` (T,) is the column of the nearest turned joint above each, −1 if there is none; parents come first.
    """
    for f in range(local.shape[0]):
        for column in range(joints.shape[0]):
            joint, over = joints[column], above[column]
            turn = (turns[f, column, 0], turns[f, column, 1], turns[f, column, 2], turns[f, column, 3])
            ride = (turns[f, over, 0], turns[f, over, 1], turns[f, over, 2], turns[f, over, 3])
            if turn == ride:
                continue
            own = (world[f, joint, 0], world[f, joint, 1], world[f, joint, 2], world[f, joint, 3])
            q = single.multiply(turn, own)
            p = parents[joint]
            if p >= 0:
                parent = (world[f, p, 0], world[f, p, 1], world[f, p, 2], world[f, p, 3])
                q = single.multiply(single.inverse(single.multiply(ride, parent)), q)
            same = q[0] * local[f, joint, 0] + q[1] * local[f, joint, 1]
            same += q[2] * local[f, joint, 2] + q[3] * local[f, joint, 3]
            sign = -1.0 if same < 0.0 else 1.0  # nearer to the old one: what was continuous stays so
            for i in range(4):
                local[f, joint, i] = sign * q[i]
