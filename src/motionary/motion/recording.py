"""A motion as its file wrote it: channels in the file's own order, units and axes.

The bank keeps recordings, so that an export gives back what was imported; everything else works on the
motion that a recording describes.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from motionary.errors import ChannelError, SkeletonError, UsageError
from motionary.motion import rotations
from motionary.motion.motion import Motion
from motionary.motion.skeleton import Skeleton
from motionary.motion.space import Space

CHANNEL_NAMES = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
N_POSITION_KINDS = 3
LOST_WITHIN = 1e-6  # radians, and shares of a metre, that writing channels may lose to rounding
TranslationRule = Literal["replaces offset", "adds to offset", "world"]


@dataclass(frozen=True, eq=False)
class ChannelLayout:
    """Which number of a frame is what: for every column its joint and kind, in the file's order.

    A joint's rotation is the product of its rotation channels in that order, taken in the joint's `axes`
    (an orientation C per joint, for Acclaim files: C · product · C⁻¹). Position channels of the root are
    absolute; what they mean on other joints is `translation_rule`.
    """

    joints: np.ndarray  # (N,) int32
    kinds: np.ndarray  # (N,) int8, into CHANNEL_NAMES
    translation_rule: TranslationRule = "replaces offset"
    root_adds_offset: bool = False  # MakeHuman's pose files only
    axes: np.ndarray | None = None  # (J, 4)

    def __post_init__(self) -> None:
        object.__setattr__(self, "joints", np.asarray(self.joints, dtype=np.int32))
        object.__setattr__(self, "kinds", np.asarray(self.kinds, dtype=np.int8))
        if self.axes is not None:
            object.__setattr__(self, "axes", np.asarray(self.axes, dtype=np.float64))
        if self.joints.shape != self.kinds.shape or self.joints.ndim != 1:
            raise SkeletonError("every channel needs one joint and one kind")
        if np.any((self.kinds < 0) | (self.kinds >= len(CHANNEL_NAMES))) or np.any(self.joints < 0):
            raise SkeletonError("a channel has a joint or a kind that does not exist")
        if len(np.unique(self.joints.astype(np.int64) * 8 + self.kinds)) != len(self.joints):
            raise SkeletonError("a joint has the same channel twice")
        if self.translation_rule not in get_args(TranslationRule):
            raise SkeletonError(
                f"the translation rule cannot be {self.translation_rule!r}; choose from "
                f"{', '.join(get_args(TranslationRule))}"
            )
        if self.translation_rule == "world":
            placed = self.joints[~self.is_rotation & (self.joints > 0)]
            if np.any(np.unique(placed, return_counts=True)[1] != N_POSITION_KINDS):
                raise SkeletonError("a world position needs all three position channels")

    @property
    def n_channels(self) -> int:
        return len(self.joints)

    @property
    def is_rotation(self) -> np.ndarray:
        """Which columns (N,) hold angles."""
        return self.kinds >= N_POSITION_KINDS

    def of_joint(self, joint: int) -> np.ndarray:
        """The columns of one joint, in order."""
        return np.flatnonzero(self.joints == joint)

    def rotation_order(self, joint: int) -> str:
        """The Euler order of one joint, "ZYX" or shorter."""
        kinds = self.kinds[(self.joints == joint) & self.is_rotation]
        return "".join(CHANNEL_NAMES[kind][0] for kind in kinds)


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """What a motion file holds: skeleton, channel layout and numbers, in the file's units and axes."""

    skeleton: Skeleton  # offsets in the file's units and axes
    layout: ChannelLayout
    values: np.ndarray  # (F, N): lengths in the file's unit, angles in degrees
    frame_time: float
    space: Space = field(default_factory=Space)

    def __repr__(self) -> str:
        return f"Recording({len(self.values)} frames, {self.skeleton.n_joints} joints)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.ascontiguousarray(self.values, dtype=np.float64))
        if self.values.ndim != 2 or self.values.shape[1] != self.layout.n_channels:
            raise SkeletonError(f"frames of shape {self.values.shape} for {self.layout.n_channels} channels")
        if not (np.isfinite(self.frame_time) and self.frame_time > 0.0):
            raise UsageError(f"a frame time of {self.frame_time} s is not possible; it must be above 0")
        if np.any(self.layout.joints >= self.skeleton.n_joints):
            raise SkeletonError("a channel belongs to a joint that does not exist")
        axes = self.layout.axes
        if axes is not None and axes.shape != (self.skeleton.n_joints, 4):
            raise SkeletonError(f"axes of shape {axes.shape} for {self.skeleton.n_joints} joints")

    @property
    def n_frames(self) -> int:
        return len(self.values)

    def slice(self, start: int, stop: int) -> "Recording":
        """Frames [start, stop) as a recording of their own."""
        if not 0 <= start < stop <= self.n_frames:
            raise UsageError(f"no frames [{start}, {stop}) in a recording of {self.n_frames} frames")
        return replace(self, values=self.values[start:stop])

    def motion(self) -> Motion:
        """The motion, in metres, y up and right-handed."""
        from motionary.motion import channel_rotations  # here: whoever only lists clips needs no kernels

        skeleton = our_skeleton(self.skeleton, self.space)
        turned = channel_rotations.from_channels(self.values, *_rotation_columns(self.layout, skeleton.n_joints))
        if self.layout.axes is not None:
            turned = rotations.multiply(
                rotations.multiply(self.layout.axes, turned), rotations.inverse(self.layout.axes)
            )
        ours = self.space.ours_from_file
        turned = _change_basis(turned, ours)
        positions, moving = self._local_positions()
        positions = positions @ (self.space.unit_metres * ours.T)
        motion = Motion(skeleton, self.frame_time, positions[:, 0], turned, moving[1:], positions[:, 1:])
        if self.layout.translation_rule == "world" and len(moving) > 1:
            motion = _world_to_local(motion)
        return motion

    def _local_positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Places (F, 1 + M, 3) of the root and of the moving joints, and the joints' numbers (1 + M,)."""
        layout, offsets = self.layout, self.skeleton.offsets
        moving = np.unique(np.append(layout.joints[~layout.is_rotation], 0))
        positions = np.empty((self.n_frames, len(moving), 3))
        for i, joint in enumerate(moving):
            adds = layout.root_adds_offset if joint == 0 else layout.translation_rule == "adds to offset"
            columns = [c for c in layout.of_joint(int(joint)) if not layout.is_rotation[c]]
            positions[:, i] = offsets[joint]
            for c in columns:
                axis = layout.kinds[c]
                positions[:, i, axis] = self.values[:, c] + (offsets[joint, axis] if adds else 0.0)
        return positions, moving.astype(np.int32)


