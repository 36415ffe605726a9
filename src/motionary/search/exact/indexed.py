"""Exact search through the index: what the scan answers, to the last bit, long before it.

A bound for every window comes from the library's projection, many windows side by side. Those that may be among the
nearest are bounded again in all dimensions, and only those that then would be matches are measured as the scan does
it. It is over when every match that bounds and distances together lead to has been measured: whatever was not is no
nearer than its bound, and so comes later, or is too near to a better match.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import GROUP, MOST_WIDE, euclid_lanes, lanes_for
from motionary.search.exact.all_lengths import LikelyRows
from motionary.search.exact.bounding import Weighting, common_in
from motionary.search.exact.candidates import BEYOND, MEASURED, Candidates
from motionary.search.exact.index import Index
from motionary.search.exact.measuring import match_of
from motionary.search.exact.places import Places
from motionary.search.exact.plan import SearchPlan
from motionary.search.exact.query import Query
from motionary.search.exact.result import SearchResult, Stage
from motionary.search.exact.scan import scan
from motionary.search.exact.variants import Comparison

FIRST_LOOK = 10  # every so-many-th query frame, to find a few near windows to begin with
LOOKED_AT = 4  # times as many as matches are wanted
LEAST_LOOKED_AT = 32
MOST_FIRST = 256  # matches: for more, a first look finds nothing that helps
TILE = 256  # windows, of which the first look takes one
N_LIKELY = 8  # windows for every start that a match keeps others away from: enough of them, most likely
MOST_FOUND = 1 << 23  # windows that are kept: where more are near enough, the scan takes no longer, and less memory


def search(index: Index, query: Query, *, clip_ids: Collection[int] | None = None) -> SearchResult:
    """The matches of the query among all offsets of all clips (or of those with `clip_ids`): those of `scan`."""
    comparison = Comparison.of(query)
    variants = list(comparison.variants())
    weightings = [Weighting.of(variant.weights) for variant in variants]
    widest = max(lanes_for(variant.radii) for variant in variants)
    if None in weightings or widest > MOST_WIDE:
        return scan(index.features, query, clip_ids=clip_ids)
    shortest = min(variant.n_frames for variant in variants)
    places = Places.of(index.features, clip_ids, shortest)
    if places.n_clips == 0:
        return SearchResult(query, (), 0, 0, 0, (Stage("windows", 0),))
    plan = SearchPlan(index, comparison, variants, [each for each in weightings if each is not None], places)
    try:
        with np.errstate(over="raise", invalid="raise"):
            windows, taken = _lcss(plan) if query.distance == "lcss" else _summed(plan)
    except (_TooManyError, FloatingPointError):  # or numbers beyond single precision
        return scan(index.features, query, clip_ids=clip_ids)
    matches = tuple(
        match_of(
            *(index.features, comparison, variants[windows.variants[window]]),
            clip=int(windows.clips[window]),
            start=int(windows.starts[window]),
            distance=float(windows.keys[window]),
            tie=float(windows.ties[window]),
        )
        for window in taken.tolist()
    )
    n_compared = sum(places.n_windows(variant.n_frames) for variant in variants)
    stages = (
        Stage("windows", n_compared),
        Stage("passed the coarse filter", len(windows)),
        Stage("bounded in all dimensions", windows.n_known(BEYOND)),
        Stage("measured", windows.n_known(MEASURED)),
    )
    return SearchResult(query, matches, places.n_windows(shortest), n_compared, places.n_clips, stages)


class _TooManyError(Exception):
    """More windows are near enough than are kept."""


@dataclass(eq=False)
class _Found:
    """Windows with bounds no farther than `near`: all there are, of the variants that were looked at."""

    near: float
    n_enough: float  # windows that will do to find the matches among them
    parts: list[tuple[int, np.ndarray, np.ndarray]] = field(default_factory=list)  # variant, rows, bounds
    n_windows: int = 0

    def add(self, number: int, rows: np.ndarray, bounds: np.ndarray) -> None:
        kept = bounds <= self.near
        self.parts.append((number, rows[kept], bounds[kept]))
        self.n_windows += int(kept.sum())
        if self.n_windows > MOST_FOUND:
            nearest = self.nearest()
            self.near, self.parts, self.n_windows = nearest.near, nearest.parts, nearest.n_windows
            if self.n_windows > MOST_FOUND:
                raise _TooManyError

    def nearest(self) -> "_Found":
        """As many as will do, and those that are no farther; all, if there are not as many."""
        if self.n_windows <= self.n_enough:
            return self
        bounds = np.concatenate([bounds for _, _, bounds in self.parts])
        return self.within(float(np.partition(bounds, int(self.n_enough))[int(self.n_enough)]))

    def joined(self, other: "_Found") -> "_Found":
        """With those of other variants, looked at as far."""
        return _Found(self.near, self.n_enough, self.parts + other.parts, self.n_windows + other.n_windows)

    def within(self, near: float) -> "_Found":
        parts = [(number, rows[bounds <= near], bounds[bounds <= near]) for number, rows, bounds in self.parts]
        return _Found(near, self.n_enough, parts, sum(len(rows) for _, rows, _ in parts))


def _answered(
    plan: SearchPlan, found: _Found, look: Callable[[float], _Found], *, steps: Sequence[float] = (), tie: float = 0.0
) -> tuple[Candidates, np.ndarray]:
    """The windows found, or some of them, and the matches; `look` finds more, as far as it is told, until they do.

    Where there are too few, it goes on to the next of the `steps`, and to all of the library only when they are over.
    """
    some = found.nearest()
    while True:
        windows = Candidates.of(plan, some.parts, tie=tie)
        taken = windows.settle(plan)
        reached = _reached(plan, windows, taken)
        if reached <= some.near:
            return windows, taken
        if reached > found.near:
            if len(taken) != plan.query.k:
                reached = min([reached, *(step for step in steps if step > found.near)])
            found = look(reached)
        some = found.within(reached)


def _reached(plan: SearchPlan, windows: Candidates, taken: np.ndarray) -> float:
    """How far one must have looked for these to be the matches."""
    is_full = len(taken) == plan.query.k
    return float(windows.keys[taken[-1]]) if is_full else plan.comparison.limit


def _enough(plan: SearchPlan) -> float:
    k = plan.query.k
    return np.inf if k is None else N_LIKELY * k * plan.least_onset


def _summed(plan: SearchPlan) -> tuple[Candidates, np.ndarray]:
    """Euclid and DTW: windows whose bounds in the projection are near enough, and the matches among them."""
    others = [number for number in range(len(plan.variants)) if number not in plan.unscaled]
    steps = _first_look(plan)
    near = min([plan.comparison.limit, *steps])
    n_enough = _enough(plan) if near == np.inf else np.inf
    found = _seen(plan, plan.unscaled, near, n_enough=n_enough)
    windows, taken = _answered(plan, found, lambda near: _seen(plan, plan.unscaled, near), steps=steps)
    if not others:
        return windows, taken
    # What the query's own length leads to tells how far one has to look at the others
    near = min(_reached(plan, windows, taken), plan.comparison.limit)
    every = [*plan.unscaled, *others]
    if near > found.near:
        found = _seen(plan, every, near)
    else:
        found = found.within(near).joined(_seen(plan, others, near))
    return _answered(plan, found, lambda near: _seen(plan, every, near), steps=steps)


def _seen(plan: SearchPlan, numbers: list[int], near: float, *, n_enough: float = np.inf) -> _Found:
    """All windows of some variants no farther than `near` in the projection."""
    if plan.is_grouped:
        return _seen_in_groups(plan, numbers, near, n_enough)
    found, likely = _Found(near, n_enough), LikelyRows(plan, numbers, near)
    for number, projection in plan.projections(numbers, plain=plan.is_signed):
        bounds = plan.bounds(number, projection)
        spans, few = likely.spans(number, projection)
        sums = bounds.sums(spans, limit=found.near, few=few)
        rows = np.flatnonzero(sums <= np.float32(bounds.at_most(found.near)))
        found.add(number, rows + projection.first, bounds.distances(sums[rows]))
    return found


def _seen_in_groups(plan: SearchPlan, numbers: list[int], near: float, n_enough: float) -> _Found:
    """All windows of some variants that groups of poses do not keep farther than `near`."""
    found = _Found(near, n_enough)
    for number in numbers:
        bounds = plan.group_bounds(number, limit=found.near)
        groups = np.flatnonzero((bounds <= found.near) & (bounds < np.inf))
        rows = (groups[:, None] * GROUP + np.arange(GROUP)).reshape(-1)
        found.add(number, rows, np.repeat(bounds[groups], GROUP))
    return found


def _first_look(plan: SearchPlan) -> list[float]:
    """How far the k-th match will be at most, or nearly so, from a few windows that look near at a glance; and, since a
    better window between two of them may put both out, how far it will be if it is not."""
    k = plan.query.k
    if k is None or k > MOST_FIRST or plan.is_signed:
        return []
    windows = Candidates.of(plan, _nearest_in_groups(plan) if plan.is_grouped else _nearest_at_a_glance(plan), tie=0.0)
    nearest = windows.taken(plan, most=max(LOOKED_AT * k, LEAST_LOOKED_AT))
    windows.bound(plan, nearest)
    bounded = np.sort(windows.keys[nearest])
    return [float(bound * (1.0 + 1e-3)) for bound in bounded[k - 1 :: k]]


def _nearest_at_a_glance(plan: SearchPlan) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Variants of the query's length with rows and sums over a few frames: the least of every tile of windows."""
    found: dict[int, tuple[int, np.ndarray, np.ndarray]] = {}
    for number, projection in plan.projections(plan.unscaled, plain=False):
        if number in found:
            break  # a large library is looked at in its first part only
        bounds = plan.bounds(number, projection)
        sums = np.full(projection.poses.n_frames, np.inf, dtype=np.float32)
        spans = plan.spans(plan.variants[number], projection)
        euclid_lanes(bounds.lane_query, projection.poses, spans, every=FIRST_LOOK, out=sums)
        rows = _least_of_tiles(sums, TILE)
        found[number] = (number, rows + projection.first, sums[rows].astype(np.float64))
    return list(found.values())


