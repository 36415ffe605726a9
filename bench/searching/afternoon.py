"""The reference to beat: what a good engineer writes in an afternoon, without bounds and without an index.

All frame costs come from one matrix product in single precision. Then every window is compared, 32 neighbouring
windows side by side in vector lanes, in two threads. It answers the product's question: clips have borders, the
query's own place is no match, nor is what begins too near to a better match.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import njit, prange

from motionary.library import LibraryFeatures
from motionary.search import Query
from motionary.search.exact import Comparison

LANES = 32
CHUNKS = 64  # of windows, for threads
FAR = np.float32(1e30)  # what infinite would be, were it not for fast mathematics
AT_ONCE = 2048  # windows that are ranked, to begin with


@dataclass(frozen=True)
class Found:
    """A match: the number of its clip, its first search frame, and its distance."""

    clip: int
    start: int
    distance: float


@dataclass(frozen=True, eq=False)
class Question:
    """A query of one length and side and of equal weights, in numbers."""

    rows: np.ndarray  # (n, D) float32
    radius: int
    thresholds: np.ndarray  # (n, D)
    k: int
    least_onset: int
    own: tuple[int, int] | None  # number of the clip, and frame

    @classmethod
    def of(cls, features: LibraryFeatures, query: Query) -> "Question":
        comparison = Comparison.of(query)
        variant = comparison.variant(comparison.n_frames)
        assert query.k is not None
        assert (variant.weights == 1.0).all()
        assert (variant.radii == variant.radii[0]).all()
        place = query.example.place
        return cls(
            variant.rows.astype(np.float32),
            int(variant.radii[0]),
            variant.thresholds,
            query.k,
            query.least_onset(variant.n_frames),
            None if place is None or query.with_itself else (features.number(place.clip_id), place.start),
        )


@dataclass(frozen=True, eq=False)
class Afternoon:
    """A library in memory: chosen dimensions of all clips, one clip after the other."""

    rows: np.ndarray  # (F, D) float32
    columns: np.ndarray  # (D + 2, F) float32: centred, then the sum of squares, then 1
    mean: np.ndarray  # (D,)
    clip_starts: np.ndarray  # (C,)
    clip_stops: np.ndarray  # (C,)
    _kept: dict[str, np.ndarray] = field(default_factory=dict)  # room for results, used again and again
    _begins: dict[int, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, features: LibraryFeatures, query: Query) -> "Afternoon":
        """The dimensions that the query compares."""
        comparison = Comparison.of(query)
        spans = np.stack([features.starts, features.starts + features.n_frames], axis=1)
        rows = comparison.variant(comparison.n_frames).table(features.arrays, spans)
        mean = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        centred = rows - mean
        columns = np.concatenate([centred.T, (centred**2).sum(axis=1)[None], np.ones((1, len(rows)), np.float32)])
        stops = np.cumsum(features.n_frames)
        return cls(rows, columns, mean, stops - features.n_frames, stops)

    def dtw(self, question: Question) -> list[Found]:
        costs = self._costs(question)
        sums = self._room("sums", (len(self.rows),), np.float32)
        _dtw_lanes(costs, len(self.rows), len(question.rows), question.radius, sums)
        return self._nearest(question, sums)

    def euclid(self, question: Question) -> list[Found]:
        costs = self._costs(question)
        sums = self._room("sums", (len(self.rows),), np.float32)
        _diagonal_sums(costs, len(self.rows), len(question.rows), sums)
        return self._nearest(question, sums)

    def lcss(self, question: Question) -> list[Found]:
        n_frames, n_rows = len(question.rows), len(self.rows)
        equal = self._room("matches", (n_frames, n_rows + n_frames + LANES), np.uint8)
        thresholds = question.thresholds.astype(np.float32)
        _matching(self._plain_columns, question.rows, thresholds, equal)
        n_common = self._room("common", (n_rows,), np.uint8)
        _lcss_lanes(equal, n_rows, n_frames, question.radius, n_common)
        n_common[~self._may_begin(question)] = 0
        levels = np.flatnonzero(np.bincount(n_common)[1:]) + 1
        taken: list[int] = []
        found = []
        for level in levels[::-1]:
            windows = np.flatnonzero(n_common == level)
            sums = self._dtw_of(question, windows)
            for window in windows[np.argsort(sums, kind="stable")]:
                if self._is_apart(int(window), taken, question.least_onset):
                    taken.append(int(window))
                    found.append(self._found(int(window), 1.0 - level / n_frames))
                    if len(taken) == question.k:
                        return found
        return found

    def _dtw_of(self, question: Question, windows: np.ndarray) -> np.ndarray:
        """What decides between equals; where they are many, all windows in lanes are faster than some without."""
        if len(windows) > len(self.rows) // LANES:
            sums = self._room("sums", (len(self.rows),), np.float32)
            _dtw_lanes(self._costs(question), len(self.rows), len(question.rows), question.radius, sums)
            return sums[windows]
        sums = np.empty(len(windows), dtype=np.float32)
        _dtw_of_few(self.rows, question.rows, windows, question.radius, sums)
        return sums

    def _costs(self, question: Question) -> np.ndarray:
        """|q − x|² (n, F + room) of all query frames and all frames: −2 q · x + x² + q², one matrix product."""
        rows = question.rows - self.mean
        n_frames = len(rows)
        costs = self._room("costs", (n_frames, len(self.rows) + n_frames + LANES), np.float32)
        query = np.concatenate([-2.0 * rows, np.ones((n_frames, 1)), (rows**2).sum(axis=1)[:, None]], axis=1)
        np.matmul(query.astype(np.float32), self.columns, out=costs[:, : len(self.rows)])
        return costs

    def _nearest(self, question: Question, sums: np.ndarray) -> list[Found]:
        sums[~self._may_begin(question)] = FAR
        n_ranked = AT_ONCE
        while True:
            some = np.arange(len(sums))
            if n_ranked < len(sums):
                some = np.sort(np.argpartition(sums, n_ranked)[:n_ranked])
            taken: list[int] = []
            for window in some[np.argsort(sums[some], kind="stable")]:
                if sums[window] < FAR and self._is_apart(int(window), taken, question.least_onset):
                    taken.append(int(window))
                    if len(taken) == question.k:
                        break
            if len(taken) == question.k or n_ranked >= len(sums):
                return [self._found(window, float(sums[window])) for window in taken]
            n_ranked *= 4

    def _may_begin(self, question: Question) -> np.ndarray:
        """Where (F,) windows may begin: within clips, and away from the query's own place."""
        n_frames = len(question.rows)
        if n_frames not in self._begins:
            begins = np.zeros(len(self.rows), dtype=bool)
            for start, stop in zip(self.clip_starts, self.clip_stops - n_frames + 1, strict=True):
                begins[start : max(start, stop)] = True
            self._begins[n_frames] = begins
        begins = self._begins[n_frames]
        if question.own is None:
            return begins
        clip, start = question.own
        own = self.clip_starts[clip] + start
        first = max(int(self.clip_starts[clip]), int(own - question.least_onset + 1))
        begins = begins.copy()
        begins[first : min(int(self.clip_stops[clip]), int(own + question.least_onset))] = False
        return begins

    def _is_apart(self, window: int, taken: list[int], least_onset: int) -> bool:
        clip = self._clip(window)
        return all(abs(window - other) >= least_onset or self._clip(other) != clip for other in taken)

    def _found(self, window: int, distance: float) -> Found:
        clip = self._clip(window)
        return Found(clip, window - int(self.clip_starts[clip]), distance)

    def _clip(self, window: int) -> int:
        return int(np.searchsorted(self.clip_stops, window, side="right"))

    @property
    def _plain_columns(self) -> np.ndarray:
        """(D, F), not centred, so that tolerances are met as exactly as single precision allows."""
        if "plain" not in self._kept:
            self._kept["plain"] = np.ascontiguousarray(self.rows.T)
        return self._kept["plain"]

    def _room(self, name: str, shape: tuple[int, ...], dtype: type) -> np.ndarray:
        """An array that was there before, if it fits: new pages cost as much as the work on them."""
        if name not in self._kept or self._kept[name].shape != shape:
            self._kept[name] = np.zeros(shape, dtype=dtype)
        return self._kept[name]


