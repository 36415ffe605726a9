"""Results kept in the bank under a name, and matches read back from it, as they were found."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from motionary.alignment import Alignment, Match, Result
from motionary.arguments import some
from motionary.bank import Bank, Selection, check_is_bank
from motionary.motion import SEARCH_RATE_HZ, Segment
from motionary.search.exact import Query, SearchResult
from motionary.search.examples import Example, LibrarySegment, Mixed
from motionary.search.expanding import n_expanded

if TYPE_CHECKING:
    from motionary.search.match_web import WebQuery
    from motionary.search.wpca import PoseQuery

BY_HAND = "hand"  # the method of a match that nothing has found


def keep_matches(
    bank: Bank,
    name: str,
    found: Result | Sequence[Match],
    *,
    query: "Query | PoseQuery | WebQuery | Segment | None" = None,
    overwrite: bool = False,
) -> Selection:
    """Keep matches in the bank as the selection `name`, ranked as they come; `overwrite` replaces one that is there.

    `query` is what they were found by; the result of a search knows its own.
    """
    check_is_bank(bank)
    if isinstance(found, Result):
        query, matches = query or getattr(found, "query", None), found.matches
    else:
        matches = some(found, Match, called="what is kept", meant="a Match")
    segment = query if query is None or isinstance(query, Segment) else _segment_shown(query.example)
    method = query.distance if isinstance(query, Query) else matches[0].method if matches else ""
    asked = {} if query is None or isinstance(query, Segment) else what_was_asked(query)
    if isinstance(found, SearchResult):
        asked["expand"] = n_expanded(found)
    return bank.keep_selection(name, matches, query=segment, method=method, asked=asked, overwrite=overwrite)


def match_by_hand(segment: Segment, *, mirrored: bool = False) -> Match:
    """A segment that somebody has picked, as a match: no query and no distance, each stands for itself."""
    return Match(
        segment,
        0.0,
        0.0,
        "",
        BY_HAND,
        Alignment(np.zeros((1, 2))),
        n_query=1,
        rate_hz=SEARCH_RATE_HZ,
        mirrored=mirrored,
    )


def kept_matches(bank: Bank, name: str, ranks: Iterable[int | str] | None = None) -> dict[int, Match]:
    """The matches of a selection by their ranks, which have gaps where some were dropped; all, or those of `ranks`."""
    check_is_bank(bank)
    return bank.matches(name, ranks)


def what_was_asked(query: "Query | PoseQuery | WebQuery") -> dict[str, Any]:
    """The words of a query as JSON can hold them; examples by what people call them, infinite numbers as text."""
    asked = {
        one.name: _plain(getattr(query, one.name))
        for one in fields(query)
        if one.name not in ("example", "unlike", "without", "reason")
    }
    if isinstance(query, Query):
        asked["unlike"] = [
            {"example": unlike.example.name, "joints": list(unlike.joints), "weight": unlike.weight}
            for unlike in query.unlike
        ]
    if not isinstance(query.example, LibrarySegment):
        asked["example"] = query.example.name
    return asked


def _segment_shown(example: Example) -> Segment | None:
    """The segment of the bank that alignments lead to; None if it is none."""
    while isinstance(example, Mixed):
        example = example.main
    return example.segment if isinstance(example, LibrarySegment) else None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)
