import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.graph.blend_lengths import best_halves
from motionary.graph.candidates import (
    Candidates,
    Margins,
    best_within,
    best_within_reference,
    local_minima_reference,
    nearly_minima,
)


@settings(max_examples=60)
@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 9), st.integers(0, 2), st.integers(0, 3), st.booleans())
def test_whatever_may_be_a_minimum_is_found(seed, n_rows, n_columns, margin, off_diagonal, coarse):
    rng = np.random.default_rng(seed)
    grid = rng.uniform(0.0, 1.0, (n_rows, n_columns)).astype(np.float32)
    grid = np.round(4 * grid) / 4 if coarse else grid  # many ties
    margins, slack = Margins(margin, margin, 0.8, off_diagonal), 0.125

    found = set(zip(*(cells.tolist() for cells in nearly_minima(grid, margins, slack=slack)), strict=True))

    assert found >= set(local_minima_reference(grid, margins))
    for i in range(n_rows):
        for j in range(n_columns):
            lowest = grid[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].min()
            is_low = margins.allows(i, j, grid.shape) and grid[i, j] <= min(lowest, 0.8) + np.float32(slack)
            assert ((i, j) in found) == is_low


@settings(max_examples=60)
@given(st.integers(0, 1000), st.integers(0, 12), st.integers(0, 4))
def test_the_best_within_reach_stay(seed, n, reach):
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, 8, (n, 2)), axis=0)
    given_ = Candidates(
        cells[:, 0].astype(np.int32), cells[:, 1].astype(np.int32), rng.integers(0, 4, len(cells)).astype(np.float32)
    )

    found = best_within(given_, reach)

    kept = given_.chosen(best_within_reference(given_, reach))
    assert found.rows.tolist() == kept.rows.tolist()
    assert found.columns.tolist() == kept.columns.tolist()


def test_blends_are_as_long_as_moves_the_body_least_quickly():
    distances = np.array([[0.04, 0.04], [0.09, 0.16], [0.64, 0.64]]) ** 2  # by half lengths of 2, 5 and 8
    rows, columns = np.array([10, 10]), np.array([10, 4])

    assert best_halves(distances, (2, 5, 8), rows, columns, 30, 30, usual=5).tolist() == [5, 2]


@pytest.mark.parametrize("shape", [(0, 3), (1, 1)])
def test_grids_without_room_have_no_candidates(shape):
    assert len(nearly_minima(np.zeros(shape, dtype=np.float32), Margins(1, 1, 1.0), slack=0.0)[0]) == 0