def recording_of(motion: Motion, like: Recording | None = None) -> Recording:
    """The motion written as channels: in the layout and space of `like`, else BVH's usual ZXY in metres.

    `like` must be a recording of the same skeleton. What its channels cannot hold (a rotation of a joint
    that has fewer than three, a moved joint without position channels) is an error, never dropped.
    """
    space = like.space if like else Space()
    theirs = np.linalg.inv(space.ours_from_file)
    layout = like.layout if like else default_layout(motion)
    skeleton = like.skeleton if like else motion.skeleton
    if like and not our_skeleton(like.skeleton, space).same_as(motion.skeleton):
        raise SkeletonError("the motion has another skeleton than the recording; transfer it first")
    turned = _change_basis(motion.rotations, theirs)
    if layout.axes is not None:
        turned = rotations.multiply(rotations.multiply(rotations.inverse(layout.axes), turned), layout.axes)
    values = np.zeros((motion.n_frames, layout.n_channels))
    for joint in range(skeleton.n_joints):
        columns = layout.of_joint(joint)
        angle_columns = columns[layout.is_rotation[columns]]
        values[:, angle_columns] = np.degrees(_angles(turned[:, joint], layout.rotation_order(joint), joint, skeleton))
    _write_positions(motion, layout, skeleton, theirs / space.unit_metres, values)
    return Recording(skeleton, layout, values, motion.frame_time, space)


def default_layout(motion: Motion) -> ChannelLayout:
    """Positions and ZXY for the root, ZXY for joints, positions too where joints move."""
    joints: list[int] = []
    kinds: list[int] = []
    for joint in range(motion.skeleton.n_joints):
        own = (0, 1, 2, 5, 3, 4) if joint == 0 or joint in motion.moving_joints else (5, 3, 4)
        joints += [joint] * len(own)
        kinds += own
    return ChannelLayout(np.array(joints), np.array(kinds))


def full_layout(layout: ChannelLayout, motion: Motion) -> ChannelLayout:
    """The layout with whatever it lacks to hold any motion like this one: three angles on every joint, three
    positions on the root and on joints that move. The channels that it has keep their order and meaning."""
    joints: list[int] = []
    kinds: list[int] = []
    plain = default_layout(motion)
    for joint in range(motion.skeleton.n_joints):
        own = layout.kinds[layout.of_joint(joint)].tolist()
        lacking = [kind for kind in plain.kinds[plain.of_joint(joint)].tolist() if kind not in own]
        kinds += [kind for kind in lacking if kind < N_POSITION_KINDS] + own
        kinds += [kind for kind in lacking if kind >= N_POSITION_KINDS]
        joints += [joint] * (len(kinds) - len(joints))
    return replace(layout, joints=np.array(joints), kinds=np.array(kinds))


