"""Units and axes of a file, guessed from the body in it."""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from motionary.motion import UNITS_METRES, Handedness, Motion, Recording, Skeleton, Space, Up, even_frames, unit_name
from motionary.rig.body import chain_length, settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.mapping import find_parts
from motionary.rig.reference import SIDES
from motionary.rig.rest_shape import rest_shape

N_SAMPLES = 64  # frames looked at, spread over the clip
LEG_METRES = 0.84  # hip joint to ankle of an adult
LEG_RANGE_METRES = (0.40, 1.06)  # from a small child to a very tall person
CLEAR = 0.7  # share of the feet-to-head direction along an axis that leaves no doubt
UPS: tuple[Up, ...] = ("y", "z")
AXIS = {"y": 1, "z": 2}
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class SpaceGuess:
    """The guessed space, what it was guessed from, and whether anything else is hardly possible."""

    space: Space
    reasons: tuple[str, ...]
    confident: bool


@dataclass(frozen=True, slots=True)
class _Finding(Generic[Value]):
    value: Value
    reason: str
    sure: bool


def guess_space(recording: Recording) -> SpaceGuess:
    """The unit and axes in which the recorded body is a person of human size who mostly stands on the ground.

    The unit comes from the leg's length, the up axis from feet and head over the frames and from the rest pose,
    the handedness from where the left side is when the toes point forward. Without a person in it the guess is
    centimetres or metres by the body's size, and not confident.
    """
    n_frames = recording.n_frames
    picked = even_frames(n_frames, N_SAMPLES)
    motion = replace(recording, values=recording.values[picked], space=Space()).motion()  # in the file's own axes
    parts = find_parts(motion.skeleton)
    unit = _guess_unit(motion, parts)
    up = _guess_up(motion, parts)
    hand = _guess_handedness(motion, parts)
    return SpaceGuess(
        Space(unit.value, up.value, hand.value),
        (unit.reason, up.reason, hand.reason),
        unit.sure and up.sure and hand.sure,
    )


def unit_of_leg(length: float) -> tuple[float, bool]:
    """(unit in metres, whether a person has such a leg) for a leg from hip joint to ankle in the file's unit."""
    units = sorted(UNITS_METRES.values(), key=lambda metres: abs(np.log(length * metres / LEG_METRES)))
    low, high = LEG_RANGE_METRES
    for metres in units:
        if low <= length * metres <= high:
            return metres, True
    return units[0], False


def _guess_unit(motion: Motion, parts: BodyMap) -> _Finding[float]:
    skeleton = settled_skeleton(motion)
    legs = [
        chain_length(skeleton, parts.joints[side + "Thigh"], parts.joints[side + "Foot"])
        for side in SIDES
        if side + "Thigh" in parts.joints and side + "Foot" in parts.joints
    ]
    if legs and np.mean(legs) > 0.0:
        leg = float(np.mean(legs))
        metres, sure = unit_of_leg(leg)
        reason = f"a leg of {leg:.4g} units is {leg * metres:.2f} m in {unit_name(metres)}"
        return _Finding(metres, reason if sure else reason + ", which no person has", sure)
    spread = motion.positions_world[0].max(axis=0) - motion.positions_world[0].min(axis=0)
    size = float(np.linalg.norm(spread))
    name = "m" if size <= 3.0 else "cm" if size <= 700.0 else "mm"
    return _Finding(UNITS_METRES[name], f"no legs to measure: {name} for a body of {size:.3g} units", False)


def _guess_up(motion: Motion, parts: BodyMap) -> _Finding[Up]:
    joints = parts.joints
    feet = [joints[side + "Foot"] for side in SIDES if side + "Foot" in joints]
    top = joints.get("Head", parts.neck[-1] if parts.neck else None)
    if not feet or top is None:
        return _Finding("y", "no feet and head to tell up from down: y up", False)
    rising = motion.positions_world[:, top] - motion.positions_world[:, feet].mean(axis=1)
    rising = rising / np.maximum(np.linalg.norm(rising, axis=1, keepdims=True), 1e-12)
    seen = np.median(rising, axis=0)
    rest = _rest_up(motion.skeleton, parts)
    up = max(UPS, key=lambda axis: seen[AXIS[axis]])
    clear = bool(seen[AXIS[up]] > CLEAR)
    if rest is not None and rest != up and not (clear and _stands_on(motion, up, rest)):
        return _Finding(rest, f"the rest pose stands along {rest}: {rest} up", bool(seen[AXIS[rest]] > -CLEAR))
    sure = clear or (rest == up and bool(seen[AXIS[up]] > 0.0))
    reason = f"from feet to head is {seen[AXIS[up]]:+.2f} along {up}: {up} up"
    return _Finding(up, reason, sure)


def _rest_up(skeleton: Skeleton, parts: BodyMap) -> Up | None:
    """The axis along which the rest pose stands; None where it says nothing."""
    needed = [s + p for s in SIDES for p in ("Thigh", "Shin", "Foot", "UpperArm", "Forearm")]
    if any(part not in parts.joints for part in needed) or rest_shape(skeleton, parts) != "human":
        return None
    places = skeleton.rest_positions()
    top = parts.joints.get("Head", parts.neck[-1] if parts.neck else parts.hips)
    rising = places[top] - np.mean([places[parts.joints[side + "Foot"]] for side in SIDES], axis=0)
    for axis in UPS:
        if rising[AXIS[axis]] > 0.9 * np.linalg.norm(rising):
            return axis
    return None


def _stands_on(motion: Motion, up: Up, other: Up) -> bool:
    """Whether the body's lowest point stays level along `up` better than along `other`: a floor is there.

    Somebody who lies or crawls all the time stretches along a horizontal axis, but moves along it too.
    """
    low = motion.positions_world.min(axis=1)  # (F, 3)
    return bool(np.ptp(low[:, AXIS[up]]) <= np.ptp(low[:, AXIS[other]]))


def _guess_handedness(motion: Motion, parts: BodyMap) -> _Finding[Handedness]:
    joints, places = parts.joints, motion.positions_world
    if any(side + part not in joints for side in SIDES for part in ("Thigh", "Shin", "Foot")):
        return _Finding("right", "no two legs to tell left from right: right-handed", False)
    thigh, shin, foot = (
        np.stack([places[:, joints[side + part]] for side in SIDES], axis=1) for part in ("Thigh", "Shin", "Foot")
    )
    left = thigh[:, 0] - thigh[:, 1]
    top = joints.get("Head", parts.neck[-1] if parts.neck else None)
    rising = places[:, top] - thigh.mean(axis=1) if top is not None else (thigh - foot).mean(axis=1)
    toes = [places[:, joints[side + "Toe"]] - foot[:, i] for i, side in enumerate(SIDES) if side + "Toe" in joints]
    if toes:
        forward, what = np.mean(toes, axis=0), "the toes point forward"
    else:  # knees stand before the line from hip to ankle
        forward, what = (shin - 0.5 * (thigh + foot)).mean(axis=1), "the knees bend backward"
    scale = np.linalg.norm(left, axis=1) * np.linalg.norm(rising, axis=1) * np.linalg.norm(forward, axis=1)
    volume = np.einsum("fi,fi->f", left, np.cross(rising, forward)) / np.maximum(scale, 1e-12)
    # The mean is weighted by how far knees bend: a straight leg says nothing.
    handedness: Handedness = "right" if float(volume.mean()) >= 0.0 else "left"
    sure = abs(float(volume.mean())) > 0.1
    says = f"{what} and left is left" if sure else "nothing clear tells left from right"
    return _Finding(handedness, f"{says}: {handedness}-handed", sure)
