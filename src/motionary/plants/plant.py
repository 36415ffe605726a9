"""A foot that stands."""

from dataclasses import dataclass
from typing import Any, Literal

Foot = Literal["left", "right"]
FootPart = Literal["heel", "toe"]
FEET: tuple[Foot, ...] = ("left", "right")
PARTS: tuple[FootPart, ...] = ("heel", "toe")


@dataclass(frozen=True, slots=True)
class Plant:
    """A foot's heel or toe, the frames [start, stop) in which it stands still, and where, in metres.

    The toe is the ball of the foot, over which it rolls.
    """

    foot: Foot
    part: FootPart
    start: int
    stop: int
    place: tuple[float, float, float]
    origin: str = "hand"

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"a plant of the {self.foot} {self.part} has no frames [{self.start}, {self.stop})")

    def as_json(self) -> dict[str, Any]:
        return {
            "foot": self.foot,
            "part": self.part,
            "start": self.start,
            "stop": self.stop,
            "place": list(self.place),
            "origin": self.origin,
        }
