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
from motionary.search.dimensions import Dimensions
from motionary.search.exact.variants import Comparison, Variant
from motionary.search.gist_rows import GIST


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
    pairs = _pairs(comparison, variant, candidate)
    return Match(
        Segment(int(features.clip_ids[clip]), *rates.clip_segment(start, start + variant.n_frames)),
        distance,
        comparison.mean(tie if method == "lcss" else distance),
        comparison.unit,
        method,
        _alignment(comparison, variant, pairs),
        comparison.n_frames,
        features.rate_hz,
        scale=variant.n_frames / comparison.n_frames,
        mirrored=variant.mirrored or _looks_mirrored(features, comparison, first, pairs, variant.n_frames),
        search_start=start,
    )


def _pairs(comparison: Comparison, variant: Variant, candidate: np.ndarray) -> np.ndarray:
    """Frames of the variant, with frames of the candidate (N, 2)."""
    method = comparison.query.distance
    if method == "euclid":
        return np.repeat(np.arange(variant.n_frames)[:, None], 2, axis=1)
    if method == "dtw":
        found = dtw_alignment(variant.rows, candidate, weights=variant.weights, radius=variant.radii)
        return np.array(found.alignment.pairs)
    _, common = lcss_alignment(variant.rows, candidate, thresholds=variant.thresholds, radius=variant.radii)
    return np.array(common.pairs)


def _looks_mirrored(
    features: LibraryFeatures, comparison: Comparison, first: int, pairs: np.ndarray, length: int
) -> bool:
    """Whether a match that begins at row `first` is nearer to the query's mirror image, where what is compared is the
    same on both sides: by the gist, along the pairs of the alignment."""
    if comparison.query.mirrored != "both" or not comparison.is_its_mirror_image:
        return False
    rows = comparison.query.example.rows(length)
    if GIST not in rows or GIST not in features.arrays:
        return False
    dimensions = Dimensions.of((GIST,))
    own = dimensions.side_by_side(rows)[pairs[:, 0]]
    found = np.asarray(features.arrays[GIST][first : first + length], dtype=np.float64)[pairs[:, 1]]
    gaps = [((one - found) ** 2).sum() for one in (own, dimensions.mirrored(own))]
    return bool(gaps[1] < gaps[0])


def _alignment(comparison: Comparison, variant: Variant, pairs: np.ndarray) -> Alignment:
    """Frames of the query as it was given, with frames of the candidate."""
    method, n_frames, length = comparison.query.distance, comparison.n_frames, variant.n_frames
    if length == n_frames:
        return Alignment(pairs)
    pairs = pairs.copy()
    # Several frames of a longer variant stand for one of the query; a shorter one leaves some out
    pairs[:, 0] = np.floor(sampled_frames(n_frames, length)[pairs[:, 0]] + 0.5).astype(int)
    alignment = Alignment(np.unique(pairs, axis=0))
    return alignment if method == "lcss" else alignment.completed(n_frames, length)
