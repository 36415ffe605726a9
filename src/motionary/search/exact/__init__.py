"""Exact search by example: the nearest of all segments, and nothing less."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.exact.index import Index
    from motionary.search.exact.index_building import LEARNED, build_index, index_for
    from motionary.search.exact.indexed import search
    from motionary.search.exact.query import Distance, Mirrored, Query, Unlike
    from motionary.search.exact.result import SearchResult, Stage
    from motionary.search.exact.scan import scan
    from motionary.search.exact.variants import Comparison, Variant
else:
    import_on_use(__name__)

__all__ = [
    "LEARNED",
    "Comparison",
    "Distance",
    "Index",
    "Mirrored",
    "Query",
    "SearchResult",
    "Stage",
    "Unlike",
    "Variant",
    "build_index",
    "index_for",
    "scan",
    "search",
]
