"""The dense build: every pair of frames of two motions, at the full rate. The oracle of the others."""

from typing import Any

import numpy as np

from motionary.metrics import AnyMetric
from motionary.search.match_web.grid import valid_cells
from motionary.search.match_web.pair_paths import PairPaths, pair_paths
from motionary.search.match_web.settings import WebSettings


def dense_pair(
    metric: AnyMetric,
    first: Any,
    second: Any,
    *,
    shape: tuple[int, int],
    settings: WebSettings,
    rate_hz: float,
    with_itself: bool = False,
) -> PairPaths:
    """The web of two motions as the metric describes them, of so many frames; of one with itself, off its diagonal."""
    shortest, furthest, off_diagonal = settings.frames(rate_hz)
    grid = np.empty(shape, dtype=np.float32)
    metric.block(first, second, grid)
    cells = valid_cells(grid, settings.region, off_diagonal=off_diagonal if with_itself else None)
    return pair_paths(cells, shortest=shortest, furthest=furthest, ceiling=settings.ceiling**2)
