"""The longest common subsequence: how many frames of a query a candidate goes through, in order, near enough."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment.pairs import Alignment
from motionary.alignment.shapes import compared, frame_thresholds, window_radii
from motionary.errors import UsageError


@dataclass(frozen=True, slots=True)
class Likeness:
    """How many of the query's frames were found, of how many that count."""

    n_common: int
    n_counted: int

    @property
    def similarity(self) -> float:
        return self.n_common / self.n_counted

    @property
    def distance(self) -> float:
        return 1.0 - self.similarity

    @property
    def is_match(self) -> bool:
        """Nothing in common is no match, however few matches there are."""
        return self.n_common > 0


def lcss(query: np.ndarray, candidate: np.ndarray, *, thresholds: np.ndarray, radius: int | np.ndarray = 0) -> Likeness:
    """How long a common subsequence both have, within |i − j| ≤ `radius`, which may differ by query frame.

    `thresholds` (D,) or (n, D) belong to the query frame. Frames match where every dimension does: |q − c| ≤ ε for
    ε ≥ 0 (inclusion), |q − c| > |ε| for ε < 0 (exclusion), always for ε = ∞ (don't-care). Query frames whose
    dimensions are all don't-care do not count.
    """
    query, candidate, thresholds, radii, counted = _checked(query, candidate, thresholds, radius)
    n_common = _lcss(query, candidate, thresholds, radii, counted, np.empty(len(query) + 1, dtype=np.int32))
    return Likeness(int(n_common), int(counted.sum()))


def lcss_alignment(
    query: np.ndarray, candidate: np.ndarray, *, thresholds: np.ndarray, radius: int | np.ndarray = 0
) -> tuple[Likeness, Alignment]:
    """What `lcss` gives, and which frames match: pairs with gaps between them.

    Of several longest ones it is the one that, read from the end, takes every pair it can, and else leaves out a
    query frame before a candidate's.
    """
    query, candidate, thresholds, radii, counted = _checked(query, candidate, thresholds, radius)
    lengths = np.empty((len(query) + 1, len(query) + 1), dtype=np.int32)
    _lcss_lengths(query, candidate, thresholds, radii, counted, lengths)
    pairs = np.empty((len(query), 2), dtype=np.int32)
    n_pairs = _back_track(query, candidate, thresholds, radii, counted, lengths, pairs)
    return Likeness(int(lengths[-1, -1]), int(counted.sum())), Alignment(pairs[:n_pairs][::-1])


def counted_frames(thresholds: np.ndarray) -> np.ndarray:
    """Which query frames (n,) count: those with a dimension that matters; `thresholds` are (n, D)."""
    return np.asarray(~np.isinf(thresholds).all(axis=1))


def lcss_reference(query: np.ndarray, candidate: np.ndarray, thresholds: np.ndarray, radii: np.ndarray) -> Likeness:
    """What `lcss` computes, from the definition."""
    n_frames = len(query)
    longest = np.zeros((n_frames + 1, n_frames + 1), dtype=int)
    for i in range(n_frames):
        for j in range(n_frames):
            gaps = np.abs(query[i] - candidate[j])
            near = np.where(thresholds[i] >= 0, gaps <= thresholds[i], gaps > -thresholds[i])
            matters = not np.isinf(thresholds[i]).all()
            longest[i + 1, j + 1] = max(longest[i, j + 1], longest[i + 1, j])
            if abs(i - j) <= radii[i] and near.all() and matters:
                longest[i + 1, j + 1] = longest[i, j] + 1
    return Likeness(int(longest[-1, -1]), int(sum(not np.isinf(row).all() for row in thresholds)))


def _checked(
    query: np.ndarray, candidate: np.ndarray, thresholds: np.ndarray, radius: int | np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    query, candidate = compared(query, candidate)
    thresholds = frame_thresholds(thresholds, query.shape)
    counted = counted_frames(thresholds)
    if not counted.any():
        raise UsageError("all thresholds are infinite, so nothing would be compared")
    return query, candidate, thresholds, window_radii(radius, len(query)), counted


@njit(cache=True, nogil=True)
def _frames_match(query, candidate, thresholds, i, j):  # type: ignore[no-untyped-def]
    for d in range(query.shape[1]):
        threshold = thresholds[i, d]
        gap = abs(query[i, d] - candidate[j, d])
        if threshold >= 0.0:
            if gap > threshold:
                return False
        elif gap <= -threshold:
            return False
    return True


@njit(cache=True, nogil=True)
def _lcss(query, candidate, thresholds, radii, counted, longest):  # type: ignore[no-untyped-def]
    # longest[j]: with all query frames so far and candidate frames before j. Outside a row's window nothing matches,
    # so that there only a longer one from the left can come in; lengths never fall along a row, so it ends early.
    n_frames = query.shape[0]
    for j in range(n_frames + 1):
        longest[j] = 0
    for i in range(n_frames):
        if not counted[i]:
            continue
        low, high = max(0, i - radii[i]), min(n_frames, i + radii[i] + 1)
        aslant = longest[low]
        for j in range(low, high):
            above = longest[j + 1]
            if _frames_match(query, candidate, thresholds, i, j):
                longest[j + 1] = aslant + 1
            elif longest[j] > above:
                longest[j + 1] = longest[j]
            aslant = above
        for j in range(high, n_frames):
            if longest[j + 1] >= longest[j]:
                break
            longest[j + 1] = longest[j]
    return longest[n_frames]


@njit(cache=True, nogil=True)
def _lcss_lengths(query, candidate, thresholds, radii, counted, lengths):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    for j in range(n_frames + 1):
        lengths[0, j] = 0
    for i in range(n_frames):
        lengths[i + 1, 0] = 0
        for j in range(n_frames):
            if counted[i] and abs(i - j) <= radii[i] and _frames_match(query, candidate, thresholds, i, j):
                lengths[i + 1, j + 1] = lengths[i, j] + 1
            else:
                lengths[i + 1, j + 1] = max(lengths[i, j + 1], lengths[i + 1, j])


@njit(cache=True, nogil=True)
def _back_track(query, candidate, thresholds, radii, counted, lengths, pairs):  # type: ignore[no-untyped-def]
    """Every pair goes back in both motions: `pairs` has room for F."""
    i = j = query.shape[0]
    n_pairs = 0
    while i > 0 and j > 0:
        a, b = i - 1, j - 1
        if counted[a] and abs(a - b) <= radii[a] and _frames_match(query, candidate, thresholds, a, b):
            pairs[n_pairs, 0], pairs[n_pairs, 1] = a, b
            n_pairs += 1
            i, j = a, b
        elif lengths[a, j] == lengths[i, j]:
            i = a
        else:
            j = b
    return n_pairs
