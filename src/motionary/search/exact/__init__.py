"""Exact search by example: the nearest of all segments, and nothing less."""

from motionary.search.exact.query import Distance, Mirrored, Query
from motionary.search.exact.scan import SearchResult, own_frames, scan

__all__ = ["Distance", "Mirrored", "Query", "SearchResult", "own_frames", "scan"]
