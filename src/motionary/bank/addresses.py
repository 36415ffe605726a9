"""How people write clips, segments and selections: `walk`, `#12`, `walk:30-90`, `walk:1.5s-3s`, `@kicks:1-5`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from motionary.errors import UsageError

_BOUND = r"[0-9]+(?:\.[0-9]*)?s|\.[0-9]+s|[0-9]+"
_INTERVAL = re.compile(rf"(?P<start>{_BOUND})?\s*-\s*(?P<stop>{_BOUND})?")
_COLONS = re.compile(rf":(?P<start>{_BOUND}):(?P<stop>{_BOUND})$")
_RANKS = re.compile(r"(?P<first>[0-9]+)(?P<more>-(?P<last>[0-9]+)?)?|-(?P<up_to>[0-9]+)")
SELECTION_SIGN = "@"
LABEL_SIGN = "label:"  # before a label's name, for all that carry it


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


def parse_address(text: str, *, colons: bool = False) -> Address:
    """The clip and interval that `text` means, split at the last colon.

    A name that holds a colon itself needs no escape as long as what follows its last colon does not look like
    an interval; `#12` works for any name. With `colons`, `CLIP:30:90` is read as `CLIP:30-90`, too.
    """
    if colons:
        text = _COLONS.sub(r":\g<start>-\g<stop>", text)
    clip, colon, interval = text.rpartition(":")
    match = _INTERVAL.fullmatch(interval.strip()) if colon else None
    if match is None or not clip:
        if not text:
            raise UsageError("the clip name is empty; write CLIP or CLIP:START-STOP")
        return Address(text)
    return Address(clip, *(parse_bound(match[side]) if match[side] else None for side in ("start", "stop")))


def parse_bound(text: str) -> Bound:
    """The frame (`30`) or the time (`1.5s`) that `text` means."""
    if not re.fullmatch(_BOUND, text):
        raise UsageError(f"{text!r} is neither a frame (30) nor a time in seconds (1.5s)")
    value = float(text.removesuffix("s"))
    if value > 1e15:
        raise UsageError(f"{text!r} is beyond the end of any clip")
    return Bound(value, text.endswith("s"))


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of a selection's matches, as intervals with both their ends; an open one goes on for ever."""

    intervals: tuple[tuple[int, int | None], ...]

    def __contains__(self, rank: int) -> bool:
        return any(first <= rank and (last is None or rank <= last) for first, last in self.intervals)

    @property
    def single(self) -> tuple[int, ...]:
        """Those that are named one by one."""
        return tuple(first for first, last in self.intervals if first == last)


ALL_RANKS = Ranks(((1, None),))


def parse_selection(text: str) -> tuple[str, Ranks]:
    """The selection's name and the ranks that `@kicks`, `@kicks:3` or `@kicks:1-5,9` means."""
    name, colon, ranks = text.removeprefix(SELECTION_SIGN).partition(":")
    return name, parse_ranks([ranks]) if colon else ALL_RANKS


def parse_ranks(ranks: Iterable[int | str]) -> Ranks:
    """The ranks that are meant: numbers, or texts such as `3`, `1-5` (5 is one of them), `7-`, `-4`, `1-5,9`."""
    intervals: list[tuple[int, int | None]] = []
    for text in [part.strip() for given in ranks for part in str(given).split(",")]:
        match = _RANKS.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} is not a rank; write 3, 1-5 (inclusive), 7- or 1-5,9")
        first = int(match["first"] or 1)
        end = match["up_to"] or match["last"]
        last = int(end) if end else None if match["more"] else first
        if first < 1 or (last is not None and last < first):
            raise UsageError(f"{text!r} is not a rank; ranks start at 1, and a range starts with the smaller one")
        intervals.append((first, last))
    return Ranks(tuple(intervals))
