"""Characteristic poses as people say them: frames of the query's clip, or times in it."""

import re
from dataclasses import dataclass
from typing import Any

from motionary.errors import UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.search.examples import Example, LibrarySegment


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame of a clip and its time; of what is no segment of the library, at the search rate and from its start."""

    frame: int
    secs: float

    def as_json(self) -> dict[str, Any]:
        return {"frame": self.frame, "secs": self.secs}


@dataclass(frozen=True, slots=True)
class Clock:
    """How frames of an example at the search rate are told in its clip."""

    first: int  # frame of the clip at the search rate with which the example starts
    step: float  # frames of the clip for one at the search rate
    rate_hz: float

    @classmethod
    def of(cls, example: Example) -> "Clock":
        if not isinstance(example, LibrarySegment):
            return cls(0, 1.0, SEARCH_RATE_HZ)
        return cls(example.search_frames[0], float(example.rates.step), example.rate_hz)

    def moment(self, frame: int) -> Moment:
        """Where a frame of the example, counted from its start, lies in the clip."""
        at = self.first + frame
        return Moment(round(at * self.step), at / self.rate_hz)

    def frame(self, word: str) -> int:
        """The frame of the example that a number or a time (`1.5s`) means; it may lie outside."""
        at = float(word[:-1]) * self.rate_hz if word.endswith("s") else float(word) / self.step
        return round(at) - self.first


def character_of(example: Example, words: str) -> dict[str, Any]:
    """`frames` or `pose` of a query, from words: frames of the clip, times in it, or the name of a way."""
    if not re.fullmatch(r"[0-9.,s ]+", words):
        return {"pose": words.strip()}
    clock, frames = Clock.of(example), []
    for word in words.split(","):
        text = word.strip()
        try:
            frames.append(clock.frame(text))
        except ValueError:
            raise UsageError(f"{words!r} are not frames; write 45 or 1.5s, separated by commas") from None
        if not 0 <= frames[-1] < example.n_frames:
            own = example.segment if isinstance(example, LibrarySegment) else None
            start, stop = (0, example.n_frames) if own is None else (own.start, own.stop)
            frame_time = 1.0 / (clock.step * clock.rate_hz)
            raise UsageError(
                f"{text} is outside the query, which has frames {start}-{stop} of its motion, "
                f"{start * frame_time:.2f}s to {stop * frame_time:.2f}s"
            )
    return {"frames": tuple(frames)}
