"""A query: an example of what is looked for, and how to compare with it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Literal, get_args

from motionary.arguments import check_is, factors, integer, number, numbers, words
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.search.dimensions import Dimensions
from motionary.search.examples import Example, Place, check_example, check_playable

Distance = Literal["euclid", "dtw", "lcss"]
Mirrored = Literal["no", "only", "both"]
MOST_ONSETS = 1000.0  # times the query's length
LARGEST_WEIGHT = 1e9  # sums of weighted distances stay finite
WHOLE_WITHIN = 1e-9  # 0.8 · n is meant to be whole where it is nearly so


@dataclass(frozen=True, eq=False)
class Unlike:
    """A negative example: what a match must not be like, in some joints, and how much that counts.

    It is played to the query's length. In sums it counts with `-weight` times what its dimensions weigh; LCSS excludes
    what is within the tolerance of it.
    """

    example: Example
    joints: tuple[str, ...] = ()  # none: those of the query
    weight: float = 0.5  # below 1, what is far from both is far

    def __post_init__(self) -> None:
        check_example(self.example)
        weight = number(self.weight, "the weight of an example to be unlike")
        if not (math.isfinite(weight) and weight > 0):
            raise UsageError(f"an example to be unlike needs a weight above 0, not {self.weight}")
        check_playable(self.example)


@dataclass(frozen=True, eq=False, kw_only=True)
class Query:
    """An example, and what is asked about it; every number of frames is meant at the search rate.

    `joints` are joints, parts of the body (arms) or single dimensions; none: all. `weights` and `tolerances` belong to
    whatever is called so, descriptions too; where several fit, they multiply. `over_time` are weights too, spread
    evenly from the query's first frame to its last, in straight lines between; so are several windows.
    """

    example: Example
    unlike: tuple[Unlike, ...] = ()
    distance: Distance = "dtw"
    descriptions: tuple[str, ...] = ("gist",)
    joints: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)  # may be negative
    over_time: tuple[float, ...] = ()
    window: float | tuple[float, ...] = 0.1  # how far frames may move, as a share of the query
    tolerance: float = 0.5  # of LCSS, in standard deviations of each dimension within the query
    tolerances: Mapping[str, float] = field(default_factory=dict)  # times `tolerance`; < 0 excludes, ∞ does not care
    scale: float = 0.0  # the share by which a match may be longer or shorter
    mirrored: Mirrored = "both"
    k: int | None = 10
    within: float | None = None  # the largest mean, in its unit; of LCSS the largest distance
    onsets: float = 0.8  # least distance of the starts of two matches, as a share of the query
    with_itself: bool = False  # whether the query's own place may be a match
    without: tuple[Place, ...] = ()  # where there are no matches, nor so near that matches would be too near

    def __post_init__(self) -> None:
        self._take_as_meant()
        if self.distance not in get_args(Distance):
            raise UsageError(f"no distance is called {self.distance!r}; there are {', '.join(get_args(Distance))}")
        if self.mirrored not in get_args(Mirrored):
            raise UsageError(f"mirrored is {', '.join(get_args(Mirrored))}, not {self.mirrored!r}")
        known = descriptions()
        unknown = [name for name in self.descriptions if name not in known]
        if unknown or len(set(self.descriptions)) != len(self.descriptions) or not self.descriptions:
            raise UsageError(
                f"pose descriptions are some of {', '.join(known)}, each once, not {', '.join(self.descriptions)!r}"
            )
        self._check_words()
        if self.k is None and self.within is None:
            raise UsageError("say how many matches are wanted (k), or how near they must be (within), or both")
        if self.k is not None and self.k < 1:
            raise UsageError(f"{self.k} matches cannot be asked for; 1 or more")
        self._check_within()
        if not 0 <= self.scale < 1:
            raise UsageError(f"a match can be longer or shorter by a share from 0 to below 1, not by {self.scale}")
        if not (0 <= self.onsets <= MOST_ONSETS):
            raise UsageError(
                f"the least distance of onsets is a share of the query, from 0 to {MOST_ONSETS:g}, not {self.onsets:g}"
            )
        shares = self.window if isinstance(self.window, tuple) else (self.window,)
        if not shares or not all(0 <= share <= 1 for share in shares):
            raise UsageError(f"a window is a share of the query's length, from 0 to 1, not {self.window}")
        numbers = (*self.weights.values(), *self.over_time)
        if not all(abs(number) <= LARGEST_WEIGHT for number in numbers):
            raise UsageError(f"weights must lie between −{LARGEST_WEIGHT:g} and {LARGEST_WEIGHT:g}")
        if any(math.isnan(number) for number in (self.tolerance, *self.tolerances.values())):
            raise UsageError("a tolerance must be a number, or infinite where a dimension does not matter")

    @property
    def left_out(self) -> tuple[Place, ...]:
        """The places that no match is too near to: the query's own, and those it is without."""
        own = self.example.place
        return self.without if own is None or self.with_itself else (own, *self.without)

    def _take_as_meant(self) -> None:
        """Lists for tuples, one word for a list of one, any kind of number; raise where that says nothing."""
        check_example(self.example)
        taken: dict[str, object] = {
            "unlike": (self.unlike,) if isinstance(self.unlike, Unlike) else tuple(self.unlike),
            "without": (self.without,) if isinstance(self.without, Place) else tuple(self.without),
            "descriptions": words(self.descriptions, "descriptions"),
            "joints": words(self.joints, "joints"),
            "weights": factors(self.weights, "weights"),
            "over_time": numbers(self.over_time, "over_time"),
            "window": number(self.window, "window")
            if isinstance(self.window, Real)
            else numbers(self.window, "window"),
            "tolerance": number(self.tolerance, "tolerance"),
            "tolerances": factors(self.tolerances, "tolerances"),
            "scale": number(self.scale, "scale"),
            "k": None if self.k is None else integer(self.k, "k"),
            "within": None if self.within is None else number(self.within, "within"),
            "onsets": number(self.onsets, "onsets"),
        }
        for name, value in taken.items():
            object.__setattr__(self, name, value)
        for unlike in self.unlike:
            check_is(unlike, Unlike, called="an item of unlike", meant="an Unlike")
        for place in self.without:
            check_is(place, Place, called="an item of without", meant="a Place")

    def _check_words(self) -> None:
        """Raise if something is said of joints, parts or dimensions that are not compared."""
        dimensions = Dimensions.of(self.descriptions)
        for joints in (self.joints, *(unlike.joints for unlike in self.unlike)):
            dimensions.chosen(joints)
        for said in (self.weights, self.tolerances):
            dimensions.factors(said)

    def _check_within(self) -> None:
        """Raise if no match can be as near as is asked for."""
        if self.within is None:
            return
        if math.isnan(self.within):
            raise UsageError("the largest distance of a match must be a number")
        if self.distance == "lcss" and not 0 <= self.within <= 1:
            raise UsageError(f"distances of lcss are from 0 to 1, so that within {self.within:g} is nothing, or all")
        signed = self.unlike or min((*self.weights.values(), *self.over_time), default=0.0) < 0
        if self.within < 0 and not signed:
            raise UsageError(
                f"nothing can be within {self.within:g}: a mean is below 0 only with negative weights or examples"
            )

    def least_onset(self, n_frames: int) -> int:
        """How many frames at least lie between the starts of two matches in a clip; 1 if nothing else."""
        return max(1, math.ceil(self.onsets * n_frames - WHOLE_WITHIN))
