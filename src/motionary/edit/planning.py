"""What an edit would do to each match: computed, measured, and not yet written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from motionary.dynamics import Masses, body_masses
from motionary.edit.applying import apply_operation, place_of
from motionary.edit.fitting import (
    Outline,
    aligned_times,
    even_times,
    outline_of,
    seed_of,
    strength_at,
    strictly,
    varied,
)
from motionary.edit.operation import Operation
from motionary.edit.recipe import EditRecipe
from motionary.edit.standing import plant_slide
from motionary.edit.subject import Edited, Place, Space, Subject
from motionary.errors import UsageError, UserError
from motionary.motion import Motion, Segment
from motionary.naturalness import Scorer, build_scorer, naturalness, standing_by_plants
from motionary.rig import Body

UNCHANGED = "changes nothing"
NOTHING = 1e-9  # metres, and of quaternions: differences up to that are rounding
WEAKER, WEAKENED = 0.75, 7  # by how much, and how often, an edit is taken back to keep a score


@dataclass(frozen=True, slots=True)
class EditTarget:
    """Where an edit is to go: a segment, how like the example it is (None: not known), and whether it is mirrored."""

    segment: Segment
    like: float | None = None
    mirrored: bool = False
    is_example: bool = False
    distance: float = 0.0


@dataclass(frozen=True, eq=False)
class PlannedEdit:
    """One edit of one segment, before it is written; `problem` says why it is left alone."""

    number: int  # in the plan, from 1
    target: EditTarget
    clip: str
    operation: Operation
    strength: float = 0.0
    seed: int = 0
    times: np.ndarray | None = None  # (N,) of the recipe, None: the segment's own
    before: Subject | None = None
    after: Edited | None = None
    problem: str = ""

    @cached_property
    def changes(self) -> bool:
        """Whether anything moves; parameters that mean nothing, and a strength of 0, change nothing."""
        if self.after is None or self.before is None:
            return False
        segment = self.target.segment
        return not same_motion(self.before.motion, self.after.motion, segment.start, segment.stop)


def same_motion(one: Motion, other: Motion, start: int, stop: int) -> bool:
    """Whether two motions are the same but for rounding; frames [start, stop), which most likely differ, come first."""
    if one is other:
        return True
    if one.n_frames != other.n_frames:
        return False
    pairs = (
        (one.root_positions, other.root_positions),
        (one.rotations, other.rotations),
        (one.joint_translations, other.joint_translations),
    )
    return all(
        a.shape == b.shape and bool(np.all(np.abs(a[frames] - b[frames]) <= NOTHING))
        for frames in (slice(start, stop), slice(None))
        for a, b in pairs
    )


@dataclass(frozen=True, eq=False)
class Measured:
    """How much an edit changes: lengths in metres, NaN where there is nothing to measure."""

    moved: float  # the farthest that a joint is moved in a frame
    slide_before: float
    slide_after: float
    score_before: float
    score_after: float
    frames_before: int
    frames_after: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """What follows an edit: rows that are lost, in words, and how many labels and plants are moved or changed."""

    lost: tuple[str, ...] = ()
    labels_moved: int = 0
    plants_moved: int = 0


@dataclass(eq=False)
class Bench:
    """What many edits share: bodies' masses and outlines, made once."""

    masses: dict[int, Masses] = field(default_factory=dict)
    scorers: dict[tuple[int, float, int], Scorer] = field(default_factory=dict)
    bodies: list[Body] = field(default_factory=list)  # so that none that is known by its id goes

    def score(self, subject: Subject) -> float:
        """The score of a subject with a body."""
        motion, body = subject.motion, subject.body
        assert body is not None
        if id(body) not in self.masses:
            self.masses[id(body)] = body_masses(body)
            self.bodies.append(body)
        key = (id(body), motion.frame_time, motion.n_frames)
        if key not in self.scorers:
            self.scorers[key] = build_scorer(
                body, self.masses[id(body)], frame_time=motion.frame_time, n_frames=motion.n_frames
            )
        standing = standing_by_plants(subject.plants, motion.n_frames)
        values = self.scorers[key].measure(motion.root_positions, motion.rotations, standing)
        return naturalness(values, motion.n_frames).score


def plan_one(
    subject: Subject,
    recipe: EditRecipe,
    target: EditTarget,
    *,
    number: int,
    clip: str,
    outline: Outline | None,
    sources: Mapping[str, Subject],
    spaces: Mapping[str, Space],
    bench: Bench | None = None,
) -> PlannedEdit:
    """The edit of one target, computed; what is wrong with it is its `problem`."""
    start, stop = target.segment.start, target.segment.stop
    seed = seed_of(recipe.seed, target.segment.clip_id, start)
    strength = recipe.strength * strength_at(target.like, recipe.strength_by)
    try:
        operation = varied(recipe.operation, recipe.vary, seed)
        times = None
        if not target.is_example:
            times = fitted_times(subject.slice(start, stop), recipe, outline, mirrored=target.mirrored)
        place = place_of(
            subject,
            operation,
            start,
            stop,
            joints=recipe.joints,
            times=times,
            strength=strength,
            ease_secs=recipe.ease_secs,
            mirrored=target.mirrored,
            seed=seed,
            sources=sources,
            spaces=spaces,
        )
        edited = apply_operation(subject, operation, place, protect=recipe.protect, hold=recipe.hold)
        if recipe.score_limit is not None and bench is not None and not operation.changes_length:
            place, edited = _within_score(subject, operation, place, edited, recipe, bench)
    except UserError as error:
        return PlannedEdit(number, target, clip, recipe.operation, problem=str(error))
    return PlannedEdit(number, target, clip, operation, place.strength, seed, times, subject, edited)


