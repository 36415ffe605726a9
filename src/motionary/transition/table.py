"""The table of transitions: for every pair of representatives the best recipe, and what natural motion scores."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionary.errors import UsageError
from motionary.transition.blending import SCORE
from motionary.transition.body_lanes import BodyLanes, body_lanes
from motionary.transition.clusters import Clusters
from motionary.transition.natural_scores import (
    ERRORS,
    GOOD_PERCENTILE,
    natural_thresholds,
    natural_windows,
    score_windows,
)
from motionary.transition.pool import Pool
from motionary.transition.searching import NONE, n_blends, search_row
from motionary.transition.sources import SourceWindows, gather_windows
from motionary.transition.trials import N_KEPT, N_SHORT, try_row

N_NATURAL = 3000  # real windows that tell what is natural
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class TransitionRecipe:
    """A blend: none, one or two intermediaries between source and target, by their numbers among representatives."""

    intermediaries: tuple[int, ...]
    score: float  # what it usually scores between windows like the two representatives, metres

    @property
    def n_sources(self) -> int:
        return 2 + len(self.intermediaries)


@dataclass(frozen=True, eq=False)
class TransitionTable:
    """The best recipes from each representative to each other; rows that are not built yet have no scores (NaN)."""

    clusters: Clusters
    scores: np.ndarray  # (R, R, K) float32 metres, best first; NaN: not built yet
    intermediaries: np.ndarray  # (R, R, K, 2) int16; −1: none
    natural: np.ndarray  # (N, 4) float32 of real windows: score, plant error, ZMP error, fall error
    thresholds: np.ndarray  # (T, 3) float16 metres: what motion like the window from each frame may have of each error
    n_finished: int  # blends that were scored to the end

    @property
    def n_representatives(self) -> int:
        return len(self.scores)

    @property
    def complete(self) -> bool:
        return bool(np.isfinite(self.scores).all())

    @property
    def threshold(self) -> float:
        """The score that 97.5 % of the library's own motion stay below, of whatever kind."""
        return float(np.percentile(self.natural[:, SCORE], GOOD_PERCENTILE)) if len(self.natural) else np.nan

    @property
    def n_bytes(self) -> int:
        """Of the table itself, without what is known of each frame of the library."""
        return self.scores.nbytes + self.intermediaries.nbytes + self.natural.nbytes

    @property
    def bytes_a_frame(self) -> int:
        """Of each frame's distances and thresholds."""
        n_thresholds = self.thresholds.shape[1]
        return self.clusters.distances.itemsize * self.n_representatives + self.thresholds.itemsize * n_thresholds

    @property
    def least(self) -> np.ndarray:
        """The scores (R, R) of the best recipes."""
        return self.scores[..., 0]

    def recipes(self, i: int, j: int) -> list[TransitionRecipe]:
        """The best recipes from representative i to j, best first."""
        if not np.isfinite(self.scores[i, j, 0]):
            raise UsageError("the table of transitions is not finished; build it to the end first")
        rows = zip(self.intermediaries[i, j].tolist(), self.scores[i, j].tolist(), strict=True)
        return [TransitionRecipe(tuple(k for k in used if k != NONE), score) for used, score in rows]


def start_table(pool: Pool, clusters: Clusters, *, n_natural: int = N_NATURAL, seed: int = 0) -> TransitionTable:
    """A table without recipes, which knows what natural motion scores."""
    n, n_frames = clusters.n_clusters, clusters.n_frames
    windows = natural_windows(pool, n_frames, n=n_natural, rng=np.random.default_rng(seed))
    natural = score_windows(pool, windows, n_frames)
    return TransitionTable(
        clusters,
        np.full((n, n, N_KEPT), np.nan, dtype=np.float32),
        np.full((n, n, N_KEPT, 2), NONE, dtype=np.int16),
        natural.astype(np.float32),
        natural_thresholds(pool, n_frames, windows, natural[:, ERRORS]),
        0,
    )


def build_table(
    pool: Pool,
    clusters: Clusters,
    *,
    exhaustive: bool = False,
    begun: TransitionTable | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    keep: Callable[[TransitionTable], None] | None = None,
) -> TransitionTable:
    """The table of all pairs; goes on with one that was `begun`, and gives what is done to `keep` row by row.

    The best recipes by the representatives are tried between members of their clusters, drawn by `seed`.
    """
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = representative_windows(pool, lanes, clusters)
    table = begun if begun is not None else start_table(pool, clusters)
    for i in range(table.n_representatives):
        if np.isfinite(table.scores[i]).all():
            continue
        _, short, finished = search_row(lanes, windows, i, exhaustive=exhaustive, n_best=N_SHORT)
        recipes, found = try_row(pool, lanes, clusters, i, short, seed=seed)
        scores, intermediaries = np.array(table.scores), np.array(table.intermediaries)
        scores[i], intermediaries[i] = found, recipes
        n_finished = table.n_finished + finished
        table = replace(table, scores=scores, intermediaries=intermediaries, n_finished=n_finished)
        if keep:
            keep(table)
        if progress:
            progress(i + 1, table.n_representatives, f"{n_blends(table.n_representatives):,} blends")
    return table


def representative_windows(pool: Pool, lanes: BodyLanes, clusters: Clusters) -> SourceWindows:
    """The windows of the representatives."""
    firsts = np.array([(pool.clip_of(int(first)), int(first)) for first in clusters.representatives])
    return gather_windows(pool, lanes, firsts, clusters.n_frames)
