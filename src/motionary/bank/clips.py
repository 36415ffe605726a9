"""What the bank tells about its clips."""

import math
import re
from dataclasses import dataclass
from typing import Any

from motionary.errors import UsageError
from motionary.motion import Segment

SPREAD = "spread"  # an origin: by likeness to an example, which stands behind it


@dataclass(frozen=True, slots=True)
class Label:
    """A name on a clip (no interval) or on a segment of it."""

    name: str
    start: int | None = None
    stop: int | None = None
    strength: float = 1.0
    origin: str = "hand"

    def __post_init__(self) -> None:
        if not self.name.strip() or self.name != self.name.strip() or not _is_text(self.name):
            raise UsageError(
                f"{self.name!r} cannot be a label: it is empty, starts or ends with a space, or contains control "
                "characters"
            )
        if (self.start is None) != (self.stop is None):
            raise UsageError(f"label {self.name!r}: a segment needs a start and a stop")
        if self.start is not None and self.stop is not None:
            _check_interval(f"label {self.name!r}", self.start, self.stop)
        if not math.isfinite(self.strength):
            raise UsageError(f"label {self.name!r}: its strength is {self.strength}, not a number")

    @property
    def is_whole_clip(self) -> bool:
        return self.start is None

    @property
    def is_spread(self) -> bool:
        """Whether it was given by likeness, and nobody has accepted it yet."""
        return self.origin.split(" ")[0] == SPREAD

    def as_json(self) -> dict[str, Any]:
        return {
            "label": self.name,
            "start": self.start,
            "stop": self.stop,
            "strength": self.strength,
            "origin": self.origin,
        }


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


def check_name(name: str, what: str) -> None:
    """Raise unless this can be a name; `what` says of what."""
    if not isinstance(name, str):
        raise UsageError(f"{name!r} cannot be {what}: a name must be a string")
    if not name.strip() or name != name.strip() or not _is_text(name):
        raise UsageError(
            f"{name!r} cannot be {what}: it is empty, starts or ends with a space, or contains control characters"
        )


def check_clip_name(name: str) -> None:
    """Raise unless this can be a clip's name."""
    check_name(name, "a clip's name")
    if re.fullmatch(r"#[0-9]+", name):
        raise UsageError(f"{name!r} cannot be a clip's name: it looks like a clip id")


def possible_clip_name(text: str) -> str:
    """A clip's name as near to `text` as can be."""
    name = "".join(letter if _is_text(letter) else "_" for letter in text).strip() or "_"
    return f"_{name}" if re.fullmatch(r"#[0-9]+", name) else name


def _is_text(text: str) -> bool:
    """No control characters, and no bytes of a file's name that stand for no letter."""
    return not any(ord(letter) < 32 or ord(letter) == 127 or 0xD800 <= ord(letter) < 0xE000 for letter in text)


def _check_interval(what: str, start: int, stop: int) -> None:
    if not 0 <= start < stop:
        raise UsageError(f"{what}: there are no frames {start}-{stop}")
