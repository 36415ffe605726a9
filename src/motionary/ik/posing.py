"""Bodies that reach for something or look at it, with a chain of their joints."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.errors import SkeletonError
from motionary.ik.applying import turn_joints
from motionary.ik.chain import ChainTurns, look_with_chain, reach_with_chain
from motionary.motion import Motion, rotations


@dataclass(frozen=True, eq=False)
class Posed:
    """A motion after its chain was turned, and what is left to the target: metres, or radians of a gaze."""

    motion: Motion
    left: np.ndarray  # (F,)


def reach(
    motion: Motion,
    joints: Sequence[int],
    target: np.ndarray,
    *,
    offset: np.ndarray | None = None,
    weights: Sequence[float] | np.ndarray | None = None,
) -> Posed:
    """The motion, its `joints` (from the trunk outwards, the last one holding the point) turned to reach `target`.

    The point stands at `offset` in the last joint's frame, by default at the joint itself. `target` is one place or
    (F, 3). `weights` say how much each joint takes part.
    """
    chain = _checked(motion, joints)
    last = chain[-1]
    tip = motion.positions_world[:, last]
    if offset is not None:
        tip = tip + rotations.rotate(motion.rotations_world[:, last], offset)
    found = reach_with_chain(motion.positions_world[:, chain], tip, target, weights=weights)
    return _posed(motion, chain, found)


def look_at(
    motion: Motion,
    joints: Sequence[int],
    target: np.ndarray,
    *,
    gaze: np.ndarray,
    offset: np.ndarray | None = None,
    weights: Sequence[float] | np.ndarray | None = None,
) -> Posed:
    """The motion, its `joints` (such as spine, neck, head) turned until the last one's `gaze` meets `target`.

    `gaze` is a direction in the last joint's frame, `offset` the place of the eyes in it.
    """
    chain = _checked(motion, joints)
    world = motion.rotations_world[:, chain[-1]]
    eye = motion.positions_world[:, chain[-1]] + rotations.rotate(world, np.zeros(3) if offset is None else offset)
    found = look_with_chain(
        motion.positions_world[:, chain], eye, rotations.rotate(world, gaze), target, weights=weights
    )
    return _posed(motion, chain, found)


def _posed(motion: Motion, chain: list[int], found: ChainTurns) -> Posed:
    return Posed(turn_joints(motion, {joint: found.turns[:, k] for k, joint in enumerate(chain)}), found.left)


def _checked(motion: Motion, joints: Sequence[int]) -> list[int]:
    """The joints as a list; they must hang on each other, in that order."""
    skeleton = motion.skeleton
    chain = [int(joint) for joint in joints]
    if not chain or not all(0 <= joint < skeleton.n_joints for joint in chain):
        raise SkeletonError(f"{chain} is not a chain of joints; the skeleton has {skeleton.n_joints}")
    above = skeleton.chain(chain[-1])
    if [joint for joint in above if joint in chain] != chain:
        names = ", ".join(skeleton.names[joint] for joint in chain)
        raise SkeletonError(f"{names} are not connected in that order")
    return chain
