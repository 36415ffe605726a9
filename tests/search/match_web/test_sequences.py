import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.bridges import bridges
from motionary.search.match_web.chains import chains
from motionary.search.match_web.pair_paths import LEVELS, pair_paths
from motionary.search.match_web.sequences import sequences, sequences_reference, way_along
from motionary.search.match_web.views import view_of
from search.match_web.grids import REGION, grids, valid


def small_view(first, second, turned):
    pairs = [pair_paths(valid(g), shortest=3, furthest=8, ceiling=REGION.ceiling) for g in (first, second)]
    return view_of([(3, pairs[0], turned), (7, pairs[1], False)])


def all_paths(grid, turned):
    """The cells of chains and bridges as they are found, with levels, and which chains bridges lead from and to."""
    cells = valid(grid)
    found = chains(cells, shortest=3)
    between = bridges(cells, found, furthest=8)

    def level(i, j):
        share = np.sqrt(np.float32(grid[i, j])) * np.float32(LEVELS / np.sqrt(REGION.ceiling))
        return min(int(np.round(share)), LEVELS)

    paths = [
        [(j, i, level(i, j)) if turned else (i, j, level(i, j)) for i, j in some.cells(n)]
        for some in (found, between.paths)
        for n in range(some.n_paths)
    ]
    return paths, {found.n_paths + n: (a, b) for n, (a, b) in enumerate(between.chains.tolist())}


@given(grids(largest=9), grids(largest=9), st.booleans(), st.integers(0, 8), st.integers(0, 8))
def test_all_that_enumeration_finds_is_found_and_is_as_good(first, second, turned, a, b):
    view = small_view(first, second, turned)

    found = sequences(view, min(a, b), max(a, b))

    keys = zip(found.others.tolist(), found.starts.tolist(), found.stops.tolist(), strict=True)
    expected = {
        (other, *place): mean
        for other, grid, is_turned in ((3, first, turned), (7, second, False))
        for place, mean in sequences_reference(*all_paths(grid, is_turned), min(a, b), max(a, b)).items()
    }
    assert dict(zip(keys, found.means.tolist(), strict=True)) == pytest.approx(expected)
    assert (np.diff(found.means) >= 0).all()


@given(grids(largest=9), st.booleans(), st.integers(0, 8), st.integers(0, 8))
def test_ways_are_paths_with_the_mean_that_is_told(grid, turned, a, b):
    view = small_view(grid, grid, turned)
    levels = {}
    for n in range(len(view.frames)):
        path = int(np.searchsorted(view.firsts, n, side="right")) - 1
        key = int(view.others[path]), int(view.frames[n]), int(view.other_frames[n])
        levels[key] = int(view.sums[n + 1] - view.sums[n])

    found = sequences(view, min(a, b), max(a, b))

    for k, mean in enumerate(found.means):
        way = way_along(view, found.ways.spans(k))
        assert (way[0, 0], way[-1, 0]) == (min(a, b), max(a, b))
        assert (way[0, 1], way[-1, 1] + 1) == (found.starts[k], found.stops[k])
        assert {tuple(step) for step in np.diff(way, axis=0)} <= {(0, 1), (1, 0), (1, 1)}
        squares = [levels[int(found.others[k]), int(i), int(j)] for i, j in way]
        assert mean == pytest.approx(np.mean(squares) / LEVELS**2)


def test_an_empty_web_has_no_sequences():
    assert len(sequences(view_of([]), 0, 5).means) == 0
