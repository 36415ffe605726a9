"""Carrying a motion from one body to another: orientations through the T-pose, places by leg length."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.ik import two_bone
from motionary.motion import Motion, Skeleton, kinematics, rotations
from motionary.rig.body import FootPoints, foot_points, leg_length, posed_places, settled_skeleton
from motionary.rig.body_map import BodyMap
from motionary.rig.correspondence import Correspondence, correspondence
from motionary.rig.mapping import map_skeleton
from motionary.rig.reference import HEIGHT, SIDES, reference_skeleton
from motionary.rig.rest_pose import t_pose
from motionary.rig.turning import turned

SOFT = 0.004  # share of the leg's length before full stretch that is approached smoothly
UP, FORWARD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
STILL = 0.2  # m/s of a foot's ball below which it is planted
SLOW, FAST = 0.4, 1.2  # m/s of a foot's ball: below it may be planted, above it is not
SOLE_DOWN = (0.0, 0.3)  # cosine of the foot's tilt: on edge, and as steep as a planted foot gets


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton with everything that a transfer has to know of it."""

    skeleton: Skeleton
    body_map: BodyMap
    rest_world: np.ndarray  # (J, 4) its T-pose
    leg_length: float
    feet: FootPoints
    toes: np.ndarray  # (2, 3) from the ankle to the ball in the T-pose


def body_of(skeleton: Skeleton, *, body_map: BodyMap | None = None, motion: Motion | None = None) -> Body:
    """The body of a skeleton; `motion` shows how its limbs bend where the rest pose says nothing."""
    if motion is not None:
        skeleton = settled_skeleton(motion)
    body_map = body_map or map_skeleton(skeleton)
    rest = t_pose(skeleton, body_map, motion=motion)
    feet = foot_points(skeleton, body_map, rest)
    places = posed_places(skeleton, rest)
    balls = places[feet.joints[:, 1]] + rotations.rotate(rest[feet.joints[:, 1]], feet.offsets[:, 1])
    ankles = places[[body_map.joints[side + "Foot"] for side in SIDES]]
    return Body(skeleton, body_map, rest, leg_length(skeleton, body_map), feet, balls - ankles)


def to_reference(
    motion: Motion, body_map: BodyMap | None = None, *, height: float | None = HEIGHT, feet: bool = True
) -> Motion:
    """The motion on the reference skeleton of `height` metres; None: as tall as the actor, by leg length."""
    source = body_of(motion.skeleton, body_map=body_map, motion=motion)
    if height is None:
        standard = reference_skeleton()
        height = round(HEIGHT * source.leg_length / leg_length(standard, map_skeleton(standard)), 3)
    return transfer_between(motion, source, body_of(reference_skeleton(height)), feet=feet)


def transfer(
    motion: Motion,
    onto: Skeleton,
    *,
    source_map: BodyMap | None = None,
    target_map: BodyMap | None = None,
    feet: bool = True,
) -> Motion:
    """The motion on another skeleton, at the same frame time.

    Every part of the body turns in the world as it did, counted from the T-pose; the root's way is scaled by leg
    length. With `feet` the legs are bent so that the feet stand on the scaled places of the source's: what was
    planted stays planted. Joints that moved against their parents do not move in the new body; parts that only
    one of the two has are dropped, or follow the joint they hang on.
    """
    source = body_of(motion.skeleton, body_map=source_map, motion=motion)
    return transfer_between(motion, source, body_of(onto, body_map=target_map), feet=feet)


def transfer_between(motion: Motion, source: Body, target: Body, *, feet: bool = True) -> Motion:
    """`transfer` between bodies that are already known; `source` must be that of the motion's skeleton."""
    follows = correspondence(
        source.skeleton,
        target.skeleton,
        source_map=source.body_map,
        target_map=target.body_map,
        source_rest=source.rest_world,
        target_rest=target.rest_world,
    )
    local = turned(target.skeleton, follows, motion.rotations_world)
    scale = target.leg_length / source.leg_length
    thighs = [source.body_map.joints[side + "Thigh"] for side in SIDES]
    middle = motion.positions_world[:, thighs].mean(axis=1)  # between the hip joints
    rise = float(np.mean(target.feet.ankle_height - scale * source.feet.ankle_height))  # soles stay on the ground
    root = scale * middle + (0.0, rise, 0.0) - _thighs_from_root(target, local)
    moved = Motion(target.skeleton, motion.frame_time, root, local)
    return _place_feet(moved, motion, source, target, scale) if feet else moved


