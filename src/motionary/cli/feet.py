"""plants, clean."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun, Segments
from motionary.cli.output import check_pictures, counted, print_json, print_table, progress_bar, say

plants = typer.Typer(help="Foot plants: when and where a foot is planted.", no_args_is_help=True)
FootOption = Annotated[Literal["left", "right"], typer.Option("--foot", help="Foot.")]
PartOption = Annotated[
    Literal["heel", "toe"] | None,
    typer.Option("--part", help=("Heel, or toe (the ball of the foot). By default, both.")),
]


@plants.command()
def detect(
    bank_path: BankPath,
    clips: Annotated[
        list[str] | None, typer.Argument(metavar="[CLIP…]", help="Clips, by name or #id. By default, all clips.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Detect the foot plants of clips and store them in BANK."""
    from motionary.bank import Bank
    from motionary.feet import store_plants

    with Bank.open(bank_path) as bank, progress_bar("Looking at") as step:
        wanted = clips or [f"#{clip.id}" for clip in bank.clips()]
        results = store_plants(bank, wanted, dry_run=dry_run, progress=step)
    if as_json:
        print_json(result.as_json() for result in results)
        return
    found = [result for result in results if not result.left_out]
    print(f"{counted(sum(result.n_plants for result in found), 'plant')} in {counted(len(found), 'clip')}")
    for result in results:
        for note in (result.left_out, *result.notes):
            if note:
                say(f"{result.clip.name}: {note}")


@plants.command(name="ls")
def list_(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Clip, by name or #id.")],
    as_json: AsJson = False,
) -> None:
    """List the foot plants of a clip. If BANK stores none, detect them."""
    from motionary.bank import Bank
    from motionary.library import performance

    with Bank.open(bank_path) as bank:
        acted = performance(bank, bank.clip(clip))
    if as_json:
        print_json(plant.as_json() for plant in acted.plants)
        return
    rows = [
        [p.foot, p.part, str(p.start), str(p.stop), f"{(p.stop - p.start) * acted.clip.frame_time:.2f}"]
        + [f"{x:.3f}" for x in p.place]
        + [p.origin]
        for p in acted.plants
    ]
    if rows:
        print_table(["foot", "part", "start", "stop", "seconds", "x", "y", "z", "origin"], rows)
    origin = "kept in the bank" if acted.plants_origin else "detected now; `plants detect` keeps them"
    say(f"{counted(len(rows), 'plant')}, {origin}")


@plants.command()
def add(
    bank_path: BankPath,
    segments: Segments,
    foot: FootOption,
    part: PartOption = None,
    place: Annotated[
        tuple[float, float, float] | None,
        typer.Option(help=("Position: x y z in metres. By default, the foot's mean position.")),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Mark a foot as planted in these segments. Overlapping plants are trimmed."""
    from motionary.feet import add_plants

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        added = add_plants(bank, segments, foot=foot, parts=[part] if part else ("heel", "toe"), place=place)
    print(f"{counted(len(added), 'plant')} added")


@plants.command()
def rm(
    bank_path: BankPath,
    segments: Segments,
    foot: Annotated[Literal["left", "right"] | None, typer.Option("--foot", help="Foot. By default, both.")] = None,
    part: PartOption = None,
    dry_run: DryRun = False,
) -> None:
    """Mark feet as not planted in these segments. Plants are trimmed."""
    from motionary.feet import remove_plants

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_touched = remove_plants(
            bank, segments, feet=[foot] if foot else ("left", "right"), parts=[part] if part else ("heel", "toe")
        )
    print(f"{counted(n_touched, 'plant')} removed or trimmed")


def clean(
    bank_path: BankPath,
    segments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEGMENT…]",
            help="CLIP, CLIP:START-STOP or @SELECTION. Can be omitted with --label or --all.",
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help="Clean all segments with this label. Can be repeated.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Clean all clips.")] = False,
    reach: Annotated[
        float,
        typer.Option(
            min=0.01, max=1.0, help=("Leave a plant alone if the foot is farther from it than this, in metres.")
        ),
    ] = 0.30,
    fade: Annotated[
        float, typer.Option(min=0.02, max=5.0, help="Time over which corrections fade in and out, in seconds.")
    ] = 0.45,
    hold_all: Annotated[
        bool,
        typer.Option("--hold-all", help=("Correct every plant, even if that upsets the balance or makes a knee jerk.")),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Draw the motion before and after: .png, .svg, .gif or .mp4.")
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="List the plants that are not held, and why.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remove foot sliding: keep planted feet in place. `undo` restores the clip."""
    from motionary.bank import Bank
    from motionary.cli.library import chosen_segments
    from motionary.feet import LeftAlone, clean_each, clean_segments
    from motionary.picture import show_cleaned
    from motionary.plants import CleanOptions

    check_pictures((output, True))
    with Bank.open(bank_path) as bank:
        options = CleanOptions(reach=reach, fade_secs=fade)
        chosen = chosen_segments(bank, segments or [], label or [], everything=everything, done="cleans")
        if output is not None:  # drawn first: a picture that cannot be made changes nothing
            show_cleaned(clean_segments(bank, chosen, options=options, hold_all=hold_all, dry_run=True), output)
        for cleaned in clean_each(bank, chosen, options=options, hold_all=hold_all, dry_run=dry_run):
            if not isinstance(cleaned, LeftAlone):
                _print_cleaned(cleaned.as_json(), as_json=as_json, details=details, dry_run=dry_run)
            else:
                say(f"{cleaned.clip.name}: not cleaned: {cleaned.reason}")


def _print_cleaned(facts: dict[str, Any], *, as_json: bool, details: bool, dry_run: bool) -> None:
    """One line for each segment, and one for each plant that is not held if details are wanted."""
    if as_json:
        print_json([facts])
        return
    place = f"{facts['clip']}:{facts['start']}-{facts['stop']}: {facts['held']} of {facts['plants']} plants held; "
    done = (
        f"worst {facts['worst_before_cm']:.1f} cm off before, {facts['worst_after_cm']:.2f} cm after; "
        f"joints moved by {facts['mean_change_cm']:.2f} cm on average"
    )
    print(place + (done if facts["changed"] else "nothing to correct") + (" (not kept: --dry-run)" if dry_run else ""))
    if details:
        for left in facts["not_held"]:
            print(f"  not held: {left['foot']} {left['part']} {left['start']}-{left['stop']}: {left['why']}")
