"""Feet that slide are held where they are planted; the rest of the body follows no further than it must."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numba import njit

from motionary.errors import SkeletonError, UsageError
from motionary.ik import bent_limb, limb_bends, turn_joints
from motionary.motion import Motion, rotations, turns
from motionary.plants.clean_feet import foot_corrections
from motionary.plants.clean_legs import share_between_knees_and_root
from motionary.plants.clean_places import HeldPlant, choose_places, farthest
from motionary.plants.plant import Plant
from motionary.rig import SIDES, Body, body_of

LEFT_WITHIN = 0.002  # metres: a plant that is held no better is reported
PLAIN_KNEE = 0.1  # sine of the bend below which the knee's axis is the body's rather than the pose's


@dataclass(frozen=True, slots=True)
class CleanOptions:
    """How feet are cleaned up.

    `reach`: a plant farther than that (metres) from its foot is not held. `fade_secs`: how long a correction of a
    few centimetres takes to come and go; larger ones take longer. `places`: "given" with the plants, or from the
    "motion": the middle of where each foot was, for plants of which only the frames are known.
    """

    reach: float = 0.30
    fade_secs: float = 0.45
    places: Literal["given", "motion"] = "given"

    def __post_init__(self) -> None:
        if not self.reach > 0.0:
            raise UsageError(f"a reach of {self.reach:g} m holds no foot; the usual is 0.15 to 0.30")
        if not (np.isfinite(self.fade_secs) and self.fade_secs > 0.0):
            raise UsageError(f"a fade of {self.fade_secs:g} s is not possible; the usual is 0.45")
        if self.places not in ("given", "motion"):
            raise UsageError(f'places are "given" or taken from the "motion", not {self.places!r}')


@dataclass(frozen=True, eq=False)
class Cleaned:
    """A motion whose feet stand, and what was done to each plant."""

    motion: Motion
    plants: tuple[HeldPlant, ...]  # by foot, part and time
    root_moves: np.ndarray  # (F, 3) metres by which the root came along

    @property
    def not_held(self) -> tuple[HeldPlant, ...]:
        return tuple(held for held in self.plants if not held.held)


def clean(
    motion: Motion, plants: Iterable[Plant], body: Body | None = None, *, options: CleanOptions | None = None
) -> Cleaned:
    """The motion with its planted feet at their places, rolled from heel to toe as recorded.

    Feet are moved and turned, legs bend to follow, and the root comes along where a leg is too short; everything
    else keeps its local pose. Between plants corrections fade; a motion whose plants hold comes back to the bit.
    `body` is that of the motion's skeleton (`body_of`); who cleans many motions of one skeleton makes it once.
    """
    options = options or CleanOptions()
    if body is None:
        body = body_of(motion.skeleton, motion=motion)
    elif body.skeleton.names != motion.skeleton.names:
        raise SkeletonError("the body is not that of the motion's skeleton")
    legs = _legs_of(body)
    points = _foot_points(motion, legs)
    holding = choose_places(
        points,
        plants,
        frame_time=motion.frame_time,
        reach=options.reach,
        from_motion=options.places == "motion",
    )

    limbs = motion.positions_world[:, legs.joints[:, :3]]  # (F, 2, hip knee ankle, 3)
    ankles = np.ascontiguousarray(limbs[:, :, 2])
    turn_vectors, moves = np.zeros_like(ankles), np.zeros_like(ankles)
    for foot in range(2):
        turn_vectors[:, foot], moves[:, foot] = foot_corrections(
            points[:, foot] - ankles[:, foot, None],
            ankles[:, foot],
            holding.places[:, foot],
            holding.planted[:, foot],
            frame_time=motion.frame_time,
            fade_secs=options.fade_secs,
        )
    if not (turn_vectors.any() or moves.any()):
        return Cleaned(motion, holding.plants, np.zeros((motion.n_frames, 3)))

    axes = np.empty_like(ankles)
    _knee_axes(limbs, motion.rotations_world, legs.joints, legs.knee_axes, axes)
    hips, knees = np.ascontiguousarray(limbs[:, :, 0]), limbs[:, :, 1]
    wanted = ankles + moves
    root, bend_by = share_between_knees_and_root(
        hips,
        wanted,
        moves,
        limb_bends(hips, knees, ankles, axis=axes),
        holding.planted[:, :, 0] | holding.planted[:, :, 1],
        frame_time=motion.frame_time,
    )
    limb = bent_limb(hips, knees, ankles, wanted - root[:, None], axis=axes, bend_by=bend_by)
    foot_turns, toe_turns = np.empty((2, *limb.upper.shape))
    _finish_turns(turn_vectors, moves, root, limb.upper, limb.lower, foot_turns, toe_turns)
    by_joint: dict[int, np.ndarray] = {}
    for foot in range(2):
        thigh, shin, ankle, toe = legs.joints[foot].tolist()
        by_joint |= {thigh: limb.upper[:, foot], shin: limb.lower[:, foot], ankle: foot_turns[:, foot]}
        if toe != ankle:
            by_joint[toe] = toe_turns[:, foot]
    cleaned = turn_joints(motion, by_joint, root_moves=root)
    return Cleaned(cleaned, _left(holding.plants, _foot_points(cleaned, legs)), root)


@dataclass(frozen=True, eq=False)
class _Legs:
    """What cleaning has to know of a body, in arrays."""

    joints: np.ndarray  # (2, 4) thigh, shin, foot, toe; the foot again if there is no toe
    knee_axes: np.ndarray  # (2, 3) in the thighs' frames: a right-handed turn bends the knee
    point_joints: np.ndarray  # (2, 2) heel, ball
    point_offsets: np.ndarray  # (2, 2, 3)


@lru_cache(maxsize=64)
def _legs_of(body: Body) -> _Legs:
    joints = body.body_map.joints
    rows = [[joints[s + "Thigh"], joints[s + "Shin"], joints[s + "Foot"]] for s in SIDES]
    rows = [[*row, joints.get(s + "Toe", row[2])] for s, row in zip(SIDES, rows, strict=True)]
    thighs = [row[0] for row in rows]
    left = np.array([1.0, 0.0, 0.0])  # of a body in its T-pose, facing +z
    axes = rotations.rotate(rotations.inverse(body.rest_world[thighs]), left)
    return _Legs(np.array(rows), axes, body.feet.joints, body.feet.offsets)


def _foot_points(motion: Motion, legs: _Legs) -> np.ndarray:
    """Places (F, 2, 2, 3) of heels and balls."""
    points = np.empty((motion.n_frames, 2, 2, 3))
    _points(motion.positions_world, motion.rotations_world, legs.point_joints, legs.point_offsets, points)
    return points


def _left(plants: tuple[HeldPlant, ...], points: np.ndarray) -> tuple[HeldPlant, ...]:
    """The plants with the distance that is left; those that the legs did not reach say so."""
    after = []
    for held in plants:
        left = farthest(points, held.plant, held.place)
        short = held.held and left > LEFT_WITHIN
        after.append(replace(held, left=left, reason="leg too short" if short else held.reason))
    return tuple(after)


@njit(cache=True, nogil=True)
def _points(positions, world, joints, offsets, points):  # type: ignore[no-untyped-def]
    for f in range(positions.shape[0]):
        for foot in range(2):
            for part in range(2):
                j = joints[foot, part]
                q = (world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3])
                v = turns.rotate(q, (offsets[foot, part, 0], offsets[foot, part, 1], offsets[foot, part, 2]))
                for i in range(3):
                    points[f, foot, part, i] = positions[f, j, i] + v[i]


@njit(cache=True, nogil=True)
def _knee_axes(limbs, world, joints, body_axes, axes):  # type: ignore[no-untyped-def]
    """The axis about which each knee bends: the pose's own where it is bent, else the body's."""
    for f in range(limbs.shape[0]):
        for leg in range(2):
            j = joints[leg, 0]
            q = (world[f, j, 0], world[f, j, 1], world[f, j, 2], world[f, j, 3])
            own = turns.rotate(q, (body_axes[leg, 0], body_axes[leg, 1], body_axes[leg, 2]))
            hip, knee, ankle = limbs[f, leg, 0], limbs[f, leg, 1], limbs[f, leg, 2]
            ax, ay, az = knee[0] - hip[0], knee[1] - hip[1], knee[2] - hip[2]
            bx, by, bz = ankle[0] - knee[0], ankle[1] - knee[1], ankle[2] - knee[2]
            size = np.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))
            if size < 1e-12:
                size = 1.0
            x, y, z = (ay * bz - az * by) / size, (az * bx - ax * bz) / size, (ax * by - ay * bx) / size
            backwards = min(x * own[0] + y * own[1] + z * own[2], 0.0)  # overstretched: mirrored
            axes[f, leg, 0] = x + (PLAIN_KNEE - 2.0 * backwards) * own[0]
            axes[f, leg, 1] = y + (PLAIN_KNEE - 2.0 * backwards) * own[1]
            axes[f, leg, 2] = z + (PLAIN_KNEE - 2.0 * backwards) * own[2]


@njit(cache=True, nogil=True)
def _finish_turns(turn_vectors, moves, root, upper, lower, feet, toes):  # type: ignore[no-untyped-def]
    """Turns of feet and toes; legs that need not turn do not turn at all."""
    for f in range(root.shape[0]):
        still = root[f, 0] == 0.0 and root[f, 1] == 0.0 and root[f, 2] == 0.0
        for leg in range(2):
            vector = (turn_vectors[f, leg, 0], turn_vectors[f, leg, 1], turn_vectors[f, leg, 2])
            turn = turns.from_rotation_vector(vector)
            twist = turns.twist_about_up(turn)
            unmoved = moves[f, leg, 0] == 0.0 and moves[f, leg, 1] == 0.0 and moves[f, leg, 2] == 0.0
            for i in range(4):
                feet[f, leg, i], toes[f, leg, i] = turn[i], twist[i]
                if still and unmoved:
                    upper[f, leg, i] = lower[f, leg, i] = 1.0 if i == 0 else 0.0
