"""Putting the feet of a moved body on the ground where the source's stood."""

from dataclasses import replace

import numpy as np

from motionary.ik import two_bone
from motionary.motion import FORWARD, Motion, Skeleton, kinematics, rotations, unit
from motionary.rig.body import chain_length
from motionary.rig.reference import SIDES
from motionary.rig.whole_body import Body

SLACK = 0.02  # share of its length by which a leg is nearly straight


def place_feet(moved: Motion, motion: Motion, source: Body, target: Body, scale: float, rise: float) -> Motion:
    """The moved body, its legs bent so that the balls of its feet come to the source's places, scaled, on the ground.

    So what stood stands still, and a foot that rolls over its ball, or turns on it, keeps the ball in place. Feet keep
    their orientation, legs their stretch.
    """
    world = np.array(moved.rotations_world)
    places = moved.positions_world
    for i, side in enumerate(SIDES):
        thigh, shin, foot = (target.body_map.joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        since_rest = rotations.multiply(world[:, foot], rotations.inverse(target.rest_world[foot]))
        longer = target.toes[i] - scale * source.toes[i]
        roll = (0.0, longer[1], 0.0) - rotations.rotate(since_rest, longer)
        hip, ankle = (motion.positions_world[:, source.body_map.joints[side + part]] for part in ("Thigh", "Foot"))
        way = scale * ankle + (0.0, rise, 0.0) + roll - places[:, thigh]
        leg = scale * (ankle - hip)
        old, new = scale * _leg_length(source, side), _leg_length(target, side)
        # How much longer the roll asks the leg to be, as a share: counted so that the transfer back finds the same.
        longer_by = np.sum(roll * unit(unit(leg) + unit(way)), axis=1) / np.sqrt(old * new)
        way = new * _stretch(np.linalg.norm(leg, axis=1) / old, longer_by)[:, None] * unit(way)
        ahead = rotations.rotate(
            rotations.multiply(world[:, thigh], rotations.inverse(target.rest_world[thigh])), FORWARD
        )
        limb = two_bone(places[:, thigh], places[:, shin], places[:, foot], places[:, thigh] + way, pole=ahead)
        for joint in _rides_on(target.skeleton, thigh, shin):
            world[:, joint] = rotations.multiply(limb.upper, world[:, joint])
        for joint in _rides_on(target.skeleton, shin, foot):
            world[:, joint] = rotations.multiply(limb.lower, world[:, joint])
    return replace(moved, rotations=kinematics.local_rotations(target.skeleton, world))


def _stretch(stretch: np.ndarray, longer_by: np.ndarray) -> np.ndarray:
    """How far the new leg is stretched (F,), 1 when straight: as far as the old one, and more by the foot's roll.

    The ankle gives way along the leg, by millimetres where hips are wider or legs of unequal length, and the knee
    keeps its bend: a leg that is only 5 mm shorter than straight has its knee 6 cm further ahead. So a straight leg
    stays straight whatever the roll asks for, and rolling back by as much gives the old stretch again.
    """
    return 1.0 - _taken_up(np.clip(1.0 - stretch, 1e-9, None), longer_by)


def _taken_up(slack: np.ndarray, longer: np.ndarray) -> np.ndarray:
    """`slack` less `longer`, but never below 0: x with x + c ln x = slack + c ln slack − longer.

    For slack far above c that is a difference, for slack far below it a factor, and doing it with −`longer` undoes
    it exactly: both are steps along the same curves dx = −x / (x + c).
    """
    total = slack / SLACK + np.log(slack / SLACK) - longer / SLACK
    x = np.where(total > 1.0, np.maximum(total - np.log(np.maximum(total, 1.0)), 0.5), np.exp(np.minimum(total, 1.0)))
    for _ in range(6):  # Newton on x + ln x = total, which is concave: it converges from these starts
        x = np.maximum(x - (x + np.log(x) - total) * x / (x + 1.0), 1e-300)
    return np.asarray(SLACK * x)


def _leg_length(body: Body, side: str) -> float:
    return chain_length(body.skeleton, body.body_map.joints[side + "Thigh"], body.body_map.joints[side + "Foot"])


def _rides_on(skeleton: Skeleton, joint: int, stop: int) -> list[int]:
    """The joint and all below it, except `stop` and what is below that."""
    riding = [joint]
    for j in range(joint + 1, skeleton.n_joints):
        if j != stop and skeleton.parents[j] in riding:
            riding.append(j)
    return riding
