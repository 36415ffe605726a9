"""Facts about a body that later work needs: lengths, places in its T-pose, heels and toes."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.motion import Motion, Skeleton, rotations
from motionary.rig.body_map import BodyMap
from motionary.rig.reference import SIDES

HEAD_TOP = 0.110  # above the head joint, as shares of the body height, like the reference skeleton's
ANKLE_HEIGHT = 0.037  # of the ankle joint above the sole
HEEL_BEHIND = 0.030
TOE_BEFORE = 0.082
SOLE_BELOW_TOE = 0.010


@dataclass(frozen=True, eq=False)
class FootPoints:
    """Heel and ball of both feet: points that ride on joints; [left, right] by [heel, toe]."""

    joints: np.ndarray  # (2, 2) int
    offsets: np.ndarray  # (2, 2, 3) metres, in the joints' frames
    ankle_height: np.ndarray  # (2,) of the ankle joint above the sole when the foot stands flat

    def world(self, motion: Motion) -> np.ndarray:
        """Places (F, 2, 2, 3) of the points."""
        turned = rotations.rotate(motion.rotations_world[:, self.joints], self.offsets)
        return motion.positions_world[:, self.joints] + turned


def settled_skeleton(motion: Motion) -> Skeleton:
    """The motion's skeleton, joints that move against their parents put at their median places."""
    if not len(motion.moving_joints):
        return motion.skeleton
    offsets = np.array(motion.skeleton.offsets)
    offsets[motion.moving_joints] = np.median(motion.joint_translations, axis=0)
    return replace(motion.skeleton, offsets=offsets)


def posed_places(skeleton: Skeleton, rotations_world: np.ndarray) -> np.ndarray:
    """Places (J, 3) of the joints turned like this in the world (J, 4), the root at the origin."""
    parents = skeleton.parents
    places = rotations.rotate(rotations_world[parents], skeleton.offsets)  # from parent to joint
    places[0] = 0.0
    for joint in range(1, skeleton.n_joints):
        places[joint] += places[parents[joint]]
    return places


def chain_length(skeleton: Skeleton, upper: int, lower: int) -> float:
    """The way along the bones from one joint down to another."""
    total, joint = 0.0, lower
    while joint not in (upper, -1):
        total += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = int(skeleton.parents[joint])
    return total


def leg_length(skeleton: Skeleton, body_map: BodyMap) -> float:
    """From the hip joint along thigh and shin to the ankle, the mean of both sides."""
    joints = body_map.joints
    return float(np.mean([chain_length(skeleton, joints[s + "Thigh"], joints[s + "Foot"]) for s in SIDES]))


def body_height(skeleton: Skeleton, body_map: BodyMap, rest_world: np.ndarray) -> float:
    """From sole to the top of the head in the T-pose `rest_world` (J, 4); what a rig lacks has human size."""
    places = posed_places(skeleton, rest_world)
    feet = [body_map.joints[side + "Foot"] for side in SIDES]
    top_joint = body_map.joints.get("Head", body_map.neck[-1] if body_map.neck else body_map.hips)
    ankle_to_head = float(places[top_joint, 1] - places[feet, 1].mean())
    about = ankle_to_head / (1.0 - HEAD_TOP - ANKLE_HEIGHT)
    above = _end_sites(skeleton, top_joint, rest_world)[:, 1].max(initial=0.0)
    if above < 0.04 * about:  # no end site, or one of no length
        above = HEAD_TOP * about if "Head" in body_map.joints else 0.16 * about
    below = foot_points(skeleton, body_map, rest_world).ankle_height.mean()
    return ankle_to_head + float(above) + float(below)


def foot_points(skeleton: Skeleton, body_map: BodyMap, rest_world: np.ndarray) -> FootPoints:
    """Heel and ball of each foot: the rig's own where it has them, else where a human foot has them.

    The heel is an end site behind and below the ankle, the ball the toe joint, or a foot's end site before the ankle.
    A toe joint of a rig without heels is taken as one inside the foot, as captures have it: the ball is the point of
    the sole below it, over which the foot rolls, and rides on the foot, as toes are hardly ever captured. `rest_world`
    (J, 4) is the T-pose, in which the feet stand flat and point to +z.
    """
    places = posed_places(skeleton, rest_world)
    top = body_map.joints.get("Head", body_map.neck[-1] if body_map.neck else body_map.hips)
    joints = np.zeros((2, 2), dtype=np.int64)
    offsets = np.zeros((2, 2, 3))
    heights = np.zeros(2)
    for i, side in enumerate(SIDES):
        foot, toe = body_map.joints[side + "Foot"], body_map.joints.get(side + "Toe")
        about = float(places[top, 1] - places[foot, 1]) / (1.0 - HEAD_TOP - ANKLE_HEIGHT)
        ends = _end_sites(skeleton, foot, rest_world)
        size = np.linalg.norm(ends, axis=1)
        before = ends[(ends[:, 2] > 0.5 * size) & (size > 0.02 * about)]
        behind = ends[(ends[:, 2] < 0.0) & (ends[:, 1] < 0.0) & (size > 0.02 * about)]
        heights[i] = ANKLE_HEIGHT * about
        ball = np.array([0.0, -heights[i], TOE_BEFORE * about])
        if toe is not None or len(before):
            ball = places[toe] - places[foot] if toe is not None else before[0]
            heights[i] = max(SOLE_BELOW_TOE * about - ball[1], 0.5 * heights[i])
        if len(behind):  # a heel of its own: the sole is where the lowest point is
            tips = _end_sites(skeleton, toe, rest_world)[:, 1] if toe is not None else np.zeros(0)
            heights[i] = -min(behind[0, 1], ball[1], ball[1] + tips.min(initial=0.0))
        heel = behind[0] if len(behind) else np.array([0.0, -heights[i], -HEEL_BEHIND * about])
        if toe is not None and not len(behind):
            ball = np.array([ball[0], -heights[i], ball[2]])
        into_foot = rotations.inverse(rest_world[foot])
        joints[i], offsets[i, 0] = foot, rotations.rotate(into_foot, heel)
        if toe is not None and len(behind):
            joints[i, 1] = toe
        else:
            offsets[i, 1] = rotations.rotate(into_foot, ball)
    return FootPoints(joints, offsets, heights)


def _end_sites(skeleton: Skeleton, joint: int, rest_world: np.ndarray) -> np.ndarray:
    """The joint's end sites (n, 3) as seen from it in the T-pose."""
    return rotations.rotate(rest_world[joint], skeleton.end_sites(joint))
