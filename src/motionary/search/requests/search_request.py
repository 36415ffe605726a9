"""What every search is asked: what to look for, and in which clips."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from motionary.errors import UsageError
from motionary.qualities import PROPERTIES, QUALITIES, read_condition
from motionary.requests import ClipFilter, Request, argument, option, request_from, settings_of

Mirrored = Literal["no", "only", "both"]
Per = Literal["match", "clip", "performer"]
QUERY = "Query"
COMPARISON = "Comparison"
CLIPS = "Clips to search"
LIMITS = "Number of matches"
CONDITIONS = (*PROPERTIES, *QUALITIES)
R = TypeVar("R", bound=Request)


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchRequest(ClipFilter):
    """A query, in whatever form it was given, and the clips to search."""

    query: Any = argument(help="A segment, a motion file, a motion, key poses, or the query of an earlier result.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Grouped(Request):
    """How many matches a clip or a performer may have, and how they must be done."""

    per: Per = option(
        "match",
        help="List all matches, or only the best of each clip or performer. Clips with the same skeleton count as "
        "one performer's.",
        group=LIMITS,
        basic=True,
    )
    where: tuple[str, ...] = option(
        (),
        help="Only matches with this property, as in 'turn > 60' (degrees to the left), 'speed < 1', 'airborne > 0.2', "
        "or with this Effort or Shape, as in 'time > 2'. Can be repeated. Without QUERY, list all such segments.",
        flags=("--where",),
        metavar="CONDITION",
        group=LIMITS,
        basic=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for text in self.where:
            read_condition(text, CONDITIONS)


def merged(request: type[R], query: Any, keywords: Mapping[str, Any], *, called: str, also: Sequence[str] = ()) -> R:
    """A request made from keywords. A request, or the query of an earlier result, brings its own options along, and
    keywords change them."""
    earlier: dict[str, Any] = {"query": query}
    for base in type(query).__mro__:
        if issubclass(base, Request) and issubclass(request, base):
            automatic = getattr(query, "automatic", ())
            earlier |= {one.name: getattr(query, one.name) for one in settings_of(base) if one.name not in automatic}
            break
    # An iterator can be read only once, and a request is read again
    given = {name: tuple(one) if isinstance(one, Iterator) else one for name, one in keywords.items()}
    return request_from(request, earlier | given, called=called, also=tuple(also))


def check_limit(k: int | None, within: float | None) -> None:
    """Raise if nothing limits the number of matches."""
    if k is None and within is None:
        raise UsageError("set a number of matches (k), a largest distance (within), or both")
