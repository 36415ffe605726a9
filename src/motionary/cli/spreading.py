"""label spread, review, accept, reject."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, say, waiting
from motionary.rounding import rounded_down

if TYPE_CHECKING:
    from collections.abc import Sequence

    from motionary.bank import Bank, SpreadLabel
    from motionary.search import Spreading

MOST_NAMED = 5  # examples that found nothing

Segments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SEGMENT…]", help=("Only labels inside these segments: CLIP, CLIP:START-STOP or @SELECTION.")
    ),
]
Names = Annotated[list[str] | None, typer.Option("--label", "-l", help="Only this label. Can be repeated.")]
AtLeast = Annotated[float, typer.Option(min=0, max=1, help="Only labels with at least this strength.")]
Below = Annotated[float | None, typer.Option(min=0, max=1, help="Only labels weaker than this.")]
Everything = Annotated[bool, typer.Option("--all", help="All spread labels.")]
Picture = Annotated[
    Path | None, typer.Option("-o", "--output", help=("Draw some segments of each label: .png, .svg, .gif or .mp4."))
]


def spread(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Label only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option("--label", "-l", help="Label to spread. By default, all hand-made labels. Can be repeated."),
    ] = None,
    shown: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="SEGMENT=LABEL",
            help=("Label this segment by hand and use it as an example. Can be repeated."),
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Label only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    by: Annotated[
        Literal["exact", "wpca"], typer.Option(help="Search method. wpca searches in a pose space and is faster.")
    ] = "exact",
    space: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --by wpca: a trained pose space. By default, one of the whole body."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help=(
                "Minimum strength of a new label. By default, the lowest (0.5 or more) at which 80 % of the new "
                "labels are expected to be right."
            ),
        ),
    ] = None,
    margin: Annotated[float, typer.Option(min=0, max=1, help="Minimum lead in strength over a competing label.")] = 0.1,
    both: Annotated[
        bool, typer.Option("--both", help="Let labels overlap: decide about each label separately.")
    ] = False,
    mirror: Annotated[Literal["no", "both"], typer.Option(help="Also label mirror images: both or no.")] = "both",
    examples: Annotated[int, typer.Option(min=1, help="Maximum number of examples per label.")] = 10,
    output: Picture = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Propagate hand-made labels to similar segments. Use --dry-run to list them first."""
    from motionary.bank import Bank
    from motionary.picture import show_spread
    from motionary.search import put_spread, spread_labels

    with Bank.open(bank_path) as bank:
        with waiting("Searching for examples") as told:
            found = spread_labels(
                bank,
                labels=labels or (),
                examples=[_example(text) for text in shown or ()],
                by=by,
                space=space,
                threshold=threshold,
                margin=margin,
                both=both,
                mirrored=mirror == "both",
                most_examples=examples,
                text=" ".join(words or ()),
                names=names or (),
                **told,
            )
        if as_json:
            print_json(proposal.as_json() for proposal in found.proposals)
        else:
            _print(bank, found)
        if output is not None and found.labels:
            for remark in show_spread(bank, found.labels, output):
                say(remark)
        if not dry_run:
            put_spread(bank, found)
        _tell(bank, found, dry_run=dry_run)


def review(
    bank_path: BankPath,
    segments: Segments = None,
    labels: Names = None,
    at_least: AtLeast = 0.0,
    below: Below = None,
    output: Picture = None,
    as_json: AsJson = False,
) -> None:
    """List spread labels that are not accepted yet, weakest first."""
    from motionary.bank import Bank
    from motionary.picture import show_spread

    with Bank.open(bank_path) as bank:
        found = bank.unreviewed_labels(**_filter(segments, labels, at_least, below))
        found.sort(key=lambda one: (one.strength, one.segment))
        if as_json:
            print_json(one.as_json() for one in found)
        elif found:
            print_table(["clip", "start", "stop", "label", "strength", "like"], _rows(bank, found))
        else:
            say("no spread labels to review; `motionary label spread` creates some")
        if output is not None and found:
            for remark in show_spread(bank, found, output):
                say(remark)


def accept(
    bank_path: BankPath,
    segments: Segments = None,
    labels: Names = None,
    at_least: AtLeast = 0.0,
    below: Below = None,
    everything: Everything = False,
    dry_run: DryRun = False,
) -> None:
    """Accept spread labels: from now on they count as hand-made."""
    _check_chosen(segments, labels, at_least, below, everything=everything)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_accepted = bank.accept_labels(**_filter(segments, labels, at_least, below))
    print(f"{counted(n_accepted, 'label')} accepted")


