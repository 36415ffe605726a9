"""A query: an example of what is looked for, and how to compare with it."""

import math
from dataclasses import dataclass
from difflib import get_close_matches

from motionary.arguments import number, some
from motionary.errors import ArgumentError, UsageError
from motionary.features import descriptions
from motionary.search.dimensions import Dimensions
from motionary.search.examples import Example, Place, check_example, check_playable
from motionary.search.requests.exact import Distance, ExactOptions
from motionary.search.requests.search_request import Mirrored

__all__ = ["Distance", "Mirrored", "Query", "Unlike"]

UNLESS_TOLD = ("gist",)  # what a query compares that names no description
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
            raise UsageError(f"the weight of a counterexample must be above 0, not {self.weight}")
        check_playable(self.example)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Query(ExactOptions):
    """An example, and how to compare with it; every number of frames is meant at the search rate.

    `joints` are joints, parts of the body (arms) or single dimensions; none: all. `weights` and `tolerances` belong to
    whatever is called so, descriptions too; where several apply, they multiply. `over_time` are weights, too, spread
    evenly from the query's first frame to its last, linear in between; so are several windows.
    """

    example: Example
    unlike: tuple[Unlike, ...] = ()
    without: tuple[Place, ...] = ()  # where there are no matches, nor so near that matches would be too near
    reason: str = ""  # why these descriptions are compared; "" if they were asked for

    def __post_init__(self) -> None:
        super().__post_init__()
        check_example(self.example)
        object.__setattr__(self, "descriptions", self.descriptions or UNLESS_TOLD)
        object.__setattr__(self, "unlike", some(self.unlike, Unlike, called="unlike", meant="an Unlike"))
        object.__setattr__(self, "without", some(self.without, Place, called="without", meant="a Place"))
        known = descriptions()
        unknown = [name for name in self.descriptions if name not in known]
        if unknown:
            near = get_close_matches(unknown[0], list(known), n=1)
            meant = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
            raise UsageError(f"there is no pose description {unknown[0]!r}; {meant}")
        self._check_words()
        self._check_within()

    def __repr__(self) -> str:
        return f"Query({self.example.name}, {self.example.n_frames} frames, by {' and '.join(self.descriptions)})"

    @property
    def automatic(self) -> tuple[str, ...]:
        """Fields that nobody has asked for: another search chooses them anew."""
        return ("descriptions",) if self.reason else ()

    @property
    def left_out(self) -> tuple[Place, ...]:
        """The places that no match is too near to: the query's own, and those it is without."""
        own = self.example.place
        return self.without if own is None or self.with_itself else (own, *self.without)

    def _check_words(self) -> None:
        """Raise if something is said of joints, parts or dimensions that are not compared."""
        dimensions = Dimensions.of(self.descriptions)
        for joints in (self.joints, *(unlike.joints for unlike in self.unlike)):
            dimensions.chosen(joints)
        for said in (self.weights, self.tolerances):
            dimensions.factors(said)

    def _check_within(self) -> None:
        """Raise if no match can be as near as is asked for."""
        signed = self.unlike or min((*self.weights.values(), *self.over_time), default=0.0) < 0
        if self.within is not None and self.within < 0 and not signed:
            raise ArgumentError(
                "within", f"must not be negative: means below 0 need negative weights or examples, not {self.within:g}"
            )

    def least_onset(self, n_frames: int) -> int:
        """How many frames at least lie between the starts of two matches in a clip; 1 if nothing else."""
        return max(1, math.ceil(self.onsets * n_frames - WHOLE_WITHIN))
