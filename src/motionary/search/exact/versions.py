"""The versions of a query: what is compared at each length, and on each side, with as many frames of a candidate."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from motionary.alignment import sampled_rows, scaled_lengths
from motionary.errors import UsageError
from motionary.features import Dimension, descriptions
from motionary.search.exact.query import Query

Rows = Mapping[str, np.ndarray]  # (F, D) by description
LEAST_DEVIATION = 0.01  # 1 cm, half a degree: a dimension at rest still may differ a little
UNITS = {"positions": ("cm", 100.0), "angles": ("°", 180.0 / np.pi)}  # by the first description
VECTORS = {"positions": 3, "angles": 3}  # dimensions that make one length or turn


@dataclass(frozen=True, eq=False)
class Version:
    """One length and side of a query, in the dimensions that count."""

    rows: np.ndarray  # (p, D) float64
    columns: Mapping[str, np.ndarray]  # of every description, those that are compared
    weights: np.ndarray  # (p, D)
    radii: np.ndarray  # (p,)
    thresholds: np.ndarray  # (p, D); only LCSS asks for them
    mirrored: bool

    @property
    def n_frames(self) -> int:
        return len(self.rows)

    def table(self, arrays: Rows, spans: np.ndarray) -> np.ndarray:
        """The compared dimensions (F, D) of the rows [start, stop) in `spans` (N, 2), one span after the other."""
        return np.concatenate(
            [
                np.concatenate([arrays[name][start:stop] for start, stop in spans])[:, columns]
                for name, columns in self.columns.items()
                if len(columns)
            ],
            axis=1,
        )


@dataclass(frozen=True, eq=False)
class Comparison:
    """A query with its numbers: one row for each of its n frames, all dimensions of its descriptions side by side."""

    query: Query
    n_frames: int
    weights: np.ndarray  # (n, D)
    thresholds: np.ndarray  # (n, D); infinite where nothing counts
    radii: np.ndarray  # (n,)

    @classmethod
    def of(cls, query: Query, rows: Rows) -> "Comparison":
        """`rows` are the query's own features."""
        own = _side_by_side(query, rows)
        n_frames = len(own)
        dimensions = _dimensions(query)
        weights = np.outer(_over_time(query.over_time, n_frames), _chosen(query) * _factors(query.weights, dimensions))
        if not weights.any():
            raise UsageError("all weights are 0: nothing is compared")
        deviations = np.maximum(own.std(axis=0), LEAST_DEVIATION)
        factors = _factors(query.tolerances, dimensions)
        thresholds = np.where(weights == 0, np.inf, _threshold(query.tolerance, factors) * deviations)
        if query.distance == "lcss" and np.isinf(thresholds).all():
            raise UsageError("all tolerances are infinite: nothing of the query matters")
        shares = np.atleast_1d(np.asarray(query.window, dtype=np.float64))
        if shares.shape not in ((1,), (n_frames,)):
            raise UsageError(f"a window needs one share, or one for each of {n_frames} frames, not {len(shares)}")
        radii = np.broadcast_to(np.floor(shares * n_frames + 0.5).astype(np.int64), (n_frames,))
        return cls(query, n_frames, weights, thresholds, radii)

    @property
    def unit(self) -> str:
        return UNITS.get(self.query.descriptions[0], ("", 1.0))[0]

    @property
    def limit(self) -> float:
        """The largest distance of a match."""
        within = self.query.within
        if within is None:
            return np.inf
        if self.query.distance == "lcss":
            return within
        size = within / self._unit_size
        return float(np.copysign(size * size, size) * self._weight)

    def mean(self, distance: float) -> float:
        """The distance of Euclid or DTW in the unit: the root of the mean square over frames and joints.

        It counts frames of the query, not pairs of a path, and so ascends with the distance.
        """
        square = distance / self._weight
        return float(np.copysign(np.sqrt(abs(square)), square) * self._unit_size)

    def versions(self, rows_at: Callable[[int], Rows]) -> Iterator[Version]:
        """All lengths from the nearest to the query's on, the shorter first, each as it is before its mirror image.

        `rows_at(p)` are the features of the query played in p frames.
        """
        lengths = scaled_lengths(self.n_frames, self.query.scale)
        for length in sorted(lengths, key=lambda length: (abs(length - self.n_frames), length)):
            rows = rows_at(length)
            for mirrored in {"no": (False,), "only": (True,), "both": (False, True)}[self.query.mirrored]:
                yield self._version(rows, length, mirrored=mirrored)

    def _version(self, rows: Rows, length: int, *, mirrored: bool) -> Version:
        known = descriptions()
        weights, thresholds = self.weights, self.thresholds
        if mirrored:
            rows = {name: known[name].mirrored(rows[name]) for name in self.query.descriptions}
            swapped = _mirror_columns(self.query)
            weights, thresholds = weights[:, swapped], thresholds[:, swapped]
        counts: np.ndarray = (weights != 0).any(axis=0)
        columns, first = {}, 0
        for name in self.query.descriptions:
            n_dimensions = known[name].n_dimensions
            columns[name] = np.flatnonzero(counts[first : first + n_dimensions])
            first += n_dimensions
        return Version(
            _side_by_side(self.query, rows)[:, counts],
            columns,
            sampled_rows(weights[:, counts], length),
            sampled_rows(self.radii, length),
            sampled_rows(thresholds[:, counts], length),
            mirrored,
        )

    @property
    def _unit_size(self) -> float:
        return UNITS.get(self.query.descriptions[0], ("", 1.0))[1]

    @property
    def _weight(self) -> float:
        """Of all frames and joints together: three dimensions of a joint are one."""
        known = descriptions()
        per = np.concatenate(
            [np.full(known[name].n_dimensions, 1.0 / VECTORS.get(name, 1)) for name in self.query.descriptions]
        )
        return float((np.abs(self.weights) @ per).sum())


