import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.bridges import bridges, least_mean_path_reference
from motionary.search.match_web.chains import chains
from search.match_web.grids import grids, valid


@given(grids(largest=9), st.integers(2, 12))
def test_bridges_are_the_best_between_near_chains_and_no_others(grid, furthest):
    cells = valid(grid)
    found = chains(cells, shortest=3)

    between = bridges(cells, found, furthest=furthest)

    values = {(int(i), int(j)): float(v) for i, j, v in zip(cells.rows, cells.columns, cells.values, strict=True)}
    known = {tuple(pair): n for n, pair in enumerate(between.chains.tolist())}
    for a in range(found.n_paths):
        for b in range(found.n_paths):
            near = [
                (s, t)
                for s in found.cells(a)
                for t in found.cells(b)
                if a != b and s[0] <= t[0] and s[1] <= t[1] and t[0] - s[0] + t[1] - s[1] < furthest
            ]
            if not near:
                assert (a, b) not in known
                continue
            low = [min(s[axis] for s, _ in near) for axis in (0, 1)]
            high = [max(t[axis] for _, t in near) for axis in (0, 1)]
            box = {c: v for c, v in values.items() if all(low[x] <= c[x] <= high[x] for x in (0, 1))}
            expected = least_mean_path_reference(
                box, set(found.cells(a)) & box.keys(), set(found.cells(b)) & box.keys()
            )
            assert ((a, b) in known) == (expected is not None)
            if expected is not None:
                path = between.paths.cells(known[a, b])
                assert np.mean([values[cell] for cell in path]) == pytest.approx(expected[0])
                assert path[0] in found.cells(a)
                assert path[-1] in found.cells(b)


def test_a_gap_between_two_chains_is_bridged_where_the_region_is_valid():
    i, j = np.indices((30, 30))
    grid = (np.abs(i - j) / 100).astype(np.float32)
    grid[13:17, 13:17] = 0.05 + np.abs(j - 15)[13:17, 13:17] / 1000  # no minima here, but shallow ground
    cells = valid(grid)
    found = chains(cells, shortest=10)

    between = bridges(cells, found, furthest=12)

    lower, upper = (next(n for n in range(found.n_paths) if cell in found.cells(n)) for cell in ((5, 5), (25, 25)))
    assert lower != upper
    assert [lower, upper] in between.chains.tolist()
