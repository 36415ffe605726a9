"""motifs, surprises."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from motionary.cli.matches import about_column, known_of
from motionary.cli.opening import bank_to_change
from motionary.cli.options import (
    CLIPS,
    COMPARISON,
    AsJson,
    BankPath,
    Descriptions,
    DryRun,
    Joints,
    Labels,
    Names,
    Words,
)
from motionary.cli.output import (
    check_pictures,
    counted,
    print_json,
    print_table,
    say,
    seconds,
    waiting,
)
from motionary.cli.search_results import tell_kept
from motionary.requests import FACTORS, NAMES
from motionary.rounding import rounded_up

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.search import Motif, Surprise

LONG_SECS = 3600.0  # of motion: to compare much more with itself may take minutes

K = Annotated[int, typer.Option("-k", "--limit", min=1, help="Maximum number of results.")]
Length = Annotated[float, typer.Option(help="Window length, in seconds.", rich_help_panel=COMPARISON)]
Hop = Annotated[
    float, typer.Option(help="Step between windows, in percent of their length.", rich_help_panel=COMPARISON)
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="PART=NUMBER",
        help="Weight of a joint, body part, dimension or description. Can be repeated.",
        rich_help_panel=COMPARISON,
    ),
]
Mirror = Annotated[
    Literal["no", "both"], typer.Option(help="Also match mirror images: both or no.", rich_help_panel=COMPARISON)
]
Rank = Annotated[
    Literal["relative", "distance"],
    typer.Option(
        help="Rank by distance divided by the amount of movement (relative), or by distance.",
        rich_help_panel=COMPARISON,
    ),
]
LeastMovement = Annotated[
    float,
    typer.Option(
        "--movement", min=0, help="Only windows with at least this much movement, in cm.", rich_help_panel=COMPARISON
    ),
]
By = Annotated[
    Literal["exact", "scan"],
    typer.Option(help="exact skips pairs of windows by lower bounds; scan compares every pair: same result, slow."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Let --keep replace existing selections.")]


def motifs(
    bank_path: BankPath,
    words: Words = None,
    k: K = 10,
    at_least: Annotated[int, typer.Option(min=2, help="Minimum number of occurrences.")] = 2,
    radius: Annotated[
        float,
        typer.Option(
            help="Largest distance between occurrences, in percent of their movement.", rich_help_panel=COMPARISON
        ),
    ] = 70.0,
    within: Annotated[
        float | None,
        typer.Option(
            min=0, help="Largest mean distance, in cm or degrees. Replaces --radius.", rich_help_panel=COMPARISON
        ),
    ] = None,
    length: Length = 2.0,
    hop: Hop = 25.0,
    description: Descriptions = None,
    joints: Joints = "",
    weight: Weights = None,
    mirror: Mirror = "both",
    rank: Rank = "relative",
    movement: LeastMovement = 0.0,
    other_clips: Annotated[
        bool, typer.Option("--other-clips", help="Do not count occurrences in the same clip.", rich_help_panel=CLIPS)
    ] = False,
    label: Labels = None,
    name: Names = None,
    by: By = "exact",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Draw occurrences of each motif: .png, .svg, .gif or .mp4.")
    ] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep each motif as a selection in BANK: NAME-1, NAME-2, …")
    ] = None,
    overwrite: Overwrite = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """List motifs: groups of similar segments that recur in BANK, most similar first."""
    from motionary.search import find_motifs, keep_matches

    check_pictures((output, True))
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        bank.check_has_clips()
        if keep is not None:  # before anybody waits
            for number in range(1, k + 1):
                bank.check_can_keep(f"{keep}-{number}", overwrite=overwrite)
        _tell_of_time(bank, words, label, name)
        with waiting("Comparing") as told:
            found = find_motifs(
                bank,
                k=k,
                at_least=at_least,
                by=by,
                radius=radius / 100.0,
                within=within,
                other_clips=other_clips,
                rank=rank,
                **told,
                **_compared(words, length, hop, description, joints, weight, mirror, movement, label, name),
            )
        if as_json:
            print_json({"motif": number} | motif.as_json() for number, motif in enumerate(found, start=1))
        else:
            _print_motifs(found)
        if len(found) < k:
            say(
                f"{counted(len(found), 'motif')}; no others within the radius"
                if found
                else "no motif within the radius"
            )
        if output is not None and found:
            from motionary.picture import show_motifs

            for remark in show_motifs(bank, found, output):
                say(remark)
            say(f"{output}: occurrences of each motif")
        if keep is not None and found:
            with bank.change(f"keep motifs {keep}"):
                for number, motif in enumerate(found, start=1):
                    selection = f"{keep}-{number}"
                    keep_matches(bank, selection, motif.matches, query=motif.seed.segment, overwrite=overwrite)
            say(f"{counted(len(found), 'selection')} stored: @{keep}-1 is the first motif")


def surprises(
    bank_path: BankPath,
    words: Words = None,
    k: K = 10,
    length: Length = 2.0,
    hop: Hop = 25.0,
    description: Descriptions = None,
    joints: Joints = "",
    weight: Weights = None,
    mirror: Mirror = "both",
    rank: Rank = "distance",
    movement: LeastMovement = 0.0,
    same_clip: Annotated[
        bool,
        typer.Option("--same-clip", help="Also look for similar segments in the same clip.", rich_help_panel=CLIPS),
    ] = False,
    skip_odd: Annotated[
        bool, typer.Option("--skip-odd", help="Leave out segments with frozen frames, jumps and similar defects.")
    ] = False,
    label: Labels = None,
    name: Names = None,
    by: By = "exact",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Draw each with its nearest segment: .png, .svg, .gif or .mp4."),
    ] = None,
    keep: Annotated[str | None, typer.Option(metavar="NAME", help="Keep the segments in BANK as a selection.")] = None,
    overwrite: Overwrite = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """List the most unusual segments of BANK: those least like any other clip."""
    from motionary.search import find_surprises, keep_matches

    check_pictures((output, True))
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        bank.check_has_clips()
        if keep is not None:
            bank.check_can_keep(keep, overwrite=overwrite)
        _tell_of_time(bank, words, label, name)
        with waiting("Comparing") as told:
            found = find_surprises(
                bank,
                k=k,
                by=by,
                skip_odd=skip_odd,
                other_clips=not same_clip,
                rank=rank,
                **told,
                **_compared(words, length, hop, description, joints, weight, mirror, movement, label, name),
            )
        if as_json:
            print_json({"rank": rank} | surprise.as_json() for rank, surprise in enumerate(found, start=1))
        else:
            _print_surprises(bank, found)
        if not found:
            say("nothing to compare: there are no other windows" + ("" if same_clip else ", in other clips"))
        if output is not None and found:
            from motionary.picture import show_surprises

            for remark in show_surprises(bank, found, output):
                say(remark)
            say(f"{output}: surprises, each above its nearest segment")
        if keep is not None and found:
            kept = keep_matches(bank, keep, [surprise.match for surprise in found], overwrite=overwrite)
            tell_kept(kept, of="surprise")


def _tell_of_time(bank: "Bank", words: list[str] | None, label: list[str] | None, name: list[str] | None) -> None:
    """Say that it will take a while where no bar says so."""
    clips = bank.clips(" ".join(words or ()), labels=label or (), names=name or ())
    in_all = sum(clip.n_frames * clip.frame_time for clip in clips)
    if in_all >= LONG_SECS and not sys.stderr.isatty():
        say(
            f"comparing {seconds(in_all)} of motion may take minutes; "
            "fewer clips (words, --label, --name) take much less time"
        )


def _compared(
    words: list[str] | None,
    length: float,
    hop: float,
    description: list[str] | None,
    joints: str,
    weight: list[str] | None,
    mirror: str,
    movement: float,
    label: list[str] | None,
    name: list[str] | None,
) -> dict[str, Any]:
    """What both commands say in the same words, as both calls take it."""
    return {
        "text": " ".join(words or ()),
        "labels": label or (),
        "names": name or (),
        "length": length,
        "hop": hop / 100.0,
        "descriptions": tuple(description or ("gist",)),
        "joints": NAMES.read("--joints", joints),
        "weights": FACTORS.read("--weight", weight or []),
        "both_sides": mirror == "both",
        "least_movement": movement,
    }


def _print_motifs(found: "tuple[Motif, ...]") -> None:
    rows = []
    for number, motif in enumerate(found, start=1):
        typical = motif.representative
        rows.append(
            [
                *(str(number), str(len(motif.matches)), str(motif.n_clips)),
                *(rounded_up(motif.nearest, 1), rounded_up(motif.spread, 1), f"{motif.movement:.1f}"),
                *(f"{typical.clip}:{typical.segment.start}-{typical.segment.stop}", motif.commonest),
            ]
        )
    if rows:
        unit = found[0].seed.unit
        measured = [f"{word} {unit}".rstrip() for word in ("nearest", "spread", "movement")]
        print_table(["motif", "times", "clips", *measured, "most typical", "labels"], rows)


def _print_surprises(bank: "Bank", found: "tuple[Surprise, ...]") -> None:
    """A table; what is odd, and which side was nearest, only where they say something."""
    if not found:
        return
    odd, sides = any(surprise.odd for surprise in found), any(surprise.nearest.mirrored for surprise in found)
    known = {rank: known_of(bank, surprise.segment) for rank, surprise in enumerate(found, start=1)}
    rows = []
    for rank, surprise in enumerate(found, start=1):
        here, nearest = surprise.segment, surprise.nearest
        row = [str(rank), surprise.clip, str(here.start), str(here.stop), f"{known[rank].secs:.2f}"]
        row += [f"{surprise.movement:.1f}", rounded_up(surprise.mean, 1)]
        row.append(f"{nearest.clip}:{nearest.segment.start}-{nearest.segment.stop}")
        row += ["mirrored" if nearest.mirrored else "same"] if sides else []
        row += ["; ".join(surprise.odd)] if odd else []
        row.append(known[rank].about)
        rows.append(row)
    unit = found[0].nearest.unit
    header = [
        "rank",
        "clip",
        "start",
        "stop",
        "secs",
        f"movement {unit}".rstrip(),
        f"nearest {unit}".rstrip(),
        "nearest segment",
    ]
    print_table([*header, *(["side"] if sides else []), *(["odd"] if odd else []), about_column(known.values())], rows)
