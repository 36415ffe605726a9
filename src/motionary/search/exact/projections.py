"""Projections: the poses of a library in fewer dimensions, in which no distance is larger than it is.

Every description that a query compares casts one: a few of its dimensions as they are, or its principal components.
Weights are not part of a projection. They come in with the query, as a quadratic form on it (`alignment.projections`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.alignment import DOUBLE, Poses, principal_basis, tight_projection

MOST_COMPONENTS = 24
SHARE = 0.95  # of the variance that components should have; fewer are cheaper, more leave fewer windows over
AS_THEY_ARE = 24  # dimensions: no more are compared as they are
TRAINING_ROWS = 50_000
CENTRE_ROWS = 5_000
WILD = 30.0  # times the usual distance from the centre; of bodies, 8 is the most there is
LEAST_WEIGHT = 1e-9  # of the largest
LANE_BLOCK = 8  # dimensions cost as much as the next multiple of it

Columns = tuple[tuple[str, np.ndarray], ...]  # descriptions with columns, side by side


@dataclass(frozen=True, eq=False)
class Basis:
    """Which numbers of a description make up a part of a projection: z = (x − mean) · directions."""

    mean: np.ndarray  # (D,) float32
    directions: np.ndarray | None  # (D, K) float64, orthonormal; None: the dimensions as they are

    @classmethod
    def trained(cls, values: np.ndarray, *, most: int = MOST_COMPONENTS) -> "Basis":
        """The principal components of a table (F, D): as many as have most of its variance, eight by eight."""
        rows = usual_rows(values)
        directions = principal_basis(rows, min(most, rows.shape[1]))
        mean = rows.mean(axis=0)
        shares = np.cumsum((((rows - mean) @ directions) ** 2).sum(axis=0)) / max(((rows - mean) ** 2).sum(), 1e-300)
        enough = int(np.searchsorted(shares, SHARE)) + 1
        return cls(mean.astype(np.float32), directions[:, : -(-enough // LANE_BLOCK) * LANE_BLOCK])

    @classmethod
    def plain(cls, values: np.ndarray) -> "Basis":
        """The dimensions as they are, but for their mean, without which single precision says more."""
        return cls(usual_rows(values).mean(axis=0).astype(np.float32), None)

    @property
    def n_dimensions(self) -> int:
        return len(self.mean) if self.directions is None else self.directions.shape[1]

    def projection(self, values: np.ndarray) -> np.ndarray:
        """z (F, K) float32 of a table (F, D): rounded once, so that each number is off by its own share only."""
        if self.directions is None:
            return values - self.mean
        return self.exact(values).astype(np.float32)

    def exact(self, values: np.ndarray) -> np.ndarray:
        """z (F, K) float64."""
        centred = values.astype(np.float64) - self.mean
        return centred if self.directions is None else centred @ self.directions

    def rounding(self, values: np.ndarray) -> float:
        """How far off in all the z of any row of a table can be, before it is rounded to single precision."""
        if self.directions is None or len(values) == 0:
            return 0.0
        sizes = np.maximum(values.max(axis=0) - self.mean, self.mean - values.min(axis=0)).astype(np.float64)
        return float(4.0 * (len(self.mean) + 4) * DOUBLE * np.sqrt((sizes**2).sum() * max(1, self.n_dimensions)))

    def root(self, weights: np.ndarray) -> np.ndarray:
        """R with |R z|² ≤ Σ w x² for all x, as near as z allows; (K,), the squares of a diagonal one, where it is."""
        if self.directions is None:
            return weights
        if (weights == weights[0]).all():
            return np.full(self.n_dimensions, weights[0])
        # Next to nothing is taken for nothing: less is a bound too, and what weighs a billionth cannot be computed with
        weights = np.where(weights < LEAST_WEIGHT * weights.max(), 0.0, weights)
        return (self.directions.T @ tight_projection(self.directions, weights)).T


@dataclass(frozen=True, eq=False)
class Projection:
    """Some rows of a library in the dimensions of a few bases, one for each of a query's descriptions."""

    poses: Poses
    first: int  # the library's row that is the first here
    stop: int  # windows begin before this row of the library; what is behind it is there for their ends
    bases: tuple[Basis, ...]
    error: float  # how far off the poses can be in all, but for rounding to single precision

    @property
    def n_bytes(self) -> int:
        return self.poses.n_bytes

    def packed(self) -> "Projection":
        """The same in fewer bytes, where that loosens bounds by next to nothing."""
        poses, error = self.poses.packed()
        return replace(self, poses=poses, error=self.error + error)

    def query(self, blocks: Sequence[np.ndarray]) -> np.ndarray:
        """A query (n, K) in the same dimensions, from its rows (n, D) of every description."""
        return np.concatenate([basis.exact(rows) for basis, rows in zip(self.bases, blocks, strict=True)], axis=1)

    def form(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        """What the weights (D,) of every description come to here: squares (K,) of a diagonal form, or a root."""
        forms = [basis.root(part) for basis, part in zip(self.bases, weights, strict=True)]
        if all(form.ndim == 1 for form in forms):
            return np.concatenate(forms)
        roots = [np.diag(np.sqrt(form)) if form.ndim == 1 else form for form in forms]
        whole = np.zeros((sum(len(root) for root in roots), sum(root.shape[1] for root in roots)))
        row = column = 0
        for root in roots:
            whole[row : row + len(root), column : column + root.shape[1]] = root
            row, column = row + len(root), column + root.shape[1]
        return whole


def usual_rows(values: np.ndarray) -> np.ndarray:
    """Some rows (N, D) float64 of a table, without those so far from all others that they are no bodies.

    A few spikes would have most of the variance, and principal components would tell nothing but them.
    """
    rows = values[:: max(1, len(values) // TRAINING_ROWS)].astype(np.float64)
    centre = np.median(rows[:: max(1, len(rows) // CENTRE_ROWS)], axis=0)
    squares = ((rows - centre) ** 2).sum(axis=1)
    usual = squares <= WILD**2 * np.median(squares)
    return rows if usual.all() or not usual.any() else rows[usual]


def blocks_of(columns: Columns, table: np.ndarray) -> list[np.ndarray]:
    """A table (n, D), or weights (D,), taken apart by descriptions."""
    edges = np.cumsum([len(part) for _, part in columns])[:-1]
    return np.split(table, edges, axis=-1)
