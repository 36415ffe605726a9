"""Motion files: one module for each format, text to recordings and back."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.formats.asf_amc import find_asf, parse_asf_amc
    from motionary.formats.bvh import bvh_text, parse_bvh
    from motionary.formats.glb import glb_bytes
    from motionary.formats.motion_file import MotionFile
    from motionary.formats.reading import (
        COMPANIONS,
        READABLE,
        UNREAD,
        format_of,
        read_motion_file,
        stem_of,
        unread_ending,
    )
    from motionary.formats.writing import WRITABLE, Savable, write_motion
else:
    import_on_use(__name__)

__all__ = [
    "COMPANIONS",
    "READABLE",
    "UNREAD",
    "WRITABLE",
    "MotionFile",
    "Savable",
    "bvh_text",
    "find_asf",
    "format_of",
    "glb_bytes",
    "parse_asf_amc",
    "parse_bvh",
    "read_motion_file",
    "stem_of",
    "unread_ending",
    "write_motion",
]
