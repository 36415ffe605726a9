"""Files on disk: whole or not at all."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.files.ordinary import read_ordinary
    from motionary.files.plain_json import json_value, parse_json
    from motionary.files.scratch import remove_leftovers, scratch_folder
    from motionary.files.writing import check_can_write, write_whole
else:
    import_on_use(__name__)

__all__ = [
    "check_can_write",
    "json_value",
    "parse_json",
    "read_ordinary",
    "remove_leftovers",
    "scratch_folder",
    "write_whole",
]
