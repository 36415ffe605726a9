"""The web of a corridor: what the dense build finds in a grid that is unknown elsewhere, and nothing in vain.

Most of a corridor leads to no chain, and a bridge needs two. So minima and chains come first; what is valid is looked
for only in those parts of the corridor that hold several chains, and bridges only there.
"""

import numpy as np
from numba import njit

from motionary.search.match_web.bridges import Bridges, find_bridges
from motionary.search.match_web.chains import Paths, follow_minima
from motionary.search.match_web.corridor import parts, rectangle_at, rectangle_offsets
from motionary.search.match_web.grid import Region, Stills
from motionary.search.match_web.minima import corridor_minima
from motionary.search.match_web.pair_paths import NO_PATHS, PairPaths, packed
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
    found, (pairs, *between) = _corridor_paths(
        values, rectangles, *shape, *region.limits, *stills, least, shortest, furthest
    )
    if len(found[0]) == 1:
        return NO_PATHS
    return packed(Paths(*found), Bridges(Paths(*between), pairs), ceiling=region.ceiling)


@njit(cache=True, nogil=True)
def _corridor_paths(  # type: ignore[no-untyped-def]
    values,
    rectangles,
    n_rows,
    n_columns,
    rise,
    least_rise,
    ceiling,
    still_rows,
    still_columns,
    least,
    shortest,
    furthest,
):
    offsets, flags = rectangle_offsets(rectangles), np.empty(len(values), dtype=np.uint8)
    minima = corridor_minima(
        values, flags, rectangles, offsets, n_rows, n_columns, ceiling, still_rows, still_columns, least
    )
    chains = follow_minima(minima[0], minima[1], minima[2], shortest)
    wanted, kept = _with_company(rectangles, chains[0], chains[1], chains[2])
    mark_valid(values, flags, rectangles, offsets, wanted, n_columns, rise, least_rise, ceiling)
    firsts, columns, found, _ = list_valid(values, flags, rectangles, offsets, wanted, n_rows, least)
    some = _some_paths(kept, chains[0], chains[1], chains[2], chains[3])
    bridges = find_bridges(firsts, columns, found, some[0], some[1], some[2], some[3], furthest)
    for n in range(len(bridges[0])):
        bridges[0][n, 0], bridges[0][n, 1] = kept[bridges[0][n, 0]], kept[bridges[0][n, 1]]
    return chains, bridges


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
        cells[ends[n] : ends[n + 1]] = np.arange(firsts[chosen[n]], firsts[chosen[n] + 1])
    return ends, rows[cells], columns[cells], values[cells]
