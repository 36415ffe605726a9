"""Putting an operation on a motion: checks, the operation itself, and the protection of planted feet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motionary.edit.floor_roots import chosen_with_hips, with_hips_as_root, with_own_root
from motionary.edit.holding import held
from motionary.edit.joints import joint_mask, mirrored_name
from motionary.edit.operation import Operation, PoseOperation
from motionary.edit.standing import Clean, protected
from motionary.edit.subject import Edited, Place, Space, Subject
from motionary.errors import UsageError
from motionary.motion import rotations
from motionary.plants import Plant

MARGIN_SECS = 1.75  # beside a segment: what an edit of poses looks at, and may touch to keep feet where they stand


def place_of(
    subject: Subject,
    operation: Operation,
    start: int,
    stop: int,
    *,
    joints: Sequence[str] = (),
    times: np.ndarray | None = None,
    strength: float = 1.0,
    ease_secs: float | None = None,
    mirrored: bool = False,
    seed: int = 0,
    sources: Mapping[str, Subject] | None = None,
    spaces: Mapping[str, Space] | None = None,
) -> Place:
    """Where an operation is put on: frames [start, stop), the joints that are named, else the operation's own."""
    n_frames, frame_time = subject.motion.n_frames, subject.motion.frame_time
    if not 0 <= start < stop <= n_frames:
        raise UsageError(f"there are no frames {start}-{stop} to edit; the motion has 0-{n_frames}")
    names = list(joints) or list(operation.default_joints)
    if mirrored:
        names = [mirrored_name(name) for name in names]
    return Place(
        start,
        stop,
        np.arange(stop - start) * frame_time if times is None else times,
        joint_mask(subject, names),
        frame_time,
        strength=strength,
        ease_secs=operation.eases_over_secs() if ease_secs is None else ease_secs,
        mirrored=mirrored,
        seed=seed,
        sources=sources or {},
        spaces=spaces or {},
    )


def apply_operation(
    subject: Subject, operation: Operation, place: Place, *, protect: bool = True, hold: Sequence[str] = ()
) -> Edited:
    """The subject after the operation. `protect`: planted feet that it moves are brought back to their places; `hold`:
    so are these hands (`LeftHand`, `RightHand`). A strength of 0 changes nothing."""
    if place.strength == 0.0:
        return Edited(subject.motion, subject.plants)
    rooted = with_hips_as_root(subject)
    if rooted is subject:
        return _applied(subject, operation, place, protect=protect, hold=hold)
    sources = {name: with_hips_as_root(source) for name, source in place.sources.items()}
    place = replace(place, joints=chosen_with_hips(subject, place.joints), sources=sources)
    return with_own_root(subject, rooted, _applied(rooted, operation, place, protect=protect, hold=hold))


def _applied(subject: Subject, operation: Operation, place: Place, *, protect: bool, hold: Sequence[str]) -> Edited:
    if isinstance(operation, PoseOperation):
        return _applied_around(subject, operation, place, protect=protect, hold=hold)
    edited = operation.apply(subject, place)
    if protect and not isinstance(operation, Clean):
        edited = protected(subject, edited, place)
    return held(subject, edited, place, hold)


def _applied_around(
    subject: Subject, operation: Operation, place: Place, *, protect: bool, hold: Sequence[str]
) -> Edited:
    """The operation on what is around its segment, put back into the whole: long clips cost no more than short ones."""
    margin = round(MARGIN_SECS / place.frame_time)
    first, last = max(place.start - margin, 0), min(place.stop + margin, subject.motion.n_frames)
    around = subject.slice(first, last)
    moved = replace(place, start=place.start - first, stop=place.stop - first)
    edited = operation.apply(around, moved)
    if protect:
        edited = protected(around, edited, moved, frames_before=first)
    edited = held(around, edited, moved, hold)
    if edited.motion is around.motion:
        return Edited(subject.motion, subject.plants, notes=edited.notes)
    motion, part = subject.motion, edited.motion
    turned, places = np.array(motion.rotations), np.array(motion.root_positions)
    translations = np.array(motion.joint_translations)
    turned[first:last], places[first:last], translations[first:last] = (
        part.rotations,
        part.root_positions,
        part.joint_translations,
    )
    seams = [frame for frame in (first, last) if 0 < frame < len(turned)]
    if any(np.any(np.sum(turned[frame] * turned[frame - 1], axis=-1) < 0.0) for frame in seams):
        turned = rotations.continuous(turned)
    whole = replace(motion, rotations=turned, root_positions=places, translations=translations)
    if edited.plants is around.plants:
        return Edited(whole, subject.plants, notes=edited.notes)
    return Edited(whole, _plants_back(subject.plants, edited.plants, first, last), notes=edited.notes)


def _plants_back(plants: tuple[Plant, ...], around: tuple[Plant, ...], first: int, last: int) -> tuple[Plant, ...]:
    """Plants of the whole with those of frames [first, last) exchanged; those that go on outside stay whole."""
    kept = [plant for plant in plants if plant.stop <= first or plant.start >= last]
    reaching = [plant for plant in plants if plant not in kept]
    for plant in around:
        plant = replace(plant, start=plant.start + first, stop=plant.stop + first)
        for old in reaching:
            if (old.foot, old.part) == (plant.foot, plant.part) and old.start <= plant.start and plant.stop <= old.stop:
                start = old.start if plant.start == first else plant.start
                stop = old.stop if plant.stop == last else plant.stop
                plant = replace(plant, start=start, stop=stop)
        kept.append(plant)
    return tuple(sorted(kept, key=lambda plant: (plant.start, plant.foot, plant.part)))