def _side_by_side(query: Query, rows: Rows) -> np.ndarray:
    return np.concatenate([rows[name] for name in query.descriptions], axis=1).astype(np.float64)


def _dimensions(query: Query) -> list[tuple[str, Dimension]]:
    return [(name, dimension) for name in query.descriptions for dimension in descriptions()[name].dimensions]


def _mirror_columns(query: Query) -> np.ndarray:
    columns, first = [], 0
    for name in query.descriptions:
        columns.append(first + descriptions()[name].mirror_columns)
        first += descriptions()[name].n_dimensions
    return np.concatenate(columns)


def _chosen(query: Query) -> np.ndarray:
    """1 (D,) for dimensions of the chosen joints, else 0."""
    dimensions = _dimensions(query)
    if not query.joints:
        return np.ones(len(dimensions))
    _check_known(query.joints, dimensions)
    return np.array([float(bool({name, found.part, found.name} & set(query.joints))) for name, found in dimensions])


def _factors(given: Mapping[str, float], dimensions: list[tuple[str, Dimension]]) -> np.ndarray:
    """The product (D,) of what is given for the description, the part and the dimension."""
    _check_known(given, dimensions)
    return np.array(
        [
            given.get(name, 1.0) * (given.get(found.part, 1.0) if found.part else 1.0) * given.get(found.name, 1.0)
            for name, found in dimensions
        ]
    )


def _check_known(words: Mapping[str, float] | tuple[str, ...], dimensions: list[tuple[str, Dimension]]) -> None:
    parts = dict.fromkeys(found.part or found.name for _, found in dimensions)
    known = {word for name, found in dimensions for word in (name, found.part, found.name) if word}
    for word in words:
        if word not in known:
            raise UsageError(f"nothing that is compared belongs to {word!r}; there are {', '.join(parts)}")


def _over_time(weights: tuple[float, ...], n_frames: int) -> np.ndarray:
    if not weights:
        return np.ones(n_frames)
    return np.interp(np.linspace(0.0, 1.0, n_frames), np.linspace(0.0, 1.0, len(weights)), weights)


def _threshold(tolerance: float, factors: np.ndarray) -> np.ndarray:
    """Infinite is don't-care, on whichever side of 0; nothing times infinite is, too."""
    with np.errstate(invalid="ignore"):
        product = tolerance * factors
    return np.where(np.isfinite(product), product, np.inf)
