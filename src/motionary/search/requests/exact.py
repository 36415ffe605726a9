"""What exact search is asked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from motionary.errors import ArgumentError, UsageError
from motionary.requests import (
    FACTORS,
    NAMES,
    NUMBERS,
    PERCENT,
    PERCENTS,
    REPEATED_NAMES,
    TEXTS,
    Request,
    argument,
    option,
)
from motionary.search.requests.parts import PART_AND_QUERY, PARTS_AND_QUERY
from motionary.search.requests.search_request import (
    CLIPS,
    COMPARISON,
    LIMITS,
    QUERY,
    Grouped,
    Mirrored,
    SearchRequest,
    check_limit,
)

Distance = Literal["dtw", "euclid", "lcss"]
Combine = Literal["any", "all"]
LARGEST_WEIGHT = 1e60  # sums of weighted distances stay finite


@dataclass(frozen=True, eq=False, kw_only=True)
class ExactOptions(Request):
    """How exact search compares, and how many matches it lists."""

    distance: Distance = option(
        "dtw",
        help="dtw: time-warped; euclid: frame by frame; lcss: longest common subsequence.",
        group=COMPARISON,
    )
    descriptions: tuple[str, ...] = option(
        (),
        help="Features to compare: gist, learned, positions, angles, root, curves or qualities. Can be repeated. "
        "Default: learned if the library is large enough and the options allow it, otherwise gist.",
        flags=("--description", "-d"),
        form=REPEATED_NAMES,
        group=COMPARISON,
        shown_default="",
    )
    joints: tuple[str, ...] = option(
        (),
        help="Compare only these joints or body parts, as in arms,Head.",
        form=NAMES,
        metavar="PARTS",
        group=COMPARISON,
        basic=True,
    )
    weights: Mapping[str, float] = option(
        {},
        help="Weight of a joint, body part, dimension or description; may be negative. Can be repeated.",
        flags=("--weight",),
        form=FACTORS,
        metavar="PART=NUMBER",
        group=COMPARISON,
    )
    over_time: tuple[float, ...] = option(
        (), help="Weights over the time of the query: 1,3,1 stresses its middle.", form=NUMBERS, group=COMPARISON
    )
    window: float | tuple[float, ...] = option(
        0.1,
        help="Largest time shift of a frame, in percent of the query's length. 5,20,5 varies along the query.",
        form=PERCENTS,
        group=COMPARISON,
        at_least=0,
        at_most=1,
    )
    tolerance: float = option(
        0.5,
        help="For lcss: how far a dimension may deviate, in standard deviations.",
        group=COMPARISON,
    )
    tolerances: Mapping[str, float] = option(
        {},
        help="For lcss: multiply --tolerance for a body part; inf ignores the part, a negative number never matches. "
        "Can be repeated.",
        flags=("--tolerance-of",),
        form=FACTORS,
        metavar="PART=NUMBER",
        group=COMPARISON,
    )
    scale: float = option(
        0.0,
        help="How much longer or shorter than the query a match can be, in percent.",
        form=PERCENT,
        group=COMPARISON,
        basic=True,
        at_least=0,
        at_most=1,
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
    within: float | None = option(
        None,
        help="Largest mean distance, in cm, degrees (-d angles) or percent (-d learned). For lcss: 0 to 1.",
        group=LIMITS,
        basic=True,
    )
    onsets: float = option(
        0.8,
        help="Minimum spacing between match starts, in percent of the query's length.",
        form=PERCENT,
        group=LIMITS,
        at_least=0,
        at_most=1000,
    )
    expand: int | None = option(
        None,
        help="Search a second time, with the mean of the query and this many of its best matches. 0: do not. "
        "Default: 5 if learned is compared by default, otherwise 0.",
        group=COMPARISON,
        at_least=0,
        at_most=100,
        shown_default="",
    )
    with_itself: bool = option(False, help="Also match the query itself.", group=CLIPS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self.k, self.within)
        if self.scale >= 1:
            raise ArgumentError("scale", "must be below 1 (100 %)")
        if len(set(self.descriptions)) != len(self.descriptions):
            raise ArgumentError("descriptions", "must name descriptions, each only once")
        if isinstance(self.window, tuple) and not self.window:
            raise ArgumentError("window", "must contain at least one number")
        for number in (*self.weights.values(), *self.over_time):
            if not abs(number) <= LARGEST_WEIGHT:
                raise UsageError(f"weights must be between −{LARGEST_WEIGHT:g} and {LARGEST_WEIGHT:g}, not {number:g}")
        if any(math.isnan(number) for number in (self.tolerance, *self.tolerances.values())):
            raise UsageError("a tolerance must be a number; inf ignores a dimension")
        if self.within is not None and math.isnan(self.within):
            raise ArgumentError("within", "must be a number, not nan")
        if self.within is not None and self.distance == "lcss" and not 0 <= self.within <= 1:
            raise ArgumentError("within", f"must be between 0 and 1 for lcss, not {self.within:g}")


@dataclass(frozen=True, eq=False, kw_only=True)
class ExactRequest(ExactOptions, Grouped, SearchRequest):
    """What exact search is asked: the nearest of all segments."""

    sources: Any = option(
        (),
        help="Take body parts of the query from another segment or file, as in arms=wave:0-60. Can be repeated.",
        flags=("--from",),
        form=PART_AND_QUERY,
        group=QUERY,
    )
    also: Any = option(
        (),
        help="Another example, written like QUERY. Can be repeated.",
        form=TEXTS,
        metavar="QUERY",
        group=QUERY,
        basic=True,
    )
    combine: Combine = option(
        "any",
        help="For several examples: rank by the nearest of them (any), or by their mean (all).",
        group=QUERY,
    )
    unlike: Any = option(
        (),
        help=("Counterexample: rank segments similar to it lower, for the whole body or these parts. Can be repeated."),
        form=PARTS_AND_QUERY,
        group=QUERY,
    )
    unlike_weight: float = option(0.5, help="Weight of --unlike relative to the query.", group=QUERY, at_least=0)
    steps: int = option(
        1,
        help="2: also list the matches of matches; 3: theirs too, and so on. Finds variants that only motions in "
        "between connect with the query.",
        group=LIMITS,
        at_least=1,
    )
    at_least: int | None = option(
        None,
        help="Widen --window until this many matches lie --within the limit.",
        group=LIMITS,
        at_least=1,
    )
    profile: Any = argument(None, help="A Profile, its name in the bank, or its file.")
    without: Any = argument((), help="Matches or segments whose places are left out.")
