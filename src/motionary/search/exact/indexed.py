"""Exact search through the index: what the scan answers, to the last bit, long before it.

A bound for every window comes from the library's shadow, many windows side by side. Those that may be among the
nearest are bounded again in all dimensions, and only those that then would be matches are measured as the scan does
it. It is over when every match that bounds and distances together lead to has been measured: whatever was not is no
nearer than its bound, and so comes later, or is too near to a better match.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import MOST_WIDE, euclid_lanes, lanes_for
from motionary.search.exact.bounding import Bounds, Weighting, bounds_at, common_in, gathered
from motionary.search.exact.index import Index
from motionary.search.exact.measuring import match_of, measured
from motionary.search.exact.onsets import ranked, separated
from motionary.search.exact.places import Places
from motionary.search.exact.query import Query
from motionary.search.exact.result import SearchResult, Stage
from motionary.search.exact.scan import scan
from motionary.search.exact.shadows import Shadow
from motionary.search.exact.versions import Comparison, Version

FIRST_LOOK = 10  # every so-many-th query frame, to find a few near windows to begin with
LOOKED_AT = 4  # times as many as matches are wanted
MOST_FIRST = 256  # matches: for more, a first look finds nothing that helps
TILE = 256  # windows, of which the first look takes one


def search(index: Index, query: Query, *, clip_ids: Collection[int] | None = None) -> SearchResult:
    """The matches of the query among all offsets of all clips (or of those with `clip_ids`): those of `scan`."""
    comparison = Comparison.of(query)
    versions = list(comparison.versions())
    weightings = [Weighting.of(version.weights) for version in versions]
    widest = max(lanes_for(version.radii) for version in versions)
    if None in weightings or widest > MOST_WIDE:
        return scan(index.features, query, clip_ids=clip_ids)
    shortest = min(version.n_frames for version in versions)
    places = Places.of(index.features, clip_ids, shortest)
    if places.n_clips == 0:
        return SearchResult(query, (), 0, 0, 0, (Stage("windows", 0),))
    asked = _Asked(index, comparison, versions, [each for each in weightings if each is not None], places)
    windows, taken = _lcss(asked) if query.distance == "lcss" else _summed(asked)
    matches = tuple(
        match_of(
            *(index.features, comparison, versions[windows.versions[window]]),
            clip=int(windows.clips[window]),
            start=int(windows.starts[window]),
            distance=float(windows.keys[window]),
            tie=float(windows.ties[window]),
        )
        for window in taken.tolist()
    )
    n_compared = sum(places.n_windows(version.n_frames) for version in versions)
    stages = (
        Stage("windows", n_compared),
        Stage("near enough in the shadow", len(windows.keys)),
        Stage("bounded in all dimensions", int((windows.levels >= BOUNDED).sum())),
        Stage("measured", int((windows.levels == MEASURED).sum())),
    )
    return SearchResult(query, matches, places.n_windows(shortest), n_compared, places.n_clips, stages)


SEEN, BOUNDED, MEASURED = 0, 1, 2  # how well a window is known


@dataclass(frozen=True, eq=False)
class _Asked:
    """A query, and where it is looked for."""

    index: Index
    comparison: Comparison
    versions: list[Version]
    weightings: list[Weighting]
    places: Places
    _bounds: dict[int, tuple[Shadow, Bounds]] = field(default_factory=dict)

    @property
    def query(self) -> Query:
        return self.comparison.query

    @property
    def is_warped(self) -> bool:
        return self.query.distance != "euclid"

    def longer(self, version: Version) -> float:
        return self.comparison.n_frames / version.n_frames

    def bounds(self, number: int, shadow: Shadow) -> Bounds:
        """One version against a shadow; that of the last one is kept."""
        known = self._bounds.get(number)
        if known is not None and known[0] is shadow:
            return known[1]
        version = self.versions[number]
        bounds = Bounds.of(version, self.weightings[number], shadow, warped=self.is_warped, longer=self.longer(version))
        self._bounds[number] = (shadow, bounds)
        return bounds

    @property
    def least_onset(self) -> int:
        return self.query.least_onset(self.comparison.n_frames)

    def is_itself(self, clips: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Which windows are the query's own place, or too near to it."""
        own = self.query.example.place
        if own is None or self.query.with_itself:
            return np.zeros(len(clips), dtype=bool)
        there = clips == self.index.features.number(own.clip_id)
        return there & (np.abs(starts - own.start) < self.least_onset)


