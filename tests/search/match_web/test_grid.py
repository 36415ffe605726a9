import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.grid import ALONG_COLUMN, ALONG_ROW, Region, valid_cells, valid_cells_reference
from search.match_web.grids import REGION, grids, same_cells, stills


@given(grids(), st.sampled_from([None, -3, 0, 4]), st.data())
def test_the_valid_region_is_what_the_definition_says(grid, off_diagonal, data):
    rest = data.draw(stills(grid.shape))

    found = valid_cells(grid, REGION, off_diagonal=off_diagonal, stills=rest)

    assert same_cells(found, valid_cells_reference(grid, REGION, off_diagonal=off_diagonal, stills=rest))


def test_where_both_are_still_there_are_two_alignments():
    rng = np.random.default_rng(0)
    grid = rng.uniform(0.001, 0.002, (12, 15)).astype(np.float32)
    rest = np.full((2, 12), -1, dtype=np.int32), np.full((2, 15), -1, dtype=np.int32)
    rest[0][:, 3:10] = [[3], [10]]
    rest[1][:, 5:9] = [[5], [9]]

    found = valid_cells(grid, Region(), stills=rest)

    least = [(int(i), int(j)) for i, j, kind in zip(found.rows, found.columns, found.minima, strict=True) if kind]
    both_still = sorted(cell for cell in least if 3 <= cell[0] < 10 and 5 <= cell[1] < 9)
    came_together, leave_together = [(3 + n, 5 + n) for n in range(4)], [(6 + n, 5 + n) for n in range(4)]
    assert both_still == sorted(came_together + leave_together)


def test_a_minimum_reaches_as_far_as_its_rise():
    grid = np.array([[0.50, 0.12, 0.11, 0.10, 0.114, 0.116, 0.50]], dtype=np.float32)

    found = valid_cells(grid, Region(rise=0.15, least_rise=0.0, ceiling=0.45))

    in_row = found.columns[(found.minima & ALONG_ROW) > 0]
    assert in_row.tolist() == [3]
    assert (found.minima & ALONG_COLUMN).all()  # one row alone: every cell is the least of its column
    assert set(found.columns.tolist()) == {1, 2, 3, 4, 5}  # and what is above the ceiling does not exist


def test_a_minimum_of_nothing_reaches_by_the_least_rise():
    row = np.array([4e-5, 2e-5, 0.0, 2e-5, 4e-5])
    grid = np.array([row, row + 0.01, row], dtype=np.float32)  # no column has its least value in the middle

    found = valid_cells(grid, Region(rise=0.0))

    assert found.columns[found.firsts[1] : found.firsts[2]].tolist() == [1, 2, 3]


def test_flat_ground_has_one_minimum_in_a_row():
    found = valid_cells(np.zeros((4, 5), dtype=np.float32), Region())

    assert np.flatnonzero((found.minima & ALONG_ROW) > 0).tolist() == [0, 5, 10, 15]
    assert found.n_cells == 20
