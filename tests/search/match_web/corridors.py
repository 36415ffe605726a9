"""Small corridors: a grid, and rectangles around made-up coarse paths."""

import numpy as np
from hypothesis import strategies as st

from motionary.search.match_web.chains import Paths
from motionary.search.match_web.corridor import corridor
from search.match_web.grids import grids, stills


def paths(rows, columns, firsts):
    return Paths(firsts, rows, columns, np.zeros(len(rows), dtype=np.float32))


@st.composite
def corridors(draw, largest=40):
    """A grid, rectangles of it, their values, and where both motions are still."""
    grid, every = draw(grids(largest=largest)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    coarse = [-(-n // every) for n in grid.shape]
    firsts = np.array([0, *np.sort(rng.integers(1, 7, rng.integers(1, 3)))])
    rows, columns = (np.sort(rng.integers(0, n, firsts[-1])).astype(np.int32) for n in coarse)
    rectangles = corridor(paths(rows, columns, firsts), every, grid.shape, reach=int(rng.integers(3)))
    values = np.concatenate([grid[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in rectangles])
    return grid, rectangles, values, draw(stills(grid.shape))
