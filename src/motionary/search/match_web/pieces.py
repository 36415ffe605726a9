"""Pieces of motions, and what is like a piece."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

MOSTLY = 0.5  # how much of a match lies within a rejected stretch, at least, if it is rejected


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """Frames [start, stop) of one motion of a web."""

    motion: int
    start: int
    stop: int

    def overlap(self, other: "Piece") -> float:
        """What two pieces have in common, as a share of what they have together."""
        if self.motion != other.motion:
            return 0.0
        common = min(self.stop, other.stop) - max(self.start, other.start)
        return max(0.0, common / (max(self.stop, other.stop) - min(self.start, other.start)))

    def share_within(self, other: "Piece") -> float:
        """How much of it lies within another."""
        if self.motion != other.motion:
            return 0.0
        return max(0.0, (min(self.stop, other.stop) - max(self.start, other.start)) / (self.stop - self.start))


def is_rejected(piece: Piece, rejected: Collection[Piece]) -> bool:
    """Whether a piece lies mostly within one that is rejected."""
    return any(piece.share_within(stretch) > MOSTLY for stretch in rejected)


@dataclass(frozen=True, eq=False)
class Link:
    """One piece that is like another, and the way from one to the other in time."""

    piece: Piece
    cost: float  # the root of the mean of the squared distances along the way, in metres
    way: Callable[[], np.ndarray]  # (N, 2) int32: frames of both


@dataclass(frozen=True, eq=False)
class Links:
    """All that is like a piece, nearest first: hundreds in a large library, and that for thousands of pieces."""

    places: np.ndarray  # (K, 3) int64: motion, start and stop of each
    costs: np.ndarray  # (K,) float64
    way: Callable[[int], np.ndarray]  # of each, by its number

    @classmethod
    def of(cls, links: "Links | Iterable[Link]") -> "Links":
        """From one by one."""
        if isinstance(links, Links):
            return links
        found = list(links)
        places = np.array([(one.piece.motion, one.piece.start, one.piece.stop) for one in found], dtype=np.int64)
        costs = np.array([one.cost for one in found], dtype=np.float64)
        return cls(places.reshape(-1, 3), costs, lambda n: found[n].way())

    def up_to(self, cost: float) -> "Links":
        """Those of no larger cost."""
        n = int(np.searchsorted(self.costs, cost, "right"))
        return Links(self.places[:n], self.costs[:n], self.way)

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[Link]:
        for n, ((motion, start, stop), cost) in enumerate(zip(self.places.tolist(), self.costs.tolist(), strict=True)):
            yield Link(Piece(motion, start, stop), cost, partial(self.way, n))
