"""After a search of a bank: why matches are where they are, what kinds there are, and what judgements of them teach."""

from collections.abc import Mapping, Sequence

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.features import LibraryFeatures, build_features
from motionary.search.clusters import Clusters, clusters_of
from motionary.search.exact import SearchResult
from motionary.search.explain import Explanation, explained
from motionary.search.feedback import learned
from motionary.search.match import Match
from motionary.search.profiles import Profile


def explain_matches(
    bank: Bank, result: SearchResult, *, features: LibraryFeatures | None = None
) -> tuple[Explanation, ...]:
    """What every joint and phase of the query added to the distance of each match of the result."""
    return explained(features or build_features(bank), result.asked or (result.query,), result.matches)


def cluster_matches(
    bank: Bank,
    matches: SearchResult | Sequence[Match] | Mapping[int, Match],
    *,
    n_clusters: int | None = None,
    features: LibraryFeatures | None = None,
) -> Clusters:
    """The kinds of motion among matches of one query, each shown by its most typical match.

    Matches are those of a result, or of a selection by their ranks, as `kept_matches` gives them. There is a cluster
    for every five matches, 2 to 12 in all, unless `n_clusters` says how many.
    """
    found = matches.matches if isinstance(matches, SearchResult) else matches
    return clusters_of(features or build_features(bank), found, n_clusters=n_clusters)


def learn_profile(
    bank: Bank,
    result: SearchResult,
    *,
    accepted: Sequence[int | Match] = (),
    rejected: Sequence[int | Match] = (),
    before: Profile | None = None,
    features: LibraryFeatures | None = None,
) -> Profile:
    """What it teaches that these matches of a result are right, and those wrong; give it to the next search.

    Matches are named by their ranks in the result, from 1. With a profile from `before`, its judgements count too.
    """
    both = {_match(result, one).segment for one in accepted} & {_match(result, one).segment for one in rejected}
    if both:
        raise UsageError("the same match is accepted and rejected; say one of the two")
    return learned(
        features or build_features(bank),
        result.query,
        [_match(result, one) for one in accepted],
        [_match(result, one) for one in rejected],
        before=before,
    )


def _match(result: SearchResult, one: int | Match) -> Match:
    if isinstance(one, Match):
        return one
    if not 1 <= one <= len(result.matches):
        raise UsageError(f"there is no match {one}; the search has found {len(result.matches)}, numbered from 1")
    return result.matches[one - 1]
