"""Paths of the whole query through the library: half warps at both ends, warps between neighbouring anchors.

An anchor is a row of the library that is near one of the query's characteristic poses. With one such pose a way is
two half warps; with several, their anchors come in the same order, and the warp between two ends at both (the graph
of pairs in Forbes & Fiume 2005, sec. 5). Of all paths that end in the same anchor, the one with the least sum is kept:
the others would lie upon it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionary.search.wpca.warps import SLOPE, Halves, half_warps

KEPT_SHARE = 0.8  # of the pairs, the nearest, that a robust mean counts


@dataclass(frozen=True, eq=False)
class Paths:
    """The best way through each anchor of the last characteristic pose that has one."""

    anchors: np.ndarray  # (N, P) rows, one for each characteristic pose
    starts: np.ndarray  # (N,) rows [start, stop)
    stops: np.ndarray
    means: np.ndarray  # (N,) distance of a pair along the way
    bent: np.ndarray  # (N, P + 1) of each part, the share of its steps that are not (1, 1); at most 1/2
    n_steps: np.ndarray  # (N, P + 1)
    pairs: np.ndarray  # (N, Q, 2) int32: query frames and rows, in no order; −1 where a way has no more
    costs: np.ndarray  # (N, Q) their distances; infinite where there is none

    @property
    def bent_share(self) -> np.ndarray:
        """The share (N,) of all steps that are not (1, 1)."""
        return np.asarray((self.bent * self.n_steps).sum(axis=1) / np.maximum(self.n_steps.sum(axis=1), 1))

    @property
    def robust_means(self) -> np.ndarray:
        """The mean (N,) over the nearest 4/5 of the pairs: what is far off for a moment does not count."""
        n_kept = np.ceil(KEPT_SHARE * np.isfinite(self.costs).sum(axis=1)).astype(int)
        sums = np.cumsum(np.sort(self.costs, axis=1), axis=1)
        return np.asarray(sums[np.arange(len(sums)), n_kept - 1] / n_kept) if len(sums) else np.zeros(0)

    def path(self, number: int) -> np.ndarray:
        """The pairs (K, 2) of one way in the order of time."""
        pairs = self.pairs[number]
        pairs = pairs[pairs[:, 0] >= 0]
        return np.asarray(pairs[np.argsort(pairs.sum(axis=1))])  # which every step makes larger


def paths_through(
    query: np.ndarray,
    frames: Sequence[int],
    rows: np.ndarray,
    anchors: Sequence[np.ndarray],
    *,
    scales: np.ndarray,
    lows: Sequence[np.ndarray],
    highs: Sequence[np.ndarray],
) -> Paths:
    """The paths of a query (n, d) through rows (F, d or more) at `anchors`, one ascending array for each of `frames`.

    The first d columns of the rows count, times `scales`; those of the query are scaled already. Each way keeps to
    the clip [low, high) of its anchors.
    """
    last = len(frames) - 1
    warp = partial(half_warps, rows=rows, scales=scales)
    before = warp(query[frames[0] :: -1], places=anchors[0], sign=-1, rooms=anchors[0] - lows[0] + 1)
    after = warp(query[frames[last] :], places=anchors[last], sign=1, rooms=highs[last] - anchors[last])
    sums, parts = before.sums, [(before, np.arange(len(anchors[0])))]
    path = np.arange(len(anchors[0]))[:, None]  # of each anchor, the numbers of those that lead to it and its own
    for stage in range(last):
        span = frames[stage + 1] - frames[stage]
        edges = _edges(anchors[stage], anchors[stage + 1], highs[stage], span)
        ends = anchors[stage + 1][edges[:, 1]]
        begins = anchors[stage][edges[:, 0]]
        part = query[frames[stage] : frames[stage + 1] + 1]
        joins = warp(part, places=begins, sign=1, rooms=ends - begins + 1, fixed=True)
        totals = sums[edges[:, 0]] + joins.sums - joins.costs[:, 0]
        best = _least_by_end(edges[:, 1], totals)
        sums = np.full(len(anchors[stage + 1]), np.inf)
        sums[edges[best, 1]] = totals[best]
        came_by = np.full(len(sums), -1)
        came_by[edges[best, 1]] = best
        if not len(edges):
            none = [before[:0], *[joins[:0]] * last, after[:0]]
            return _assembled(none, frames, np.zeros((0, last + 1), dtype=np.int64))
        source = np.where(came_by >= 0, edges[came_by, 0], 0)
        parts = [(half, numbers[source]) for half, numbers in parts] + [(joins, came_by)]
        path = np.concatenate([path[source], np.arange(len(sums))[:, None]], axis=1)
    sums = sums + after.sums - after.costs[:, 0] if len(sums) else sums
    parts.append((after, np.arange(len(sums))))
    good = np.flatnonzero(np.isfinite(sums))
    chosen = [half[numbers[good]] for half, numbers in parts]
    return _assembled(chosen, frames, np.stack([anchors[p][path[good, p]] for p in range(last + 1)], axis=1))


def _assembled(parts: Sequence[Halves], frames: Sequence[int], anchors: np.ndarray) -> Paths:
    """Paths from their parts: the half before the first anchor, what joins anchors, the half after the last."""
    n_pairs = np.sum([part.n_pairs for part in parts], axis=0) - (len(parts) - 1)  # joints belong to two parts
    pairs, costs = [], []
    for number, part in enumerate(parts):
        stage, sign = (0, -1) if number == 0 else (number - 1, 1)
        longest = int(part.n_pairs.max(initial=1))  # nothing is behind it
        missing = np.arange(longest) >= part.n_pairs[:, None]
        missing[:, 0] |= number > 0
        found = np.empty((len(anchors), longest, 2), dtype=np.int32)
        found[:, :, 0] = frames[stage] + sign * part.paths[:, :longest, 0]
        found[:, :, 1] = anchors[:, stage, None] + sign * part.paths[:, :longest, 1]
        found[missing] = -1
        pairs.append(found)
        costs.append(np.where(missing, np.inf, part.costs[:, :longest]))
    together = np.concatenate(costs, axis=1)
    n_steps = np.stack([part.n_pairs - 1 for part in parts], axis=1)
    return Paths(
        anchors,
        anchors[:, 0] - parts[0].lengths + 1,
        anchors[:, -1] + parts[-1].lengths,
        np.where(np.isfinite(together), together, 0.0).sum(axis=1) / np.maximum(n_pairs, 1),
        np.stack([part.n_bent for part in parts], axis=1) / np.maximum(n_steps, 1),
        n_steps,
        np.concatenate(pairs, axis=1),
        together,
    )


def _edges(begins: np.ndarray, ends: np.ndarray, highs: np.ndarray, span: int) -> np.ndarray:
    """Numbers (E, 2) of anchors that a warp over `span` query frames can join: in one clip, neither near nor far."""
    firsts = np.searchsorted(ends, begins + span // SLOPE)
    stops = np.searchsorted(ends, np.minimum(begins + SLOPE * span + 2, highs))
    counts = np.maximum(stops - firsts, 0)
    sources = np.repeat(np.arange(len(begins)), counts)
    return np.stack(
        [sources, firsts[sources] + np.arange(len(sources)) - (np.cumsum(counts) - counts)[sources]], axis=1
    )


def _least_by_end(ends: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """The edges with the least total to each end, the first of equals; none that is infinite."""
    order = np.lexsort((np.arange(len(ends)), totals, ends))
    order = order[np.isfinite(totals[order])]
    new = np.concatenate([[True], np.diff(ends[order]) != 0]) if len(order) else np.zeros(0, dtype=bool)
    return np.asarray(order[new])
