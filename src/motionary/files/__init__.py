"""Files on disk: whole or not at all."""

from motionary.files.writing import write_whole

__all__ = ["write_whole"]
