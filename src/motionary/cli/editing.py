"""edit: apply, preview, again, rm, and what lists edits."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionary.cli.edit_listing import list_, operations_, qualities, recipes, show
from motionary.cli.edit_options import (
    Drop,
    EditOptions,
    NewClips,
    OperationArgument,
    Output,
    Overlaps,
    SegmentArgument,
    Variants,
    with_edit_options,
)
from motionary.cli.options import AsJson, BankPath, DryRun, Spread, View
from motionary.cli.output import check_pictures, counted, print_json, print_table, say

if TYPE_CHECKING:
    from motionary.edit import EditReport

app = typer.Typer(help="Edit segments, and all motions similar to them.", no_args_is_help=True)


@app.command()
@with_edit_options
def apply(
    bank_path: BankPath,
    segment: SegmentArgument,
    operation: OperationArgument,
    options: EditOptions,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Apply an operation to SEGMENT, and to the segments chosen by --to or --search.

    All of it is one change for `undo`.
    """
    check_pictures((options.output, True))
    from motionary.bank import Bank
    from motionary.edit import apply_edit

    keywords = options.as_keywords()
    with Bank.open(bank_path) as bank:
        if options.output is not None:  # drawn first: a picture that cannot be made changes nothing
            drawn = apply_edit(bank, segment, operation, **keywords, dry_run=True, measured=False)
            _draw(drawn, options.output, options.view, options.spread)
        report = apply_edit(bank, segment, operation, **keywords, dry_run=dry_run)
    _print(report, as_json=as_json, dry_run=dry_run)


@app.command()
@with_edit_options
def preview(
    bank_path: BankPath,
    segment: SegmentArgument,
    operation: OperationArgument,
    options: EditOptions,
    find: Annotated[
        int | None,
        typer.Option(
            "--find", metavar="K", min=1, help=("Also list the K recorded segments most similar to the edited one.")
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what `edit apply` with the same arguments would change; change nothing."""
    check_pictures((options.output, True))
    from motionary.bank import Bank
    from motionary.edit import find_like_edit, preview_edit

    keywords = options.as_keywords()
    with Bank.open(bank_path) as bank:
        report = preview_edit(bank, segment, operation, **keywords)
        alike = find_like_edit(bank, report, k=find) if find is not None else ()
    if options.output is not None:
        _draw(report, options.output, options.view, options.spread)
    _print(report, as_json=as_json, dry_run=True)
    for match in alike:
        say(f"similar: {match.clip}:{match.segment.start}-{match.segment.stop}, {match.mean:.1f} {match.unit} away")


@app.command()
def again(
    bank_path: BankPath,
    recipe: Annotated[str, typer.Argument(metavar="RECIPE", help="Hash of a recipe in BANK, or a .json file.")],
    to: Annotated[
        list[str],
        typer.Option("--to", help="Segments to edit, as in `edit apply --to`. Can be repeated."),
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

    keywords: dict[str, Any] = {
        "drop": drop or (), "overlaps": overlaps, "new_clips": new_clips, "variants": variants
    }  # fmt: skip
    with Bank.open(bank_path) as bank:
        if output is not None:
            _draw(apply_again(bank, recipe, to, **keywords, dry_run=True, measured=False), output, "auto", "auto")
        report = apply_again(bank, recipe, to, **keywords, dry_run=dry_run)
    _print(report, as_json=as_json, dry_run=dry_run)


@app.command()
def learn(
    bank_path: BankPath,
    operation: Annotated[str, typer.Argument(metavar="OPERATION", help="What to learn: style or limits.")],
    segments: Annotated[
        list[str],
        typer.Argument(
            metavar="SEGMENT…", help="For style, a neutral and a styled segment; for limits, any number of segments."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Output file: .json.")],
    bands: Annotated[
        int, typer.Option("--bands", min=1, max=8, help="For style: number of frequency bands that are told apart.")
    ] = 4,
    share: Annotated[
        float, typer.Option("--share", help="For limits: share of all frames that lie within them, above 0.5.")
    ] = 0.999,
) -> None:
    """Learn a style or joint limits from segments, as an operation file for `edit apply`."""
    from motionary.bank import Bank
    from motionary.edit import Style, learn_operation, write_operation
    from motionary.errors import UsageError

    if output.suffix != ".json":
        raise UsageError(f"{output}: an operation is written to a .json file")
    with Bank.open(bank_path) as bank:
        learnt = learn_operation(bank, operation, segments, bands=bands, share=share)
    write_operation(learnt, output)
    if isinstance(learnt, Style) and not learnt.cycle:
        say(
            "No cycles are found in both segments, so that the style is mean poses, deviations and timing only. "
            "Of walks and the like, name stretches of even steps."
        )
    print(output)


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
        say(f"left unchanged: {text}")
    for text in report.remarks:
        say(text)
    for name in report.new_clips:
        say(f"added {name}")
    failed = {row["number"] for row in rows if row["problem"]}
    none_works = bool(rows) and all(row["problem"] for row in rows)
    if failed:
        say(f"{counted(len(failed), 'edit')} cannot be done" + ("" if none_works else "; --drop leaves them out"))
    if dry_run:
        say(f"recipe {report.recipe.hash}; nothing was changed")
    elif report.change_id is None:
        say("the edit changes nothing")
    else:
        say(f"recipe {report.recipe.hash}; {counted(report.n_changed, 'edit')}, undone by `motionary undo`")
    if none_works:
        raise typer.Exit(1)


def _table_row(row: dict[str, Any]) -> list[str]:
    def both(name: str, digits: int) -> str:
        before, after = row[f"{name}_before_cm"], row[f"{name}_after_cm"]
        return "" if before is None or after is None else f"{before:.{digits}f} → {after:.{digits}f}"

    moved = [counted(row[f"{what}s_moved"], what) for what in ("label", "plant") if row[f"{what}s_moved"]]
    else_ = [*row["notes"], *(f"loses {lost}" for lost in row["lost"])]
    if moved:
        else_.insert(0, f"moves {', '.join(moved)}")
    if row["problem"]:
        else_ = [row["problem"]]
    return [
        str(row["number"]),
        f"{row['clip']}:{row['start']}-{row['stop']}" + (" mirrored" if row["mirrored"] else ""),
        "–" if row["like"] is None else f"{row['like']:.2f}",
        f"{row['strength']:.2f}",
        "" if row["moved_cm"] is None else f"{row['moved_cm']:.1f}",
        both("slide", 2),
        both("score", 1),
        "" if not row["frames"] else f"{row['frames']:+d}",
        "; ".join(else_),
    ]


app.command(name="ls")(list_)
app.command()(show)
app.command()(recipes)
app.command(name="operations")(operations_)
app.command()(qualities)
