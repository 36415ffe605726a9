"""label: add, rm, ls, find, import; spread, review, accept and reject come from `spreading`."""

from pathlib import Path
from typing import Annotated

import typer

from motionary.cli import spreading
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun, LeastStrength, Limit, Segments
from motionary.cli.output import counted, print_json, print_table, say, shortened

app = typer.Typer(help="Label clips and segments.", no_args_is_help=True)
Names = Annotated[list[str], typer.Option("--label", "-l", help="Label to add. Can be repeated.")]


@app.command()
def add(bank_path: BankPath, segments: Segments, names: Names, dry_run: DryRun = False) -> None:
    """Add labels to segments or whole clips."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_new = bank.label(segments, names)
    print(f"{counted(n_new, 'label')} added")


@app.command()
def rm(
    bank_path: BankPath,
    segments: Segments,
    names: Annotated[
        list[str] | None,
        typer.Option("--label", "-l", help=("Label to remove. By default, all labels. Can be repeated.")),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Remove labels. For a clip, this includes the labels of its segments; for a segment, only those inside it."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        for name in names or []:
            bank.check_label(name)
        n_gone = bank.unlabel(segments, names or [])
    print(f"{counted(n_gone, 'label')} removed")


@app.command()
def ls(
    bank_path: BankPath,
    clip: Annotated[
        str | None, typer.Argument(metavar="[CLIP]", help="Clip, by name or #id. Without it, count all labels.")
    ] = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List the labels of a clip, or count all labels of BANK."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        if clip is None:
            header, counts = ["label", "clips", "segments"], bank.label_counts()[:limit]
            rows = [[name, str(n_clips), str(n_segments)] for name, n_clips, n_segments in counts]
            objects = [dict(zip(header, count, strict=True)) for count in counts]
        else:
            header, labels = ["label", "start", "stop", "strength", "origin"], bank.labels(bank.clip(clip))[:limit]
            objects = [label.as_json() for label in labels]
            rows = [["" if value is None else str(value) for value in facts.values()] for facts in objects]
    if as_json:
        print_json(objects)
    elif rows:
        print_table(header, rows)
    else:
        say("no labels")


@app.command()
def find(
    bank_path: BankPath,
    label: Annotated[str, typer.Argument(metavar="LABEL", help="Label to find.")],
    strength: LeastStrength = 0.0,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List the segments that have LABEL."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        bank.check_label(label)
        found = [
            (bank.segment_name(segment), segment, bank.clip(segment.clip_id))
            for segment in bank.labelled(label, strength=strength)[:limit]
        ]
    if as_json:
        print_json(
            {"segment": name, "id": clip.id, "clip": clip.name, "start": segment.start, "stop": segment.stop}
            for name, segment, clip in found
        )
        return
    described = any(clip.description for _, _, clip in found)
    rows = [
        [name, f"{segment.n_frames * clip.frame_time:.2f}", *([shortened(clip.description)] if described else [])]
        for name, segment, clip in found
    ]
    if rows:
        print_table(["segment", "seconds", "description"] if described else ["segment", "seconds"], rows)
    else:
        say(f"no segment has the label {label!r} with this strength; see --strength")


@app.command(name="import")
def import_(
    bank_path: BankPath,
    table: Annotated[
        Path,
        typer.Argument(
            metavar="CSV",
            help=("CSV file with the columns clip or file, label, and optionally start, stop and description."),
        ),
    ],
    label_column: Annotated[str, typer.Option(help="Column that holds the label.")] = "label",
    dry_run: DryRun = False,
) -> None:
    """Import labels from a CSV file for clips already in BANK."""
    from motionary.bank import label_from_table, read_labels

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        report = label_from_table(bank, read_labels(table, label_column=label_column))
    print(f"{counted(report.n_new, 'label')} added")
    if report.n_described:
        print(f"{counted(report.n_described, 'clip')} with a new description")
    left_out = [*report.warnings, *(f"{row.place}: no clip {row.who!r} in the bank" for row in report.unused)]
    for line in left_out[:12]:
        say(line)
    if len(left_out) > 12:
        say(f"… and {len(left_out) - 12} more rows that match no clip or frames")


for of_spreading in (spreading.spread, spreading.review, spreading.accept, spreading.reject):
    app.command(name=of_spreading.__name__)(of_spreading)
