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
from motionary.search.exact.versions import Comparison, Version


def measured(
    comparison: Comparison, version: Version, table: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The distances (N,) of windows of a table that begin at `places`, and what decides between equal ones."""
    longer = comparison.n_frames / version.n_frames
    method = comparison.query.distance
    if method == "euclid":
        return euclid_at(version.rows, table, places, weights=version.weights) * longer, np.zeros(len(places))
    if method == "dtw":
        sums = dtw_at(version.rows, table, places, weights=version.weights, radius=version.radii)
        return sums * longer, np.zeros(len(places))
    n_common = lcss_at(version.rows, table, places, thresholds=version.thresholds, radius=version.radii)
    n_counted = version.n_counted
    distances, ties = np.full(len(places), np.inf), np.full(len(places), np.inf)
    some = n_common > 0  # nothing in common is no match
    if n_counted and some.any():
        distances[some] = 1.0 - n_common[some] / n_counted
        sums = dtw_at(version.rows, table, places[some], weights=version.weights, radius=version.radii)
        ties[some] = sums * longer
    return distances, ties


def match_of(
    features: LibraryFeatures,
    comparison: Comparison,
    version: Version,
    *,
    clip: int,
    start: int,
    distance: float,
    tie: float,
) -> Match:
    """The match of a window that begins at a clip's search frame `start`; `clip` is its number."""
    rates = features.rates[clip]
    first = int(features.starts[clip]) + start
    candidate = version.table(features.arrays, np.array([[first, first + version.n_frames]]))
    method = comparison.query.distance
    return Match(
        Segment(int(features.clip_ids[clip]), *rates.clip_segment(start, start + version.n_frames)),
        distance,
        comparison.mean(tie if method == "lcss" else distance),
        comparison.unit,
        method,
        _alignment(comparison, version, candidate),
        comparison.n_frames,
        features.rate_hz,
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