def our_skeleton(skeleton: Skeleton, space: Space) -> Skeleton:
    """A file's skeleton in metres, y up and right-handed."""
    ours = space.unit_metres * space.ours_from_file.T
    return replace(skeleton, offsets=skeleton.offsets @ ours, end_site_offsets=skeleton.end_site_offsets @ ours)


def _change_basis(q: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """M R M⁻¹ for an orthogonal M: the axis turns along, a reflection reverses the angle."""
    if np.array_equal(matrix, np.eye(3)):
        return q
    changed = np.array(q)
    changed[..., 1:] = changed[..., 1:] @ (np.linalg.det(matrix).round() * matrix).T
    return changed


def _world_to_local(motion: Motion) -> Motion:
    """The motion whose translations, given as places in the world, are turned into the parents' frames."""
    skeleton, turned = motion.skeleton, motion.rotations_world  # which do not depend on the places
    column = {int(joint): i for i, joint in enumerate(motion.moving_joints)}
    translations = np.array(motion.joint_translations)
    places = np.empty((motion.n_frames, skeleton.n_joints, 3))
    places[:, 0] = motion.root_positions
    for joint in range(1, skeleton.n_joints):
        parent = skeleton.parents[joint]
        if joint in column:
            places[:, joint] = motion.joint_translations[:, column[joint]]
            translations[:, column[joint]] = rotations.rotate(
                rotations.inverse(turned[:, parent]), places[:, joint] - places[:, parent]
            )
        else:
            places[:, joint] = places[:, parent] + rotations.rotate(turned[:, parent], skeleton.offsets[joint])
    return replace(motion, translations=translations)


def _angles(q: np.ndarray, order: str, joint: int, skeleton: Skeleton) -> np.ndarray:
    """Angles (F, n) of one joint in its own order, or an error if the order cannot hold the rotation."""
    from motionary.motion import euler

    if len(order) == 3:
        return euler.near(euler.to_euler(q, order), order)
    kept = np.unwrap(euler.nearest_euler(q, order), axis=0)
    lost = rotations.angle_between(euler.from_euler(kept, order), q).max()
    if lost > LOST_WITHIN:
        raise ChannelError(
            f"joint {skeleton.names[joint]!r} has only the rotation channels {order or 'none'}; "
            f"{np.degrees(lost):.2g} degrees would be lost. `full_layout` has all channels"
        )
    return kept


def _write_positions(
    motion: Motion, layout: ChannelLayout, skeleton: Skeleton, theirs: np.ndarray, values: np.ndarray
) -> None:
    """Fill the position channels of `values`, or raise if a joint's place needs channels that it has not."""
    places = {int(joint): motion.joint_translations[:, i] for i, joint in enumerate(motion.moving_joints)}
    places[0] = motion.root_positions
    for joint in np.unique(np.append(layout.joints[~layout.is_rotation], list(places))):
        offset = skeleton.offsets[joint]
        columns = layout.of_joint(int(joint))
        columns = columns[~layout.is_rotation[columns]]
        if joint != 0 and len(columns) and layout.translation_rule == "world":
            place = motion.positions_world[:, joint] @ theirs.T
        elif joint in places:
            place = places[joint] @ theirs.T
        else:
            place = np.broadcast_to(offset, (motion.n_frames, 3))
        adds = layout.root_adds_offset if joint == 0 else layout.translation_rule == "adds to offset"
        values[:, columns] = (place - offset if adds else place)[:, layout.kinds[columns]]
        fixed = [axis for axis in range(3) if axis not in layout.kinds[columns]]
        lost = np.abs(place - offset)[:, fixed].max(initial=0.0) / np.linalg.norm(theirs[0])
        if lost > LOST_WITHIN:
            without = ", ".join(CHANNEL_NAMES[axis] for axis in fixed)
            raise ChannelError(
                f"joint {skeleton.names[joint]!r} has no channel {without}; "
                f"a move of {lost:.2g} m would be lost. `full_layout` has all channels"
            )


def _rotation_columns(layout: ChannelLayout, n_joints: int) -> tuple[np.ndarray, np.ndarray]:
    """For each joint the columns (J, 3) of its angles and the axes (J, 3) they turn about; −1 where none."""
    columns = np.full((n_joints, 3), -1, dtype=np.int32)
    axes = np.full((n_joints, 3), -1, dtype=np.int8)
    ordered = np.flatnonzero(layout.is_rotation)
    ordered = ordered[np.argsort(layout.joints[ordered], kind="stable")]
    joints = layout.joints[ordered]
    place = np.arange(len(ordered)) - np.searchsorted(joints, joints)  # among the joint's own
    columns[joints, place] = ordered
    axes[joints, place] = layout.kinds[ordered] - N_POSITION_KINDS
    return columns, axes
