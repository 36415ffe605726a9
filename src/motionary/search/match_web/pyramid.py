"""The pyramid build: chains at ten frames a second first, then all at the full rate, but around these only."""

from typing import Any

import numpy as np

from motionary.metrics import AnyMetric
from motionary.search.match_web.chains import Paths, chains
from motionary.search.match_web.grid import Region, valid_cells
from motionary.search.match_web.pair_paths import PairPaths, pair_paths
from motionary.search.match_web.settings import WebSettings

COARSE_HZ = 10.0
SHORTEST_COARSE = 5  # frames of both motions together: a short chain may show in few coarse cells only
ROOM = 1.25  # how much above the ceiling a coarse cell may be: a valley's ground lies between coarse frames
PADDING = 1  # coarse cells around chains
REACH = 2  # coarse cells beyond both ends of a chain: where new ends, and short bridges, are looked for


def pyramid_pair(
    metric: AnyMetric,
    first: Any,
    second: Any,
    *,
    shape: tuple[int, int],
    settings: WebSettings,
    rate_hz: float,
    with_itself: bool = False,
) -> PairPaths:
    """The web of two motions, as `dense_pair` has it where the coarse web shows the way."""
    every = max(1, round(rate_hz / COARSE_HZ))
    shortest, furthest, off_diagonal = settings.frames(rate_hz)
    corridor = _corridor(metric, first, second, every, shape, settings, off_diagonal if with_itself else None)
    grid = np.full(shape, np.nan, dtype=np.float32)
    metric.rectangles(first, second, _rectangles(corridor, every, shape), grid)
    cells = valid_cells(grid, settings.region, off_diagonal=off_diagonal if with_itself else None)
    return pair_paths(cells, shortest=shortest, furthest=furthest, ceiling=settings.ceiling**2)


def _corridor(
    metric: AnyMetric,
    first: Any,
    second: Any,
    every: int,
    shape: tuple[int, int],
    settings: WebSettings,
    off_diagonal: int | None,
) -> np.ndarray:
    """The coarse cells (mask) around which frames are compared at the full rate."""
    coarse_shape = -(-shape[0] // every), -(-shape[1] // every)
    grid = np.empty(coarse_shape, dtype=np.float32)
    metric.block(metric.thinned(first, every), metric.thinned(second, every), grid)
    region = Region(settings.rise, settings.least_rise**2, (ROOM * settings.ceiling) ** 2)
    # On the coarse diagonal, too, what is off the diagonal at the full rate may show
    cells = valid_cells(grid, region, off_diagonal=None if off_diagonal is None else max(1, off_diagonal // every - 1))
    found = chains(cells, shortest=SHORTEST_COARSE)
    return _around(found, coarse_shape)


def _around(found: Paths, shape: tuple[int, int]) -> np.ndarray:
    """The cells (mask) of paths, of what lies straight before and behind them, and around all that."""
    mask = np.zeros(shape, dtype=bool)
    first, last = found.firsts[:-1], found.firsts[1:] - 1
    beyond = np.arange(1, REACH + 1)[:, None]
    all_rows, all_columns = (
        np.concatenate([places, (places[first] - beyond).ravel(), (places[last] + beyond).ravel()])
        for places in (found.rows, found.columns)
    )
    for down in range(-PADDING, PADDING + 1):
        for right in range(-PADDING, PADDING + 1):
            rows, columns = all_rows + down, all_columns + right
            inside = (rows >= 0) & (rows < mask.shape[0]) & (columns >= 0) & (columns < mask.shape[1])
            mask[rows[inside], columns[inside]] = True
    return mask


def _rectangles(mask: np.ndarray, every: int, shape: tuple[int, int]) -> np.ndarray:
    """Runs of marked cells in every row, as rectangles (N, 4) of frames: a coarse cell stands for the frames behind it
    up to the next, and for as many before it."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    rows, starts = np.nonzero(np.diff(padded, axis=1) == 1)
    _, stops = np.nonzero(np.diff(padded, axis=1) == -1)
    half = every // 2
    found = np.stack(
        [rows * every - half, rows * every - half + every, starts * every - half, stops * every - half], axis=1
    )
    return np.clip(found, 0, np.array([shape[0], shape[0], shape[1], shape[1]]))
