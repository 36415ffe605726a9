"""Displacement maps (motion warping): key poses changed, a monotone spline through the differences, added on top."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import facing_of, locals_of_turns, over_joints, turns_of
from motionary.edit.joints import joint_called, joints_called, mirrored_name
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.subject import TO_MICROSECONDS, Place, Subject
from motionary.errors import SkeletonError, UsageError
from motionary.ik import LimbTurns, reach_with_chain, turn_joints, two_bone
from motionary.motion import UP, Motion, ease, rotations

AXIAL_MIRROR = np.array([1.0, -1.0, -1.0])  # of a rotation vector, seen in the plane x = 0
FAR_REACH = 0.6  # arm lengths: a wrist that is brought so far takes its elbow to where people have it
MISSED = 0.005  # metres: a target missed by more is reported
HOLD_EASE_SECS = 0.2  # over which a hand comes to rest where it is to stay, and leaves again


@dataclass(frozen=True)
class Displace(PoseOperation):
    """Turns joints and moves the root at key times, with a monotone spline in between (PCHIP: it never overshoots).

    A turn is (seconds, joint, x, y, z): a rotation vector in degrees, in the axes of the T-pose (x to the body's left,
    y up, z ahead). A move shifts the root by (seconds, left, up, ahead) in metres, relative to the body's heading.
    Nothing changes at the ends of the segment, unless a key is there. `side` says whether a turn is applied in the
    frame of the parent, before the joint's own rotation, or of the child, after it; this matters for large turns.
    """

    name: ClassVar[str] = "displace"
    title: ClassVar[str] = "displacement map"
    identity: ClassVar[Any] = {"turns": ((0.3, "LeftUpperArm", 0.0, 0.0, 0.0),)}
    example: ClassVar[Any] = {"turns": ((0.5, "LeftUpperArm", 0.0, 0.0, 70.0), (0.5, "RightUpperArm", 0.0, 0.0, -70.0))}

    turns: tuple[tuple[float, str, float, float, float], ...] = parameter((), "(seconds, joint, x, y, z) in degrees")
    moves: tuple[tuple[float, float, float, float], ...] = parameter(
        (), "(seconds, left, up, ahead) in metres, of the root"
    )
    side: str = parameter("parent", "frame in which turns are applied", choices=("parent", "child"))

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        turned = np.array(segment.rotations)
        over = over_joints(segment.skeleton.parents, subject.rest)
        keys: dict[str, list[tuple[float, np.ndarray]]] = defaultdict(list)
        for secs, joint, *vector in self.turns:
            value = np.radians(np.array(vector))
            name = mirrored_name(joint) if place.mirrored else joint
            keys[name].append((secs, value * AXIAL_MIRROR if place.mirrored else value))
        for name, its_keys in keys.items():
            joints = joints_called(subject, name)
            change = rotations.from_rotation_vector(key_curve(its_keys, place) / len(joints))
            for one in joints:  # as turns between T-poses: see `turns_of`
                before, after = over[one], subject.rest[one]
                turn = rotations.multiply(before, rotations.multiply(turned[:, one], rotations.inverse(after)))
                turn = rotations.multiply(*((change, turn) if self.side == "parent" else (turn, change)))
                turned[:, one] = rotations.multiply(rotations.inverse(before), rotations.multiply(turn, after))
        places = np.array(segment.root_positions)
        if self.moves:
            side = -1.0 if place.mirrored else 1.0
            curve = key_curve([(secs, np.array([side * x, y, z])) for secs, x, y, z in self.moves], place)
            facing = facing_of(segment, subject.rest)
            places += rotations.rotate(rotations.from_axis_angle(UP, facing), curve)
        return replace(segment, rotations=rotations.continuous(turned), root_positions=places), ()


@dataclass(frozen=True)
class Reach(PoseOperation):
    """Brings a hand, a foot or any joint to a place at a given moment, by inverse kinematics, with a smooth transition.

    The place is in metres. An "offset" is relative to where the joint is, "body" to the point on the ground below the
    root; both are left, up and ahead of the body, scaled to a body height of 1.75 m. A place in the "world" is given
    as x, y, z. With `hold_secs`, a hand or foot stays there: in the world, or else relative to the body. If a place is
    out of reach, the limb goes as far as it can, and a note says so. Identity: an offset of 0.
    """

    name: ClassVar[str] = "reach"
    title: ClassVar[str] = "bring a hand to a place"
    identity: ClassVar[Any] = {"target": (0.0, 0.0, 0.0)}
    example: ClassVar[Any] = {"joint": "RightHand", "secs": 0.6, "target": (0.1, 0.35, 0.3)}

    joint: str = parameter("RightHand", "joint that is brought to the place")
    secs: float = parameter(0.5, "moment, from the start of the segment", low=0.0, unit="s")
    target: tuple[float, float, float] = parameter(
        (0.0, 0.0, 0.0), "left, up, ahead; in the world x, y, z", unit="m", varies=True
    )
    frame: str = parameter("offset", "what the place is relative to", choices=("offset", "body", "world"))
    hold_secs: float = parameter(0.0, "how long it stays there", low=0.0, high=60.0, unit="s")

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        name = mirrored_name(self.joint) if place.mirrored else self.joint
        joint = joint_called(subject, name)
        segment = subject.motion.slice(place.start, place.stop)
        frame = int(np.argmin(np.abs(place.times - self.secs)))
        pose = segment.slice(frame, frame + 1)
        wanted = self._wanted(pose, joint, subject, place)
        if np.linalg.norm(wanted - pose.positions_world[0, joint]) < 1e-9:
            return segment, ()
        reached, chain = reach_in_pose(pose, joint, wanted, subject)
        missed = float(np.linalg.norm(reached.positions_world[0, joint] - wanted))
        notes: tuple[str, ...] = ()
        if missed > MISSED:
            notes = (f"{name} cannot reach its target: it stays {100 * missed:.0f} cm away, at the nearest place",)
        before, after = turns_of(pose, subject.rest)[0], turns_of(reached, subject.rest)[0]
        turned = turns_of(segment, subject.rest)
        half = 0.5 * self.hold_secs
        for one in chain:
            change = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(before[one]), after[one]))
            times = sorted({max(self.secs - half, place.times[0]), self.secs, min(self.secs + half, place.times[-1])})
            curve = key_curve([(time, change) for time in times], place)
            turned[:, one] = rotations.multiply(turned[:, one], rotations.from_rotation_vector(curve))
        moved = with_turns(segment, turned, subject)
        if self.hold_secs:
            moved = self._held(moved, joint, frame, reached.positions_world[0, joint], subject, place)
        return moved, notes

    def _held(
        self, moved: Motion, joint: int, frame: int, reached: np.ndarray, subject: Subject, place: Place
    ) -> Motion:
        """The segment with the end of a limb at the place that it has reached at `frame`, as long as it is to stay."""
        limb = next((one for one in _limbs(_joints_of(subject)) if one[2] == joint), None)
        if limb is None:
            return moved
        there = reached
        if self.frame != "world":  # along with the body
            facing = facing_of(moved, subject.rest)
            since = rotations.from_axis_angle(UP, facing - facing[frame])
            ground = moved.root_positions * [1.0, 0.0, 1.0]
            there = ground + rotations.rotate(since, reached - ground[frame])
        places = moved.positions_world[:, list(limb)]
        beyond = np.maximum(np.abs(place.times - self.secs) - 0.5 * self.hold_secs, 0.0)
        share = ease(np.maximum(1.0 - beyond / HOLD_EASE_SECS, 0.0))[:, None]
        targets = places[:, 2] + share * (there - places[:, 2])
        found = two_bone(places[:, 0], places[:, 1], places[:, 2], targets, soft=0.005)
        upper, lower = (rotations.slerp(rotations.IDENTITY, turn, share[:, 0]) for turn in (found.upper, found.lower))
        return turn_joints(moved, {limb[0]: upper, limb[1]: lower, limb[2]: rotations.IDENTITY})

    def _wanted(self, pose: Motion, joint: int, subject: Subject, place: Place) -> np.ndarray:
        target = np.array(self.target)
        if self.frame == "world":
            return target
        if place.mirrored:
            target = target * [-1.0, 1.0, 1.0]
        if subject.body is not None:
            target = target * (subject.body.leg_length / (0.483 * 1.75))
        facing = facing_of(pose, subject.rest)[0]
        target = rotations.rotate(rotations.from_axis_angle(UP, facing), target)
        if self.frame == "offset":
            return np.asarray(pose.positions_world[0, joint] + target)
        return np.asarray(pose.root_positions[0] * [1.0, 0.0, 1.0] + target)


def key_curve(keys: list[tuple[float, np.ndarray]], place: Place) -> np.ndarray:
    """The curve (N, 3) through keys (seconds, value), 0 at the segment's ends unless a key is there."""
    from scipy.interpolate import PchipInterpolator

    first, last = float(place.times[0]), float(place.times[-1])
    known = dict(sorted(keys, key=lambda key: key[0]))
    for secs in known:
        if not first - TO_MICROSECONDS <= secs <= place.latest:
            raise UsageError(f"a key at {secs:g} s lies outside of the segment's {last - first:.3g} s")
    if min(known) > first + 1e-6:
        known = {first: np.zeros(3), **known}
    if max(known) < last - 1e-6:
        known = {**known, last: np.zeros(3)}
    times = np.array(list(known))
    if len(times) == 1:
        return np.tile(next(iter(known.values())), (place.n_frames, 1))
    curve = PchipInterpolator(times, np.array(list(known.values())), axis=0)
    return np.asarray(curve(np.clip(place.times, times[0], times[-1])))


