"""The T-pose of any skeleton: how its joints must be turned to stand like the reference skeleton.

Rest poses are a T, an A, arms down, z up, or a bundle of bones that says nothing. Movement is carried from body
to body as what each joint has turned since the T-pose, so that none of this matters any more.
"""

from functools import cache

import numpy as np

from motionary.motion import FORWARD, UP, Motion, Skeleton, even_frames, rotations, unit
from motionary.rig.body_map import BodyMap
from motionary.rig.bone_frames import Bend, bend_axis, mean_rotation, t_pose_of_bones, turned_onto, two_vector_turn
from motionary.rig.mapping import map_skeleton
from motionary.rig.reference import SIDES, reference_skeleton
from motionary.rig.rest_shape import arm_is_raised, clavicle_is_raised, leftward, rest_shape

NEAR_AXIS = np.cos(np.radians(20.0))  # what lies as near to an axis as this was meant to lie along it
T_FRAME_WITHIN = np.cos(np.radians(25.0))
LEANS = np.cos(np.radians(10.0))  # a spine further from upright than this leans; nearer it is curved
SPREAD = np.cos(np.radians(5.0))
LIMB_ROOT = {"UpperArm": "UpperArm", "Forearm": "UpperArm", "Thigh": "Thigh", "Shin": "Thigh"}
LIMB_BONES = (("UpperArm", "Forearm"), ("Forearm", "Hand"), ("Thigh", "Shin"), ("Shin", "Foot"))


def t_pose(skeleton: Skeleton, body_map: BodyMap | None = None, *, motion: Motion | None = None) -> np.ndarray:
    """World rotations (J, 4) that put the skeleton into the reference's T-pose: facing +z, left side to +x.

    A rest pose that looks like a person is turned bone by bone onto the T. For one that does not, a frame of
    `motion` in which the person stands in a T serves, or the pose is built from the bones, with knees and elbows
    bending as they do in `motion`; without a motion limbs continue the twist of the joints above them.
    """
    body_map = body_map or map_skeleton(skeleton)
    if rest_shape(skeleton, body_map) == "human":
        base = np.tile(rotations.IDENTITY, (skeleton.n_joints, 1))
        return _from_shape(skeleton, body_map, base, skeleton.rest_positions(), motion)
    frame = None if motion is None else t_frame(motion, body_map)
    if motion is not None and frame is not None:
        return _from_shape(skeleton, body_map, motion.rotations_world[frame], motion.positions_world[frame], motion)
    return t_pose_of_bones(skeleton, body_map, motion)


@cache
def reference_direction(part: str, child: str) -> np.ndarray:
    """The unit vector from a part to the next in the reference skeleton's T-pose."""
    skeleton = reference_skeleton()
    places = skeleton.rest_positions()
    way = places[skeleton.index(child)] - places[skeleton.index(part)]
    return way / np.linalg.norm(way)


def t_frame(motion: Motion, body_map: BodyMap) -> int | None:
    """The frame that looks most like a T-pose, if any does: arms along the shoulders, legs and trunk upright."""
    joints = body_map.joints
    picked = even_frames(motion.n_frames, 256)
    places = motion.positions_world[picked]
    left = places[:, joints["LeftThigh"]] - places[:, joints["RightThigh"]]
    left = unit(left * (1.0, 0.0, 1.0))
    worst = np.ones(len(picked))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for upper, lower in LIMB_BONES:
            if side + lower in joints:
                bone = unit(places[:, joints[side + lower]] - places[:, joints[side + upper]])
                wanted = sign * left if upper in ("UpperArm", "Forearm") else -UP
                worst = np.minimum(worst, np.sum(bone * wanted, axis=1))
    top = joints.get("Head", body_map.neck[-1] if body_map.neck else body_map.hips)
    worst = np.minimum(worst, unit(places[:, top] - places[:, body_map.hips])[:, 1])
    best = int(np.argmax(worst))
    return int(picked[best]) if worst[best] > T_FRAME_WITHIN else None


def _from_shape(
    skeleton: Skeleton, body_map: BodyMap, base: np.ndarray, places: np.ndarray, motion: Motion | None
) -> np.ndarray:
    """The T-pose from a pose that looks like a person: `base` (J, 4) with its `places` (J, 3).

    The body is turned upright as a whole. Trunk, neck, head and clavicles stay as they are in it, since joints
    of different rigs stand at different places of a curved spine; but a spine that leans is turned upright, and a
    clavicle that points up is turned level. Limbs are turned bone by bone onto the T.
    """
    joints = body_map.joints
    upright = _upright(places, body_map)
    own = _straight_spine(body_map, upright, places)
    for side in SIDES:
        if clavicle_is_raised(places, body_map, side):
            own[joints[side + "Clavicle"]] = _level_clavicle(body_map, side, upright, base, places, motion)
        for upper, lower in LIMB_BONES:
            joint = joints[side + upper]
            carried = own.get(joints[side + LIMB_ROOT[upper]], upright)
            if upper == "UpperArm":
                carried = own.get(joints.get(side + "Clavicle", -1), upright)
            own[joint] = carried
            if side + lower in joints:
                bone = rotations.rotate(carried, places[joints[side + lower]] - places[joint])
                own[joint] = turned_onto(carried, bone, reference_direction(side + upper, side + lower))
        if motion is not None and arm_is_raised(places, body_map, side):
            own.update(_raised_arm(body_map, side, base, places, motion))
        own[joints[side + "Foot"]] = _foot_turn(skeleton, body_map, side, upright, own, places, base)
    turns = np.empty_like(base)
    for joint in range(skeleton.n_joints):
        parent = skeleton.parents[joint]
        turns[joint] = own.get(joint, turns[parent] if parent >= 0 else upright)
    return rotations.multiply(turns, base)


