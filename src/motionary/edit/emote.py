"""Effort and Shape (EMOTE; Chi, Costa, Zhao & Badler 2000): seven qualities of a movement, each from −1 to +1."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import curves_of, even_headings, locals_of_turns, turns_of
from motionary.edit.filtering import low_passed
from motionary.edit.holding import with_hands
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.standing import body_needed, feet_kept
from motionary.edit.subject import Place, Subject
from motionary.motion import UP, Motion, poses_at, rotations
from motionary.qualities import APART_SECS, ARMS, TurningPoints, hands_of, turning_points
from motionary.rig import SIDES, Body

LIGHTEST, STRONGEST = 0.5, 1.9  # of what departs from the gentlest way through the turning points
GENTLE_HZ = 1.0  # what is faster departs from the gentle way
SUSTAINED, SUDDEN = 0.5, 2.6  # exponents of the speed between turning points
BENT, STRAIGHT = 0.9, 0.85  # how much the wrist's path is bent, or drawn onto its chord
OVERSHOOT = 0.16  # seconds of the incoming movement that a free one goes on for
FOLLOWS_SECS = 0.4  # how long that takes
EFFORT_SECS = 0.1  # over which the borders of Effort alone are eased
LEAN_SECS = 0.7  # over which the trunk sinks, rises or leans
BOUND = 0.7  # a bound movement falls short by as much of it


@dataclass(frozen=True)
class Emote(PoseOperation):
    """Effort and Shape: how a movement is done, not what. Every quality goes from −1 to +1; 0 changes nothing.

    Effort acts between the turning points of the hands; Shape moves hands and trunk relative to the body's heading.
    The feet stay where they are. `quality_measures` measures the qualities of a motion.
    """

    name: ClassVar[str] = "emote"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "Effort and Shape"
    identity: ClassVar[Any] = {}
    example: ClassVar[Any] = {"horizontal": 1.0, "vertical": 0.5}

    space: float = parameter(
        0.0, "indirect … direct: the wrists' paths bent or straight", low=-1.0, high=1.0, varies=True
    )
    weight: float = parameter(0.0, "light … strong: accelerations of arms and trunk", low=-1.0, high=1.0, varies=True)
    time: float = parameter(0.0, "sustained … sudden: even or bursting speed", low=-1.0, high=1.0, varies=True)
    flow: float = parameter(0.0, "bound … free: how far movements go on", low=-1.0, high=1.0, varies=True)
    horizontal: float = parameter(
        0.0, "enclosing … spreading: hands and elbows inwards, outwards", low=-1.0, high=1.0, varies=True
    )
    vertical: float = parameter(
        0.0, "sinking … rising: trunk, head and hands down, up", low=-1.0, high=1.0, varies=True
    )
    sagittal: float = parameter(
        0.0, "retreating … advancing: trunk and hands back, ahead", low=-1.0, high=1.0, varies=True
    )

    def eases_over_secs(self, *, varied: Collection[str] = ()) -> float:
        """Effort changes nothing at the ends, and blending it in would make accelerations of its own; a trunk that
        sinks or leans too fast throws the weight off the feet."""
        asked = {name for name in ("horizontal", "vertical", "sagittal") if getattr(self, name) or name in varied}
        if asked & {"vertical", "sagittal"}:
            return LEAN_SECS
        return self.ease_secs if asked else EFFORT_SECS

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        qualities = (self.space, self.weight, self.time, self.flow, self.horizontal, self.vertical, self.sagittal)
        if not any(qualities):
            return segment, ()
        body = body_needed(subject, "emote")
        now = Subject(segment, body, subject.plants)
        points = turning_points(hands_of(segment, body), place.frame_time)
        if self.time:
            now = replace(now, motion=timed(now, points.both, self.time))
        if self.weight:
            now = replace(now, motion=weighted(now, points.both, self.weight))
        if self.flow:
            now = replace(now, motion=flowing(now, points, self.flow))
        if self.space:
            now = replace(now, motion=spaced(now, points, self.space))
        if self.horizontal or self.vertical or self.sagittal:
            now = replace(now, motion=shaped(now, self.horizontal, self.vertical, self.sagittal))
        return now.motion, ()


def timed(subject: Subject, points: np.ndarray, amount: float) -> Motion:
    """The upper body's speed between turning points made even (−) or bursting (+), along the same way.

    The speed v becomes proportional to a power of v, so that peak : mean grows with the exponent, whatever v is.
    """
    motion, body = subject.motion, subject.body
    assert body is not None
    steps = np.sqrt(np.sum(np.diff(hands_of(motion, body).from_pelvis, axis=0) ** 2, axis=(1, 2)))
    exponent = SUDDEN**amount if amount > 0 else SUSTAINED**-amount
    shown = np.arange(motion.n_frames, dtype=float)
    for start, stop in pairwise(points):
        n = stop - start
        if n < 4:
            continue
        between = np.maximum(steps[start:stop], 0.08 * steps[start:stop].mean() + 1e-6)
        way = np.concatenate([[0.0], np.cumsum(between)])
        powered = between**exponent
        wanted = np.concatenate([[0.0], np.cumsum(powered)])
        shown[start : stop + 1] = start + np.interp(wanted / wanted[-1] * way[-1], way, np.arange(n + 1))
    retimed = poses_at(motion, shown)
    return _upper_body_of(motion, retimed, body)


def weighted(subject: Subject, points: np.ndarray, amount: float) -> Motion:
    """Accelerations of arms and trunk scaled, turning points kept.

    Through the turning points leads a gentle way, without what is fast: what departs from it is scaled.
    """
    from scipy.interpolate import CubicSpline

    motion, body = subject.motion, subject.body
    assert body is not None
    scale = STRONGEST**amount if amount > 0 else LIGHTEST**-amount
    curves = curves_of(motion, subject.rest)
    vectors = np.array(curves.vectors)
    joints = _upper_joints(body)
    own = vectors[:, joints].reshape(motion.n_frames, -1)
    slow = low_passed(own, GENTLE_HZ, motion.frame_time, 2)
    apart = round(APART_SECS / motion.frame_time)  # knots close together would make the spline swing
    inner = [point for point in points.tolist() if apart <= point < motion.n_frames - apart]
    knots = np.array([0, *inner, motion.n_frames - 1])
    gentle = slow + CubicSpline(knots, (own - slow)[knots], bc_type="clamped")(np.arange(motion.n_frames))
    vectors[:, joints] = (gentle + scale * (own - gentle)).reshape(motion.n_frames, len(joints), 3)
    return replace(curves, vectors=vectors).motion(motion)


def flowing(subject: Subject, points: TurningPoints, amount: float) -> Motion:
    """Movements that go on beyond their turning points (+), or are held back before they get there (−).

    Trunk and head follow the hands taken together, each arm its own hand; the hands go exactly as far as is asked.
    """
    motion, body = subject.motion, subject.body
    assert body is not None
    size = amount * OVERSHOOT if amount > 0 else amount * BOUND * OVERSHOOT
    curves = curves_of(motion, subject.rest)
    vectors = np.array(curves.vectors)
    slots = body.body_map.slots
    arms = [sorted({joint for part in ("Clavicle", *ARMS) for joint in slots[side + part]}) for side in SIDES]
    trunk = sorted(set(_upper_joints(body)) - {joint for arm in arms for joint in arm})
    for joints, frames in ((trunk, points.both), *zip(arms, points.each, strict=True)):
        vectors[:, joints] += size * _follow_through(vectors[:, joints], frames, motion.frame_time)
    followed = replace(curves, vectors=vectors).motion(motion)
    targets = np.array(hands_of(motion, body).relative)
    for hand, frames in enumerate(points.each):
        targets[:, hand] += size * _follow_through(targets[:, [hand]], frames, motion.frame_time)[:, 0]
    return with_hands(replace(subject, motion=followed), hands_of(followed, body).in_world(targets))


def _follow_through(curves: np.ndarray, points: np.ndarray, frame_time: float) -> np.ndarray:
    """What curves (F, J, 3) go on by after turning points: a swing of a second's worth of how they came in."""
    n_frames = len(curves)
    before = max(round(0.2 / frame_time), 1)
    frames = np.arange(n_frames)
    change = np.zeros_like(curves)
    for i, point in enumerate(points):
        if point < before or point >= n_frames - 2:
            continue
        speed = (curves[point] - curves[point - before]) / (before * frame_time)
        until = points[i + 1] if i + 1 < len(points) else n_frames - 1
        lasts = min(FOLLOWS_SECS, 0.9 * (until - point) * frame_time)
        if lasts <= 2 * frame_time:
            continue
        t = (frames - point) * frame_time / lasts
        swing = np.where((t > 0) & (t < 1), np.sin(np.pi * np.clip(t, 0, 1) ** 0.7) ** 2 * (1 - 0.3 * t), 0.0)
        change += swing[:, None, None] * speed
    return change