@dataclass(frozen=True, eq=False)
class _Windows:
    """Windows that may be matches, by clip, start and version, with the best that is known of each.

    Keys and ties are distances once a window is measured, and bounds before.
    """

    versions: np.ndarray  # (N,)
    clips: np.ndarray  # (N,)
    starts: np.ndarray  # (N,)
    rows: np.ndarray  # (N,)
    keys: np.ndarray  # (N,)
    ties: np.ndarray  # (N,)
    levels: np.ndarray  # (N,)

    @classmethod
    def of(cls, asked: _Asked, found: list[tuple[int, np.ndarray, np.ndarray]], *, tie: float) -> "_Windows":
        """From versions with rows and bounds."""
        parts = []
        for number, rows, keys in found:
            which, clips, starts = asked.places.windows(rows, asked.versions[number].n_frames)
            kept = np.flatnonzero(~asked.is_itself(clips, starts))
            which = which[kept]
            parts.append((np.full(len(kept), number), clips[kept], starts[kept], rows[which], keys[which]))
        empty = (*(np.zeros(0, dtype=np.int64),) * 4, np.zeros(0))
        versions, clips, starts, rows, keys = (
            np.concatenate([part[column] for part in [*parts, empty]]) for column in range(5)
        )
        order = np.lexsort((versions, starts, clips))
        n = len(order)
        known = (np.full(n, tie), np.full(n, SEEN, dtype=np.int8))
        return cls(versions[order], clips[order], starts[order], rows[order], keys[order], *known)

    def taken(self, asked: _Asked, *, most: int | None) -> np.ndarray:
        """What would be matches, were all bounds distances."""
        wanted = np.flatnonzero((self.keys <= asked.comparison.limit) & (self.keys < np.inf))
        clips, starts = self.clips[wanted], self.starts[wanted]
        order = ranked(clips, starts, self.keys[wanted], self.ties[wanted])
        return wanted[separated(order, clips, starts, least=asked.least_onset, most=most)]

    def bound(self, asked: _Asked, windows: np.ndarray, *, limit: float = np.inf) -> None:
        """Bound these windows in all dimensions, or say that they are beyond `limit`.

        With LCSS it is what decides between equal ones that is bounded.
        """
        bounded = self.ties if asked.query.distance == "lcss" else self.keys
        for number, some in self._by_version(windows):
            version = asked.versions[number]
            rows, back = np.unique(self.rows[some], return_inverse=True)
            bounds = bounds_at(
                *(asked.index.features, version, asked.weightings[number], rows),
                warped=asked.is_warped,
                longer=asked.longer(version),
                limit=limit,
            )
            bounded[some] = np.maximum(bounded[some], bounds[back])
            self.levels[some] = BOUNDED

    def measure(self, asked: _Asked, windows: np.ndarray) -> None:
        """Measure these windows as the scan does."""
        for number, some in self._by_version(windows):
            version = asked.versions[number]
            rows, back = np.unique(self.rows[some], return_inverse=True)
            table, at, _ = gathered(asked.index.features, version, rows)
            distances, ties = measured(asked.comparison, version, table, at)
            self.keys[some], self.ties[some] = distances[back], ties[back]
            self.levels[some] = MEASURED

    def _by_version(self, windows: np.ndarray) -> list[tuple[int, np.ndarray]]:
        versions = self.versions[windows]
        return [(int(number), windows[versions == number]) for number in np.unique(versions)]

    def settle(self, asked: _Asked) -> np.ndarray:
        """The matches among these windows."""
        self.bound(asked, self._merely(SEEN, self.taken(asked, most=2 * asked.query.k if asked.query.k else 0)))
        while True:
            farthest = self._farthest(asked)
            seen = np.flatnonzero((self.levels == SEEN) & (self.keys <= farthest))
            if len(seen):
                # A little beyond, so that what is farther does not tie with the farthest match
                beyond = farthest + 1e-3 * abs(farthest)
                self.bound(asked, seen, limit=np.inf if asked.query.distance == "lcss" else beyond)
                continue
            taken = self.taken(asked, most=asked.query.k)
            if (self.levels[taken] == SEEN).any():
                self.bound(asked, self._merely(SEEN, taken))
                continue
            unsure = self._merely(BOUNDED, taken)
            if len(unsure) == 0:
                return taken
            self.measure(asked, unsure)

    def _farthest(self, asked: _Asked) -> float:
        """How far the k-th match is, going by the windows that are bounded already: hardly farther than in truth."""
        limit = asked.comparison.limit
        if asked.query.k is None:
            return limit
        known = np.flatnonzero((self.levels >= BOUNDED) & (self.keys <= limit))
        clips, starts = self.clips[known], self.starts[known]
        order = ranked(clips, starts, self.keys[known], self.ties[known])
        taken = separated(order, clips, starts, least=asked.least_onset, most=asked.query.k)
        return float(self.keys[known[taken[-1]]]) if len(taken) == asked.query.k else limit

    def _merely(self, level: int, windows: np.ndarray) -> np.ndarray:
        return windows[self.levels[windows] == level]


