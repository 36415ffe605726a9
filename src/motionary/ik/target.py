"""A place to be at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A place, in metres, that a joint has to be at in one frame."""

    joint: str
    frame: int
    place: tuple[float, float, float]
