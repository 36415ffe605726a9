"""The windows of a library that are compared with each other, and the rows that they are made of."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numba import njit

from motionary.alignment import Alignment, Match
from motionary.arguments import check_is, factors, number, words
from motionary.errors import UsageError
from motionary.features import SEARCH_RATE_HZ, descriptions
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.dimensions import Dimensions
from motionary.search.exact.variants import UNITS

Rank = Literal["relative", "distance"]


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """Which windows are compared, and how; the words are those of a search."""

    length: float = 2.0  # seconds
    hop: float = 0.25  # from one window to the next, as a share of the length
    descriptions: tuple[str, ...] = ("gist",)
    joints: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    both_sides: bool = True  # whether the mirror image of a window may be near
    other_clips: bool = False  # whether only other clips count; else what shares no frame
    rank: Rank = "relative"  # to how much a window moves, or by the distance as it is
    least_movement: float = 0.0  # of a window, in the unit of means
    radius: float = 0.7  # how far what recurs may be, as a share of a window's movement
    within: float | None = None  # the same as a mean, in its unit, for all windows alike

    def __post_init__(self) -> None:
        self._take_as_meant()
        if not (math.isfinite(self.length) and self.n_frames >= 2):
            raise UsageError(f"windows of {self.length:g} s are too short; they need at least two frames")
        if not 0 < self.hop < math.inf:
            raise UsageError(f"hop must be above 0, not {self.hop:g}")
        known = descriptions()
        if (
            not self.descriptions
            or len(set(self.descriptions)) < len(self.descriptions)
            or set(self.descriptions) - set(known)
        ):
            raise UsageError(
                f"descriptions must be from {', '.join(known)}, each once, not {', '.join(self.descriptions)!r}"
            )
        dimensions = Dimensions.of(self.descriptions)
        dimensions.chosen(self.joints)
        dimensions.factors(self.weights)
        if self.rank not in get_args(Rank):
            raise UsageError(f"rank must be {' or '.join(get_args(Rank))}, not {self.rank!r}")
        if not 0 <= self.least_movement < math.inf:
            raise UsageError(f"least_movement must be a number of at least 0, not {self.least_movement}")
        if not (0 < self.radius < math.inf and (self.within is None or 0 <= self.within < math.inf)):
            raise UsageError("radius must be above 0, and within at least 0")
        if any(not (math.isfinite(weight) and weight >= 0) for weight in self.weights.values()):
            raise UsageError("weights must not be negative")

    def _take_as_meant(self) -> None:
        """Lists for tuples, one word for a list of one, any kind of number; raise where that says nothing."""
        taken: dict[str, object] = {
            "descriptions": words(self.descriptions, "descriptions"),
            "joints": words(self.joints, "joints"),
            "weights": factors(self.weights, "weights"),
            "within": None if self.within is None else number(self.within, "within"),
        }
        taken |= {name: number(getattr(self, name), name) for name in ("length", "hop", "least_movement", "radius")}
        for name, value in taken.items():
            object.__setattr__(self, name, value)
        for name in ("both_sides", "other_clips"):
            check_is(getattr(self, name), bool, called=name, meant="True or False")

    @property
    def n_frames(self) -> int:
        """Of a window, at the search rate."""
        return math.floor(self.length * SEARCH_RATE_HZ + 0.5)

    @property
    def n_hop(self) -> int:
        """Frames from one window to the next."""
        return max(1, math.floor(self.hop * self.n_frames + 0.5))


@dataclass(frozen=True, eq=False)
class Windows:
    """All windows of a library: those on the hop grid, which are looked at, and every offset, which may be near one.

    Rows are those of `table`, in which clips follow one another by id. Copies of a clip are there once, as the first
    of them.
    """

    features: LibraryFeatures
    options: WindowOptions
    table: np.ndarray  # (F, D) float32: the compared dimensions, and those that a mirror puts in their place
    weights: np.ndarray  # (D,)
    mirror_columns: np.ndarray  # (D,) the column that each takes its values from in a mirror
    mirror_signs: np.ndarray  # (D,)
    clips: np.ndarray  # (C,) numbers of the clips
    firsts: np.ndarray  # (C,) their first rows
    stops: np.ndarray  # (C,) the row behind their last offset
    grid: np.ndarray  # (N,) rows at which windows on the grid begin, ascending
    movements: np.ndarray  # (N,) their sums of squares about their mean poses
    weight: float  # of all frames and joints of a window together: three dimensions of a joint are one

    @classmethod
    def of(
        cls, features: LibraryFeatures, options: WindowOptions, *, clip_ids: Collection[int] | None = None
    ) -> "Windows":
        """Those of all clips, or of those with `clip_ids`."""
        n = options.n_frames
        clips = np.unique(features.starts, return_index=True)[1] if clip_ids is None else _once(features, clip_ids)
        clips = np.sort(clips[features.n_frames[clips] >= n])
        lengths = features.n_frames[clips]
        firsts = np.cumsum(lengths) - lengths
        stops = firsts + lengths - n + 1
        names = options.descriptions
        dimensions = Dimensions.of(names)
        weights = dimensions.factors(options.weights) * dimensions.chosen(options.joints)
        if not weights.any():
            raise UsageError("all weights are 0, so nothing would be compared")
        columns = np.flatnonzero((weights != 0) | (weights[dimensions.mirror_columns] != 0))
        place = np.full(len(weights), -1)
        place[columns] = np.arange(len(columns))
        signs = dimensions.mirrored(np.ones((1, len(weights))))[0][columns]
        table = _table(features, names, columns, clips)
        hops = [
            np.unique(np.append(np.arange(first, stop, options.n_hop), stop - 1))
            for first, stop in zip(firsts, stops, strict=True)
        ]
        grid = np.concatenate([*hops, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        movements = _movements(table, grid, weights[columns], n)
        return cls(
            *(features, options, table, weights[columns], place[dimensions.mirror_columns[columns]], signs),
            *(clips, firsts, stops, grid, movements, float((np.tile(weights, (n, 1)) @ dimensions.shares).sum())),
        )

    @property
    def n_frames(self) -> int:
        return self.options.n_frames

    @cached_property
    def owners(self) -> np.ndarray:
        """Which of the clips (as a position in `clips`) every window on the grid (N,) lies in."""
        return np.asarray(np.searchsorted(self.firsts, self.grid, side="right") - 1)

    @cached_property
    def offsets(self) -> np.ndarray:
        """All rows at which a window may begin, ascending."""
        spans = [np.arange(first, stop) for first, stop in zip(self.firsts, self.stops, strict=True)]
        return np.concatenate([*spans, np.zeros(0, dtype=np.int64)]).astype(np.int64)

    @cached_property
    def forbidden(self) -> np.ndarray:
        """The rows [first, stop) (N, 2) at which nothing counts as near a window on the grid: its place, or clip."""
        firsts, stops = self.firsts[self.owners], self.stops[self.owners]
        if self.options.other_clips:
            return np.stack([firsts, stops], axis=1)
        around = (self.grid - self.n_frames + 1, self.grid + self.n_frames)
        return np.stack([np.maximum(around[0], firsts), np.minimum(around[1], stops)], axis=1)

    def overlapping(self, row: int) -> tuple[int, int]:
        """The rows [first, stop) of all offsets that share a frame with the window at `row`."""
        clip = self.owner(row)
        return max(row - self.n_frames + 1, int(self.firsts[clip])), min(row + self.n_frames, int(self.stops[clip]))

    @cached_property
    def scales(self) -> np.ndarray:
        """What distances of the windows on the grid (N,) are divided by to be ranked; 0: not ranked at all."""
        scales = self.movements if self.options.rank == "relative" else np.ones(len(self.grid))
        moved = np.sqrt(self.movements / self.weight) * self.unit_size
        return np.where(moved >= self.options.least_movement, scales, 0.0)

    @cached_property
    def limits(self) -> np.ndarray:
        """How far at most (N,) what recurs may be from the windows on the grid."""
        if self.options.within is None:
            return np.asarray(self.options.radius**2 * self.movements)
        size = self.options.within / self.unit_size
        return np.full(len(self.grid), size * size * self.weight)

    def owner(self, row: int) -> int:
        """Which of the clips a row lies in."""
        return int(np.searchsorted(self.firsts, row, side="right") - 1)

    def mirrored(self, rows: np.ndarray) -> np.ndarray:
        """Rows (F, D) of the table in a mirror."""
        return np.asarray(rows[:, self.mirror_columns] * self.mirror_signs.astype(rows.dtype))

    def query(self, row: int, *, mirrored: bool) -> tuple[np.ndarray, np.ndarray]:
        """The window at a row (n, D), as a search would compare it with others, and the weights (D,) of that side."""
        rows = self.table[row : row + self.n_frames]
        if mirrored:
            return self.mirrored(rows).astype(np.float64), self.weights[self.mirror_columns]
        return rows.astype(np.float64), self.weights

    def segment(self, row: int) -> Segment:
        """The window at a row, in its clip's own frames."""
        clip = self.owner(row)
        start = row - int(self.firsts[clip])
        place = int(self.clips[clip])
        ends = self.features.rates[place].clip_segment(start, start + self.n_frames)
        return Segment(int(self.features.clip_ids[place]), *ends)

    @property
    def unit(self) -> str:
        return UNITS.get(self.options.descriptions[0], ("", 1.0))[0]

    @property
    def unit_size(self) -> float:
        """How many of the unit a metre or radian is."""
        return UNITS.get(self.options.descriptions[0], ("", 1.0))[1]

    def mean(self, distance: float) -> float:
        """A sum of squares in the unit: the root of the mean square over frames and joints, as of a search."""
        return float(np.sqrt(distance / self.weight) * self.unit_size)

    def match(self, row: int, *, distance: float, mirrored: bool) -> Match:
        """The window at a row, as a match of another."""
        return Match(
            self.segment(row),
            distance,
            self.mean(distance),
            self.unit,
            "euclid",
            Alignment(np.repeat(np.arange(self.n_frames)[:, None], 2, axis=1)),
            self.n_frames,
            self.features.rate_hz,
            mirrored=mirrored,
        )


