"""The naturalness of a motion: do its feet stand, is its weight carried, does it move smoothly?"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from motionary.dynamics import (
    Masses,
    balance,
    body_masses,
    flights,
    smoothed_derivative,
    touching,
)
from motionary.errors import SkeletonError, UsageError
from motionary.motion import GRAVITY, Motion
from motionary.naturalness.measures import CURVES, MEASURES
from motionary.naturalness.scorer import build_scorer
from motionary.naturalness.standing import Standing, standing_by_contacts, standing_by_plants
from motionary.plants import Plant, detect_plants
from motionary.rig import Body, body_of


@dataclass(frozen=True)
class Naturalness:
    """What is measured of one motion; lower is better. Lengths are metres; NaN where there is nothing to measure.

    A slide is the movement of a heel or toe during its plant: from the plant's first frame to its last in a straight
    line (`slide`), or along its way (`arc`); mean and worst over the plants. The plant error is the distance of the
    point from the plant's place, over all planted frames. The ZMP error is the distance of the zero-moment point from
    the support polygon of all that touches the ground (`touching`), largest and mean over the frames that are not left
    out; the lean is how far it is to one side of the polygon's middle on the average (`Balance.lean`). Flight: see
    `Flights`. Jerk is that of all the body's mass, root mean square and worst frame, as a multiple of
    g · √(g / height), so that it is the same for all sizes of body.
    """

    slide_mean: float
    slide_worst: float
    arc_mean: float
    arc_worst: float
    plant_error: float
    plant_worst: float
    zmp_error: float  # the largest
    zmp_mean: float
    lean: float
    fall_error: float
    momentum_error: float
    jerk: float
    jerk_worst: float
    n_frames: int
    n_planted: int  # frames of plants, heels and toes counted one by one
    n_without_contact: int  # frames left out of the ZMP error: nothing stands
    n_light: int  # frames left out of it: less than 0.2 of the weight is on the ground
    n_flight: int
    curves: dict[str, np.ndarray] = field(repr=False, compare=False, default_factory=dict)

    @property
    def score(self) -> float:
        """Foot plant error plus ZMP error in metres (Ikemoto, Arikan & Forsyth 2007).

        One that is NaN adds nothing; if both are, nothing was measured and the score is NaN too.
        """
        parts = [part for part in (self.plant_error, self.zmp_error) if part == part]
        return sum(parts) if parts else float("nan")

    def as_json(self) -> dict[str, float | int | None]:
        """Everything but the curves, with None for what could not be measured."""
        values = {name: value for name, value in asdict(self).items() if name != "curves"}
        return {name: None if value != value else value for name, value in ({"score": self.score} | values).items()}


def score(
    motion: Motion,
    plants: Sequence[Plant] | Standing | np.ndarray | None = None,
    *,
    body: Body | None = None,
    masses: Masses | None = None,
) -> Naturalness:
    """How natural a motion is whose feet stand by `plants`, or by contacts (F, 2, 2) of [left, right] × [heel, toe].

    Without either the plants are detected. That is right for captured motion; a blend should bring the plants of its
    sources, as a detector finds plants wherever feet happen to stand still.
    The result's `curves` hold (F,) for each of `CURVES`, NaN where a frame has none: the error of the plants (worst of
    the standing points), the zero-moment point and its distance, errors of flight, and jerk.
    """
    body = body_of(motion.skeleton, motion=motion) if body is None else body
    masses = body_masses(body) if masses is None else masses
    standing = as_standing(detect_plants(motion, body).plants if plants is None else plants, motion, body)
    scorer = build_scorer(
        body,
        masses,
        frame_time=motion.frame_time,
        n_frames=motion.n_frames,
        moving_joints=motion.moving_joints,
    )
    if not motion.skeleton.same_as(body.skeleton) and not len(motion.moving_joints):
        raise SkeletonError("the body belongs to another skeleton; make it from the motion's own")
    curves = np.empty((motion.n_frames, len(CURVES)))
    values = scorer.measure(
        motion.root_positions, motion.rotations, standing, translations=motion.joint_translations, curves=curves
    )
    return naturalness(values, motion.n_frames, {name: curves[:, i] for i, name in enumerate(CURVES)})


def as_standing(plants: Sequence[Plant] | Standing | np.ndarray, motion: Motion, body: Body) -> Standing:
    """The plants of a motion as arrays, however they are given."""
    if isinstance(plants, Standing):
        if plants.n_frames != motion.n_frames:
            raise UsageError(f"plants of {plants.n_frames} frames for a motion of {motion.n_frames}")
        return plants
    if isinstance(plants, np.ndarray):
        return standing_by_contacts(plants, motion, body)
    return standing_by_plants(plants, motion.n_frames)


def naturalness(values: np.ndarray, n_frames: int, curves: dict[str, np.ndarray] | None = None) -> Naturalness:
    """The report of what a scorer measured (MEASURES,)."""
    measured: dict[str, Any] = {
        name: int(value) if name.startswith("n_") else float(value)
        for name, value in zip(MEASURES, values, strict=True)
    }
    return Naturalness(**measured, n_frames=n_frames, curves={} if curves is None else curves)


def score_reference(motion: Motion, standing: Standing, body: Body, masses: Masses) -> Naturalness:
    """What `score` measures, from the definitions, frame by frame and plant by plant."""
    points = body.feet.world(motion).reshape(-1, 4, 3)
    slides, arcs, errors = [], [], []
    plant_curve = np.full(motion.n_frames, np.nan)
    for point, (start, stop), place in zip(standing.points, standing.spans, standing.places, strict=True):
        way = points[start:stop, point]
        slides.append(float(np.linalg.norm(way[-1] - way[0])))
        arcs.append(float(sum(np.linalg.norm(b - a) for a, b in pairwise(way))))
        errors.extend(np.linalg.norm(way - place, axis=1))
        plant_curve[start:stop] = np.fmax(plant_curve[start:stop], np.linalg.norm(way - place, axis=1))
    touches = touching(motion, body, standing.contacts)
    balanced = balance(motion, masses, body, touches)
    flown = flights(motion, masses, body, touches)
    accelerations = smoothed_derivative(masses.centres_world(motion), order=2, frame_time=motion.frame_time)
    changes = np.diff(accelerations, axis=0) / motion.frame_time
    unit = GRAVITY * np.sqrt(GRAVITY / masses.height)
    jerks = np.sqrt(np.sum(changes**2, axis=2) @ masses.shares) / unit
    nan = float("nan")
    return Naturalness(
        slide_mean=float(np.mean(slides)) if slides else nan,
        slide_worst=float(np.max(slides)) if slides else nan,
        arc_mean=float(np.mean(arcs)) if arcs else nan,
        arc_worst=float(np.max(arcs)) if arcs else nan,
        plant_error=float(np.mean(errors)) if errors else nan,
        plant_worst=float(np.max(errors)) if errors else nan,
        zmp_error=balanced.largest,
        zmp_mean=balanced.mean,
        lean=balanced.lean,
        fall_error=flown.fall_error,
        momentum_error=flown.momentum_error,
        jerk=float(np.sqrt(np.mean(jerks**2))) if len(jerks) else nan,
        jerk_worst=float(np.max(jerks)) if len(jerks) else nan,
        n_frames=motion.n_frames,
        n_planted=len(errors),
        n_without_contact=balanced.n_without_contact,
        n_light=balanced.n_light,
        n_flight=flown.n_frames,
        curves={
            "plant_error": plant_curve,
            "zmp_x": balanced.points[:, 0],
            "zmp_z": balanced.points[:, 1],
            "zmp_error": balanced.distances,
            "lean": np.linalg.norm(balanced.offsets, axis=1),
            "fall_error": flown.falls,
            "momentum_error": flown.momenta,
            "jerk": np.append(jerks, jerks[-1:] if len(jerks) else nan),
        },
    )
