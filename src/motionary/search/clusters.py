"""Clusters of matches: what was found, sorted into a few kinds, each shown by its most typical match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.alignment import Match
from motionary.errors import UsageError
from motionary.library import LibraryFeatures
from motionary.search.linkage import average_linkage
from motionary.search.matched_rows import matched_rows, query_frames

SHARE, FEWEST, MOST = 0.2, 2, 12  # how many clusters: a share of the matches, clamped
WHOLE_BODY = "positions"  # what is compared; all joints weigh the same
CM = 100.0


@dataclass(frozen=True, eq=False, repr=False)
class Cluster:
    """Matches that are like each other, by rank; the medoid has the least sum of distances to the others."""

    ranks: tuple[int, ...]  # of the members among the matches, from 1
    matches: tuple[Match, ...]
    medoid_rank: int
    spread: float  # mean distance of the others to the medoid: cm a joint and frame, on a body of 1.75 m

    def __repr__(self) -> str:
        return f"Cluster({len(self.ranks)} matches, most typical {self.medoid.place})"

    @property
    def medoid(self) -> Match:
        return self.matches[self.ranks.index(self.medoid_rank)]

    def as_json(self) -> dict[str, Any]:
        return {
            "size": len(self.ranks),
            "medoid_rank": self.medoid_rank,
            "spread": self.spread,
            "ranks": list(self.ranks),
            **self.medoid.as_json(),
        }


@dataclass(frozen=True, eq=False)
class Clusters:
    """All clusters of some matches, numbered from 1 in the order of their best matches."""

    clusters: tuple[Cluster, ...]

    def opened(self, number: int) -> Cluster:
        """One cluster, with its members."""
        if not 1 <= number <= len(self.clusters):
            raise UsageError(f"there is no cluster {number}; there are {len(self.clusters)}, numbered from 1")
        return self.clusters[number - 1]

    def without(self, *numbers: int) -> dict[int, Match]:
        """The matches that are left when these clusters are dismissed, by rank."""
        gone = {rank for number in numbers for rank in self.opened(number).ranks}
        left = {
            rank: match
            for cluster in self.clusters
            for rank, match in zip(cluster.ranks, cluster.matches, strict=True)
            if rank not in gone
        }
        return dict(sorted(left.items()))


def clusters_of(
    features: LibraryFeatures, matches: Sequence[Match] | Mapping[int, Match], *, n_clusters: int | None = None
) -> Clusters:
    """The clusters of matches of one query, by average linkage of their mutual distances.

    Matches are ranked as they come, or have the ranks of a selection. Clusters are a fifth as many as matches, 2 to
    12, unless `n_clusters` says how many.
    """
    ranked = dict(matches) if isinstance(matches, Mapping) else dict(enumerate(matches, start=1))
    if not ranked:
        return Clusters(())
    if n_clusters is None:
        n_clusters = min(max(round(SHARE * len(ranked)), FEWEST), MOST)
    elif n_clusters < 1:
        raise UsageError(f"the number of clusters must be at least 1, not {n_clusters}")
    distances = mutual_distances(features, tuple(ranked.values()))
    group = average_linkage(distances).cut(n_clusters)
    return Clusters(tuple(_cluster(ranked, distances, np.flatnonzero(group == g)) for g in range(group.max() + 1)))


def mutual_distances(features: LibraryFeatures, matches: Sequence[Match]) -> np.ndarray:
    """How far matches are from each other (K, K), each in the query's time and on its side of a mirror.

    Root of the mean square, over frames and joints, of how far a joint is from where the other match has it, in cm.
    """
    n_frames = query_frames(tuple(matches))
    bodies = np.stack([matched_rows(features, match, n_frames)[WHOLE_BODY] for match in matches]).astype(np.float64)
    flat = bodies.reshape(len(matches), -1)
    flat = flat - flat.mean(axis=0)  # near their mean, differences of squares lose the least
    squares = (flat * flat).sum(axis=1)
    gaps = np.maximum(squares[:, None] + squares - 2.0 * flat @ flat.T, 0.0)
    gaps = np.minimum(gaps, gaps.T)
    np.fill_diagonal(gaps, 0.0)
    return np.asarray(CM * np.sqrt(gaps / (flat.shape[1] / 3.0)))


def _cluster(ranked: Mapping[int, Match], distances: np.ndarray, members: np.ndarray) -> Cluster:
    ranks = tuple(np.array(list(ranked))[members].tolist())
    among = distances[np.ix_(members, members)]
    medoid = int(np.argmin(among.sum(axis=1)))
    n_others = len(members) - 1
    return Cluster(
        ranks,
        tuple(ranked[rank] for rank in ranks),
        ranks[medoid],
        float(among[medoid].sum() / n_others) if n_others else 0.0,
    )
