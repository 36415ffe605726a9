"""The plain scan: every offset of every clip is compared. It is slow, and right by definition."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from motionary.alignment import (
    Alignment,
    dtw_alignment,
    dtw_at,
    euclid_at,
    lcss_alignment,
    lcss_at,
    sampled_frames,
)
from motionary.features import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact.onsets import ranked, separated
from motionary.search.exact.query import Query
from motionary.search.exact.versions import Comparison, Version
from motionary.search.match import Match, suggested_cut

CHUNK_FRAMES = 65_536  # of clips that are compared together: what bounds the memory of a scan, unless a clip is longer


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The matches of a query, best first, and how much was looked at."""

    query: Query
    matches: tuple[Match, ...]
    n_windows: int  # offsets of all clips
    n_compared: int  # windows: offsets times sides and lengths
    n_clips: int

    @property
    def suggested_cut(self) -> int | None:
        """How many matches to keep, if their distances tell; LCSS has too few steps for means to be in order."""
        lcss = self.query.distance == "lcss"
        return suggested_cut([match.distance if lcss else match.mean for match in self.matches])


def scan(features: LibraryFeatures, query: Query, *, clip_ids: Collection[int] | None = None) -> SearchResult:
    """The matches of the query among all offsets of all clips (or of those with `clip_ids`)."""
    comparison = Comparison.of(query)
    versions = list(comparison.versions())
    if clip_ids is None:
        clips = np.arange(features.n_clips)
    else:
        clips = np.flatnonzero(np.isin(features.clip_ids, np.array(sorted(clip_ids), dtype=np.int64)))
    shortest = min(version.n_frames for version in versions)
    clips = clips[features.n_frames[clips] >= shortest]
    windows = _Windows.of(clips, features.n_frames[clips] - shortest + 1)
    n_compared = 0
    for number, version in enumerate(versions):
        for first, stop in windows.chunks(features.n_frames):
            n_compared += _compare(features, comparison, version, number, windows, first, stop)
    taken = _taken(features, comparison, windows)
    matches = tuple(_match(features, comparison, versions, windows, window) for window in taken.tolist())
    return SearchResult(query, matches, len(windows.starts), n_compared, len(clips))


@dataclass(frozen=True, eq=False)
class _Windows:
    """All offsets, by clip and start, with the best that was found for each so far."""

    clips: np.ndarray  # (N,) numbers of clips
    starts: np.ndarray  # (N,) search frames
    firsts: np.ndarray  # (C + 1,) the first window of each clip, and the end
    clip_numbers: np.ndarray  # (C,)
    distances: np.ndarray  # (N,) infinite where there is none
    ties: np.ndarray  # (N,) what decides between equal distances
    versions: np.ndarray  # (N,) which version of the query it was

    @classmethod
    def of(cls, clips: np.ndarray, n_starts: np.ndarray) -> "_Windows":
        firsts = np.concatenate([[0], np.cumsum(n_starts)]).astype(np.int64)
        n = int(firsts[-1])
        owner = np.repeat(np.arange(len(clips)), n_starts)
        return cls(
            clips[owner],
            np.arange(n) - firsts[owner],
            firsts,
            clips,
            np.full(n, np.inf),
            np.full(n, np.inf),
            np.zeros(n, dtype=np.int32),
        )

    def chunks(self, n_frames: np.ndarray) -> Iterator[tuple[int, int]]:
        """Neighbouring clips [first, stop) of `clip_numbers` with about as many frames as are compared at once."""
        first, total = 0, 0
        for c, clip in enumerate(self.clip_numbers):
            if c > first and total + n_frames[clip] > CHUNK_FRAMES:
                yield first, c
                first, total = c, 0
            total += int(n_frames[clip])
        if first < len(self.clip_numbers):
            yield first, len(self.clip_numbers)


