"""A library in a pose space: what a query is compared with."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.artefacts import ArtefactStore, Content, Job, Kind, Table
from motionary.features import Rates
from motionary.library import LibraryFeatures
from motionary.search.gist_rows import gist_table, gist_weights
from motionary.search.wpca.characteristic import SAMPLED_FRAMES
from motionary.search.wpca.linear import PoseRows
from motionary.search.wpca.neighbours import LEAF_POINTS, PoseTree
from motionary.search.wpca.space import PoseSpace

POINTS = Kind("pose-points", version=2, title="the points of a pose space")
LEAST_COMPONENTS = 16  # that are kept, however few are asked for


@dataclass(frozen=True, eq=False)
class PoseIndex:
    """All poses of a library as points of a space, clip after clip, and the tree that finds the nearest."""

    space: PoseSpace
    coordinates: np.ndarray  # (F, n) float32, the leading components
    tree: PoseTree  # of the coordinates
    clip_ids: np.ndarray  # (C,) ascending
    firsts: np.ndarray  # (C + 1,) the first row of each clip, and the end
    rates: tuple[Rates, ...]  # of every clip
    rate_hz: float
    gist: np.ndarray | Table  # (R, 72) float32: of all poses, as features have them
    gist_firsts: np.ndarray  # (C,) the first row of each clip there
    gist_weights: np.ndarray  # (72,) all 0 where the gist tells nothing of what counts in the space
    digests: tuple[str, ...] = ()  # of every clip: what its features were built from

    @property
    def n_frames(self) -> int:
        return len(self.coordinates)

    @property
    def n_components(self) -> int:
        return int(self.coordinates.shape[1])

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
    shares: Mapping[str, float] | None = None,
    store: ArtefactStore | None = None,
    key: str = "library",
) -> PoseIndex:
    """The library in that space, in so many leading components.

    `shares` say how much joints count where matches are measured by their gist, evenly unless given. In the
    `store`, if there is one, points and tree are kept under a key, which is one space's.
    """
    firsts = np.concatenate([[0], np.cumsum(features.n_frames)]).astype(np.int64)
    shape = int(firsts[-1]), n_components

    def build() -> Content:
        points = np.empty(shape, dtype=np.float32)
        for c, poses in enumerate(library_poses(features)):
            points[firsts[c] : firsts[c + 1]] = space.project(poses, n=n_components)
        return Content({"points": points, "leaves": PoseTree.of(points).numbers})

    if store is None:
        arrays = build().tables
    else:
        inputs = [space.digest, library_digest(features), n_components, LEAF_POINTS]
        artefact = store.get(Job(POINTS, key, inputs, build))
        arrays = {name: artefact.array(name) for name in ("points", "leaves")}
    coordinates = arrays["points"]
    tree = PoseTree.of(coordinates, numbers=arrays["leaves"])
    return PoseIndex(
        space,
        coordinates,
        tree,
        features.clip_ids,
        firsts,
        features.rates,
        features.rate_hz,
        gist_table(features),
        features.starts,
        gist_weights(shares),
        features.digests,
    )


def library_digest(features: LibraryFeatures) -> str:
    """Of all poses of a library and their order."""
    digest = hashlib.blake2b(f"{features.rate_hz} ".encode(), digest_size=16)
    for clip, n_frames in zip(features.digests, features.n_frames.tolist(), strict=True):
        digest.update(f"{clip} {n_frames} ".encode())
    return digest.hexdigest()
