"""Warps: strictly increasing curves of time, made from alignments."""

from dataclasses import dataclass

import numpy as np

from motionary.alignment.pairs import Alignment
from motionary.errors import UsageError


@dataclass(frozen=True, eq=False)
class Warp:
    """Straight lines between knots, each later than the last in both motions; beyond the ends at the same pace."""

    query_times: np.ndarray  # (K,) frames, strictly increasing
    candidate_times: np.ndarray  # (K,) frames, strictly increasing

    def __post_init__(self) -> None:
        for name in ("query_times", "candidate_times"):
            times = np.array(getattr(self, name), dtype=np.float64)
            times.flags.writeable = False
            object.__setattr__(self, name, times)
            if times.ndim != 1 or len(times) == 0 or not (np.diff(times) > 0).all():
                raise UsageError("the times of a warp must increase strictly")
        if len(self.query_times) != len(self.candidate_times):
            raise UsageError("a warp needs as many times of the one motion as of the other")

    def __call__(self, query_times: np.ndarray) -> np.ndarray:
        """The candidate's times (...) at the query's; frames need not be whole."""
        times = np.asarray(query_times, dtype=np.float64)
        inside = np.interp(times, self.query_times, self.candidate_times)
        before = np.minimum(times - self.query_times[0], 0.0)
        after = np.maximum(times - self.query_times[-1], 0.0)
        return np.asarray(inside + before + after)

    def inverse(self) -> "Warp":
        """From the candidate's times to the query's."""
        return Warp(self.candidate_times, self.query_times)


def warp_of(alignment: Alignment) -> Warp:
    """The warp through an alignment: where one motion waits for the other, through the middle of the wait.

    First and last pair are kept; gaps are crossed in straight lines. The alignment needs at least one pair.
    """
    pairs = alignment.pairs.astype(np.float64)
    if len(pairs) == 0:
        raise UsageError("an alignment without pairs gives no warp")
    runs = _waits(alignment.pairs)
    knots = np.array([(pairs[first] + pairs[last]) / 2 for first, last in runs])
    knots[-1] = pairs[-1]
    knots[0] = pairs[0]
    return Warp(knots[:, 0], knots[:, 1])


def _waits(pairs: np.ndarray) -> list[tuple[int, int]]:
    """The first and last pair of every longest stretch in which one of the motions does not move.

    Two waits may share the pair where one ends and the other begins; pairs outside of any are their own.
    """
    waits, first = [], 0
    while first < len(pairs):
        last = first
        if first + 1 < len(pairs):
            still = int(np.argmin(pairs[first + 1] - pairs[first]))
            while last + 1 < len(pairs) and pairs[last + 1, still] == pairs[first, still]:
                last += 1
        waits.append((first, last))
        turns = last > first and last + 1 < len(pairs) and bool((pairs[last + 1] == pairs[last]).any())
        first = last if turns else last + 1
    return waits
