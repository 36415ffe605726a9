"""The one way in which windows are measured, and matches made of them, whoever has found them."""

import numpy as np

from motionary.alignment import (
    Alignment,
    Match,
    dtw_alignment,
    dtw_at,
    euclid_at,
    lcss_alignment,
    lcss_at,
    sampled_frames,
)
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact.variants import Comparison, Variant


def measured(
    comparison: Comparison, variant: Variant, table: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The distances (N,) of windows of a table that begin at `places`, and what decides between equal ones."""
    longer = comparison.n_frames / variant.n_frames
    method = comparison.query.distance
    if method == "euclid":
        return euclid_at(variant.rows, table, places, weights=variant.weights) * longer, np.zeros(len(places))
    if method == "dtw":
        sums = dtw_at(variant.rows, table, places, weights=variant.weights, radius=variant.radii)
        return sums * longer, np.zeros(len(places))
    n_common = lcss_at(variant.rows, table, places, thresholds=variant.thresholds, radius=variant.radii)
    n_counted = variant.n_counted
    distances, ties = np.full(len(places), np.inf), np.full(len(places), np.inf)
    some = n_common > 0  # nothing in common is no match
    if n_counted and some.any():
        distances[some] = 1.0 - n_common[some] / n_counted
        sums = dtw_at(variant.rows, table, places[some], weights=variant.weights, radius=variant.radii)
        ties[some] = sums * longer
    return distances, ties


def match_of(
    features: LibraryFeatures,
    comparison: Comparison,
    variant: Variant,
    *,
    clip: int,
    start: int,
    distance: float,
    tie: float,
) -> Match:
    """The match of a window that begins at a clip's search frame `start`; `clip` is its number."""
    rates = features.rates[clip]
    first = int(features.starts[clip]) + start
    candidate = variant.table(features.arrays, np.array([[first, first + variant.n_frames]]))
    method = comparison.query.distance
    return Match(
        Segment(int(features.clip_ids[clip]), *rates.clip_segment(start, start + variant.n_frames)),
        distance,
        comparison.mean(tie if method == "lcss" else distance),
        comparison.unit,
        method,
        _alignment(comparison, variant, candidate),
        comparison.n_frames,
        features.rate_hz,
        scale=variant.n_frames / comparison.n_frames,
        mirrored=variant.mirrored,
    )


def _alignment(comparison: Comparison, variant: Variant, candidate: np.ndarray) -> Alignment:
    """Frames of the query as it was given, with frames of the candidate."""
    method, n_frames, length = comparison.query.distance, comparison.n_frames, variant.n_frames
    if method == "euclid":
        pairs = np.repeat(np.arange(length)[:, None], 2, axis=1)
    elif method == "dtw":
        found = dtw_alignment(variant.rows, candidate, weights=variant.weights, radius=variant.radii)
        pairs = np.array(found.alignment.pairs)
    else:
        _, common = lcss_alignment(variant.rows, candidate, thresholds=variant.thresholds, radius=variant.radii)
        pairs = np.array(common.pairs)
    if length == n_frames:
        return Alignment(pairs)
    # Several frames of a longer variant stand for one of the query; a shorter one leaves some out
    pairs[:, 0] = np.floor(sampled_frames(n_frames, length)[pairs[:, 0]] + 0.5).astype(int)
    alignment = Alignment(np.unique(pairs, axis=0))
    return alignment if method == "lcss" else alignment.completed(n_frames, length)
