"""Where the mass of one body is: pieces that ride on its joints."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionary.dynamics.averages import BODY_PARTS, LIMBS, TRUNK, PartMass, part_masses
from motionary.errors import UsageError
from motionary.motion import UP, Motion, Skeleton, rotations, unit
from motionary.rig import SIDES, Body, body_height

BODY_MASS_INDEX = 22.5  # kg/m²: a body of 1.75 m weighs 69 kg
# Along the trunk's line from the hip joints (0) to the lowest neck joint (1), and a head's ear canal from its joint
# (0) to its top (1); from heights of vertebrae, C7 at 0.84, T12–L1 at 0.695 and L4–L5 at 0.604 of the body height.
THORAX_BOTTOM, ABDOMEN_BOTTOM = 0.54, 0.25
EAR_ABOVE_HEAD_JOINT = 0.041  # as shares of the body height
NECK_TO_EAR = 0.09
WRIST_TO_KNUCKLES = 0.050
FOREARM = 0.146  # elbow to wrist, for rigs without hands
NECK_ABOVE = 0.01  # of the leg: a neck joint nearer to the last spine joint than this is no neck yet


@dataclass(frozen=True, eq=False)
class Masses:
    """The pieces of a body's mass, each riding on one joint. A trunk part may be several pieces, any other is one."""

    skeleton: Skeleton
    body_mass: float  # kg
    height: float  # metres, sole to head top
    parts: np.ndarray  # (P,) int32, which of BODY_PARTS
    joints: np.ndarray  # (P,) int32
    offsets: np.ndarray  # (P, 3) metres from the joint to the centre of mass, in the joint's frame
    shares: np.ndarray  # (P,) of the body's mass, sum 1
    axes: np.ndarray  # (P, 3) unit vectors along the pieces, in the joint's frame
    radii: np.ndarray  # (P, 2) of gyration in metres: about axes across the piece, and about its own

    def __post_init__(self) -> None:
        for name in ("parts", "joints", "offsets", "shares", "axes", "radii"):
            array = np.array(getattr(self, name), dtype=np.int32 if name in ("parts", "joints") else np.float64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if not np.all(self.shares >= 0.0) or abs(float(self.shares.sum()) - 1.0) > 1e-9:
            raise UsageError("the shares of a body's pieces must be 0 or more and sum to 1")
        if not (np.isfinite(self.body_mass) and self.body_mass > 0.0):
            raise UsageError(f"a body cannot weigh {self.body_mass:g} kg")

    @property
    def n_pieces(self) -> int:
        return len(self.joints)

    @property
    def joint_shares(self) -> np.ndarray:
        """The share (J,) of the body's mass that rides on each joint itself."""
        return np.bincount(self.joints, weights=self.shares, minlength=self.skeleton.n_joints)

    @property
    def part_shares(self) -> dict[str, float]:
        """The share of each part of the body."""
        sums = np.bincount(self.parts, weights=self.shares, minlength=len(BODY_PARTS))
        return dict(zip(BODY_PARTS, sums.tolist(), strict=True))

    def with_shares(self, shares: Mapping[str, float]) -> "Masses":
        """The same pieces with other shares of the parts (all of BODY_PARTS, summing to 1)."""
        now = self.part_shares
        scale = np.array([shares[part] / now[part] if now[part] > 0.0 else 0.0 for part in BODY_PARTS])
        return replace(self, shares=self.shares * scale[self.parts])

    def centres_world(self, motion: Motion) -> np.ndarray:
        """Places (F, P, 3) of the pieces' centres."""
        turned = rotations.rotate(motion.rotations_world[:, self.joints], self.offsets)
        return motion.positions_world[:, self.joints] + turned


def body_masses(body: Body, *, parts: Mapping[str, PartMass] | None = None, body_mass: float | None = None) -> Masses:
    """The pieces of a body's mass: `parts` (published averages by default) laid along its bones in the T-pose.

    `body_mass` in kg; by default that of a body of its height with the body mass index 22.5. Parts that the rig
    has no joint for (hands, head) are put where a human has them and ride on the joint before.
    """
    parts = part_masses() if parts is None else parts
    height = body_height(body.skeleton, body.body_map, body.rest_world)
    if not (np.isfinite(height) and height > 0.0):
        raise UsageError("the body has no height, so its mass cannot be placed")
    pieces = [*_head(body, height, parts["Head"]), *_trunk(body, parts)]
    for side in SIDES:
        pieces += _limbs(body, side, height, parts)
    mass = BODY_MASS_INDEX * height**2 if body_mass is None else body_mass
    into_joint = rotations.inverse(body.rest_world[[piece.joint for piece in pieces]])
    places = _t_pose_places(body)
    return Masses(
        skeleton=body.skeleton,
        body_mass=mass,
        height=height,
        parts=np.array([BODY_PARTS.index(piece.part) for piece in pieces]),
        joints=np.array([piece.joint for piece in pieces]),
        offsets=rotations.rotate(into_joint, np.array([piece.centre - places[piece.joint] for piece in pieces])),
        shares=np.array([piece.share for piece in pieces]),
        axes=rotations.rotate(into_joint, np.array([piece.axis for piece in pieces])),
        radii=np.array([piece.radii for piece in pieces]),
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece as it stands in the T-pose."""

    part: str
    joint: int
    centre: np.ndarray  # (3,)
    share: float
    axis: np.ndarray  # (3,)
    radii: tuple[float, float]


def _head(body: Body, height: float, mass: PartMass) -> list[_Piece]:
    """Head and neck: the centre at the ear canal, riding on the head (or the topmost joint before it)."""
    places = _t_pose_places(body)
    joint = body.body_map.get("Head")
    up = np.array([0.0, height, 0.0])
    if joint is not None:
        ear = places[joint] + EAR_ABOVE_HEAD_JOINT * up
    else:
        joint = body.body_map.neck[-1] if body.body_map.neck else body.body_map.spine[-1]
        ear = places[joint] + NECK_TO_EAR * up
    length = NECK_TO_EAR * height
    base = ear - (0.0, length, 0.0)
    radii = (mass.across * length, mass.along * length)
    return [_Piece("Head", joint, base + mass.centre * (ear - base), mass.share, UP, radii)]


def _trunk(body: Body, parts: Mapping[str, PartMass]) -> list[_Piece]:
    """The trunk's parts, each spread evenly about its centre and cut where the joints of the spine are.

    So every joint carries what lies along its bone, however many there are, and the centre of each part stays.
    """
    joints, line = _trunk_line(body)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])  # along the line
    length = float(at[-1])
    if length <= 0.0:
        raise UsageError("the body's trunk has no length, so its mass cannot be placed")
    pieces = []
    tops, bottoms = (1.0, THORAX_BOTTOM, ABDOMEN_BOTTOM), (THORAX_BOTTOM, ABDOMEN_BOTTOM, 0.0)
    for part, top, bottom in zip(TRUNK, tops, bottoms, strict=True):
        mass = parts[part]
        centre = length * (top - mass.centre * (top - bottom))
        half = max(min(length * top - centre, centre - length * bottom), 1e-6 * length)
        for i, joint in enumerate(joints):
            low, high = max(centre - half, float(at[i])), min(centre + half, float(at[i + 1]))
            if high <= low:
                continue
            middle = (0.5 * (low + high) - at[i]) / (at[i + 1] - at[i])
            axis = (line[i + 1] - line[i]) / (at[i + 1] - at[i])
            along = mass.along * length
            across = float(np.sqrt((high - low) ** 2 / 12.0 + 0.5 * along**2))  # an even cylinder
            place = line[i] + middle * (line[i + 1] - line[i])
            pieces.append(_Piece(part, joint, place, mass.share * (high - low) / (2.0 * half), axis, (across, along)))
    return pieces


def _trunk_line(body: Body) -> tuple[list[int], np.ndarray]:
    """The joints (n,) that carry the trunk and its line (n + 1, 3), from between the hip joints to the neck."""
    places = _t_pose_places(body)
    body_map = body.body_map
    hips = 0.5 * (places[body_map.joints["LeftThigh"]] + places[body_map.joints["RightThigh"]])
    joints, line = [body_map.hips], [hips]
    for joint in body_map.spine:
        if places[joint][1] > line[-1][1]:
            line.append(places[joint])
            joints.append(joint)
        elif len(joints) > 1:  # of joints at one place the last carries what is above
            joints[-1] = joint
    above = [*body_map.neck, *([body_map.joints["Head"]] if "Head" in body_map.joints else [])]
    higher = [joint for joint in above if places[joint][1] > line[-1][1] + NECK_ABOVE * body.leg_length]
    return joints, np.array([*line, places[higher[0] if higher else above[-1]]])


def _limbs(body: Body, side: str, height: float, parts: Mapping[str, PartMass]) -> list[_Piece]:
    """Arm and leg of one side, every part along its bone."""
    places = _t_pose_places(body)
    joints = body.body_map.joints
    elbow = places[joints[side + "Forearm"]]
    out = unit(elbow - places[joints[side + "UpperArm"]], fallback=-UP)
    wrist_joint = joints.get(side + "Hand")
    wrist = places[wrist_joint] if wrist_joint is not None else elbow + FOREARM * height * out
    knuckles = wrist + WRIST_TO_KNUCKLES * height * unit(wrist - elbow, fallback=-UP)
    foot = joints[side + "Foot"]
    ball = places[foot] + body.toes[SIDES.index(side)]
    ends = {
        "UpperArm": (joints[side + "UpperArm"], elbow),
        "Forearm": (joints[side + "Forearm"], wrist),
        "Hand": (wrist_joint if wrist_joint is not None else joints[side + "Forearm"], knuckles),
        "Thigh": (joints[side + "Thigh"], places[joints[side + "Shin"]]),
        "Shin": (joints[side + "Shin"], places[foot]),
        "Foot": (foot, ball),
    }
    pieces = []
    for part in LIMBS:
        joint, end = ends[part]
        start = wrist if part == "Hand" else places[joint]
        mass, bone = parts[side + part], end - start
        length = float(np.linalg.norm(bone))
        radii = (mass.across * length, mass.along * length)
        centre = start + mass.centre * bone
        pieces.append(_Piece(side + part, joint, centre, mass.share, unit(bone, fallback=-UP), radii))
    return pieces


def _t_pose_places(body: Body) -> np.ndarray:
    """Places (J, 3) of the joints in the T-pose, the root at the origin."""
    skeleton = body.skeleton
    places = rotations.rotate(body.rest_world[skeleton.parents], skeleton.offsets)
    places[0] = 0.0
    for joint in range(1, skeleton.n_joints):
        places[joint] += places[skeleton.parents[joint]]
    return places
