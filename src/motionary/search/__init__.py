"""Search: segments of a library that are like a query; every way of searching answers with the same match."""

from motionary.search.exact import Query, SearchResult, Unlike, scan
from motionary.search.examples import Example, KeyPose, LibrarySegment, Shown
from motionary.search.match import Match, suggested_cut
from motionary.search.searching import search_bank

__all__ = [
    "Example",
    "KeyPose",
    "LibrarySegment",
    "Match",
    "Query",
    "SearchResult",
    "Shown",
    "Unlike",
    "scan",
    "search_bank",
    "suggested_cut",
]
