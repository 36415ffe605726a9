"""Labelled segments as examples, and the pieces of them that are looked for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.motion import Segment

PIECE_SECS = 2.0  # longer examples are looked for in pieces: no two performances of 8 s go alike
HOP_SECS = 1.0  # between the starts of pieces
MOST_PIECES = 5  # of one example, evenly spread over it


@dataclass(frozen=True, slots=True, order=True)
class LabelledSegment:
    """An example: a segment, and the label that is right for it."""

    segment: Segment
    label: str


def piece_frames(rate_hz: float) -> int:
    """How long a piece is at most."""
    return round(PIECE_SECS * rate_hz)


def pieces(start: int, stop: int, *, rate_hz: float) -> list[tuple[int, int]]:
    """The pieces of frames [start, stop) that are looked for: all of it if it is short."""
    longest, hop = piece_frames(rate_hz), round(HOP_SECS * rate_hz)
    if stop - start <= longest:
        return [(start, stop)]
    n_pieces = min(1 - (longest - (stop - start)) // hop, MOST_PIECES)
    starts = np.linspace(start, stop - longest, n_pieces).round().astype(int).tolist()
    return [(first, first + longest) for first in starts]


def some_of_each(examples: Sequence[LabelledSegment], most: int) -> list[LabelledSegment]:
    """At most so many examples of each label, evenly spread over all of them in their order; in order."""
    chosen: list[LabelledSegment] = []
    for label in dict.fromkeys(example.label for example in examples):
        its = [example for example in examples if example.label == label]
        numbers = np.linspace(0, len(its) - 1, min(most, len(its))).round().astype(int)
        chosen += [its[number] for number in numbers]
    return sorted(chosen)
