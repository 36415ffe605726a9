"""search."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from motionary.cli.options import AsJson, BankPath
from motionary.cli.output import counted, print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from motionary.search import SearchResult

MOST_ROWS = 24  # in a picture


def search(
    bank_path: BankPath,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="CLIP:START-STOP; frames, or seconds as in 1.5s-3s.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD…]", help="Only clips with these words in name, labels, …")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", min=1, help="How many matches; 10, unless --within is given.")] = None,
    within: Annotated[
        float | None, typer.Option(help="Only matches as near as this: mean cm or degrees; of lcss 0 to 1.")
    ] = None,
    by: Annotated[Literal["scan"], typer.Option(help="How to search: scan compares every window.")] = "scan",
    distance: Annotated[
        Literal["dtw", "euclid", "lcss"], typer.Option(help="With time warped, frame by frame, frames in common.")
    ] = "dtw",
    window: Annotated[
        float, typer.Option(min=0, max=100, help="How far frames may move in time, in percent of the query.")
    ] = 10.0,
    tolerance: Annotated[
        float, typer.Option(min=0, help="With lcss: how far a dimension may be off, in its deviations.")
    ] = 0.5,
    description: Annotated[
        list[str] | None,
        typer.Option("--description", "-d", help="positions, angles, root or curves; several at once."),
    ] = None,
    joints: Annotated[str, typer.Option(help="Only these parts, with commas between: LeftHand,RightHand.")] = "",
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="PART=NUMBER, of a joint, dimension or description.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option("--label", "-l", help="Only clips with this label.")] = None,
    name: Annotated[list[str] | None, typer.Option("--name", "-n", help="Only clips whose names fit: 'walk*'.")] = None,
    mirror: Annotated[Literal["no", "only", "both"], typer.Option(help="Left for right.")] = "no",
    scale: Annotated[
        float, typer.Option(min=0, max=99, help="How much longer or shorter a match may be, in percent.")
    ] = 0.0,
    onsets: Annotated[
        float, typer.Option(min=0, help="How far apart matches begin at least, in percent of the query.")
    ] = 80.0,
    with_itself: Annotated[bool, typer.Option("--with-itself", help="The query's own place may be a match.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Draw the query and its matches: .png, .svg or .gif.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the segments most like QUERY, nearest first."""
    from motionary.bank import Bank
    from motionary.picture import show_segments
    from motionary.search import search_bank

    with Bank.open(bank_path) as bank:
        with progress_bar("Describing") as step:
            result = search_bank(
                bank,
                query,
                by=by,
                text=" ".join(words or ()),
                labels=label or (),
                names=name or (),
                progress=lambda done, total: step(done, total, ""),
                message=say,
                k=10 if k is None and within is None else k,
                within=within,
                distance=distance,
                window=window / 100.0,
                tolerance=tolerance,
                descriptions=tuple(description or ("positions",)),
                joints=tuple(part.strip() for part in joints.split(",") if part.strip()),
                weights=_weights(weight or []),
                mirrored=mirror,
                scale=scale / 100.0,
                onsets=onsets / 100.0,
                with_itself=with_itself,
            )
        if as_json:
            print_json(match.as_json() for match in result.matches)
        else:
            _print_matches(result)
        if output is not None:
            shown = [bank.segment_of(query), *(match.segment for match in result.matches)][:MOST_ROWS]
            show_segments(bank, shown, output, spread="ends" if scale else "time")
            say(f"{output}: the query and {len(shown) - 1} of its matches")


def _print_matches(result: "SearchResult") -> None:
    """A table of matches, then what people may want to know about it."""
    query, matches = result.query, result.matches
    if not matches:
        say(f"nothing found among {counted(result.n_windows, 'window')} of {counted(result.n_clips, 'clip')}")
        if query.distance == "lcss" and query.within is None:
            say("no window has a frame in common with the query; a wider --tolerance, or fewer --joints, finds more")
        return
    unit = matches[0].unit
    lcss, scaled, both = query.distance == "lcss", query.scale > 0, query.mirrored == "both"
    header = ["", "clip", "start", "stop", *(["distance"] if lcss else []), f"mean {unit}".rstrip()]
    header += (["scale"] if scaled else []) + (["side"] if both else [])
    rows = []
    for rank, match in enumerate(matches, start=1):
        row = [str(rank), match.clip, str(match.segment.start), str(match.segment.stop)]
        row += [f"{match.distance:.3f}"] if lcss else []
        row.append(f"{match.mean:.2f}")
        row += [f"{match.scale:.2f}"] if scaled else []
        row += ["mirrored" if match.mirrored else "as it is"] if both else []
        rows.append(row)
    print_table(header, rows)
    if result.suggested_cut is not None:
        say(f"after match {result.suggested_cut} the distance grows most: what follows may be something else")


def _weights(given: list[str]) -> dict[str, float]:
    """`LeftHand=2` as a part and its weight."""
    from motionary.errors import UsageError

    weights = {}
    for text in given:
        part, _, number = text.rpartition("=")
        try:
            weights[part] = float(number)
        except ValueError:
            part = ""
        if not part:
            raise UsageError(f"{text!r} is no weight; write PART=NUMBER, as in LeftHand=2")
    return weights
