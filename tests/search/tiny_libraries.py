"""Libraries of a few frames, and the definition of exact search over them, in plain words and without our kernels."""

import math
from collections.abc import Callable

import numpy as np

from motionary.features import LibraryFeatures, Rates, descriptions
from motionary.motion import Segment
from motionary.search import LibrarySegment, Query

Rows = dict[str, np.ndarray]


def library(clips: list[Rows], *, first_id: int = 1) -> LibraryFeatures:
    """A library at the search rate of clips with these features."""
    lengths = np.array([len(next(iter(rows.values()))) for rows in clips], dtype=np.int64)
    return LibraryFeatures(
        {name: np.concatenate([rows[name] for rows in clips]).astype(np.float32) for name in clips[0]},
        np.arange(first_id, first_id + len(clips)),
        np.cumsum(lengths) - lengths,
        lengths,
        tuple(Rates.of(int(n), frame_time=1 / 30) for n in lengths),
        tuple(str(c) for c in range(len(clips))),
        (),
        30.0,
    )


def stretched(rows: Rows, length: int) -> Rows:
    """Features of a query played in `length` frames, straight between frames: any rule will do for a test."""
    n = len(next(iter(rows.values())))
    at = np.arange(length) * ((n - 1) / (length - 1)) if length > 1 else np.zeros(1)
    return {
        name: np.stack([np.interp(at, np.arange(n), column) for column in array.T], axis=1).astype(np.float32)
        for name, array in rows.items()
    }


def query_of(features: LibraryFeatures, segment: Segment, **options) -> Query:
    """A query by a segment of such a library, played slower or faster in straight lines."""
    example = LibrarySegment(features, segment)
    return Query(
        example=LibrarySegment(features, segment, lambda length: stretched(example.rows(example.n_frames), length)),
        **options,
    )


def naive_search(
    features: LibraryFeatures, query: Query, *, weights: Callable[[str, str, str], float] = lambda *_: 1.0
) -> list[tuple[float, int, int, int, bool]]:
    """(distance, clip id, start, length, mirrored) of all matches, from the definition.

    `weights(description, part, dimension)` is what the query's joints and weights are meant to say.
    """
    known = descriptions()
    segment = query.example.segment
    rate = features.rates[features.number(segment.clip_id)]
    own_start, own_stop = rate.search_segment(segment.start, segment.stop)
    own = {name: features.of(segment.clip_id)[name][own_start:own_stop] for name in query.descriptions}
    n = own_stop - own_start
    radius = math.floor(query.window * n + 0.5)
    least_onset = max(1, math.ceil(round(query.onsets * n, 9)))
    lengths = range(max(1, math.ceil(round(n * (1 - query.scale), 9))), math.floor(round(n * (1 + query.scale), 9)) + 1)
    tolerances = np.concatenate(
        [query.tolerance * np.maximum(own[name].astype(float).std(axis=0), 0.01) for name in query.descriptions]
    )
    best: dict[tuple[int, int], tuple] = {}
    for mirrored in {"no": [False], "only": [True], "both": [False, True]}[query.mirrored]:
        w, eps, order = [], [], []
        for name in query.descriptions:
            for dimension in known[name].dimensions:
                twin = next(d for d in known[name].dimensions if d.name == dimension.mirror) if mirrored else dimension
                w.append(weights(name, twin.part, twin.name))
                order.append((name, twin.name))
        names = [(name, d.name) for name in query.descriptions for d in known[name].dimensions]
        eps = [tolerances[names.index(key)] for key in order]
        w, eps = np.array(w), np.where(np.array(w) == 0, np.inf, eps)
        for p in lengths:
            rows = own if p == n else stretched(own, p)
            if mirrored:
                rows = {name: known[name].mirrored(array) for name, array in rows.items()}
            q = np.concatenate([rows[name] for name in query.descriptions], axis=1).astype(float)
            for c, clip_id in enumerate(features.clip_ids.tolist()):
                frames = np.concatenate([features.of(clip_id)[name] for name in query.descriptions], axis=1).astype(
                    float
                )
                for start in range(features.n_frames[c] - p + 1):
                    is_own = clip_id == segment.clip_id and abs(start - own_start) < least_onset
                    if is_own and not query.with_itself:
                        continue
                    keys = _keys(query, q, frames[start : start + p], w, eps, radius, n)
                    if keys is None:
                        continue
                    found = (*keys, abs(p - n), p, mirrored)
                    best[clip_id, start] = min(best.get((clip_id, start), found), found)
    ranking = sorted((found[:2], *place, found[3], found[4]) for place, found in best.items())
    taken: list[tuple[float, int, int, int, bool]] = []
    for (distance, _), clip_id, start, p, mirrored in ranking:
        if len(taken) == query.k:
            break
        if all(clip_id != other or abs(start - s) >= least_onset for _, other, s, _, _ in taken):
            taken.append((distance, clip_id, start, p, mirrored))
    return taken


def _keys(query, q, c, w, eps, radius, n):
    costs = [[_cost(a, b, w) for b in c] for a in q]
    p = len(q)
    if query.distance == "euclid":
        total = 0.0
        for i in range(p):
            total += costs[i][i]
        return total * (n / p), 0.0
    warped = _dtw(costs, radius) * (n / p)
    if query.distance == "dtw":
        return warped, 0.0
    if not np.isfinite(eps).any():
        return None
    near = np.array([[bool((np.abs(a - b) <= eps).all()) for b in c] for a in q])
    longest = np.zeros((p + 1, p + 1), dtype=int)
    for i in range(p):
        for j in range(p):
            longest[i + 1, j + 1] = max(longest[i, j + 1], longest[i + 1, j])
            if near[i, j] and abs(i - j) <= radius:
                longest[i + 1, j + 1] = longest[i, j] + 1
    return (1.0 - longest[-1, -1] / p, warped) if longest[-1, -1] else None


def _cost(a, b, w):
    total = 0.0
    for x, y, weight in zip(a.tolist(), b.tolist(), w.tolist(), strict=True):
        total += weight * ((x - y) * (x - y))
    return total


def _dtw(costs, radius):
    p = len(costs)
    least = {}
    for i in range(p):
        for j in range(p):
            if abs(i - j) <= radius:
                before = [least.get((i - a, j - b), math.inf) for a, b in ((1, 0), (1, 1), (0, 1))]
                least[i, j] = costs[i][j] + (0.0 if i == j == 0 else min(before))
    return least[p - 1, p - 1]
