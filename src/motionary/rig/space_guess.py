"""Units and axes of a file, guessed from the body in it."""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from motionary.motion import UNITS_METRES, Handedness, Motion, Recording, Skeleton, Space, Up, even_frames, unit_name
from motionary.rig.body import chain_length, settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.handedness import Witness, judged, stands_like_a_person, witnesses
from motionary.rig.mapping import find_parts
from motionary.rig.names import read_names
from motionary.rig.reference import SIDES

N_SAMPLES = 64  # frames looked at, spread over the clip
STEP_SECS = 0.15  # over which the direction of travel is taken
LEG_METRES = 0.84  # hip joint to ankle of an adult
LEG_RANGE_METRES = (0.40, 1.06)  # from a small child to a very tall person
HEIGHT_RANGE_METRES = (0.65, 2.05)  # from the ankle to the head joint along the bones
HAND_METRES = 0.18  # from the wrist to the furthest fingertip
CLEAR = 0.7  # share of the feet-to-head direction along an axis that leaves no doubt
UPRIGHT = 0.85  # share that overrules the rest pose
MOSTLY = 0.8  # of the frames
NEAR_FLOOR, KEEPS_LEVEL, FLAT, WANDERS = 0.15, 0.6, 0.6, 0.5  # in leg lengths
UPS: tuple[Up, ...] = ("y", "z")
AXIS = {"y": 1, "z": 2}
FINGERS = frozenset(("thumb", "index", "middle", "mid", "ring", "pinky", "finger", "metacarpal"))
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Finding(Generic[Value]):
    """A guessed value, what it was guessed from, and whether anything else is hardly possible."""

    value: Value
    reason: str
    sure: bool


@dataclass(frozen=True, slots=True)
class SpaceGuess:
    """The guessed unit and axes, each with its reason and whether it is sure."""

    unit: Finding[float]
    up: Finding[Up]
    handedness: Finding[Handedness]

    @property
    def space(self) -> Space:
        return Space(self.unit.value, self.up.value, self.handedness.value)

    @property
    def reasons(self) -> tuple[str, ...]:
        return (self.unit.reason, self.up.reason, self.handedness.reason)

    @property
    def confident(self) -> bool:
        """Whether all of it is sure."""
        return self.unit.sure and self.up.sure and self.handedness.sure

    def doubts(self, *, unit: bool = True, up: bool = True, handedness: bool = True) -> tuple[str, ...]:
        """What is not sure, in words, with the option that settles it; False leaves out what somebody has settled."""
        asked = ((unit, self.unit, "--unit"), (up, self.up, "--up"), (handedness, self.handedness, "--handedness"))
        return tuple(
            f"{finding.reason} (not sure; {option} sets it)"
            for wanted, finding, option in asked
            if wanted and not finding.sure
        )


def guess_space(recording: Recording) -> SpaceGuess:
    """The unit and axes in which the recorded body is a person of human size who mostly stands on the ground.

    The unit comes from the leg's length, the up axis from feet and head over the frames, then from the rest pose,
    the handedness from feet, rest pose, knees and direction of travel. Without a person in it the guess is
    centimetres or metres by the body's size, and not sure. Frames of zeros only, where nothing was captured, do not
    count.
    """
    captured = np.flatnonzero(np.any(recording.values != 0.0, axis=1))
    if not len(captured):
        captured = np.arange(recording.n_frames)
    picked = captured[even_frames(len(captured), N_SAMPLES)]
    motion = replace(recording, values=recording.values[picked], space=Space()).motion()  # in the file's own axes
    parts = find_parts(motion.skeleton)
    legs = _leg(motion, parts)
    return SpaceGuess(
        _guess_unit(motion, parts, legs),
        _guess_up(motion, parts, legs),
        _guess_handedness(motion, _velocity(recording, picked), parts),
    )


def unit_of_leg(length: float) -> tuple[float, bool]:
    """(unit in metres, whether a person has such a leg) for a leg from hip joint to ankle in the file's unit."""
    units = sorted(UNITS_METRES.values(), key=lambda metres: abs(np.log(length * metres / LEG_METRES)))
    low, high = LEG_RANGE_METRES
    for metres in units:
        if low <= length * metres <= high:
            return metres, True
    return units[0], False


def _leg(motion: Motion, parts: BodyMap) -> float:
    """The length of a leg in the file's unit, the mean of both; 0 without one."""
    skeleton = settled_skeleton(motion)
    legs = [
        chain_length(skeleton, parts.joints[side + "Thigh"], parts.joints[side + "Foot"])
        for side in SIDES
        if side + "Thigh" in parts.joints and side + "Foot" in parts.joints
    ]
    return float(np.mean(legs)) if legs else 0.0


