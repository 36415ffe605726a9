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
        help="Largest mean distance of frames in one step; by default suggested from the query's own matches.",
        flags=("--epsilon",),
        metavar="CM",
        group=LIMITS,
        basic=True,
        at_least=0,
        at_most=10_000,
    )
    steps: int | None = option(
        None,
        help="How often matches become queries; by default until nothing new is found.",
        group=LIMITS,
        basic=True,
        at_least=1,
    )
    k: int | None = option(
        None,
        help="Maximum number of matches; 100.",
        flags=("-k",),
        group=LIMITS,
        basic=True,
        at_least=1,
        shown_default="",
    )
    rejected: Any = option(
        (),
        help="Match that must not lead further, or @NAME:RANKS for several. Can be repeated.",
        form=TEXTS,
        metavar="CLIP:START-STOP",
        group=CLIPS,
    )
    web: str | None = option(
        None,
        help="Name of the match web, as `web info` lists it; by default the one built last.",
        metavar="NAME",
        group=COMPARISON,
        basic=True,
    )
    merging: Any = argument(None, help="A Merging: when overlapping matches become one.")
