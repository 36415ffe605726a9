"""Whether a file's axes are right- or left-handed, by the body in it.

Nothing in a file says so, and a wrong answer mirrors the body. Four witnesses tell where forward is when left and up
are known: the feet, the feet of the rest pose, the knees where they bend, and the direction of travel. Nearly all files
are right-handed, so left takes witnesses that all say it.
"""

from dataclasses import dataclass

import numpy as np

from motionary.motion import Handedness, Motion, Skeleton, rotations
from motionary.rig.body import chain_length, settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.reference import SIDES
from motionary.rig.rest_shape import leftward, rest_shape

CLEAR_FEET = 0.3  # share of the foot that points forward, on average
CLEAR_KNEES = 0.4  # mean cosine between where knees point and forward
CLEAR_TRAVEL = 0.6  # people walk backward and sideways too
LEAST_BEND = np.radians(20.0)  # a knee that bends less says nothing: joints are estimated, bones may stretch
MOST_BEND = np.radians(160.0)
LEAST_SPEED = 0.3  # leg lengths a second, below which a body is not under way
LEAST_SHARE = 0.1  # of the frames that a witness must have seen
SHORTEST_FOOT = 0.04  # leg lengths; a shorter one is an end site of no meaning
NEEDED = tuple(side + part for side in SIDES for part in ("Thigh", "Shin", "Foot"))


@dataclass(frozen=True, slots=True)
class Witness:
    """What one kind of evidence says: +1 for right-handed axes, −1 for left-handed."""

    name: str
    sign: int


def witnesses(motion: Motion, velocity: np.ndarray, parts: BodyMap) -> list[Witness]:
    """The witnesses that say something clear, strongest first; `velocity` (F, 3) is the root's, in units a second."""
    if any(part not in parts.joints for part in NEEDED):
        return []
    leg = float(np.mean([chain_length(settled_skeleton(motion), *_leg_ends(parts, side)) for side in SIDES]))
    if leg <= 0.0:
        return []
    left, up = _left_and_up(motion.positions_world, parts)
    forward = np.cross(left, up)  # if the axes are right-handed
    size = np.linalg.norm(forward, axis=1)
    usable = size > 0.3  # left and up must be apart
    if not usable.any():
        return []
    forward = forward[usable] / size[usable, None]
    found = [
        ("feet", _feet(motion, parts, leg)[usable], forward, CLEAR_FEET),
        ("knees", _knees(motion, parts)[usable], forward, CLEAR_KNEES),
    ]
    signs = {name: _sign(seen, ahead, clear) for name, seen, ahead, clear in found}
    signs["rest pose"] = _rest_sign(motion.skeleton, parts, leg)
    signs["direction of travel"] = _travel_sign(velocity[usable], leg, forward, up[usable])
    return [Witness(name, signs[name]) for name in ("feet", "rest pose", "knees", "direction of travel") if signs[name]]


def judged(found: list[Witness]) -> tuple[Handedness, bool]:
    """(handedness, whether it is sure): left only if feet, rest pose and knees all say so.

    Somebody who walks backward gives no doubt about right-handed axes, but does about left-handed ones.
    """
    signs = {witness.name: witness.sign for witness in found}
    travel = signs.pop("direction of travel", 0)
    unanimous = bool(signs) and len(set(signs.values())) == 1
    if unanimous and -1 in signs.values() and (travel <= 0 or {"feet", "knees"} <= signs.keys()):
        return "left", travel <= 0
    return "right", unanimous and 1 in signs.values() and (travel >= 0 or {"feet", "knees"} <= signs.keys())


def _leg_ends(parts: BodyMap, side: str) -> tuple[int, int]:
    return parts.joints[side + "Thigh"], parts.joints[side + "Foot"]


def _left_and_up(places: np.ndarray, parts: BodyMap) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (F, 3) to the body's left and from its hip joints to its head."""
    joints = parts.joints
    thighs = np.stack([places[:, joints[side + "Thigh"]] for side in SIDES], axis=1)
    left = thighs[:, 0] - thighs[:, 1]
    if np.linalg.norm(left, axis=1).max() < 1e-6 and all(side + "UpperArm" in joints for side in SIDES):
        left = places[:, joints["LeftUpperArm"]] - places[:, joints["RightUpperArm"]]
    top = joints.get("Head", parts.neck[-1] if parts.neck else None)
    feet = np.stack([places[:, joints[side + "Foot"]] for side in SIDES], axis=1)
    up = places[:, top] - thighs.mean(axis=1) if top is not None else (thighs - feet).mean(axis=1)
    return _units(left), _units(up)


