"""The searches that spread labels: each finds what is like a piece of an example, and knows how far is far."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from motionary.alignment import Match
from motionary.artefacts import Table
from motionary.library import LibraryFeatures
from motionary.search.exact import Index, Query, search
from motionary.search.examples import LibrarySegment
from motionary.search.gist_rows import CENTIMETRES, GIST, gist_rows, gist_size, gist_table
from motionary.search.spreading.strength import Curve
from motionary.search.wpca import PoseIndex, PoseQuery, PoseRows, search_poses

SAMPLED_POSES = 500  # of the library: as far as one of these is far
MOST_MATCHES = 150  # of one piece, on one side
OVERLAP = 0.5  # the share that two matches of a piece may have in common
NEIGHBOURS = 3_000

# Rounded means of what fits the sample library and CMU's captures best, from one labelled segment of each action
# (bench/spreading.py prints both).
EXACT_PRIOR = Curve(-3.5, 4.0)
POSE_PRIOR = Curve(-3.2, 4.4)


class Finder(Protocol):
    """A way to search the library for pieces of examples."""

    @property
    def features(self) -> LibraryFeatures: ...

    @property
    def prior(self) -> Curve:
        """Strength by relative distance, before any labelled segment has been seen."""
        ...

    def typical(self, piece: LibrarySegment) -> float:
        """How far poses of the library are from the piece in general: the median, in the unit of matches' means."""
        ...

    def matches(
        self, piece: LibrarySegment, *, within: float, mirrored: bool, clip_ids: Collection[int] | None
    ) -> tuple[Match, ...]:
        """What is as near to the piece, or to its mirror image, and not at its own place."""
        ...


@dataclass(frozen=True, eq=False)
class ExactFinder:
    """Finds windows of the piece's length that have its gist."""

    index: Index

    @property
    def features(self) -> LibraryFeatures:
        return self.index.features

    @property
    def prior(self) -> Curve:
        return EXACT_PRIOR

    def typical(self, piece: LibrarySegment) -> float:
        return _typical_gist(gist_rows(piece.rows(piece.n_frames)), self._sample)

    def matches(
        self, piece: LibrarySegment, *, within: float, mirrored: bool, clip_ids: Collection[int] | None
    ) -> tuple[Match, ...]:
        query = Query(
            example=piece,
            descriptions=(GIST,),
            mirrored="only" if mirrored else "no",
            k=MOST_MATCHES,
            within=within,
            onsets=1.0 - OVERLAP,
        )
        return search(self.index, query, clip_ids=clip_ids).matches

    @cached_property
    def _sample(self) -> np.ndarray:
        """Poses (S, D) from all over the library."""
        return _sampled(gist_table(self.features))


@dataclass(frozen=True, eq=False)
class PoseFinder:
    """Finds curves that are like the piece's in a pose space, and how near their gist is."""

    index: PoseIndex
    features: LibraryFeatures

    @property
    def prior(self) -> Curve:
        return POSE_PRIOR

    def typical(self, piece: LibrarySegment) -> float:
        rows = piece.rows(piece.n_frames)
        if self.index.gist_weights.any():
            return _typical_gist(gist_rows(rows), self._sample, self.index.gist_weights)
        n = PoseQuery(example=piece).warp_dimensions
        curve = self.index.space.project(PoseRows(rows["angles"], rows["root"]), n=n)
        squares = _squares(curve, _sampled(self.index.coordinates[:, :n]))
        return float(np.rad2deg(np.median(np.sqrt(squares).mean(axis=0))))

    def matches(
        self, piece: LibrarySegment, *, within: float, mirrored: bool, clip_ids: Collection[int] | None
    ) -> tuple[Match, ...]:
        if mirrored and self.index.space.is_one_sided:
            return ()  # the mirror image would be the piece's other hand
        query = PoseQuery(
            example=piece,
            mirrored="only" if mirrored else "no",
            k=MOST_MATCHES,
            within=within,
            overlap=OVERLAP,
            neighbours=NEIGHBOURS,
        )
        return search_poses(self.index, query, clip_ids=clip_ids).matches

    @cached_property
    def _sample(self) -> np.ndarray:
        """The gist (S, D) of poses from all over the library."""
        return _sampled(self.index.gist)


def _typical_gist(rows: np.ndarray, sample: np.ndarray, weights: np.ndarray | None = None) -> float:
    """The median over poses (S, D) of how far each is from all frames (n, D) of a piece, in cm."""
    weights = np.ones(rows.shape[1]) if weights is None else weights
    squares = _squares(rows * np.sqrt(weights), sample * np.sqrt(weights)) / gist_size(weights)
    return CENTIMETRES * float(np.median(np.sqrt(squares.mean(axis=0))))


def _squares(rows: np.ndarray, sample: np.ndarray) -> np.ndarray:
    """The squared distances (n, S) of poses (n, D) and (S, D)."""
    products = rows @ sample.T
    squares = (rows**2).sum(axis=1)[:, None] + (sample**2).sum(axis=1) - 2.0 * products
    return np.asarray(np.maximum(squares, 0.0))


def _sampled(rows: np.ndarray | Table) -> np.ndarray:
    """Some of the rows (F, D), from all over them, in double precision."""
    return np.asarray(rows[:: max(1, len(rows) // SAMPLED_POSES)], dtype=np.float64)