def _summed(asked: _Asked) -> tuple[_Windows, np.ndarray]:
    """Euclid and DTW: windows whose bounds in the shadow are near enough, and the matches among them."""
    limit = asked.comparison.limit
    near = min(limit, _first_look(asked))
    while True:
        found = []
        for number in range(len(asked.versions)):
            found += _seen(asked, number, near)
        windows = _Windows.of(asked, found, tie=0.0)
        taken = windows.settle(asked)
        k = asked.query.k
        is_full = k is not None and len(taken) == k and windows.keys[taken[-1]] <= near
        if near >= limit or is_full:
            return windows, taken
        near = limit  # the first look was too narrow: windows that it promised were too near to one another


def _seen(asked: _Asked, number: int, near: float) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """All windows of one version no farther than `near` in the shadow: their rows and bounds."""
    version, weighting = asked.versions[number], asked.weightings[number]
    found = []
    for shadow in asked.index.shadows(version.columns, version.n_frames, plain=weighting.is_signed):
        bounds = asked.bounds(number, shadow)
        sums = bounds.sums(_spans(asked, version, shadow), limit=near)
        rows = np.flatnonzero(sums <= np.float32(bounds.at_most(near)))
        found.append((number, rows + shadow.first, bounds.distances(sums[rows])))
    return found


def _spans(asked: _Asked, version: Version, shadow: Shadow) -> np.ndarray:
    first, n_frames = shadow.first, shadow.poses.n_frames
    return asked.places.spans(version.n_frames, first, first + n_frames - version.n_frames + 1) - first


def _first_look(asked: _Asked) -> float:
    """How far the k-th match will be at most, or nearly so, from a few windows that look near at a glance."""
    k = asked.query.k
    if k is None or k > MOST_FIRST or any(weighting.is_signed for weighting in asked.weightings):
        return np.inf
    found = []
    for number, version in enumerate(asked.versions):
        if version.n_frames != asked.comparison.n_frames:
            continue
        shadow = next(iter(asked.index.shadows(version.columns, version.n_frames)))
        bounds = asked.bounds(number, shadow)
        sums = np.full(shadow.poses.n_frames, np.inf, dtype=np.float32)
        euclid_lanes(bounds.lane_query, shadow.poses, _spans(asked, version, shadow), every=FIRST_LOOK, out=sums)
        rows = _least_of_tiles(sums)
        found.append((number, rows + shadow.first, sums[rows].astype(np.float64)))
    windows = _Windows.of(asked, found, tie=0.0)
    nearest = windows.taken(asked, most=LOOKED_AT * k)
    windows.bound(asked, nearest)
    bounded = np.sort(windows.keys[nearest])
    return float(bounded[k - 1] * (1.0 + 1e-3)) if len(bounded) >= k else np.inf


def _least_of_tiles(sums: np.ndarray) -> np.ndarray:
    """The row of the least sum of every tile."""
    n_tiles = len(sums) // TILE
    rows = sums[: n_tiles * TILE].reshape(n_tiles, TILE).argmin(axis=1) + np.arange(n_tiles) * TILE
    rest = sums[n_tiles * TILE :]
    if len(rest):
        rows = np.append(rows, n_tiles * TILE + rest.argmin())
    return rows[sums[rows] < np.inf]


def _lcss(asked: _Asked) -> tuple[_Windows, np.ndarray]:
    """LCSS: windows that may have enough frames in common, and the matches among them."""
    found = []
    for number, version in enumerate(asked.versions):
        for shadow in asked.index.shadows(version.columns, version.n_frames, plain=True):
            n_common = common_in(version, shadow, _spans(asked, version, shadow))
            rows = np.flatnonzero(n_common)
            found.append((number, rows + shadow.first, 1.0 - n_common[rows] / version.n_counted))
    tie = -np.inf if any(weighting.is_signed for weighting in asked.weightings) else 0.0
    near = _enough(asked, found)
    while True:
        kept = [(number, rows[keys <= near], keys[keys <= near]) for number, rows, keys in found]
        windows = _Windows.of(asked, kept, tie=tie)
        taken = windows.settle(asked)
        k = asked.query.k
        is_full = k is not None and len(taken) == k and windows.keys[taken[-1]] <= near
        if near >= asked.comparison.limit or is_full:
            return windows, taken
        near = np.inf


def _enough(asked: _Asked, found: list[tuple[int, np.ndarray, np.ndarray]]) -> float:
    """A distance within which there are enough windows, most likely, for as many matches as are wanted."""
    k = asked.query.k
    keys = np.sort(np.concatenate([keys for _, _, keys in found]))
    n_likely = np.inf if k is None else 8 * k * asked.least_onset
    return float(keys[int(n_likely)]) if n_likely < len(keys) else np.inf
