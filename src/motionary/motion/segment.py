"""An interval of frames of one clip."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """Frames [start, stop) of one clip."""

    clip_id: int
    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"clip {self.clip_id} has no frames [{self.start}, {self.stop})")

    @property
    def n_frames(self) -> int:
        return self.stop - self.start

    def overlap(self, other: "Segment") -> int:
        """How many frames both hold."""
        if self.clip_id != other.clip_id:
            return 0
        return max(0, min(self.stop, other.stop) - max(self.start, other.start))