def _within_score(
    subject: Subject, operation: Operation, place: Place, edited: Edited, recipe: EditRecipe, bench: Bench
) -> tuple[Place, Edited]:
    """The edit, so much weaker that the segment's score is within the recipe's limit; else the weakest tried."""
    if subject.body is None or len(subject.motion.moving_joints) or place.n_frames < 4:
        return place, edited
    assert recipe.score_limit is not None
    most = recipe.score_limit * bench.score(subject.slice(place.start, place.stop))
    for _ in range(WEAKENED):
        after = Subject(edited.motion, subject.body, edited.plants).slice(place.start, place.stop)
        if not bench.score(after) > most:
            break
        place = replace(place, strength=WEAKER * place.strength)
        edited = apply_operation(subject, operation, place, protect=recipe.protect, hold=recipe.hold)
    return place, edited


def fitted_times(segment: Subject, recipe: EditRecipe, outline: Outline | None, *, mirrored: bool) -> np.ndarray:
    """The times of the recipe for a match's frames: aligned with the example's outline, or evenly."""
    n_frames = segment.motion.n_frames
    if n_frames < 3 or not recipe.align or outline is None or outline.n_frames < 3:
        return strictly(even_times(n_frames, recipe.duration_secs))
    own = outline_of(segment, joints=recipe.align_joints, mirrored=mirrored)
    return aligned_times(outline, own, n_frames, recipe.duration_secs)


def check_likeness(targets: Sequence[EditTarget], recipe: EditRecipe) -> None:
    """Raise if the strength goes by a likeness that some target does not have."""
    unknown = [one for one in targets if one.like is None]
    if recipe.strength_by != "constant" and unknown:
        raise UsageError(
            "a strength by likeness needs matches of a search for the example, or a selection of such matches; "
            f"{len(unknown)} of {len(targets)} segments have no likeness"
        )


def without_overlaps(targets: Sequence[EditTarget]) -> tuple[list[EditTarget], list[tuple[EditTarget, EditTarget]]]:
    """The targets of which none lies on another's frames, the more alike first; and those left out, with the one that
    was nearer."""
    kept: list[EditTarget] = []
    left: list[tuple[EditTarget, EditTarget]] = []
    order = sorted(targets, key=lambda one: (not one.is_example, one.distance, one.segment))
    for target in order:
        other = next((one for one in kept if one.segment.overlap(target.segment) > 0), None)
        if other is None:
            kept.append(target)
        else:
            left.append((target, other))
    chosen = set(map(id, kept))
    return [target for target in targets if id(target) in chosen], left


def measure(planned: PlannedEdit, bench: Bench) -> Measured:
    """How much the edit changes."""
    assert planned.before is not None
    assert planned.after is not None
    before, after = planned.before, planned.after
    start, stop = planned.target.segment.start, planned.target.segment.stop
    now = after.interval_now(start, stop) or (
        min(start, after.motion.n_frames - 1),
        min(start + 1, after.motion.n_frames),
    )
    first, last = before.slice(start, stop), Subject(after.motion, before.body, after.plants).slice(*now)
    nan = float("nan")
    slides, scores = [nan, nan], [nan, nan]
    if before.body is not None:
        for i, one in enumerate((first, last)):
            slides[i] = plant_slide(one.motion, one.plants, before.body) if one.plants else nan
            if one.motion.n_frames > 3 and not len(one.motion.moving_joints):
                scores[i] = bench.score(one)
    return Measured(
        _moved(first.motion, last.motion),
        slides[0],
        slides[1],
        scores[0],
        scores[1],
        before.motion.n_frames,
        after.motion.n_frames,
    )


def _moved(before: Motion, after: Motion) -> float:
    """The farthest that a joint is moved, in metres; of segments of other lengths at the same share of them."""
    if before.n_frames == after.n_frames:
        return float(np.linalg.norm(before.positions_world - after.positions_world, axis=-1).max())
    shares = np.linspace(0.0, 1.0, 8)
    rows = [np.round(shares * (motion.n_frames - 1)).astype(int) for motion in (before, after)]
    places = [
        motion.positions_world[row] - motion.root_positions[row][:, None]
        for motion, row in zip((before, after), rows, strict=True)
    ]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).max())


def as_row(planned: PlannedEdit, measured: Measured | None, moved: Consequences) -> dict[str, Any]:
    """What is to be known of one edit, as JSON: lengths in centimetres, None where there is nothing to say."""
    target = planned.target
    row: dict[str, Any] = {
        "number": planned.number,
        "clip": planned.clip,
        "id": target.segment.clip_id,
        "start": target.segment.start,
        "stop": target.segment.stop,
        "mirrored": target.mirrored,
        "like": None if target.like is None else round(target.like, 4),
        "strength": round(planned.strength, 4),
        "moved_cm": None,
        "slide_before_cm": None,
        "slide_after_cm": None,
        "score_before_cm": None,
        "score_after_cm": None,
        "frames": None,
        "labels_moved": moved.labels_moved,
        "plants_moved": moved.plants_moved,
        "lost": list(moved.lost),
        "notes": [] if planned.after is None else [*planned.after.notes, *([] if planned.changes else [UNCHANGED])],
        "problem": planned.problem,
    }
    if measured is not None:
        for name in ("moved", "slide_before", "slide_after", "score_before", "score_after"):
            value = getattr(measured, name)
            row[f"{name}_cm"] = None if value != value else round(100.0 * value, 3)
        row["frames"] = measured.frames_after - measured.frames_before
    return row
