"""Feet and weight of the clips in a bank: plants, clean-up, masses, naturalness."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.feet.cleaning import CleanedSegment, LeftAlone, clean_each, clean_segments
    from motionary.feet.planting import Detected, add_plants, remove_plants, store_plants
    from motionary.feet.scoring import Scored, score_segments
    from motionary.feet.weighing import Weighed, fit_library, weigh
else:
    import_on_use(__name__)

__all__ = [
    "CleanedSegment",
    "Detected",
    "LeftAlone",
    "Scored",
    "Weighed",
    "add_plants",
    "clean_each",
    "clean_segments",
    "fit_library",
    "remove_plants",
    "score_segments",
    "store_plants",
    "weigh",
]
