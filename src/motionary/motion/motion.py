"""A skeleton and its poses at a fixed frame time, in memory."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from motionary.errors import SkeletonError, UsageError
from motionary.motion.skeleton import Skeleton

UNIT_WITHIN = 1e-4  # of a quaternion's squared length: room for rotations kept in single precision


@dataclass(frozen=True, eq=False, repr=False)
class Motion:
    """Poses of a skeleton, `frame_time` seconds apart; metres, y up.

    Joints other than the root keep their offsets, except `moving_joints`: those stand at `translations` in
    their parent's frame instead.
    """

    skeleton: Skeleton
    frame_time: float
    root_positions: np.ndarray  # (F, 3) world
    rotations: np.ndarray  # (F, J, 4) local unit quaternions, continuous over time
    moving_joints: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))  # (M,) int32
    translations: np.ndarray | None = None  # (F, M, 3) in the parents' frames; their offsets if not given

    def __repr__(self) -> str:
        return f"Motion({self.n_frames} frames, {self.duration_secs:.2f} s, {self.skeleton.n_joints} joints)"

    def __post_init__(self) -> None:
        n_joints = self.skeleton.n_joints
        object.__setattr__(self, "root_positions", np.asarray(self.root_positions, dtype=np.float64))
        object.__setattr__(self, "rotations", np.asarray(self.rotations, dtype=np.float64))
        object.__setattr__(self, "moving_joints", np.asarray(self.moving_joints, dtype=np.int32))
        n_frames = len(self.root_positions)
        if np.any((self.moving_joints < 1) | (self.moving_joints >= n_joints)):
            raise SkeletonError("a moving joint must be a joint of the skeleton other than the root")
        if self.translations is None:
            offsets = self.skeleton.offsets[self.moving_joints]
            object.__setattr__(self, "translations", np.tile(offsets, (n_frames, 1, 1)))
        object.__setattr__(self, "translations", np.asarray(self.translations, dtype=np.float64))
        if n_frames == 0:
            raise UsageError("a motion needs at least one frame")
        if not (np.isfinite(self.frame_time) and self.frame_time > 0):
            raise UsageError(f"a frame time of {self.frame_time} s is not possible; it must be above 0")
        if self.root_positions.shape != (n_frames, 3) or self.rotations.shape != (n_frames, n_joints, 4):
            raise SkeletonError(
                f"{n_frames} frames of {n_joints} joints do not fit arrays of shape "
                f"{self.root_positions.shape} and {self.rotations.shape}"
            )
        if self.joint_translations.shape != (n_frames, len(self.moving_joints), 3):
            raise SkeletonError("translations must have one entry for each frame and moving joint")
        if len(np.unique(self.moving_joints)) != len(self.moving_joints):
            raise SkeletonError("a joint is listed twice among the moving joints")
        if not (np.isfinite(self.root_positions).all() and np.isfinite(self.joint_translations).all()):
            raise UsageError("a motion contains a position that is not finite")
        squares = np.square(self.rotations) @ np.ones(4)
        if not (squares.min() > 1.0 - UNIT_WITHIN and squares.max() < 1.0 + UNIT_WITHIN):
            raise UsageError("a motion contains a rotation that is not a unit quaternion")

    @property
    def n_frames(self) -> int:
        return len(self.root_positions)

    @property
    def duration_secs(self) -> float:
        """How long it plays: every frame stands for one frame time."""
        return self.n_frames * self.frame_time

    @property
    def rate_hz(self) -> float:
        return 1.0 / self.frame_time

    @property
    def joint_translations(self) -> np.ndarray:
        """`translations`, which is never None once the motion exists."""
        assert self.translations is not None
        return self.translations

    @cached_property
    def _world(self) -> tuple[np.ndarray, np.ndarray]:
        from motionary.motion import kinematics  # here: whoever only lists clips needs no kernels

        return kinematics.forward(
            self.skeleton, self.root_positions, self.rotations, self.moving_joints, self.joint_translations
        )

    @property
    def positions_world(self) -> np.ndarray:
        """Places (F, J, 3) of the joints."""
        return self._world[0]

    @property
    def rotations_world(self) -> np.ndarray:
        """Orientations (F, J, 4) of the joints."""
        return self._world[1]

    @property
    def end_sites_world(self) -> np.ndarray:
        """Places (F, E, 3) of the end sites."""
        from motionary.motion import kinematics

        return kinematics.end_sites(self.skeleton, *self._world)

    def slice(self, start: int, stop: int) -> "Motion":
        """Frames [start, stop) as a motion of their own."""
        if not 0 <= start < stop <= self.n_frames:
            raise UsageError(f"no frames [{start}, {stop}) in a motion of {self.n_frames} frames")
        return replace(
            self,
            root_positions=self.root_positions[start:stop],
            rotations=self.rotations[start:stop],
            translations=self.joint_translations[start:stop],
        )