def spaced(subject: Subject, points: TurningPoints, amount: float) -> Motion:
    """The wrists' paths between turning points drawn onto their chords (+), or bent away from them (−)."""
    hands = hands_of(subject.motion, subject.body)
    targets = np.array(hands.relative)
    for hand, frames in enumerate(points.each):
        for start, stop in pairwise(frames):
            if stop - start < 3:
                continue
            path = hands.relative[start : stop + 1, hand]
            steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
            if steps.sum() < 1e-6:
                continue
            share = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
            chord = path[0] + share[:, None] * (path[-1] - path[0])
            away = path - chord
            if amount > 0:
                targets[start : stop + 1, hand] = path - STRAIGHT * amount * away
            else:
                bow = _bow(path, away, share, left=hand == 0)
                targets[start : stop + 1, hand] = path - BENT * amount * (away + bow)
    return with_hands(subject, hands.in_world(targets))


def shaped(subject: Subject, horizontal: float, vertical: float, sagittal: float) -> Motion:
    """Hands and trunk moved outwards, up and ahead as the body faces; the feet stay."""
    motion, body = subject.motion, subject.body
    assert body is not None
    before = hands_of(motion, body)
    turned = turns_of(motion, subject.rest)
    spine = list(body.body_map.spine)
    # A turn about x, the body's left, leans ahead. Sinking rounds the back, advancing leans.
    lean = np.radians(9.0 * sagittal - (16.0 * vertical if vertical < 0 else 8.0 * vertical))
    nod = np.radians(-12.0 * vertical - 4.0 * sagittal)
    head = body.body_map.get("Head")
    neck = list(body.body_map.neck) or ([head] if head is not None else [])
    for joints, angle in ((spine, lean), (neck, nod)):
        for joint in joints:
            share = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle / len(joints))
            turned[:, joint] = rotations.multiply(share, turned[:, joint])
    for i, side in enumerate(("Left", "Right")):
        clavicle = body.body_map.get(side + "Clavicle")
        if clavicle is not None:
            out = np.radians((6.0 * vertical, -6.0 * vertical)[i])
            turned[:, clavicle] = rotations.multiply(
                rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), out), turned[:, clavicle]
            )
    places = np.array(motion.root_positions)
    facing = rotations.from_axis_angle(UP, even_headings(turned[:, 0]))
    size = body.leg_length
    shift = np.array([0.0, (0.06 if vertical < 0 else 0.02) * vertical * size, 0.025 * sagittal * size])
    places += rotations.rotate(facing, shift)
    local = rotations.continuous(locals_of_turns(turned, motion.skeleton.parents, subject.rest))
    moved = feet_kept(motion, replace(motion, rotations=local, root_positions=places), body)
    # The hands go where they were, as the body faces, and as far further as is asked for
    targets = np.array(before.places)
    middle = before.places.mean(axis=1, keepdims=True)
    across = before.places - middle
    left = rotations.rotate(facing, np.array([1.0, 0.0, 0.0]))[:, None]
    along = np.sum(across * left, axis=-1, keepdims=True)
    if horizontal > 0:
        out = 0.35 * along + np.array([1.0, -1.0])[None, :, None] * 0.12 * size
        targets += horizontal * out * left
    else:
        targets += 0.65 * horizontal * along * left
    targets += rotations.rotate(facing, np.array([0.0, 0.18 * vertical * size, 0.2 * sagittal * size]))[:, None]
    return with_hands(replace(subject, motion=moved), targets)


