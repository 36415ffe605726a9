"""A blend by itself, as kernels leave it: its poses, its plants, its score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.motion import Placement
from motionary.transition.blending import (
    FALL_ERROR,
    N_COUNTED,
    N_FLIGHT,
    N_PIECES,
    N_PLANTED,
    PLANT_ERROR,
    SCORE,
    ZMP_ERROR,
)
from motionary.transition.body_lanes import BodyLanes
from motionary.transition.joining import Poses, onto
from motionary.transition.requests import Frame, Method, Way
from motionary.transition.standing import stand_longer
from motionary.transition.workspace import Workspace


@dataclass(frozen=True)
class TransitionScore:
    """What a transition's score is made of, metres; counts are frames of the blend."""

    plant_error: float
    zmp_error: float
    fall_error: float
    n_planted: int  # frames of heels and balls, one by one
    n_balanced: int  # frames with a zero-moment point
    n_flight: int

    @property
    def score(self) -> float:
        return sum(self.errors)

    @property
    def errors(self) -> tuple[float, float, float]:
        """What the score is the sum of: plant error, ZMP error, fall error."""
        return self.plant_error, self.zmp_error, self.fall_error


@dataclass(frozen=True, eq=False)
class Blended:
    """A blend from a frame to another, where the pool has the source, above its floor."""

    method: Method
    way: Way
    source: Frame
    target: Frame
    intermediaries: tuple[Frame, ...]
    score: TransitionScore
    poses: Poses
    zmp_errors: np.ndarray  # (F,) metres; NaN where there is no zero-moment point
    rise: float  # metres by which the target stands higher than in its clip, the source's floor and its own at 0
    carried: tuple[bool, bool]  # whether source and target go beyond their clips


def poses_in(work: Workspace, stands: np.ndarray, lanes: BodyLanes, *, source: Placement, rise: float) -> Poses:
    """The poses and plants that a blend left in its workspace, put where its source is.

    `stands` (F,): whether its sources have a foot on the ground.
    """
    n = len(stands)
    turned = np.empty((n, len(lanes.order), 4))
    turned[:, lanes.order] = work.local[:, :, :n].transpose(2, 0, 1)
    pieces = int(work.parts[N_PIECES])
    points, places = work.piece_points[:pieces].copy(), work.piece_places[:pieces].copy()
    poses = Poses(
        work.roots[:, :n].T.copy(),
        work.facing[:n].copy(),
        turned,
        points,
        stand_longer(points, work.piece_spans[:pieces], places, stands, work.soles),
        places,
    )
    return onto(poses, Placement(), source, rise=rise)


def score_in(work: Workspace) -> TransitionScore:
    """The score of the blend that a workspace was left with."""
    parts: Sequence[Any] = work.parts.tolist()
    return TransitionScore(
        parts[PLANT_ERROR],
        parts[ZMP_ERROR] if np.isfinite(parts[SCORE]) else float("inf"),
        parts[FALL_ERROR],
        int(parts[N_PLANTED]),
        int(parts[N_COUNTED]),
        int(parts[N_FLIGHT]),
    )
