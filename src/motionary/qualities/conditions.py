"""Conditions on motions: "time>2", "turn > 60". Cheap to import: command lines read them."""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
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
    word = re.match(r"\s*(\w+)", text)
    name = word[1] if word else text
    if name not in names:
        near = get_close_matches(name.lower(), names, n=1)
        meant = f"did you mean {near[0]}?" if near else f"choose {', '.join(names)}"
        raise UsageError(f"{text!r} is not a condition: there is no property {name!r}; {meant}")
    match = _CONDITION.match(text)
    if match is None:
        raise UsageError(
            f"{text!r} is not a condition; write '{name} > NUMBER' or '{name} < NUMBER', as in '{name} > 1', and give "
            "several conditions one by one"
        )
    return Condition(match[1], match[2], float(match[3]))