def reject(
    bank_path: BankPath,
    segments: Segments = None,
    labels: Names = None,
    at_least: AtLeast = 0.0,
    below: Below = None,
    everything: Everything = False,
    dry_run: DryRun = False,
) -> None:
    """Remove spread labels. They will not be spread to these segments again."""
    _check_chosen(segments, labels, at_least, below, everything=everything)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_rejected = bank.reject_labels(**_filter(segments, labels, at_least, below))
    print(f"{counted(n_rejected, 'label')} rejected")


def _example(text: str) -> tuple[str, str]:
    """A segment and its label; a label may hold no `=`, a clip's name may."""
    from motionary.errors import UsageError

    segment, sign, label = text.rpartition("=")
    if not (sign and segment and label):
        raise UsageError(f"--from {text!r}: write SEGMENT=LABEL, such as take_03:30-90=kick")
    return segment, label


def _filter(
    segments: list[str] | None, labels: list[str] | None, at_least: float, below: float | None
) -> dict[str, Any]:
    return {
        "segments": segments or None,
        "labels": labels or (),
        "at_least": at_least,
        "below": float("inf") if below is None else below,
    }


def _check_chosen(
    segments: list[str] | None, labels: list[str] | None, at_least: float, below: float | None, *, everything: bool
) -> None:
    from motionary.errors import UsageError

    chosen = bool(segments or labels or at_least or below is not None)
    if chosen == everything:
        raise UsageError("choose labels by segments, --label, --at-least or --below; or use --all without these")


def _print(bank: "Bank", found: "Spreading") -> None:
    labels = _rows(bank, [proposal.label for proposal in found.proposals])
    rows = [
        [
            *cells,
            f"{proposal.rival} {rounded_down(proposal.rival_strength, 2)}" if proposal.rival else "",
            "undecided" if proposal.undecided else "",
        ]
        for cells, proposal in zip(labels, found.proposals, strict=True)
    ]
    if rows:
        print_table(["clip", "start", "stop", "label", "strength", "like", "conflict", ""], rows)


def _rows(bank: "Bank", labels: "Sequence[SpreadLabel]") -> list[list[str]]:
    """Cells of a table; strengths are rounded down, so that none reads as the limit that it is below."""
    called = {example: _called(bank, example) for example in {one.example for one in labels}}
    return [
        [
            one.clip,
            str(one.segment.start),
            str(one.segment.stop),
            one.name,
            rounded_down(one.strength, 2),
            called[one.example],
        ]
        for one in labels
    ]


def _called(bank: "Bank", example: str) -> str:
    """An example by its clip's name, as it is now; as it was written down, where the clip is gone."""
    from motionary.errors import NotInBankError

    try:
        return bank.segment_name(bank.segment(example)) if example else ""
    except NotInBankError:
        return example


def _tell(bank: "Bank", found: "Spreading", *, dry_run: bool) -> None:
    clips = {one.segment.clip_id for one in found.labels}
    looked_for = f"{counted(len(found.examples), 'example')} of {counted(len(found.names), 'label')}"
    done = "would get" if dry_run else "got"
    say(f"{looked_for}: {counted(len(clips), 'clip')} {done} {counted(len(found.labels), 'label')}")
    if found.labels:
        least = f"strength {rounded_down(found.threshold, 2)} or more"
        say(f"{least}; {100 * found.expected_precision:.0f} % of the labelled frames are expected to be right")
    if found.n_left_out:
        say(f"{counted(found.n_left_out, 'weaker label')} left out; --threshold 0.5 adds them")
    if found.shown:
        say(
            f"{counted(len(found.shown), 'example')} {done} {'its' if len(found.shown) == 1 else 'their'} label by hand"
        )
    if found.found_nothing:
        named = [f"{bank.segment_name(one.segment)} ({one.label})" for one in found.found_nothing]
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        say(f"no new label from {', '.join(named[:MOST_NAMED])}{more}; a lower --threshold adds more")
    n_undecided = sum(proposal.undecided for proposal in found.proposals)
    if found.conflicts:
        say(f"{counted(len(found.conflicts), 'conflict')}, {n_undecided} of them undecided and not added")
    if dry_run:
        say("dry run: nothing was changed")
    elif found.labels:
        say("`motionary label review` lists the new labels; accept or reject them, or undo to remove all")
