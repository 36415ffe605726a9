"""Bounds of LCSS: how many frames can match at best, from what each may meet within the window."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment.lcss import Likeness, counted_frames
from motionary.alignment.roundings import DOUBLE
from motionary.alignment.shapes import frame_thresholds, frames_array, window_radii
from motionary.errors import UsageError

APART = 8.0 * DOUBLE  # of q − ε and of |q − c| ≤ ε, which need not round alike


@dataclass(frozen=True, eq=False)
class MatchEnvelope:
    """For every candidate frame and dimension: the values that match no query frame within the window.

    Those are what lies outside [lower, upper], the union of the inclusions, and inside [hole_lower, hole_upper],
    the intersection of the exclusions. With a don't-care among them there are none.
    """

    lower: np.ndarray  # (n, D)
    upper: np.ndarray  # (n, D)
    hole_lower: np.ndarray  # (n, D)
    hole_upper: np.ndarray  # (n, D)
    n_counted: int  # query frames that count

    @property
    def n_frames(self) -> int:
        return len(self.lower)


def match_envelope(query: np.ndarray, *, thresholds: np.ndarray, radius: int | np.ndarray = 0) -> MatchEnvelope:
    """What candidate frames must be like to match a query frame; thresholds as in `lcss`."""
    query = frames_array(query, "the query")
    thresholds = frame_thresholds(thresholds, query.shape)
    counted = counted_frames(thresholds)
    if not counted.any():
        raise UsageError("all thresholds are infinite, so nothing would be compared")
    edges = np.empty((4, *query.shape))
    out = MatchEnvelope(edges[0], edges[1], edges[2], edges[3], int(counted.sum()))
    _match_envelope(
        query,
        thresholds,
        window_radii(radius, len(query)),
        counted,
        out.lower,
        out.upper,
        out.hole_lower,
        out.hole_upper,
    )
    return out


def match_envelope_reference(query: np.ndarray, thresholds: np.ndarray, radii: np.ndarray) -> MatchEnvelope:
    """What `match_envelope` computes, from the definition, but for the slack of rounding."""
    n_frames, n_dimensions = query.shape
    counted = counted_frames(thresholds)
    edges = np.empty((4, n_frames, n_dimensions))
    for j in range(n_frames):
        met = [i for i in range(n_frames) if abs(i - j) <= radii[i] and counted[i]]
        for d in range(n_dimensions):
            included = [(query[i, d] - thresholds[i, d], query[i, d] + thresholds[i, d]) for i in met]
            included = [span for span, i in zip(included, met, strict=True) if thresholds[i, d] >= 0]
            excluded = [
                (query[i, d] + thresholds[i, d], query[i, d] - thresholds[i, d]) for i in met if thresholds[i, d] < 0
            ]
            edges[0, j, d] = min([low for low, _ in included], default=np.inf)
            edges[1, j, d] = max([high for _, high in included], default=-np.inf)
            edges[2, j, d] = max([low for low, _ in excluded], default=-np.inf)
            edges[3, j, d] = min([high for _, high in excluded], default=np.inf)
    return MatchEnvelope(edges[0], edges[1], edges[2], edges[3], int(counted.sum()))


def lcss_bound(candidate: np.ndarray, envelope: MatchEnvelope) -> Likeness:
    """At least as like as the candidate is: frames that can match in *all* dimensions are taken to match."""
    candidate = frames_array(candidate, "the candidate")
    if candidate.shape != envelope.lower.shape:
        raise UsageError(f"{candidate.shape} frames and dimensions do not fit an envelope of {envelope.lower.shape}")
    n_possible = _n_possible(candidate, envelope.lower, envelope.upper, envelope.hole_lower, envelope.hole_upper)
    return Likeness(min(int(n_possible), envelope.n_counted), envelope.n_counted)


def lcss_bound_reference(candidate: np.ndarray, envelope: MatchEnvelope) -> Likeness:
    """What `lcss_bound` computes, from the definition."""
    outside = (candidate < envelope.lower) | (candidate > envelope.upper)
    in_hole = (candidate >= envelope.hole_lower) & (candidate <= envelope.hole_upper)
    n_possible = int(np.sum(~(outside & in_hole).any(axis=1)))
    return Likeness(min(n_possible, envelope.n_counted), envelope.n_counted)


@njit(cache=True, nogil=True)
def _match_envelope(query, thresholds, radii, counted, lower, upper, hole_lower, hole_upper):  # type: ignore[no-untyped-def]
    n_frames, n_dimensions = query.shape
    for j in range(n_frames):
        for d in range(n_dimensions):
            lower[j, d], upper[j, d] = np.inf, -np.inf
            hole_lower[j, d], hole_upper[j, d] = -np.inf, np.inf
    for i in range(n_frames):
        if not counted[i]:
            continue
        for j in range(max(0, i - radii[i]), min(n_frames, i + radii[i] + 1)):
            for d in range(n_dimensions):
                value, threshold = query[i, d], thresholds[i, d]
                slack = APART * (abs(value) + abs(threshold))
                if threshold >= 0.0:
                    lower[j, d] = min(lower[j, d], value - threshold - slack)
                    upper[j, d] = max(upper[j, d], value + threshold + slack)
                else:
                    hole_lower[j, d] = max(hole_lower[j, d], value + threshold + slack)
                    hole_upper[j, d] = min(hole_upper[j, d], value - threshold - slack)


@njit(cache=True, nogil=True)
def _n_possible(candidate, lower, upper, hole_lower, hole_upper):  # type: ignore[no-untyped-def]
    n_possible = 0
    for f in range(candidate.shape[0]):
        possible = True
        for d in range(candidate.shape[1]):
            value = candidate[f, d]
            outside = value < lower[f, d] or value > upper[f, d]
            if outside and hole_lower[f, d] <= value <= hole_upper[f, d]:
                possible = False
                break
        n_possible += possible
    return n_possible
