"""Two baselines between the plain scan and ours, both exact: a scan with lower bounds, and the paper's rectangles.

Every window is bounded first: by what its frames may meet in the query (Keogh's bound), or by boxes around some of its
frames at a time (Cardle 2004). Then windows are measured, the lowest bound first, until no bound is below the k-th
match.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit, prange

from motionary.alignment import envelope_rectangles, even_edges, match_envelope, match_rectangles, query_envelope
from motionary.alignment.frame_bounds import _keogh_bound
from motionary.alignment.lcss_bounds import _n_possible
from motionary.library import LibraryFeatures
from motionary.search import Query
from motionary.search.exact import Comparison, Variant
from motionary.search.exact.measuring import measured
from motionary.search.exact.onsets import ranked, separated

AT_ONCE = 256  # windows that are measured, to begin with; then twice as many, and so on


@dataclass(frozen=True, eq=False)
class Boxes:
    """Rectangles over the frames of every clip, in the dimensions of one query."""

    lower: np.ndarray  # (B, D)
    upper: np.ndarray  # (B, D)
    of_row: np.ndarray  # (F,) which box a row belongs to
    stops: np.ndarray  # (B,)
    split: float  # rectangles a frame

    @classmethod
    def of(cls, table: np.ndarray, features: LibraryFeatures, split: float) -> "Boxes":
        lengths = features.n_frames
        firsts = np.cumsum(lengths) - lengths
        edges = np.concatenate(
            [first + even_edges(n, max(1, round(split * n)))[:-1] for first, n in zip(firsts, lengths, strict=True)]
        )
        of_row = np.repeat(np.arange(len(edges)), np.diff(np.append(edges, len(table))))
        lower, upper = np.minimum.reduceat(table, edges, axis=0), np.maximum.reduceat(table, edges, axis=0)
        return cls(lower.astype(float), upper.astype(float), of_row, np.append(edges[1:], len(table)), split)

    @property
    def nbytes(self) -> int:
        """In single precision, with the first frame of each box."""
        return len(self.lower) * (8 * self.lower.shape[1] + 4)


@dataclass(frozen=True, eq=False)
class Bounded:
    """The dimensions of a query, of all clips one after the other; boxes, or none for bounds frame by frame."""

    features: LibraryFeatures
    table: np.ndarray  # (F, D)
    boxes: Boxes | None

    @classmethod
    def of(cls, features: LibraryFeatures, query: Query, *, split: float | None = None) -> "Bounded":
        comparison = Comparison.of(query)
        spans = np.stack([features.starts, features.starts + features.n_frames], axis=1)
        table = np.ascontiguousarray(comparison.variant(comparison.n_frames).table(features.arrays, spans))
        return cls(features, table, None if split is None else Boxes.of(table, features, split))

    def search(self, query: Query) -> list[tuple[int, int, float]]:
        """The matches: number of the clip, first search frame, distance."""
        comparison = Comparison.of(query)
        variants = list(comparison.variants())
        columns = [self._windows(comparison, variant, number) for number, variant in enumerate(variants)]
        numbers, clips, starts, places, bounds = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.argsort(bounds, kind="stable")
        least, k = query.least_onset(comparison.n_frames), query.k
        distances, ties = np.full(len(order), np.inf), np.full(len(order), np.inf)
        first, n_next = 0, AT_ONCE
        while True:
            some = order[first : first + n_next]
            for number in np.unique(numbers[some]):
                these = some[numbers[some] == number]
                found = measured(comparison, variants[number], self.table, places[these])
                distances[these], ties[these] = found
            first, n_next = first + n_next, 2 * n_next
            known = np.sort(order[:first])
            known = known[np.lexsort((numbers[known], starts[known], clips[known]))]
            known = known[distances[known] < np.inf]
            ranking = ranked(clips[known], starts[known], distances[known], ties[known])
            taken = known[separated(ranking, clips[known], starts[known], least=least, most=k)]
            is_over = first >= len(order) or (len(taken) == k and distances[taken[-1]] < bounds[order[first]])
            if is_over:
                return [(int(clips[each]), int(starts[each]), float(distances[each])) for each in taken]

    def _windows(self, comparison: Comparison, variant: Variant, number: int) -> tuple[np.ndarray, ...]:
        """All windows but the query's own place: variant, clip, start, row, bound."""
        n_starts = np.maximum(self.features.n_frames - variant.n_frames + 1, 0)
        clips = np.repeat(np.arange(self.features.n_clips), n_starts)
        starts = np.arange(len(clips)) - np.repeat(np.cumsum(n_starts) - n_starts, n_starts)
        places = starts + (np.cumsum(self.features.n_frames) - self.features.n_frames)[clips]
        own = comparison.query.example.place
        if own is not None:
            near = np.abs(starts - own.start) < comparison.query.least_onset(comparison.n_frames)
            kept = np.flatnonzero(~(near & (clips == self.features.number(own.clip_id))))
            clips, starts, places = clips[kept], starts[kept], places[kept]
        bounds = np.empty(len(places))
        self._bounding(comparison, variant)(places, bounds)
        return np.full(len(places), number), clips, starts, places, bounds

    def _bounding(self, comparison: Comparison, variant: Variant) -> Callable[[np.ndarray, np.ndarray], None]:
        """What writes the bounds of windows that begin at some places."""
        n_frames, longer = variant.n_frames, comparison.n_frames / variant.n_frames
        edges = even_edges(n_frames, max(1, round(self.boxes.split * n_frames))) if self.boxes else None
        if comparison.query.distance == "lcss":
            envelope = match_envelope(variant.rows, thresholds=variant.thresholds, radius=variant.radii)
            if self.boxes is None:
                numbers = (envelope.lower, envelope.upper, envelope.hole_lower, envelope.hole_upper)
                return lambda places, out: _lcss_frames(self.table, places, n_frames, *numbers, out)
            boxed = match_rectangles(envelope, edges)
            box_numbers = (self.boxes.lower, self.boxes.upper, self.boxes.of_row, self.boxes.stops)
            return lambda places, out: _lcss_boxes(edges, boxed.lower, boxed.upper, *box_numbers, places, out)
        radius = variant.radii if comparison.query.distance == "dtw" else 0
        met = query_envelope(variant.rows, weights=variant.weights, radius=radius)
        if self.boxes is None:
            return lambda places, out: _keogh(
                self.table, places, n_frames, met.lower, met.upper, met.weights, met.visits, longer, out
            )
        rough = envelope_rectangles(met, edges)
        box_numbers = (self.boxes.lower, self.boxes.upper, self.boxes.of_row, self.boxes.stops)
        return lambda places, out: _dtw_boxes(
            edges, rough.lower, rough.upper, rough.weights, *box_numbers, places, longer, out
        )