def _feet(motion: Motion, parts: BodyMap, leg: float) -> np.ndarray:
    """Where the feet point (F, 2, 3): from the ankle to the toe, or to the foot's end site; zeros where neither is."""
    pointing = np.zeros((motion.n_frames, 2, 3))
    for i, side in enumerate(SIDES):
        foot, toe = parts.joints[side + "Foot"], parts.joints.get(side + "Toe")
        if toe is not None:
            pointing[:, i] = motion.positions_world[:, toe] - motion.positions_world[:, foot]
        if toe is None or np.linalg.norm(pointing[:, i], axis=1).max() < SHORTEST_FOOT * leg:
            at = foot if toe is None else toe
            ends = motion.skeleton.end_sites(at)
            if len(ends):
                longest = ends[np.argmax(np.linalg.norm(ends, axis=1))]
                pointing[:, i] = rotations.rotate(motion.rotations_world[:, at], longest)
        if np.linalg.norm(pointing[:, i], axis=1).max() < SHORTEST_FOOT * leg:
            pointing[:, i] = 0.0
    return _units(pointing)


def _knees(motion: Motion, parts: BodyMap) -> np.ndarray:
    """Where the knees point (F, 2, 3), away from the line from hip to ankle; zeros where a leg is straight."""
    places = motion.positions_world
    pointing = np.zeros((motion.n_frames, 2, 3))
    for i, side in enumerate(SIDES):
        hip, knee, ankle = (places[:, parts.joints[side + part]] for part in ("Thigh", "Shin", "Foot"))
        thigh, shin = _units(knee - hip), _units(ankle - knee)
        bend = np.arccos(np.clip(np.sum(thigh * shin, axis=1), -1.0, 1.0))
        bent = (bend > LEAST_BEND) & (bend < MOST_BEND)
        pointing[bent, i] = _units(thigh - shin)[bent]
    return pointing


def _sign(seen: np.ndarray, forward: np.ndarray, clear: float) -> int:
    """+1, −1 or 0 by the mean cosine between unit vectors (F, 2, 3), zeros being unknown, and forward (F, 3)."""
    known = np.any(seen != 0.0, axis=2)
    if np.count_nonzero(known.any(axis=1)) < max(1, LEAST_SHARE * len(seen)):
        return 0
    cosine = float(np.sum(seen * forward[:, None], axis=2)[known].mean())
    return int(np.sign(cosine)) if abs(cosine) > clear else 0


def _rest_sign(skeleton: Skeleton, parts: BodyMap, leg: float) -> int:
    """What the feet of the rest pose say, if it is a person's."""
    if not stands_like_a_person(skeleton, parts):
        return 0
    places = skeleton.rest_positions()
    left = leftward(places, parts)
    top = places[parts.joints["Head"] if "Head" in parts.joints else parts.neck[-1]]
    up = top - np.mean([places[parts.joints[side + "Foot"]] for side in SIDES], axis=0)
    forward = _units(np.cross(_units(left), _units(up)))
    pose = Motion(skeleton, 1.0, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, skeleton.n_joints, 1)))
    return _sign(_feet(pose, parts, leg), forward[None], CLEAR_FEET)


def stands_like_a_person(skeleton: Skeleton, parts: BodyMap) -> bool:
    """Whether the rest pose is one of a person, as far as its parts are known."""
    needed = [*NEEDED, *(side + part for side in SIDES for part in ("UpperArm", "Forearm"))]
    if any(part not in parts.joints for part in needed) or not ("Head" in parts.joints or parts.neck):
        return False
    return rest_shape(skeleton, parts) == "human"


def _travel_sign(velocity: np.ndarray, leg: float, forward: np.ndarray, up: np.ndarray) -> int:
    """What the body's way says: people mostly walk forward."""
    level = velocity - np.sum(velocity * up, axis=1, keepdims=True) * up
    speed = np.linalg.norm(level, axis=1)
    moving = speed > LEAST_SPEED * leg
    if np.count_nonzero(moving) < max(3, LEAST_SHARE * len(speed)):
        return 0
    cosine = float(np.sum(level[moving] * forward[moving] / speed[moving, None], axis=1).mean())
    return int(np.sign(cosine)) if abs(cosine) > CLEAR_TRAVEL else 0


def _units(vectors: np.ndarray) -> np.ndarray:
    """The vectors (..., 3) at length 1; zeros stay zeros."""
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(size > 1e-12, size, np.inf))
