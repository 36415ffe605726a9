"""Bounds of all windows, or of some, for one variant of a query."""

from dataclasses import dataclass

import numpy as np

from motionary.alignment import (
    LARGEST,
    WIDE,
    LaneQuery,
    MatchTables,
    Poses,
    common_at_most,
    dtw_lanes,
    euclid_lanes,
    pose_words,
)
from motionary.library import LibraryFeatures
from motionary.search.exact.projections import Basis, Projection, blocks_of
from motionary.search.exact.variants import Variant

FEW_LANES = 64  # side by side where windows are few
NEAR = 32  # rows: windows this near are computed together
MOST_ROWS = 1 << 16  # that are taken out of the features at once, or as many as a window has


@dataclass(frozen=True, eq=False)
class Weighting:
    """The weights of a variant as an outer product of query frames and dimensions, or as much as is below them.

    Neither has a number beyond ±2, so that single precision holds them; what they are to be multiplied with is apart.
    """

    frames: np.ndarray  # (p,)
    dimensions: np.ndarray  # (D,)
    size: float  # a power of 2

    @classmethod
    def of(cls, weights: np.ndarray) -> "Weighting | None":
        """From (p, D); None where weights below 0 are no outer product, of which nothing can be said."""
        strongest = np.unravel_index(np.abs(weights).argmax(), weights.shape)
        if weights[strongest] == 0.0:  # a short variant may leave out the frames that count
            return cls(np.zeros(len(weights)), np.zeros(weights.shape[1]), 1.0)
        size = 2.0 ** np.floor(np.log2(abs(weights[strongest])))
        frames = weights[:, strongest[1]] / weights[strongest]
        dimensions = weights[strongest[0]] / size
        if np.allclose(np.outer(frames, dimensions), weights / size, rtol=1e-12, atol=0.0):
            return cls(frames, dimensions, size)
        if (weights < 0).any():
            return None
        return cls(np.ones(len(weights)), weights.min(axis=0) / size, size)

    @property
    def is_signed(self) -> bool:
        return bool((self.frames < 0).any() or (self.dimensions < 0).any())


@dataclass(frozen=True, eq=False)
class Bounds:
    """A variant of a query, seen against some poses: sums in lanes, and what they say about distances."""

    lane_query: LaneQuery
    poses: Poses
    radii: np.ndarray | None  # None: frame by frame
    slack: float  # of the root of a sum; of the sum itself where costs may be below 0
    longer: float  # what a sum is multiplied with to become a distance

    @classmethod
    def of(
        cls, variant: Variant, weighting: Weighting, projection: Projection, *, warped: bool, longer: float
    ) -> "Bounds":
        query = projection.query(blocks_of(variant.columns, variant.rows))
        form = projection.form(blocks_of(variant.columns, weighting.dimensions))
        lane_query = LaneQuery.of(query, form, weighting.frames, projection.poses)
        largest = float(np.abs(form).max()) if form.ndim == 1 else float(np.linalg.norm(form, 2)) ** 2
        largest *= float(np.abs(weighting.frames).max())
        cells = 2 * variant.n_frames
        longer *= weighting.size
        if lane_query.is_signed:
            slack = cells * (
                2.0 * np.sqrt(lane_query.highest * largest) * projection.error + largest * projection.error**2
            )
        else:
            slack = np.sqrt(cells * largest) * projection.error
        return cls(lane_query, projection.poses, variant.radii if warped else None, float(slack), longer)

    def sums(self, spans: np.ndarray, *, limit: float, few: bool = False) -> np.ndarray:
        """Sums (F,) of windows that begin in `spans`; infinite elsewhere, and where distances are above `limit`."""
        out = np.full(self.poses.n_frames, np.inf, dtype=np.float32)
        at_most = self.at_most(limit)
        wide = FEW_LANES if few else WIDE
        if self.radii is None:
            euclid_lanes(self.lane_query, self.poses, spans, limit=at_most, wide=wide, out=out)
        else:
            dtw_lanes(self.lane_query, self.poses, spans, radii=self.radii, limit=at_most, wide=wide, out=out)
        return out

    def at_most(self, distance: float) -> float:
        """The largest sum of a window that is no farther than `distance`; finite, whatever that is."""
        total = min(distance / self.longer, LARGEST)
        if self.lane_query.is_signed:
            return self.lane_query.raised(total + self.slack)
        return self.lane_query.raised((np.sqrt(max(total, 0.0)) + self.slack) ** 2)

    def distances(self, sums: np.ndarray) -> np.ndarray:
        """Bounds of distances."""
        lowered = self.lane_query.lowered(sums)
        if self.lane_query.is_signed:
            return (lowered - self.slack) * self.longer
        return np.maximum(np.sqrt(np.maximum(lowered, 0.0)) - self.slack, 0.0) ** 2 * self.longer