@njit(cache=True, nogil=True, parallel=True)
def _keogh(table, places, n_frames, lower, upper, weights, visits, longer, out):  # type: ignore[no-untyped-def]
    for w in prange(len(places)):
        window = table[places[w] : places[w] + n_frames]
        out[w] = longer * (1.0 - 1e-12) * _keogh_bound(window, lower, upper, weights, visits, np.inf)


@njit(cache=True, nogil=True, parallel=True)
def _lcss_frames(table, places, n_frames, lower, upper, hole_lower, hole_upper, out):  # type: ignore[no-untyped-def]
    for w in prange(len(places)):
        window = table[places[w] : places[w] + n_frames]
        out[w] = 1.0 - _n_possible(window, lower, upper, hole_lower, hole_upper) / n_frames


@njit(cache=True, nogil=True, parallel=True)
def _dtw_boxes(edges, lower, upper, weights, box_lower, box_upper, of_row, stops, places, longer, out):  # type: ignore[no-untyped-def]
    """Weighted squares between two boxes, times the frames for which they overlap."""
    n_frames = edges[-1]
    for w in prange(len(places)):
        frame, a, b, total = 0, 0, of_row[places[w]], 0.0
        while frame < n_frames:
            until = min(edges[a + 1], stops[b] - places[w])
            square = 0.0
            for d in range(lower.shape[1]):
                gap = max(max(lower[a, d] - box_upper[b, d], box_lower[b, d] - upper[a, d]), 0.0)
                square += weights[a, d] * gap * gap
            total += square * (until - frame)
            frame = until
            a += frame == edges[a + 1]
            b += frame == stops[b] - places[w]
        out[w] = longer * (1.0 - 1e-12) * total


@njit(cache=True, nogil=True, parallel=True)
def _lcss_boxes(edges, lower, upper, box_lower, box_upper, of_row, stops, places, out):  # type: ignore[no-untyped-def]
    """Frames for which two boxes overlap in all dimensions."""
    n_frames = edges[-1]
    for w in prange(len(places)):
        frame, a, b, n_possible = 0, 0, of_row[places[w]], 0
        while frame < n_frames:
            until = min(edges[a + 1], stops[b] - places[w])
            possible = True
            for d in range(lower.shape[1]):
                if box_upper[b, d] < lower[a, d] or box_lower[b, d] > upper[a, d]:
                    possible = False
                    break
            n_possible += possible * (until - frame)
            frame = until
            a += frame == edges[a + 1]
            b += frame == stops[b] - places[w]
        out[w] = 1.0 - n_possible / n_frames
