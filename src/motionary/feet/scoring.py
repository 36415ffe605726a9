"""Naturalness of segments of a bank."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from motionary.bank import Bank
from motionary.dynamics import PartMass, body_masses
from motionary.library import performance
from motionary.motion import Segment
from motionary.naturalness import Naturalness, score

LENGTHS = (
    "score", "slide_mean", "slide_worst", "arc_mean", "arc_worst", "plant_error", "plant_worst",
    "zmp_error", "zmp_mean", "lean", "fall_error",
)  # fmt: skip


class Scored(NamedTuple):
    """A segment and how natural it is."""

    segment: Segment
    naturalness: Naturalness

    def as_json(self) -> dict[str, float | int | None]:
        """All measures, lengths in centimetres."""
        measures = self.naturalness.as_json()
        return {
            f"{name}_cm" if name in LENGTHS else name: 100.0 * value if name in LENGTHS and value is not None else value
            for name, value in measures.items()
        }


def score_segments(
    bank: Bank, segments: Sequence[str | Segment], *, parts: Mapping[str, PartMass] | None = None
) -> list[Scored]:
    """How natural segments are, by the bank's plants, or by those that are detected in their clips."""
    scored = []
    for segment in bank.segments_of(segments):
        acted = performance(bank, segment)
        masses = body_masses(acted.body, parts=parts)
        scored.append(Scored(segment, score(acted.motion, acted.plants, body=acted.body, masses=masses)))
    return scored
