"""Operations for feet and weight: clean-up and balance; and the protection of planted feet from other edits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.dynamics import Balance as Balanced
from motionary.dynamics import balance, body_masses, touching
from motionary.edit.borders import border_weights
from motionary.edit.filtering import low_passed
from motionary.edit.operation import Operation, parameter
from motionary.edit.subject import Edited, Place, Subject, changed_frames
from motionary.errors import SkeletonError
from motionary.ik import turn_joints, two_bone
from motionary.motion import GRAVITY, Motion, ease, rotations, unit
from motionary.naturalness import clean_carefully
from motionary.plants import Cleaned, CleanOptions, Plant, clean, part_contacts_of_plants
from motionary.rig import Body

DISTURBED = 5e-4  # metres: an edit that moves a planted foot by more is to hold it
NEAR_SECS = 0.5  # beside the segment: plants there are held, too
FADE_SECS = 0.75  # over which their correction goes beyond that
FAR = 1.0  # metres that an edit may have moved a planted foot
IN_ORDER = 0.01  # metres: a ZMP error that counts as none
STEPS = (1.0, 0.7, 0.4, 0.2, 0.1)  # of a correction, tried until the error falls
MOVES = 0.85  # of the body's mass that comes along with the pelvis
GRADIENT_STEPS = 120
OVERSTRETCHED = 0.25  # of a thigh: a knee that is no farther behind bends ahead
FARTHER_BACK = 0.01  # metres: a knee that would go so much farther behind goes ahead


@dataclass(frozen=True)
class Clean(Operation):
    """Keeps planted feet in place; the legs follow, and the root where a leg is too short. See `motionary clean`."""

    name: ClassVar[str] = "clean"
    title: ClassVar[str] = "foot clean-up"
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {}

    reach: float = parameter(0.30, "plants farther away than this are not held", low=1e-6, high=10.0, unit="m")
    fade_secs: float = parameter(0.30, "duration of the fade of a correction", low=1e-3, high=10.0, unit="s")
    places: str = parameter(
        "given", "places of plants: as stored, or taken from the motion", choices=("given", "motion")
    )
    hold_all: bool = parameter(False, "hold plants even where that costs the balance or jerks a knee")

    def apply(self, subject: Subject, place: Place) -> Edited:
        body = body_needed(subject, "clean")
        inside = [plant for plant in subject.plants if plant.start < place.stop and plant.stop > place.start]
        options = CleanOptions(self.reach, self.fade_secs, "motion" if self.places == "motion" else "given")
        cleaned = (clean if self.hold_all else clean_carefully)(subject.motion, inside, body, options=options)
        outside = [plant for plant in subject.plants if plant not in inside]
        held = [replace(one.plant, place=one.place) if one.held else one.plant for one in cleaned.plants]
        plants = tuple(sorted([*outside, *held], key=lambda plant: (plant.start, plant.foot, plant.part)))
        notes = tuple(
            f"the plant of the {one.plant.foot} {one.plant.part} at {one.plant.start} is not held: {one.reason}"
            for one in cleaned.not_held
        )
        return Edited(cleaned.motion, plants, notes=notes)


@dataclass(frozen=True)
class Balance(Operation):
    """Brings the weight over the feet: where the zero-moment point leaves them, the pelvis moves slowly on the ground.

    The feet stay where they are, and the legs follow. The pelvis moves by at most `most`. A motion that is in balance
    does not change at all.
    """

    name: ClassVar[str] = "balance"
    title: ClassVar[str] = "bring weight over the feet"
    identity: ClassVar[Any] = {"most": 0.0}
    example: ClassVar[Any] = {}

    most: float = parameter(0.05, "largest distance by which the pelvis moves", low=0.0, high=0.5, unit="m")
    cutoff_hz: float = parameter(1.0, "highest frequency of its movement", low=0.05, high=10.0, unit="Hz")
    rounds: int = parameter(6, "number of iterations", low=1, high=50)

    def apply(self, subject: Subject, place: Place) -> Edited:
        body = body_needed(subject, "balance")
        if self.most == 0.0:
            return Edited(subject.motion, subject.plants)
        masses = body_masses(body)
        contacts = part_contacts_of_plants(subject.plants, subject.motion.n_frames)
        weights = border_weights(place, subject.motion.n_frames)
        segment = slice(place.start, place.stop)

        def errors(motion: Motion) -> tuple[np.ndarray, Balanced]:
            """The distance (F,) of the ZMP from the support, and all that is known of it."""
            found = balance(motion, masses, body, touching(motion, body, contacts))
            return np.nan_to_num(found.distances), found

        at_first, found = errors(subject.motion)
        if at_first[segment].max() <= IN_ORDER:
            return Edited(subject.motion, subject.plants, notes=("nothing to do: the weight is over the feet",))
        shift = np.zeros((subject.motion.n_frames, 2))
        best, best_errors = subject.motion, at_first
        fade = np.zeros(subject.motion.n_frames)
        fade[segment] = weights
        for _ in range(self.rounds):
            wanted = shift + self._further(found, shift, fade, place.frame_time, body.leg_length)
            for step in STEPS:
                tried = shift + step * (wanted - shift)
                moved = shifted(subject, tried, body)
                now, balanced = errors(moved)
                spoilt = (at_first <= IN_ORDER) & (now > IN_ORDER)
                if np.sum(now**2) < np.sum(best_errors**2) * 0.995 and not spoilt.any():
                    shift, best, best_errors, found = tried, moved, now, balanced
                    break
            else:
                break
        before, after = 100 * at_first[segment].max(), 100 * best_errors[segment].max()
        return Edited(best, subject.plants, notes=(f"ZMP error {before:.1f} cm before, {after:.1f} cm after",))

    def _further(
        self, found: Balanced, shift: np.ndarray, fade: np.ndarray, frame_time: float, leg_length: float
    ) -> np.ndarray:
        """By how much further (F, 2) the pelvis has to move: gradient steps on the squared distances from the support.

        A pelvis moved by s moves the zero-moment point by about MOVES · (s − h / g · s̈), h the height of the centre.
        """
        lag = 1.1 * leg_length / GRAVITY
        cutoff = 2.0 * np.pi * self.cutoff_hz
        pace = 1.0 / (MOVES * (1.0 + lag * cutoff**2)) ** 2

        def moves(s: np.ndarray) -> np.ndarray:
            if len(s) == 1:  # a pose by itself stays
                return np.asarray(MOVES * s)
            bend = np.gradient(np.gradient(s, frame_time, axis=0), frame_time, axis=0)
            return np.asarray(MOVES * (s - lag * bend))

        further = np.zeros_like(shift)
        for _ in range(GRADIENT_STEPS):
            points = found.points + moves(further)
            back = np.nan_to_num(found.support.nearest(points) - points)
            further = further + pace * fade[:, None] * low_passed(moves(back), self.cutoff_hz, frame_time, 2)
            whole = shift + further
            size = np.linalg.norm(whole, axis=1, keepdims=True)
            further = whole * np.minimum(1.0, self.most / np.maximum(size, 1e-12)) - shift
        return further


def shifted(subject: Subject, shift: np.ndarray, body: Body) -> Motion:
    """The motion with its root moved on the ground by (F, 2), feet held where they were."""
    places = np.array(subject.motion.root_positions)
    places[:, [0, 2]] += shift
    moved = replace(subject.motion, root_positions=places)
    return feet_kept(subject.motion, moved, body)


def feet_kept(before: Motion, after: Motion, body: Body) -> Motion:
    """`after` with both ankles where they were in `before`, in every frame; legs bend for it, knees ahead."""
    joints = body.body_map.joints
    turns: dict[int, np.ndarray] = {}
    world = after.positions_world
    for side in ("Left", "Right"):
        thigh, shin, foot = (joints[side + part] for part in ("Thigh", "Shin", "Foot"))
        ahead = rotations.rotate(rotations.inverse(body.rest_world[thigh]), np.array([0.0, 0.0, 1.0]))
        pole = rotations.rotate(after.rotations_world[:, thigh], ahead)
        hip, knee, ankle, wanted = world[:, thigh], world[:, shin], world[:, foot], before.positions_world[:, foot]
        own, forth = (
            two_bone(hip, knee, ankle, wanted, pole=pole, soft=0.005, bent_back=most) for most in (0.0, OVERSTRETCHED)
        )
        # A knee that is a little behind stays so, unless it would have to bend farther
        farther = _bend(hip, own.middle, own.end) - _bend(hip, knee, ankle)
        share = ease(farther / FARTHER_BACK)
        upper, lower = (
            np.where(np.all(one == other, axis=1, keepdims=True), one, rotations.slerp(one, other, share))
            for one, other in ((own.upper, forth.upper), (own.lower, forth.lower))
        )
        back = rotations.multiply(before.rotations_world[:, foot], rotations.inverse(after.rotations_world[:, foot]))
        turns |= {thigh: upper, shin: lower, foot: back}
    return turn_joints(after, turns)


def _bend(upper: np.ndarray, middle: np.ndarray, end: np.ndarray) -> np.ndarray:
    """How far a limb's middle joint is off the line between its ends (F,), in metres."""
    return np.asarray(np.linalg.norm(np.cross(middle - upper, unit(end - upper)), axis=1))


