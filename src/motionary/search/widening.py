"""Enough matches: the window of time is widened step by step until they are found."""

from collections.abc import Iterator
from dataclasses import replace

from motionary.arguments import integer
from motionary.errors import UsageError
from motionary.search.exact import Query

LEAST_STEP = 0.05  # of a window that begins at nothing


def widened(query: Query) -> Iterator[Query]:
    """The query, and then the query with ever wider windows: each twice the last, at least 5 %, up to all of it."""
    yield query
    while True:
        shares = query.window if isinstance(query.window, tuple) else (query.window,)
        if all(share == 1.0 for share in shares):
            return
        wider = tuple(min(1.0, max(2.0 * share, LEAST_STEP)) for share in shares)
        query = replace(query, window=wider if isinstance(query.window, tuple) else wider[0])
        yield query


def check_can_widen(query: Query, at_least: int) -> None:
    """Raise if a wider window could not bring so many matches."""
    if integer(at_least, "at_least") < 1:
        raise UsageError("at_least must be at least 1")
    if query.distance == "euclid":
        raise UsageError("at_least needs dtw or lcss: euclid has no window to widen")
    if query.within is None and query.distance != "lcss":
        raise UsageError("at_least needs a largest distance (within); without one there are always enough matches")
    if query.k is not None and query.k < at_least:
        raise UsageError(f"at_least must not be larger than k: there cannot be {at_least} of at most {query.k} matches")
