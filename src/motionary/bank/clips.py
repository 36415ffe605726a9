"""What the bank tells about its clips."""

from dataclasses import dataclass
from typing import Any, Literal

from motionary.motion import Segment

Foot = Literal["left", "right"]
FootPart = Literal["heel", "toe"]


@dataclass(frozen=True, slots=True)
class Label:
    """A name on a clip (no interval) or on a segment of it."""

    name: str
    start: int | None = None
    stop: int | None = None
    strength: float = 1.0
    origin: str = "hand"

    @property
    def is_whole_clip(self) -> bool:
        return self.start is None

    def as_json(self) -> dict[str, Any]:
        return {
            "label": self.name,
            "start": self.start,
            "stop": self.stop,
            "strength": self.strength,
            "origin": self.origin,
        }


@dataclass(frozen=True, slots=True)
class Plant:
    """A foot's heel or toe, the frames [start, stop) in which it stands still, and where, in metres."""

    foot: Foot
    part: FootPart
    start: int
    stop: int
    place: tuple[float, float, float]
    origin: str = "hand"


@dataclass(frozen=True, slots=True)
class Target:
    """A place, in metres, that a joint has to be at in one frame."""

    joint: str
    frame: int
    place: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Clip:
    """A motion in the bank: its number, name and whatever is known about it but the frames."""

    id: int
    name: str
    n_frames: int
    frame_time: float
    n_joints: int
    skeleton_id: int
    recording_id: int
    labels: tuple[str, ...]  # all names on it, each once, in order
    description: str
    source: str
    format: str
    licence: str
    credit: str
    imported_at: str
    notes: tuple[str, ...]

    @property
    def duration_secs(self) -> float:
        return self.n_frames * self.frame_time

    @property
    def rate_hz(self) -> float:
        return 1.0 / self.frame_time

    @property
    def segment(self) -> Segment:
        """The whole clip."""
        return Segment(self.id, 0, self.n_frames)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "clip": self.name,
            "frames": self.n_frames,
            "frame_time": self.frame_time,
            "seconds": round(self.duration_secs, 6),
            "joints": self.n_joints,
            "skeleton": self.skeleton_id,
            "labels": list(self.labels),
            "description": self.description,
            "source": self.source,
            "format": self.format,
            "licence": self.licence,
            "credit": self.credit,
            "imported_at": self.imported_at,
            "notes": list(self.notes),
        }
