"""The pyramid and the sparse build: chains at ten frames a second first, then all at the full rate around these.

The two differ in how coarse frames are compared: exactly, or as vectors that turn and move with the body, which is
several times as fast, and tells at once where nothing is near. Where the full rate is hardly above the coarse one,
there is nothing to gain, and short chains would be lost: all frames are compared.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionary.metrics import turned_distances
from motionary.search.match_web.corridor import corridor
from motionary.search.match_web.corridor_paths import corridor_paths
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.minima import corridor_chains
from motionary.search.match_web.pair_paths import NO_PATHS, PairPaths
from motionary.search.match_web.web_motion import COARSE_HZ, WebMotion


@dataclass(frozen=True)
class Care:
    """How much is refined."""

    room: float  # how much above the ceiling a coarse cell may be: a valley's ground lies between coarse frames
    shortest: int  # coarse frames of both motions together: a short chain may show in few coarse cells only
    reach: int  # coarse cells beyond the ends of chains: where new ends are looked for


LEAST_HZ = 2 * COARSE_HZ  # what is slower is not thinned
PYRAMID, SPARSE = Care(room=1.05, shortest=5, reach=1), Care(room=1.0, shortest=6, reach=0)


def pyramid_pair(first: WebMotion, second: WebMotion, *, with_itself: bool = False) -> PairPaths:
    """The web of two motions, as `dense_pair` has it where the coarse web shows the way."""
    if first.rate_hz < LEAST_HZ:
        return dense_pair(first, second, with_itself=with_itself)
    grid = np.empty((first.coarse_stills.shape[1], second.coarse_stills.shape[1]), dtype=np.float32)
    first.metric.block(first.coarse, second.coarse, grid)
    return _refined(grid, first, second, with_itself, PYRAMID)


def sparse_pair(first: WebMotion, second: WebMotion, *, with_itself: bool = False) -> PairPaths:
    """The same, with near coarse frames found among vectors."""
    if first.rate_hz < LEAST_HZ:
        return dense_pair(first, second, with_itself=with_itself)
    grid, least = turned_distances(first.turned, second.turned)
    if not least <= first.settings.ceiling**2:
        return NO_PATHS
    return _refined(grid, first, second, with_itself, SPARSE)


def _refined(grid: np.ndarray, first: WebMotion, second: WebMotion, with_itself: bool, care: Care) -> PairPaths:
    """The web around the chains of a coarse grid."""
    settings, every = first.settings, first.every
    region = (
        settings.region if care.room == 1.0 else replace(settings.region, ceiling=(care.room * settings.ceiling) ** 2)
    )
    if not grid.size:
        return NO_PATHS
    shortest, furthest, off_diagonal = settings.frames(first.rate_hz)
    # Beside the coarse diagonal, too, what is off the diagonal at the full rate may show
    coarse_off = max(1, off_diagonal // every - 1) if with_itself else None
    found = corridor_chains(
        grid.reshape(-1),
        np.array([[0, grid.shape[0], 0, grid.shape[1]]]),
        grid.shape,
        region,
        shortest=care.shortest,
        off_diagonal=coarse_off,
        stills=(first.coarse_stills, second.coarse_stills),
    )
    if not found.n_paths:
        return NO_PATHS
    shape = first.n_frames, second.n_frames
    rectangles = corridor(found, every, shape, reach=care.reach)
    return corridor_paths(
        first.metric.rectangles(first.described, second.described, rectangles),
        rectangles,
        shape,
        settings.region,
        shortest=shortest,
        furthest=furthest,
        off_diagonal=off_diagonal if with_itself else None,
        stills=(first.stills, second.stills),
    )
