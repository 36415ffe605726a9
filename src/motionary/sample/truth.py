"""What is known about a made motion: who did what when, which feet stood where, what the hands reached for."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionary.motion import Motion

Side = Literal["left", "right"]
FootPart = Literal["heel", "toe"]


@dataclass(frozen=True, slots=True, order=True)
class LabelledSegment:
    """Frames [start, stop) in which the action `name` is done."""

    start: int
    stop: int
    name: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"{self.name!r} has no frames [{self.start}, {self.stop})")


@dataclass(frozen=True, eq=False, slots=True)
class Plant:
    """Frames [start, stop) in which one part of a foot stands still at `place`.

    The heel is the heel's end site; the toe is the toe joint, the ball of the foot, over which the foot rolls.
    """

    foot: Side
    part: FootPart
    start: int
    stop: int
    place: np.ndarray  # (3,) world

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"a plant of the {self.foot} {self.part} has no frames [{self.start}, {self.stop})")


@dataclass(frozen=True, eq=False, slots=True)
class Target:
    """The place at which `joint` arrives in `frame`."""

    joint: str
    frame: int
    place: np.ndarray  # (3,) world


@dataclass(frozen=True, eq=False)
class Take:
    """One made motion and its truth."""

    name: str
    actor: str
    motion: Motion
    labels: tuple[LabelledSegment, ...]
    plants: tuple[Plant, ...]
    targets: tuple[Target, ...]
