"""Spreading labels: a few labelled segments are queries, and their matches inherit the label with a strength."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.spreading.candidates import Candidates, find_candidates
    from motionary.search.spreading.finders import ExactFinder, Finder, PoseFinder
    from motionary.search.spreading.label_spreading import Proposal, Spreading, put_spread, spread_labels
    from motionary.search.spreading.labelled import LabelledSegment
    from motionary.search.spreading.library import Known, Rules, spread
    from motionary.search.spreading.strength import Curve, fit_curve
else:
    import_on_use(__name__)

__all__ = [
    "Candidates",
    "Curve",
    "ExactFinder",
    "Finder",
    "Known",
    "LabelledSegment",
    "PoseFinder",
    "Proposal",
    "Rules",
    "Spreading",
    "find_candidates",
    "fit_curve",
    "put_spread",
    "spread",
    "spread_labels",
]