def _compare(
    features: LibraryFeatures,
    comparison: Comparison,
    version: Version,
    number: int,
    windows: _Windows,
    first: int,
    stop: int,
) -> int:
    """Compare one version of the query with all windows of some clips; what is better than before is noted.

    Versions come in the order in which ties are broken, so only what is strictly better replaces what was found.
    """
    clips = windows.clip_numbers[first:stop]
    n_rows = features.n_frames[clips]
    spans = np.stack([features.starts[clips], features.starts[clips] + n_rows], axis=1)
    table = version.table(features.arrays, spans)
    chosen = np.arange(windows.firsts[first], windows.firsts[stop])
    bases = np.repeat(np.cumsum(n_rows) - n_rows, np.diff(windows.firsts[first : stop + 1]))
    fits = windows.starts[chosen] + version.n_frames <= np.repeat(n_rows, np.diff(windows.firsts[first : stop + 1]))
    chosen, places = chosen[fits], (bases + windows.starts[chosen])[fits]
    distances, ties = _distances(comparison, version, table, places)
    known, known_ties = windows.distances[chosen], windows.ties[chosen]
    better = (distances < known) | ((distances == known) & (ties < known_ties))
    windows.distances[chosen[better]] = distances[better]
    windows.ties[chosen[better]] = ties[better]
    windows.versions[chosen[better]] = number
    return len(chosen)


def _distances(
    comparison: Comparison, version: Version, table: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The distances (N,) of windows that begin at `places`, and what decides between equal ones."""
    longer = comparison.n_frames / version.n_frames
    method = comparison.query.distance
    if method == "euclid":
        return euclid_at(version.rows, table, places, weights=version.weights) * longer, np.zeros(len(places))
    if method == "dtw":
        sums = dtw_at(version.rows, table, places, weights=version.weights, radius=version.radii)
        return sums * longer, np.zeros(len(places))
    n_common = lcss_at(version.rows, table, places, thresholds=version.thresholds, radius=version.radii)
    n_counted = int((~np.isinf(version.thresholds).all(axis=1)).sum())
    distances, ties = np.full(len(places), np.inf), np.full(len(places), np.inf)
    some = n_common > 0  # nothing in common is no match
    if n_counted and some.any():
        distances[some] = 1.0 - n_common[some] / n_counted
        sums = dtw_at(version.rows, table, places[some], weights=version.weights, radius=version.radii)
        ties[some] = sums * longer
    return distances, ties


def _taken(features: LibraryFeatures, comparison: Comparison, windows: _Windows) -> np.ndarray:
    """The windows that become matches, best first."""
    query = comparison.query
    least = query.least_onset(comparison.n_frames)
    wanted = (windows.distances <= comparison.limit) & (windows.distances < np.inf)
    own = query.example.place
    if own is not None and not query.with_itself:
        itself = windows.clips == features.number(own.clip_id)
        wanted &= ~(itself & (np.abs(windows.starts - own.start) < least))
    found = np.flatnonzero(wanted)
    clips, starts = windows.clips[found], windows.starts[found]
    order = ranked(clips, starts, windows.distances[found], windows.ties[found])
    return found[separated(order, clips, starts, least=least, most=query.k)]


def _match(
    features: LibraryFeatures, comparison: Comparison, versions: list[Version], windows: _Windows, window: int
) -> Match:
    version = versions[windows.versions[window]]
    clip, start = int(windows.clips[window]), int(windows.starts[window])
    rates = features.rates[clip]
    first = int(features.starts[clip]) + start
    candidate = version.table(features.arrays, np.array([[first, first + version.n_frames]]))
    distance = float(windows.distances[window])
    method = comparison.query.distance
    return Match(
        Segment(int(features.clip_ids[clip]), *rates.clip_segment(start, start + version.n_frames)),
        distance,
        comparison.mean(float(windows.ties[window]) if method == "lcss" else distance),
        comparison.unit,
        method,
        _alignment(comparison, version, candidate),
        scale=version.n_frames / comparison.n_frames,
        mirrored=version.mirrored,
    )


def _alignment(comparison: Comparison, version: Version, candidate: np.ndarray) -> Alignment:
    """Frames of the query as it was given, with frames of the candidate."""
    method, n_frames, length = comparison.query.distance, comparison.n_frames, version.n_frames
    if method == "euclid":
        pairs = np.repeat(np.arange(length)[:, None], 2, axis=1)
    elif method == "dtw":
        found = dtw_alignment(version.rows, candidate, weights=version.weights, radius=version.radii)
        pairs = np.array(found.alignment.pairs)
    else:
        _, common = lcss_alignment(version.rows, candidate, thresholds=version.thresholds, radius=version.radii)
        pairs = np.array(common.pairs)
    if length == n_frames:
        return Alignment(pairs)
    # Several frames of a longer version stand for one of the query; a shorter one leaves some out
    pairs[:, 0] = np.floor(sampled_frames(n_frames, length)[pairs[:, 0]] + 0.5).astype(int)
    alignment = Alignment(np.unique(pairs, axis=0))
    return alignment if method == "lcss" else alignment.completed(n_frames, length)
