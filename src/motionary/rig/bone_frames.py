"""The T-pose of skeletons whose rest pose says nothing: every bone along an axis of its parent.

What is rigid shows the frames of hips and chest: the hip joints lie left and right in the one, the clavicles in
the other. A limb's bone gives its direction, and the way its knee or elbow bends gives its twist.
"""

from enum import Enum
from itertools import pairwise

import numpy as np

from motionary.motion import LEFT, UP, Motion, Skeleton, even_frames, rotations
from motionary.rig.body_map import BodyMap
from motionary.rig.reference import SIDES, reference_skeleton

NECK_DIRECTION = np.array([0.0, 5.0, 1.0])  # the reference's neck leans a little
NEXT = {
    "Clavicle": "UpperArm",
    "UpperArm": "Forearm",
    "Forearm": "Hand",
    "Thigh": "Shin",
    "Shin": "Foot",
    "Foot": "Toe",
}
N_SAMPLES = 256
NEAR_AXIS = np.cos(np.radians(25.0))
NEAREST_AXIS = np.cos(np.radians(40.0))
LEAST_BEND = 0.05  # sine of the mean bend below which a limb does not show how it bends
OTHER_AXES = np.radians(
    60.0
)  # from its parent, on the average: no wrist or neck is held so, the axes are named otherwise


class Bend(Enum):
    """A hinge: knees bend backward; elbows, in the T-pose with palms down, forward."""

    KNEE = "knee"
    ELBOW = "elbow"

    def axis(self, side: str) -> np.ndarray:
        """The axis about which the hinge turns in the T-pose, upper bone × lower bone."""
        if self is Bend.KNEE:
            return LEFT
        return -UP if side == "Left" else UP


def t_pose_of_bones(skeleton: Skeleton, body_map: BodyMap, motion: Motion | None) -> np.ndarray:
    """World rotations (J, 4) of the T-pose, built from the bones and, where there is one, a motion."""
    places = skeleton.rest_positions()  # no joint is turned, so that differences are in every joint's own frame
    parts = {joint: part for part, joint in body_map.joints.items()}
    trunk = [body_map.hips, *body_map.spine, *body_map.neck, *_joints(body_map, "Head")]
    bones = _bones(body_map, trunk, places)
    pose = np.tile(rotations.IDENTITY, (skeleton.n_joints, 1))
    for joint in range(skeleton.n_joints):
        carried = pose[skeleton.parents[joint]] if joint else rotations.IDENTITY
        if motion is not None and (joint in parts or joint in trunk) and joint not in bones and joint != body_map.hips:
            carried = _as_mostly(carried, motion, int(skeleton.parents[joint]), joint)
        bone = bones.get(joint, np.zeros(3))
        if joint == body_map.hips:
            pose[joint] = _hips(body_map, places)
        elif joint in trunk:
            lateral = _shoulders(body_map, places) if joint == body_map.spine[-1] else np.zeros(3)
            onto = NECK_DIRECTION if joint in body_map.neck else UP
            pose[joint] = _trunk(carried, bone, onto, lateral)
        elif joint in bones:
            pose[joint] = _limb(body_map, parts[joint], bone, carried, pose, motion)
        else:
            pose[joint] = carried
    return pose


def two_vector_turn(
    primary: np.ndarray, primary_onto: np.ndarray, secondary: np.ndarray, secondary_onto: np.ndarray
) -> np.ndarray:
    """The rotation that turns one direction exactly, and another as nearly as it can, onto theirs."""
    here, there = _basis(primary, secondary), _basis(primary_onto, secondary_onto)
    return rotations.from_matrix(there.T @ here)


def turned_onto(turn: np.ndarray, bone: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The turn, and then the smallest one that brings the bone, as it lies in the world after it, onto a direction."""
    if np.linalg.norm(bone) < 1e-9:
        return turn
    return rotations.multiply(rotations.between_vectors(bone, direction), turn)


def bend_axis(motion: Motion, upper: int, lower: int, end: int) -> np.ndarray | None:
    """The axis (3,) about which a knee or elbow bends, in the upper joint's frame; None if it hardly bends."""
    picked = even_frames(motion.n_frames, N_SAMPLES)
    places = motion.positions_world[picked]
    first, second = places[:, lower] - places[:, upper], places[:, end] - places[:, lower]
    axes = np.cross(first, second)  # as long as the bend is strong
    axes = axes / np.maximum(np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1), 1e-300).reshape(-1, 1)
    local = rotations.rotate(rotations.inverse(motion.rotations_world[picked, upper]), axes).mean(axis=0)
    return local if np.linalg.norm(local) > LEAST_BEND else None


