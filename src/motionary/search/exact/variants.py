"""The variants of a query: what is compared at each length, and on each side, with as many frames of a candidate."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.alignment import sampled_rows, scaled_lengths
from motionary.errors import UsageError
from motionary.features import LEARNED_LENGTH
from motionary.search.dimensions import Dimensions
from motionary.search.exact.query import Query
from motionary.search.examples import Rows

LEAST_DEVIATION = 0.01  # 1 cm, half a degree: a dimension at rest still may differ a little
LEAST_EXCLUDED = 1e-30  # a tolerance of 0 excludes what is equal: −0 would include it
UNITS = {  # by the first description
    "gist": ("cm", 100.0),
    "positions": ("cm", 100.0),
    "angles": ("°", 180.0 / np.pi),
    "learned": ("%", 100.0 / (np.sqrt(2.0) * LEARNED_LENGTH)),  # of what is between poses with nothing in common
}


@dataclass(frozen=True, eq=False)
class Variant:
    """One length and side of a query, in the dimensions that count.

    A column of a description may come twice: as the query has it, and as what the query must be unlike has it.
    """

    rows: np.ndarray  # (p, D) float64
    columns: tuple[tuple[str, np.ndarray], ...]  # descriptions with columns, which side by side are the D of `rows`
    weights: np.ndarray  # (p, D)
    radii: np.ndarray  # (p,)
    thresholds: np.ndarray  # (p, D); only LCSS asks for them
    mirrored: bool

    @property
    def n_frames(self) -> int:
        return len(self.rows)

    @property
    def n_counted(self) -> int:
        """How many of its frames LCSS counts: those of which something matters."""
        return int((~np.isinf(self.thresholds).all(axis=1)).sum())

    def table(self, arrays: Rows, spans: np.ndarray) -> np.ndarray:
        """The compared dimensions (F, D) of the rows [start, stop) in `spans` (N, 2), one span after the other."""
        lengths = spans[:, 1] - spans[:, 0]
        rows = np.repeat(spans[:, 0] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        blocks = []
        for name, columns in self.columns:
            whole = len(columns) == arrays[name].shape[1] and columns[0] == 0 and bool((np.diff(columns) == 1).all())
            taken = arrays[name][rows]
            blocks.append(taken if whole else taken[:, columns])
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A query with its numbers: a row for each of its n frames, and all dimensions of its descriptions side by side.

    They come once for the query's own example, and once more for each that it must be unlike: D in all.
    """

    query: Query
    weights: np.ndarray  # (n, D)
    thresholds: np.ndarray  # (n, D); infinite where nothing counts
    radii: np.ndarray  # (n,)

    @classmethod
    def of(cls, query: Query) -> "Comparison":
        n_frames = query.example.n_frames
        dimensions = Dimensions.of(query.descriptions)
        factors = dimensions.factors(query.weights)
        signed = [factors * dimensions.chosen(query.joints)]
        signed += [-each.weight * factors * dimensions.chosen(each.joints or query.joints) for each in query.unlike]
        weights = np.outer(_along(query.over_time or (1.0,), n_frames), np.concatenate(signed))
        if not weights.any():
            raise UsageError("all weights are 0, so nothing would be compared")
        tolerances = _product(query.tolerance, dimensions.factors(query.tolerances))
        excluding = np.where(np.isinf(tolerances), np.inf, -np.maximum(np.abs(tolerances), LEAST_EXCLUDED))
        examples = (query.example, *(each.example for each in query.unlike))
        own = [dimensions.side_by_side(example.rows(example.n_frames)) for example in examples]
        deviations = np.concatenate([rows.std(axis=0) for rows in own])
        thresholds = np.concatenate([tolerances, *[excluding] * len(query.unlike)]) * np.maximum(
            deviations, LEAST_DEVIATION
        )
        thresholds = np.where(weights == 0, np.inf, thresholds)
        if query.distance == "lcss" and np.isinf(thresholds).all():
            raise UsageError("all tolerances are infinite, so nothing would be compared")
        return cls(query, weights, thresholds, _radii(query, n_frames))

    @property
    def n_frames(self) -> int:
        """Of the query as it was given."""
        return len(self.radii)

    @property
    def unit(self) -> str:
        return UNITS.get(self.query.descriptions[0], ("", 1.0))[0]

    @property
    def unit_size(self) -> float:
        """How many of the unit a metre or radian is."""
        return UNITS.get(self.query.descriptions[0], ("", 1.0))[1]

    @cached_property
    def limit(self) -> float:
        """The largest distance of a match: the largest whose mean is within what was asked for, to the last bit."""
        within = self.query.within
        if within is None:
            return np.inf
        if self.query.distance == "lcss":
            return within
        return _largest(lambda distance: self.mean(distance) <= within)

    def mean(self, distance: float) -> float:
        """The distance of Euclid or DTW in the unit: the root of the mean square over frames and joints.

        It counts frames of the query, not pairs of a path, and so ascends with the distance.
        """
        square = distance / self._weight
        return float(np.copysign(np.sqrt(abs(square)), square) * self.unit_size)

    def variants(self) -> Iterator[Variant]:
        """All lengths from the nearest to the query's on, the shorter first, each as it is before its mirror image.

        Where a mirror changes nothing, there is none: in a tie, what is not mirrored counts.
        """
        lengths = scaled_lengths(self.n_frames, self.query.scale)
        for length in sorted(lengths, key=lambda length: (abs(length - self.n_frames), length)):
            rows = _all_rows(self.query, length)
            for mirrored in {"no": (False,), "only": (True,), "both": (False, True)}[self.query.mirrored]:
                if not (mirrored and self.query.mirrored == "both" and self.is_its_mirror_image):
                    yield self._variant(rows, length, mirrored=mirrored)

    def variant(self, length: int, *, mirrored: bool = False) -> Variant:
        """One of them."""
        return self._variant(_all_rows(self.query, length), length, mirrored=mirrored)

    def _variant(self, rows: list[Rows], length: int, *, mirrored: bool) -> Variant:
        dimensions = Dimensions.of(self.query.descriptions)
        values = [dimensions.side_by_side(each) for each in rows]
        weights, thresholds = self.weights, self.thresholds
        if mirrored:
            values = [dimensions.mirrored(each) for each in values]
            swapped = dimensions.mirror_columns
            swapped = np.concatenate([swapped + example * len(swapped) for example in range(len(rows))])
            weights, thresholds = weights[:, swapped], thresholds[:, swapped]
        counts: np.ndarray = (weights != 0).any(axis=0)
        return Variant(
            np.concatenate(values, axis=1)[:, counts],
            tuple(block for part in np.split(counts, len(rows)) for block in dimensions.blocks(part)),
            sampled_rows(weights[:, counts], length),
            sampled_rows(self.radii, length),
            sampled_rows(thresholds[:, counts], length),
            mirrored,
        )

    @cached_property
    def is_its_mirror_image(self) -> bool:
        """Whether all dimensions that count are the same in a mirror, whatever the motion."""
        dimensions = Dimensions.of(self.query.descriptions)
        own = (dimensions.mirror_columns == np.arange(len(dimensions.mirror_columns))) & (dimensions.mirror_signs > 0)
        return bool(np.tile(own, 1 + len(self.query.unlike))[(self.weights != 0).any(axis=0)].all())

    @cached_property
    def _weight(self) -> float:
        """Of all frames and joints together: three dimensions of a joint are one."""
        shares = np.tile(Dimensions.of(self.query.descriptions).shares, 1 + len(self.query.unlike))
        return float((np.abs(self.weights) @ shares).sum())


