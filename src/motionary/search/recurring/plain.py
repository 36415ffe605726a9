"""Motifs and surprises from their definition: every window is compared with every offset. Slow, and right."""

from collections.abc import Callable

import numpy as np

from motionary.alignment import euclid_at
from motionary.search.recurring.continuing import continuing_reference
from motionary.search.recurring.motifs import Group, group_around
from motionary.search.recurring.neighbours import Nearest
from motionary.search.recurring.surprises import Alone
from motionary.search.recurring.windows import Windows

Progress = Callable[[int, int], None]


def plain_groups(windows: Windows, *, k: int, at_least: int = 2, progress: Progress | None = None) -> list[Group]:
    """The first k groups of so many windows at least, the one whose seed has the nearest match first.

    Groups that continue one before are left out, as far as they do.
    """
    free = np.ones(len(windows.table), dtype=bool)
    left = windows.scales > 0
    groups: list[Group] = []
    told: list[list[int]] = []  # where windows of each begin, and of those that continue one
    while len(groups) < k:
        least, seed = np.inf, -1
        for window in np.flatnonzero(left).tolist():
            nearest = plain_distances(windows, window, free).distances.min(initial=np.inf)
            if nearest <= windows.limits[window] and nearest / windows.scales[window] < least:
                least, seed = nearest / windows.scales[window], window
        if seed < 0:
            break
        near = plain_distances(windows, seed, free)
        inside = near.distances <= windows.limits[seed]
        group = group_around(windows, seed, Nearest(near.distances[inside], near.rows[inside], near.mirrored[inside]))
        if 1 + len(group.members.rows) < at_least:
            left[seed] = False
            continue
        rows = group.rows(windows)
        continuing = continuing_reference(windows, rows, told)
        told.append(continuing or rows)
        for row in told[-1]:
            first, stop = windows.overlapping(row)
            free[first:stop] = False
            left &= (windows.grid < first) | (windows.grid >= stop)
        if continuing:
            continue
        groups.append(group)
        if progress:
            progress(len(groups), k)
    return groups


def plain_alone(
    windows: Windows, *, k: int, sound: Callable[[int], bool] | None = None, progress: Progress | None = None
) -> list[Alone]:
    """The first k windows whose nearest is farthest, none sharing a frame with another; all are `sound`, if given."""
    everywhere = np.ones(len(windows.table), dtype=bool)
    found = []
    moving = np.flatnonzero(windows.scales > 0).tolist()
    for n_done, window in enumerate(moving):
        if progress:
            progress(n_done, len(moving))
        near = plain_distances(windows, window, everywhere)
        if len(near.rows):
            best = int(np.argmin(near.distances))
            alone = Alone(window, float(near.distances[best]), int(near.rows[best]), bool(near.mirrored[best]))
            found.append((-alone.distance / windows.scales[window], window, alone))
    taken: list[Alone] = []
    for _, window, alone in sorted(found, key=lambda one: one[:2]):
        first, stop = windows.overlapping(int(windows.grid[window]))
        if sound is not None and not sound(window):
            continue
        if len(taken) < k and not any(first <= windows.grid[other.window] < stop for other in taken):
            taken.append(alone)
    return taken


def plain_distances(windows: Windows, window: int, free: np.ndarray) -> Nearest:
    """All offsets that count as near a window on the grid and are free, by row, each with the nearer of its sides."""
    allowed = free.copy()
    allowed[slice(*windows.forbidden[window])] = False
    rows = windows.offsets[allowed[windows.offsets]]
    sides = []
    for mirrored in (False, True) if windows.options.both_sides else (False,):
        query, weights = windows.query(int(windows.grid[window]), mirrored=mirrored)
        sides.append(euclid_at(query, windows.table, rows, weights=weights))
    turned = sides[-1] < sides[0]
    return Nearest(np.minimum(sides[0], sides[-1]), rows, turned)
