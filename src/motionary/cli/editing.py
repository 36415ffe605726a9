"""edit: apply, preview, ls, show, rm, recipes, again, operations."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionary.cli.options import AsJson, BankPath, DryRun, Segments, Spread, View
from motionary.cli.output import check_pictures, counted, print_json, print_table, say

if TYPE_CHECKING:
    from motionary.edit import EditReport

app = typer.Typer(help="Edit segments, and all motions similar to them.", no_args_is_help=True)

SegmentArgument = Annotated[
    str,
    typer.Argument(
        metavar="SEGMENT", help=("Segment to edit: CLIP or CLIP:START-STOP. It is the example for --to and --search.")
    ),
]
OperationArgument = Annotated[str, typer.Argument(metavar="OPERATION", help="Operation; `edit operations` lists them.")]
ParametersArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME=VALUE…]", help=("Parameters of the operation, as in cutoff_hz=2."))
]
To = Annotated[
    list[str] | None,
    typer.Option(
        "--to", help=("Also apply to these segments: @SELECTION, label:NAME or CLIP:START-STOP. Can be repeated.")
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
        help=("Seconds of ease-in and ease-out at the borders. By default, 0.2 or 0.4, depending on the operation."),
    ),
]
Unprotected = Annotated[bool, typer.Option("--no-protect", help="Allow planted feet to move.")]
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
    Path | None, typer.Option("-o", "--output", help="Draw the motion before and after: .png, .svg or .gif.")
]


@app.command()
def apply(
    bank_path: BankPath,
    segment: SegmentArgument,
    operation: OperationArgument,
    parameters: ParametersArgument = None,
    to: To = None,
    search: SearchK = None,
    within: Within = None,
    joints: Joints = None,
    strength: Strength = 1.0,
    strength_by: StrengthBy = "constant",
    ease: Ease = None,
    unprotected: Unprotected = False,
    unaligned: Unaligned = False,
    align_by: AlignBy = None,
    vary: Vary = None,
    seed: Seed = 0,
    drop: Drop = None,
    not_itself: NotItself = False,
    overlaps: Overlaps = False,
    new_clips: NewClips = False,
    variants: Variants = 1,
    output: Output = None,
    view: Annotated[View, typer.Option("--view", help="Camera direction for -o.")] = "auto",
    spread: Annotated[Spread, typer.Option("--spread", help="Horizontal axis of the picture, as in `show`.")] = "auto",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Apply an operation to SEGMENT, and to the segments chosen by --to or --search.

    All of it is one change for `undo`.
    """
    check_pictures((output, True))
    from motionary.bank import Bank
    from motionary.edit import apply_edit

    words = _words(
        parameters, to, search, within, joints, strength, strength_by, ease, unprotected, unaligned, align_by, vary,
        seed, drop, not_itself, overlaps,
    )  # fmt: skip
    with Bank.open(bank_path) as bank:
        if output is not None:  # drawn first: a picture that cannot be made changes nothing
            _draw(apply_edit(bank, segment, operation, **words, dry_run=True, measured=False), output, view, spread)
        report = apply_edit(bank, segment, operation, **words, new_clips=new_clips, variants=variants, dry_run=dry_run)
    _print(report, as_json=as_json, dry_run=dry_run)


