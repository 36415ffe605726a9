"""What drawings are made of: shapes in pixels, x to the right, y down; and mixing of colours.

Colours are "#rrggbb", or "#rrggbbaa" where what lies below shall shine through.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, eq=False, slots=True)
class Polygon:
    """A closed shape."""

    points: np.ndarray  # (n, 2)
    fill: str


@dataclass(frozen=True, eq=False, slots=True)
class Polyline:
    """A line through points, with round joints and ends."""

    points: np.ndarray  # (n, 2)
    colour: str
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An upright ellipse, given by its centre and half axes."""

    x: float
    y: float
    half_width: float
    half_height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; (x, y) lies on the baseline, at the line's start, middle or end."""

    x: float
    y: float
    text: str
    size: float = 12.0
    colour: str = "#333333"
    anchor: Anchor = "start"
    bold: bool = False


Primitive = Polygon | Polyline | Ellipse | Text


def mix(colour: str, other: str, share: float) -> str:
    """The colour with `share` (0 to 1) of `other` in it."""
    a, b = _channels(colour), _channels(other)
    return "#" + "".join(f"{round((1.0 - share) * x + share * y):02x}" for x, y in zip(a, b, strict=True))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