def _guess_unit(motion: Motion, parts: BodyMap, leg: float) -> Finding[float]:
    if leg > 0.0:
        return _unit_of_person(motion, parts, leg)
    spread = motion.positions_world[0].max(axis=0) - motion.positions_world[0].min(axis=0)
    size = float(np.linalg.norm(spread))
    if _is_hand(motion.skeleton, parts) and size > 0.0:
        metres = min(UNITS_METRES.values(), key=lambda metres: abs(np.log(size * metres / HAND_METRES)))
        return Finding(metres, f"no legs to measure: {unit_name(metres)} for a hand of {size:.3g} units", False)
    name = "m" if size <= 3.0 else "cm" if size <= 700.0 else "mm"
    return Finding(UNITS_METRES[name], f"no legs to measure: {name} for a body of {size:.3g} units", False)


def _unit_of_person(motion: Motion, parts: BodyMap, leg: float) -> Finding[float]:
    metres, sure = unit_of_leg(leg)
    reason = f"a leg of {leg:.4g} units is {leg * metres:.2f} m in {unit_name(metres)}"
    if not sure:
        return Finding(metres, reason + ", which no person has", False)
    top = parts.joints.get("Head", parts.neck[-1] if parts.neck else None)
    if top is None or "Hips" not in parts.joints:
        return Finding(metres, reason, True)
    height = metres * (leg + chain_length(settled_skeleton(motion), parts.hips, top))
    low, high = HEIGHT_RANGE_METRES
    if not low <= height <= high:
        return Finding(metres, f"{reason}, but the head is {height:.2f} m above the feet, as no person's is", False)
    return Finding(metres, reason, True)


def _is_hand(skeleton: Skeleton, parts: BodyMap) -> bool:
    """Whether most joints are fingers and there is no trunk: what a hand tracker writes."""
    fingers = sum(any(word in name.word for word in FINGERS) for name in read_names(skeleton.names))
    return not parts.spine and fingers > 0.5 * skeleton.n_joints


def _guess_up(motion: Motion, parts: BodyMap, leg: float) -> Finding[Up]:
    """The motion decides; the rest pose helps where the body is upright along no axis, or lies on the floor."""
    joints = parts.joints
    feet = [joints[side + "Foot"] for side in SIDES if side + "Foot" in joints]
    top = joints.get("Head", parts.neck[-1] if parts.neck else None)
    if not feet or top is None:
        return Finding("y", "no feet and head to tell up from down: y up", False)
    rising = motion.positions_world[:, top] - motion.positions_world[:, feet].mean(axis=1)
    rising = rising / np.maximum(np.linalg.norm(rising, axis=1, keepdims=True), 1e-12)
    seen = np.median(rising, axis=0)
    rest = _rest_up(motion.skeleton, parts)
    up = max(UPS, key=lambda axis: seen[AXIS[axis]])
    upright = bool(seen[AXIS[up]] > UPRIGHT) and float(np.mean(rising[:, AXIS[up]] > CLEAR)) >= MOSTLY
    reason = f"from feet to head is {seen[AXIS[up]]:+.2f} along {up}"
    if rest is None or rest == up:
        sure = bool(seen[AXIS[up]] > CLEAR) or (rest == up and bool(seen[AXIS[up]] > 0.0))
        return Finding(up, f"{reason}: {up} up", sure)
    if not upright and not (seen[AXIS[up]] > CLEAR and _is_more_level(motion, up, rest)):
        return Finding(rest, f"the rest pose stands along {rest}: {rest} up", bool(seen[AXIS[rest]] > -CLEAR))
    if _lies(motion, along=up, on=rest, leg=leg):
        return Finding(rest, f"{reason}, but the body lies on the floor if its rest pose stands: {rest} up", False)
    if not _has_floor(motion, up, rest, leg):
        return Finding(rest, f"{reason}, but the feet keep to no floor across it: {rest} up", False)
    sure = _stands(motion, up, leg)
    return Finding(up, f"{reason}, though the rest pose stands along {rest}: {up} up", sure)


def _rest_up(skeleton: Skeleton, parts: BodyMap) -> Up | None:
    """The axis along which the rest pose stands; None where it says nothing."""
    if not stands_like_a_person(skeleton, parts):
        return None
    places = skeleton.rest_positions()
    top = parts.joints.get("Head", parts.neck[-1] if parts.neck else parts.hips)
    rising = places[top] - np.mean([places[parts.joints[side + "Foot"]] for side in SIDES], axis=0)
    for axis in UPS:
        if rising[AXIS[axis]] > 0.9 * np.linalg.norm(rising):
            return axis
    return None