def _all_rows(query: Query, length: int) -> list[Rows]:
    """Those of the query's example, then of each that it must be unlike, all played in `length` frames."""
    return [query.example.rows(length), *(unlike.example.rows(length) for unlike in query.unlike)]


def _largest(holds: Callable[[float], bool]) -> float:
    """The largest finite number for which it holds, as it does for all below; −∞ if for none."""

    def number(step: int) -> float:
        # Numbers of one sign are in the order of their bits
        return float(np.copysign(np.int64(abs(step)).view(np.float64), step))

    last = int(np.float64(np.finfo(np.float64).max).view(np.int64))
    low, high = -last - 1, last  # of the first, as −∞, it holds
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(number(middle)) else (low, middle - 1)
    return number(low)


def _radii(query: Query, n_frames: int) -> np.ndarray:
    shares = _along(query.window if isinstance(query.window, tuple) else (query.window,), n_frames)
    return np.floor(shares * n_frames + 0.5).astype(np.int64)


def _along(numbers: tuple[float, ...], n_frames: int) -> np.ndarray:
    """One number for each frame: they are spread evenly from the first to the last, in straight lines between."""
    return np.interp(np.linspace(0.0, 1.0, n_frames), np.linspace(0.0, 1.0, len(numbers)), numbers)


def _product(tolerance: float, factors: np.ndarray) -> np.ndarray:
    """Infinite is don't-care, on whichever side of 0; nothing times infinite is, too."""
    with np.errstate(invalid="ignore"):
        product = tolerance * factors
    return np.where(np.isfinite(product), product, np.inf)