def reach_in_pose(pose: Motion, joint: int, wanted: np.ndarray, subject: Subject) -> tuple[Motion, list[int]]:
    """The pose (one frame) with `joint` brought to `wanted`, and the joints that were turned for it."""
    skeleton = pose.skeleton
    above = [int(one) for one in skeleton.chain(joint)]
    named = _joints_of(subject)
    for limb in _limbs(named):
        if joint == limb[2]:
            places = pose.positions_world[:, list(limb)]
            found = two_bone(places[:, 0], places[:, 1], places[:, 2], wanted[None], soft=0.01)
            if found.unreached[0] >= MISSED:
                continue
            turns = {limb[0]: found.upper, limb[1]: found.lower}
            hands = [named.get("LeftHand"), named.get("RightHand")]
            if joint in hands:
                swivel = _elbow_swivel(pose, places[0], found, subject, left=joint == hands[0])
                turns = {one: rotations.multiply(swivel, turn) for one, turn in turns.items()}
            else:
                turns[joint] = rotations.IDENTITY  # a foot stays as it stands; a hand goes with its forearm
            return turn_joints(pose, turns), list(limb)
    chain = [one for one in above if one != 0][-7:]
    if len(chain) < 2:
        raise SkeletonError(f"{skeleton.names[joint]} hangs on no joint that could bring it anywhere")
    weights = np.linspace(0.2, 1.0, len(chain))
    found_chain = reach_with_chain(
        pose.positions_world[:, chain], pose.positions_world[:, joint], wanted[None], weights=weights
    )
    return turn_joints(pose, {one: found_chain.turns[:, k] for k, one in enumerate(chain)}), chain


