"""A query that is being answered: its variants, and where it is looked for."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import GROUP
from motionary.search.exact.bounding import Bounds, Weighting
from motionary.search.exact.grouping import can_be_grouped, group_bounds
from motionary.search.exact.index import Index
from motionary.search.exact.places import Places
from motionary.search.exact.projections import Projection
from motionary.search.exact.query import Query
from motionary.search.exact.variants import Comparison, Variant


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """A query, and where it is looked for."""

    index: Index
    comparison: Comparison
    variants: list[Variant]
    weightings: list[Weighting]
    places: Places
    _bounds: dict[int, tuple[Projection, Bounds]] = field(default_factory=dict)
    _group_bounds: dict[int, tuple[float, np.ndarray]] = field(default_factory=dict)

    @property
    def query(self) -> Query:
        return self.comparison.query

    @property
    def is_warped(self) -> bool:
        return self.query.distance != "euclid"

    @property
    def is_signed(self) -> bool:
        """Whether distances may be below 0."""
        return any(weighting.is_signed for weighting in self.weightings)

    @property
    def unscaled(self) -> list[int]:
        """The numbers of the variants that are as long as the query is."""
        n_frames = self.comparison.n_frames
        return [number for number, variant in enumerate(self.variants) if variant.n_frames == n_frames]

    @property
    def least_onset(self) -> int:
        return self.query.least_onset(self.comparison.n_frames)

    def longer(self, variant: Variant) -> float:
        """What a sum of a variant is multiplied with."""
        return self.comparison.n_frames / variant.n_frames

    def projections(self, numbers: list[int], *, plain: bool) -> Iterator[tuple[int, Projection]]:
        """Variants, each with all projections that it has to be compared with; the same one for all that can share it,
        one after the other, so that a large library is gone through once."""
        alike: dict[object, list[int]] = {}
        for number in numbers:
            columns = tuple((name, part.tobytes()) for name, part in self.variants[number].columns)
            alike.setdefault(columns, []).append(number)
        for some in alike.values():
            longest = max(self.variants[number].n_frames for number in some)
            columns_of_all, wanted = self.variants[some[0]].columns, self.places.any_in
            for projection in self.index.projections(columns_of_all, longest, plain=plain, wanted=wanted):
                for number in some:
                    yield number, projection

    def bounds(self, number: int, projection: Projection) -> Bounds:
        """One variant against a projection; those of the last projection are kept."""
        known = self._bounds.get(number)
        if known is not None and known[0] is projection:
            return known[1]
        for other in [other for other, (seen, _) in self._bounds.items() if seen is not projection]:
            del self._bounds[other]
        variant = self.variants[number]
        bounds = Bounds.of(
            variant, self.weightings[number], projection, warped=self.is_warped, longer=self.longer(variant)
        )
        self._bounds[number] = (projection, bounds)
        return bounds

    @property
    def is_grouped(self) -> bool:
        """Whether groups of poses bound all variants."""
        return (
            self.query.distance != "lcss"
            and not self.is_signed
            and all(can_be_grouped(variant.columns, variant.n_frames) for variant in self.variants)
        )

    def group_bounds(self, number: int, *, limit: float = np.inf) -> np.ndarray:
        """What distances of one variant and windows that begin in each group of the library are not below; infinite
        where that is above `limit`."""
        known = self._group_bounds.get(number)
        if known is None or known[0] < limit:
            variant = self.variants[number]
            found = np.full(-(-self.index.n_rows // GROUP), np.inf)
            for rows in self.index.groups(variant.columns, variant.n_frames, wanted=self.places.any_in):
                first, stop = rows.projection.first, rows.projection.stop
                bounds = group_bounds(
                    *(variant, self.weightings[number], rows),
                    self.places.spans(variant.n_frames, first, stop) - first,
                    warped=self.is_warped,
                    longer=self.longer(variant),
                    limit=limit,
                )
                n_begun = min(len(bounds), -(-(stop - first) // GROUP))
                found[first // GROUP :][:n_begun] = bounds[:n_begun]
            known = self._group_bounds[number] = limit, found
        return known[1]

    def spans(self, variant: Variant, projection: Projection) -> np.ndarray:
        """Where in a projection (N, 2) windows of a variant begin."""
        stop = min(projection.stop, projection.first + projection.poses.n_frames - variant.n_frames + 1)
        return self.places.spans(variant.n_frames, projection.first, stop) - projection.first

    def is_left_out(self, clips: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Which windows are the query's own place, or one that it is without, or too near to it."""
        out = np.zeros(len(clips), dtype=bool)
        for place in self.query.left_out:
            there = clips == self.index.features.number(place.clip_id)
            out |= there & (np.abs(starts - place.start) < self.least_onset)
        return out
