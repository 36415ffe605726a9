"""The web of a corridor: what the dense build finds in a grid that is unknown elsewhere, and nothing in vain.

Most of a corridor leads to no chain, and a bridge needs two. So minima and chains come first; what is valid is looked
for only in those parts of the corridor that hold several chains, and bridges only there.
"""

import numpy as np
from numba import njit

from motionary.search.match_web.bridges import find_bridges
from motionary.search.match_web.chains import follow_minima
from motionary.search.match_web.corridor import parts, rectangle_at, rectangle_offsets
from motionary.search.match_web.grid import Region, Stills
from motionary.search.match_web.minima import corridor_minima
from motionary.search.match_web.pair_paths import NO_PATHS, PairPaths, level_scale, pack
from motionary.search.match_web.valid_region import list_valid, mark_valid


def corridor_paths(
    values: np.ndarray,
    rectangles: np.ndarray,
    shape: tuple[int, int],
    region: Region,
    *,
    shortest: int,
    furthest: int,
    off_diagonal: int | None,
    stills: Stills,
) -> PairPaths:
    """What `pair_paths` makes of `corridor_cells`."""
    least = -shape[0] if off_diagonal is None else off_diagonal
    paths, cells = _corridor_paths(
        *(values, rectangles, *shape, *region.limits, *stills),
        *(least, shortest, furthest, level_scale(region.ceiling)),
    )
    return PairPaths(paths, cells) if len(paths) else NO_PATHS


@njit(cache=True, nogil=True)
def _corridor_paths(  # type: ignore[no-untyped-def]
    values, rectangles, n_rows, n_columns, rise, least_rise, ceiling, still_rows, still_columns, least, shortest,
    furthest, scale,
):  # fmt: skip
    offsets, flags = rectangle_offsets(rectangles), np.empty(len(values), dtype=np.uint8)
    minima = corridor_minima(
        values, flags, rectangles, offsets, n_rows, n_columns, ceiling, still_rows, still_columns, least
    )
    chains = follow_minima(minima[0], minima[1], minima[2], shortest)
    wanted, kept = _with_company(rectangles, chains[0], chains[1], chains[2])
    if len(kept) == 0:
        nothing, no_values = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        no_pairs, no_firsts = np.zeros((0, 2), dtype=np.int32), np.zeros(1, dtype=np.int64)
        return pack(
            chains[0], chains[1], chains[2], chains[3], no_pairs, no_firsts, nothing, nothing, no_values, scale
        )  # fmt: skip
    mark_valid(values, flags, rectangles, offsets, wanted, n_columns, rise, least_rise, ceiling)
    firsts, columns, found, _ = list_valid(values, flags, rectangles, offsets, wanted, n_rows, least)
    some = _some_paths(kept, chains[0], chains[1], chains[2], chains[3])
    pairs, ends, path_rows, path_columns, path_values = find_bridges(
        firsts, columns, found, some[0], some[1], some[2], some[3], furthest
    )
    for n in range(len(pairs)):
        pairs[n, 0], pairs[n, 1] = kept[pairs[n, 0]], kept[pairs[n, 1]]
    return pack(
        chains[0], chains[1], chains[2], chains[3], pairs, ends, path_rows, path_columns, path_values, scale
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _with_company(rectangles, firsts, rows, columns):  # type: ignore[no-untyped-def]
    """Which rectangles (N,) are in parts of the corridor with several chains, and which chains are in these."""
    wanted = np.zeros(len(rectangles), dtype=np.bool_)
    n_chains = len(firsts) - 1
    if n_chains < 2:
        return wanted, np.zeros(0, dtype=np.int64)
    part, n_inside = parts(rectangles), np.zeros(len(rectangles), dtype=np.int64)
    of_chain = np.empty(n_chains, dtype=np.int64)
    for chain in range(n_chains):
        of_chain[chain] = part[rectangle_at(rectangles, rows[firsts[chain]], columns[firsts[chain]])]
        n_inside[of_chain[chain]] += 1
    for n in range(len(rectangles)):
        wanted[n] = n_inside[part[n]] > 1
    return wanted, np.flatnonzero(n_inside[of_chain] > 1)


@njit(cache=True, nogil=True)
def _some_paths(chosen, firsts, rows, columns, values):  # type: ignore[no-untyped-def]
    ends = np.zeros(len(chosen) + 1, dtype=np.int64)
    for n in range(len(chosen)):
        ends[n + 1] = ends[n] + firsts[chosen[n] + 1] - firsts[chosen[n]]
    cells = np.empty(ends[-1], dtype=np.int64)
    for n in range(len(chosen)):
        for k in range(ends[n + 1] - ends[n]):
            cells[ends[n] + k] = firsts[chosen[n]] + k
    return ends, rows[cells], columns[cells], values[cells]
