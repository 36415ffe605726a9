"""Pose descriptions: numbers that describe the poses of a motion, comparable between actors and rigs."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.features.descriptions import Description, Dimension
    from motionary.features.joint_angles import half_turn_shares
    from motionary.features.pose_features import PoseFeatures, descriptions, features_of
    from motionary.features.poses import Poses
    from motionary.motion import SEARCH_RATE_HZ, Rates, at_search_rate
else:
    import_on_use(__name__)

__all__ = [
    "SEARCH_RATE_HZ",
    "Description",
    "Dimension",
    "PoseFeatures",
    "Poses",
    "Rates",
    "at_search_rate",
    "descriptions",
    "features_of",
    "half_turn_shares",
]
