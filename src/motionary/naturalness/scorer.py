"""A prepared scorer: everything about a body that does not change from motion to motion.

Transitions score millions of one-second motions of the same body: `build_scorer` once, then `Scorer.measure`, or, from
another kernel, `measure_motion` with one room to work (`scratch`) for each thread.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionary.dynamics import Masses, Soles, below_joints, derivative
from motionary.errors import SkeletonError, UsageError
from motionary.naturalness.measures import CURVES, MEASURES
from motionary.naturalness.measuring import measure_motion
from motionary.naturalness.standing import Standing
from motionary.rig import SIDES, Body

NO_CURVES = np.empty((0, len(CURVES)))
NO_TRANSLATIONS = np.empty((0, 0, 3))


class Prepared(NamedTuple):
    """The arrays of a scorer, as kernels take them."""

    parents: np.ndarray  # (J,) int32
    offsets: np.ndarray  # (J, 3)
    mover: np.ndarray  # (J,) int32: the column of the translations, −1 for joints that keep their offsets
    joints: np.ndarray  # (P,) int32, of the pieces of mass
    centres: np.ndarray  # (P, 3)
    shares: np.ndarray  # (P,)
    axes: np.ndarray  # (P, 3)
    radii: np.ndarray  # (P, 2) squared
    below: np.ndarray  # (J,) metres that the body reaches below its joints
    sole_joints: np.ndarray  # (6,) int32
    sole_offsets: np.ndarray  # (6, 3)
    sole_sideways: np.ndarray  # (6, 3)
    thighs: np.ndarray  # (2,) int32, left and right: across them the body faces
    starts: np.ndarray  # (F,) int32, of the smoothed second derivative
    weights: np.ndarray  # (F, W)
    frame_time: float
    height: float


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores motions of one body, `n_frames` long at `frame_time`; made by `build_scorer`."""

    body: Body
    masses: Masses
    frame_time: float
    n_frames: int
    n_moving: int  # joints whose translations each call must bring
    prepared: Prepared

    def scratch(self) -> np.ndarray:
        """Room for one call at a time to work in."""
        return np.empty(self._scratch_size)

    def measure(
        self,
        root_positions: np.ndarray,
        rotations: np.ndarray,
        standing: Standing,
        *,
        translations: np.ndarray = NO_TRANSLATIONS,
        scratch: np.ndarray | None = None,
        out: np.ndarray | None = None,
        curves: np.ndarray = NO_CURVES,
    ) -> np.ndarray:
        """The measures (MEASURES,) of poses (F, 3) and (F, J, 4); fills `curves` (F, CURVES) if given.

        The poses are taken as finite unit quaternions, like those of a `Motion`; NaN makes an infinite ZMP error.
        """
        self._check(root_positions, rotations, standing, translations, curves)
        scratch = self.scratch() if scratch is None else scratch
        out = np.empty(len(MEASURES)) if out is None else out
        if scratch.shape != (self._scratch_size,) or out.shape != (len(MEASURES),):
            raise UsageError("the scratch or output array has the wrong size for this scorer")
        measure_motion(
            self.prepared,
            np.ascontiguousarray(root_positions, dtype=np.float64),
            np.ascontiguousarray(rotations, dtype=np.float64),
            np.ascontiguousarray(translations, dtype=np.float64),
            standing.points,
            standing.spans,
            standing.places,
            scratch,
            out,
            curves,
        )
        return out

    @property
    def _scratch_size(self) -> int:
        n_joints, n_pieces = len(self.prepared.parents), len(self.prepared.joints)
        return self.n_frames * (4 * n_joints + 6 * n_pieces + 41) + 3 * n_joints + 80

    def _check(
        self,
        root_positions: np.ndarray,
        rotations: np.ndarray,
        standing: Standing,
        translations: np.ndarray,
        curves: np.ndarray,
    ) -> None:
        """Raise unless all arrays are as large as the kernel believes."""
        n_joints = len(self.prepared.parents)
        if rotations.shape != (self.n_frames, n_joints, 4) or root_positions.shape != (self.n_frames, 3):
            raise UsageError(
                f"this scorer takes {self.n_frames} frames of {n_joints} joints, not arrays of shape "
                f"{root_positions.shape} and {rotations.shape}"
            )
        if standing.n_frames != self.n_frames:
            raise UsageError(f"plants of {standing.n_frames} frames for a scorer of {self.n_frames}")
        if self.n_moving and translations.shape != (self.n_frames, self.n_moving, 3):
            raise UsageError(f"{self.n_moving} joints move, so translations are needed for {self.n_frames} frames")
        if curves.shape not in ((0, len(CURVES)), (self.n_frames, len(CURVES))):
            raise UsageError(f"the curves of this scorer have the shape {(self.n_frames, len(CURVES))}")


def build_scorer(
    body: Body,
    masses: Masses,
    *,
    frame_time: float,
    n_frames: int,
    moving_joints: np.ndarray | tuple[int, ...] = (),
) -> Scorer:
    """A scorer for motions of `body`, `n_frames` long; of `moving_joints` the translations are given at each call."""
    skeleton = body.skeleton
    if masses.skeleton.names != skeleton.names:
        raise SkeletonError("these masses belong to another skeleton; make them from this body")
    if n_frames < 1:
        raise UsageError(f"a motion of {n_frames} frames cannot be scored; it needs at least one")
    soles = Soles.of(body)
    second = derivative(2, frame_time=frame_time, n_frames=n_frames)
    mover = np.full(skeleton.n_joints, -1, dtype=np.int32)
    mover[np.asarray(moving_joints, dtype=np.int64)] = np.arange(len(moving_joints))
    prepared = Prepared(
        parents=skeleton.parents,
        offsets=skeleton.offsets,
        mover=mover,
        joints=masses.joints,
        centres=masses.offsets,
        shares=masses.shares,
        axes=masses.axes,
        radii=masses.radii**2,
        below=below_joints(body),
        sole_joints=soles.joints,
        sole_offsets=soles.offsets,
        sole_sideways=soles.sideways,
        thighs=np.array([body.body_map.joints[side + "Thigh"] for side in SIDES], dtype=np.int32),
        starts=second.starts,
        weights=second.weights,
        frame_time=float(frame_time),
        height=float(masses.height),
    )
    return Scorer(body, masses, frame_time, n_frames, len(moving_joints), prepared)
