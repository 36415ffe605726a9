"""The clips of a bank, loaded for use: performances (motion, body, plants, contacts), and features of all clips."""

from motionary.library.features import LeftOut, LibraryFeatures, build_features
from motionary.library.performance import Performance, performance

__all__ = ["LeftOut", "LibraryFeatures", "Performance", "build_features", "performance"]
