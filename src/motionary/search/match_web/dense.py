"""The dense build: every pair of frames of two motions, at the full rate. The oracle of the others."""

import numpy as np

from motionary.search.match_web.grid import valid_cells
from motionary.search.match_web.pair_paths import PairPaths, pair_paths
from motionary.search.match_web.web_motion import WebMotion


def dense_pair(first: WebMotion, second: WebMotion, *, with_itself: bool = False) -> PairPaths:
    """The web of two motions; of one with itself, off its diagonal."""
    settings = first.settings
    shortest, furthest, off_diagonal = settings.frames(first.rate_hz)
    grid = np.empty((first.n_frames, second.n_frames), dtype=np.float32)
    first.metric.block(first.described, second.described, grid)
    cells = valid_cells(
        grid,
        settings.region,
        off_diagonal=off_diagonal if with_itself else None,
        stills=(first.stills, second.stills),
    )
    return pair_paths(cells, shortest=shortest, furthest=furthest, ceiling=settings.ceiling**2)
