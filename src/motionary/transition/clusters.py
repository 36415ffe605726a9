"""Clusters of a library's windows, and the representatives that stand for them."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.transition.pool import Pool
from motionary.transition.spectral import k_means, nystrom_embedding
from motionary.transition.windows import complete_windows, squared_distances, window_frames, window_shapes

N_REPRESENTATIVES = 50
N_COMPONENTS = 10
N_SAMPLE = 400  # windows whose affinities to all others are known
N_CLUSTERED = 8_000  # windows that are clustered, evenly taken; all are measured against the representatives


def usual_representatives(library_secs: float, *, secs: float) -> int:
    """How many representatives a library has unless something else is asked for: fewer than usual if it is short.

    One for every two windows that have no frame in common: of less motion there are not so many kinds.
    """
    return min(max(int(library_secs / (2.0 * secs)), 2), N_REPRESENTATIVES)


@dataclass(frozen=True)
class ClusterOptions:
    """How windows are clustered: how many clusters, of how many windows, by how many components."""

    n_clusters: int = N_REPRESENTATIVES
    n_components: int = N_COMPONENTS
    n_sample: int = N_SAMPLE
    n_windows: int = N_CLUSTERED
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("n_clusters", "n_components", "n_sample", "n_windows"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.seed < 0:
            raise UsageError(f"the seed {self.seed} is not possible; use a whole number from 0")


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of a pool's windows of `n_frames` + 1 poses, the largest first."""

    n_frames: int
    windows: np.ndarray  # (N,) int64 first frames of the windows that were clustered
    members: np.ndarray  # (N,) int32 the cluster of each
    representatives: np.ndarray  # (K,) int64 first frames of the medoids
    distances: (
        np.ndarray
    )  # (T, K) float16 metres: root of the distance of each frame's window to each medoid; NaN: none
    sigma: float  # metres: the median distance, within which windows count as alike

    @property
    def n_clusters(self) -> int:
        return len(self.representatives)

    @property
    def sizes(self) -> np.ndarray:
        """How many windows each cluster has (K,)."""
        return np.bincount(self.members, minlength=self.n_clusters)

    def separation(self) -> np.ndarray:
        """How well the windows of each cluster are apart from the others' (K,), at most 1.

        Mean over its windows of (b − a) / max(a, b): a is the distance to the own representative, b to the nearest
        other. 0: as near to another as to its own; below 0: nearer.
        """
        away = self.distances[self.windows].astype(np.float64)
        own = away[np.arange(len(away)), self.members]
        if self.n_clusters == 1:
            return np.ones(1)
        away[np.arange(len(away)), self.members] = np.inf
        other = away.min(axis=1)
        each = (other - own) / np.maximum(np.maximum(own, other), 1e-9)
        return np.asarray(np.bincount(self.members, each, minlength=self.n_clusters) / np.maximum(self.sizes, 1))


def build_clusters(pool: Pool, *, secs: float = 1.0, options: ClusterOptions | None = None) -> Clusters:
    """Cluster the windows of `secs` seconds; the medoids are the representatives."""
    options = options or ClusterOptions()
    n_frames = window_frames(secs, pool.frame_time)
    every = complete_windows(pool, n_frames)
    if len(every) == 0:
        raise UsageError(f"no clip is longer than {secs:g} s; ask for shorter transitions")
    windows = every[:: -(-len(every) // options.n_windows)]
    shapes = np.concatenate(list(window_shapes(pool, windows, n_frames)))
    rng = np.random.default_rng(options.seed)
    sample = rng.permutation(len(windows))[: options.n_sample]
    rest = np.setdiff1d(np.arange(len(windows)), sample)
    squares = squared_distances(shapes[sample], shapes)
    sigma = float(np.sqrt(np.median(squares[:, sample])))
    affinity = np.exp(-squares / (2.0 * max(sigma, 1e-6) ** 2))
    n_components = min(options.n_components, len(sample))
    embedded = np.empty((len(windows), n_components))
    embedded[np.concatenate([sample, rest])] = nystrom_embedding(affinity[:, sample], affinity[:, rest], n_components)
    members = k_means(embedded, min(options.n_clusters, len(windows)), rng=rng)
    order = np.argsort(-np.bincount(members), kind="stable")
    members = np.argsort(order)[members].astype(np.int32)
    medoids = np.array([_medoid(shapes, np.flatnonzero(members == c)) for c in range(len(order))])
    return Clusters(
        n_frames, windows, members, windows[medoids], _to_medoids(pool, every, n_frames, shapes[medoids]), sigma
    )


def _medoid(shapes: np.ndarray, members: np.ndarray) -> int:
    """The member with the least sum of squared distances to the others: the one nearest to their mean."""
    mean = shapes[members].mean(axis=0, dtype=np.float64)
    return int(members[np.argmin(np.sum((shapes[members] - mean) ** 2, axis=1))])


def _to_medoids(pool: Pool, windows: np.ndarray, n_frames: int, medoids: np.ndarray) -> np.ndarray:
    distances = np.full((pool.n_frames, len(medoids)), np.nan, dtype=np.float16)
    done = 0
    for shapes in window_shapes(pool, windows, n_frames):
        distances[windows[done : done + len(shapes)]] = np.sqrt(squared_distances(shapes, medoids))
        done += len(shapes)
    return distances
