"""A weighted pose space: poses as points, near where bodies look alike, in as many dimensions as one likes."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Motion
from motionary.search.wpca.linear import PoseRows, columns, mean_rotations, motion_of, n_columns

VERSION = 1  # of what is stored
ARRAYS = ("means", "centre", "weights", "basis", "variances")
CHUNK_FRAMES = 16_384  # of which the columns are in memory at once


@dataclass(frozen=True, eq=False, repr=False)
class PoseSpace:
    """Principal components of weighted poses (Forbes & Fiume 2005).

    With weights per column only, the optimum that they reach by expectation maximisation is the eigenvectors of the
    covariance of the columns times the roots of their weights. The distance of two points in all components is the
    weighted distance of the poses: the root of the mean square turn of a joint, in radians.
    """

    means: np.ndarray  # (J, 4) the mean rotation of each joint
    centre: np.ndarray  # (D,) the mean of the columns
    weights: np.ndarray  # (D,) of the columns, all above 0
    basis: np.ndarray  # (D, D) rows are components, orthonormal, the one with most variance first
    variances: np.ndarray  # (D,) along the components, descending
    n_frames: int  # that it was trained on

    def __repr__(self) -> str:
        return f"PoseSpace({len(self.centre)} columns, trained on {self.n_frames} frames)"

    def __post_init__(self) -> None:
        for name in ARRAYS:
            array = np.array(getattr(self, name), dtype=np.float64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        n = n_columns()
        if self.means.shape != ((n - 4) // 3, 4) or self.basis.shape != (n, n):
            raise UsageError("a pose space does not fit the reference skeleton; train it again")
        if not (self.centre.shape == self.weights.shape == self.variances.shape == (n,)):
            raise UsageError("a pose space does not fit the reference skeleton; train it again")
        if not (self.weights > 0).all():
            raise UsageError("every weight of a pose space must be above 0, or poses could not be mapped back")

    @property
    def n_components(self) -> int:
        return len(self.variances)

    @cached_property
    def digest(self) -> str:
        """Of all numbers: what is computed from a space is known by it."""
        content = hashlib.blake2b(digest_size=16)
        for name in ARRAYS:
            content.update(getattr(self, name).tobytes())
        return content.hexdigest()

    @cached_property
    def is_one_sided(self) -> bool:
        """Whether left and right do not count alike."""
        other_side = descriptions()["angles"].mirror_columns
        return not np.allclose(self.weights[: len(other_side)], self.weights[other_side], rtol=1e-6)

    @property
    def shares(self) -> np.ndarray:
        """The share (D,) of the variance that each component has."""
        total = self.variances.sum()
        return self.variances / total if total > 0 else np.zeros_like(self.variances)

    def components_for(self, share: float) -> int:
        """How many leading components it takes to hold that share of the variance."""
        if not 0 < share <= 1:
            raise UsageError(f"the share of the variance must be above 0 and at most 1, not {share}")
        held = np.cumsum(self.shares)
        return min(int(np.searchsorted(held, share - 1e-12)) + 1, self.n_components)

    def scales(self, scaling: str, n: int) -> np.ndarray:
        """The factors (n,) of leading coordinates: 1, or ("eigenvalues") their variances relative to the first."""
        if not 1 <= n <= self.n_components:
            raise UsageError(f"the number of components must be between 1 and {self.n_components}, not {n}")
        if scaling == "none":
            return np.ones(n)
        if scaling == "eigenvalues":
            first = self.variances[0]
            return self.variances[:n] / first if first > 0 else np.ones(n)
        raise UsageError(f"scaling must be none or eigenvalues, not {scaling!r}")

    def project(self, poses: PoseRows, *, n: int | None = None) -> np.ndarray:
        """The first n (all) coordinates (F, n) of poses."""
        leading = self.basis[:n] * np.sqrt(self.weights)
        found = np.empty((poses.n_frames, len(leading)))
        for first in range(0, poses.n_frames, CHUNK_FRAMES):
            some = slice(first, first + CHUNK_FRAMES)
            found[some] = (columns(poses[some], self.means) - self.centre) @ leading.T
        return found

    def columns_at(self, coordinates: np.ndarray) -> np.ndarray:
        """The columns (F, D) of the poses at points (F, n); components that are left out are 0.

        With all components, the inverse of `project`.
        """
        coordinates = np.asarray(coordinates, dtype=np.float64)
        return np.asarray(self.centre + coordinates @ self.basis[: coordinates.shape[1]] / np.sqrt(self.weights))

    def motion(
        self,
        coordinates: np.ndarray,
        *,
        frame_time: float,
        headings: np.ndarray | None = None,
        places: np.ndarray | None = None,
    ) -> Motion:
        """The motion of the reference skeleton along a curve (F, n) in the space."""
        return motion_of(
            self.columns_at(coordinates), self.means, frame_time=frame_time, headings=headings, places=places
        )

    def as_json(self) -> dict[str, Any]:
        """All numbers, to the last bit."""
        return {
            "version": VERSION,
            "n_frames": self.n_frames,
            **{name: getattr(self, name).tolist() for name in ARRAYS},
        }

    @classmethod
    def from_json(cls, content: dict[str, Any] | str) -> "PoseSpace":
        content = json.loads(content) if isinstance(content, str) else content
        if content.get("version") != VERSION:
            raise UsageError("the pose space has another version; train it again")
        arrays = {name: np.array(content[name], dtype=np.float64) for name in ARRAYS}
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise UsageError("the pose space contains numbers that are not finite; train it again")
        return cls(n_frames=int(content["n_frames"]), **arrays)


def train_space(clips: Sequence[PoseRows], weights: np.ndarray) -> PoseSpace:
    """The space of the poses of all clips together, with these weights (D,) of the columns."""
    n_frames = sum(clip.n_frames for clip in clips)
    if n_frames == 0:
        raise UsageError("a pose space needs at least one pose to be trained on")
    weights = np.asarray(weights, dtype=np.float64)
    pieces = list(_pieces(clips))
    means = mean_rotations([clip.angles for piece in pieces for clip in piece])
    sums, products = np.zeros(n_columns()), np.zeros((n_columns(), n_columns()))
    # Sums about a pose that is there, not about 0: the square of a large mean would swallow small variances
    origin = columns(pieces[0][0][:1], means)[0]
    for piece in pieces:
        values = np.concatenate([columns(clip, means) for clip in piece]) - origin
        sums += values.sum(axis=0)
        products += values.T @ values
    mean = sums / n_frames
    roots = np.sqrt(weights)
    covariance = (products / n_frames - np.outer(mean, mean)) * np.outer(roots, roots)
    variances, vectors = np.linalg.eigh(covariance)
    basis = vectors.T[::-1]
    largest = np.argmax(np.abs(basis), axis=1)  # of each component, the entry that decides its sign
    basis = basis * np.sign(basis[np.arange(len(basis)), largest])[:, None]
    return PoseSpace(means, origin + mean, weights, basis, np.maximum(variances[::-1], 0.0), n_frames)


def _pieces(clips: Sequence[PoseRows]) -> Iterator[list[PoseRows]]:
    """The poses in lists of about as many frames as are worked on at once; long clips are cut."""
    piece: list[PoseRows] = []
    n_frames = 0
    for clip in clips:
        for first in range(0, clip.n_frames, CHUNK_FRAMES):
            piece.append(clip[first : first + CHUNK_FRAMES])
            n_frames += piece[-1].n_frames
            if n_frames >= CHUNK_FRAMES:
                yield piece
                piece, n_frames = [], 0
    if piece:
        yield piece
