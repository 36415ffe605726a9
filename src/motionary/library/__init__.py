"""The clips of a bank, loaded for use: performances (motion, body, plants, contacts), and features of all clips."""

from motionary.library.features import LeftOut, LibraryFeatures, build_features
from motionary.library.performance import Performance, performance
from motionary.library.snapshots import check_features, one_snapshot, undamaged

__all__ = [
    "LeftOut",
    "LibraryFeatures",
    "Performance",
    "build_features",
    "check_features",
    "one_snapshot",
    "performance",
    "undamaged",
]
