"""Conditions on motions: "time>2", "turn > 60". Cheap to import: command lines read them."""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from motionary.errors import UsageError

QUALITIES = ("space", "weight", "time", "flow", "horizontal", "vertical", "sagittal")
PROPERTIES = {  # of the body as a whole, and their units
    "turn": "°",
    "speed": "m/s",
    "travel": "m",
    "height": "m",
    "lowest": "m",
    "duration": "s",
    "airborne": "s",
    "energy": "m/s",
}
_SIGNS: dict[str, Callable[[Any, float], Any]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_CONDITION = re.compile(r"^\s*(\w+)\s*(<=|>=|<|>)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$")


@dataclass(frozen=True, slots=True)
class Condition:
    """What one quality or property has to be."""

    quality: str
    sign: str
    value: float

    def holds(self, measures: Mapping[str, float]) -> bool:
        """Whether the measures of a motion fulfil it; what could not be measured does not."""
        return bool(_SIGNS[self.sign](measures[self.quality], self.value))

    def holds_each(self, values: Any) -> Any:
        """Whether each of these values (N,) fulfils it."""
        return _SIGNS[self.sign](values, self.value)


def read_condition(text: str, names: Collection[str] = QUALITIES) -> Condition:
    """A condition on one of `names` from text; raises, and says how one is written."""
    match = _CONDITION.match(text)
    if match is None or match[1] not in names:
        raise UsageError(f"{text!r} is no condition; write NAME>NUMBER or NAME<NUMBER, with one of {', '.join(names)}")
    return Condition(match[1], match[2], float(match[3]))
