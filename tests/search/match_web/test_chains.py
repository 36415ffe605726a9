from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.chains import MOST_ON_ONE, chains, chains_reference
from search.match_web.grids import grids, valid


@given(grids(), st.integers(2, 8))
def test_chains_are_what_the_definition_says(grid, shortest):
    cells = valid(grid)

    found = chains(cells, shortest=shortest)

    assert [found.cells(path) for path in range(found.n_paths)] == chains_reference(cells, shortest=shortest)
    assert np.array_equal(found.values, grid[found.rows, found.columns])


@given(grids())
def test_every_minimum_is_in_one_chain_and_chains_are_legal(grid):
    cells = valid(grid)

    found = chains(cells, shortest=2)

    minima = {(i, j) for i, j, kind in zip(cells.rows, cells.columns, cells.minima, strict=True) if kind}
    assert sorted(zip(found.rows, found.columns, strict=True)) == sorted(minima)
    for path in range(found.n_paths):
        in_path = found.cells(path)
        for before, after in pairwise(in_path):
            assert (after[0] - before[0], after[1] - before[1]) in {(0, 1), (1, 0), (1, 1)}
        for axis in (0, 1):
            for n in range(len(in_path) - MOST_ON_ONE):
                assert len({cell[axis] for cell in in_path[n : n + MOST_ON_ONE + 1]}) > 1


def test_a_motion_and_its_slower_copy_make_one_chain():
    fast, slow = np.arange(10) * 2.0, np.arange(20) * 1.0
    grid = ((fast[:, None] - slow) ** 2 / 1000).astype(np.float32)

    found = chains(valid(grid), shortest=20)

    assert found.n_paths == 1
    assert found.cells(0)[0] == (0, 0)
    assert found.cells(0)[-1][0] == 9