def _thighs_from_root(target: Body, local: np.ndarray) -> np.ndarray:
    """Where the middle between the hip joints stands (F, 3) if the root stands at the origin."""
    thighs = [target.body_map.joints[side + "Thigh"] for side in SIDES]
    total = np.zeros((len(local), 3))
    for thigh in thighs:
        chain = target.skeleton.chain(thigh)
        turn = local[:, 0]
        for parent, joint in zip(chain[:-1], chain[1:], strict=True):
            if parent:
                turn = rotations.multiply(turn, local[:, parent])
            total += 0.5 * rotations.rotate(turn, target.skeleton.offsets[joint])
    return total


def _place_feet(moved: Motion, motion: Motion, source: Body, target: Body, scale: float) -> Motion:
    """The moved body, its legs bent so that the balls of its feet stand where the source's stood.

    While a foot stands flat its ankle is at the scaled place of the source's; it rolls over its ball, whose
    place is kept while the ball is planted. Feet keep their orientation. Feet in the air keep the leg's shape.
    """
    world = np.array(moved.rotations_world)
    places = moved.positions_world
    balls = scale * source.feet.world(motion)[:, :, 1]  # (F, 2, 3)
    balls[:, :, 1] += _ball_heights(target) - scale * _ball_heights(source)
    for i, side in enumerate(SIDES):
        thigh, shin, foot = (target.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        since_rest = rotations.multiply(world[:, foot], rotations.inverse(target.rest_world[foot]))
        speed = _speed(balls[:, i], motion.frame_time)
        longer = (target.toes[i] - scale * source.toes[i]) * (1.0, 0.0, 1.0)  # the ball stands further ahead
        ball = balls[:, i] + _foot_headings(since_rest, speed < STILL) @ _turn_rows(longer)
        ankle = ball - rotations.rotate(since_rest, target.toes[i])
        stands = _ramp(speed, FAST, SLOW) * _ramp(rotations.rotate(since_rest, UP)[:, 1], *SOLE_DOWN)
        ankle = places[:, foot] + stands[:, None] * (ankle - places[:, foot])
        ahead = rotations.rotate(
            rotations.multiply(world[:, thigh], rotations.inverse(target.rest_world[thigh])), FORWARD
        )
        limb = two_bone(places[:, thigh], places[:, shin], places[:, foot], ankle, pole=ahead, soft=SOFT)
        for joint in _rides_on(target.skeleton, thigh, shin):
            world[:, joint] = rotations.multiply(limb.upper, world[:, joint])
        for joint in _rides_on(target.skeleton, shin, foot):
            world[:, joint] = rotations.multiply(limb.lower, world[:, joint])
    return replace(moved, rotations=kinematics.local_rotations(target.skeleton, world))


def _speed(points: np.ndarray, frame_time: float) -> np.ndarray:
    """Metres per second (F,)."""
    if len(points) < 2:
        return np.zeros(len(points))
    return np.linalg.norm(np.gradient(points, frame_time, axis=0), axis=1)


def _foot_headings(since_rest: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Where a foot points on the ground, as (F, 2) cosine and sine of its turn about +y.

    It stays the same as long as the ball is planted, even if the foot turns on it, and goes evenly from plant
    to plant between.
    """
    twist = 2.0 * np.arctan2(since_rest[:, 2], since_rest[:, 0])
    headings = np.stack([np.cos(twist), np.sin(twist)], axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], planted, [False]]).astype(np.int8)))
    frames = np.arange(len(planted))
    if not len(edges):
        return headings
    known = np.empty_like(headings)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        known[start:stop] = headings[start:stop].mean(axis=0)
    held = np.stack([np.interp(frames, frames[planted], known[planted, i]) for i in range(2)], axis=1)
    return held / np.maximum(np.linalg.norm(held, axis=1, keepdims=True), 1e-9)


def _turn_rows(level: np.ndarray) -> np.ndarray:
    """The matrix (2, 3) that makes (cosine, sine) of a turn about +y into the level vector, turned."""
    x, _, z = level
    return np.array([[x, 0.0, z], [z, 0.0, -x]])


def _ramp(values: np.ndarray, zero: float, one: float) -> np.ndarray:
    """0 up to `zero`, 1 from `one` on, smooth between."""
    share = np.clip((values - zero) / (one - zero), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _ball_heights(body: Body) -> np.ndarray:
    """How high (2,) the balls are above the sole when the feet stand flat."""
    return body.feet.ankle_height + body.toes[:, 1]


def _rides_on(skeleton: Skeleton, joint: int, stop: int) -> list[int]:
    """The joint and all below it, except `stop` and what is below that."""
    riding = [joint]
    for j in range(joint + 1, skeleton.n_joints):
        if j != stop and skeleton.parents[j] in riding:
            riding.append(j)
    return riding
