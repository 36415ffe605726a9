"""Segments of a bank, and what a query shows, as rows of a picture."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motionary.errors import MappingError, SkeletonError
from motionary.library import Performance, performance
from motionary.motion import Segment
from motionary.picture.aligned import mirrored
from motionary.picture.mannequin import mannequin_of
from motionary.picture.scene import Row
from motionary.plants import detect_plants
from motionary.rig import body_of, map_skeleton
from motionary.rounding import rounded_up
from motionary.search import Example, LibrarySegment, Match

if TYPE_CHECKING:
    from motionary.bank import Bank


def row_of(bank: "Bank", segment: Segment) -> Row:
    """A segment as a row of a film strip, with its name, times and foot contacts."""
    return row_of_performance(performance(bank, segment))


def row_of_performance(acted: Performance) -> Row:
    """A performance as a row of a film strip, with its name, times, foot contacts and floor."""
    clip, segment = acted.clip, acted.segment
    name = clip.name if segment == clip.segment else f"{clip.name}:{segment.start}-{segment.stop}"
    return Row(
        acted.motion,
        title=name,
        start_secs=segment.start * clip.frame_time,
        first_frame=segment.start,
        contacts=acted.foot_contacts if acted.has_body or acted.plants_origin is not None else None,
        body_map=acted.body.body_map if acted.has_body else None,
        floor=acted.floor,
    )


def row_of_match(bank: "Bank", match: Match, remarks: list[str]) -> Row:
    """The segment of a match, in a mirror if it was found so; where that cannot be, a remark is added."""
    row = row_of(bank, match.segment)
    if not match.mirrored:
        return row
    try:
        return mirrored(row)
    except SkeletonError as error:
        remarks.append(f"{row.title} was found mirrored, but is drawn unmirrored: {error}")
        return row


def row_of_example(bank: "Bank", example: Example) -> Row:
    """What a query shows; segments of the bank as they are, whatever else on the reference skeleton."""
    if isinstance(example, LibrarySegment):
        return row_of(bank, example.segment)
    motion = example.poses(example.n_frames)
    found = detect_plants(motion, body_of(motion.skeleton))
    return Row(motion, title=example.name, contacts=found.foot_contacts, floor=found.known_floor)


def how_near(match: Match) -> str:
    """How near a match is, with the unit: 3.2 cm, or 80% in common; as in tables, never nearer than it is.

    Of a match that was found in steps, how far the way to it is; of one of several examples, to which.
    """
    if match.method == "lcss":
        example = f" with {match.nearest_to}" if match.nearest_to else ""
        return f"{1.0 - float(rounded_up(match.distance, 2)):.0%} in common{example}"
    example = f" from {match.nearest_to}" if match.nearest_to else ""
    if match.tier > 1:
        length = match.distance if match.method == "web" else match.mean
        return f"{rounded_up(length, 1)} {match.unit} in {match.tier} steps{example}"
    return f"{rounded_up(match.mean, 1)} {match.unit}".rstrip() + example


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
    floor = None if row.floor is None else replace(row.floor, height=row.floor.height * factor)
    return replace(row, motion=taller, floor=floor)
