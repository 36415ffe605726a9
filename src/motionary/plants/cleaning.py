"""Feet that slide are held where they are planted; the rest of the body follows no further than it must."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from motionary.errors import SkeletonError, UsageError
from motionary.ik import bent_limb, columns_above, limb_bends, turn_joints
from motionary.motion import Motion, kinematics, rotations
from motionary.plants.clean_feet import foot_corrections
from motionary.plants.clean_legs import FOLLOW_SECS, share_between_knees_and_root
from motionary.plants.clean_places import HeldPlant, Holding, choose_places, farthest
from motionary.plants.clean_poses import clean_poses, finish_turns, foot_points, knee_axes
from motionary.plants.plant import Plant
from motionary.rig import SIDES, Body, body_of

LEFT_WITHIN = 0.002  # metres: a plant that is held no better is reported
NO_JOINTS = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class CleanOptions:
    """How feet are cleaned up.

    `reach`: a plant farther than that (metres) from its foot is not held. `fade_secs`: how long a correction of a
    few centimetres takes to come and go; larger ones take longer. `places`: "given" with the plants, or from the
    "motion": the middle of where each foot was, for plants of which only the frames are known. `follow_secs`: how fast
    the root's sinking swells and fades where legs are too short. `let_go`: a foothold is shortened by the frames at its
    ends in which the foot is faster than it usually is there by more than so many m/s.
    """

    reach: float = 0.30
    fade_secs: float = 0.45
    places: Literal["given", "motion"] = "given"
    follow_secs: float = FOLLOW_SECS
    let_go: float = 0.15

    def __post_init__(self) -> None:
        if not self.reach > 0.0:
            raise UsageError(f"reach must be above 0, not {self.reach:g} m; 0.15 to 0.30 is usual")
        if not (np.isfinite(self.fade_secs) and self.fade_secs > 0.0):
            raise UsageError(f"a fade of {self.fade_secs:g} s is not possible; 0.45 is usual")
        if not (np.isfinite(self.follow_secs) and self.follow_secs > 0.0):
            raise UsageError(f"follow_secs must be above 0, not {self.follow_secs:g}; 0.15 is usual")
        if not self.let_go > 0.0:
            raise UsageError(f"let_go must be above 0, not {self.let_go:g} m/s; 0.15 is usual, inf means never")
        if self.places not in ("given", "motion"):
            raise UsageError(f'places must be "given" or "motion", not {self.places!r}')


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
        raise SkeletonError("the body belongs to another skeleton")
    return build_cleaner(body).clean(motion, plants, options=options)


@dataclass(frozen=True, eq=False)
class Cleaner:
    """Cleans up motions of one body; made by `build_cleaner`."""

    body: Body
    legs: "LegArrays"

    def clean(self, motion: Motion, plants: Iterable[Plant], *, options: CleanOptions | None = None) -> Cleaned:
        """As `clean`."""
        options = options or CleanOptions()
        positions, world = motion.positions_world, motion.rotations_world
        holding = self.choose(positions, world, plants, frame_time=motion.frame_time, options=options)
        return self.hold(motion, holding, options=options)

    def hold(self, motion: Motion, holding: Holding, *, options: CleanOptions) -> Cleaned:
        """As `clean`, where feet stand as `holding` says, frame by frame; see `choose`."""
        positions, world = motion.positions_world, motion.rotations_world
        root_moves, local = np.zeros((motion.n_frames, 3)), np.array(motion.rotations, order="C")
        made_up = np.zeros(motion.n_frames, dtype=np.bool_)
        changed = clean_poses(self.legs, motion.skeleton.parents, positions, world, holding.places, holding.planted,
                              made_up, motion.frame_time, options.fade_secs, options.follow_secs, root_moves,
                              local)  # fmt: skip
        if not changed:
            return Cleaned(motion, holding.plants, root_moves)
        cleaned = replace(motion, root_positions=motion.root_positions + root_moves, rotations=local)
        return Cleaned(cleaned, _left(holding.plants, _foot_points(cleaned, self.legs)), root_moves)

    def clean_arrays(
        self,
        root_positions: np.ndarray,
        rotations_local: np.ndarray,
        plants: Iterable[Plant] | Holding,
        *,
        frame_time: float,
        options: CleanOptions | None = None,
        made_up: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(root positions (F, 3), local rotations (F, J, 4)) with feet that stand, of joints that keep their offsets.

        For real time: nothing is checked, nothing reported. A `Holding` says frame by frame where feet stand; `choose`
        makes one of plants. A foot that steps in frames that are `made_up` (F,) is lifted as captured steps are: blends
        of motions that step at other times only push it.
        """
        options = options or CleanOptions()
        skeleton = self.body.skeleton
        positions, world = kinematics.forward(
            skeleton, root_positions, rotations_local, NO_JOINTS, np.empty((len(root_positions), 0, 3))
        )
        if not isinstance(plants, Holding):
            plants = self.choose(positions, world, plants, frame_time=frame_time, options=options)
        root_moves, local = np.zeros((len(root_positions), 3)), np.array(rotations_local, order="C")
        if made_up is None:
            made_up = np.zeros(len(root_positions), dtype=np.bool_)
        clean_poses(self.legs, skeleton.parents, positions, world, plants.places, plants.planted, made_up, frame_time,
                    options.fade_secs, options.follow_secs, root_moves, local)  # fmt: skip
        return root_positions + root_moves, local

    def choose(
        self,
        positions_world: np.ndarray,
        rotations_world: np.ndarray,
        plants: Iterable[Plant],
        *,
        frame_time: float,
        options: CleanOptions,
    ) -> Holding:
        """Which plants are held, in which frames and where, of poses (F, J, 3) and (F, J, 4) in the world."""
        points = np.empty((len(positions_world), 2, 2, 3))
        foot_points(positions_world, rotations_world, self.legs.point_joints, self.legs.point_offsets, points)
        return choose_places(
            points,
            plants,
            frame_time=frame_time,
            reach=options.reach,
            from_motion=options.places == "motion",
            let_go=options.let_go,
            limbs=positions_world[:, self.legs.joints[:, :3]],
        )


