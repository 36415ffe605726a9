"""Dynamic time warping: the least sum of weighted costs over all ways to go through two motions together."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment.pairs import Alignment
from motionary.alignment.shapes import compared, frame_weights, window_radii


@dataclass(frozen=True, eq=False)
class Warped:
    """A least sum, and the alignment that has it."""

    distance: float
    alignment: Alignment

    @property
    def mean(self) -> float:
        """The distance per pair."""
        return self.distance / self.alignment.n_pairs


def dtw(
    query: np.ndarray,
    candidate: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    radius: int | np.ndarray = 0,
    give_up_above: float = np.inf,
) -> float:
    """The least sum of Σ w (q_i − c_j)² over paths from the first pair of frames to the last.

    A path goes by steps (1, 0), (0, 1) and (1, 1), within |i − j| ≤ `radius`, which may differ by query frame.
    Weights are (D,) or (n, D), those of the query frame, and may be negative. Once all paths are above
    `give_up_above`, the answer is infinite; with negative weights that is never tried.
    """
    query, candidate = compared(query, candidate)
    weights = frame_weights(weights, query.shape)
    if (weights < 0).any():
        give_up_above = np.inf
    rows = np.empty((3, len(query)))
    radii = window_radii(radius, len(query))
    return float(_dtw(query, candidate, weights, radii, give_up_above, rows))


def dtw_alignment(
    query: np.ndarray,
    candidate: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    radius: int | np.ndarray = 0,
) -> Warped:
    """The distance of `dtw`, to the last bit, with its alignment.

    Where several paths have the least sum it is the one that, read from the end, goes back in both motions if it
    can, else in the query, else in the candidate.
    """
    query, candidate = compared(query, candidate)
    n_frames = len(query)
    sums = np.empty((n_frames, n_frames))
    _dtw_sums(
        query,
        candidate,
        frame_weights(weights, query.shape),
        window_radii(radius, n_frames),
        np.empty(n_frames),
        sums,
    )
    pairs = np.empty((2 * n_frames, 2), dtype=np.int32)
    n_pairs = _back_track(sums, pairs)
    return Warped(float(sums[-1, -1]), Alignment(pairs[:n_pairs][::-1]))


def dtw_reference(query: np.ndarray, candidate: np.ndarray, weights: np.ndarray, radii: np.ndarray) -> float:
    """What `dtw` computes, from the definition: the least sum to a pair is its own cost and the least before it."""
    n_frames = len(query)
    least = np.full((n_frames, n_frames), np.inf)
    for i in range(n_frames):
        for j in range(n_frames):
            if abs(i - j) > radii[i]:
                continue
            before = [least[i - a, j - b] for a, b in ((1, 1), (1, 0), (0, 1)) if i >= a and j >= b]
            cost = np.sum(weights[i] * (query[i] - candidate[j]) ** 2)
            least[i, j] = cost + (min(before) if before else 0.0)
    return float(least[-1, -1])


@njit(cache=True, nogil=True)
def _row_costs(query, candidate, weights, i, first, stop, costs):  # type: ignore[no-untyped-def]
    """The costs of query frame i with candidate frames [first, stop).

    Every cost is summed from the first dimension to the last: this order is part of the distance's definition, so
    that all who compute it agree to the last bit. Four sums run side by side, because each has to wait for its own.
    """
    n_dimensions = query.shape[1]
    j = first
    while j + 4 <= stop:
        cost_0, cost_1, cost_2, cost_3 = 0.0, 0.0, 0.0, 0.0
        for d in range(n_dimensions):
            q, w = query[i, d], weights[i, d]
            gap_0, gap_1 = q - candidate[j, d], q - candidate[j + 1, d]
            gap_2, gap_3 = q - candidate[j + 2, d], q - candidate[j + 3, d]
            cost_0 += w * (gap_0 * gap_0)
            cost_1 += w * (gap_1 * gap_1)
            cost_2 += w * (gap_2 * gap_2)
            cost_3 += w * (gap_3 * gap_3)
        costs[j], costs[j + 1], costs[j + 2], costs[j + 3] = cost_0, cost_1, cost_2, cost_3
        j += 4
    while j < stop:
        cost = 0.0
        for d in range(n_dimensions):
            gap = query[i, d] - candidate[j, d]
            cost += weights[i, d] * (gap * gap)
        costs[j] = cost
        j += 1


@njit(cache=True, nogil=True)
def _dtw(query, candidate, weights, radii, give_up_above, rows):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    costs, before, here = rows[0], rows[1], rows[2]
    first, stop = 0, 0  # of the row before
    for i in range(n_frames):
        low, high = max(0, i - radii[i]), min(n_frames, i + radii[i] + 1)
        _row_costs(query, candidate, weights, i, low, high, costs)
        least = np.inf
        for j in range(low, high):
            above = before[j] if first <= j < stop else np.inf
            aslant = before[j - 1] if first <= j - 1 < stop else np.inf
            beside = here[j - 1] if j > low else np.inf
            best = min(min(above, aslant), beside)
            if i == 0 and j == 0:
                best = 0.0
            here[j] = best + costs[j]
            least = min(least, here[j])
        if least > give_up_above:
            return np.inf
        before, here = here, before
        first, stop = low, high
    return before[n_frames - 1]


@njit(cache=True, nogil=True)
def _dtw_sums(query, candidate, weights, radii, costs, sums):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    for i in range(n_frames):
        low, high = max(0, i - radii[i]), min(n_frames, i + radii[i] + 1)
        _row_costs(query, candidate, weights, i, low, high, costs)
        for j in range(n_frames):
            sums[i, j] = np.inf
        for j in range(low, high):
            best = np.inf
            if i > 0:
                best = sums[i - 1, j]
                if j > 0:
                    best = min(best, sums[i - 1, j - 1])
            if j > 0:
                best = min(best, sums[i, j - 1])
            if i == 0 and j == 0:
                best = 0.0
            sums[i, j] = best + costs[j]


@njit(cache=True, nogil=True)
def _back_track(sums, pairs):  # type: ignore[no-untyped-def]
    """Every step goes back in one motion or in both: `pairs` has room for 2 · F, whatever the sums are."""
    i = j = sums.shape[0] - 1
    n_pairs = 0
    while True:
        pairs[n_pairs, 0], pairs[n_pairs, 1] = i, j
        n_pairs += 1
        if i == 0 and j == 0:
            return n_pairs
        if i == 0:
            j -= 1
        elif j == 0:
            i -= 1
        else:
            best = min(min(sums[i - 1, j - 1], sums[i - 1, j]), sums[i, j - 1])
            if sums[i - 1, j - 1] == best:
                i, j = i - 1, j - 1
            elif sums[i - 1, j] == best:
                i -= 1
            else:
                j -= 1
