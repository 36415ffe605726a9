"""Carrying a motion from one body to another: orientations through the T-pose, places by leg length."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionary.motion import Motion, Skeleton, rotations
from motionary.rig.body import leg_length
from motionary.rig.body_map import BodyMap
from motionary.rig.correspondence import correspondence
from motionary.rig.foot_placing import place_feet
from motionary.rig.mapping import map_skeleton
from motionary.rig.reference import HEIGHT, SIDES, reference_skeleton
from motionary.rig.turning import turned
from motionary.rig.whole_body import Body, body_of


def to_reference(
    motion: Motion, body_map: BodyMap | None = None, *, height: float | None = HEIGHT, feet: bool = True
) -> Motion:
    """The motion on the reference skeleton of `height` metres; None: as tall as the actor, by leg length."""
    source = body_of(motion.skeleton, body_map=body_map, motion=motion)
    if height is None:
        standard = reference_skeleton()
        height = round(HEIGHT * source.leg_length / leg_length(standard, map_skeleton(standard)), 3)
    return transfer_between(motion, source, body_of(reference_skeleton(height)), feet=feet)


def transfer(
    motion: Motion,
    onto: Skeleton,
    *,
    source_map: BodyMap | None = None,
    target_map: BodyMap | None = None,
    target_motion: Motion | None = None,
    feet: bool = True,
) -> Motion:
    """The motion on another skeleton, at the same frame time.

    Every part of the body turns in the world as it did, counted from the T-pose; the root's way is scaled by leg
    length. With `feet` the legs are bent so that the feet stand on the scaled places of the source's: what was
    planted stays planted. Joints that moved against their parents do not move in the new body; parts that only
    one of the two has are dropped, or follow the joint they hang on. Where the rest pose of `onto` says nothing
    (bones all along one axis), `target_motion`, any motion of that skeleton, shows how its limbs bend.
    """
    source = body_of(motion.skeleton, body_map=source_map, motion=motion)
    target = body_of(onto, body_map=target_map, motion=target_motion)
    return _on_skeleton(transfer_between(motion, source, target, feet=feet), onto)


def _on_skeleton(moved: Motion, onto: Skeleton) -> Motion:
    """The motion of a settled skeleton on the skeleton itself: joints settled elsewhere are moved there."""
    settled = moved.skeleton.offsets
    moving = 1 + np.flatnonzero(np.any(settled[1:] != onto.offsets[1:], axis=1))
    translations = np.tile(settled[moving], (moved.n_frames, 1, 1))
    return replace(moved, skeleton=onto, moving_joints=moving, translations=translations)


def transfer_between(motion: Motion, source: Body, target: Body, *, feet: bool = True) -> Motion:
    """`transfer` between bodies that are already known; `source` must be that of the motion's skeleton."""
    follows = correspondence(
        source.skeleton,
        target.skeleton,
        source_map=source.body_map,
        target_map=target.body_map,
        source_rest=source.rest_world,
        target_rest=target.rest_world,
    )
    local = turned(target.skeleton, follows, motion.rotations_world)
    scale = target.leg_length / source.leg_length
    thighs = [source.body_map.joints[side + "Thigh"] for side in SIDES]
    middle = motion.positions_world[:, thighs].mean(axis=1)  # between the hip joints
    rise = float(np.mean(target.feet.ankle_height - scale * source.feet.ankle_height))  # soles stay on the ground
    root = scale * middle + (0.0, rise, 0.0) - _thighs_from_root(target, local)
    moved = Motion(target.skeleton, motion.frame_time, root, local)
    return place_feet(moved, motion, source, target, scale, rise) if feet else moved


def _thighs_from_root(target: Body, local: np.ndarray) -> np.ndarray:
    """Where the middle between the hip joints stands (F, 3) if the root stands at the origin."""
    thighs = [target.body_map.joints[side + "Thigh"] for side in SIDES]
    total = np.zeros((len(local), 3))
    for thigh in thighs:
        chain = target.skeleton.chain(thigh)
        turn = local[:, 0]
        for parent, joint in pairwise(chain):
            if parent:
                turn = rotations.multiply(turn, local[:, parent])
            total += 0.5 * rotations.rotate(turn, target.skeleton.offsets[joint])
    return total
