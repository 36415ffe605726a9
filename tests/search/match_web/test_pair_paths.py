import numpy as np
from hypothesis import given

from motionary.search.match_web.bridges import bridges
from motionary.search.match_web.chains import chains
from motionary.search.match_web.pair_paths import LEVELS, packed, unpacked
from search.match_web.grids import REGION, grids, valid


@given(grids())
def test_what_is_packed_comes_out_again(grid):
    cells = valid(grid)
    found = chains(cells, shortest=3)
    between = bridges(cells, found, furthest=8)

    pair = packed(found, between, ceiling=REGION.ceiling)

    out = unpacked(pair)
    assert pair.n_bridges == between.paths.n_paths
    all_paths = [found.cells(n) for n in range(found.n_paths)]
    all_paths += [between.paths.cells(n) for n in range(between.paths.n_paths)]
    assert [out.cells(n) for n in range(out.n_paths)] == all_paths
    roots = np.sqrt(np.concatenate([found.values, between.paths.values]) / REGION.ceiling)
    assert np.abs(out.values / LEVELS - roots).max(initial=0.0) <= 0.5 / LEVELS + 1e-6
    for n in range(found.n_paths, out.n_paths):
        row = pair.paths[n]
        assert out.cells(n)[0] in found.cells(row["from_path"])
        assert out.cells(n)[-1] in found.cells(row["to_path"])
