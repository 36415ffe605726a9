"""Motifs: groups of windows that recur, one after the other, without a query."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.alignment import Match
from motionary.search.exact.onsets import ranked, separated
from motionary.search.recurring.neighbours import Nearest
from motionary.search.recurring.windows import Windows

MOST_LABELS = 3  # that are told
MOST_COMPARED = 2_000  # members of which the most typical is looked for


@dataclass(frozen=True, eq=False)
class Motif:
    """A segment that recurs, and where.

    The first of `matches` is the window that the group was found by, `seed`, itself; the others are as near to it as
    `within` says, nearest first, and none of all share a frame.
    """

    matches: tuple[Match, ...]
    within: float  # the largest mean distance from the seed that was allowed
    movement: float  # how far joints are from where they are on average, over the seed: root of the mean square
    medoid: int  # which of the matches is most typical: nearest to all others
    spread: float  # how far the others are from that one, on average: of the means
    labels: dict[str, int]  # labels of the matches' clips, with how many of the matches carry each

    @property
    def seed(self) -> Match:
        return self.matches[0]

    @property
    def nearest(self) -> float:
        """How far the seed and what is most like it are from each other: their mean."""
        return self.matches[1].mean

    @property
    def representative(self) -> Match:
        return self.matches[self.medoid]

    @property
    def n_clips(self) -> int:
        return len({match.segment.clip_id for match in self.matches})

    @property
    def commonest(self) -> str:
        """The labels that most of the matches carry, with how many do: walk 12, turn 3."""
        return ", ".join(f"{label} {count}" for label, count in list(self.labels.items())[:MOST_LABELS])

    def as_json(self) -> dict[str, Any]:
        """Of matches what a search tells."""
        return {
            "size": len(self.matches),
            "clips": self.n_clips,
            "nearest": self.nearest,
            "within": self.within,
            "movement": self.movement,
            "unit": self.seed.unit,
            "spread": self.spread,
            "medoid": self.medoid + 1,
            "labels": self.labels,
            "matches": [match.as_json() for match in self.matches],
        }


@dataclass(frozen=True, eq=False)
class Group:
    """A motif in rows of windows."""

    seed: int  # which window on the grid
    members: Nearest  # all others, nearest first

    def rows(self, windows: Windows) -> list[int]:
        """Where all of them begin, the seed first."""
        return [int(windows.grid[self.seed]), *self.members.rows.tolist()]


def group_around(windows: Windows, seed: int, near: Nearest) -> Group:
    """The group of a seed, from all that is free and near enough: best first, none that shares a frame with another."""
    clips = np.searchsorted(windows.firsts, near.rows, side="right") - 1
    order = ranked(clips, near.rows, near.distances)
    taken = separated(order, clips, near.rows, least=windows.n_frames)
    return Group(seed, Nearest(near.distances[taken], near.rows[taken], near.mirrored[taken]))


def motif_of(windows: Windows, group: Group) -> Motif:
    """The motif, with its segments in frames of their clips."""
    row = int(windows.grid[group.seed])
    members = group.members
    found = [windows.match(row, distance=0.0, mirrored=False)] + [
        windows.match(int(at), distance=float(distance), mirrored=bool(side))
        for at, distance, side in zip(members.rows, members.distances, members.mirrored, strict=True)
    ]
    medoid, spread = _medoid(windows, np.append(row, members.rows), np.append(False, members.mirrored))
    return Motif(
        tuple(found),
        windows.mean(float(windows.limits[group.seed])),
        windows.mean(float(windows.movements[group.seed])),
        medoid,
        spread,
        {},
    )


def _medoid(windows: Windows, rows: np.ndarray, mirrored: np.ndarray) -> tuple[int, float]:
    """Which window is nearest to all others, each on the side on which it is like the first, and how near on average.

    Where there are very many, the nearest to the first ones are looked at.
    """
    rows, mirrored = rows[:MOST_COMPARED], mirrored[:MOST_COMPARED]
    if len(rows) < 2:
        return 0, 0.0
    roots = np.sqrt(windows.weights)
    flat = np.empty((len(rows), windows.n_frames * len(roots)))
    for k, (row, side) in enumerate(zip(rows.tolist(), mirrored.tolist(), strict=True)):
        own = windows.table[row : row + windows.n_frames]
        flat[k] = ((windows.mirrored(own) if side else own) * roots).ravel()
    flat -= flat.mean(axis=0)  # near their mean, differences of squares lose the least
    squares = (flat * flat).sum(axis=1)
    gaps = np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * flat @ flat.T, 0.0) / windows.weight)
    np.fill_diagonal(gaps, 0.0)
    sums = np.round(gaps.sum(axis=1), 9)  # so that the last bits of a matrix product decide nothing
    medoid = int(np.argmin(sums))
    return medoid, float(sums[medoid] / (len(rows) - 1) * windows.unit_size)
