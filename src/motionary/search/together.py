"""Several queries asked together: a window is as near as it is to the nearest of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from motionary.alignment import Match
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact import Query, SearchResult
from motionary.search.exact.result import summed_stages
from motionary.search.examples import Place


def search_together(
    features: LibraryFeatures,
    query: Query,
    queries: Sequence[Query],
    *,
    search: Callable[[Query], SearchResult],
) -> SearchResult:
    """The matches of all queries as one list, as the result of `query`, which sets how many there are.

    Each query is searched for by itself; then windows are taken nearest first, by their means (LCSS: by distance,
    then mean), ties by clip and start, and one that begins too near to one taken already is dropped, as in every
    search.
    """
    enough = enough_of_each(query)
    return taken_together(features, query, queries, [search(replace(each, k=enough)) for each in queries])


def enough_of_each(query: Query) -> int | None:
    """How many matches of each of several queries are needed: each match that is taken is too near to two of a list at
    most, so that no list ends before it is used up."""
    return None if query.k is None else 2 * query.k


def taken_together(
    features: LibraryFeatures, query: Query, queries: Sequence[Query], results: Sequence[SearchResult]
) -> SearchResult:
    """What was found for each of the queries, as one list."""
    least = min(each.least_onset(each.example.n_frames) for each in queries)
    lcss = query.distance == "lcss"
    found = sorted(
        (match for result in results for match in result.matches),
        key=lambda match: (match.distance if lcss else 0.0, match.mean, match.segment.clip_id, match.segment.start),
    )
    matches: list[Match] = []
    taken: list[Place] = []
    for match in found:
        if len(matches) == query.k:
            break
        place = place_of(features, match.segment)
        if all(place.clip_id != other.clip_id or abs(place.start - other.start) >= least for other in taken):
            taken.append(place)
            matches.append(match)
    return SearchResult(
        query,
        tuple(matches),
        results[0].n_windows,
        sum(result.n_compared for result in results),
        results[0].n_clips,
        summed_stages(results),
        tuple(queries),
    )


def place_of(features: LibraryFeatures, segment: Segment) -> Place:
    """Where a segment begins, at the search rate."""
    rates = features.rates[features.number(segment.clip_id)]
    return Place(segment.clip_id, rates.search_segment(segment.start, segment.stop)[0])
