"""The features of a motion: every pose description, at the search rate, on the reference skeleton."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import numpy as np

from motionary.errors import UsageError
from motionary.features.curves import curves
from motionary.features.descriptions import Description
from motionary.features.gist import gist
from motionary.features.joint_angles import joint_angles
from motionary.features.joint_positions import joint_positions
from motionary.features.learned import Network, learned
from motionary.features.poses import Poses
from motionary.features.qualities import qualities
from motionary.features.root import root
from motionary.motion import SEARCH_RATE_HZ, Motion, Rates, at_search_rate
from motionary.rig import Body, body_of


@cache
def descriptions() -> Mapping[str, Description]:
    """All pose descriptions, by name."""
    found = (joint_positions(), joint_angles(), root(), curves(), gist(), qualities(), learned())
    return MappingProxyType({description.name: description for description in found})


@cache
def computed_descriptions() -> Mapping[str, Description]:
    """Those that are computed from a motion alone: all but what is learned from a library."""
    return MappingProxyType({name: one for name, one in descriptions().items() if not one.needs_network})


@dataclass(frozen=True, eq=False)
class PoseFeatures:
    """What all descriptions say of a motion, frame by frame at the search rate."""

    arrays: Mapping[str, np.ndarray]  # (F, D) float32, by description
    rates: Rates

    @property
    def n_frames(self) -> int:
        """Frames at the search rate."""
        return len(next(iter(self.arrays.values())))

    def __getitem__(self, description: str) -> np.ndarray:
        if description not in self.arrays:
            raise UsageError(f"no description named {description!r}; choose from {', '.join(self.arrays)}")
        return self.arrays[description]

    def mirrored(self) -> "PoseFeatures":
        """The features of the motion seen in a mirror."""
        known = descriptions()
        return replace(self, arrays={name: known[name].mirrored(array) for name, array in self.arrays.items()})


def features_of(
    motion: Motion, body: Body | None = None, *, rate_hz: float = SEARCH_RATE_HZ, network: Network | None = None
) -> PoseFeatures:
    """The features of a motion; `body` is that of its skeleton, if it is known already.

    With the `network` of a library, they include the description that was learned from it.
    """
    body = body or body_of(motion.skeleton, motion=motion)
    resampled, rates = at_search_rate(motion, rate_hz=rate_hz)
    poses = Poses.of(resampled, body)
    arrays = {
        name: np.ascontiguousarray(description.compute(poses), dtype=np.float32)
        for name, description in computed_descriptions().items()
    }
    if network is not None:
        arrays["learned"] = network.rows(arrays, rate_hz=rate_hz)
    return PoseFeatures(arrays, rates)
