"""-o of commands that make a motion: the file's ending says whether it is drawn or written."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from motionary.cli.output import say

WRITABLE = (".bvh", ".glb")  # formats.WRITABLE, without the formats: a test holds them equal

MotionOutputs = Annotated[
    list[Path] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw the motion (.png, .svg, .gif, .mp4) or write it (.bvh, .glb). Can be repeated.",
    ),
]


def is_motion_file(path: Path) -> bool:
    return path.suffix.lower() in WRITABLE


def check_motion_outputs(outputs: Sequence[Path] | None) -> None:
    """Raise if a motion could not be written or drawn there, before anybody waits."""
    from motionary.files import check_can_write

    for path in outputs or ():
        if is_motion_file(path):
            check_can_write(path)
        else:
            from motionary.picture import check_can_draw

            check_can_draw(path, or_motions=WRITABLE)


def give_motion(
    outputs: Sequence[Path] | None,
    *,
    save: Callable[[Path], None],
    draw: Callable[[Path], Iterable[str]],
) -> None:
    """Save a motion where the output is a motion file, and draw it where not; say what there is to remark on it."""
    for path in outputs or ():
        if is_motion_file(path):
            save(path)
        else:
            for remark in draw(path):
                say(remark)
