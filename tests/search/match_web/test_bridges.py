from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.match_web.bridges import bridges, least_mean_path_reference
from motionary.search.match_web.chains import chains
from search.match_web.grids import grids, valid


def on_short_ways(values, sources, targets, furthest):
    """Cells that lie on some way from a source to a target, touching neither between, that spans less than so much."""

    @cache
    def spans(cell, forward):
        """How far it is to the nearest end, ahead or behind."""
        ends, others = (targets, sources) if forward else (sources, targets)
        sign = 1 if forward else -1
        found = []
        for step in ((1, 1), (0, 1), (1, 0)):
            beside = cell[0] + sign * step[0], cell[1] + sign * step[1]
            if beside in ends:
                found.append(sum(step))
            elif beside in values and beside not in others:
                found.append(sum(step) + spans(beside, forward))
        return min(found, default=10**6)

    def length(cell):
        behind = 0 if cell in sources else spans(cell, False)
        return behind + (0 if cell in targets else spans(cell, True))

    return {cell: value for cell, value in values.items() if length(cell) < furthest}


@given(grids(largest=9), st.integers(2, 14))
def test_bridges_are_the_best_between_near_chains_and_no_others(grid, furthest):
    cells = valid(grid)
    found = chains(cells, shortest=3)

    between = bridges(cells, found, furthest=furthest)

    values = {(int(i), int(j)): float(v) for i, j, v in zip(cells.rows, cells.columns, cells.values, strict=True)}
    known = {tuple(pair): n for n, pair in enumerate(between.chains.tolist())}
    for a in range(found.n_paths):
        for b in range(found.n_paths):
            if a == b:
                assert (a, b) not in known
                continue
            sources, targets = set(found.cells(a)), set(found.cells(b))
            near = on_short_ways(values, sources, targets, furthest)
            expected = least_mean_path_reference(near, sources & near.keys(), targets & near.keys())
            assert ((a, b) in known) == (expected is not None)
            if expected is not None:
                path = between.paths.cells(known[a, b])
                assert np.mean([values[cell] for cell in path]) == pytest.approx(expected[0])
                assert path[0] in sources
                assert path[-1] in targets


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
