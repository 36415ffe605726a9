"""Effort and Shape measured (Laban; EMOTE, Chi, Costa, Zhao & Badler 2000): how a movement is done, not what."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.qualities.conditions import PROPERTIES, QUALITIES, Condition, read_condition
    from motionary.qualities.hands import APART_SECS, ARMS, Hands, TurningPoints, hands_of, turning_points
    from motionary.qualities.measuring import quality_curves, quality_measures
else:
    import_on_use(__name__)

__all__ = [
    "APART_SECS",
    "ARMS",
    "PROPERTIES",
    "QUALITIES",
    "Condition",
    "Hands",
    "TurningPoints",
    "hands_of",
    "quality_curves",
    "quality_measures",
    "read_condition",
    "turning_points",
]
