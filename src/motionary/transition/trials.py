"""Trials of recipes: how they do for the motions that representatives stand for.

What is best for two medoids need not be best for the windows of their clusters: it may fit the very steps of the two.
So the best recipes of a pair by its medoids are tried between windows drawn from both clusters, twice: all of them a
few times, and those that do best by then many times.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from motionary.transition.blending import SCORE, run_blends
from motionary.transition.body_lanes import BodyLanes
from motionary.transition.clusters import Clusters
from motionary.transition.pool import Pool
from motionary.transition.searching import NONE, align_all
from motionary.transition.sources import gather_windows
from motionary.transition.workspace import make_workspace
from motionary.workers import n_cores

N_SHORT = 16  # recipes of a pair that are tried, and the direct blend
N_FIRST = 8  # windows of each cluster in the first trial
N_FINAL = 8  # recipes in the second
N_SECOND = 24  # windows in the second
N_KEPT = 4  # recipes of a pair that are kept, best first
WORST = 2.0  # metres: what scores more is as bad


def try_row(
    pool: Pool, lanes: BodyLanes, clusters: Clusters, i: int, recipes: np.ndarray, *, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Of recipes (R, S, 2) from representative i those that do best (R, K, 2), best first, and what they score (R, K).

    A recipe's score is the square of the mean root of its scores between members, drawn by `seed`: so the usual counts
    for more than the worst. All recipes of a pair are tried between the same windows. The direct blend is among them.
    """
    rng = np.random.default_rng((seed, i))
    recipes = with_direct(recipes)
    first = trial_scores(pool, lanes, clusters, i, recipes, n=N_FIRST, rng=rng)
    kept = np.argsort(first.mean(axis=0), axis=1, kind="stable")[:, :N_FINAL]
    recipes = with_direct(np.take_along_axis(recipes, kept[..., None], axis=1))
    second = trial_scores(pool, lanes, clusters, i, recipes, n=N_SECOND, rng=rng)
    scores = second.mean(axis=0)
    best = np.argsort(scores, axis=1, kind="stable")[:, :N_KEPT]
    return np.take_along_axis(recipes, best[..., None], axis=1), np.take_along_axis(scores, best, axis=1) ** 2


def with_direct(recipes: np.ndarray) -> np.ndarray:
    """Recipes (R, S, 2) with the direct blend among them: in place of the last of each pair that is without it."""
    out = np.array(recipes)
    without = ~(out == NONE).all(axis=2).any(axis=1)
    out[without, -1] = NONE
    return out


def trial_scores(
    pool: Pool, lanes: BodyLanes, clusters: Clusters, i: int, recipes: np.ndarray, *, n: int, rng: np.random.Generator
) -> np.ndarray:
    """Roots of the scores (n, R, S) of recipes (R, S, 2) from n windows of cluster i to as many of each cluster."""
    n_representatives = clusters.n_clusters
    nearest = np.argmin(clusters.distances[clusters.windows], axis=1)
    members = [clusters.windows[nearest == k] for k in range(n_representatives)]
    members = [own if len(own) else clusters.representatives[[k]] for k, own in enumerate(members)]
    sources = rng.choice(members[i], n)
    targets = np.stack([rng.choice(own, n) for own in members], axis=1)  # (n, R)

    def tried(m: int) -> np.ndarray:
        return _scores_between(pool, lanes, clusters, int(sources[m]), targets[m], recipes)

    with ThreadPoolExecutor(n_cores()) as threads:
        return np.sqrt(np.minimum(np.array(list(threads.map(tried, range(n)))), WORST))


def _scores_between(
    pool: Pool, lanes: BodyLanes, clusters: Clusters, source: int, targets: np.ndarray, recipes: np.ndarray
) -> np.ndarray:
    """The scores (R, S) of recipes (R, S, 2) from a window to one of each cluster (R,)."""
    n_frames, n_targets = clusters.n_frames, len(targets)
    firsts = np.concatenate([[source], targets, clusters.representatives])
    places = np.array([(pool.clip_of(first), first) for first in firsts.tolist()])
    windows = gather_windows(pool, lanes, places, n_frames, levels=_levels(pool, places, n_targets, n_frames))
    aligned = align_all(windows, 0)
    work = make_workspace(n_frames + 1, lanes)
    scores = np.empty(recipes.shape[:2])
    for j, of_pair in enumerate(recipes):
        out = np.zeros((len(of_pair), 8))
        rows = blend_rows(of_pair, 0, 1 + j, 1 + n_targets)
        run_blends(lanes, windows, *aligned, rows, False, np.full((1, 2), np.inf), out, work)
        scores[j] = out[:, SCORE]
    return scores


def blend_rows(recipes: np.ndarray, source: int, target: int, begin: int) -> np.ndarray:
    """Recipes (S, 2) as numbers of windows (S, 4), the representatives' beginning at one."""
    rows = np.full((len(recipes), 4), NONE, dtype=np.int64)
    rows[:, 0] = source
    n_between = np.sum(recipes != NONE, axis=1)
    for k in range(recipes.shape[1]):
        used = n_between > k
        rows[used, 1 + k] = begin + recipes[used, k]
    rows[np.arange(len(rows)), 1 + n_between] = target
    return rows


def _levels(pool: Pool, places: np.ndarray, n_targets: int, n_frames: int) -> Sequence[float]:
    """The ground below windows as transitions take it: below a source's first frame, and below a target's last."""
    later = np.full(len(places), n_frames // 2)
    later[0], later[1 : 1 + n_targets] = 0, n_frames
    return [pool.level(clip, first + by) for (clip, first), by in zip(places.tolist(), later.tolist(), strict=True)]
