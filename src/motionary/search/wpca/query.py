"""A query in a pose space: an example, and how to look for what is like it."""

import math
from dataclasses import dataclass

from motionary.errors import UsageError
from motionary.search.examples import Example
from motionary.search.requests.wpca import PoseOptions
from motionary.search.wpca.characteristic import check_way

SECS_PER_POSE = 4.0  # of a query, unless it is said how many characteristic poses it has


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseQuery(PoseOptions):
    """What is asked of a pose space; every number of frames is meant at the search rate.

    `pose` says how the characteristic pose is found: "rare", or far from the neutral pose "mean", "first", "last",
    "ends" or "origin". `frames` are the user's own instead, counted from the example's start. `factors` multiply the
    leading coordinates: 0 leaves one out. `ranking` says how near matches are: by the gist of its poses, or by
    distances in the space, as Forbes & Fiume (2005) do: their mean, with a penalty on uneven time, robust.
    """

    example: Example

    def __post_init__(self) -> None:
        super().__post_init__()
        check_way(self.pose)
        n_frames = self.example.n_frames
        if any(not 0 <= frame < n_frames for frame in self.frames):
            raise UsageError(
                f"characteristic frames must be between 0 and {n_frames - 1}, counted from the query's start, "
                f"not {', '.join(map(str, self.frames))}"
            )

    def n_poses_at(self, rate_hz: float) -> int:
        """How many characteristic poses are looked for."""
        return self.n_poses or max(1, math.ceil(self.example.n_frames / rate_hz / SECS_PER_POSE - 1e-9))
