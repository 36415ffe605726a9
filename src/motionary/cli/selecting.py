"""selection ls, show, clusters, drop, keep, join, rename, rm."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionary.cli import followup
from motionary.cli.matches import print_ranked, print_ranked_json
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun, Limit, View
from motionary.cli.output import check_pictures, check_view, counted, print_json, print_table, say
from motionary.rounding import rounded_up

if TYPE_CHECKING:
    from motionary.bank import Bank, Selection

app = typer.Typer(help="Work with selections: named sets of matches, kept by `search --keep`.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Selection.")]
RanksToo = Annotated[
    list[str] | None, typer.Argument(metavar="[RANK…]", help="Ranks of matches: 3, 1-5 (inclusive), 7- or 1-5,9.")
]


@app.command()
def ls(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the selections of BANK."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        found = bank.selections()
        if as_json:
            print_json({**selection.as_json(), "query": _query_json(bank, selection)} for selection in found)
            return
        rows = [
            [
                selection.name,
                str(selection.n_matches),
                selection.method,
                _query_text(bank, selection),
                _asked_text(selection.asked),
                selection.kept_at,
            ]
            for selection in found
        ]
    if rows:
        print_table(["selection", "matches", "method", "query", "asked", "kept at (UTC)"], rows)
    else:
        say("no selections; `motionary search … --keep NAME` creates one")


@app.command()
def show(
    bank_path: BankPath,
    name: Name,
    ranks: RanksToo = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Draw the query and the matches: .png, .svg, .gif or .mp4.")
    ] = None,
    view: Annotated[
        View,
        typer.Option(
            "--view", help=("Camera direction for -o; auto picks the one that shows the query's movement best.")
        ),
    ] = "auto",
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """List the matches of a selection, or draw them below their query."""
    from motionary.bank import Bank
    from motionary.search import kept_matches

    check_view(view, output)
    check_pictures((output, True))
    with Bank.open(bank_path) as bank:
        selection, matches = bank.selection(name), kept_matches(bank, name, ranks)
        if limit is not None:
            matches = dict(islice(matches.items(), limit))
            ranks = [str(rank) for rank in matches] or ranks
        if as_json:
            print_ranked_json(bank, matches)
        else:
            print_ranked(bank, matches)
            n_shown, n_held = counted(len(matches), "match"), selection.n_matches
            say(f"{n_shown} of {n_held:,}, found by {_query_text(bank, selection)}, kept {selection.kept_at}")
        if output is not None:
            from motionary.picture import show_selection

            for remark in show_selection(bank, name, output, ranks=ranks, view=view):
                say(remark)
            say(f"{output}: the matches, aligned with their query")


@app.command()
def clusters(
    bank_path: BankPath,
    name: Name,
    opened: Annotated[int | None, typer.Option("--open", min=1, metavar="N", help="List only cluster N.")] = None,
    dismissed: Annotated[
        list[int] | None,
        typer.Option("--dismiss", min=1, metavar="N", help=("Remove cluster N from the selection. Can be repeated.")),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Cluster the matches of a selection and list one match of each cluster."""
    from motionary.errors import UsageError
    from motionary.search import cluster_matches, kept_matches

    if opened is not None and dismissed:
        raise UsageError("use either --open or --dismiss: --open lists one cluster, --dismiss removes some")
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        found = cluster_matches(bank, kept_matches(bank, name))
        if dismissed:
            n_gone = bank.thin_selection(name, keep=list(found.without(*dismissed)))
            print(f"{counted(n_gone, 'match')} removed, {bank.selection(name).n_matches:,} left")
        elif opened is None:
            followup.print_clusters(bank, found, as_json=as_json)
        else:
            cluster = found.opened(opened)
            matches = dict(zip(cluster.ranks, cluster.matches, strict=True))
            if as_json:
                print_ranked_json(bank, matches)
            else:
                print_ranked(bank, matches)


