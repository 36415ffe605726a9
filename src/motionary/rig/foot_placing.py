"""Putting the feet of a moved body on the ground where the source's stood."""

from dataclasses import replace

import numpy as np

from motionary.ik import two_bone
from motionary.motion import Motion, Skeleton, kinematics, rotations
from motionary.rig.reference import SIDES
from motionary.rig.whole_body import Body

SOFT = 0.004  # share of the leg's length before full stretch that is approached smoothly
STILL = 0.1  # m/s of a foot's ball below which it is planted
SLOW, FAST = 1.0, 3.0  # m/s between which a foot goes over from standing on its ball to swinging
STRAIGHT = (0.985, 0.995)  # share of its length from which a leg counts as straight
STRAIGHTEN = 0.008  # metres by which an ankle may give way to keep it so
FORWARD = np.array([0.0, 0.0, 1.0])


def place_feet(moved: Motion, motion: Motion, source: Body, target: Body, scale: float, rise: float) -> Motion:
    """The moved body, its legs bent so that its ankles come to the source's places, scaled and lifted by `rise`.

    So legs keep their stretch, and what stood flat stands still. A foot that rolls over its ball keeps the ball in
    place instead, which is further ahead on a longer foot. Feet keep their orientation.
    """
    world = np.array(moved.rotations_world)
    places = moved.positions_world
    balls = scale * source.feet.world(motion)[:, :, 1]  # (F, 2, 3)
    for i, side in enumerate(SIDES):
        thigh, shin, foot = (target.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        since_rest = rotations.multiply(world[:, foot], rotations.inverse(target.rest_world[foot]))
        speed = _speed(balls[:, i], motion.frame_time)
        longer = target.toes[i] - scale * source.toes[i]
        roll = _foot_headings(since_rest, speed < STILL) @ _turn_rows(longer) - rotations.rotate(since_rest, longer)
        roll[:, 1] += longer[1]
        ankle = scale * motion.positions_world[:, source.body_map.joints[side + "Foot"]] + (0.0, rise, 0.0)
        ankle = ankle + _ramp(speed, FAST, SLOW)[:, None] * roll
        ankle = _straightened(ankle, places[:, [thigh, shin, foot]])
        ahead = rotations.rotate(
            rotations.multiply(world[:, thigh], rotations.inverse(target.rest_world[thigh])), FORWARD
        )
        limb = two_bone(places[:, thigh], places[:, shin], places[:, foot], ankle, pole=ahead, soft=SOFT)
        for joint in _rides_on(target.skeleton, thigh, shin):
            world[:, joint] = rotations.multiply(limb.upper, world[:, joint])
        for joint in _rides_on(target.skeleton, shin, foot):
            world[:, joint] = rotations.multiply(limb.lower, world[:, joint])
    return replace(moved, rotations=kinematics.local_rotations(target.skeleton, world))


def _straightened(ankle: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """The ankle's place, moved away from the hip by a few millimetres where that keeps a straight leg straight.

    A leg that is to be only 5 mm shorter than straight has its knee 6 cm further ahead. `leg` (F, 3, 3) is the
    hip joint, knee and ankle of the body as it moved before.
    """
    length = np.linalg.norm(np.diff(leg, axis=1), axis=2).sum(axis=1)
    stretch = np.linalg.norm(leg[:, 2] - leg[:, 0], axis=1)
    way = ankle - leg[:, 0]
    reach = np.linalg.norm(way, axis=1)
    short = np.clip(stretch - reach, 0.0, STRAIGHTEN) * _ramp(stretch / length, *STRAIGHT)
    return ankle + (short / np.maximum(reach, 1e-9))[:, None] * way


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


def _rides_on(skeleton: Skeleton, joint: int, stop: int) -> list[int]:
    """The joint and all below it, except `stop` and what is below that."""
    riding = [joint]
    for j in range(joint + 1, skeleton.n_joints):
        if j != stop and skeleton.parents[j] in riding:
            riding.append(j)
    return riding
