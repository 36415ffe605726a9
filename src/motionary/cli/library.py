"""import, sample, ls, info, show, export."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun, LeastStrength, Limit, Segments, Spread, View
from motionary.cli.output import counted, print_json, print_table, progress_bar, rate, say, seconds, shortened

if TYPE_CHECKING:
    from motionary.bank import Bank, Clip, ImportReport
    from motionary.motion import Segment


def import_(
    bank_path: BankPath,
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Files, folders, archives or glob patterns.")],
    unit: Annotated[
        str | None,
        typer.Option(
            help=(
                "Length unit of the files: m, dm, cm, mm, in, ft, cmu, or the "
                "unit's length in metres. Guessed by default."
            )
        ),
    ] = None,
    up: Annotated[Literal["y", "z"] | None, typer.Option(help="Vertical axis. Guessed by default.")] = None,
    handedness: Annotated[
        Literal["right", "left"] | None, typer.Option(help=("Handedness of the coordinate system. Guessed by default."))
    ] = None,
    rate_hz: Annotated[float | None, typer.Option("--rate", help="Frame rate in Hz; overrides the files' own.")] = None,
    asf: Annotated[
        Path | None, typer.Option(help=("Skeleton for .amc files. By default, the .asf file in the same folder."))
    ] = None,
    truncate: Annotated[bool, typer.Option("--truncate", help="Import the valid frames of truncated files.")] = False,
    drop_t_pose: Annotated[bool, typer.Option("--drop-t-pose", help="Drop an artificial T-pose at the start.")] = False,
    keep_copies: Annotated[
        bool,
        typer.Option("--keep-copies", help=("Also import files whose motion is already in BANK under another name.")),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help=("Import files again that are already in BANK; their clips get a new version.")),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(help=("CSV file with the columns clip or file, label, and optionally start and stop.")),
    ] = None,
    label_column: Annotated[str, typer.Option(help="Column of --labels that holds the label.")] = "label",
    label_folders: Annotated[
        bool, typer.Option("--label-folders", help=("Label each clip with the names of its folders."))
    ] = False,
    label_pattern: Annotated[
        str | None, typer.Option(help=("Regular expression for file names; its first group becomes the label."))
    ] = None,
    licence: Annotated[
        str, typer.Option(help="Licence of the files; stored with each clip and written to exports.")
    ] = "",
    credit: Annotated[str, typer.Option(help="Credit line; stored with each clip and written to exports.")] = "",
    processes: Annotated[int | None, typer.Option(min=1, help="Number of processes. By default, one per core.")] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Import motion files into BANK; create BANK if it does not exist."""
    from motionary.bank import ImportOptions, import_motions, read_labels
    from motionary.motion import frame_time_of, unit_metres

    options = ImportOptions(
        unit_metres=None if unit is None else unit_metres(unit),
        up=up,
        handedness=handedness,
        frame_time=None if rate_hz is None else frame_time_of(rate_hz),
        asf_path=asf,
        truncate=truncate,
        drop_t_pose=drop_t_pose,
        keep_copies=keep_copies,
        replace=replace,
        labels=None if labels is None else read_labels(labels, label_column=label_column),
        label_folders=label_folders,
        label_pattern=label_pattern,
        licence=licence,
        credit=credit,
    )
    with progress_bar("Importing") as step:
        report = import_motions(bank_path, paths, options=options, processes=processes, dry_run=dry_run, progress=step)
    if as_json:
        print_json([report.as_json()])
    else:
        _print_report(report, dry_run=dry_run, replacing=replace)
    if report.interrupted:
        say(f"Interrupted: clips added to the bank: {len(report.added)}. Run the same command again to continue.")
        raise typer.Exit(130)
    if report.failed:
        raise typer.Exit(1)


