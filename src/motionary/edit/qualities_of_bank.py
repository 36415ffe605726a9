"""Effort and Shape of segments of a bank: measured, and chosen by them."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.bank import Bank, check_is_bank
from motionary.edit.qualities import QUALITIES, quality_measures
from motionary.edit.subject import Subject
from motionary.errors import UsageError
from motionary.library import performance
from motionary.motion import Segment

_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_CONDITION = re.compile(r"^\s*(\w+)\s*(<=|>=|<|>)\s*([-+.\deE]+)\s*$")


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
    """Effort and Shape of segments; with `where` ("time>2", "horizontal<=0.4") only those that fulfil all of it."""
    check_is_bank(bank)
    conditions = [_condition(text) for text in ([where] if isinstance(where, str) else where)]
    found = []
    for segment in bank.segments_of(segments if not isinstance(segments, str | Segment) else [segments]):
        acted = performance(bank, segment)
        measures = quality_measures(Subject(acted.motion, acted.body, ()))
        if all(compare(measures[name], value) for name, compare, value in conditions):
            found.append(Qualities(segment, acted.clip.name, measures))
    return found


def _condition(text: str) -> tuple[str, Callable[[float, float], bool], float]:
    match = _CONDITION.match(text)
    if match is None or match[1] not in QUALITIES:
        raise UsageError(f"{text!r} is no condition; write QUALITY>NUMBER, with one of {', '.join(QUALITIES)}")
    try:
        return match[1], _SIGNS[match[2]], float(match[3])
    except ValueError:
        raise UsageError(f"{text!r}: {match[3]!r} is no number") from None
