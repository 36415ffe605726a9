"""From tracks to poses: where pelvis, feet and hands are asked to be, into rotations of the joints.

The legs always reach for their soles by inverse kinematics, so that whatever the rest of the body does, a foot
that is planted stays where it is. The pelvis is moved so that the centre of mass comes to stand where it is
asked to be, and lowered where a leg would be stretched out.
"""

from dataclasses import dataclass

import numpy as np

from motionary.ik import two_bone
from motionary.motion import Motion, Skeleton, kinematics, rotations
from motionary.rig.reference import SPINE

SIDES = ("left", "right")
SIGN = {"left": 1.0, "right": -1.0}  # of x, and of turns about y and z
LEG_LIMIT = 0.988  # the share of its length that a standing leg is stretched to at most
LEG_SOFT = 0.008
ARM_SOFT = 0.02
SPINE_SHARES = (0.18, 0.3, 0.32, 0.2)
TOES_BEND = 0.8  # radians; a heel lifted higher takes the toes with it
SETTLE_SECS = 0.16  # how early the pelvis begins to give way to a leg that would be stretched

Values = dict[str, np.ndarray]  # a track's name, and its values (F, D)


@dataclass(frozen=True, eq=False)
class Posed:
    """World orientations of the joints, the root's path, and what balance needs to know."""

    root_positions: np.ndarray  # (F, 3)
    rotations_world: np.ndarray  # (F, J, 4)
    centre_of_mass: np.ndarray  # (F, 3)
    overstretch: np.ndarray  # (F,) metres that the pelvis must come down for both legs to reach
    shoulders: dict[str, np.ndarray]  # (F, 3) each
    wrists: dict[str, np.ndarray]  # (F, 3) each


def motion_of(skeleton: Skeleton, values: Values, *, frame_time: float) -> Motion:
    """The motion that the tracks' values ask for, in balance."""
    posed, _ = balanced(skeleton, values, frame_time=frame_time)
    return Motion(
        skeleton,
        frame_time,
        posed.root_positions,
        kinematics.local_rotations(skeleton, posed.rotations_world),
    )


def balanced(skeleton: Skeleton, values: Values, *, frame_time: float | None) -> tuple[Posed, np.ndarray]:
    """The poses in balance, and how far (F, 3) the pelvis went for it; no frame time: poses of no one time."""
    shift = np.zeros((len(values["place"]), 3))
    lowered = np.zeros(len(shift))
    for _ in range(4):
        posed = pose(skeleton, values, shift)
        off = posed.centre_of_mass - posed.root_positions
        shift[:, [0, 2]] = -values["balance"] * off[:, [0, 2]]
        needed = posed.overstretch
        if frame_time is not None:
            needed = _eased(needed, max(1, round(SETTLE_SECS / frame_time)))
        lowered = lowered + needed
        shift[:, 1] = -lowered
    return pose(skeleton, values, shift), shift


