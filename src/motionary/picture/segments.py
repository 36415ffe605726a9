"""Segments of a bank, and what a search found among them, as pictures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.errors import MappingError, SkeletonError
from motionary.features import SEARCH_RATE_HZ
from motionary.motion import Motion, Segment
from motionary.picture.aligned import aligned, mirrored
from motionary.picture.camera import View
from motionary.picture.layout import Spread
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants, detect_plants
from motionary.rig import BodyMap, body_of
from motionary.search import Example, LibrarySegment, SearchResult


def show_segments(
    bank: Bank,
    segments: Sequence[str | Segment],
    path: Path | str,
    *,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
    spread: Spread = "auto",
) -> tuple[str, ...]:
    """Draw segments below each other: a film strip (.png, .svg) or an animation (.gif), as `path` ends.

    A file that is there is replaced. What comes back are remarks on what is not as it was asked for.
    """
    rows = [row_of(bank, segment) for segment in bank.segments_of(segments)]
    return show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread=spread)


def show_matches(
    bank: Bank,
    result: SearchResult,
    path: Path | str,
    *,
    n_matches: int | None = 23,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
) -> tuple[str, ...]:
    """Draw what was looked for and, below it, its matches, nearest first: what goes together in time stands together.

    Mirrored matches are drawn in a mirror, so that they look like the query. What comes back are remarks on what is
    not as it was asked for.
    """
    example, remarks = result.query.example, []
    rows = [_example_row(bank, example)]
    for match in result.matches[:n_matches]:
        row = row_of(bank, match.segment)
        if match.mirrored:
            try:
                row = mirrored(row)
            except SkeletonError as error:
                remarks.append(f"{row.title} is drawn as it is, though it was found mirrored: {error}")
        n_match = round(match.scale * example.n_frames)
        rows.append(aligned(row, match.alignment, n_query=example.n_frames, n_match=n_match, rate_hz=SEARCH_RATE_HZ))
    return (*remarks, *show_rows(rows, path, n_poses=n_poses, width=width, view=view, spread="time"))


def row_of(bank: Bank, segment: Segment) -> Row:
    """A segment as a row of a film strip, with its name, times and foot contacts."""
    clip = bank.clip(segment.clip_id)
    motion = bank.motion(segment)
    try:
        body_map: BodyMap | None = bank.body_map(clip)
    except MappingError:
        body_map = None
    name = clip.name if segment == clip.segment else f"{clip.name}:{segment.start}-{segment.stop}"
    return Row(
        motion,
        title=name,
        start_secs=segment.start * clip.frame_time,
        first_frame=segment.start,
        contacts=_contacts(bank, segment, motion, body_map),
        body_map=body_map,
    )


def _example_row(bank: Bank, example: Example) -> Row:
    """What a query shows; segments of the bank as they are, whatever else on the reference skeleton."""
    if isinstance(example, LibrarySegment):
        return row_of(bank, example.segment)
    motion = example.poses(example.n_frames)
    return Row(motion, title=example.name, contacts=detect_plants(motion, body_of(motion.skeleton)).foot_contacts)


def _contacts(bank: Bank, segment: Segment, motion: Motion, body_map: BodyMap | None) -> np.ndarray | None:
    """Which foot stands when: from the stored plants, else seen from the motion; None for what has no feet."""
    clip = bank.clip(segment.clip_id)
    plants = bank.plants(clip)
    if plants:
        return contacts_of_plants(plants, clip.n_frames)[segment.start : segment.stop]
    if body_map is None:
        return None
    try:
        body = body_of(motion.skeleton, body_map=body_map, motion=motion)
    except MappingError:
        return None
    return detect_plants(motion, body).foot_contacts