def _once(features: LibraryFeatures, clip_ids: Collection[int]) -> np.ndarray:
    chosen = np.flatnonzero(np.isin(features.clip_ids, np.array(sorted(clip_ids), dtype=np.int64)))
    return np.asarray(chosen[np.unique(features.starts[chosen], return_index=True)[1]])


def _table(features: LibraryFeatures, names: tuple[str, ...], columns: np.ndarray, clips: np.ndarray) -> np.ndarray:
    """The columns (F, D) of all rows of some clips, one clip after the other."""
    lengths = features.n_frames[clips]
    table = np.empty((int(lengths.sum()), len(columns)), dtype=np.float32)
    row = 0
    for start, length in zip(features.starts[clips].tolist(), lengths.tolist(), strict=True):
        parts = [features.arrays[name][start : start + length] for name in names]
        table[row : row + length] = (parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))[:, columns]
        row += length
    return table


@njit(cache=True, nogil=True)
def _movements(table, grid, weights, n_frames):  # type: ignore[no-untyped-def]
    """Σ w (x − mean of x over the window)² of every window on the grid."""
    found = np.zeros(len(grid))
    for i in range(len(grid)):
        rows = table[grid[i] : grid[i] + n_frames]
        for d in range(table.shape[1]):
            total = 0.0
            for f in range(n_frames):
                total += rows[f, d]
            for f in range(n_frames):
                gap = rows[f, d] - total / n_frames
                found[i] += weights[d] * (gap * gap)
    return found
