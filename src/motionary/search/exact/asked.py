"""A query that is being answered: its versions, and where it is looked for."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from motionary.search.exact.bounding import Bounds, Weighting
from motionary.search.exact.index import Index
from motionary.search.exact.places import Places
from motionary.search.exact.query import Query
from motionary.search.exact.shadows import Shadow
from motionary.search.exact.versions import Comparison, Version


@dataclass(frozen=True, eq=False)
class Asked:
    """A query, and where it is looked for."""

    index: Index
    comparison: Comparison
    versions: list[Version]
    weightings: list[Weighting]
    places: Places
    _bounds: dict[int, tuple[Shadow, Bounds]] = field(default_factory=dict)

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
        """The numbers of the versions that are as long as the query is."""
        n_frames = self.comparison.n_frames
        return [number for number, version in enumerate(self.versions) if version.n_frames == n_frames]

    @property
    def least_onset(self) -> int:
        return self.query.least_onset(self.comparison.n_frames)

    def longer(self, version: Version) -> float:
        """What a sum of a version is multiplied with."""
        return self.comparison.n_frames / version.n_frames

    def shadows(self, numbers: list[int], *, plain: bool) -> Iterator[tuple[int, Shadow]]:
        """Versions, each with all shadows that it has to be compared with; the same shadow for all that can share it,
        one after the other, so that a large library is gone through once."""
        alike: dict[object, list[int]] = {}
        for number in numbers:
            columns = tuple((name, part.tobytes()) for name, part in self.versions[number].columns)
            alike.setdefault(columns, []).append(number)
        for some in alike.values():
            longest = max(self.versions[number].n_frames for number in some)
            columns_of_all, wanted = self.versions[some[0]].columns, self.places.any_in
            for shadow in self.index.shadows(columns_of_all, longest, plain=plain, wanted=wanted):
                for number in some:
                    yield number, shadow

    def bounds(self, number: int, shadow: Shadow) -> Bounds:
        """One version against a shadow; those of the last shadow are kept."""
        known = self._bounds.get(number)
        if known is not None and known[0] is shadow:
            return known[1]
        for other in [other for other, (seen, _) in self._bounds.items() if seen is not shadow]:
            del self._bounds[other]
        version = self.versions[number]
        bounds = Bounds.of(version, self.weightings[number], shadow, warped=self.is_warped, longer=self.longer(version))
        self._bounds[number] = (shadow, bounds)
        return bounds

    def spans(self, version: Version, shadow: Shadow) -> np.ndarray:
        """Where in a shadow (N, 2) windows of a version begin."""
        stop = min(shadow.stop, shadow.first + shadow.poses.n_frames - version.n_frames + 1)
        return self.places.spans(version.n_frames, shadow.first, stop) - shadow.first

    def is_left_out(self, clips: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Which windows are the query's own place, or one that it is without, or too near to it."""
        out = np.zeros(len(clips), dtype=bool)
        for place in self.query.left_out:
            there = clips == self.index.features.number(place.clip_id)
            out |= there & (np.abs(starts - place.start) < self.least_onset)
        return out
