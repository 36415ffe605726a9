"""Examples: what a query shows, wherever it comes from."""

from motionary.search.examples.example import Example, Place, Rows
from motionary.search.examples.library_segment import LibrarySegment

__all__ = ["Example", "LibrarySegment", "Place", "Rows"]
