"""Alignments: which frame of a query goes with which frame of a candidate."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError


@dataclass(frozen=True, eq=False)
class Alignment:
    """Pairs of frames, both in order of time; neither goes back, and no pair is there twice.

    That of DTW leaves no frame out; that of LCSS has gaps.
    """

    pairs: np.ndarray  # (K, 2) int32: query frame, candidate frame

    def __post_init__(self) -> None:
        pairs = np.array(self.pairs, dtype=np.int32).reshape(-1, 2)
        steps = pairs[1:] - pairs[:-1]
        if (pairs[:1] < 0).any() or (steps < 0).any() or not steps.any(axis=1).all():
            raise UsageError("the pairs of an alignment must go forward in time, from frame 0 on")
        pairs.flags.writeable = False
        object.__setattr__(self, "pairs", pairs)

    @property
    def n_pairs(self) -> int:
        return len(self.pairs)

    @property
    def has_gaps(self) -> bool:
        """Whether frames between its ends go with none."""
        return bool((np.diff(self.pairs, axis=0) > 1).any())

    def completed(self, n_query: int, n_candidate: int) -> "Alignment":
        """The alignment with every frame of both in it: gaps, and what is before and after, are filled in straight
        lines; without any pair, from end to end."""
        return completed(self.pairs, n_query, n_candidate)


def completed(pairs: np.ndarray, n_query: int, n_candidate: int) -> Alignment:
    """The alignment of pairs (K, 2) that may leave out frames, as `Alignment.completed` fills them in."""
    ends = np.array([[-1, -1], [n_query, n_candidate]])
    knots = np.concatenate([ends[:1], pairs, ends[1:]])
    path, done = [], 1
    for n in np.flatnonzero((knots[1:] - knots[:-1] > 1).any(axis=1)).tolist():
        filled = _between(knots[n], knots[n + 1], first=n == 0, last=n == len(knots) - 2)
        path += [knots[done : n + 1], filled]
        done = n + 1
    return Alignment(np.concatenate([*path, knots[done:-1]]))


def composed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Pairs (a, c) where first has (a, b) and second (b, c), b taken to the nearest that second knows."""
    at = np.minimum(np.searchsorted(second[:, 0], first[:, 1]), len(second) - 1)
    pairs = np.stack([first[:, 0], second[at, 1]], axis=1)
    new = np.ones(len(pairs), dtype=bool)
    new[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)  # both go forward, so that what is equal is side by side
    return pairs[new]


def _between(before: np.ndarray, after: np.ndarray, *, first: bool, last: bool) -> np.ndarray:
    """The pairs of a straight line strictly between two, by steps that leave no frame out."""
    frames, others = after - before - 1  # left out on either side
    n_steps = max(frames, others)
    if n_steps == 0:
        return np.zeros((0, 2), dtype=np.int64)
    share = np.arange(1, n_steps + 1) / (n_steps + 1)
    filled = before + np.floor(share[:, None] * (after - before) + 0.5).astype(np.int64)
    # Before the first pair and behind the last there is no pair to stand on: frames start at 0, and end at the last
    low = before + 1 if first else before
    high = after - 1 if last else after
    return np.clip(filled, low, np.maximum(high, low))
