"""What every example can do, whatever it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from motionary.errors import UsageError
from motionary.features import Network
from motionary.motion import Motion

Rows = Mapping[str, np.ndarray]  # (F, D) float32, by description


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the library an example lies."""

    clip_id: int
    start: int  # frame at the search rate


def no_network() -> Network | None:
    """What is known of a library that nothing was learned from."""
    return None


class Example(Protocol):
    """A motion that shows what is looked for, described at the search rate."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def n_frames(self) -> int:
        """Frames at the search rate."""
        ...

    @property
    def place(self) -> Place | None:
        """Its own place in the library; None for what is no segment of it."""
        ...

    def rows(self, length: int) -> Rows:
        """Its features, played in `length` frames."""
        ...

    def poses(self, length: int) -> Motion:
        """What a picture shows of it: the reference skeleton, played in `length` frames at the search rate."""
        ...


def check_example(given: object) -> None:
    """Raise unless it can do what every example can."""
    if all(hasattr(given, name) for name in ("name", "n_frames", "place", "rows", "poses")):
        return
    hint = "; search_bank makes an example of it" if hasattr(given, "segment") else ""
    hint = "; give its `query`" if hasattr(given, "matches") else hint
    raise UsageError(
        "a query is a segment (a string, a Segment, a match, a clip or its number), a motion file, a Motion, a list of "
        f"key poses, or the query of a result, and not a {type(given).__name__}{hint}"
    )