def sample(
    bank_path: BankPath,
    minutes: Annotated[float, typer.Option(min=0.1, help="Length of the library in minutes.")] = 20.0,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same library.")] = 0,
    preset: Annotated[str, typer.Option(help="Kind of library: everyday, raises or raises-wide.")] = "everyday",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate a synthetic, labelled sample library in BANK."""
    from motionary.sample import sample_into

    with bank_to_change(bank_path, dry_run=dry_run, create=True) as bank, progress_bar("Making") as step:
        clips = sample_into(bank, minutes=minutes, seed=seed, preset=preset, progress=step)
    if as_json:
        print_json(clip.as_json() for clip in clips)
    else:
        total = sum(clip.duration_secs for clip in clips)
        print(f"{counted(len(clips), 'clip')}, {seconds(total)}, in {bank_path}")


def ls(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help=("Only clips with this label. Can be repeated."))
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    strength: LeastStrength = 0.0,
    sort: Annotated[
        Literal["id", "name", "seconds", "frames"],
        typer.Option(help="Sort by id, by name, or by length in seconds or frames, longest first."),
    ] = "id",
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List the clips of BANK."""
    from motionary.bank import Bank, why_none

    with Bank.open(bank_path) as bank:
        for one in label or ():
            bank.check_label(one)
        chosen = " ".join(words or ()), label or (), name or ()
        clips = bank.clips(chosen[0], labels=chosen[1], names=chosen[2], strength=strength)
        why = why_none(bank, *chosen) if not clips and any(chosen) else ""
    clips, n_found = _sorted(clips, sort)[:limit], len(clips)
    if as_json:
        print_json(clip.as_json() for clip in clips)
        return
    described = any(c.description for c in clips)
    rows = [
        [
            f"#{c.id}",
            c.name,
            f"{c.n_frames}",
            rate(c.frame_time),
            f"{c.duration_secs:.2f}",
            f"{c.n_joints}",
            _short(c.labels),
            *([shortened(c.description)] if described else []),
        ]
        for c in clips
    ]
    if rows:
        header = ["id", "clip", "frames", "Hz", "seconds", "joints", "labels"]
        print_table([*header, "description"] if described else header, rows)
    total = sum(clip.duration_secs for clip in clips)
    n_frames = sum(clip.n_frames for clip in clips)
    listed = counted(n_found, "clip") if len(clips) == n_found else f"{len(clips)} of {counted(n_found, 'clip')}"
    say(f"{listed}, {counted(n_frames, 'frame')}, {seconds(total)}")
    if why:
        say(why)


def _sorted(clips: "Sequence[Clip]", by: str) -> "list[Clip]":
    """Clips in the order that was asked for; those that are alike stay in the order of their ids."""
    keys = {"name": lambda clip: clip.name, "seconds": lambda clip: -clip.duration_secs}
    keys |= {"frames": lambda clip: -clip.n_frames, "id": lambda clip: clip.id}
    return sorted(clips, key=keys[by])


def info(
    bank_path: BankPath,
    clip: Annotated[
        str | None, typer.Argument(metavar="[CLIP]", help=("Clip, by name or #id. Without it, show a summary of BANK."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show details of a clip, with a chart of its speed and foot contacts, or a summary of BANK."""
    from motionary.bank import Bank
    from motionary.cli.describing import facts_text
    from motionary.facts import describe

    with Bank.open(bank_path) as bank:
        facts = describe(bank) if clip is None else describe(bank, clip)
    if as_json:
        print_json([facts.as_json()])
    else:
        print(facts_text(facts))


def show(
    bank_path: BankPath,
    segments: Segments,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help=("Picture file: .png or .svg for a film strip, .gif or .mp4 for an animation.")
        ),
    ] = Path("strip.png"),
    poses: Annotated[
        int | None, typer.Option(min=1, help="Number of poses per row. By default, as many as fit.")
    ] = None,
    width: Annotated[int | None, typer.Option(min=200, max=20000, help="Width of the picture in pixels.")] = None,
    view: Annotated[
        View, typer.Option(help="Camera direction; auto picks the one that shows the movement best.")
    ] = "auto",
    spread: Annotated[
        Spread,
        typer.Option(
            help=(
                "Horizontal axis. time: the same time scale for all rows; ends: each row from "
                "its first to its last frame; travel: distance on the ground."
            )
        ),
    ] = "auto",
) -> None:
    """Draw segments as a film strip or an animation. An existing picture file is replaced."""
    from motionary.bank import Bank
    from motionary.picture import show_segments

    with Bank.open(bank_path) as bank:
        remarks = show_segments(bank, segments, output, n_poses=poses, width=width, view=view, spread=spread)
    print(output)
    for remark in remarks:
        say(remark)


def export(
    bank_path: BankPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", help=("Output file for one segment, output folder for several."))
    ],
    segments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEGMENT…]", help=("CLIP, CLIP:START-STOP or @SELECTION. Can be omitted with --label or --all.")
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help=("Export all segments with this label. Can be repeated."))
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Export all clips.")] = False,
    format: Annotated[
        Literal["bvh", "glb"] | None,
        typer.Option("--format", "-f", help=("File format. By default, taken from the output's file extension.")),
    ] = None,
    onto: Annotated[str | None, typer.Option(help="Retarget to the skeleton of this clip, or to `reference`.")] = None,
    mirror: Annotated[bool, typer.Option("--mirror", help="Mirror the motion.")] = False,
    as_query: Annotated[
        bool,
        typer.Option("--as-query", help="For @SELECTION: mirror mirrored matches back, so all move as their query."),
    ] = False,
    query_clock: Annotated[
        bool, typer.Option("--query-clock", help="For @SELECTION: warp the time of each match to that of its query.")
    ] = False,
    recentre: Annotated[bool, typer.Option("--recentre", help="Start at the origin, facing +z.")] = False,
    rate_hz: Annotated[float | None, typer.Option("--rate", help="Resample to this frame rate in Hz.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Export segments as BVH or GLB files. An imported BVH keeps its skeleton, channels and units."""
    from motionary.bank import Bank, ExportOptions
    from motionary.bank import export as write
    from motionary.motion import frame_time_of

    options = ExportOptions(
        format=format,
        onto=onto,
        mirrored=mirror,
        as_query=as_query,
        on_query_clock=query_clock,
        recentred=recentre,
        frame_time=None if rate_hz is None else frame_time_of(rate_hz),
    )
    with Bank.open(bank_path) as bank:
        chosen: Sequence[str | Segment] = segments or []
        if not ((as_query or query_clock) and segments and not label and not everything):
            chosen = chosen_segments(bank, segments or [], label or [], everything=everything)
        written = write(bank, chosen, output, options=options, overwrite=overwrite, dry_run=dry_run)
    if as_json:
        print_json(file.as_json() for file in written)
    else:
        for file in written:
            print(file.path)
            for note in file.notes:
                say(f"{file.path}: {note}")


def chosen_segments(
    bank: "Bank", named: list[str], labels: list[str], *, everything: bool, done: str = "exports"
) -> "list[Segment]":
    """The segments that are named or carry a label, each once; or every clip. `done` says what --all does."""
    from motionary.errors import UsageError

    if everything:
        if named or labels:
            raise UsageError(f"--all {done} every clip; do not name segments or labels with it")
        bank.check_has_clips()
        return [clip.segment for clip in bank.clips()]
    if not named and not labels:
        raise UsageError("name segments, or use --label or --all")
    found = bank.segments_of(named)
    for label in labels:
        bank.check_label(label)
        found += bank.labelled(label)
    return list(dict.fromkeys(found))


def _short(labels: tuple[str, ...]) -> str:
    text = ", ".join(labels[:4])
    return text if len(labels) <= 4 else f"{text} +{len(labels) - 4}"


def _print_report(report: "ImportReport", *, dry_run: bool, replacing: bool) -> None:
    from motionary.bank import not_read

    done = "would be added" if dry_run else "added"
    print(f"{counted(len(report.added), 'clip')} {done}")
    for space, n_files in sorted(report.spaces.items()):
        print(f"  read as {space}: {n_files}")
    if report.replaced:
        print(f"{counted(len(report.replaced), 'clip')} {'would get' if dry_run else 'with'} a new version")
    if report.known:
        hint = "" if replacing else "; --replace imports them again"
        print(f"{counted(len(report.known), 'file')} already in the bank{hint}")
    if report.labelled:
        n_labels = sum(n_new for _, n_new in report.labelled)
        print(f"{counted(n_labels, 'label')} {done} to {len(report.labelled)} of their clips")
    if report.without_row:
        print(f"{counted(len(report.without_row), 'clip')} without a row in the label table:")
        _print_some([f"  {clip}" for clip in report.without_row])
    if report.copies:
        print(f"{counted(len(report.copies), 'file')} with motions already in the bank (--keep-copies imports them):")
        _print_some([f"  {file} is {clip}" for file, clip in report.copies])
    if report.warnings:
        print(f"{counted(len(report.warnings), 'warning')}:")
        _print_some([f"  {clip}: {warning}" for clip, warning in report.warnings])
    for passed_over in report.passed_over:
        say(not_read(passed_over))
    for _, error in report.failed:
        say(f"failed: {error}")


def _print_some(lines: list[str], most: int = 12) -> None:
    for line in lines[:most]:
        print(line)
    if len(lines) > most:
        print(f"  … and {len(lines) - most} more (--json lists all)")
