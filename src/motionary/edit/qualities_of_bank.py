"""Effort and Shape of segments of a bank: measured, and chosen by them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.bank import Bank, check_is_bank
from motionary.library import performance
from motionary.motion import Segment
from motionary.qualities import quality_measures, read_condition


@dataclass(frozen=True, slots=True)
class Qualities:
    """What Effort and Shape a segment has: see `quality_measures`."""

    segment: Segment
    clip: str
    measures: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        where = {"clip": self.clip, "id": self.segment.clip_id, "start": self.segment.start, "stop": self.segment.stop}
        return where | {name: round(value, 4) for name, value in self.measures.items()}


def measure_qualities(
    bank: Bank, segments: str | Segment | Iterable[str | Segment], *, where: Sequence[str] = ()
) -> list[Qualities]:
    """Effort and Shape of segments ("label:NAME" is all that carry it); with `where` ("time>2", "horizontal<=0.4") only
    of those that fulfil all of it."""
    check_is_bank(bank)
    conditions = [read_condition(text) for text in ([where] if isinstance(where, str) else where)]
    found = []
    for segment in bank.segments_of(segments):
        acted = performance(bank, segment)
        measures = quality_measures(acted.motion, acted.body)
        if all(condition.holds(measures) for condition in conditions):
            found.append(Qualities(segment, acted.clip.name, measures))
    return found
