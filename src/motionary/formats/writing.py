"""Motions into files, in the format that the file's name ends in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from motionary.errors import UsageError
from motionary.files import write_whole
from motionary.formats.bvh_write import bvh_text
from motionary.formats.glb import glb_bytes
from motionary.motion import Motion, recording_of

WRITABLE = (".bvh", ".glb")


def write_motion(motion: Motion, path: Path | str, *, name: str = "", extras: Mapping[str, str] | None = None) -> None:
    """Write a motion as .bvh or .glb; the name (by default that of the file) and the extras are for .glb alone."""
    path = Path(path)
    match path.suffix.lower():
        case ".bvh":
            write_whole(path, bvh_text(recording_of(motion)))
        case ".glb":
            write_whole(path, glb_bytes(motion, name=name or path.stem, extras=dict(extras or {})))
        case _:
            raise UsageError(f"{path.name!r} does not end in {' or '.join(WRITABLE)}; name one of these")


class HasMotion(Protocol):
    @property
    def motion(self) -> Motion: ...


class Savable:
    """Gives what has a motion a method to write it."""

    def save(self: HasMotion, path: Path | str) -> None:
        """Write the motion as .bvh or .glb."""
        write_motion(self.motion, path)
