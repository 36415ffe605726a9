"""Pose descriptions: numbers that describe the poses of a motion, comparable between actors and rigs."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.features.descriptions import Description, Dimension
    from motionary.features.joint_angles import half_turn_shares
    from motionary.features.learned import LEARNED_LENGTH, Network
    from motionary.features.learning import PIECE_SECS, Lessons, learn
    from motionary.features.pose_features import PoseFeatures, computed_descriptions, descriptions, features_of
    from motionary.features.poses import Poses
    from motionary.features.surroundings import surroundings
    from motionary.motion import SEARCH_RATE_HZ, Rates, at_search_rate
else:
    import_on_use(__name__)

__all__ = [
    "LEARNED_LENGTH",
    "PIECE_SECS",
    "SEARCH_RATE_HZ",
    "Description",
    "Dimension",
    "Lessons",
    "Network",
    "PoseFeatures",
    "Poses",
    "Rates",
    "at_search_rate",
    "computed_descriptions",
    "descriptions",
    "features_of",
    "half_turn_shares",
    "learn",
    "surroundings",
]
