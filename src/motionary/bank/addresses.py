"""How people write clips and segments: `walk`, `#12`, `walk:30-90`, `walk:1.5s-3s`."""

import re
from dataclasses import dataclass

from motionary.errors import UsageError

_BOUND = r"[0-9]+(?:\.[0-9]*)?s|\.[0-9]+s|[0-9]+"
_INTERVAL = re.compile(rf"(?P<start>{_BOUND})?-(?P<stop>{_BOUND})?")


@dataclass(frozen=True, slots=True)
class Bound:
    """A frame, or a time in seconds."""

    value: float
    in_secs: bool

    def frame(self, frame_time: float) -> int:
        """The frame at that time, rounded to the nearest."""
        return round(self.value / frame_time) if self.in_secs else int(self.value)


@dataclass(frozen=True, slots=True)
class Address:
    """A clip by name or number, and the part of it that is meant; None: from the start, to the end."""

    clip: str
    start: Bound | None = None
    stop: Bound | None = None

    @property
    def clip_id(self) -> int | None:
        """The number behind `#12`; None if the clip is given by name."""
        return int(self.clip[1:]) if re.fullmatch(r"#[0-9]+", self.clip) else None

    @property
    def is_whole(self) -> bool:
        return self.start is None and self.stop is None


def parse_address(text: str) -> Address:
    """The clip and interval that `text` means, split at the last colon.

    A name that holds a colon itself needs no escape as long as what follows its last colon does not look like
    an interval; `#12` works for any name.
    """
    clip, colon, interval = text.rpartition(":")
    match = _INTERVAL.fullmatch(interval.strip()) if colon else None
    if match is None or not clip:
        if not text:
            raise UsageError("an empty text names no clip; write CLIP or CLIP:START-STOP")
        return Address(text)
    return Address(clip, *(parse_bound(match[side]) if match[side] else None for side in ("start", "stop")))


def parse_bound(text: str) -> Bound:
    """The frame (`30`) or the time (`1.5s`) that `text` means."""
    if not re.fullmatch(_BOUND, text):
        raise UsageError(f"{text!r} is neither a frame (30) nor a time in seconds (1.5s)")
    value = float(text.removesuffix("s"))
    if value > 1e15:
        raise UsageError(f"{text!r} is longer than any clip")
    return Bound(value, text.endswith("s"))
