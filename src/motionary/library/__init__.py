"""The clips of a bank, loaded for use: performances (motion, body, plants, contacts)."""

from motionary.library.performance import Performance, performance

__all__ = ["Performance", "performance"]
