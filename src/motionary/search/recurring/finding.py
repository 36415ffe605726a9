"""Motifs and surprises through bounds: windows are looked at in the order in which they may decide something.

Of every window's nearest it is known first that it is not below one bound nor above another. What is found in the end
is what `plain` finds, which knows the nearest of all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionary.search.recurring.continuing import Told
from motionary.search.recurring.motifs import Group, group_around
from motionary.search.recurring.neighbours import Nearest, Neighbours
from motionary.search.recurring.surprises import Alone
from motionary.search.recurring.windows import Windows

AT_ONCE = 192  # windows whose nearest is looked for together
LEAST = 1e-200  # above 0, whatever it is divided by
FARTHER = 1.5  # times as far as needed: the next group will need it

Progress = Callable[[int, int], None]


def find_groups(windows: Windows, *, k: int, at_least: int = 2, progress: Progress | None = None) -> list[Group]:
    """The first k groups of so many windows at least, the one whose seed has the nearest match first.

    Groups that continue one before are left out, as far as they do.
    """
    if len(windows.grid) == 0:
        return []
    known = _Known.of(windows, progress)
    known.near_enough()
    groups: list[Group] = []
    told = Told(windows)
    while len(groups) < k:
        seed = known.least()
        if seed is None:
            break
        free = known.free.copy()
        free[slice(*windows.forbidden[seed])] = False
        near = known.neighbours.within(int(windows.grid[seed]), float(windows.limits[seed]), free)
        group = group_around(windows, seed, near)
        if 1 + len(group.members.rows) < at_least:
            known.left[seed] = False
            continue
        rows = group.rows(windows)
        continuing = told.add(rows)
        known.cover(continuing or rows)
        if not continuing:
            groups.append(group)
            if progress:
                progress(len(groups), k)
    return groups


def find_alone(
    windows: Windows, *, k: int, sound: Callable[[int], bool] | None = None, progress: Progress | None = None
) -> list[Alone]:
    """The first k windows whose nearest is farthest, none sharing a frame with another; all are `sound`, if given."""
    if len(windows.grid) == 0:
        return []
    known = _Known.of(windows, progress)
    found: list[Alone] = []
    while len(found) < k:
        window = known.most()
        if window is None:
            break
        if sound is not None and not sound(window):
            known.left[window] = False
            continue
        near = known.near
        found.append(Alone(window, float(near.distances[window]), int(near.rows[window]), bool(near.mirrored[window])))
        known.leave_out(int(windows.grid[window]))
        if progress:
            progress(len(found), k)
    return found


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known of the windows on the grid so far."""

    windows: Windows
    neighbours: Neighbours
    lower: np.ndarray  # (N,) bounds of the nearest's distance, whatever is free
    near: Nearest  # the nearest where it is exact, else something near
    exact: np.ndarray  # (N,) whether it is
    left: np.ndarray  # (N,) which windows may still be taken
    free: np.ndarray  # (F,) at which rows something near may begin

    @classmethod
    def of(cls, windows: Windows, progress: Progress | None) -> "_Known":
        neighbours = Neighbours.of(windows)
        n, left = len(windows.grid), windows.scales > 0
        lower, near = np.full(n, np.inf), Nearest.none(n)
        chosen = np.flatnonzero(left)
        lower[chosen], found = neighbours.bounds(chosen, progress)
        near.put(chosen, found)
        free = np.ones(len(windows.table), dtype=bool)
        return cls(windows, neighbours, lower, near, np.zeros(n, dtype=bool), left, free)

    def near_enough(self) -> None:
        """Leave out windows of which nothing can be within their limits."""
        self.left[self.lower > self.windows.limits] = False

    def least(self) -> int | None:
        """The window whose nearest is least far, for its scale, and within its limit; of equal ones the first.

        None if there is none left.
        """
        while True:
            keys = self._ranked(np.where(self.exact, self.near.distances, self.lower), missing=np.inf)
            best = int(np.argmin(keys))
            if np.isinf(keys[best]):
                return None
            if self.exact[best]:
                return best
            # Nothing beyond the least that is surely there decides anything, but the next group may need it
            there = np.where(self.near.distances <= self.windows.limits, self.near.distances, np.inf)
            enough = float(self._ranked(there, missing=np.inf).min())
            unsure = np.flatnonzero(~self.exact & (keys <= enough) & (keys < np.inf))
            some = unsure[np.argsort(keys[unsure], kind="stable")[:AT_ONCE]]
            limits = np.minimum(self.near.distances[some], FARTHER * enough * self.windows.scales[some])
            self._look(some, np.minimum(limits, self.windows.limits[some]))
            self.near_enough()

    def most(self) -> int | None:
        """The window whose nearest is farthest, for its scale; of equal ones the first. None if there is none left."""
        while True:
            keys = self._ranked(self.near.distances, missing=-np.inf)
            best = int(np.argmax(keys))
            if keys[best] == -np.inf:
                return None
            if self.exact[best]:
                return best
            unsure = np.flatnonzero(~self.exact & (keys > -np.inf))
            some = unsure[np.argsort(-keys[unsure], kind="stable")[:AT_ONCE]]
            self._look(some, self.near.distances[some])
            self.left[some[self.near.rows[some] < 0]] = False  # what has nothing to be compared with is no surprise

    def cover(self, rows: list[int]) -> None:
        """Windows that share frames with those at `rows` are taken no more, nor is anything near them."""
        for row in rows:
            first, stop = self.windows.overlapping(row)
            self.free[first:stop] = False
            self.leave_out(row)
        gone = (self.near.rows >= 0) & ~self.free[self.near.rows]
        # Their nearest was there: whatever is free now is no nearer
        known = gone & self.exact
        self.lower[known] = np.maximum(self.lower[known], self.near.distances[known])
        self.exact[gone] = False
        self.near.distances[gone] = np.inf
        self.near.rows[gone] = -1

    def leave_out(self, row: int) -> None:
        """Windows that share frames with the one at a row are taken no more."""
        first, stop = self.windows.overlapping(row)
        inside = slice(*np.searchsorted(self.windows.grid, [first, stop]))
        self.left[inside] = False

    def _look(self, some: np.ndarray, limits: np.ndarray) -> None:
        """Find the nearest of some windows, or that there is nothing within their limits."""
        found = self.neighbours.nearest(some, limits, self.free)
        there = found.rows >= 0
        self.near.put(some[there], found.at(there))
        self.exact[some[there]] = True
        nothing = some[~there]
        self.lower[nothing] = np.maximum(np.nextafter(limits[~there], np.inf), LEAST)

    def _ranked(self, distances: np.ndarray, *, missing: float) -> np.ndarray:
        """What windows are ranked by; `missing` for those that are not left."""
        keys = np.full(len(distances), missing)
        keys[self.left] = distances[self.left] / self.windows.scales[self.left]
        return keys
