"""Average linkage: near things are joined first, and groups are as far apart as their members are on average."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError


@dataclass(frozen=True, eq=False)
class Tree:
    """How N things were joined, the nearest groups first: group N + m was made of the two in row m."""

    joined: np.ndarray  # (N - 1, 2) numbers of groups, the lower first; 0 to N - 1 are the things themselves
    heights: np.ndarray  # (N - 1,) the mean distance of their members

    def cut(self, n_groups: int) -> np.ndarray:
        """The group (N,) of each thing when `n_groups` are left; groups are numbered in the order of their firsts."""
        n_things = len(self.joined) + 1
        group = np.arange(n_things)
        for made, (one, other) in enumerate(self.joined[: max(0, n_things - n_groups)], start=n_things):
            group[(group == one) | (group == other)] = made
        _, firsts, inverse = np.unique(group, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(firsts))[inverse]


def average_linkage(distances: np.ndarray) -> Tree:
    """The tree of N things with these mutual `distances` (N, N).

    In every step the two groups are joined whose mean distance, over all pairs of a member of one and a member of the
    other, is least; of equal ones the pair with the lowest thing, then with the lowest other one (a group counts by
    the lowest thing in it). Time grows with N², unless nearly all are equally near.
    """
    groups = _Groups.of(_checked(distances))
    n_things = len(groups.number)
    joined, heights = np.zeros((n_things - 1, 2), dtype=np.int64), np.zeros(n_things - 1)
    for step in range(n_things - 1):
        one = int(np.argmin(groups.least))
        other = int(groups.nearest[one])
        joined[step] = sorted((groups.number[one], groups.number[other]))
        heights[step] = groups.least[one]
        groups.join(one, other, n_things + step)
    return Tree(joined, heights)


def average_linkage_reference(distances: np.ndarray) -> Tree:
    """What `average_linkage` gives, from the definition: all means of all pairs of groups are taken anew each time."""
    groups = {number: [number] for number in range(len(distances))}
    joined, heights = [], []
    while len(groups) > 1:
        height, _, _, one, other = min(
            (float(np.mean(distances[np.ix_(groups[a], groups[b])])), min(groups[a]), min(groups[b]), a, b)
            for a in groups
            for b in groups
            if min(groups[a]) < min(groups[b])
        )
        joined.append(sorted((one, other)))
        heights.append(height)
        groups[len(distances) + len(joined) - 1] = groups.pop(one) + groups.pop(other)
    return Tree(np.array(joined, dtype=np.int64).reshape(-1, 2), np.array(heights))


def _checked(distances: np.ndarray) -> np.ndarray:
    """A copy of the distances, to work in."""
    means = np.array(distances, dtype=np.float64)
    if means.ndim != 2 or means.shape[0] != means.shape[1] or not len(means):
        raise UsageError(f"distances must form a square matrix, not the shape {means.shape}")
    if not np.isfinite(means).all() or not np.array_equal(means, means.T):
        raise UsageError("distances must be finite and symmetric")
    return means


@dataclass(frozen=True, eq=False)
class _Groups:
    """The groups so far: each has the row of its lowest thing, and knows the nearest of those in rows behind it."""

    sums: np.ndarray  # (N, N) of the distances of all pairs; sums, unlike means, lose nothing when groups are joined
    size: np.ndarray  # (N,) 0 for rows whose things are in another group
    number: np.ndarray  # (N,)
    nearest: np.ndarray  # (N,) row
    least: np.ndarray  # (N,) its mean distance; infinite where there is none

    @classmethod
    def of(cls, distances: np.ndarray) -> "_Groups":
        n_things = len(distances)
        groups = cls(
            distances,
            np.ones(n_things),
            np.arange(n_things),
            np.zeros(n_things, dtype=np.int64),
            np.full(n_things, np.inf),
        )
        for row in range(n_things):
            groups._look_for_nearest(row)
        return groups

    def join(self, one: int, other: int, number: int) -> None:
        """Put the group in row `other` into that in row `one`, which stands before it."""
        self.sums[one] += self.sums[other]
        self.sums[:, one] = self.sums[one]
        self.size[one] += self.size[other]
        self.size[other] = 0.0
        self.number[one] = number
        self.least[other] = np.inf
        lost = (self.size > 0) & ((self.nearest == one) | (self.nearest == other))
        lost[one] = True
        for row in np.flatnonzero(lost):
            self._look_for_nearest(int(row))
        before = np.flatnonzero((self.size[:one] > 0) & ~lost[:one])
        means = self.sums[before, one] / (self.size[before] * self.size[one])
        nearer = (means < self.least[before]) | ((means == self.least[before]) & (one < self.nearest[before]))
        self.least[before[nearer]], self.nearest[before[nearer]] = means[nearer], one

    def _look_for_nearest(self, row: int) -> None:
        behind = row + 1 + np.flatnonzero(self.size[row + 1 :])
        self.least[row] = np.inf
        if len(behind):
            means = self.sums[row, behind] / (self.size[row] * self.size[behind])
            best = int(np.argmin(means))
            self.nearest[row], self.least[row] = behind[best], means[best]
