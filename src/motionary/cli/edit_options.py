"""Options that edit commands share, and what they mean."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from motionary.cli.options import Spread, View
from motionary.cli.request_command import with_parameters

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
        "--score-limit", min=1.0, help="Weaken an edit until its score is at most this multiple of the old one."
    ),
]


@dataclass(frozen=True)
class EditOptions:
    """The options that `edit apply` and `edit preview` share, in the order of their help."""

    parameters: ParametersArgument = None
    to: To = None
    search: SearchK = None
    within: Within = None
    joints: Joints = None
    strength: Strength = 1.0
    strength_by: StrengthBy = "constant"
    ease: Ease = None
    unprotected: Unprotected = False
    hold: Hold = None
    unaligned: Unaligned = False
    align_by: AlignBy = None
    vary: Vary = None
    seed: Seed = 0
    score_limit: ScoreLimit = None
    drop: Drop = None
    not_itself: NotItself = False
    overlaps: Overlaps = False
    new_clips: NewClips = False
    variants: Variants = 1
    output: Output = None
    view: Annotated[View, typer.Option("--view", help="Camera direction for -o.")] = "auto"
    spread: Annotated[Spread, typer.Option("--spread", help="Horizontal axis of the picture, as in `show`.")] = "auto"

    def as_keywords(self) -> dict[str, Any]:
        """The keywords of `apply_edit`."""
        from motionary.errors import UsageError

        if self.within is not None and self.search is None:
            raise UsageError("--within limits the matches of --search: also give --search K")
        found: dict[str, Any] = {"k": self.search} | ({} if self.within is None else {"within": self.within})
        return {
            "parameters": _parameters(self.parameters or []),
            "to": self.to or (),
            "search": None if self.search is None else found,
            "joints": self.joints or (),
            "strength": self.strength,
            "strength_by": _curve(self.strength_by),
            "protect": not self.unprotected,
            "hold": self.hold or (),
            "align": not self.unaligned,
            "align_joints": self.align_by or (),
            "vary": _ranges(self.vary or []),
            "seed": self.seed,
            "score_limit": self.score_limit,
            "drop": self.drop or (),
            "itself": not self.not_itself,
            "overlaps": self.overlaps,
            "new_clips": self.new_clips,
            "variants": self.variants,
            **({} if self.ease is None else {"ease_secs": self.ease}),
        }


def with_edit_options(function: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of `EditOptions` as parameters in place of its `options`."""
    hints = get_type_hints(EditOptions, include_extras=True)
    fields_ = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name])
        for one in fields(EditOptions)
    ]
    shown: list[inspect.Parameter] = []
    for one in inspect.signature(function, eval_str=True).parameters.values():
        shown += fields_ if one.name == "options" else [one]

    def command(**keywords: Any) -> None:
        function(options=EditOptions(**{one.name: keywords.pop(one.name) for one in fields_}), **keywords)

    return with_parameters(command, function, shown)


def _parameters(texts: list[str]) -> dict[str, str]:
    from motionary.errors import UsageError

    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise UsageError(f"{text!r} is not a parameter; write NAME=VALUE, such as cutoff_hz=2")
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
            raise UsageError(f"{text!r} is not a range; write NAME=LOW:HIGH, such as amplitude_deg=2:6") from None
    return found


def _curve(text: str) -> str | list[tuple[float, float]]:
    from motionary.errors import UsageError

    if ":" not in text:
        return text
    try:
        return [(float(x), float(y)) for x, y in (point.split(":") for point in text.split(","))]
    except ValueError:
        raise UsageError(f"{text!r} is not a curve; write LIKENESS:STRENGTH,…, such as 0:0,0.5:1") from None
