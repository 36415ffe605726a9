import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.chains import chains
from motionary.search.match_web.grid import valid_cells
from motionary.search.match_web.minima import corridor_chains
from motionary.search.match_web.valid_region import corridor_cells
from search.match_web.corridors import corridors
from search.match_web.grids import REGION, grids, stills


def same_paths(found, expected):
    return all(
        np.array_equal(getattr(found, name), getattr(expected, name))
        for name in ("firsts", "rows", "columns", "values")
    )


@given(corridors(), st.sampled_from([None, 0, 4]), st.integers(2, 6))
def test_chains_of_a_corridor_are_those_of_its_valid_region(case, off_diagonal, shortest):
    grid, rectangles, values, rest = case
    given_to_both = {"off_diagonal": off_diagonal, "stills": rest}

    found = corridor_chains(values, rectangles, grid.shape, REGION, shortest=shortest, **given_to_both)

    cells = corridor_cells(values, rectangles, grid.shape, REGION, **given_to_both)
    assert same_paths(found, chains(cells, shortest=shortest))


@given(grids(), st.data())
def test_a_grid_that_is_known_everywhere_is_one_rectangle(grid, data):
    rest = data.draw(stills(grid.shape))
    whole = np.array([[0, grid.shape[0], 0, grid.shape[1]]])

    found = corridor_chains(grid.reshape(-1), whole, grid.shape, REGION, shortest=3, stills=rest)

    assert same_paths(found, chains(valid_cells(grid, REGION, stills=rest), shortest=3))


def test_where_minima_are_many_all_are_listed():
    grid = np.zeros((6, 400), dtype=np.float32)
    grid[1::2] = 0.1  # every cell of every other row is a minimum along its column

    found = corridor_chains(grid.reshape(-1), np.array([[0, 6, 0, 400]]), grid.shape, REGION, shortest=2)

    assert same_paths(found, chains(valid_cells(grid, REGION), shortest=2))
    assert len(found.rows) >= 3 * 400
