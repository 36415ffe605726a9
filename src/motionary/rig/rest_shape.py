"""What a skeleton's rest pose looks like: a person, a body on four legs, or nothing at all."""

from typing import Literal

import numpy as np

from motionary.motion import Skeleton, unit
from motionary.rig.body_map import BodyMap
from motionary.rig.reference import SIDES

RestShape = Literal["human", "four legs", "bundle"]
ALONG = 0.7  # cosine: two directions within 45° of each other


def rest_shape(skeleton: Skeleton, body_map: BodyMap) -> RestShape:
    """The shape that the joints make with all rotations zero; in whatever axes the skeleton is given.

    "human": legs opposite to the trunk, left and right mirrored. "bundle": the rest pose says nothing, as in
    rigs whose bones all point along one axis of their parents. "four legs": legs hang from a level trunk, and
    the hands reach lower than the knees.
    """
    places = skeleton.rest_positions()
    joints = body_map.joints
    thighs, knees, feet = (np.array([places[joints[s + p]] for s in SIDES]) for p in ("Thigh", "Shin", "Foot"))
    top = places[joints["Head"] if "Head" in joints else body_map.neck[-1]]
    trunk = unit(top - thighs.mean(axis=0))
    legs = np.array([unit(foot - thigh) for foot, thigh in zip(feet, thighs, strict=True)])
    lateral = unit(leftward(places, body_map))
    mirrored = legs[1] - 2.0 * (legs[1] @ lateral) * lateral
    if np.all(legs @ trunk < -ALONG) and legs[0] @ mirrored > 0.9 and abs(lateral @ trunk) < ALONG:
        return "human"
    down = unit(legs.mean(axis=0))
    hands = np.array([places[joints.get(s + "Hand", joints[s + "Forearm"])] for s in SIDES])
    level = abs(trunk @ down) < ALONG and legs[0] @ legs[1] > ALONG
    low_hands = np.min(hands @ down) > np.max(knees @ down)
    if level and low_hands and not _along_axes(skeleton, body_map):
        return "four legs"
    return "bundle"


def leftward(places: np.ndarray, body_map: BodyMap) -> np.ndarray:
    """From the right to the left side (3,), by the hip joints; by the shoulders where those stand at one place."""
    joints = body_map.joints
    size = np.abs(places - places[body_map.hips]).max()
    for part in ("Thigh", "UpperArm", "Foot"):
        left = places[joints["Left" + part]] - places[joints["Right" + part]]
        if np.linalg.norm(left) > 1e-3 * size:
            break
    return left


def arm_is_raised(places: np.ndarray, body_map: BodyMap, side: str) -> bool:
    """Whether an upper arm points to the head's side of the trunk: no rest pose of a person."""
    joints = body_map.joints
    thighs = np.mean([places[joints[s + "Thigh"]] for s in SIDES], axis=0)
    top = places[joints["Head"] if "Head" in joints else body_map.neck[-1]]
    arm = places[joints[side + "Forearm"]] - places[joints[side + "UpperArm"]]
    return bool(unit(arm) @ unit(top - thighs) > ALONG)


def clavicle_is_raised(places: np.ndarray, body_map: BodyMap, side: str) -> bool:
    """Whether a clavicle points to the head rather than to the side, as where a tool rests all arms straight up."""
    joints = body_map.joints
    if side + "Clavicle" not in joints:
        return False
    thighs = np.mean([places[joints[s + "Thigh"]] for s in SIDES], axis=0)
    top = places[joints["Head"] if "Head" in joints else body_map.neck[-1]]
    bone = places[joints[side + "UpperArm"]] - places[joints[side + "Clavicle"]]
    return bool(np.linalg.norm(bone) > 0.0 and unit(bone) @ unit(top - thighs) > ALONG)


def _along_axes(skeleton: Skeleton, body_map: BodyMap) -> bool:
    """Whether every bone of the limbs lies along one axis of its parent: a tool's doing, not a body's."""
    bones = [
        skeleton.offsets[joint]
        for part, joint in body_map.joints.items()
        if part.endswith(("Shin", "Foot", "Forearm", "Hand"))
    ]
    return all(np.abs(bone).max() >= 0.999 * np.linalg.norm(bone) for bone in bones)