def _nearest_in_groups(plan: SearchPlan) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """The same by the bounds of groups; a row in the midst of each stands for all."""
    found = []
    for number in plan.unscaled:
        bounds = plan.group_bounds(number)
        groups = _least_of_tiles(bounds, TILE // GROUP)
        found.append((number, groups * GROUP + GROUP // 2, bounds[groups]))
    return found


def _least_of_tiles(sums: np.ndarray, size: int) -> np.ndarray:
    """Where the least sum of every tile of that size is."""
    n_tiles = len(sums) // size
    least = sums[: n_tiles * size].reshape(n_tiles, size).argmin(axis=1) + np.arange(n_tiles) * size
    rest = sums[n_tiles * size :]
    if len(rest):
        least = np.append(least, n_tiles * size + rest.argmin())
    return least[sums[least] < np.inf]


def _lcss(plan: SearchPlan) -> tuple[Candidates, np.ndarray]:
    """LCSS: windows that may have enough frames in common, and the matches among them."""

    def look(near: float, *, n_enough: float = np.inf) -> _Found:
        found = _Found(near, n_enough)
        for number, projection in plan.projections(list(range(len(plan.variants))), plain=True):
            variant = plan.variants[number]
            n_common = common_in(variant, projection, plan.spans(variant, projection))
            rows = np.flatnonzero(n_common)
            found.add(number, rows + projection.first, 1.0 - n_common[rows] / variant.n_counted)
        return found

    found = look(plan.comparison.limit, n_enough=_enough(plan))
    return _answered(plan, found, look, tie=-np.inf if plan.is_signed else 0.0)
