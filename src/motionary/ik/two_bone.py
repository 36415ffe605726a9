"""Inverse kinematics of a limb of two bones: thigh and shin, upper arm and forearm."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.motion import rotations, unit

STRAIGHT_WITHIN = 1e-4  # share of the upper bone by which the middle stands off the line: below, the pole counts


@dataclass(frozen=True, eq=False)
class LimbTurns:
    """What brings a limb's end to its target: world rotations to apply before the joints' own, and the places.

    The upper joint's new world orientation is `upper` · old, the middle joint's `lower` · old.
    """

    upper: np.ndarray  # (..., 4)
    lower: np.ndarray  # (..., 4)
    middle: np.ndarray  # (..., 3) where the knee or elbow comes to stand
    end: np.ndarray  # (..., 3) where the ankle or wrist comes to stand: the target, if it is in reach
    unreached: np.ndarray  # (...,) metres from there to the target


def two_bone(
    upper: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    target: np.ndarray,
    *,
    pole: np.ndarray | None = None,
    soft: float = 0.0,
    bent_back: float = 0.0,
) -> LimbTurns:
    """Turns that bring the limb (upper, middle, end joints' places, (..., 3) each) with its end to `target`.

    Both bones keep their lengths. The middle joint keeps its direction: the limb swings as a whole onto the
    line to the target and bends there in the plane it had. A straight limb has no such plane; it bends
    towards the direction `pole`, or towards any normal if there is none. With `soft` (a share of the limb's
    length, such as 0.02) the last stretch is approached smoothly and never quite reached, so that the knee
    does not pop; `unreached` says by how much the end falls short. A bone of no length stays as it is.

    A middle joint that is bent away from the pole by less than `bent_back` (a share of the upper bone's length) bends
    towards it: captured knees that are all but straight are often overstretched, and would bend backwards.
    """
    if not 0.0 <= soft < 1.0:
        raise UsageError(f"a softness of {soft:g} is not possible; it is a share of the limb, from 0 to below 1")
    upper, middle, end, target = (np.asarray(p, dtype=float) for p in (upper, middle, end, target))
    first = np.linalg.norm(middle - upper, axis=-1)
    second = np.linalg.norm(end - middle, axis=-1)
    wanted = np.linalg.norm(target - upper, axis=-1)
    reach = _softened(wanted, first + second, soft)
    reach = np.clip(reach, np.abs(first - second) + 1e-9, first + second)

    down = np.array([0.0, -1.0, 0.0])  # for a limb without length and a target where it is
    along = unit(target - upper, fallback=unit(end - upper, fallback=unit(middle - upper, fallback=down)))
    swing = rotations.between_vectors(unit(end - upper, fallback=along), along)
    bend = _perpendicular(rotations.rotate(swing, middle - upper), along)
    if pole is not None:
        straight = np.linalg.norm(bend, axis=-1, keepdims=True) < STRAIGHT_WITHIN * first[..., None]
        towards_pole = unit(_perpendicular(np.broadcast_to(pole, bend.shape), along), fallback=bend)
        back = -np.sum(bend * towards_pole, axis=-1, keepdims=True)
        bend = np.where(straight | ((back > 0.0) & (back < bent_back * first[..., None])), towards_pole, bend)
    any_normal = np.cross(along, np.eye(3)[np.argmin(np.abs(along), axis=-1)])
    bend = unit(_perpendicular(bend, along), fallback=any_normal)

    cosine = np.clip((first**2 + reach**2 - second**2) / np.maximum(2.0 * first * reach, 1e-300), -1.0, 1.0)
    sine = np.sqrt(1.0 - cosine**2)
    new_middle = upper + first[..., None] * (cosine[..., None] * along + sine[..., None] * bend)
    new_end = upper + reach[..., None] * along

    normal = np.cross(along, bend)
    upper_turn = _bent_onto(swing, normal, middle - upper, new_middle - upper)
    lower_turn = _bent_onto(swing, normal, end - middle, new_end - new_middle)
    return LimbTurns(upper_turn, lower_turn, new_middle, new_end, np.linalg.norm(target - new_end, axis=-1))


def _softened(wanted: np.ndarray, length: np.ndarray, soft: float) -> np.ndarray:
    """The distance to take for a wanted one: the same up to (1 − soft) of the length, then ever less."""
    if soft <= 0.0:
        return np.minimum(wanted, length)
    margin = soft * length
    beyond = np.maximum(wanted - (length - margin), 0.0)
    return np.where(beyond > 0.0, length - margin * np.exp(-beyond / np.maximum(margin, 1e-300)), wanted)


def _bent_onto(swing: np.ndarray, normal: np.ndarray, bone: np.ndarray, new_bone: np.ndarray) -> np.ndarray:
    """The swing of the whole limb, then the turn in the plane of the bend that brings `bone` onto `new_bone`."""
    swung = rotations.rotate(swing, bone)
    angle = np.arctan2(np.sum(normal * np.cross(swung, new_bone), axis=-1), np.sum(swung * new_bone, axis=-1))
    turn = rotations.multiply(rotations.from_axis_angle(normal, angle), swing)
    # An all but straight limb that bends towards the pole does not lie in that plane: the last bit sets it right.
    turned = unit(rotations.rotate(turn, bone), fallback=normal)
    return rotations.multiply(rotations.between_vectors(turned, unit(new_bone, fallback=normal)), turn)


def _perpendicular(v: np.ndarray, along: np.ndarray) -> np.ndarray:
    return v - np.sum(v * along, axis=-1, keepdims=True) * along
