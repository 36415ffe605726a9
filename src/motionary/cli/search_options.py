"""The options of `search`, in the groups of its help page."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from motionary.cli.options import View

SHOWN = "What is looked for"
COMPARED = "How it is compared"
WHERE = "Where it is looked for"
HOW_MANY = "How many matches"

QueryText = Annotated[
    str | None,
    typer.Argument(
        metavar="QUERY",
        help="CLIP:START-STOP, in frames or seconds (1.5s-3s), or a file: take.bvh:START-STOP. None with --pose.",
    ),
]
Words = Annotated[
    list[str] | None, typer.Argument(metavar="[WORD…]", help="Only clips with these words in name, labels, …")
]

Poses = Annotated[
    list[str] | None,
    typer.Option(
        "--pose",
        metavar="CLIP:FRAME@SECONDS",
        help="In place of QUERY: two or more key poses, of clips or files, in order of time.",
        rich_help_panel=SHOWN,
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        metavar="PARTS=QUERY",
        help="Take these parts from elsewhere: arms=wave:0-60. Several are possible.",
        rich_help_panel=SHOWN,
    ),
]
Unlikes = Annotated[
    list[str] | None,
    typer.Option(
        "--unlike",
        metavar="[PARTS=]QUERY",
        help="What a match must not be like, in all joints or in these parts.",
        rich_help_panel=SHOWN,
    ),
]
UnlikeWeight = Annotated[
    float, typer.Option(min=0, help="How much --unlike counts, as a share of the query.", rich_help_panel=SHOWN)
]
Mirror = Annotated[Literal["no", "only", "both"], typer.Option(help="Left for right, too.", rich_help_panel=SHOWN)]

Distance = Annotated[
    Literal["dtw", "euclid", "lcss"],
    typer.Option(help="With time warped, frame by frame, frames in common.", rich_help_panel=COMPARED),
]
Described = Annotated[
    list[str] | None,
    typer.Option(
        "--description",
        "-d",
        help="gist (default), positions, angles, root or curves; several at once.",
        rich_help_panel=COMPARED,
    ),
]
Joints = Annotated[
    str, typer.Option(help="Only these, with commas between: arms,Head.", metavar="PARTS", rich_help_panel=COMPARED)
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="PART=NUMBER",
        help="Of a joint, part, dimension or description; may be negative.",
        rich_help_panel=COMPARED,
    ),
]
OverTime = Annotated[
    str,
    typer.Option(
        metavar="NUMBERS",
        help="Weights along the query, with commas between: 1,3,1 for its middle.",
        rich_help_panel=COMPARED,
    ),
]
Window = Annotated[
    str,
    typer.Option(
        metavar="PERCENT",
        help="How far frames may move in time, of the query; along it with commas: 5,20,5.",
        rich_help_panel=COMPARED,
    ),
]
Scale = Annotated[
    float,
    typer.Option(
        min=0, max=99, help="How much longer or shorter a match may be, in percent.", rich_help_panel=COMPARED
    ),
]
Tolerance = Annotated[
    float,
    typer.Option(min=0, help="With lcss: how far a dimension may be off, in its deviations.", rich_help_panel=COMPARED),
]
ToleranceOf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PART=NUMBER",
        help="With lcss: times --tolerance; inf does not care, below 0 excludes.",
        rich_help_panel=COMPARED,
    ),
]

Labels = Annotated[
    list[str] | None, typer.Option("--label", "-l", help="Only clips with this label.", rich_help_panel=WHERE)
]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", "-n", help="Only clips whose names fit: 'walk*'; or #12.", rich_help_panel=WHERE),
]
WithoutLabels = Annotated[
    list[str] | None, typer.Option("--without-label", help="No clips with this label.", rich_help_panel=WHERE)
]
WithoutNames = Annotated[
    list[str] | None, typer.Option("--without-name", help="No clips whose names fit.", rich_help_panel=WHERE)
]
WithItself = Annotated[
    bool, typer.Option("--with-itself", help="The query's own place may be a match.", rich_help_panel=WHERE)
]

K = Annotated[
    int | None,
    typer.Option(
        "-k", min=1, help="At most so many; 10 (with web 100), unless --within is given.", rich_help_panel=HOW_MANY
    ),
]
Within = Annotated[
    float | None,
    typer.Option(help="Only as near as this: mean cm or degrees; of lcss 0 to 1.", rich_help_panel=HOW_MANY),
]
AtLeast = Annotated[
    int | None, typer.Option(min=1, help="Widen the window until so many are --within.", rich_help_panel=HOW_MANY)
]
Onsets = Annotated[
    float,
    typer.Option(min=0, help="How far apart they begin at least, in percent of the query.", rich_help_panel=HOW_MANY),
]

By = Annotated[
    Literal["exact", "scan", "wpca", "web"],
    typer.Option(
        help="How to search: exact, through the index; scan compares every window, for the same answer; "
        "wpca looks in a pose space: fast, not exact; web walks through a match web, in steps."
    ),
]
SpaceName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="With wpca: a space that was trained; else one of the whole body."),
]
Character = Annotated[
    str | None,
    typer.Option(
        metavar="FRAME[,FRAME…]",
        help="With wpca: the characteristic pose, by its frame, or what it is far from: mean, ends, origin, …",
    ),
]
Neighbours = Annotated[
    int | None, typer.Option(min=1, help="With wpca: how many of the nearest poses are followed up; 2000.")
]
Ranked = Annotated[
    Literal["gist", "mean", "even", "robust"],
    typer.Option(
        "--ranking",
        help="With wpca: by the gist of poses, or by distances in the space: their mean, with a penalty on uneven "
        "time, or without the furthest.",
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(min=0, metavar="CM", help="With web: how far apart frames may be on average; else suggested."),
]
Steps = Annotated[
    int | None,
    typer.Option(min=1, help="With web: how often matches become queries; else until nothing new is found."),
]
Rejected = Annotated[
    list[str] | None,
    typer.Option(
        "--rejected", metavar="CLIP:START-STOP", help="With web: matches that lead no further; @NAME:RANKS for several."
    ),
]
WebName = Annotated[
    str | None,
    typer.Option(
        "--web", metavar="NAME", help="With web: which one, as `web info` lists them; else the one built last."
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Draw the query and its matches: .png, .svg or .gif; with web, the match graph."
    ),
]
PictureView = Annotated[
    View, typer.Option("--view", help="With -o: from where to look; auto shows the query's movement best.")
]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Keep what is found in BANK, as a selection.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Let --keep and --keep-profile replace what is there.")]
