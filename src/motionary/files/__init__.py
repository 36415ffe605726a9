"""Files on disk: whole or not at all."""

from motionary.files.writing import check_can_write, write_whole

__all__ = ["check_can_write", "write_whole"]
