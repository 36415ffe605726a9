"""What a search through a match web is asked."""

from dataclasses import dataclass
from typing import Any

from motionary.requests import TEXTS, argument, option
from motionary.search.requests.search_request import CLIPS, COMPARISON, LIMITS, SearchRequest


@dataclass(frozen=True, eq=False, kw_only=True)
class WebRequest(SearchRequest):
    """What a search through a match web is asked."""

    epsilon_cm: float | None = option(
        None,
        help="Largest mean frame distance of one step. By default, estimated from the query's direct matches.",
        flags=("--epsilon",),
        metavar="CM",
        group=LIMITS,
        basic=True,
        at_least=0,
        at_most=10_000,
    )
    within: float | None = option(
        None,
        help="Largest distance of a match: the sum of the steps that lead to it, in cm. Without --epsilon, it "
        "also limits each step.",
        metavar="CM",
        group=LIMITS,
        basic=True,
        at_least=0,
        at_most=10_000,
    )
    steps: int | None = option(
        None,
        help="How many times matches become queries in turn. By default, until nothing new is found.",
        group=LIMITS,
        basic=True,
        at_least=1,
    )
    k: int | None = option(
        None,
        help="Maximum number of matches. Default: 100.",
        flags=("-k", "--limit"),
        group=LIMITS,
        basic=True,
        at_least=1,
        shown_default="",
    )
    rejected: Any = option(
        (),
        help="Do not follow this match any further; @NAME:RANKS for several. Can be repeated.",
        form=TEXTS,
        metavar="CLIP:START-STOP",
        group=CLIPS,
    )
    web: str | None = option(
        None,
        help="Match web, named as in `web info`. By default, the one built last.",
        metavar="NAME",
        group=COMPARISON,
        basic=True,
    )
    merging: Any = argument(None, help="A Merging: when overlapping matches become one.")
