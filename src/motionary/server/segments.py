"""Segments as calls name them: by the clip's number and frames, never by text, which could mean a file."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Segment

LARGEST = 2**63 - 1


class Strict(BaseModel):
    """The body of a call: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SegmentBody(Strict):
    """Frames [start, stop) of one clip."""

    clip_id: Annotated[int, Field(ge=1, le=LARGEST)]
    start: Annotated[int, Field(ge=0, le=LARGEST)]
    stop: Annotated[int, Field(ge=1, le=LARGEST)]
    mirrored: bool = False

    def of(self, bank: Bank) -> Segment:
        """The segment; raises if the clip has no such frames."""
        if self.start >= self.stop:
            raise UsageError(f"there are no frames {self.start}-{self.stop}: a segment ends after it starts")
        return bank.segment_of(Segment(self.clip_id, self.start, self.stop))


def segments_of(bank: Bank, bodies: Sequence[SegmentBody]) -> list[Segment]:
    """All of them, in order."""
    return [body.of(bank) for body in bodies]