def _lies(motion: Motion, *, along: Up, on: Up, leg: float) -> bool:
    """Whether a body that stretches along one axis rather lies on a floor across the other than stands.

    Either it goes along the axis, as somebody does who crawls: its lowest point wanders there, more than a jump, and
    stays level on that floor. Or it is flat on a floor at 0, and the one that it would stand on is elsewhere.
    """
    low = motion.positions_world.min(axis=1)  # (F, 3)
    wandering, level = np.subtract(*np.percentile(low[:, [AXIS[along], AXIS[on]]], (80, 20), axis=0))
    if wandering > WANDERS * leg and level < 0.5 * wandering:
        return True
    flat = np.median(np.ptp(motion.positions_world[:, :, AXIS[on]], axis=1)) < FLAT * leg
    floor_along, floor_on = np.median(low[:, AXIS[along]]), np.median(low[:, AXIS[on]])
    return bool(flat and abs(floor_on) < NEAR_FLOOR * leg and abs(floor_along) > WANDERS * leg)


def _is_more_level(motion: Motion, up: Up, other: Up) -> bool:
    """Whether the body's lowest point stays level along `up` better than along `other`."""
    low = motion.positions_world.min(axis=1)  # (F, 3)
    return bool(np.ptp(low[:, AXIS[up]]) <= np.ptp(low[:, AXIS[other]]))


def _has_floor(motion: Motion, up: Up, other: Up, leg: float) -> bool:
    """Whether the body's lowest point keeps to a level along `up`, by itself or far more than along `other`.

    Somebody who swims stretches along the axis that he goes along: nothing is level there. Nor is a level a floor
    that lies far from the file's origin, where that of the other axis is near it.
    """
    low = motion.positions_world.min(axis=1)[:, [AXIS[up], AXIS[other]]]  # (F, 2)
    spread, elsewhere = np.subtract(*np.percentile(low, (95, 5), axis=0))
    far, other_far = np.abs(np.median(low, axis=0)) > WANDERS * leg
    return bool((spread < KEEPS_LEVEL * leg or spread < 0.5 * elsewhere) and not (far and not other_far))


def _stands(motion: Motion, up: Up, leg: float) -> bool:
    """Whether the lowest point mostly stays level, near 0: a floor is there."""
    low = motion.positions_world[:, :, AXIS[up]].min(axis=1)
    spread = float(np.subtract(*np.percentile(low, (90, 10))))
    return bool(spread < NEAR_FLOOR * leg and abs(np.median(low)) < NEAR_FLOOR * leg)


def _velocity(recording: Recording, picked: np.ndarray) -> np.ndarray:
    """The root's velocity (F, 3) at some frames, in units a second along the file's axes."""
    step = max(1, round(STEP_SECS / recording.frame_time))
    before, behind = np.maximum(picked - step, 0), np.minimum(picked + step, recording.n_frames - 1)
    places = [_hips(replace(recording, values=recording.values[frames], space=Space())) for frames in (before, behind)]
    secs = np.maximum(behind - before, 1) * recording.frame_time
    return np.asarray((places[1] - places[0]) / secs[:, None])


def _hips(recording: Recording) -> np.ndarray:
    """Where the body is (F, 3): the joint from which its limbs part, as roots may stand still."""
    motion = recording.motion()
    branches = np.bincount(motion.skeleton.parents[1:], minlength=motion.skeleton.n_joints) > 1
    return np.asarray(motion.positions_world[:, int(np.argmax(branches))])


def _guess_handedness(motion: Motion, velocity: np.ndarray, parts: BodyMap) -> Finding[Handedness]:
    found = witnesses(motion, velocity, parts)
    handedness, sure = judged(found)
    if not found:
        return Finding(handedness, "nothing clear tells left from right: right-handed", False)
    told = {sign: _listed([w for w in found if w.sign == sign]) for sign in (1, -1)}
    if told[1] and told[-1]:
        reason = f"{told[1]} for right-handed axes, {told[-1]} for left-handed ones: {handedness}-handed"
    else:
        reason = f"{told[1] or told[-1]} for it: {handedness}-handed"
    return Finding(handedness, reason, sure)


def _listed(found: list[Witness]) -> str:
    if not found:
        return ""
    names = [witness.name for witness in found]
    return f"the {' and '.join([', '.join(names[:-1]), names[-1]] if len(names) > 1 else names)} " + (
        "speaks" if len(found) == 1 and found[0].name not in ("feet", "knees") else "speak"
    )
