"""What reading a motion file gives."""

from dataclasses import dataclass

from motionary.motion import Recording


@dataclass(frozen=True, eq=False)
class MotionFile:
    """The recordings of one file: one for each root of its hierarchy, as the file wrote them.

    Their space is not guessed here: lengths are in the file's unit (Space() says 1 m), axes as written.
    """

    recordings: tuple[Recording, ...]
    notes: tuple[str, ...] = ()  # what was odd in the file, and how it was understood