def with_turns(segment: Motion, turned: np.ndarray, subject: Subject, places: np.ndarray | None = None) -> Motion:
    """The segment with these turns (F, J, 4) between T-poses."""
    local = locals_of_turns(turned, segment.skeleton.parents, subject.rest)
    return replace(
        segment,
        rotations=rotations.continuous(local),
        root_positions=segment.root_positions if places is None else places,
    )


def _elbow_swivel(pose: Motion, before: np.ndarray, found: LimbTurns, subject: Subject, *, left: bool) -> np.ndarray:
    """The turn (4,) about the line from shoulder to wrist that brings the elbow to where people have it: below it,
    outwards and behind. The farther the wrist was moved, the nearer to that."""
    length = np.linalg.norm(np.diff(before, axis=0), axis=1).sum()
    along = found.end[0] - before[0]
    along /= max(float(np.linalg.norm(along)), 1e-9)
    facing = rotations.from_axis_angle(UP, facing_of(pose, subject.rest)[0])
    usual = rotations.rotate(facing, np.array([0.4 if left else -0.4, -1.0, -0.3]))
    sides = [side - (side @ along) * along for side in (found.middle[0] - before[0], usual)]
    if (
        min(np.linalg.norm(side) for side in sides) < 1e-3 * length
    ):  # a straight arm, or one that points where elbows do
        return rotations.IDENTITY
    angle = float(np.arctan2(np.cross(*sides) @ along, sides[0] @ sides[1]))
    share = float(ease(np.array(min(np.linalg.norm(found.end[0] - before[2]) / (FAR_REACH * length), 1.0))))
    return rotations.from_axis_angle(along, share * angle)


def _joints_of(subject: Subject) -> Mapping[str, int]:
    """The joints of the subject's body by part; none of a creature."""
    return {} if subject.body is None else subject.body.body_map.joints


def _limbs(joints: Mapping[str, int]) -> list[tuple[int, int, int]]:
    found = []
    for side in ("Left", "Right"):
        for parts in (("UpperArm", "Forearm", "Hand"), ("Thigh", "Shin", "Foot")):
            if all(side + part in joints for part in parts):
                found.append((joints[side + parts[0]], joints[side + parts[1]], joints[side + parts[2]]))
    return found
