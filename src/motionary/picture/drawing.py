"""A finished drawing, and putting pictures into files."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from PIL import Image

from motionary.arguments import check_is
from motionary.errors import UsageError
from motionary.files import write_whole
from motionary.picture.primitives import Primitive
from motionary.picture.raster import to_image
from motionary.picture.svg import to_svg


@dataclass(frozen=True, eq=False)
class Drawing:
    """Shapes on a page of `width` × `height` pixels, the first at the back."""

    width: int
    height: int
    primitives: tuple[Primitive, ...]
    background: str = "#ffffff"
    title: str = ""
    notes: tuple[str, ...] = ()  # what is not as it was asked for

    def svg(self) -> str:
        """The drawing as an SVG document."""
        return to_svg(
            self.primitives, width=self.width, height=self.height, background=self.background, title=self.title
        )

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def image(self, *, enlarge: int = 4) -> Image.Image:
        """The drawing as an image; edges are smoothed by drawing it `enlarge` times as large first."""
        return to_image(
            self.primitives, width=self.width, height=self.height, background=self.background, enlarge=enlarge
        )

    def png(self) -> bytes:
        """The drawing as the bytes of a PNG file."""
        buffer = io.BytesIO()
        self.image().save(buffer, "PNG", compress_level=6)
        return buffer.getvalue()

    def save(self, path: Path | str) -> None:
        """Write the drawing to a .png or .svg file, as the name says."""
        write_as(path, {".png": self.png, ".svg": lambda: self.svg().encode()})


def write_as(path: Path | str, writers: Mapping[str, Callable[[], bytes]]) -> None:
    """Write what the writer for the path's suffix makes; the file is there whole or not at all."""
    check_is(path, str, PathLike, called="path", meant="the name of a file")
    path = Path(path)
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"{path.name!r} does not end in {' or '.join(writers)}, so its format is unknown")
    write_whole(path, writer())