def pose(skeleton: Skeleton, values: Values, shift: np.ndarray) -> Posed:
    """The poses that the values ask for, the pelvis moved by `shift` (F, 3)."""
    n_frames = len(values["place"])
    index = {name: joint for joint, name in enumerate(skeleton.names)}
    world = np.empty((n_frames, skeleton.n_joints, 4))
    places: dict[str, np.ndarray] = {}

    heading, tilt = values["heading"][:, 0], values["tilt"]
    pelvis = _turns(y=heading + tilt[:, 2], z=-tilt[:, 1], x=tilt[:, 0])
    root = np.stack([values["place"][:, 0], values["height"][:, 0], values["place"][:, 1]], axis=-1) + shift
    world[:, 0], places["Hips"] = pelvis, root

    def attach(name: str, turn: np.ndarray) -> None:
        """Give a joint its orientation; its place follows from its parent's."""
        joint = index[name]
        parent = skeleton.parents[joint]
        world[:, joint] = turn
        above = skeleton.names[parent]
        places[name] = places[above] + rotations.rotate(world[:, parent], skeleton.offsets[joint])

    spine = values["spine"]
    turn = pelvis
    for name, share in zip(SPINE, SPINE_SHARES, strict=True):
        turn = rotations.multiply(turn, _turns(y=share * spine[:, 2], z=-share * spine[:, 1], x=share * spine[:, 0]))
        attach(name, turn)
    chest = turn
    _pose_head(values, chest, heading, attach)
    upright = _about(1, heading + tilt[:, 2] + spine[:, 2])
    arms_from = rotations.slerp(chest, upright, values["hanging"][:, 0])  # arms hang, whatever the trunk does

    overstretch = np.zeros(n_frames)
    for side in SIDES:
        _pose_arm(values, side, chest, arms_from, index, world, places, attach)
        needed = _pose_leg(skeleton, values, side, pelvis, heading + tilt[:, 2], index, world, places)
        overstretch = np.maximum(overstretch, needed)
    return Posed(
        root,
        world,
        _centre_of_mass(places),
        overstretch,
        {side: places[f"{side.title()}UpperArm"] for side in SIDES},
        {side: places[f"{side.title()}Hand"] for side in SIDES},
    )


def sole_points(skeleton: Skeleton, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ankle, heel, ball) of a flat foot, from the point of the sole under the ankle, in the foot's frame."""
    foot, toe = skeleton.index(f"{side.title()}Foot"), skeleton.index(f"{side.title()}Toe")
    heel = skeleton.end_sites(foot)[0]
    ankle = np.array([0.0, -heel[1], 0.0])
    return ankle, ankle + heel, ankle + skeleton.offsets[toe]


def leg_length(skeleton: Skeleton) -> float:
    """Metres from hip to ankle, stretched out."""
    joints = [skeleton.index("LeftShin"), skeleton.index("LeftFoot")]
    return float(np.linalg.norm(skeleton.offsets[joints], axis=-1).sum())


def arm_length(skeleton: Skeleton) -> float:
    """Metres from shoulder to wrist, stretched out."""
    joints = [skeleton.index("LeftForearm"), skeleton.index("LeftHand")]
    return float(np.linalg.norm(skeleton.offsets[joints], axis=-1).sum())