@njit(cache=True, nogil=True, fastmath=True)
def _dtw_tile(costs, first, n_frames, radius, before, here):  # type: ignore[no-untyped-def]
    """The last row of the sums of 32 windows; row j + 1 of `before` and `here` is candidate frame j."""
    before[:] = FAR
    here[:] = FAR
    before[0] = np.float32(0.0)
    for i in range(n_frames):
        low, high = max(0, i - radius), min(n_frames - 1, i + radius)
        here[low] = FAR
        for j in range(low, high + 1):
            aslant, above, beside, sums = before[j], before[j + 1], here[j], here[j + 1]
            cost = costs[i, first + j : first + j + LANES]
            for lane in range(LANES):
                sums[lane] = min(min(aslant[lane], above[lane]), beside[lane]) + cost[lane]
        if high + 2 <= n_frames:
            here[high + 2] = FAR
        before, here = here, before
    return before[n_frames]


@njit(cache=True, nogil=True, parallel=True)
def _dtw_lanes(costs, n_windows, n_frames, radius, out):  # type: ignore[no-untyped-def]
    n_tiles = -(-n_windows // LANES)
    for chunk in prange(CHUNKS):
        before = np.empty((n_frames + 2, LANES), dtype=np.float32)
        here = np.empty((n_frames + 2, LANES), dtype=np.float32)
        for tile in range(chunk * n_tiles // CHUNKS, (chunk + 1) * n_tiles // CHUNKS):
            first = tile * LANES
            sums = _dtw_tile(costs, first, n_frames, radius, before, here)
            for lane in range(min(LANES, n_windows - first)):
                out[first + lane] = sums[lane]


@njit(cache=True, nogil=True, parallel=True, fastmath=True)
def _diagonal_sums(costs, n_windows, n_frames, out):  # type: ignore[no-untyped-def]
    wide = 1024
    for tile in prange(-(-n_windows // wide)):
        first = tile * wide
        sums = out[first : min(first + wide, n_windows)]
        sums[:] = np.float32(0.0)
        for i in range(n_frames):
            cost = costs[i, first + i : first + i + len(sums)]
            for lane in range(len(sums)):
                sums[lane] += cost[lane]


@njit(cache=True, nogil=True, parallel=True)
def _matching(columns, query, thresholds, out):  # type: ignore[no-untyped-def]
    """1 where all dimensions of a query frame and a frame are within the thresholds, else 0."""
    n_dimensions, n_rows = columns.shape
    wide = 2048
    for tile in prange(-(-n_rows // wide)):
        first = tile * wide
        stop = min(first + wide, n_rows)
        for i in range(len(query)):
            row = out[i, first:stop]
            row[:] = 1
            for d in range(n_dimensions):
                value, threshold, column = query[i, d], thresholds[i, d], columns[d, first:stop]
                for lane in range(stop - first):
                    row[lane] &= np.uint8(abs(column[lane] - value) <= threshold)


@njit(cache=True, nogil=True)
def _lcss_tile(equal, first, n_frames, radius, before, here):  # type: ignore[no-untyped-def]
    """The last row of the longest common subsequences of 32 windows."""
    before[:] = 0
    here[:] = 0
    for i in range(n_frames):
        low, high = max(0, i - radius), min(n_frames - 1, i + radius)
        here[low] = before[low]
        for j in range(low, high + 1):
            aslant, above, beside, longest = before[j], before[j + 1], here[j], here[j + 1]
            is_equal = equal[i, first + j : first + j + LANES]
            for lane in range(LANES):
                longest[lane] = max(max(np.uint8(aslant[lane] + is_equal[lane]), above[lane]), beside[lane])
        if high + 2 <= n_frames:
            here[high + 2] = here[high + 1]
        before, here = here, before
    return before[n_frames]


@njit(cache=True, nogil=True, parallel=True)
def _lcss_lanes(equal, n_windows, n_frames, radius, out):  # type: ignore[no-untyped-def]
    n_tiles = -(-n_windows // LANES)
    for chunk in prange(CHUNKS):
        before = np.empty((n_frames + 2, LANES), dtype=np.uint8)
        here = np.empty((n_frames + 2, LANES), dtype=np.uint8)
        for tile in range(chunk * n_tiles // CHUNKS, (chunk + 1) * n_tiles // CHUNKS):
            first = tile * LANES
            longest = _lcss_tile(equal, first, n_frames, radius, before, here)
            for lane in range(min(LANES, n_windows - first)):
                out[first + lane] = longest[lane]


@njit(cache=True, nogil=True, parallel=True, fastmath=True)
def _dtw_of_few(rows, query, windows, radius, out):  # type: ignore[no-untyped-def]
    """One window after the other: what decides between windows that have as many frames in common."""
    n_frames, n_dimensions = query.shape
    for w in prange(len(windows)):
        before = np.full(n_frames + 2, FAR, dtype=np.float32)
        here = np.full(n_frames + 2, FAR, dtype=np.float32)
        before[0] = np.float32(0.0)
        for i in range(n_frames):
            low, high = max(0, i - radius), min(n_frames - 1, i + radius)
            here[low] = FAR
            for j in range(low, high + 1):
                cost = np.float32(0.0)
                for d in range(n_dimensions):
                    gap = query[i, d] - rows[windows[w] + j, d]
                    cost += gap * gap
                here[j + 1] = min(min(before[j], before[j + 1]), here[j]) + cost
            if high + 2 <= n_frames:
                here[high + 2] = FAR
            before, here = here, before
        out[w] = before[n_frames]