@app.command()
def drop(
    bank_path: BankPath,
    name: Name,
    ranks: RanksToo = None,
    other: Annotated[
        str | None, typer.Option("--in", metavar="OTHER", help="Remove the matches that are also in this selection.")
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Remove matches from a selection. The others keep their ranks."""
    _check_chosen(ranks, other)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_gone = bank.thin_selection(name, drop=ranks, drop_in=other)
        n_left = bank.selection(name).n_matches
    print(f"{counted(n_gone, 'match')} removed, {n_left:,} left")


@app.command()
def keep(
    bank_path: BankPath,
    name: Name,
    ranks: RanksToo = None,
    other: Annotated[
        str | None, typer.Option("--in", metavar="OTHER", help="Keep the matches that are also in this selection.")
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Keep these matches and remove all others from a selection."""
    _check_chosen(ranks, other)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_gone = bank.thin_selection(name, keep=ranks, keep_in=other)
        n_left = bank.selection(name).n_matches
    print(f"{counted(n_gone, 'match')} removed, {n_left:,} left")


@app.command()
def join(
    bank_path: BankPath,
    name: Name,
    others: Annotated[list[str], typer.Argument(metavar="OTHER…", help="Selections with the same query.")],
    dry_run: DryRun = False,
) -> None:
    """Add the matches of other selections to a selection. The others do not change."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        n_new = bank.join_selections(name, others)
        n_now = bank.selection(name).n_matches
    print(f"{counted(n_new, 'match')} added, {n_now:,} now")


@app.command()
def rename(
    bank_path: BankPath,
    name: Name,
    new_name: Annotated[str, typer.Argument(metavar="NEW", help="New name.")],
    dry_run: DryRun = False,
) -> None:
    """Rename a selection."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        renamed = bank.rename_selection(name, new_name)
    print(f"{renamed.name}: {counted(renamed.n_matches, 'match')}")


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Selections to remove.")],
    dry_run: DryRun = False,
) -> None:
    """Remove selections from BANK, but not their clips. `undo` restores them."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        removed = bank.remove_selections(names)
    for selection in removed:
        print(f"removed {selection.name} ({counted(selection.n_matches, 'match')})")


def _check_chosen(ranks: list[str] | None, other: str | None) -> None:
    from motionary.errors import UsageError

    if not ranks and other is None:
        raise UsageError("name the ranks of matches, as in `selection show`, or use --in")


def _asked_text(asked: Mapping[str, Any]) -> str:
    """What a search was asked beside its query, in the options that say so; those that are often given."""
    compared = asked.get("descriptions", ["gist"])
    options = [f"-d {name}" for name in compared] if compared != ["gist"] else []
    options += [f"--joints {','.join(asked['joints'])}"] if asked.get("joints") else []
    options += [f"--weight {part}={_short(weight)}" for part, weight in asked.get("weights", {}).items()]
    for unlike in asked.get("unlike", ()):
        parts = ",".join(unlike["joints"])
        options.append(f"--unlike {parts}{'=' if parts else ''}{unlike['example']}")
    options += [f"--over-time {','.join(map(_short, asked['over_time']))}"] if asked.get("over_time") else []
    options += [f"--scale {100.0 * asked['scale']:g}"] if asked.get("scale") else []
    options += [f"--mirror {asked['mirrored']}"] if asked.get("mirrored", "both") != "both" else []
    options += [f"--within {_short(asked['within'])}"] if asked.get("within") is not None else []
    options += [f"--epsilon {rounded_up(asked['epsilon_cm'], 2)}"] if "epsilon_cm" in asked else []
    options += [f"--steps {asked['steps']}"] if asked.get("steps") else []
    options += [f"--expand {asked['expand']}"] if asked.get("expand") else []
    options += [f"--rejected {name}" for name in asked.get("rejected", ())]
    options += [f"--web {asked['web']}"] if asked.get("web") else []
    return " ".join(options)


def _short(number: float | str) -> str:
    return number if isinstance(number, str) else f"{number:g}"  # infinite ones are kept as text


def _query_json(bank: "Bank", selection: "Selection") -> "dict[str, object] | None":
    """The query's segment with the name of its clip, null where that is gone."""
    query = selection.query
    if query is None:
        return None
    clip = next(iter(bank.with_ids([query.clip_id])), None)
    return {"clip": clip and clip.name, "id": query.clip_id, "start": query.start, "stop": query.stop}


def _query_text(bank: "Bank", selection: "Selection") -> str:
    query, example = _query_json(bank, selection), selection.asked.get("example")
    if example is not None or query is None:
        return str(example or "a query that is not known")
    return f"{query['clip'] or '#' + str(query['id'])}:{query['start']}-{query['stop']}"
