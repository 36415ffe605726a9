"""What is known about a made motion: who did what when, which feet stood where, what the hands reached for."""

from dataclasses import dataclass
from typing import Literal

from motionary.ik import Target
from motionary.motion import Motion
from motionary.plants import Plant

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True, order=True)
class LabelledSegment:
    """Frames [start, stop) in which the action `name` is done."""

    start: int
    stop: int
    name: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"{self.name!r} has no frames [{self.start}, {self.stop})")


@dataclass(frozen=True, eq=False)
class Take:
    """One made motion and its truth."""

    name: str
    actor: str
    motion: Motion
    labels: tuple[LabelledSegment, ...]
    plants: tuple[Plant, ...]
    targets: tuple[Target, ...]
