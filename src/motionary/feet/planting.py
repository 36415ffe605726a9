"""Foot plants in a bank: detected, stored, changed by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionary.bank import AnyClip, AnySegment, Bank, Clip
from motionary.errors import MappingError
from motionary.library import Performance, performance
from motionary.motion import Segment
from motionary.plants import FEET, PARTS, Floor, Foot, FootPart, Plant, detect_plants

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found in one clip; `left_out` says why a clip has no feet to look at."""

    clip: Clip
    n_plants: int = 0
    floor: Floor | None = None
    notes: tuple[str, ...] = ()
    left_out: str = ""

    def as_json(self) -> dict[str, Any]:
        floor = self.floor
        return {
            "clip": self.clip.name,
            "plants": self.n_plants,
            "floor_height_m": None if floor is None else round(float(floor.height), 4),
            "floor_tilt_deg": None if floor is None else round(float(np.degrees(floor.tilt)), 3),
            "notes": list(self.notes),
            "left_out": self.left_out,
        }


def store_plants(
    bank: Bank, clips: AnyClip | Iterable[AnyClip], *, dry_run: bool = False, progress: Progress | None = None
) -> list[Detected]:
    """Detect the plants of clips and keep them in the bank, as one change, in place of those that it had.

    Clips with plants that were set by hand keep them; so do those of the sample library, whose plants are the truth.
    """
    found = bank.clips_of(clips)
    results: list[Detected] = []
    changes: list[tuple[Clip, tuple[Plant, ...]]] = []
    for done, clip in enumerate(found, start=1):
        results.append(_detect(bank, clip, changes))
        if progress:
            progress(done, len(found), clip.name)
    if changes and not dry_run:
        with bank.change(f"plants detect {found[0].name}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")):
            for clip, plants in changes:
                bank.set_plants(clip.id, plants, origin="detected")
    return results


def add_plants(
    bank: Bank,
    segments: AnySegment | Sequence[AnySegment],
    *,
    foot: Foot,
    parts: Sequence[FootPart] = PARTS,
    place: tuple[float, float, float] | None = None,
) -> list[Plant]:
    """Say that a foot stands in these segments, at `place` or where it is on average; what overlaps is replaced.

    The clip's other plants, kept or just detected, stay; from now on they count as set by hand.
    """
    added = []
    with bank.change(f"plants add {_as_named(bank, segments)}: {foot} {' and '.join(parts)}"):
        for segment in bank.segments_of(segments):
            clip = bank.clip(segment.clip_id)
            acted = performance(bank, segment)
            new = [
                Plant(foot, part, segment.start, segment.stop, place or _median_place(acted, foot, part))
                for part in parts
            ]
            kept = _without(acted.clip_plants, segment, foot, parts)
            bank.set_plants(clip.id, [*kept, *new])
            added += new
    return added


def remove_plants(
    bank: Bank,
    segments: AnySegment | Sequence[AnySegment],
    *,
    feet: Sequence[Foot] = FEET,
    parts: Sequence[FootPart] = PARTS,
) -> int:
    """Say that feet do not stand in these segments: plants are cut there; returns how many were touched."""
    n_touched = 0
    with bank.change(f"plants rm {_as_named(bank, segments)}: {' and '.join(feet)} {' and '.join(parts)}"):
        for segment in bank.segments_of(segments):
            clip = bank.clip(segment.clip_id)
            before = kept = list(performance(bank, clip).plants)
            for foot in feet:
                kept = _without(kept, segment, foot, parts)
            n_touched += len(set(before) - set(kept))
            bank.set_plants(clip.id, kept)
    return n_touched


def _as_named(bank: Bank, segments: AnySegment | Sequence[AnySegment]) -> str:
    """Segments for the log: texts as they were given."""
    given = [segments] if isinstance(segments, str) or not isinstance(segments, Sequence) else segments
    return ", ".join(one if isinstance(one, str) else bank.segment_name(one) for one in given)


def _detect(bank: Bank, clip: Clip, changes: list[tuple[Clip, tuple[Plant, ...]]]) -> Detected:
    origin = bank.plants_origin(clip)
    if origin not in (None, "detected"):
        return Detected(clip, left_out=f"its plants were set by {origin}")
    acted = performance(bank, clip)
    try:
        found = detect_plants(acted.motion, acted.body)
    except MappingError as error:
        return Detected(clip, left_out=str(error))
    changes.append((clip, found.plants))
    return Detected(clip, len(found.plants), found.floor, found.notes)


def _without(plants: Sequence[Plant], segment: Segment, foot: Foot, parts: Sequence[FootPart]) -> list[Plant]:
    """The plants, with those of a foot's parts cut where they lie in the segment."""
    kept = []
    for plant in plants:
        if plant.foot != foot or plant.part not in parts:
            kept.append(plant)
            continue
        if plant.start < segment.start:
            kept.append(replace(plant, stop=min(plant.stop, segment.start)))
        if plant.stop > segment.stop:
            kept.append(replace(plant, start=max(plant.start, segment.stop)))
    return kept


def _median_place(acted: Performance, foot: Foot, part: FootPart) -> tuple[float, float, float]:
    points = acted.body.feet.world(acted.motion)[:, FEET.index(foot), PARTS.index(part)]
    x, y, z = np.median(points, axis=0).tolist()
    return x, y, z
