"""Search: segments of a library that are like a query; every way of searching answers with the same match."""

from motionary.search.advice import advice
from motionary.search.after import cluster_matches, explain_matches, judged_matches, learn_profile
from motionary.search.clusters import Cluster, Clusters
from motionary.search.exact import Query, SearchResult, Unlike, scan
from motionary.search.examples import Example, KeyPose, LibrarySegment, Shown
from motionary.search.explain import Explanation
from motionary.search.match import Match, suggested_cut
from motionary.search.profiles import Profile
from motionary.search.searching import search_bank
from motionary.search.selections import keep_matches, kept_matches

__all__ = [
    "Cluster",
    "Clusters",
    "Example",
    "Explanation",
    "KeyPose",
    "LibrarySegment",
    "Match",
    "Profile",
    "Query",
    "SearchResult",
    "Shown",
    "Unlike",
    "advice",
    "cluster_matches",
    "explain_matches",
    "judged_matches",
    "keep_matches",
    "kept_matches",
    "learn_profile",
    "scan",
    "search_bank",
    "suggested_cut",
]