def bounds_at(
    features: LibraryFeatures,
    variant: Variant,
    weighting: Weighting,
    rows: np.ndarray,
    *,
    warped: bool,
    longer: float,
    limit: float = np.inf,
) -> np.ndarray:
    """Bounds (N,) of the windows that begin at `rows`, ascending, in all dimensions; `limit`, if they are above."""
    found = np.empty(len(rows))
    basis = Basis(variant.rows.mean(axis=0).astype(np.float32), None)  # single precision says most near its centre
    for first, stop in pieces(rows, variant.n_frames):
        table, places, spans = gathered(features, variant, rows[first:stop])
        projection = Projection(Poses.of(basis.projection(table).T), 0, len(table), (basis,), basis.rounding(table))
        one = Variant(
            variant.rows, (("", np.arange(table.shape[1])),), variant.weights, variant.radii, variant.thresholds, False
        )
        bounds = Bounds.of(one, weighting, projection, warped=warped, longer=longer)
        bounded = bounds.distances(bounds.sums(spans, limit=limit, few=True)[places])
        found[first:stop] = np.minimum(bounded, limit)
    return found


def gathered(
    features: LibraryFeatures, variant: Variant, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A table of all that windows beginning at `rows`, ascending, need: where in it they begin, and in what spans.

    Windows that overlap share what they have in common, even if they are too far apart to be computed together.
    """
    steps = np.diff(rows)
    new = np.flatnonzero(steps > max(NEAR, variant.n_frames)) + 1
    firsts, lasts = rows[np.append(0, new)], rows[np.append(new, len(rows)) - 1]
    lengths = lasts - firsts + variant.n_frames
    table = variant.table(features.arrays, np.stack([firsts, firsts + lengths], axis=1))
    which = np.searchsorted(new, np.arange(len(rows)), side="right")
    places = (np.cumsum(lengths) - lengths - firsts)[which] + rows
    apart = np.flatnonzero(steps > NEAR) + 1
    spans = np.stack([places[np.append(0, apart)], places[np.append(apart, len(rows)) - 1] + 1], axis=1)
    return table, places, spans


def pieces(rows: np.ndarray, n_frames: int) -> list[tuple[int, int]]:
    """Which of the windows that begin at `rows`, ascending, are gathered at once: intervals of them."""
    n_gathered = np.cumsum(np.minimum(np.diff(rows, prepend=rows[:1]), max(NEAR, n_frames)))
    edges = np.flatnonzero(np.diff(n_gathered // MOST_ROWS)) + 1
    return list(zip(np.append(0, edges).tolist(), np.append(edges, len(rows)).tolist(), strict=True))


def common_in(variant: Variant, projection: Projection, spans: np.ndarray) -> np.ndarray:
    """How many frames (F,) windows that begin in `spans` have in common with the query at most; 0 elsewhere.

    The projection must be one of all dimensions.
    """
    query = projection.query(blocks_of(variant.columns, variant.rows))
    tables = MatchTables.of(query, variant.thresholds, variant.radii, error=projection.error)
    out = np.zeros(projection.poses.n_frames, dtype=np.int32)
    common_at_most(tables, pose_words(tables, projection.poses, spans), spans, out=out)
    return out