def _hips(body_map: BodyMap, places: np.ndarray) -> np.ndarray:
    """The hips' frame: left by the hip joints, up by the spine's first joint."""
    joints = body_map.joints
    left = places[joints["LeftThigh"]] - places[joints["RightThigh"]]
    thighs = 0.5 * (places[joints["LeftThigh"]] + places[joints["RightThigh"]]) - places[body_map.hips]
    spine = places[body_map.spine[0]] - places[body_map.hips]
    if np.linalg.norm(spine) > 0.1 * np.linalg.norm(left):
        reference = reference_skeleton()
        up, up_onto, near = spine, reference.offsets[reference.index("Spine1")], NEAR_AXIS
    else:  # the spine starts where the hips are: the hip joints lie below, and often well before them
        up, up_onto, near = -thighs, UP, NEAREST_AXIS
    if np.linalg.norm(up) < 1e-9 or np.linalg.norm(left) < 1e-9:
        return rotations.IDENTITY
    axis = int(np.argmax(np.abs(up)))
    if abs(up[axis]) > near * np.linalg.norm(up):  # such rigs point an axis upward
        up, up_onto = np.eye(3)[axis] * np.sign(up[axis]), UP
    return two_vector_turn(left, LEFT, up, up_onto)


def _bones(body_map: BodyMap, trunk: list[int], places: np.ndarray) -> dict[int, np.ndarray]:
    """From each joint of trunk and limbs to the next, where they are not at one place."""
    joints = body_map.joints
    pairs = list(pairwise(trunk))
    pairs += [
        (joints[side + part], joints[side + child])
        for side in SIDES
        for part, child in NEXT.items()
        if side + part in joints and side + child in joints
    ]
    bones = {joint: places[child] - places[joint] for joint, child in pairs}
    return {joint: bone for joint, bone in bones.items() if np.linalg.norm(bone) >= 1e-6}


def _as_mostly(carried: np.ndarray, motion: Motion, parent: int, joint: int) -> np.ndarray:
    """A head, hand or other joint without a bone: turned as its parent, or as it mostly is if its axes are others."""
    usual = mean_rotation(motion, parent, joint)
    if rotations.angle_between(usual, rotations.IDENTITY) < OTHER_AXES:
        return carried
    return rotations.multiply(carried, usual)


def _trunk(carried: np.ndarray, bone: np.ndarray, onto: np.ndarray, lateral: np.ndarray) -> np.ndarray:
    if np.linalg.norm(bone) < 1e-6:
        return carried
    if np.linalg.norm(np.cross(bone, lateral)) > 1e-3 * np.linalg.norm(bone) * np.linalg.norm(lateral):
        return two_vector_turn(bone, onto, lateral, LEFT)
    return turned_onto(carried, rotations.rotate(carried, bone), onto)


def _shoulders(body_map: BodyMap, places: np.ndarray) -> np.ndarray:
    """From the right to the left shoulder as the chest sees them; 0 where the arms start at one place."""
    for part in ("Clavicle", "UpperArm"):
        joints = [body_map.joints.get(side + part) for side in SIDES]
        if joints[0] is not None and joints[1] is not None:
            lateral = places[joints[0]] - places[joints[1]]
            if np.linalg.norm(lateral) > 1e-3:
                return lateral
            if part == "Clavicle":  # what hangs on turned clavicles shows nothing
                break
    return np.zeros(3)


def _limb(
    body_map: BodyMap,
    part: str,
    bone: np.ndarray,
    carried: np.ndarray,
    pose: np.ndarray,
    motion: Motion | None,
) -> np.ndarray:
    """A limb's joint: its bone onto the reference's direction, its twist from a hinge or from above."""
    side, name = ("Left", part[4:]) if part.startswith("Left") else ("Right", part[5:])
    joint, child = body_map.joints[part], body_map.joints[side + NEXT[name]]
    reference = reference_skeleton()
    onto = reference.offsets[reference.index(side + NEXT[name])]
    if name in ("Thigh", "UpperArm") and motion is not None:
        end = body_map.joints.get(side + NEXT[NEXT[name]])
        axis = bend_axis(motion, joint, child, end) if end is not None else None
        if axis is not None:
            bend = Bend.KNEE if name == "Thigh" else Bend.ELBOW
            return two_vector_turn(bone, onto, axis, bend.axis(side))
    if name == "Clavicle" and motion is not None:  # on the average it keeps still against the chest
        chest = body_map.spine[-1]
        carried = rotations.multiply(pose[chest], mean_rotation(motion, chest, joint))
    return turned_onto(carried, rotations.rotate(carried, bone), onto)


def mean_rotation(motion: Motion, parent: int, joint: int) -> np.ndarray:
    """The mean rotation of a joint in another's frame."""
    world = motion.rotations_world
    relative = rotations.multiply(rotations.inverse(world[:, parent]), world[:, joint])
    relative = np.where(relative @ relative[0] < 0.0, -1.0, 1.0)[:, None] * relative
    return rotations.normalise(relative.mean(axis=0))


def _basis(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Orthonormal rows: the primary direction, the rest of the secondary, and their normal."""
    first = primary / np.linalg.norm(primary)
    rest = secondary - (secondary @ first) * first
    if np.linalg.norm(rest) < 1e-9:
        rest = np.cross(first, np.eye(3)[np.argmin(np.abs(first))])
    second = rest / np.linalg.norm(rest)
    return np.stack([first, second, np.cross(first, second)])


def _joints(body_map: BodyMap, *parts: str) -> list[int]:
    return [body_map.joints[part] for part in parts if part in body_map.joints]
