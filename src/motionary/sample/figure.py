"""From tracks to poses: where pelvis, feet and hands are asked to be, into orientations of the joints.

The legs always reach for their soles by inverse kinematics, so that whatever the rest of the body does, a foot
that is planted stays where it is. Arms turn in their shoulders, and home in on a place if one is given.
"""

import numpy as np

from motionary.ik import two_bone
from motionary.motion import Skeleton, rotations
from motionary.rig import SPINE
from motionary.sample.truth import Side

SIDES: tuple[Side, ...] = ("left", "right")
SIGN = {"left": 1.0, "right": -1.0}  # of x, and of turns about y and z
LEG_LIMIT = 0.986  # the share of its length that a leg is stretched to at most
LEG_SOFT = 0.008
ARM_SOFT = 0.02
SPINE_SHARES = (0.18, 0.3, 0.32, 0.2)
TOES_BEND = 0.8  # radians; a heel lifted higher takes the toes with it
DOWN = np.array([0.0, -1.0, 0.0])
AHEAD = np.array([0.0, 0.0, 1.0])

Values = dict[str, np.ndarray]  # a track's name, and its values (F, D)


class Figure:
    """The poses that tracks ask for, the pelvis moved by `shift` (F, 3).

    The tracks, angles in radians:

    - `place` (x, z) and `height` of the pelvis; `heading`; `tilt` of the pelvis: forwards, to the left, twist left
    - `spine` and `head`: forwards, to the left, twist left; `stable`: 1 if the head keeps level, 0 if it goes along
    - `hanging`: 1 if the arms' angles are taken from the vertical, 0 if from the chest
    - for each side `shoulder`: up, forwards; `arm`: forwards, sideways, turned out; `elbow`; `wrist`: turned, back
    - `reach`: a place for the wrist, and `reaching`: how much of the way there it goes
    - `sole`: the place under the ankle, `yaw` of the foot, `heel_lift` over the ball, `toe_lift` over the heel
    - `free`: 1 if the leg goes with the pelvis instead, as `leg` says: forwards, sideways, stretch, toes down
    """

    def __init__(self, skeleton: Skeleton, values: Values, shift: np.ndarray) -> None:
        n_frames = len(shift)
        self.skeleton, self.values = skeleton, values
        self.index = {name: joint for joint, name in enumerate(skeleton.names)}
        self.rotations_world = np.empty((n_frames, skeleton.n_joints, 4))
        self.places: dict[str, np.ndarray] = {}  # (F, 3) of joints that have one so far
        self.overstretch = np.zeros(n_frames)  # metres that the pelvis must come down for both legs to reach
        place, height = values["place"], values["height"]
        self.places["Hips"] = np.stack([place[:, 0], height[:, 0], place[:, 1]], axis=-1) + shift
        self._pose_trunk()
        for side in SIDES:
            self._pose_arm(side)
            self._pose_leg(side)

    def _pose_trunk(self) -> None:
        heading, tilt, spine = self.values["heading"][:, 0], self.values["tilt"], self.values["spine"]
        self.facing = heading + tilt[:, 2]
        self.pelvis = turns(y=self.facing, z=-tilt[:, 1], x=tilt[:, 0])
        self.rotations_world[:, 0] = self.pelvis
        turn = self.pelvis
        for name, share in zip(SPINE, SPINE_SHARES, strict=True):
            bend = turns(y=share * spine[:, 2], z=-share * spine[:, 1], x=share * spine[:, 0])
            turn = rotations.multiply(turn, bend)
            self._attach(name, turn)
        self.chest = turn
        upright = about(1, self.facing + spine[:, 2])
        self.arms_from = rotations.slerp(self.chest, upright, self.values["hanging"][:, 0])

        # Neck and head: between looking along with the chest and looking level whither the body heads.
        head = self.values["head"]
        look = turns(y=head[:, 2], z=-head[:, 1], x=head[:, 0])
        along, level = rotations.multiply(self.chest, look), rotations.multiply(about(1, heading), look)
        wanted = rotations.slerp(along, level, self.values["stable"][:, 0])
        bend = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(self.chest), wanted))
        for name, share in (("Neck1", 0.3), ("Neck2", 0.6), ("Head", 1.0)):
            self._attach(name, rotations.multiply(self.chest, rotations.from_rotation_vector(share * bend)))

    def _pose_arm(self, side: Side) -> None:
        sign, name, values = SIGN[side], side.title(), self.values
        shoulder, arm, elbow, wrist = (values[f"{part}_{side}"] for part in ("shoulder", "arm", "elbow", "wrist"))
        clavicle = rotations.multiply(about(2, sign * shoulder[:, 0]), about(1, -sign * shoulder[:, 1]))
        self._attach(f"{name}Clavicle", rotations.multiply(self.chest, clavicle))
        # The arm hangs, is raised sideways, then forwards, and turned about itself.
        raised = rotations.multiply(about(0, -arm[:, 0]), about(2, sign * (arm[:, 1] - 0.5 * np.pi)))
        upper = rotations.multiply(self.arms_from, rotations.multiply(raised, about(0, -arm[:, 2])))
        lower = rotations.multiply(upper, about(1, -sign * elbow[:, 0]))
        hand = rotations.multiply(about(0, -wrist[:, 0]), about(2, sign * wrist[:, 1]))
        joints = (f"{name}UpperArm", f"{name}Forearm", f"{name}Hand")
        for joint, turn in zip(joints, (upper, lower, rotations.multiply(lower, hand)), strict=True):
            self._attach(joint, turn)

        weight = values[f"reaching_{side}"][:, 0]
        f = np.flatnonzero(weight > 0.0)
        if len(f):
            shoulder, bent, end = (self.places[joint][f] for joint in joints)
            target = end + weight[f, None] * (values[f"reach_{side}"][f] - end)
            solved = two_bone(shoulder, bent, end, target, soft=ARM_SOFT)
            world, (upper_joint, lower_joint, hand_joint) = self.rotations_world, (self.index[j] for j in joints)
            world[f, upper_joint] = rotations.multiply(solved.upper, upper[f])
            world[f, lower_joint] = rotations.multiply(solved.lower, lower[f])
            world[f, hand_joint] = rotations.multiply(world[f, lower_joint], hand[f])
            self.places[joints[1]][f], self.places[joints[2]][f] = solved.middle, solved.end

    def _pose_leg(self, side: Side) -> None:
        name, values, offsets = side.title(), self.values, self.skeleton.offsets
        thigh, shin = (-offsets[self.index[f"{name}{bone}"], 1] for bone in ("Shin", "Foot"))  # lengths
        hip = self.places["Hips"] + rotations.rotate(self.pelvis, offsets[self.index[f"{name}Thigh"]])
        ankle, foot = self._foot_on_ground(side)
        knee_yaw = 0.5 * (values[f"yaw_{side}"][:, 0] - self.facing)
        toes = -_toe_bend(values[f"heel_lift_{side}"][:, 0])
        free = values[f"free_{side}"][:, 0]
        f = np.flatnonzero(free > 0.0)
        if len(f):
            ankle[f], foot[f] = self._leg_in_air(side, f, hip[f], ankle[f], foot[f], thigh + shin)
            knee_yaw[f] *= 1.0 - free[f]
            toes[f] *= 1.0 - free[f]

        # The straight leg in the pelvis's frame, swung onto the line to the ankle: its front is where the knee goes.
        away = ankle - hip
        swing = rotations.between_vectors(rotations.rotate(self.pelvis, DOWN), away)
        straight = rotations.multiply(swing, rotations.multiply(self.pelvis, about(1, knee_yaw)))
        along, front = rotations.rotate(straight, DOWN), rotations.rotate(straight, AHEAD)
        knee = hip + thigh * along
        solved = two_bone(hip, knee, knee + shin * along, ankle, pole=front, soft=LEG_SOFT)
        for joint, turn in (
            ("Thigh", rotations.multiply(solved.upper, straight)),
            ("Shin", rotations.multiply(solved.lower, straight)),
            ("Foot", foot),
            ("Toe", rotations.multiply(foot, about(0, toes))),
        ):
            self.rotations_world[:, self.index[name + joint]] = turn
        self.places |= {f"{name}Thigh": hip, f"{name}Shin": solved.middle, f"{name}Foot": solved.end}

        limit = LEG_LIMIT * (thigh + shin)
        level = np.minimum(away[:, 0] ** 2 + away[:, 2] ** 2, (0.98 * limit) ** 2)
        drop = -away[:, 1] - np.sqrt(limit**2 - level)
        drop[(free > 0.0) | (values["airborne"][:, 0] > 0.0)] = 0.0
        self.overstretch = np.maximum(self.overstretch, drop)

    def _foot_on_ground(self, side: Side) -> tuple[np.ndarray, np.ndarray]:
        """(place of the ankle, orientation of the foot): rolled over its ball, then over its heel."""
        ankle, heel, ball = sole_points(self.skeleton, side)
        yaw, heel_lift, toe_lift = (self.values[f"{part}_{side}"][:, 0] for part in ("yaw", "heel_lift", "toe_lift"))
        over_ball, over_heel, facing = about(0, heel_lift), about(0, -toe_lift), about(1, yaw)
        rolled = ball + rotations.rotate(over_ball, ankle - ball)
        rolled = heel + rotations.rotate(over_heel, rolled - heel)
        foot = rotations.multiply(facing, rotations.multiply(over_heel, over_ball))
        return self.values[f"sole_{side}"] + rotations.rotate(facing, rolled), foot

    def _leg_in_air(
        self, side: Side, f: np.ndarray, hip: np.ndarray, ankle: np.ndarray, foot: np.ndarray, length: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ankles and feet at the frames `f`, in part or wholly off the ground and along with the pelvis."""
        leg, free = self.values[f"leg_{side}"][f], self.values[f"free_{side}"][f, 0]
        aimed = rotations.multiply(about(0, -leg[:, 0]), about(2, SIGN[side] * leg[:, 1]))
        aimed = rotations.multiply(self.pelvis[f], aimed)
        hanging = hip + rotations.rotate(aimed, length * leg[:, 2:3] * DOWN)
        away = ankle + free[:, None] * (hanging - ankle) - hip
        pointed = rotations.multiply(aimed, about(0, leg[:, 3]))
        return hip + _shortened(away, LEG_LIMIT * length), rotations.slerp(foot, pointed, free)

    def _attach(self, name: str, turn: np.ndarray) -> None:
        """Give a joint its orientation; its place follows from its parent's."""
        joint = self.index[name]
        parent = self.skeleton.parents[joint]
        self.rotations_world[:, joint] = turn
        offset = rotations.rotate(self.rotations_world[:, parent], self.skeleton.offsets[joint])
        self.places[name] = self.places[self.skeleton.names[parent]] + offset


def sole_points(skeleton: Skeleton, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ankle, heel, ball) of a flat foot, from the point of the sole under the ankle, in the foot's frame."""
    foot, toe = skeleton.index(f"{side.title()}Foot"), skeleton.index(f"{side.title()}Toe")
    heel = skeleton.end_sites(foot)[0]
    ankle = np.array([0.0, -heel[1], 0.0])
    return ankle, ankle + heel, ankle + skeleton.offsets[toe]


def limb_length(skeleton: Skeleton, middle: str, end: str) -> float:
    """Metres from the limb's upper joint to its `end`, stretched out over its `middle`."""
    joints = [skeleton.index(middle), skeleton.index(end)]
    return float(np.linalg.norm(skeleton.offsets[joints], axis=-1).sum())


def turns(*, y: np.ndarray, z: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Ry · Rz · Rx (F, 4)."""
    return rotations.multiply(about(1, y), rotations.multiply(about(2, z), about(0, x)))


def about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Turns (F, 4) about one of the axes."""
    q = np.zeros((len(angle), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return q


def _shortened(away: np.ndarray, limit: float) -> np.ndarray:
    """The vectors (F, 3), the long ones shortened smoothly so that none is longer than `limit`."""
    length = np.linalg.norm(away, axis=-1, keepdims=True)
    untouched = 0.95 * limit
    margin = limit - untouched
    beyond = np.maximum(length - untouched, 0.0)
    return np.asarray(away * np.where(beyond > 0.0, untouched + margin * np.tanh(beyond / margin), length) / length)


def _toe_bend(heel_lift: np.ndarray) -> np.ndarray:
    """How far the toes stay behind a lifted heel: flat on the ground at first, then along with the foot."""
    beyond = np.maximum(heel_lift - TOES_BEND, 0.0)
    return np.where(heel_lift > TOES_BEND, TOES_BEND + 0.3 * (1.0 - np.exp(-beyond / 0.3)), heel_lift)
