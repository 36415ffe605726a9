"""Motions into picture files, whatever kind of picture the file's name asks for."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from motionary.arguments import check_is
from motionary.errors import UsageError
from motionary.files import check_can_write
from motionary.picture.animation import animation
from motionary.picture.camera import View
from motionary.picture.layout import Spread
from motionary.picture.scene import Row
from motionary.picture.strip import film_strip
from motionary.picture.video import check_can_encode

SUFFIXES = (".png", ".svg", ".gif", ".mp4")
MOVING = (".gif", ".mp4")
SIDE_BY_SIDE = 4  # panels of an animation; more go below them
PANEL, SMALL_PANEL = (420, 400), (280, 268)  # pixels; films need even numbers


def show_rows(
    rows: Sequence[Row],
    path: Path | str,
    *,
    n_poses: int | None = None,
    width: int | None = None,
    view: View = "auto",
    spread: Spread = "auto",
    n_columns: int = 1,
) -> tuple[str, ...]:
    """Write the rows to `path`: a film strip (.png, .svg) or an animation (.gif, .mp4). It may replace a file.

    What comes back are remarks on what is not as it was asked for.

    `width` is that of the film strip, or of each motion's panel in an animation; the number of poses and
    their spread say nothing to an animation.
    """
    check_can_draw(path)
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in MOVING:
        animation(rows, view=view, **_panels(len(rows), width)).save(path)
        return ()
    strip = film_strip(rows, n_poses=n_poses, width=width or 1600, view=view, spread=spread, n_columns=n_columns)
    strip.save(path)
    return strip.notes


def _panels(n_rows: int, width: int | None) -> dict[str, int]:
    """The sizes of an animation's panels: many of them make a contact sheet, which fits a screen."""
    if n_rows <= SIDE_BY_SIDE:
        return {} if width is None else {"width": width}
    wide, high = PANEL if n_rows <= 2 * SIDE_BY_SIDE else SMALL_PANEL
    width = width or wide
    return {
        "width": width,
        "height": 2 * round(width * high / wide / 2),
        "n_columns": max(1, SIDE_BY_SIDE * PANEL[0] // width),
    }


def check_can_draw(path: Path | str, *, may_move: bool = True, or_motions: Sequence[str] = ()) -> None:
    """Raise if no picture can be written there: the name ends otherwise, or there is no such place.

    Only what may move can be a .gif or .mp4; the latter needs ffmpeg. `or_motions`: how files of motions end that could
    have been named instead.
    """
    check_is(path, str, PathLike, called="path", meant="the name of a file")
    path, known = Path(path), SUFFIXES if may_move else SUFFIXES[: -len(MOVING)]
    if path.suffix.lower() not in known:
        known = (*known, *or_motions)
        raise UsageError(f"{str(path)!r} does not end in {', '.join(known[:-1])} or {known[-1]}; name one of these")
    if path.suffix.lower() == ".mp4":
        check_can_encode()
    check_can_write(path)
