"""Surprises: windows that have no near match anywhere else."""

from dataclasses import dataclass, replace
from typing import Any

from motionary.alignment import Match
from motionary.motion import Segment
from motionary.search.recurring.windows import Windows


@dataclass(frozen=True, eq=False)
class Surprise:
    """A segment, and what in the library is least unlike it."""

    segment: Segment  # in the clip's own frames
    nearest: Match
    movement: float  # how far joints are from where they are on average: root of the mean square
    clip: str = ""  # the clip's name
    odd: tuple[str, ...] = ()  # what is odd in its frames, so that it may be no movement at all

    @property
    def mean(self) -> float:
        """How far the nearest is, in its unit."""
        return self.nearest.mean

    @property
    def match(self) -> Match:
        """The segment itself, with how far the nearest is: what a selection keeps of it."""
        return replace(self.nearest, segment=self.segment, clip=self.clip, mirrored=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "clip": self.clip or f"#{self.segment.clip_id}",
            "id": self.segment.clip_id,
            "start": self.segment.start,
            "stop": self.segment.stop,
            "mean": self.mean,
            "unit": self.nearest.unit,
            "movement": self.movement,
            "odd": list(self.odd),
            "nearest": self.nearest.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Alone:
    """A surprise in rows of windows."""

    window: int  # on the grid
    distance: float  # of the nearest
    row: int  # where that begins
    mirrored: bool


def surprise_of(windows: Windows, alone: Alone) -> Surprise:
    """The surprise, in frames of its clip."""
    return Surprise(
        windows.segment(int(windows.grid[alone.window])),
        windows.match(alone.row, distance=alone.distance, mirrored=alone.mirrored),
        windows.mean(float(windows.movements[alone.window])),
    )
