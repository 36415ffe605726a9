"""The plain scan: every offset of every clip is compared. It is slow, and right by definition."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np

from motionary.library import LibraryFeatures
from motionary.search.exact.measuring import match_of, measured
from motionary.search.exact.onsets import ranked, separated
from motionary.search.exact.query import Query
from motionary.search.exact.result import SearchResult, Stage
from motionary.search.exact.variants import Comparison, Variant

CHUNK_FRAMES = 65_536  # of clips that are compared together: what bounds the memory of a scan, unless a clip is longer


def scan(
    features: LibraryFeatures,
    query: Query,
    *,
    clip_ids: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SearchResult:
    """The matches of the query among all offsets of all clips (or of those with `clip_ids`).

    `progress` is told how many frames were compared, of how many, each length and side of the query for itself.
    """
    comparison = Comparison.of(query)
    variants = list(comparison.variants())
    if clip_ids is None:
        clips = np.arange(features.n_clips)
    else:
        clips = np.flatnonzero(np.isin(features.clip_ids, np.array(sorted(clip_ids), dtype=np.int64)))
    shortest = min(variant.n_frames for variant in variants)
    clips = clips[features.n_frames[clips] >= shortest]
    windows = _Windows.of(clips, features.n_frames[clips] - shortest + 1)
    n_compared = n_done = 0
    n_in_all = len(variants) * int(features.n_frames[clips].sum())
    for number, variant in enumerate(variants):
        for first, stop in windows.chunks(features.n_frames):
            n_compared += _compare(features, comparison, variant, number, windows, first, stop)
            n_done += int(features.n_frames[clips[first:stop]].sum())
            if progress:
                progress(n_done, n_in_all)
    taken = _taken(features, comparison, windows)
    matches = tuple(
        match_of(
            *(features, comparison, variants[windows.variants[window]]),
            clip=int(windows.clips[window]),
            start=int(windows.starts[window]),
            distance=float(windows.distances[window]),
            tie=float(windows.ties[window]),
        )
        for window in taken.tolist()
    )
    stages = (Stage("measured", n_compared),)
    return SearchResult(query, matches, len(windows.starts), n_compared, len(clips), stages)


@dataclass(frozen=True, eq=False)
class _Windows:
    """All offsets, by clip and start, with the best that was found for each so far."""

    clips: np.ndarray  # (N,) numbers of clips
    starts: np.ndarray  # (N,) search frames
    firsts: np.ndarray  # (C + 1,) the first window of each clip, and the end
    clip_numbers: np.ndarray  # (C,)
    distances: np.ndarray  # (N,) infinite where there is none
    ties: np.ndarray  # (N,) what decides between equal distances
    variants: np.ndarray  # (N,) which variant of the query it was

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
    variant: Variant,
    number: int,
    windows: _Windows,
    first: int,
    stop: int,
) -> int:
    """Compare one variant of the query with all windows of some clips; what is better than before is noted.

    Variants come in the order in which ties are broken, so only what is strictly better replaces what was found.
    """
    clips = windows.clip_numbers[first:stop]
    n_rows = features.n_frames[clips]
    spans = np.stack([features.starts[clips], features.starts[clips] + n_rows], axis=1)
    table = variant.table(features.arrays, spans)
    chosen = np.arange(windows.firsts[first], windows.firsts[stop])
    bases = np.repeat(np.cumsum(n_rows) - n_rows, np.diff(windows.firsts[first : stop + 1]))
    fits = windows.starts[chosen] + variant.n_frames <= np.repeat(n_rows, np.diff(windows.firsts[first : stop + 1]))
    chosen, places = chosen[fits], (bases + windows.starts[chosen])[fits]
    distances, ties = measured(comparison, variant, table, places)
    known, known_ties = windows.distances[chosen], windows.ties[chosen]
    better = (distances < known) | ((distances == known) & (ties < known_ties))
    windows.distances[chosen[better]] = distances[better]
    windows.ties[chosen[better]] = ties[better]
    windows.variants[chosen[better]] = number
    return len(chosen)


def _taken(features: LibraryFeatures, comparison: Comparison, windows: _Windows) -> np.ndarray:
    """The windows that become matches, best first."""
    query = comparison.query
    least = query.least_onset(comparison.n_frames)
    wanted = (windows.distances <= comparison.limit) & (windows.distances < np.inf)
    for place in query.left_out:
        there = windows.clips == features.number(place.clip_id)
        wanted &= ~(there & (np.abs(windows.starts - place.start) < least))
    found = np.flatnonzero(wanted)
    clips, starts = windows.clips[found], windows.starts[found]
    order = ranked(clips, starts, windows.distances[found], windows.ties[found])
    return found[separated(order, clips, starts, least=least, most=query.k)]
