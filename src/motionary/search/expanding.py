"""A second look: what is near to the mean of a query and its best matches is found as well."""

from collections.abc import Callable
from dataclasses import replace

from motionary.alignment import Match
from motionary.errors import ArgumentError
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact import LEARNED, Query, SearchResult
from motionary.search.examples import Averaged, Example, MirrorImage
from motionary.search.together import taken_together

BY_DEFAULT = 5  # best matches in the mean, where the description is chosen and was learned
OWN_SHARE = 2.0  # the query counts as much in the mean as so many of them


def n_expanding(query: Query, *, can_expand: bool) -> int:
    """How many of its best matches join a query; unless it says so, none if it is combined with something else."""
    if query.expand is None:
        return BY_DEFAULT if can_expand and query.reason and query.descriptions == (LEARNED,) else 0
    if query.expand and not can_expand:
        raise ArgumentError("expand", "cannot be combined with steps, a profile, or several examples (also)")
    return query.expand


def search_expanded(
    features: LibraryFeatures,
    query: Query,
    n_best: int,
    *,
    search: Callable[[Query], SearchResult],
    example: Callable[[Segment], Example],
) -> SearchResult:
    """The matches of the query, and those of the mean of it and its `n_best` best matches, as one list.

    In the mean, the query counts twice. A window is as near as it is to the nearer of both, so that a copy of the query
    stays where it is.
    """
    first = search(replace(query, k=None if query.k is None else max(query.k, n_best)))
    if not first.matches:
        return replace(first, query=query)
    best = [_seen_alike(match, example) for match in first.matches[:n_best]]
    mean = Averaged((query.example, *best), first_counts=OWN_SHARE)
    wider = replace(query, example=mean, without=query.left_out)

    def found(k: int | None) -> list[SearchResult]:
        own = first if k == query.k else search(replace(query, k=k))
        return [own, search(replace(wider, k=k))]

    return taken_together(features, query, (query, wider), found=found)


def n_expanded(result: SearchResult) -> int:
    """How many of the best matches joined the query of a result."""
    last = result.asked[-1].example if result.asked else None
    if isinstance(last, Averaged) and last.examples[0] is result.query.example:
        return len(last.examples) - 1
    return 0


def _seen_alike(match: Match, example: Callable[[Segment], Example]) -> Example:
    own = example(match.segment)
    return MirrorImage(own) if match.mirrored else own
