"""Options that commands on blends share."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from motionary.cli.output import say
from motionary.errors import UsageError

Examples = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SEGMENT…]", help="CLIP, CLIP:START-STOP or @SELECTION. ~SEGMENT is its mirror image."),
]
LabelOption = Annotated[
    list[str] | None, typer.Option("--label", "-l", help=("Also use all segments with this label. Can be repeated."))
]
Mirror = Annotated[bool, typer.Option("--mirror", help="Also use the mirror image of each segment.")]
Rate = Annotated[
    float | None,
    typer.Option("--rate", metavar="HZ", help=("Frame rate of the result. By default, that of the first segment.")),
]
SlopeLimit = Annotated[
    float,
    typer.Option(
        "--slope", min=1.5, max=20, help=("Largest factor by which time warping may speed up or slow down a motion.")
    ),
]
Paths = Annotated[
    Literal["graph", "direct"],
    typer.Option(help=("graph: align dissimilar motions through similar ones; direct: align each with the reference.")),
]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Store the result in BANK as a new clip.")]
Drawing = Annotated[Path | None, typer.Option("-o", "--output", help="Draw the result: .png or .svg.")]


def say_misfits(registration: Any) -> None:
    for spoiler in registration.spoilers:
        say(f"left out: {spoiler}")
    for doubt in registration.doubts:
        say(f"warning: {doubt}")


def number_rows(option: str, text: str) -> list[list[float]]:
    return [numbers(option, row) for row in text.split("/")]


def numbers(option: str, text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} must be numbers with commas between them, such as 0.3,0.7, not {text!r}") from None
