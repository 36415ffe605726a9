"""Clean-up of feet in a bank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip
from motionary.feet.bodies import standing_clip
from motionary.motion import Motion, Segment
from motionary.plants import CleanOptions, HeldPlant, clean
from motionary.rig import BodyMap


@dataclass(frozen=True, eq=False)
class CleanedSegment:
    """A segment before and after, and what became of its plants."""

    segment: Segment
    clip: Clip
    before: Motion  # of the whole clip
    after: Motion
    plants: tuple[HeldPlant, ...]
    body_map: BodyMap

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
    bank: Bank, segments: Sequence[str | Segment], *, options: CleanOptions | None = None, dry_run: bool = False
) -> list[CleanedSegment]:
    """Hold the planted feet of segments at their places; each cleaned clip is a new version that `undo` takes back.

    Every plant that reaches into a segment is held whole, and corrections fade out in the frames around it.
    """
    cleaned = []
    for segment in map(bank.segment_of, segments):
        standing = standing_clip(bank, bank.clip(segment.clip_id))
        plants = [p for p in standing.plants if p.start < segment.stop and p.stop > segment.start]
        result = clean(standing.motion, plants, standing.body, options=options)
        cleaned.append(
            CleanedSegment(
                segment, standing.clip, standing.motion, result.motion, result.plants, standing.body.body_map
            )
        )
        if not dry_run and result.motion is not standing.motion:
            bank.set_motion(standing.clip.id, result.motion, command=f"clean {bank.segment_name(segment)}")
    return cleaned
