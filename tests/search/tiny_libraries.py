"""Libraries of a few frames, and the definition of exact search over them, in plain words and without our kernels."""

import math
from collections.abc import Callable

import numpy as np

from motionary.features import Rates, descriptions
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search import LibrarySegment, Query

Rows = dict[str, np.ndarray]
PLAIN = {"descriptions": ("positions",), "mirrored": "no"}  # whatever is the default


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
    """A query by a segment of such a library, played slower or faster in straight lines; plain if nothing is said."""
    example = LibrarySegment(features, segment)
    return Query(
        example=LibrarySegment(features, segment, lambda length: stretched(example.rows(example.n_frames), length)),
        **PLAIN | options,
    )


def naive_search(
    features: LibraryFeatures, query: Query, *, weights: Callable[[str, str, str], float] = lambda *_: 1.0
) -> list[tuple[float, int, int, int, bool]]:
    """(distance, clip id, start, length, mirrored) of all matches, from the definition.

    `weights(description, part, dimension)` is what the query's joints and weights are meant to say.
    """
    known = descriptions()
    segment = query.example.segment
    own_start, own = segment.start, _own_rows(features, segment, query)  # clips are at the search rate
    n = segment.n_frames
    radius = math.floor(query.window * n + 0.5)
    least_onset = max(1, math.ceil(round(query.onsets * n, 9)))
    lengths = range(max(1, math.ceil(round(n * (1 - query.scale), 9))), math.floor(round(n * (1 + query.scale), 9)) + 1)
    shown = [own, *(_own_rows(features, unlike.example.segment, query) for unlike in query.unlike)]
    signs = [1.0, *(-unlike.weight for unlike in query.unlike)]
    best: dict[tuple[int, int], tuple] = {}
    for mirrored in {"no": [False], "only": [True], "both": [False, True]}[query.mirrored]:
        w, eps = [], []
        for rows, sign in zip(shown, signs, strict=True):
            for name in query.descriptions:
                deviations = np.maximum(rows[name].astype(float).std(axis=0), 0.01)
                names = [dimension.name for dimension in known[name].dimensions]
                for dimension in known[name].dimensions:
                    twin = known[name].dimensions[names.index(dimension.mirror)] if mirrored else dimension
                    w.append(sign * weights(name, twin.part, twin.name))
                    eps.append(math.copysign(query.tolerance * deviations[names.index(twin.name)], sign))
        w, eps = np.array(w), np.where(np.array(w) == 0, np.inf, eps)
        for p in lengths:
            q = []
            for rows in shown:
                rows = rows if p == len(next(iter(rows.values()))) else stretched(rows, p)
                q += [known[name].mirrored(rows[name]) if mirrored else rows[name] for name in query.descriptions]
            q = np.concatenate(q, axis=1).astype(float)
            for c, clip_id in enumerate(features.clip_ids.tolist()):
                here = [features.of(clip_id)[name] for name in query.descriptions]
                frames = np.concatenate(here * len(shown), axis=1).astype(float)
                for start in range(features.n_frames[c] - p + 1):
                    out = [] if query.with_itself else [(segment.clip_id, own_start)]
                    out += [(place.clip_id, place.start) for place in query.without]
                    if any(clip_id == other and abs(start - s) < least_onset for other, s in out):
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


def _own_rows(features: LibraryFeatures, segment: Segment, query: Query) -> Rows:
    own = features.of(segment.clip_id)
    return {name: own[name][segment.start : segment.stop] for name in query.descriptions}


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
    inside = [[np.abs(a - b) <= np.abs(eps) for b in c] for a in q]
    near = np.array([[bool(np.where(eps < 0, ~one, one).all()) for one in row] for row in inside])
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
