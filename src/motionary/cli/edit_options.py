"""Options that edit commands share, and what they mean."""

from pathlib import Path
from typing import Annotated, Any

import typer

SegmentArgument = Annotated[
    str,
    typer.Argument(
        metavar="SEGMENT", help=("Segment to edit: CLIP or CLIP:START-STOP. It is the example for --to and --search.")
    ),
]
OperationArgument = Annotated[
    str,
    typer.Argument(metavar="OPERATION", help="Operation (`edit operations` lists them), or a file of `edit learn`."),
]
ParametersArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME=VALUE…]", help=("Parameters of the operation, as in cutoff_hz=2."))
]
To = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        help=(
            "Also apply to these segments: @SELECTION, label:NAME, 'oddity:root jump', CLIP:START-STOP, or whole clips "
            "by a pattern such as 'walk_*'. Can be repeated."
        ),
    ),
]
SearchK = Annotated[
    int | None,
    typer.Option("--search", metavar="K", min=1, help=("Also apply to the K segments most similar to SEGMENT.")),
]
Within = Annotated[float | None, typer.Option("--within", help="With --search: largest mean distance of a match.")]
Joints = Annotated[
    list[str] | None,
    typer.Option(
        "--joints", help=("Edit only these joints or body parts: LeftHand, arms, 'upper body'. Can be repeated.")
    ),
]
Strength = Annotated[float, typer.Option("--strength", help="Strength of the edit: 0 is none, 1 full, 2 double.")]
StrengthBy = Annotated[
    str,
    typer.Option(
        "--strength-by",
        help=("Strength for each match: constant, proportional to its similarity, or a curve as in 0:0,0.5:1."),
    ),
]
Ease = Annotated[
    float | None,
    typer.Option(
        "--ease",
        min=0.0,
        help=("Seconds of ease-in and ease-out at the borders. By default, 0.1 to 0.7, depending on the operation."),
    ),
]
Unprotected = Annotated[bool, typer.Option("--no-protect", help="Allow planted feet to move.")]
Hold = Annotated[
    list[str] | None,
    typer.Option("--hold", metavar="HAND", help="Keep LeftHand or RightHand where it is. Can be repeated."),
]
Unaligned = Annotated[
    bool, typer.Option("--no-align", help=("Stretch the edit evenly over each match, without time warping."))
]
AlignBy = Annotated[list[str] | None, typer.Option("--align-by", help="Align by these joints only. Can be repeated.")]
Vary = Annotated[
    list[str] | None,
    typer.Option("--vary", help=("Draw a parameter at random for each match: NAME=LOW:HIGH. Can be repeated.")),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Random seed.")]
Drop = Annotated[
    list[int] | None,
    typer.Option("--drop", help=("Leave out the match with this number in the preview. Can be repeated.")),
]
NotItself = Annotated[bool, typer.Option("--not-itself", help="Do not edit SEGMENT itself.")]
Overlaps = Annotated[bool, typer.Option("--overlaps", help="Also edit matches that overlap nearer ones.")]
NewClips = Annotated[
    bool, typer.Option("--new-clips", help=("Store the results as new clips instead of editing the existing ones."))
]
Variants = Annotated[int, typer.Option("--variants", min=1, help="With --new-clips: number of variants per clip.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", help="Draw the motion before and after: .png, .svg, .gif or .mp4.")
]
ScoreLimit = Annotated[
    float | None,
    typer.Option(
        "--score-limit", min=1.0, help="Weaken an edit until the score is at most this many times what it was."
    ),
]


def read_words(
    parameters: list[str] | None,
    to: list[str] | None,
    search: int | None,
    within: float | None,
    joints: list[str] | None,
    strength: float,
    strength_by: str,
    ease: float | None,
    unprotected: bool,
    hold: list[str] | None,
    unaligned: bool,
    align_by: list[str] | None,
    vary: list[str] | None,
    seed: int,
    score_limit: float | None,
    drop: list[int] | None,
    not_itself: bool,
    overlaps: bool,
) -> dict[str, Any]:
    from motionary.errors import UsageError

    if within is not None and search is None:
        raise UsageError("--within says how near the matches of --search must be; give --search K, too")
    found: dict[str, Any] = {"k": search} | ({"within": within} if within is not None else {})
    return {
        "parameters": _parameters(parameters or []),
        "to": to or (),
        "search": found if search is not None else None,
        "joints": joints or (),
        "strength": strength,
        "strength_by": _curve(strength_by),
        "protect": not unprotected,
        "hold": hold or (),
        "align": not unaligned,
        "align_joints": align_by or (),
        "vary": _ranges(vary or []),
        "seed": seed,
        "score_limit": score_limit,
        "drop": drop or (),
        "itself": not not_itself,
        "overlaps": overlaps,
        **({} if ease is None else {"ease_secs": ease}),
    }


def _parameters(texts: list[str]) -> dict[str, str]:
    from motionary.errors import UsageError

    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise UsageError(f"{text!r} is no parameter; write NAME=VALUE, such as cutoff_hz=2")
        found[name.replace("-", "_")] = value
    return found


def _ranges(texts: list[str]) -> dict[str, tuple[float, float]]:
    from motionary.errors import UsageError

    found = {}
    for text in texts:
        name, _, bounds = text.partition("=")
        low, sign, high = bounds.partition(":")
        try:
            found[name.replace("-", "_")] = (float(low), float(high if sign else low))
        except ValueError:
            raise UsageError(f"{text!r} is no range; write NAME=LOW:HIGH, such as amplitude_deg=2:6") from None
    return found


def _curve(text: str) -> str | list[tuple[float, float]]:
    from motionary.errors import UsageError

    if ":" not in text:
        return text
    try:
        return [(float(x), float(y)) for x, y in (point.split(":") for point in text.split(","))]
    except ValueError:
        raise UsageError(f"{text!r} is no curve; write LIKENESS:STRENGTH,…, such as 0:0,0.5:1") from None
