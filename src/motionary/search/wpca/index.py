"""A library in a pose space: what a query is compared with."""

import hashlib
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from motionary.features import Rates
from motionary.library import LibraryFeatures
from motionary.search.gist_rows import gist_table, gist_weights
from motionary.search.wpca.characteristic import SAMPLED_FRAMES
from motionary.search.wpca.linear import PoseRows
from motionary.search.wpca.neighbours import LEAF_POINTS, PoseTree
from motionary.search.wpca.space import PoseSpace

VERSION = 1  # of what is kept beside a bank
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
    gist: np.ndarray  # (R, 72) float32: of all poses, as features have them
    gist_firsts: np.ndarray  # (C,) the first row of each clip there
    gist_weights: np.ndarray  # (72,) all 0 where the gist tells nothing of what counts in the space

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
    folder: Path | None = None,
) -> PoseIndex:
    """The library in that space, in so many leading components.

    `shares` say how much joints count where matches are measured by their gist, evenly unless given. In `folder`, if
    there is one, points and tree are kept for the next time, named by all that they come from.
    """
    firsts = np.concatenate([[0], np.cumsum(features.n_frames)]).astype(np.int64)
    kept = None if folder is None else _KeptArrays(folder, space, features, n_components)
    shape = int(firsts[-1]), n_components

    def project() -> np.ndarray:
        points = np.empty(shape, dtype=np.float32)
        for c, poses in enumerate(library_poses(features)):
            points[firsts[c] : firsts[c + 1]] = space.project(poses, n=n_components)
        return points

    coordinates = project() if kept is None else kept.array("points", shape, np.float32, project)
    if kept is None:
        tree = PoseTree.of(coordinates)
    else:
        numbers = kept.array("leaves", shape[:1], np.int32, lambda: PoseTree.of(coordinates).numbers)
        tree = PoseTree.of(coordinates, numbers=numbers)
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
    )


def library_digest(features: LibraryFeatures) -> str:
    """Of all poses of a library and their order."""
    digest = hashlib.blake2b(f"{VERSION} {features.rate_hz} ".encode(), digest_size=16)
    for clip, n_frames in zip(features.digests, features.n_frames.tolist(), strict=True):
        digest.update(f"{clip} {n_frames} ".encode())
    return digest.hexdigest()


class _KeptArrays:
    """Arrays in files that can be deleted at any time; those of the same space for another library are replaced."""

    def __init__(self, folder: Path, space: PoseSpace, features: LibraryFeatures, n_components: int) -> None:
        self._name = f"{library_digest(features)}-{n_components}-{LEAF_POINTS}"
        self._folder, self._space = folder, space.digest

    def array(
        self, kind: str, shape: tuple[int, ...], dtype: type[np.generic], build: Callable[[], np.ndarray]
    ) -> np.ndarray:
        """The array, from its file or built; where it cannot be kept it is used all the same."""
        path = self._folder / f"{self._space}-{kind}-{self._name}.npy"
        with suppress(OSError, ValueError, EOFError):
            found = np.load(path, mmap_mode="r", allow_pickle=False)
            if found.shape == shape and found.dtype == dtype:
                return np.asarray(found)
        built = np.ascontiguousarray(build(), dtype=dtype)
        part = path.with_name(f"{path.stem}.{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                np.save(file, built, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
            for old in self._folder.glob(f"{self._space}-{kind}-*.npy"):
                if old != path:
                    old.unlink(missing_ok=True)
        except OSError:
            with suppress(OSError):
                part.unlink()
        return built