def protected(subject: Subject, edited: Edited, place: Place, *, frames_before: int = 0) -> Edited:
    """The edited motion with planted feet held, if the edit has moved any; plants of other frames are left alone.

    Plants come back as they are held: shortened where a foot needs time to get from one to the next. The clip has
    `frames_before` the subject, for the frame numbers in notes.
    """
    body = subject.body
    if body is None or not edited.plants or edited.motion is subject.motion:
        return edited
    first, last = _changed_frames(edited, place)
    near = round(NEAR_SECS / place.frame_time)
    fade = round(FADE_SECS / place.frame_time)
    plants = _plants_on(edited.plants, first - near, last + near)
    if not plants or largest_slide(edited.motion, plants, body) <= DISTURBED:
        return edited
    same_frames = edited.shown is None and edited.plants is subject.plants
    if same_frames and _moved_plants(subject.motion, edited.motion, plants, body) <= DISTURBED:
        return edited
    plants = _plants_on(edited.plants, first - near - fade, last + near + fade)  # the fade moves none of them, either
    cleaned = clean(edited.motion, plants, body, options=CleanOptions(reach=FAR))
    held = [replace(one.plant, place=one.place) if one.held else one.plant for one in cleaned.plants]
    others = [plant for plant in edited.plants if plant not in plants]
    kept = tuple(sorted([*others, *held], key=lambda plant: (plant.start, plant.foot, plant.part)))
    motion = cleaned.motion
    if not edited.lost:  # at a seam, plants from both sides may meet in the middle, however long they are
        motion = _only_near(edited.motion, motion, first - near, last + near, fade)
    return replace(edited, motion=motion, plants=kept, notes=(*edited.notes, *_not_held(cleaned, frames_before)))


