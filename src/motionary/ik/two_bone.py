"""Inverse kinematics of a limb of two bones: thigh and shin, upper arm and forearm."""

from dataclasses import dataclass

import numpy as np

from motionary.motion import rotations


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
) -> LimbTurns:
    """Turns that bring the limb (upper, middle, end joints' places, (..., 3) each) with its end to `target`.

    Both bones keep their lengths. The middle joint keeps its direction: the limb swings as a whole onto the
    line to the target and bends there in the plane it had. A straight limb has no such plane; it bends
    towards the direction `pole`, or towards any normal if there is none. With `soft` (a share of the limb's
    length, such as 0.02) the last stretch is approached smoothly and never quite reached, so that the knee
    does not pop; `unreached` says by how much the end falls short.
    """
    upper, middle, end, target = (np.asarray(p, dtype=float) for p in (upper, middle, end, target))
    first = np.linalg.norm(middle - upper, axis=-1)
    second = np.linalg.norm(end - middle, axis=-1)
    wanted = np.linalg.norm(target - upper, axis=-1)
    reach = _softened(wanted, first + second, soft)
    reach = np.clip(reach, np.abs(first - second) + 1e-9, first + second)

    along = _unit(target - upper, fallback=_unit(end - upper, fallback=middle - upper))
    swing = rotations.between_vectors(_unit(end - upper, fallback=along), along)
    bend = _perpendicular(rotations.rotate(swing, middle - upper), along)
    straight = np.linalg.norm(bend, axis=-1, keepdims=True) < 1e-4 * first[..., None]
    if pole is not None:
        bend = np.where(straight, _perpendicular(np.broadcast_to(pole, bend.shape), along), bend)
        straight = np.linalg.norm(bend, axis=-1, keepdims=True) < 1e-9
    any_normal = np.cross(along, np.eye(3)[np.argmin(np.abs(along), axis=-1)])
    bend = _unit(np.where(straight, any_normal, bend), fallback=any_normal)

    cosine = np.clip((first**2 + reach**2 - second**2) / (2.0 * first * reach), -1.0, 1.0)
    sine = np.sqrt(1.0 - cosine**2)
    new_middle = upper + first[..., None] * (cosine[..., None] * along + sine[..., None] * bend)
    new_end = upper + reach[..., None] * along

    # The swing is the whole limb's; what is left over after it is a turn in the plane of the bend.
    upper_turn = _onto(swing, middle - upper, new_middle - upper)
    lower_turn = _onto(swing, end - middle, new_end - new_middle)
    return LimbTurns(upper_turn, lower_turn, new_middle, new_end, np.linalg.norm(target - new_end, axis=-1))


def _softened(wanted: np.ndarray, length: np.ndarray, soft: float) -> np.ndarray:
    """The distance to take for a wanted one: the same up to (1 − soft) of the length, then ever less."""
    if soft <= 0.0:
        return np.minimum(wanted, length)
    margin = soft * length
    beyond = np.maximum(wanted - (length - margin), 0.0)
    return np.where(beyond > 0.0, length - margin * np.exp(-beyond / margin), wanted)


def _onto(swing: np.ndarray, bone: np.ndarray, new_bone: np.ndarray) -> np.ndarray:
    return rotations.multiply(rotations.between_vectors(rotations.rotate(swing, bone), new_bone), swing)


def _perpendicular(v: np.ndarray, along: np.ndarray) -> np.ndarray:
    return v - np.sum(v * along, axis=-1, keepdims=True) * along


def _unit(v: np.ndarray, *, fallback: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    other = fallback / np.maximum(np.linalg.norm(fallback, axis=-1, keepdims=True), 1e-300)
    return np.where(length > 1e-12, v / np.where(length > 1e-12, length, 1.0), other)
