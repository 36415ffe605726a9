"""A library in a pose space: what a query is compared with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.features import LibraryFeatures, Rates
from motionary.search.wpca.characteristic import SAMPLED_FRAMES
from motionary.search.wpca.linear import PoseRows
from motionary.search.wpca.neighbours import PoseTree
from motionary.search.wpca.space import PoseSpace

LEAST_COMPONENTS = 16  # that are kept, however few are asked for


@dataclass(frozen=True, eq=False)
class PoseIndex:
    """All poses of a library as points of a space, clip after clip, and the tree that finds the nearest."""

    space: PoseSpace
    coordinates: np.ndarray  # (F, n) float32, the leading components
    clip_ids: np.ndarray  # (C,) ascending
    firsts: np.ndarray  # (C + 1,) the first row of each clip, and the end
    rates: tuple[Rates, ...]  # of every clip
    rate_hz: float

    @property
    def n_frames(self) -> int:
        return len(self.coordinates)

    @property
    def n_components(self) -> int:
        return int(self.coordinates.shape[1])

    @cached_property
    def tree(self) -> PoseTree:
        return PoseTree.of(self.coordinates)

    @cached_property
    def sample(self) -> np.ndarray:
        """Poses (S, n) from all over the library."""
        step = max(1, -(-self.n_frames // SAMPLED_FRAMES))
        return self.coordinates[::step].astype(np.float64)

    def clips_of(self, rows: np.ndarray) -> np.ndarray:
        """Which of the clips (N,) rows belong to."""
        return np.searchsorted(self.firsts, rows, side="right") - 1

    def allowed(self, clip_ids: Collection[int]) -> np.ndarray:
        """Which rows (F,) belong to these clips."""
        chosen = np.isin(self.clip_ids, np.array(sorted(clip_ids), dtype=np.int64))
        return np.repeat(chosen, np.diff(self.firsts))


def library_poses(features: LibraryFeatures, clips: Sequence[int] | None = None) -> list[PoseRows]:
    """The poses of each clip of a library, by their numbers (all)."""
    chosen = range(features.n_clips) if clips is None else clips
    spans = [slice(int(features.starts[c]), int(features.starts[c] + features.n_frames[c])) for c in chosen]
    return [PoseRows(features.arrays["angles"][rows], features.arrays["root"][rows]) for rows in spans]


def build_pose_index(
    features: LibraryFeatures,
    space: PoseSpace,
    *,
    n_components: int = LEAST_COMPONENTS,
    coordinates: np.ndarray | None = None,
) -> PoseIndex:
    """The library in that space; `coordinates` if they are known already."""
    firsts = np.concatenate([[0], np.cumsum(features.n_frames)]).astype(np.int64)
    if coordinates is None:
        coordinates = np.empty((int(firsts[-1]), n_components), dtype=np.float32)
        for c, poses in enumerate(library_poses(features)):
            coordinates[firsts[c] : firsts[c + 1]] = space.project(poses, n=n_components)
    if len(coordinates) != firsts[-1]:
        raise UsageError(f"{len(coordinates)} points do not fit a library of {firsts[-1]} frames")
    return PoseIndex(space, coordinates, features.clip_ids, firsts, features.rates, features.rate_hz)
