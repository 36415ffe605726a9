"""Files on disk: whole or not at all."""

from motionary.files.shared_folders import delete_others, locked, put_manifest
from motionary.files.writing import check_can_write, write_whole

__all__ = ["check_can_write", "delete_others", "locked", "put_manifest", "write_whole"]