def _straight_spine(body_map: BodyMap, upright: np.ndarray, places: np.ndarray) -> dict[int, np.ndarray]:
    """The turns of a spine that leans at rest; neck and clavicles stay as they are."""
    joints, spine = body_map.joints, body_map.spine
    above = body_map.neck[0] if body_map.neck else joints.get("Head")
    if not spine or above is None:
        return {}
    way = rotations.rotate(upright, places[above] - places[spine[0]])
    if np.linalg.norm(way) < 1e-9 or unit(way)[1] >= LEANS or unit(way)[1] < 0.5:
        return {}
    turn = turned_onto(upright, way, UP)
    hanging = [above, *(joints[side + "Clavicle"] for side in SIDES if side + "Clavicle" in joints)]
    return dict.fromkeys(spine, turn) | dict.fromkeys(hanging, upright)


def _level_clavicle(
    body_map: BodyMap, side: str, upright: np.ndarray, base: np.ndarray, places: np.ndarray, motion: Motion | None
) -> np.ndarray:
    """The turn that brings a clavicle from straight up to where a person has it, its twist as it mostly is."""
    clavicle, arm = body_map.joints[side + "Clavicle"], body_map.joints[side + "UpperArm"]
    chest = body_map.spine[-1] if body_map.spine else body_map.hips
    turn = upright
    if motion is not None:  # on the average it keeps still against the chest
        usual = rotations.multiply(rotations.multiply(upright, base[chest]), mean_rotation(motion, chest, clavicle))
        turn = rotations.multiply(usual, rotations.inverse(base[clavicle]))
    bone = rotations.rotate(turn, places[arm] - places[clavicle])
    return turned_onto(turn, bone, reference_direction(side + "Clavicle", side + "UpperArm"))


def _raised_arm(
    body_map: BodyMap, side: str, base: np.ndarray, places: np.ndarray, motion: Motion
) -> dict[int, np.ndarray]:
    """Turns of an arm that points up at rest: no person's shape, so that its twist is taken from the elbow."""
    joints = body_map.joints
    upper, lower, end = (joints.get(side + part) for part in ("UpperArm", "Forearm", "Hand"))
    if upper is None or lower is None or end is None:
        return {}
    axis = bend_axis(motion, upper, lower, end)
    if axis is None:
        return {}
    local_bone = rotations.rotate(rotations.inverse(base[upper]), places[lower] - places[upper])
    along = reference_direction(side + "UpperArm", side + "Forearm")
    turn = rotations.multiply(
        two_vector_turn(local_bone, along, axis, Bend.ELBOW.axis(side)), rotations.inverse(base[upper])
    )
    bone = rotations.rotate(turn, places[end] - places[lower])
    return {upper: turn, lower: turned_onto(turn, bone, along)}


def _upright(places: np.ndarray, body_map: BodyMap) -> np.ndarray:
    """The turn that makes the body stand along +y with its left side to +x."""
    joints = body_map.joints
    feet = np.mean([places[joints[side + "Foot"]] for side in SIDES], axis=0)
    top = joints.get("Head", body_map.neck[-1] if body_map.neck else body_map.hips)
    up = _along_axis(unit(places[top] - feet))
    left = leftward(places, body_map)
    left = _along_axis(unit(left - (left @ up) * up))
    left = unit(left - (left @ up) * up)
    return rotations.from_matrix(np.stack([left, up, np.cross(left, up)]))


def _foot_turn(
    skeleton: Skeleton,
    body_map: BodyMap,
    side: str,
    upright: np.ndarray,
    own: dict[int, np.ndarray],
    places: np.ndarray,
    base: np.ndarray,
) -> np.ndarray:
    """The turn that makes a foot stand flat and point forward.

    A foot at rest is taken to stand flat. Where the legs are spread it may be tilted along with the leg instead
    (CMU): then turning it back with the leg is what makes it point forward.
    """
    joints = body_map.joints
    foot, shin = joints[side + "Foot"], joints[side + "Shin"]
    toe = joints.get(side + "Toe")
    if toe is not None:
        bone = places[toe] - places[foot]
    else:
        ends = rotations.rotate(base[foot], skeleton.end_sites(foot))
        bone = ends[0] if len(ends) else np.zeros(3)
    if np.linalg.norm(bone) < 1e-6 * max(1.0, np.abs(places).max()):
        return upright
    leg, tilted = unit(places[foot] - places[shin]), rotations.rotate(own[shin], bone)
    if unit(bone) @ leg > np.cos(np.radians(30.0)):  # it hangs along the leg
        return turned_onto(own[shin], tilted, reference_direction(side + "Foot", side + "Toe"))
    flat = rotations.rotate(upright, bone)
    spread = rotations.rotate(upright, leg)[:2]  # as seen from the front
    along_leg = -spread[1] < SPREAD * np.linalg.norm(spread) and _aside(tilted) < _aside(flat)
    turn, bone = (own[shin], tilted) if along_leg else (upright, flat)
    level = bone * (1.0, 0.0, 1.0)
    if level @ FORWARD < 0.5 * np.linalg.norm(level):  # behind or beside: no toe to go by
        return turn
    return turned_onto(turn, level, FORWARD)


def _aside(bone: np.ndarray) -> float:
    return float(abs(np.arctan2(bone[0], bone[2])))


def _along_axis(direction: np.ndarray) -> np.ndarray:
    """The coordinate axis that the direction nearly lies along, or the direction itself."""
    axis = int(np.argmax(np.abs(direction)))
    if abs(direction[axis]) < NEAR_AXIS:
        return direction
    return np.eye(3)[axis] * np.sign(direction[axis])
