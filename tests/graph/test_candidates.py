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
    candidates_of,
    local_minima,
    local_minima_reference,
)


@settings(max_examples=60)
@given(st.integers(0, 1000), st.integers(1, 9), st.integers(1, 9), st.integers(0, 2), st.integers(0, 3), st.booleans())
def test_minima_are_those_of_the_definition_ties_too(seed, n_rows, n_columns, margin, off_diagonal, coarse):
    rng = np.random.default_rng(seed)
    grid = rng.uniform(0.0, 1.0, (n_rows, n_columns)).astype(np.float32)
    grid = np.round(4 * grid) / 4 if coarse else grid  # many ties
    margins = Margins(margin, margin, 0.8, off_diagonal)

    found = local_minima(grid, margins)

    assert list(zip(found.rows.tolist(), found.columns.tolist(), strict=True)) == local_minima_reference(grid, margins)
    assert found.costs.tolist() == grid[found.rows, found.columns].tolist()


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


def test_of_a_valley_one_candidate_is_left():
    rows, columns = np.mgrid[0:20, 0:20]
    grid = ((rows - 9) ** 2 + (columns - 11) ** 2).astype(np.float32)

    found = candidates_of(grid, Margins(2, 2, 100.0), reach=3)

    assert (found.rows.tolist(), found.columns.tolist()) == ([9], [11])


def test_blends_are_as_long_as_moves_the_body_least_quickly():
    distances = np.array([[0.04, 0.04], [0.09, 0.16], [0.64, 0.64]]) ** 2  # by half lengths of 2, 5 and 8
    rows, columns = np.array([10, 10]), np.array([10, 4])

    assert best_halves(distances, (2, 5, 8), rows, columns, 30, 30, usual=5).tolist() == [5, 2]


@pytest.mark.parametrize("shape", [(0, 3), (1, 1)])
def test_grids_without_room_have_no_candidates(shape):
    assert len(candidates_of(np.zeros(shape, dtype=np.float32), Margins(1, 1, 1.0), reach=2)) == 0
