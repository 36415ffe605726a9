"""Segments of a bank, and what a query shows, as rows of a picture."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from motionary.errors import MappingError, SkeletonError
from motionary.motion import Motion, Segment
from motionary.picture.aligned import mirrored
from motionary.picture.mannequin import mannequin_of
from motionary.picture.scene import Row
from motionary.plants import Plant, contacts_of_plants, detect_plants
from motionary.rig import BodyMap, body_of, map_skeleton
from motionary.rounding import rounded_up
from motionary.search import Example, LibrarySegment, Match


class _Clip(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def n_frames(self) -> int: ...
    @property
    def frame_time(self) -> float: ...
    @property
    def segment(self) -> Segment: ...


class Library(Protocol):
    """What is asked of a bank; it is passed in, so that every picture can share this."""

    def clip(self, name: str | int, /) -> _Clip: ...

    def motion(self, segment: Segment, /) -> Motion: ...

    def body_map(self, clip: int, /) -> BodyMap: ...

    def plants(self, clip: int, /) -> Sequence[Plant]: ...

    def plants_origin(self, clip: int, /) -> str | None: ...


def row_of(bank: Library, segment: Segment) -> Row:
    """A segment as a row of a film strip, with its name, times and foot contacts."""
    clip = bank.clip(segment.clip_id)
    motion = bank.motion(segment)
    try:
        body_map: BodyMap | None = bank.body_map(segment.clip_id)
    except MappingError:
        body_map = None
    name = clip.name if segment == clip.segment else f"{clip.name}:{segment.start}-{segment.stop}"
    return Row(
        motion,
        title=name,
        start_secs=segment.start * clip.frame_time,
        first_frame=segment.start,
        contacts=_contacts(bank, segment, body_map),
        body_map=body_map,
    )


def row_of_match(bank: Library, match: Match, remarks: list[str]) -> Row:
    """The segment of a match, in a mirror if it was found so; where that cannot be, a remark is added."""
    row = row_of(bank, match.segment)
    if not match.mirrored:
        return row
    try:
        return mirrored(row)
    except SkeletonError as error:
        remarks.append(f"{row.title} is drawn as it is, though it was found mirrored: {error}")
        return row


def row_of_example(bank: Library, example: Example) -> Row:
    """What a query shows; segments of the bank as they are, whatever else on the reference skeleton."""
    if isinstance(example, LibrarySegment):
        return row_of(bank, example.segment)
    motion = example.poses(example.n_frames)
    return Row(motion, title=example.name, contacts=detect_plants(motion, body_of(motion.skeleton)).foot_contacts)


def how_near(match: Match) -> str:
    """How near a match is, with the unit: 3.2 cm, or 80% in common; as in tables, never nearer than it is.

    Of a match that was found in steps, how far the way to it is.
    """
    if match.method == "lcss":
        return f"{1.0 - float(rounded_up(match.distance, 2)):.0%} in common"
    if match.tier > 1:
        return f"{rounded_up(match.distance, 1)} {match.unit} in {match.tier} steps"
    return f"{rounded_up(match.mean, 1)} {match.unit}".rstrip()


def highlighted(row: Row, parts: Iterable[str]) -> Row:
    """The row with the joints that are these parts of the reference skeleton in another colour."""
    wanted, skeleton = list(parts), row.motion.skeleton
    if not wanted:
        return row
    try:
        slots = (row.body_map or map_skeleton(skeleton)).slots
    except MappingError:
        return row
    joints = sorted({joint for part in wanted for joint in slots.get(part, ())})
    return replace(row, highlight=[skeleton.names[joint] for joint in joints])


def as_tall_as(row: Row, others: Sequence[Row]) -> Row:
    """The row with its body as tall as the others' are in the middle, so that poses can be compared by eye."""
    if not others:
        return row
    sizes = [mannequin_of(one.motion.skeleton, body_map=one.body_map).size for one in (row, *others)]
    factor = float(np.median(sizes[1:])) / sizes[0]
    motion, skeleton = row.motion, row.motion.skeleton
    taller = replace(
        motion,
        skeleton=replace(
            skeleton, offsets=skeleton.offsets * factor, end_site_offsets=skeleton.end_site_offsets * factor
        ),
        root_positions=motion.root_positions * factor,
        translations=None if motion.translations is None else motion.translations * factor,
    )
    return replace(row, motion=taller)


def _contacts(bank: Library, segment: Segment, body_map: BodyMap | None) -> np.ndarray | None:
    """Which foot stands when (F, 2): from the kept plants, else seen from the whole clip; None for what has no feet.

    A part of a clip does not tell where its floor is: where both feet are in the air, they would seem to stand there.
    """
    clip = bank.clip(segment.clip_id)
    if bank.plants_origin(segment.clip_id) is not None:
        return contacts_of_plants(bank.plants(segment.clip_id), clip.n_frames)[segment.start : segment.stop]
    if body_map is None:
        return None
    motion = bank.motion(clip.segment)
    try:
        body = body_of(motion.skeleton, body_map=body_map, motion=motion)
    except MappingError:
        return None
    return detect_plants(motion, body).foot_contacts[segment.start : segment.stop]
