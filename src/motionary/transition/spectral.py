"""Spectral embedding of many points by the affinities to a few (Fowlkes, Belongie, Chung & Malik 2004), and k-means."""

import numpy as np

from motionary.errors import UsageError

TINY = 1e-10
ROUNDS = 100


def spectral_embedding_reference(affinity: np.ndarray, n_components: int) -> np.ndarray:
    """The normalised spectral embedding (N, E) from all affinities (N, N): leading eigenvectors of D^-½ A D^-½.

    Rows have length 1 (Ng, Jordan & Weiss 2001). Dividing by the first eigenvector instead, as Fowlkes et al. do, sends
    the few windows that are unlike all others far away: 28 of 50 clusters of captured walks then had at most 3 windows.
    """
    degree = affinity.sum(axis=1)
    values, vectors = np.linalg.eigh(affinity / np.sqrt(np.outer(degree, degree)))
    leading = vectors[:, np.argsort(values)[::-1][:n_components]]
    return np.asarray(leading / np.linalg.norm(leading, axis=1, keepdims=True))


def nystrom_embedding(among: np.ndarray, across: np.ndarray, n_components: int) -> np.ndarray:
    """The same from the affinities (M, M) among some points, and (M, N) from them to all others: (M + N, E).

    With no others it is the embedding itself. Rows come in the order of the points, the sample first.
    """
    m = len(among)
    if n_components > m:
        raise UsageError(f"{n_components} components need a sample of at least as many windows, not {m}")
    inverse = _power(among, -1.0)
    to_others = across.sum(axis=1)
    degree = np.concatenate([among.sum(axis=1) + to_others, across.sum(axis=0) + across.T @ (inverse @ to_others)])
    scale = 1.0 / np.sqrt(np.maximum(degree, TINY))
    a = among * np.outer(scale[:m], scale[:m])
    b = across * np.outer(scale[:m], scale[m:])
    root = _power(a, -0.5)
    values, vectors = np.linalg.eigh(a + root @ (b @ b.T) @ root)
    order = np.argsort(values)[::-1][:n_components]
    values, vectors = np.maximum(values[order], TINY), vectors[:, order]
    embedded = np.concatenate([a, b.T]) @ root @ vectors / np.sqrt(values)
    return np.asarray(embedded / np.maximum(np.linalg.norm(embedded, axis=1, keepdims=True), TINY))


def _power(matrix: np.ndarray, power: float) -> np.ndarray:
    """A symmetric matrix to a negative power, without the directions in which it is 0."""
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    used = values > 1e-9 * values[-1]
    return np.asarray((vectors[:, used] * values[used] ** power) @ vectors[:, used].T)


def k_means(points: np.ndarray, k: int, *, rng: np.random.Generator, n_starts: int = 3) -> np.ndarray:
    """The cluster (N,) of each point, the best of several starts (k-means++); no cluster is empty."""
    distinct = len(np.unique(points, axis=0))
    if not 1 <= k <= distinct:
        raise UsageError(f"{k} clusters cannot be made of {distinct} different windows; ask for fewer")
    best, least = np.zeros(len(points), dtype=np.int64), np.inf
    for _ in range(n_starts):
        clusters, spread = _one_start(points, _spread_centres(points, k, rng))
        if spread < least:
            best, least = clusters, spread
    return best


def _spread_centres(points: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """k points, each drawn with a chance as its squared distance to those before it."""
    centres = [points[rng.integers(len(points))]]
    nearest = np.sum((points - centres[0]) ** 2, axis=1)
    while len(centres) < k:
        centres.append(points[rng.choice(len(points), p=nearest / nearest.sum())])
        nearest = np.minimum(nearest, np.sum((points - centres[-1]) ** 2, axis=1))
    return np.array(centres)


def _one_start(points: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """Lloyd's rounds until nothing changes; an empty cluster takes the point farthest from its centre."""
    squares = np.sum(points * points, axis=1)
    clusters = np.full(len(points), -1)
    for _ in range(ROUNDS):
        away = squares[:, None] - 2.0 * points @ centres.T + np.sum(centres * centres, axis=1)
        now = np.argmin(away, axis=1)
        distances = away[np.arange(len(points)), now]
        for empty in np.flatnonzero(np.bincount(now, minlength=len(centres)) == 0):
            crowded = np.bincount(now, minlength=len(centres))[now] > 1
            farthest = int(np.argmax(np.where(crowded, distances, -np.inf)))
            now[farthest], distances[farthest] = empty, 0.0
        if np.array_equal(now, clusters):
            break
        clusters = now
        sums = np.stack([np.bincount(clusters, column, minlength=len(centres)) for column in points.T], axis=1)
        centres = sums / np.bincount(clusters, minlength=len(centres))[:, None]
    return clusters, float(np.sum((points - centres[clusters]) ** 2))
