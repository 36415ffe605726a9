"""Clean-up of feet in a bank."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip, pack_motion
from motionary.errors import MappingError
from motionary.library import Performance, performance
from motionary.motion import Motion, Segment
from motionary.naturalness import clean_carefully
from motionary.plants import CleanOptions, HeldPlant, Plant, clean
from motionary.rig import BodyMap

MOST_NAMED = 5  # clips in the log of changes; of more, their number


@dataclass(frozen=True, eq=False, repr=False)
class CleanedSegment:
    """A segment before and after, and what became of its plants."""

    segment: Segment
    clip: Clip
    before: Motion  # of the whole clip
    after: Motion
    plants: tuple[HeldPlant, ...]
    body_map: BodyMap
    kept_before: tuple[Plant, ...] | None = None  # plants that the bank kept for the clip; None: it kept none

    def __repr__(self) -> str:
        n_held = sum(held.held for held in self.plants)
        place = f"{self.clip.name}:{self.segment.start}-{self.segment.stop}"
        return f"CleanedSegment({place}, {n_held} of {len(self.plants)} plants held)"

    @property
    def changed(self) -> bool:
        return self.after is not self.before

    @property
    def mean_change(self) -> float:
        """Metres by which joints moved within the segment, on average."""
        moved = np.linalg.norm(self.after.positions_world - self.before.positions_world, axis=-1)
        return float(moved[self.segment.start : self.segment.stop].mean())

    def as_json(self) -> dict[str, Any]:
        distances = [held.distance for held in self.plants if held.held]
        return {
            "clip": self.clip.name,
            "start": self.segment.start,
            "stop": self.segment.stop,
            "plants": len(self.plants),
            "held": len(distances),
            "changed": self.changed,
            "worst_before_cm": round(100 * max(distances, default=0.0), 3),
            "worst_after_cm": round(100 * max((held.left for held in self.plants if held.held), default=0.0), 3),
            "mean_change_cm": round(100 * self.mean_change, 3),
            "not_held": [
                {
                    "foot": held.plant.foot,
                    "part": held.plant.part,
                    "start": held.plant.start,
                    "stop": held.plant.stop,
                    "distance_cm": round(100 * held.distance, 2),
                    "why": held.reason,
                }
                for held in self.plants
                if not held.held
            ],
        }


def clean_segments(
    bank: Bank,
    segments: Sequence[str | Segment],
    *,
    options: CleanOptions | None = None,
    hold_all: bool = False,
    dry_run: bool = False,
) -> list[CleanedSegment]:
    """Hold the planted feet of segments at their places; all of it is one change that `undo` takes back.

    Every plant that reaches into a segment is held, and corrections fade out in the frames around it. The plants as
    they are held (joined where they touch, shortened where a foot needs time to get from one to the next) are kept
    with the clip. Plants that could only be held at the cost of balance, or by a jerk, are held less or not at all
    (`clean_carefully`), unless `hold_all`.
    """
    clips: dict[int, Performance] = {}  # as they are by now: a clip may be named twice
    cleaned = []
    for segment in bank.segments_of(segments):
        here = clips.get(segment.clip_id) or performance(bank, segment.clip_id)
        inside = [p for p in here.plants if p.start < segment.stop and p.stop > segment.start]
        result = (clean if hold_all else clean_carefully)(here.motion, inside, here.body, options=options)
        cleaned.append(
            CleanedSegment(
                segment,
                here.clip,
                here.motion,
                result.motion,
                result.plants,
                here.body.body_map,
                None if here.plants_origin is None else here.plants,
            )
        )
        outside = [p for p in here.plants if p not in inside]
        held = [replace(one.plant, place=one.place) if one.held else one.plant for one in result.plants]
        plants = tuple(sorted([*outside, *held], key=lambda p: (p.start, p.foot, p.part)))
        clips[segment.clip_id] = replace(
            here,
            motion=result.motion,
            clip_motion=result.motion,
            plants_origin=here.plants_origin or "detected",
            kept_plants=plants,
        )
    if not dry_run:
        _keep(bank, cleaned, clips, options or CleanOptions(), hold_all)
    return cleaned


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A clip that cannot be cleaned, and why."""

    clip: Clip
    reason: str


def clean_each(
    bank: Bank,
    segments: Sequence[str | Segment],
    *,
    options: CleanOptions | None = None,
    hold_all: bool = False,
    dry_run: bool = False,
) -> Iterator[CleanedSegment | LeftAlone]:
    """`clean_segments` of many clips, one clip after the other, so that memory holds one; clips without a body are
    left alone. All of it is one change, which is made when the last one has been asked for."""
    by_clip: dict[int, list[Segment]] = {}
    for segment in bank.segments_of(segments):
        by_clip.setdefault(segment.clip_id, []).append(segment)
    named = bank.clip_names(by_clip)
    what = ", ".join(list(named.values())[:MOST_NAMED]) if len(by_clip) <= MOST_NAMED else f"{len(by_clip)} clips"
    with nullcontext() if dry_run else bank.change(f"clean {what}"):
        for clip_id, own in by_clip.items():
            try:
                yield from clean_segments(bank, own, options=options, hold_all=hold_all, dry_run=dry_run)
            except MappingError as error:
                yield LeftAlone(bank.clip(clip_id), str(error))


def _keep(
    bank: Bank,
    cleaned: Sequence[CleanedSegment],
    clips: dict[int, Performance],
    options: CleanOptions,
    hold_all: bool,
) -> None:
    changed = {one.clip.id for one in cleaned if one.changed}
    if not changed:
        return
    names = ", ".join(bank.segment_name(one.segment) for one in cleaned if one.changed)
    with bank.change(f"clean {names}"):
        for clip_id in sorted(changed):
            now = clips[clip_id]
            bank.check_same_motion(now.clip)
            like = bank.recording(clip_id)
            own = [one for one in cleaned if one.changed and one.clip.id == clip_id]
            layers = [(_layer(own, options, hold_all), pack_motion(own[-1].after, like=like))]
            bank.put_edits(clip_id, layers, command="clean")
            bank.set_plants(clip_id, now.plants, origin=now.plants_origin or "detected")


def _layer(cleaned: Sequence[CleanedSegment], options: CleanOptions, hold_all: bool) -> dict[str, Any]:
    """The clean-up of a clip as a layer of its edits: `motionary.edit` reads it, and can put it on anew."""
    parameters = {
        "reach": options.reach,
        "fade_secs": options.fade_secs,
        "places": options.places,
        "hold_all": hold_all,
    }
    first, plants = cleaned[0], cleaned[0].kept_before
    return {
        "layer_version": 1,
        "operation": "clean",
        "recipe": {
            "kind": "motionary edit recipe",
            "version": 1,
            "operation": {"operation": "clean", "version": 1, "parameters": parameters},
            "duration_secs": (first.segment.stop - first.segment.start - 1) * first.clip.frame_time,
            "joints": [],
            "strength": 1.0,
            "strength_by": "constant",
            "ease_secs": 0.0,
            "protect": False,
            "align": False,
            "align_joints": [],
            "vary": {},
            "seed": 0,
            "example": "",
        },
        "hash": "",
        "origin": "",
        "parts": [
            {
                "start": one.segment.start,
                "stop": one.segment.stop,
                "parameters": parameters,
                "times": None,
                "strength": 1.0,
                "mirrored": False,
                "seed": 0,
                "is_example": False,
            }
            for one in cleaned
        ],
        "sources": {},
        "plants": None if plants is None else [plant.as_json() for plant in plants],
        "clip_ids": [],
    }
