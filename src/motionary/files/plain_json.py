"""JSON from elsewhere: what is no JSON, or no number, is a ValueError, however it was made. And values for JSON."""

import json
import math
from collections.abc import Mapping
from typing import Any


def parse_json(text: str) -> Any:
    """What the text says; a ValueError if it is no JSON, nests too deeply, or holds a number that is not finite."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


def json_value(value: Any) -> Any:
    """A value as JSON can hold it: arrays are lists, numbers that JSON does not have are None, others are text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): json_value(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(one) for one in value]
    if hasattr(value, "tolist"):  # of NumPy, which this module need not import
        return json_value(value.tolist())
    return str(value)


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a valid JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:30]} is too large")
    return value
