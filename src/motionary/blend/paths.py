"""Shortest paths from one motion to all others, by way of those in between."""

from collections.abc import Collection, Sequence

import numpy as np

from motionary.blend.aligning import TimedClouds, align, can_align

COARSE_FRAMES = 48  # what motions are thinned to where only the costs are wanted
HOP = 0.05  # metres: what every step of a path costs, so that no path takes more of them than it gains


def pair_costs(
    clouds: Sequence[TimedClouds], *, slope_limit: int = 3, edges: Collection[tuple[int, int]] | None = None
) -> np.ndarray:
    """Costs (N, N) in metres per pair of frames of aligning motions directly; infinite where that is impossible.

    They are measured on thinned motions. `edges` limits them to these pairs, as a match graph does.
    """
    n = len(clouds)
    allowed = None if edges is None else {(min(a, b), max(a, b)) for a, b in edges}
    every = max(1, min(cloud.n_frames for cloud in clouds) // COARSE_FRAMES)
    thin = [cloud.thinned(every) if every > 1 else cloud for cloud in clouds]
    costs = np.full((n, n), np.inf)
    np.fill_diagonal(costs, 0.0)
    for i in range(n):
        for j in range(i + 1, n):
            if allowed is not None and (i, j) not in allowed:
                continue
            if can_align(thin[i].n_frames, thin[j].n_frames, slope_limit=slope_limit):
                costs[i, j] = costs[j, i] = align(thin[i], thin[j], slope_limit=slope_limit).cost
    return costs


def shortest_paths(costs: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
    """(lengths, before): from `start` to each motion, and the one before it on the way, −1 for what is not reached.

    An edge is as long as its squared cost: two small steps are shorter than one large step, so that unlike motions
    are aligned through those that lie between them.
    """
    n = len(costs)
    lengths, before = np.full(n, np.inf), np.full(n, -1)
    lengths[start] = 0.0
    waiting = np.ones(n, dtype=bool)
    while waiting.any():
        node = int(np.argmin(np.where(waiting, lengths, np.inf)))
        if not np.isfinite(lengths[node]):
            break
        waiting[node] = False
        farther = lengths[node] + np.square(costs[node]) + HOP**2
        better = waiting & (farther < lengths)
        lengths[better], before[better] = farther[better], node
    return lengths, before


def middle_of(costs: np.ndarray) -> int:
    """The motion from which the others are reached by the shortest paths in all."""
    totals = [np.minimum(shortest_paths(costs, start)[0], 1e6).sum() for start in range(len(costs))]
    return int(np.argmin(totals))