@app.command()
def preview(
    bank_path: BankPath,
    segment: SegmentArgument,
    operation: OperationArgument,
    parameters: ParametersArgument = None,
    to: To = None,
    search: SearchK = None,
    within: Within = None,
    joints: Joints = None,
    strength: Strength = 1.0,
    strength_by: StrengthBy = "constant",
    ease: Ease = None,
    unprotected: Unprotected = False,
    unaligned: Unaligned = False,
    align_by: AlignBy = None,
    vary: Vary = None,
    seed: Seed = 0,
    drop: Drop = None,
    not_itself: NotItself = False,
    overlaps: Overlaps = False,
    output: Output = None,
    view: Annotated[View, typer.Option("--view", help="Camera direction for -o.")] = "auto",
    spread: Annotated[Spread, typer.Option("--spread", help="Horizontal axis of the picture, as in `show`.")] = "auto",
    find: Annotated[
        int | None,
        typer.Option(
            "--find", metavar="K", min=1, help=("Also list the K recorded segments most similar to the edited one.")
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what `edit apply` with the same arguments would change; change nothing."""
    check_pictures((output, True))
    from motionary.bank import Bank
    from motionary.edit import find_like_edit, preview_edit

    words = _words(
        parameters, to, search, within, joints, strength, strength_by, ease, unprotected, unaligned, align_by, vary,
        seed, drop, not_itself, overlaps,
    )  # fmt: skip
    with Bank.open(bank_path) as bank:
        report = preview_edit(bank, segment, operation, **words)
        alike = find_like_edit(bank, report, k=find) if find is not None else ()
    if output is not None:
        _draw(report, output, view, spread)
    _print(report, as_json=as_json, dry_run=True)
    for match in alike:
        say(f"like it: {match.clip}:{match.segment.start}-{match.segment.stop}, {match.mean:.1f} {match.unit} away")


@app.command()
def again(
    bank_path: BankPath,
    recipe: Annotated[str, typer.Argument(metavar="RECIPE", help="Hash of a recipe in BANK, or a .json file.")],
    to: Annotated[
        list[str],
        typer.Option("--to", help=("Segments to edit: @SELECTION, label:NAME or CLIP:START-STOP. Can be repeated.")),
    ],
    drop: Drop = None,
    overlaps: Overlaps = False,
    new_clips: NewClips = False,
    variants: Variants = 1,
    output: Output = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Apply a stored recipe to other segments."""
    check_pictures((output, True))
    from motionary.bank import Bank
    from motionary.edit import apply_again

    with Bank.open(bank_path) as bank:
        if output is not None:
            _draw(
                apply_again(bank, recipe, to, drop=drop or (), overlaps=overlaps, dry_run=True), output, "auto", "auto"
            )
        report = apply_again(
            bank, recipe, to, drop=drop or (), overlaps=overlaps, new_clips=new_clips, variants=variants,
            dry_run=dry_run,
        )  # fmt: skip
    _print(report, as_json=as_json, dry_run=dry_run)


@app.command(name="ls")
def list_(
    bank_path: BankPath,
    clips: Annotated[
        list[str] | None, typer.Argument(metavar="[CLIP…]", help=("Clips, by name or #id. By default, all clips."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the edits of clips, lowest layer first."""
    from motionary.bank import Bank
    from motionary.edit import list_edits

    with Bank.open(bank_path) as bank:
        layers = list_edits(bank, clips or ())
    if as_json:
        print_json(layer.as_json() for layer in layers)
        return
    rows = [
        [
            one.clip,
            str(one.position),
            one.operation,
            f"{one.start}-{one.stop}",
            f"{one.strength:g}",
            one.hash,
            one.origin,
        ]
        for one in layers
    ]
    if rows:
        print_table(["clip", "layer", "operation", "frames", "strength", "recipe", "from"], rows)
    say(counted(len(rows), "edit") if rows else "no clip is edited")


@app.command()
def show(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Clip, by name or #id.")],
    position: Annotated[
        int | None, typer.Argument(metavar="[LAYER]", help=("Layer number. By default, the highest layer."))
    ] = None,
) -> None:
    """Print an edit as JSON: its recipe, and its values for this segment."""
    from motionary.bank import Bank
    from motionary.edit import list_edits
    from motionary.errors import NotInBankError

    with Bank.open(bank_path) as bank:
        layers = list_edits(bank, [clip])
    if not layers or not 1 <= (position or len(layers)) <= len(layers):
        raise NotInBankError(f"clip {clip!r} has {counted(len(layers), 'edit')}; `edit ls` lists them")
    print(json.dumps(dict(layers[(position or len(layers)) - 1].content), ensure_ascii=False, indent=2))


@app.command()
def rm(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Clip, by name or #id.")],
    positions: Annotated[
        list[int] | None, typer.Argument(metavar="[LAYER…]", help="Layer numbers. By default, the highest layer.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remove edits from a clip. The layers above are applied again."""
    from motionary.bank import Bank
    from motionary.edit import remove_edits

    with Bank.open(bank_path) as bank:
        gone = remove_edits(bank, clip, positions or None, dry_run=dry_run)
    if as_json:
        print_json(layer.as_json() for layer in gone)
        return
    for layer in gone:
        print(f"removed {layer.operation} on {layer.clip}:{layer.start}-{layer.stop}")
    if dry_run:
        say("dry run: nothing was changed")


@app.command()
def recipes(
    bank_path: BankPath,
    export: Annotated[
        str | None, typer.Option("--export", metavar="HASH", help="Export this recipe to a file.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Output file: .json.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the edit recipes of BANK, or export one."""
    from motionary.bank import Bank
    from motionary.edit import edit_recipes, recipe_called, write_recipe
    from motionary.errors import UsageError

    with Bank.open(bank_path) as bank:
        if export is not None:
            if output is None or output.suffix != ".json":
                raise UsageError("--export needs a file to write to: -o recipe.json")
            write_recipe(recipe_called(bank, export), output)
            print(output)
            return
        found = edit_recipes(bank)
    if as_json:
        print_json({"hash": name, "edits": n, "recipe": recipe.as_json()} for name, (recipe, n) in found.items())
        return
    rows = [
        [name, recipe.operation.name, str(n), _said(recipe.operation.as_json()["parameters"]), recipe.example]
        for name, (recipe, n) in found.items()
    ]
    if rows:
        print_table(["recipe", "operation", "edits", "parameters", "from"], rows)
    say(counted(len(rows), "recipe") if rows else "no clip is edited")


@app.command(name="operations")
def operations_(
    name: Annotated[str | None, typer.Argument(metavar="[OPERATION]", help="Operation to describe.")] = None,
    as_json: AsJson = False,
) -> None:
    """List all edit operations, or describe one and its parameters."""
    from motionary.edit import operation_called, operations

    kinds = [operation_called(name)] if name else list(operations().values())
    if as_json:
        print_json(
            {
                "operation": kind.name,
                "title": kind.title,
                "about": _about(kind),
                "changes_length": kind.changes_length,
                "joints": list(kind.default_joints),
                "parameters": kind.parameters(),
            }
            for kind in kinds
        )
    elif name:
        print(f"{kinds[0].name}: {kinds[0].title}\n\n{_about(kinds[0])}\n")
        rows = [
            [one["parameter"], _said_value(one["default"]), _range(one), one["help"], "yes" if one["varies"] else ""]
            for one in kinds[0].parameters()
        ]
        if rows:
            print_table(["parameter", "usually", "range", "what it is", "may vary"], rows)
    else:
        print_table(["operation", "what it does"], [[kind.name, kind.title] for kind in kinds])


@app.command()
def qualities(
    bank_path: BankPath,
    segments: Segments,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", help=("Only segments with QUALITY>NUMBER (or <, >=, <=). Can be repeated.")),
    ] = None,
    keep: Annotated[
        str | None, typer.Option("--keep", help="Store the listed matches of a @SELECTION as a new selection.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the Effort and Shape qualities of segments: how they move, not what they do."""
    from motionary.bank import Bank
    from motionary.edit import measure_qualities
    from motionary.errors import UsageError
    from motionary.qualities import QUALITIES

    with Bank.open(bank_path) as bank:
        found = measure_qualities(bank, segments, where=where or ())
        if keep is not None:
            if len(segments) != 1 or not segments[0].startswith("@"):
                raise UsageError("--keep keeps matches of one selection: name it, as in @found")
            name, _, ranks = segments[0].removeprefix("@").partition(":")
            selection, there = bank.selection(name), {one.segment for one in found}
            matches = bank.matches(name, [ranks] if ranks else None).values()
            rows = [match for match in matches if match.segment in there]
            bank.keep_selection(keep, rows, query=selection.query, method=selection.method, asked=selection.asked)
            say(f"kept {counted(len(rows), 'match')} as {keep}")
    if as_json:
        print_json(one.as_json() for one in found)
        return
    rows_ = [
        [f"{one.clip}:{one.segment.start}-{one.segment.stop}", *(f"{one.measures[name]:.2f}" for name in QUALITIES)]
        for one in found
    ]
    if rows_:
        print_table(["segment", *QUALITIES], rows_)
    else:
        say("none is like that")


def _words(
    parameters: list[str] | None,
    to: list[str] | None,
    search: int | None,
    within: float | None,
    joints: list[str] | None,
    strength: float,
    strength_by: str,
    ease: float | None,
    unprotected: bool,
    unaligned: bool,
    align_by: list[str] | None,
    vary: list[str] | None,
    seed: int,
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
        "align": not unaligned,
        "align_joints": align_by or (),
        "vary": _ranges(vary or []),
        "seed": seed,
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


def _draw(report: "EditReport", path: Path, view: View, spread: Spread) -> None:
    from motionary.picture import show_edits

    for remark in show_edits(report, path, view=view, spread=spread):
        say(remark)


def _print(report: "EditReport", *, as_json: bool, dry_run: bool) -> None:
    rows = report.rows
    if as_json:
        print_json(rows)
    else:
        header = ["#", "segment", "like", "strength", "moved cm", "slide cm", "score cm", "frames", "what else"]
        print_table(header, [_table_row(row) for row in rows])
    for text in report.left_alone:
        say(f"left alone: {text}")
    for name in report.new_clips:
        say(f"added {name}")
    n_failed = sum(bool(row["problem"]) for row in rows)
    if n_failed:
        say(f"{counted(n_failed, 'edit')} cannot be done; --drop leaves them out")
    if dry_run:
        say(f"recipe {report.recipe.hash}; nothing was changed")
    elif report.change_id is None:
        say("the edit changes nothing")
    else:
        say(f"recipe {report.recipe.hash}; {counted(report.n_changed, 'edit')}, undone by `motionary undo`")


def _table_row(row: dict[str, Any]) -> list[str]:
    def both(name: str, digits: int) -> str:
        before, after = row[f"{name}_before_cm"], row[f"{name}_after_cm"]
        return "" if before is None or after is None else f"{before:.{digits}f} → {after:.{digits}f}"

    else_ = [*row["notes"], *(f"loses {lost}" for lost in row["lost"])]
    if row["problem"]:
        else_ = [row["problem"]]
    return [
        str(row["number"]),
        f"{row['clip']}:{row['start']}-{row['stop']}" + (" mirrored" if row["mirrored"] else ""),
        f"{row['like']:.2f}",
        f"{row['strength']:.2f}",
        "" if row["moved_cm"] is None else f"{row['moved_cm']:.1f}",
        both("slide", 2),
        both("score", 1),
        "" if not row["frames"] else f"{row['frames']:+d}",
        "; ".join(else_),
    ]


def _about(kind: type) -> str:
    import inspect

    return inspect.cleandoc(kind.__doc__ or "")


def _said(parameters: dict[str, Any]) -> str:
    text = ", ".join(f"{name}={_said_value(value)}" for name, value in parameters.items())
    return text if len(text) <= 60 else text[:59] + "…"


def _said_value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False) if value != "" else ""


def _range(one: dict[str, Any]) -> str:
    if one["choices"]:
        return ", ".join(one["choices"])
    low, high = ("" if bound is None else f"{bound:g}" for bound in (one["low"], one["high"]))
    return f"{low}–{high} {one['unit']}".strip() if low or high else str(one["unit"])
