"""search --by exact and scan."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli import after
from motionary.cli.matches import print_ranked, print_ranked_json
from motionary.cli.opening import bank_to_change
from motionary.cli.options import View
from motionary.cli.output import counted, progress_bar, say

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.search import Explanation, Match, SearchResult

MOST_DRAWN = 23  # matches in a picture


def search_exact(
    bank_path: Path,
    shown: str | list[str],
    *,
    options: dict[str, Any],
    judgements: dict[str, str | None],
    by_cluster: bool,
    opened: int | None,
    dismissed: list[int] | None,
    explain: bool,
    heat: Path | None,
    view: View,
    output: Path | None,
    keep: str | None,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """List what is nearest, and do what is to follow; `options` are those of `search_bank`."""
    from motionary.search import advice, explain_matches, search_bank

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if keep is not None:  # before anybody waits
            bank.check_can_keep(keep, overwrite=overwrite)
        with progress_bar("Searching" if options["by"] == "scan" else "Describing") as step:
            ask = partial(
                search_bank,
                bank,
                shown,
                progress=lambda done, total: step(done, total, ""),
                message=say,
                **options,
            )
            result = after.searched(bank, ask, **judgements, overwrite=overwrite)
        listed, clusters = after.sorted_out(bank, result, by_cluster=by_cluster, opened=opened, dismissed=dismissed)
        explanations: tuple[Explanation, ...] = ()
        if explain or heat is not None:
            explanations = explain_matches(bank, replace(result, matches=tuple(listed.values())))
        if clusters is not None:
            after.print_clusters(clusters, as_json=as_json)
        elif as_json:
            print_ranked_json(listed, after.explained_json(result, listed, explanations) if explain else None)
        else:
            print_ranked(listed, scaled=result.query.scale > 0, sides=result.query.mirrored == "both")
        if explain and not as_json:
            after.print_explained(result, listed, explanations)
        for remark in advice(result, at_least=options["at_least"]):
            say(remark)
        if heat is not None:
            after.draw_heat(listed, explanations, heat, title=result.query.example.name)
        if output is not None:
            ranks = list(listed) if clusters is None else [cluster.medoid_rank for cluster in clusters.clusters]
            _draw(bank, result, output, ranks, view)
        if keep is not None:
            _keep(bank, keep, result, listed, overwrite=overwrite)


def _draw(bank: "Bank", result: "SearchResult", output: Path, ranks: list[int], view: View) -> None:
    from motionary.picture import show_matches

    for remark in show_matches(bank, result, output, ranks=ranks, n_matches=MOST_DRAWN, view=view):
        say(remark)
    say(f"{output}: the query and {min(len(ranks), MOST_DRAWN)} of its matches")


def _keep(bank: "Bank", name: str, result: "SearchResult", listed: "Mapping[int, Match]", *, overwrite: bool) -> None:
    """Keep the matches that are listed, under the ranks that they are listed with."""
    from motionary.search import keep_matches

    with bank.change(f"keep selection {name}"):
        keep_matches(bank, name, result, overwrite=overwrite)
        if len(listed) < len(result.matches):
            bank.thin_selection(name, keep=list(listed))
    kept = bank.selection(name)
    say(f"{counted(kept.n_matches, 'match')} kept as {kept.name}: @{kept.name} stands for them")
