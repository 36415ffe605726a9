"""Rectangles: boxes over frames and dimensions, and what they say of all that lies in them.

Conventions: rectangle b holds the frames [edges[b], edges[b + 1]), and where two overlap in time they do so for a
number of frames. A pair of rectangles costs its weighted squares times that number.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment.envelopes import Envelope
from motionary.alignment.lcss import Likeness
from motionary.alignment.lcss_bounds import MatchEnvelope
from motionary.alignment.shapes import frames_array
from motionary.errors import UsageError


@dataclass(frozen=True, eq=False)
class Rectangles:
    """The boxes of a table of frames, one after the other."""

    edges: np.ndarray  # (B + 1,) int64, from 0 to the number of frames, ascending
    lower: np.ndarray  # (B, D)
    upper: np.ndarray  # (B, D)


def rectangles(values: np.ndarray, edges: np.ndarray) -> Rectangles:
    """The boxes around a table (F, D) that is cut at `edges`."""
    values = frames_array(values, "the table")
    edges = _checked_edges(edges, len(values))
    return Rectangles(edges, *_extremes(values, values, edges))


def even_edges(n_frames: int, n_rectangles: int) -> np.ndarray:
    """Where to cut so many frames into rectangles that differ by one frame at most."""
    n_rectangles = min(max(n_rectangles, 1), n_frames)
    return np.arange(n_rectangles + 1) * n_frames // n_rectangles


def merged_edges(values: np.ndarray, n_rectangles: int, *, weights: np.ndarray | None = None) -> np.ndarray:
    """Where to cut a table (F, D) so that the rectangles are small: neighbours are merged, least growth first.

    Growth is that of the weighted sum of extents times frames. (The volume would not do: one dimension that never
    changes makes every product 0.)
    """
    values = frames_array(values, "the table")
    scale = np.ones(values.shape[1]) if weights is None else np.abs(np.asarray(weights, dtype=np.float64))
    edges = list(range(len(values) + 1))
    lower, upper = list(values), list(values)

    def size(low: np.ndarray, high: np.ndarray, n_frames: int) -> float:
        return float(scale @ (high - low)) * n_frames

    def growth(b: int) -> float:
        parts = size(lower[b], upper[b], edges[b + 1] - edges[b]) + size(
            lower[b + 1], upper[b + 1], edges[b + 2] - edges[b + 1]
        )
        low, high = np.minimum(lower[b], lower[b + 1]), np.maximum(upper[b], upper[b + 1])
        return size(low, high, edges[b + 2] - edges[b]) - parts

    growths = [growth(b) for b in range(len(values) - 1)]
    while len(lower) > max(n_rectangles, 1):
        b = int(np.argmin(growths))
        lower[b : b + 2] = [np.minimum(lower[b], lower[b + 1])]
        upper[b : b + 2] = [np.maximum(upper[b], upper[b + 1])]
        del edges[b + 1], growths[b]
        for neighbour in (b - 1, b):
            if 0 <= neighbour < len(growths):
                growths[neighbour] = growth(neighbour)
    return np.array(edges)


def envelope_rectangles(envelope: Envelope, edges: np.ndarray) -> Envelope:
    """The envelope of every rectangle, row by row: what holds for each of its frames."""
    edges = _checked_edges(edges, envelope.n_frames)
    lower, upper = _extremes(envelope.lower, envelope.upper, edges)
    least = np.minimum.reduceat(envelope.weights, edges[:-1], axis=0)
    return Envelope(lower, upper, least, np.maximum.reduceat(envelope.visits, edges[:-1]))


def rectangle_bound(envelope: Envelope, edges: np.ndarray, candidate: Rectangles) -> float:
    """Never above DTW with any candidate in those rectangles; `envelope` is that of rectangles cut at `edges`.

    With the envelope of radius 0 it never exceeds the Euclidean distance.
    """
    edges = _fitting_edges(edges, candidate.edges, envelope.n_frames)
    return float(
        _rectangle_bound(
            edges,
            envelope.lower,
            envelope.upper,
            envelope.weights,
            envelope.visits,
            candidate.edges,
            candidate.lower,
            candidate.upper,
        )
    )


def rectangle_limit(query: Rectangles, candidate: Rectangles, weights: np.ndarray) -> float:
    """Never below the Euclidean distance, nor below DTW, of any query and candidate in those rectangles.

    `weights` (B, D) are the largest in each rectangle of the query. The largest distance is the least one under
    weights of the other sign; the diagonal is a path of every DTW.
    """
    envelope = Envelope(query.lower, query.upper, -weights, np.ones(len(query.lower), dtype=np.int64))
    return -rectangle_bound(envelope, query.edges, candidate)


def rectangle_bound_reference(envelope: Envelope, edges: np.ndarray, candidate: Rectangles) -> float:
    """What `rectangle_bound` computes, from the definition: frame by frame."""
    total = 0.0
    for f in range(int(edges[-1])):
        a = int(np.searchsorted(edges, f, side="right")) - 1
        b = int(np.searchsorted(candidate.edges, f, side="right")) - 1
        apart = np.maximum(envelope.lower[a] - candidate.upper[b], candidate.lower[b] - envelope.upper[a])
        nearest = np.maximum(apart, 0.0) ** 2
        farthest = np.maximum(envelope.upper[a] - candidate.lower[b], candidate.upper[b] - envelope.lower[a]) ** 2
        least = np.sum(envelope.weights[a] * np.where(envelope.weights[a] >= 0, nearest, farthest))
        total += least if least >= 0 else least * envelope.visits[a]
    return float(total)


def match_rectangles(envelope: MatchEnvelope, edges: np.ndarray) -> MatchEnvelope:
    """The match envelope of every rectangle, row by row: what is ruled out there is ruled out in all its frames."""
    edges = _checked_edges(edges, envelope.n_frames)
    lower, upper = _extremes(envelope.lower, envelope.upper, edges)
    hole_upper, hole_lower = _extremes(envelope.hole_upper, envelope.hole_lower, edges)
    return MatchEnvelope(lower, upper, hole_lower, hole_upper, envelope.n_counted)


def rectangle_likeness(envelope: MatchEnvelope, edges: np.ndarray, candidate: Rectangles) -> Likeness:
    """At least as like as any candidate in those rectangles; `envelope` is that of rectangles cut at `edges`."""
    edges = _fitting_edges(edges, candidate.edges, envelope.n_frames)
    n_possible = _n_possible_in_rectangles(
        edges,
        envelope.lower,
        envelope.upper,
        envelope.hole_lower,
        envelope.hole_upper,
        candidate.edges,
        candidate.lower,
        candidate.upper,
    )
    return Likeness(min(int(n_possible), envelope.n_counted), envelope.n_counted)


def rectangle_likeness_reference(envelope: MatchEnvelope, edges: np.ndarray, candidate: Rectangles) -> Likeness:
    """What `rectangle_likeness` computes, from the definition: frame by frame."""
    n_possible = 0
    for f in range(int(edges[-1])):
        a = int(np.searchsorted(edges, f, side="right")) - 1
        b = int(np.searchsorted(candidate.edges, f, side="right")) - 1
        outside = (candidate.upper[b] < envelope.lower[a]) | (candidate.lower[b] > envelope.upper[a])
        in_hole = (candidate.lower[b] >= envelope.hole_lower[a]) & (candidate.upper[b] <= envelope.hole_upper[a])
        n_possible += not (outside & in_hole).any()
    return Likeness(min(n_possible, envelope.n_counted), envelope.n_counted)


def _extremes(lower: np.ndarray, upper: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.minimum.reduceat(lower, edges[:-1], axis=0), np.maximum.reduceat(upper, edges[:-1], axis=0)


def _checked_edges(edges: np.ndarray, n_frames: int) -> np.ndarray:
    edges = np.asarray(edges, dtype=np.int64)
    if edges.ndim != 1 or len(edges) < 2 or edges[0] != 0 or edges[-1] != n_frames or (np.diff(edges) < 1).any():
        raise UsageError(f"rectangles must be cut at ascending frames from 0 to {n_frames}")
    return edges


def _fitting_edges(edges: np.ndarray, others: np.ndarray, n_rectangles: int) -> np.ndarray:
    edges = _checked_edges(edges, int(others[-1]))
    if len(edges) != n_rectangles + 1:
        raise UsageError(f"{n_rectangles} rectangles need {n_rectangles + 1} edges, not {len(edges)}")
    return edges


@njit(cache=True, nogil=True)
def _rectangle_bound(edges, lower, upper, weights, visits, c_edges, c_lower, c_upper):  # type: ignore[no-untyped-def]
    total, b = 0.0, 0
    for a in range(len(edges) - 1):
        while True:
            n_frames = min(edges[a + 1], c_edges[b + 1]) - max(edges[a], c_edges[b])
            least = 0.0
            for d in range(lower.shape[1]):
                if weights[a, d] >= 0.0:
                    gap = max(max(lower[a, d] - c_upper[b, d], c_lower[b, d] - upper[a, d]), 0.0)
                else:
                    gap = max(upper[a, d] - c_lower[b, d], c_upper[b, d] - lower[a, d])
                least += weights[a, d] * (gap * gap)
            total += n_frames * (least if least >= 0.0 else least * visits[a])
            if c_edges[b + 1] > edges[a + 1]:
                break
            b += 1
            if b == len(c_edges) - 1 or c_edges[b] == edges[a + 1]:
                break
    return total


@njit(cache=True, nogil=True)
def _n_possible_in_rectangles(edges, lower, upper, hole_lower, hole_upper, c_edges, c_lower, c_upper):  # type: ignore[no-untyped-def]
    n_possible, b = 0, 0
    for a in range(len(edges) - 1):
        while True:
            n_frames = min(edges[a + 1], c_edges[b + 1]) - max(edges[a], c_edges[b])
            possible = True
            for d in range(lower.shape[1]):
                outside = c_upper[b, d] < lower[a, d] or c_lower[b, d] > upper[a, d]
                if outside and c_lower[b, d] >= hole_lower[a, d] and c_upper[b, d] <= hole_upper[a, d]:
                    possible = False
                    break
            if possible:
                n_possible += n_frames
            if c_edges[b + 1] > edges[a + 1]:
                break
            b += 1
            if b == len(c_edges) - 1 or c_edges[b] == edges[a + 1]:
                break
    return n_possible
