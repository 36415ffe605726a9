"""After a search of a bank: why matches are where they are, what kinds there are, and what judgements of them teach."""

from collections.abc import Iterable, Mapping, Sequence

from motionary.alignment import Match, Result
from motionary.arguments import check_is
from motionary.bank import Bank, parse_ranks
from motionary.errors import UsageError
from motionary.library import LibraryFeatures, build_features, one_snapshot, with_learned
from motionary.search.clusters import Clusters, clusters_of
from motionary.search.exact import LEARNED, SearchResult
from motionary.search.explain import Explanation, explained
from motionary.search.feedback import learned
from motionary.search.profiles import Profile

Judgement = int | str | Match  # a rank, several as in "1-5", or the match itself


@one_snapshot
def explain_matches(
    bank: Bank, result: SearchResult, *, features: LibraryFeatures | None = None
) -> tuple[Explanation, ...]:
    """What every joint and phase of the query added to the distance of each match of the result."""
    check_is(result, SearchResult, called="result", meant="what search_bank gives")
    queries = result.asked or (result.query,)
    features = features or build_features(bank)
    if any(LEARNED in query.descriptions for query in queries):
        features = with_learned(bank, features)
    return explained(features, queries, result.matches)


@one_snapshot
def cluster_matches(
    bank: Bank,
    matches: Result | Sequence[Match] | Mapping[int, Match],
    *,
    n_clusters: int | None = None,
    features: LibraryFeatures | None = None,
) -> Clusters:
    """The kinds of motion among matches of one query, each shown by its most typical match.

    Matches are those of any search's result, or of a selection by their ranks, as `kept_matches` gives them. There is a
    cluster for every five matches, 2 to 12 in all, unless `n_clusters` says how many.
    """
    found = matches.matches if isinstance(matches, Result) else matches
    check_is(found, Mapping, Sequence, called="matches", meant="what a search gives, or a list of Match")
    for one in found.values() if isinstance(found, Mapping) else found:
        check_is(one, Match, called="an item of matches", meant="a Match")
    return clusters_of(features or build_features(bank), found, n_clusters=n_clusters)


@one_snapshot
def learn_profile(
    bank: Bank,
    result: SearchResult,
    *,
    accepted: Judgement | Iterable[Judgement] = (),
    rejected: Judgement | Iterable[Judgement] = (),
    before: Profile | None = None,
    features: LibraryFeatures | None = None,
) -> Profile:
    """What it teaches that these matches of a result are right, and those wrong; give it to the next search.

    Matches are named by their ranks in the result: numbers from 1, or texts such as "1-5". With a profile from
    `before`, its judgements count too.
    """
    check_is(result, SearchResult, called="result", meant="what search_bank gives")
    right, wrong = judged_matches(result, accepted), judged_matches(result, rejected)
    if {match.segment for match in right} & {match.segment for match in wrong}:
        raise UsageError("the same match is both accepted and rejected")
    return learned(features or build_features(bank), result.query, right, wrong, before=before)


def judged_matches(result: SearchResult, judged: Judgement | Iterable[Judgement]) -> tuple[Match, ...]:
    """The matches that are meant by ranks, or by themselves."""
    found: dict[int, Match] = {}
    for one in [judged] if isinstance(judged, int | str | Match) else judged:
        if isinstance(one, Match):
            found[id(one)] = one
            continue
        ranks, last = parse_ranks([one]), len(result.matches)
        highest = max(first if stop is None else stop for first, stop in ranks.intervals)
        if highest > last:  # a search leaves no gaps
            raise UsageError(f"there is no match {highest}; the search found {last}, numbered from 1")
        found |= {id(match): match for rank, match in enumerate(result.matches, start=1) if rank in ranks}
    return tuple(found.values())
