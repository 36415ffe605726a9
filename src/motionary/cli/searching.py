"""search."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from motionary.cli import after
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, progress_bar, say
from motionary.cli.webs import search_by_web
from motionary.cli.wpca import search_wpca

if TYPE_CHECKING:
    from motionary.search import SearchResult

# Panels of the help page
SHOWN = "What is looked for"
COMPARED = "How it is compared"
WHERE = "Where it is looked for"
HOW_MANY = "How many matches"

MOST_DRAWN = 23  # matches in a picture


def search(
    bank_path: BankPath,
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY",
            help="CLIP:START-STOP, in frames or seconds (1.5s-3s), or a file: take.bvh:START-STOP. None with --pose.",
        ),
    ] = None,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD…]", help="Only clips with these words in name, labels, …")
    ] = None,
    pose: Annotated[
        list[str] | None,
        typer.Option(
            "--pose",
            metavar="CLIP:FRAME@SECONDS",
            help="In place of QUERY: two or more key poses, of clips or files, in order of time.",
            rich_help_panel=SHOWN,
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="PARTS=QUERY",
            help="Take these parts from elsewhere: arms=wave:0-60. Several are possible.",
            rich_help_panel=SHOWN,
        ),
    ] = None,
    unlike: Annotated[
        list[str] | None,
        typer.Option(
            "--unlike",
            metavar="[PARTS=]QUERY",
            help="What a match must not be like, in all joints or in these parts.",
            rich_help_panel=SHOWN,
        ),
    ] = None,
    unlike_weight: Annotated[
        float,
        typer.Option(min=0, help="How much --unlike counts, as a share of the query.", rich_help_panel=SHOWN),
    ] = 0.5,
    mirror: Annotated[
        Literal["no", "only", "both"], typer.Option(help="Left for right, too.", rich_help_panel=SHOWN)
    ] = "both",
    distance: Annotated[
        Literal["dtw", "euclid", "lcss"],
        typer.Option(help="With time warped, frame by frame, frames in common.", rich_help_panel=COMPARED),
    ] = "dtw",
    description: Annotated[
        list[str] | None,
        typer.Option(
            "--description",
            "-d",
            help="gist (default), positions, angles, root or curves; several at once.",
            rich_help_panel=COMPARED,
        ),
    ] = None,
    joints: Annotated[
        str,
        typer.Option(help="Only these, with commas between: arms,Head.", metavar="PARTS", rich_help_panel=COMPARED),
    ] = "",
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            metavar="PART=NUMBER",
            help="Of a joint, part, dimension or description; may be negative.",
            rich_help_panel=COMPARED,
        ),
    ] = None,
    over_time: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS",
            help="Weights along the query, with commas between: 1,3,1 for its middle.",
            rich_help_panel=COMPARED,
        ),
    ] = "",
    window: Annotated[
        str,
        typer.Option(
            metavar="PERCENT",
            help="How far frames may move in time, of the query; along it with commas: 5,20,5.",
            rich_help_panel=COMPARED,
        ),
    ] = "10",
    scale: Annotated[
        float,
        typer.Option(
            min=0, max=99, help="How much longer or shorter a match may be, in percent.", rich_help_panel=COMPARED
        ),
    ] = 0.0,
    tolerance: Annotated[
        float,
        typer.Option(
            min=0, help="With lcss: how far a dimension may be off, in its deviations.", rich_help_panel=COMPARED
        ),
    ] = 0.5,
    tolerance_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART=NUMBER",
            help="With lcss: times --tolerance; inf does not care, below 0 excludes.",
            rich_help_panel=COMPARED,
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help="Only clips with this label.", rich_help_panel=WHERE)
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help="Only clips whose names fit: 'walk*'; or #12.", rich_help_panel=WHERE),
    ] = None,
    without_label: Annotated[
        list[str] | None, typer.Option("--without-label", help="No clips with this label.", rich_help_panel=WHERE)
    ] = None,
    without_name: Annotated[
        list[str] | None, typer.Option("--without-name", help="No clips whose names fit.", rich_help_panel=WHERE)
    ] = None,
    with_itself: Annotated[
        bool,
        typer.Option("--with-itself", help="The query's own place may be a match.", rich_help_panel=WHERE),
    ] = False,
    k: Annotated[
        int | None,
        typer.Option("-k", min=1, help="At most so many; 10, unless --within is given.", rich_help_panel=HOW_MANY),
    ] = None,
    within: Annotated[
        float | None,
        typer.Option(help="Only as near as this: mean cm or degrees; of lcss 0 to 1.", rich_help_panel=HOW_MANY),
    ] = None,
    at_least: Annotated[
        int | None,
        typer.Option(min=1, help="Widen the window until so many are --within.", rich_help_panel=HOW_MANY),
    ] = None,
    onsets: Annotated[
        float,
        typer.Option(
            min=0, help="How far apart they begin at least, in percent of the query.", rich_help_panel=HOW_MANY
        ),
    ] = 80.0,
    accept: after.Accept = None,
    reject: after.Reject = None,
    profile: after.ByProfile = None,
    keep_profile: after.KeepProfile = None,
    by_cluster: after.ByCluster = False,
    opened: after.Opened = None,
    dismissed: after.Dismissed = None,
    explain: after.Explain = False,
    heat: after.Heat = None,
    by: Annotated[
        Literal["exact", "scan", "wpca", "web"],
        typer.Option(
            help="How to search: exact, through the index; scan compares every window, for the same answer; "
            "wpca looks in a pose space: fast, not exact; web walks through a match web, in steps."
        ),
    ] = "exact",
    space: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With wpca: a space that was trained; else one of the whole body."),
    ] = None,
    character: Annotated[
        str | None,
        typer.Option(
            metavar="FRAME[,FRAME…]",
            help="With wpca: the characteristic pose, by its frame, or what it is far from: mean, ends, origin, …",
        ),
    ] = None,
    neighbours: Annotated[
        int | None, typer.Option(min=1, help="With wpca: how many of the nearest poses are followed up; 1000.")
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(min=0, metavar="CM", help="With web: how far apart frames may be on average; else suggested."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, help="With web: how often matches become queries; else until nothing new is found."),
    ] = None,
    rejected: Annotated[
        list[str] | None,
        typer.Option("--rejected", metavar="CLIP:START-STOP", help="With web: matches that lead no further."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Draw the query and its matches: .png, .svg or .gif; with web, the match graph."
        ),
    ] = None,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="NAME", help="Keep what is found in BANK, as a selection.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Let --keep and --keep-profile replace what is there.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """List the segments most like QUERY, nearest first."""
    from motionary.picture import show_matches
    from motionary.search import advice, explain_matches, keep_matches, search_bank

    shown, words = _shown(query, pose or [], words or [])
    if by == "wpca":
        left_over = {
            "--from": source, "--unlike": unlike, "--joints": joints, "--weight": weight, "--description": description,
            "--over-time": over_time, "--at-least": at_least, "--profile": profile, "--accept": accept,
            "--reject": reject, "--clusters": by_cluster, "--explain": explain, "--heat": heat, "--scale": scale,
        }  # fmt: skip
        search_wpca(
            bank_path,
            shown,
            options={
                "space": space,
                "text": " ".join(words),
                "labels": label or (),
                "names": name or (),
                "without_labels": without_label or (),
                "without_names": without_name or (),
                "k": 10 if k is None and within is None else k,
                "within": within,
                "mirrored": mirror,
                "with_itself": with_itself,
            },
            character=character,
            neighbours=neighbours,
            left_over=[option for option, given in left_over.items() if given],
            output=output,
            keep=keep,
            overwrite=overwrite,
            dry_run=dry_run,
            as_json=as_json,
        )
        return
    if by == "web":
        left_over = {
            "--from": source, "--unlike": unlike, "--joints": joints, "--weight": weight, "--description": description,
            "--over-time": over_time, "--at-least": at_least, "--within": within, "--profile": profile,
            "--accept": accept, "--reject": reject, "--clusters": by_cluster, "--explain": explain, "--heat": heat,
            "--scale": scale, "--without-label": without_label, "--without-name": without_name,
        }  # fmt: skip
        search_by_web(
            bank_path,
            shown,
            options={
                "text": " ".join(words),
                "labels": label or (),
                "names": name or (),
                "rejected": rejected or (),
                "k": k,
            },
            epsilon=epsilon,
            steps=steps,
            left_over=[option for option, given in left_over.items() if given],
            output=output,
            keep=keep,
            overwrite=overwrite,
            dry_run=dry_run,
            as_json=as_json,
        )
        return
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if keep is not None:  # before anybody waits
            bank.check_can_keep(keep, overwrite=overwrite)
        with progress_bar("Describing") as step:
            ask = partial(
                search_bank,
                bank,
                shown,
                sources=[_parts(text) for text in source or ()],
                unlike=[_parts(text) for text in unlike or ()],
                unlike_weight=unlike_weight,
                at_least=at_least,
                by=by,
                text=" ".join(words),
                labels=label or (),
                names=name or (),
                without_labels=without_label or (),
                without_names=without_name or (),
                progress=lambda done, total: step(done, total, ""),
                message=say,
                k=max(10, at_least or 0) if k is None and within is None else k,
                within=within,
                distance=distance,
                window=_shares(window),
                tolerance=tolerance,
                tolerances=numbers_of("--tolerance-of", tolerance_of or []),
                descriptions=tuple(description or ("gist",)),
                joints=tuple(part.strip() for part in joints.split(",") if part.strip()),
                weights=numbers_of("--weight", weight or []),
                over_time=_numbers("--over-time", over_time) if over_time else (),
                mirrored=mirror,
                scale=scale / 100.0,
                onsets=onsets / 100.0,
                with_itself=with_itself,
            )
            result = after.searched(
                bank,
                ask,
                accept=accept,
                reject=reject,
                profile=profile,
                keep_profile=keep_profile,
                overwrite=overwrite,
            )
        result, clusters = after.sorted_out(bank, result, by_cluster=by_cluster, opened=opened, dismissed=dismissed)
        explanations = explain_matches(bank, result) if explain or heat is not None else ()
        if clusters is not None:
            after.print_clusters(clusters, as_json=as_json)
        elif as_json:
            print_json(
                after.explained_json(result, explanations) if explain else (match.as_json() for match in result.matches)
            )
        else:
            _print_matches(result)
        if explain and not as_json:
            after.print_explained(result, explanations)
        for remark in advice(result, at_least=at_least):
            say(remark)
        if heat is not None:
            after.draw_heat(explanations, heat, title=result.query.example.name)
        if output is not None:
            drawn = result if clusters is None else after.medoids(result, clusters)
            for remark in show_matches(bank, drawn, output, n_matches=MOST_DRAWN):
                say(remark)
            say(f"{output}: the query and {min(len(drawn.matches), MOST_DRAWN)} of its matches")
        if keep is not None:
            kept = keep_matches(bank, keep, result, overwrite=overwrite)
            say(f"{counted(kept.n_matches, 'match')} kept as {kept.name}: @{kept.name} stands for them")


def _print_matches(result: "SearchResult") -> None:
    """A table of matches, with what differs between them."""
    query, matches = result.query, result.matches
    if not matches:
        return
    lcss, scaled, both = query.distance == "lcss", query.scale > 0, query.mirrored == "both"
    header = ["", "clip", "start", "stop", *(["distance"] if lcss else []), f"mean {matches[0].unit}".rstrip()]
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


def _shown(query: str | None, poses: list[str], words: list[str]) -> tuple[str | list[str], list[str]]:
    """What is looked for, and the words of clips; with key poses, what stands in the query's place is such a word."""
    from motionary.errors import UsageError

    if poses:
        return poses, [query, *words] if query else words
    if not query:
        raise UsageError("say what to look for: CLIP:START-STOP, a motion file, or key poses with --pose")
    return query, words


def _parts(text: str) -> tuple[str, str]:
    """`arms=wave:0-60` as parts and a query; no parts before the first `=`, or without one, are all."""
    parts, sign, shown = text.partition("=")
    return (parts, shown) if sign else ("", text)


def numbers_of(option: str, given: list[str]) -> dict[str, float]:
    """`LeftHand=2` as a part and its number."""
    from motionary.errors import UsageError

    numbers = {}
    for text in given:
        part, _, number = text.rpartition("=")
        try:
            numbers[part] = float(number)
        except ValueError:
            part = ""
        if not part:
            raise UsageError(f"{text!r} is no {option}; write PART=NUMBER, as in LeftHand=2")
    return numbers


def _numbers(option: str, text: str) -> tuple[float, ...]:
    """Numbers with commas between."""
    from motionary.errors import UsageError

    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError:
        raise UsageError(f"{option} takes numbers with commas between, as in 1,3,1, not {text!r}") from None


def _shares(percent: str) -> float | tuple[float, ...]:
    """Percent as shares: one, or several along the query."""
    shares = tuple(number / 100.0 for number in _numbers("--window", percent))
    return shares[0] if len(shares) == 1 else shares
