"""JSON from elsewhere: what is no JSON, or no number, is a ValueError, however it was made."""

import json
import math
from typing import Any


def parse_json(text: str) -> Any:
    """What the text says; a ValueError if it is no JSON, nests too deeply, or holds a number that is not finite."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a valid JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:30]} is too large")
    return value
