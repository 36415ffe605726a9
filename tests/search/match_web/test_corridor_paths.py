import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.corridor_paths import corridor_paths
from motionary.search.match_web.pair_paths import pair_paths
from motionary.search.match_web.valid_region import corridor_cells
from search.match_web.corridors import corridors
from search.match_web.grids import REGION


@given(corridors(), st.sampled_from([None, 0, 4]), st.integers(2, 5), st.integers(2, 12))
def test_what_is_looked_for_only_where_it_can_be_is_all_there_is(case, off_diagonal, shortest, furthest):
    grid, rectangles, values, rest = case

    found = corridor_paths(
        *(values, rectangles, grid.shape, REGION),
        shortest=shortest,
        furthest=furthest,
        off_diagonal=off_diagonal,
        stills=rest,
    )

    cells = corridor_cells(values, rectangles, grid.shape, REGION, off_diagonal=off_diagonal, stills=rest)
    expected = pair_paths(cells, shortest=shortest, furthest=furthest, ceiling=REGION.ceiling)
    assert np.array_equal(found.paths, expected.paths)
    assert np.array_equal(found.cells, expected.cells)
