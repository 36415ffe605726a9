import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.chains import Paths
from motionary.search.match_web.corridor import corridor
from motionary.search.match_web.grid import valid_cells
from motionary.search.match_web.valid_region import corridor_cells
from search.match_web.grids import REGION, grids, same_cells, stills


def paths(rows, columns, firsts):
    return Paths(firsts, rows, columns, np.zeros(len(rows), dtype=np.float32))


@given(grids(largest=40), st.integers(0, 2**20), st.integers(1, 5), st.sampled_from([None, 0, 4]), st.data())
def test_a_corridor_is_a_grid_that_is_unknown_elsewhere(grid, seed, every, off_diagonal, data):
    rng = np.random.default_rng(seed)
    coarse = [-(-n // every) for n in grid.shape]
    firsts = np.array([0, *np.sort(rng.integers(1, 7, rng.integers(1, 3)))])
    rows, columns = (np.sort(rng.integers(0, n, firsts[-1])).astype(np.int32) for n in coarse)
    rest = data.draw(stills(grid.shape))
    rectangles = corridor(paths(rows, columns, firsts), every, grid.shape, reach=int(rng.integers(3)))
    unknown = np.full_like(grid, np.nan)
    for r0, r1, c0, c1 in rectangles:
        unknown[r0:r1, c0:c1] = grid[r0:r1, c0:c1]
    values = np.concatenate([grid[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in rectangles])

    found = corridor_cells(values, rectangles, grid.shape, REGION, off_diagonal=off_diagonal, stills=rest)

    assert same_cells(found, valid_cells(unknown, REGION, off_diagonal=off_diagonal, stills=rest))


def test_a_corridor_holds_its_paths_and_what_is_around_them():
    rows, columns = np.array([3, 4, 5], dtype=np.int32), np.array([2, 3, 3], dtype=np.int32)

    found = corridor(paths(rows, columns, np.array([0, 3])), 6, (80, 50), reach=2)

    inside = np.zeros((80, 50), dtype=bool)
    for r0, r1, c0, c1 in found:
        assert not inside[r0:r1, c0:c1].any()  # no cell twice
        inside[r0:r1, c0:c1] = True
    for row, column in zip(rows * 6, columns * 6, strict=True):
        assert inside[row - 6 : row + 7, column - 6 : column + 7].all()
    assert inside[3 * 6 - 12, 2 * 6 - 12]  # beyond its ends
    assert inside[5 * 6 + 12, 3 * 6 + 12]
    assert inside.mean() < 0.5


def test_no_paths_have_no_corridor():
    nothing = np.zeros(0, dtype=np.int32)

    rectangles = corridor(paths(nothing, nothing, np.array([0])), 3, (20, 30), reach=1)

    assert len(rectangles) == 0
    assert corridor_cells(np.zeros(0, dtype=np.float32), rectangles, (20, 30), REGION).n_cells == 0
