"""Search: segments of a library that are like a query; every way of searching answers with the same match."""

from motionary.search.advice import advice
from motionary.search.exact import Query, SearchResult, Unlike, scan
from motionary.search.examples import Example, KeyPose, LibrarySegment, Shown
from motionary.search.match import Match, suggested_cut
from motionary.search.searching import search_bank
from motionary.search.selections import keep_matches, kept_matches

__all__ = [
    "Example",
    "KeyPose",
    "LibrarySegment",
    "Match",
    "Query",
    "SearchResult",
    "Shown",
    "Unlike",
    "advice",
    "keep_matches",
    "kept_matches",
    "scan",
    "search_bank",
    "suggested_cut",
]
