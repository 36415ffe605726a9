"""Putting the feet of a moved body on the ground where the source's stood."""

from dataclasses import replace

import numpy as np

from motionary.ik import two_bone
from motionary.motion import Motion, Skeleton, kinematics, rotations
from motionary.rig.reference import SIDES
from motionary.rig.whole_body import Body

SOFT = 0.004  # share of the leg's length before full stretch that is approached smoothly
STILL = 0.1  # m/s of a foot's ball below which it is planted
BELOW_HIPS = (-0.3, -0.1)  # shares of the leg's length: a foot so far above the hip joint stands on nothing
FORWARD = np.array([0.0, 0.0, 1.0])


def place_feet(moved: Motion, motion: Motion, source: Body, target: Body, scale: float) -> Motion:
    """The moved body, its legs bent so that the balls of its feet stand where the source's stood.

    While a foot stands flat its ankle is at the scaled place of the source's; it rolls over its ball, whose
    place is kept while the ball is planted. Feet keep their orientation. Where feet are above the hips
    (cartwheels), legs keep their shape instead.
    """
    world = np.array(moved.rotations_world)
    places = moved.positions_world
    balls = scale * source.feet.world(motion)[:, :, 1]  # (F, 2, 3)
    balls[:, :, 1] += _ball_heights(target) - scale * _ball_heights(source)
    for i, side in enumerate(SIDES):
        thigh, shin, foot = (target.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        since_rest = rotations.multiply(world[:, foot], rotations.inverse(target.rest_world[foot]))
        planted = _speed(balls[:, i], motion.frame_time) < STILL
        longer = (target.toes[i] - scale * source.toes[i]) * (1.0, 0.0, 1.0)  # the ball stands further ahead
        ball = balls[:, i] + _foot_headings(since_rest, planted) @ _turn_rows(longer)
        ankle = ball - rotations.rotate(since_rest, target.toes[i])
        below = (places[:, thigh, 1] - ball[:, 1]) / target.leg_length
        stands = _ramp(below, *BELOW_HIPS)
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
