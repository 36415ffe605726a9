"""How natural a motion is: feet that stand, weight that is carried, movement that is smooth."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.naturalness.guarded_cleaning import clean_carefully
    from motionary.naturalness.measures import CURVES, MEANINGS, MEASURES
    from motionary.naturalness.measuring import measure_motion
    from motionary.naturalness.score import Naturalness, as_standing, naturalness, score, score_reference
    from motionary.naturalness.scorer import Prepared, Scorer, build_scorer
    from motionary.naturalness.standing import Standing, plants_within, standing_by_contacts, standing_by_plants
else:
    import_on_use(__name__)

__all__ = [
    "CURVES",
    "MEANINGS",
    "MEASURES",
    "Naturalness",
    "Prepared",
    "Scorer",
    "Standing",
    "as_standing",
    "build_scorer",
    "clean_carefully",
    "measure_motion",
    "naturalness",
    "plants_within",
    "score",
    "score_reference",
    "standing_by_contacts",
    "standing_by_plants",
]
