"""The gist of poses as rows of numbers, and how much each counts; what small libraries are searched by."""

from collections.abc import Mapping

import numpy as np

from motionary.artefacts import Table
from motionary.features import descriptions
from motionary.library import LibraryFeatures
from motionary.search.dimensions import Dimensions

GIST = "gist"
CENTIMETRES = 100.0  # in which its distances are told
LEAST_TOLD = 0.1  # of what all joints count together: with less, the gist tells nothing of what counts


def gist_table(features: LibraryFeatures) -> np.ndarray | Table:
    """The gist (rows, D) of all poses of a library, as features have it."""
    return features.arrays[GIST]


def gist_rows(rows: Mapping[str, np.ndarray], *, mirrored: bool = False) -> np.ndarray:
    """The gist (F, D) of poses with these features, as they are or left for right."""
    dimensions = Dimensions.of((GIST,))
    values = dimensions.side_by_side(rows)
    return dimensions.mirrored(values) if mirrored else values


def gist_weights(shares: Mapping[str, float] | None = None) -> np.ndarray:
    """The weights (D,) of dimensions, by the share that each joint (or whatever else) has in what counts.

    Without shares, all are 1. All are 0 where the gist hardly tells of what counts: it knows no spine and no neck.
    """
    parts = [dimension.part for dimension in descriptions()[GIST].dimensions]
    if shares is None:
        return np.ones(len(parts))
    if sum(shares[part] for part in set(parts)) < LEAST_TOLD * sum(shares.values()):
        return np.zeros(len(parts))
    weights = np.array([shares[part] for part in parts])
    return np.asarray(weights / weights.mean())


def gist_size(weights: np.ndarray) -> float:
    """How many lengths the weights (D,) make together: three dimensions are one."""
    return float(weights @ Dimensions.of((GIST,)).shares)
