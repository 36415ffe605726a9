"""What a search in a pose space is asked."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from motionary.errors import ArgumentError, UsageError
from motionary.requests import Request, argument, option
from motionary.search.requests.search_request import (
    CLIPS,
    COMPARISON,
    LIMITS,
    Grouped,
    Mirrored,
    SearchRequest,
    check_limit,
)

Scaling = Literal["none", "eigenvalues"]
Ranking = Literal["gist", "mean", "even", "robust"]
RARE = "rare"


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseOptions(Request):
    """How a pose space is searched, and how many matches come back."""

    pose: str = argument(RARE)
    frames: tuple[int, ...] = argument(())
    n_poses: int | None = argument(None, at_least=1)  # one for every 4 s begun
    neighbours: int = option(
        2_000,
        help="Number of nearest poses to examine. More poses find more matches, but take longer.",
        group=COMPARISON,
        at_least=1,
    )
    dimensions: int = argument(16, at_least=1)  # in which they are nearest
    warp_dimensions: int = argument(5, at_least=1)
    scaling: Scaling = argument("none")
    factors: tuple[float, ...] = argument(())
    slack: float = argument(0.0, at_least=0)  # above 0: neighbours are found faster, and not all
    gap_secs: float = argument(0.1, at_least=0)  # between neighbouring frames of one run
    ranking: Ranking = option(
        "gist",
        help=(
            "Rank by distance of the gist features, or by distance in the pose space: its mean, its mean plus a "
            "penalty for uneven timing (even), or its mean without outliers (robust)."
        ),
        group=COMPARISON,
    )
    mirrored: Mirrored = option(
        "both",
        help="Also match mirror images: both, no or only.",
        flags=("--mirror",),
        group=COMPARISON,
        basic=True,
    )
    k: int | None = option(
        10,
        help="Maximum number of matches. Default: 10, or no limit with --within.",
        flags=("-k", "--limit"),
        group=LIMITS,
        basic=True,
        at_least=1,
        shown_default="",
    )
    within: float | None = option(None, help="Largest mean distance, in cm or degrees.", group=LIMITS, basic=True)
    overlap: float = argument(0.2, at_least=0, at_most=1)  # the share of the shorter that two matches have in common
    with_itself: bool = option(False, help="Also match the query itself.", group=CLIPS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self.k, self.within)
        if not all(math.isfinite(factor) and factor >= 0 for factor in self.factors):
            raise ArgumentError("factors", "must be numbers of at least 0")
        if self.factors and not any(self.factors[: min(self.dimensions, self.warp_dimensions)]):
            raise UsageError("all factors are 0, so nothing would be compared")
        if not (math.isfinite(self.slack) and math.isfinite(self.gap_secs)):
            raise UsageError("slack and gap_secs must be finite numbers")
        if self.within is not None and math.isnan(self.within):
            raise ArgumentError("within", "must be a number, not nan")


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseRequest(PoseOptions, Grouped, SearchRequest):
    """What a search in a pose space is asked."""

    space: Any = option(
        None,
        help="Trained pose space. By default, one of the whole body.",
        metavar="NAME",
        group=COMPARISON,
        basic=True,
    )
    character: str | None = option(
        None,
        help=(
            "Characteristic poses of the query: frames, as in 45 or 0.5s,2s; or rare, mean, first, last, ends or"
            " origin."
        ),
        metavar="FRAMES",
        group=COMPARISON,
        basic=True,
    )
