"""Several queries asked together: a window is as near as it is to the nearest of them."""

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import replace

from motionary.alignment import Match
from motionary.library import LibraryFeatures
from motionary.search.exact import Query, SearchResult
from motionary.search.exact.result import summed_stages
from motionary.search.examples import Place


def search_together(
    features: LibraryFeatures,
    query: Query,
    queries: Sequence[Query],
    *,
    search: Callable[[Query], SearchResult],
    progress: Callable[[int, int], None] | None = None,
) -> SearchResult:
    """The matches of all queries as one list, as the result of `query`, which sets how many there are.

    Each query is searched for by itself; then windows are taken nearest first, by their means (LCSS: by distance,
    then mean), ties by clip and start, and one that begins too near to one taken already is dropped, as in every
    search. `progress` is told how many of the queries were searched for.
    """

    def found(k: int | None) -> list[SearchResult]:
        results = []
        for each in queries:
            results.append(search(replace(each, k=k)))
            if progress is not None:
                progress(len(results), len(queries))
        return results

    return taken_together(features, query, queries, found=found)


def naming_example(query: Query, *, search: Callable[[Query], SearchResult]) -> SearchResult:
    """What `search` finds, each match with the name of the query's example."""
    result = search(query)
    return replace(result, matches=tuple(replace(match, nearest_to=query.example.name) for match in result.matches))


def taken_together(
    features: LibraryFeatures,
    query: Query,
    queries: Sequence[Query],
    *,
    found: Callable[[int | None], Sequence[SearchResult]],
) -> SearchResult:
    """What is found for each of the queries, as one list: `found(k)` lists at least their first k matches each.

    It is asked for more until no list can hold back a match that is near enough.
    """
    least = min(each.least_onset(each.example.n_frames) for each in queries)
    k = query.k
    while True:
        results = found(k)
        matches = _apart(features, [match for result in results for match in result.matches], query, least)
        if k is None or all(
            len(result.matches) < k
            or (len(matches) == query.k and _order(query, matches[-1]) <= _order(query, result.matches[-1]))
            for result in results
        ):
            break
        k *= 2
    return SearchResult(
        query,
        tuple(matches),
        max(result.n_windows for result in results),  # those of the shortest query, which fits the others' clips
        sum(result.n_compared for result in results),
        max(result.n_clips for result in results),
        summed_stages(results),
        tuple(queries),
    )


def _apart(features: LibraryFeatures, found: Sequence[Match], query: Query, least: int) -> list[Match]:
    """The best matches that begin at least so far from each other."""
    matches: list[Match] = []
    taken: dict[int, list[int]] = {}  # where matches begin in a clip, in order
    for match in sorted(found, key=lambda match: _order(query, match)):
        if len(matches) == query.k:
            break
        place = place_of(features, match)
        starts = taken.setdefault(place.clip_id, [])
        at = bisect(starts, place.start)
        if all(abs(place.start - start) >= least for start in starts[max(at - 1, 0) : at + 1]):
            starts.insert(at, place.start)
            matches.append(match)
    return matches


def _order(query: Query, match: Match) -> tuple[float, float, float, int, int]:
    """Different distances may have the same mean, but for rounding."""
    lcss = query.distance == "lcss"
    return match.distance if lcss else 0.0, match.mean, match.distance, match.segment.clip_id, match.segment.start


def place_of(features: LibraryFeatures, match: Match) -> Place:
    """Where a match begins, at the search rate; if it does not know, where its frames in the clip say."""
    segment = match.segment
    if match.search_start is not None:
        return Place(segment.clip_id, match.search_start)
    rates = features.rates[features.number(segment.clip_id)]
    return Place(segment.clip_id, rates.search_segment(segment.start, segment.stop)[0])
