"""Conditions on Effort and Shape: "time>2", "horizontal<=0.4". Cheap to import: command lines read them."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from motionary.errors import UsageError

QUALITIES = ("space", "weight", "time", "flow", "horizontal", "vertical", "sagittal")
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_CONDITION = re.compile(r"^\s*(\w+)\s*(<=|>=|<|>)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$")


@dataclass(frozen=True, slots=True)
class Condition:
    """What one quality has to be."""

    quality: str
    sign: str
    value: float

    def holds(self, measures: Mapping[str, float]) -> bool:
        """Whether the measures of a motion fulfil it; what could not be measured does not."""
        return _SIGNS[self.sign](measures[self.quality], self.value)


def read_condition(text: str) -> Condition:
    """A condition from text; raises, and says how one is written."""
    match = _CONDITION.match(text)
    if match is None or match[1] not in QUALITIES:
        raise UsageError(f"{text!r} is no condition; write QUALITY>NUMBER, with one of {', '.join(QUALITIES)}")
    return Condition(match[1], match[2], float(match[3]))