def _plants_on(plants: Sequence[Plant], first: int, stop: int) -> list[Plant]:
    """The plants that have frames in [first, stop)."""
    return [plant for plant in plants if plant.start < stop and plant.stop > first]


def _only_near(edited: Motion, cleaned: Motion, first: int, last: int, fade: int) -> Motion:
    """`cleaned` in frames [first, last), eased into `edited` on both sides: what is farther stays to the bit."""
    frames = np.arange(edited.n_frames)
    away = np.maximum(first - frames, frames - (last - 1))
    weights = ease(1.0 - np.clip(away, 0, None) / max(fade, 1))
    mixed = rotations.slerp(edited.rotations, cleaned.rotations, weights[:, None])
    sides = np.sum(mixed * edited.rotations, axis=-1, keepdims=True)
    mixed = np.where(sides < 0, -mixed, mixed)
    whole, none = (weights == 1.0)[:, None, None], (weights == 0.0)[:, None, None]
    turned = np.where(whole, cleaned.rotations, np.where(none, edited.rotations, mixed))
    places = edited.root_positions + weights[:, None] * (cleaned.root_positions - edited.root_positions)
    return replace(edited, rotations=rotations.continuous(turned), root_positions=places)


def _not_held(cleaned: Cleaned, frames_before: int) -> tuple[str, ...]:
    return tuple(
        f"the {one.plant.foot} {one.plant.part} planted at frame {one.plant.start + frames_before} could not be held: "
        f"{one.reason}"
        for one in cleaned.not_held
    )


def _changed_frames(edited: Edited, place: Place) -> tuple[int, int]:
    """The frames [first, last) that an edit has touched."""
    if edited.shown is None:
        return place.start, place.stop
    first, last = changed_frames(edited.shown)
    return min(first, last), max(first, last)


def largest_slide(motion: Motion, plants: list[Plant] | tuple[Plant, ...], body: Body) -> float:
    """The farthest that a planted heel or toe is from its plant's place, in metres; 0 without plants."""
    points = body.feet.world(motion)
    farthest = 0.0
    for plant in plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        way = points[plant.start : plant.stop, foot, part]
        if len(way):
            farthest = max(farthest, float(np.linalg.norm(way - np.array(plant.place), axis=1).max()))
    return farthest


def plant_slide(motion: Motion, plants: list[Plant] | tuple[Plant, ...], body: Body) -> float:
    """The farthest that a planted heel or toe moves from where it was in its plant's first frame, in metres."""
    points = body.feet.world(motion)
    farthest = 0.0
    for plant in plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        way = points[plant.start : plant.stop, foot, part]
        if len(way):
            farthest = max(farthest, float(np.linalg.norm(way - way[0], axis=1).max()))
    return farthest


def body_needed(subject: Subject, name: str) -> Body:
    """The subject's body; raises if it has none."""
    if subject.body is None:
        raise SkeletonError(f"{name}: the skeleton is not a person's, so its feet and weight are unknown")
    return subject.body


def _moved_plants(before: Motion, after: Motion, plants: list[Plant], body: Body) -> float:
    """The farthest that a planted point was moved by an edit."""
    old, new = body.feet.world(before), body.feet.world(after)
    away = np.linalg.norm(new - old, axis=-1)
    farthest = 0.0
    for plant in plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        stretch = away[plant.start : plant.stop, foot, part]
        farthest = max(farthest, float(stretch.max()) if len(stretch) else 0.0)
    return farthest