def build_cleaner(body: Body) -> Cleaner:
    """A cleaner for motions of `body`; who cleans many makes it once."""
    return Cleaner(body, _legs_of(body))


def clean_reference(
    motion: Motion,
    plants: Iterable[Plant],
    body: Body,
    *,
    options: CleanOptions,
    made_up: np.ndarray | None = None,
) -> Cleaned:
    """What `clean` does, step by step, from the functions for each of them."""
    legs = _legs_of(body)
    points = _foot_points(motion, legs)
    holding = choose_places(
        points,
        plants,
        frame_time=motion.frame_time,
        reach=options.reach,
        from_motion=options.places == "motion",
        let_go=options.let_go,
        limbs=motion.positions_world[:, legs.joints[:, :3]],
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
            made_up=made_up,
        )
    if not (turn_vectors.any() or moves.any()):
        return Cleaned(motion, holding.plants, np.zeros((motion.n_frames, 3)))

    axes = np.empty_like(ankles)
    knee_axes(limbs, motion.rotations_world, legs.joints, legs.knee_axes, axes)
    hips, knees = np.ascontiguousarray(limbs[:, :, 0]), limbs[:, :, 1]
    wanted = ankles + moves
    root, bend_by = share_between_knees_and_root(
        hips,
        wanted,
        moves,
        limb_bends(hips, knees, ankles, axis=axes),
        holding.planted[:, :, 0] | holding.planted[:, :, 1],
        frame_time=motion.frame_time,
        follow_secs=options.follow_secs,
    )
    limb = bent_limb(hips, knees, ankles, wanted - root[:, None], axis=axes, bend_by=bend_by)
    foot_turns, toe_turns = np.empty((2, *limb.upper.shape))
    finish_turns(turn_vectors, moves, root, limb.upper, limb.lower, foot_turns, toe_turns)
    by_joint: dict[int, np.ndarray] = {}
    for foot in range(2):
        thigh, shin, ankle, toe = legs.joints[foot].tolist()
        by_joint |= {thigh: limb.upper[:, foot], shin: limb.lower[:, foot], ankle: foot_turns[:, foot]}
        if toe != ankle:
            by_joint[toe] = toe_turns[:, foot]
    cleaned = turn_joints(motion, by_joint, root_moves=root)
    return Cleaned(cleaned, _left(holding.plants, _foot_points(cleaned, legs)), root)


class LegArrays(NamedTuple):
    """What cleaning has to know of a body, as kernels take it."""

    joints: np.ndarray  # (2, 4) thigh, shin, foot, toe; the foot again if there is no toe
    knee_axes: np.ndarray  # (2, 3) in the thighs' frames: a right-handed turn bends the knee
    point_joints: np.ndarray  # (2, 2) heel, ball
    point_offsets: np.ndarray  # (2, 2, 3)
    turned: np.ndarray  # (T,) the joints that turn, sorted
    above: np.ndarray  # (T,) of each the column of the nearest turned joint above it, −1 if there is none
    columns: np.ndarray  # (2, 4) the columns of `joints`; −1 for a toe that is none


@lru_cache(maxsize=64)
def _legs_of(body: Body) -> LegArrays:
    joints = body.body_map.joints
    rows = [[joints[s + "Thigh"], joints[s + "Shin"], joints[s + "Foot"]] for s in SIDES]
    rows = [[*row, joints.get(s + "Toe", row[2])] for s, row in zip(SIDES, rows, strict=True)]
    thighs = [row[0] for row in rows]
    left = np.array([1.0, 0.0, 0.0])  # of a body in its T-pose, facing +z
    axes = rotations.rotate(rotations.inverse(body.rest_world[thighs]), left)
    turned = np.unique(np.array(rows, dtype=np.int64))
    columns = np.searchsorted(turned, rows)
    for leg, row in enumerate(rows):
        if row[3] == row[2]:
            columns[leg, 3] = -1
    return LegArrays(
        np.array(rows, dtype=np.int64),
        np.ascontiguousarray(axes),
        np.ascontiguousarray(body.feet.joints, dtype=np.int64),
        np.ascontiguousarray(body.feet.offsets, dtype=np.float64),
        turned,
        columns_above(body.skeleton.parents, turned),
        np.ascontiguousarray(columns, dtype=np.int64),
    )


def _foot_points(motion: Motion, legs: LegArrays) -> np.ndarray:
    """Places (F, 2, 2, 3) of heels and balls."""
    points = np.empty((motion.n_frames, 2, 2, 3))
    foot_points(motion.positions_world, motion.rotations_world, legs.point_joints, legs.point_offsets, points)
    return points


def _left(plants: tuple[HeldPlant, ...], points: np.ndarray) -> tuple[HeldPlant, ...]:
    """The plants with the distance that is left; those that the legs did not reach say so."""
    after = []
    for held in plants:
        left = farthest(points, held.plant, held.place)
        short = held.held and left > LEFT_WITHIN
        after.append(replace(held, left=left, reason="leg too short" if short else held.reason))
    return tuple(after)
