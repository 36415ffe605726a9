"""A query in a pose space: an example, and how to look for what is like it."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from motionary.errors import UsageError
from motionary.search.examples import Example
from motionary.search.wpca.characteristic import RARE, check_way

Scaling = Literal["none", "eigenvalues"]
Ranking = Literal["gist", "mean", "even", "robust"]
Mirrored = Literal["no", "only", "both"]
SECS_PER_POSE = 4.0  # of a query, unless it is said how many characteristic poses it has


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseQuery:
    """What is asked of a pose space; every number of frames is meant at the search rate.

    `pose` says how the characteristic pose is found: "rare", or far from the neutral pose "mean", "first", "last",
    "ends" or "origin". `frames` are the user's own instead, counted from the example's start. `factors` multiply the
    leading coordinates: 0 leaves one out. `ranking` says how near what was found is: by the gist of its poses, or by
    distances in the space, as Forbes & Fiume (2005) do: their mean, with a penalty on uneven time, robust.
    """

    example: Example
    pose: str = RARE
    frames: tuple[int, ...] = ()
    n_poses: int | None = None  # one for every 4 s begun
    neighbours: int = 2_000  # poses nearest to the characteristic one, from which warps set out
    dimensions: int = 16  # in which they are nearest
    warp_dimensions: int = 5
    scaling: Scaling = "none"
    factors: tuple[float, ...] = ()
    slack: float = 0.0  # above 0: neighbours are found faster, and not all
    gap_secs: float = 0.1  # between neighbouring frames of one run
    ranking: Ranking = "gist"
    mirrored: Mirrored = "both"
    k: int | None = 10
    within: float | None = None  # the largest mean, in its unit
    overlap: float = 0.2  # the share of the shorter that two matches may have in common
    with_itself: bool = False  # whether the query's own place may be a match

    def __post_init__(self) -> None:
        check_way(self.pose)
        for name, value, known in (
            ("scaling", self.scaling, get_args(Scaling)),
            ("ranking", self.ranking, get_args(Ranking)),
            ("mirrored", self.mirrored, get_args(Mirrored)),
        ):
            if value not in known:
                raise UsageError(f"{name} is {', '.join(known)}, not {value!r}")
        if self.k is None and self.within is None:
            raise UsageError("say how many matches are wanted (k), or how near they must be (within), or both")
        for words, number in (
            ("matches", self.k),
            ("characteristic poses", self.n_poses),
            ("neighbours", self.neighbours),
            ("dimensions", self.dimensions),
            ("dimensions of a warp", self.warp_dimensions),
        ):
            if number is not None and number < 1:
                raise UsageError(f"{number} {words} cannot be asked for; 1 or more")
        n_frames = self.example.n_frames
        if any(not 0 <= frame < n_frames for frame in self.frames):
            raise UsageError(
                f"characteristic frames are some of the query's {n_frames}, counted from 0, "
                f"not {', '.join(map(str, self.frames))}"
            )
        if not all(math.isfinite(factor) and factor >= 0 for factor in self.factors):
            raise UsageError("the factors of coordinates are numbers, 0 or more")
        if self.factors and not any(self.factors[: min(self.dimensions, self.warp_dimensions)]):
            raise UsageError("all factors are 0: nothing is compared")
        if not (0 <= self.slack < math.inf and 0 <= self.gap_secs < math.inf):
            raise UsageError("slack and the longest gap of a run are numbers, 0 or more")
        if self.within is not None and math.isnan(self.within):
            raise UsageError("the largest distance of a match must be a number")
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"matches may have a share from 0 to 1 in common, not {self.overlap}")

    def n_poses_at(self, rate_hz: float) -> int:
        """How many characteristic poses are looked for."""
        return self.n_poses or max(1, math.ceil(self.example.n_frames / rate_hz / SECS_PER_POSE - 1e-9))