def _turns(*, y: np.ndarray, z: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Ry · Rz · Rx."""
    return rotations.multiply(_about(1, y), rotations.multiply(_about(2, z), _about(0, x)))


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    q = np.zeros((len(angle), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return q


def _pose_head(values: Values, chest: np.ndarray, heading: np.ndarray, attach) -> None:  # type: ignore[no-untyped-def]
    """Neck and head: between looking along with the chest and looking level whither the body heads."""
    head, stable = values["head"], values["stable"][:, 0]
    look = _turns(y=head[:, 2], z=-head[:, 1], x=head[:, 0])
    with_chest = rotations.multiply(chest, look)
    level = rotations.multiply(_about(1, heading), look)
    wanted = rotations.slerp(with_chest, level, stable)
    bend = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(chest), wanted))
    for name, share in (("Neck1", 0.3), ("Neck2", 0.6), ("Head", 1.0)):
        attach(name, rotations.multiply(chest, rotations.from_rotation_vector(share * bend)))


def _pose_arm(values, side, chest, arms_from, index, world, places, attach) -> None:  # type: ignore[no-untyped-def]
    sign, name = SIGN[side], side.title()
    shoulder, arm, elbow, wrist = (values[f"{part}_{side}"] for part in ("shoulder", "arm", "elbow", "wrist"))
    clavicle = rotations.multiply(_about(2, sign * shoulder[:, 0]), _about(1, -sign * shoulder[:, 1]))
    attach(f"{name}Clavicle", rotations.multiply(chest, clavicle))
    # The arm hangs, is raised sideways, then forwards, and turned about itself.
    raised = rotations.multiply(_about(0, -arm[:, 0]), _about(2, sign * (arm[:, 1] - 0.5 * np.pi)))
    upper = rotations.multiply(arms_from, rotations.multiply(raised, _about(0, -arm[:, 2])))
    fore_local = _about(1, -sign * elbow[:, 0])
    hand_local = rotations.multiply(_about(0, -wrist[:, 0]), _about(2, sign * wrist[:, 1]))
    attach(f"{name}UpperArm", upper)
    attach(f"{name}Forearm", rotations.multiply(upper, fore_local))
    attach(f"{name}Hand", rotations.multiply(world[:, index[f"{name}Forearm"]], hand_local))
    weight = values[f"reaching_{side}"][:, 0]
    f = np.flatnonzero(weight > 0.0)
    if len(f):
        joints = [f"{name}UpperArm", f"{name}Forearm", f"{name}Hand"]
        at = [places[joint][f] for joint in joints]
        target = at[2] + weight[f, None] * (values[f"reach_{side}"][f] - at[2])
        turns = two_bone(*at, target, soft=ARM_SOFT)
        world[f, index[joints[0]]] = rotations.multiply(turns.upper, upper[f])
        lower = rotations.multiply(turns.lower, world[f, index[joints[1]]])
        world[f, index[joints[1]]] = lower
        world[f, index[joints[2]]] = rotations.multiply(lower, hand_local[f])
        places[joints[1]][f], places[joints[2]][f] = turns.middle, turns.end


def _pose_leg(skeleton, values, side, pelvis, facing, index, world, places) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Pose one leg; returns how far (F,) the pelvis must come down for it to reach."""
    sign, name = SIGN[side], side.title()
    thigh_length = -skeleton.offsets[index[f"{name}Shin"], 1]
    shin_length = -skeleton.offsets[index[f"{name}Foot"], 1]
    hip = places["Hips"] + rotations.rotate(pelvis, skeleton.offsets[index[f"{name}Thigh"]])
    yaw, heel_lift, toe_lift = (values[f"{part}_{side}"][:, 0] for part in ("yaw", "heel_lift", "toe_lift"))
    ankle, foot = _foot_on_ground(skeleton, side, values[f"sole_{side}"], yaw, heel_lift, toe_lift)
    knee_yaw = 0.5 * (yaw - facing)
    toes = -_toe_bend(heel_lift)

    free = values[f"free_{side}"][:, 0]
    f = np.flatnonzero(free > 0.0)
    if len(f):  # in part or wholly off the ground's frame, as in a cartwheel
        leg = values[f"leg_{side}"][f]
        aimed = rotations.multiply(_about(0, -leg[:, 0]), _about(2, sign * leg[:, 1]))
        aimed = rotations.multiply(pelvis[f], aimed)
        down = np.array([0.0, -(thigh_length + shin_length), 0.0]) * leg[:, 2:3]
        ankle[f] += free[f, None] * (hip[f] + rotations.rotate(aimed, down) - ankle[f])
        ankle[f] = hip[f] + _shortened(ankle[f] - hip[f], LEG_LIMIT * (thigh_length + shin_length))
        foot[f] = rotations.slerp(foot[f], rotations.multiply(aimed, _about(0, leg[:, 3])), free[f])
        knee_yaw[f] *= 1.0 - free[f]
        toes[f] *= 1.0 - free[f]

    # The straight leg in the pelvis's frame, swung onto the line to the ankle: its front is where the knee goes.
    front = rotations.multiply(pelvis, _about(1, knee_yaw))
    along = ankle - hip
    straight = rotations.multiply(
        rotations.between_vectors(rotations.rotate(pelvis, np.array([0.0, -1.0, 0.0])), along), front
    )
    axis = rotations.rotate(straight, np.array([0.0, -1.0, 0.0]))
    knee = hip + thigh_length * axis
    forwards = rotations.rotate(straight, np.array([0.0, 0.0, 1.0]))
    turns = two_bone(hip, knee, knee + shin_length * axis, ankle, pole=forwards, soft=LEG_SOFT)
    shin = rotations.multiply(turns.lower, straight)
    world[:, index[f"{name}Thigh"]] = rotations.multiply(turns.upper, straight)
    world[:, index[f"{name}Shin"]] = shin
    world[:, index[f"{name}Foot"]] = foot
    world[:, index[f"{name}Toe"]] = rotations.multiply(foot, _about(0, toes))
    places[f"{name}Thigh"], places[f"{name}Shin"], places[f"{name}Foot"] = hip, turns.middle, turns.end

    limit = LEG_LIMIT * (thigh_length + shin_length)
    level = np.minimum(along[:, 0] ** 2 + along[:, 2] ** 2, (0.98 * limit) ** 2)
    drop = -along[:, 1] - np.sqrt(limit**2 - level)
    return np.where((free > 0.0) | (values["airborne"][:, 0] > 0.0), 0.0, np.maximum(drop, 0.0))


def _foot_on_ground(skeleton, side, sole, yaw, heel_lift, toe_lift) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[no-untyped-def]
    """(place of the ankle, orientation of the foot): rolled over its ball, then over its heel."""
    ankle, heel, ball = sole_points(skeleton, side)
    over_ball, over_heel = _about(0, heel_lift), _about(0, -toe_lift)
    rolled = ball + rotations.rotate(over_ball, ankle - ball)
    rolled = heel + rotations.rotate(over_heel, rolled - heel)
    facing = _about(1, yaw)
    foot = rotations.multiply(facing, rotations.multiply(over_heel, over_ball))
    return sole + rotations.rotate(facing, rolled), foot


def _shortened(away: np.ndarray, limit: float) -> np.ndarray:
    """The vectors (F, 3), the long ones shortened smoothly so that none is longer than `limit`."""
    length = np.linalg.norm(away, axis=-1, keepdims=True)
    free = 0.95 * limit
    beyond = np.maximum(length - free, 0.0)
    return np.asarray(away * np.where(beyond > 0.0, free + (limit - free) * np.tanh(beyond / (limit - free)), length) / length)


def _toe_bend(heel_lift: np.ndarray) -> np.ndarray:
    """How far the toes stay behind a lifted heel: flat on the ground at first, then along with the foot."""
    beyond = np.maximum(heel_lift - TOES_BEND, 0.0)
    return np.where(heel_lift > TOES_BEND, TOES_BEND + 0.3 * (1.0 - np.exp(-beyond / 0.3)), heel_lift)


# Segment, its two ends, share of the body mass (Dempster 1955, as tabled by Winter).
_MASSES = (
    ("Hips", "Spine2", 0.142),
    ("Spine2", "Spine3", 0.139),
    ("Spine3", "Neck1", 0.216),
    ("Neck2", "Head", 0.081),
    *((f"{side}UpperArm", f"{side}Forearm", 0.028) for side in ("Left", "Right")),
    *((f"{side}Forearm", f"{side}Hand", 0.022) for side in ("Left", "Right")),
    *((f"{side}Thigh", f"{side}Shin", 0.100) for side in ("Left", "Right")),
    *((f"{side}Shin", f"{side}Foot", 0.061) for side in ("Left", "Right")),
)


def _centre_of_mass(places: dict[str, np.ndarray]) -> np.ndarray:
    return np.asarray(sum(0.5 * mass * (places[a] + places[b]) for a, b, mass in _MASSES))


def _eased(needed: np.ndarray, n_frames: int) -> np.ndarray:
    """A smooth curve that is nowhere below `needed`: its running maximum, averaged over the same window."""
    if not np.any(needed > 0.0):
        return needed
    padded = np.pad(needed, 2 * n_frames, mode="edge")
    widest = np.lib.stride_tricks.sliding_window_view(padded, 2 * n_frames + 1).max(axis=-1)
    window = np.hanning(2 * n_frames + 3)[1:-1]
    return np.convolve(widest, window / window.sum(), mode="valid")