def _bow(path: np.ndarray, away: np.ndarray, share: np.ndarray, *, left: bool) -> np.ndarray:
    """A bow to the side on which the path bends anyway, or outwards where it is straight."""
    chord = path[-1] - path[0]
    length = float(np.linalg.norm(chord))
    steps = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    middle = away[np.argmax(np.linalg.norm(away, axis=1))]
    outwards = np.array([0.3 if left else -0.3, 0.4, 0.6])
    side = middle + 0.15 * steps * outwards
    if length > 1e-9:
        side = side - (side @ chord) / length**2 * chord
    norm = float(np.linalg.norm(side))
    side = side / norm if norm > 1e-9 else outwards
    return np.asarray(0.22 * steps * (np.sin(np.pi * share) ** 2)[:, None] * side)


def _upper_joints(body: Body) -> list[int]:
    slots = body.body_map.slots
    parts = [part for part in slots if part.startswith(("Spine", "Neck", "Head")) or part.endswith(("Clavicle", *ARMS))]
    return sorted({joint for part in parts for joint in slots[part]})


def _upper_body_of(motion: Motion, other: Motion, body: Body) -> Motion:
    turned = np.array(motion.rotations)
    joints = _upper_joints(body)
    turned[:, joints] = other.rotations[:, joints]
    return replace(motion, rotations=rotations.continuous(turned))
