"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

BankPath = Annotated[Path, typer.Argument(metavar="BANK", help="Bank file, such as library.bank.")]
ClipNames = Annotated[list[str], typer.Argument(metavar="CLIP…", help="Clips, by name or #id.")]
Segments = Annotated[
    list[str],
    typer.Argument(
        metavar="SEGMENT…",
        help=(
            "CLIP or CLIP:START-STOP, in frames or seconds (1.5s-3s); CLIP is a name or #id. Or @SELECTION, "
            "@SELECTION:RANKS, label:NAME."
        ),
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen; change nothing.")]
Limit = Annotated[int | None, typer.Option("--limit", "-k", min=1, help="List only so many.")]
LeastStrength = Annotated[
    float, typer.Option("--strength", min=0, max=1, help="Ignore spread labels weaker than this, 0 to 1.")
]

COMPARISON = "Comparison"
CLIPS = "Clips to compare"
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD…]", help="Only clips with these words in their name, labels, description or source."),
]
Labels = Annotated[
    list[str] | None,
    typer.Option("--label", "-l", help="Only clips with this label. Can be repeated.", rich_help_panel=CLIPS),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name", "-n", help="Only clips whose name matches: 'walk*', or #12. Can be repeated.", rich_help_panel=CLIPS
    ),
]
Descriptions = Annotated[
    list[str] | None,
    typer.Option(
        "--description",
        "-d",
        help="Features to compare: gist (default), positions, angles, root, curves or qualities. Can be repeated.",
        rich_help_panel=COMPARISON,
    ),
]
Joints = Annotated[
    str,
    typer.Option(
        help="Compare only these joints or body parts, as in arms,Head.", metavar="PARTS", rich_help_panel=COMPARISON
    ),
]

# The words of motionary.picture, which is too heavy to be loaded for a --help; a test keeps them the same.
View = Literal["auto", "side", "three-quarter", "front", "back", "other-side"]
Spread = Literal["auto", "time", "ends", "travel"]
