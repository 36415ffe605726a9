import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.grid import valid_cells
from motionary.search.match_web.valid_region import corridor_cells
from search.match_web.corridors import corridors
from search.match_web.grids import REGION, same_cells


@given(corridors(), st.sampled_from([None, 0, 4]))
def test_a_corridor_is_a_grid_that_is_unknown_elsewhere(case, off_diagonal):
    grid, rectangles, values, rest = case
    unknown = np.full_like(grid, np.nan)
    for r0, r1, c0, c1 in rectangles:
        unknown[r0:r1, c0:c1] = grid[r0:r1, c0:c1]

    found = corridor_cells(values, rectangles, grid.shape, REGION, off_diagonal=off_diagonal, stills=rest)

    assert same_cells(found, valid_cells(unknown, REGION, off_diagonal=off_diagonal, stills=rest))


def test_without_rectangles_nothing_is_valid():
    nothing = np.zeros(0, dtype=np.float32)

    assert corridor_cells(nothing, np.zeros((0, 4), dtype=np.int64), (20, 30), REGION).n_cells == 0
