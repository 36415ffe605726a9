"""search --by exact and scan."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli import after
from motionary.cli.matches import print_ranked, print_ranked_json
from motionary.cli.output import say
from motionary.cli.results import Results, waiting

if TYPE_CHECKING:
    from motionary.search import Explanation


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
    results: Results,
) -> None:
    """List what is nearest, and do what is to follow; `options` are those of `search_bank`."""
    from motionary.search import advice, explain_matches, search_bank

    with results.bank(bank_path) as bank:
        with waiting("Searching" if options["by"] == "scan" else "Describing") as told:
            ask = partial(search_bank, bank, shown, **told, **options)
            result = after.searched(bank, ask, **judgements, overwrite=results.overwrite)
        listed, clusters = after.sorted_out(bank, result, by_cluster=by_cluster, opened=opened, dismissed=dismissed)
        explanations: tuple[Explanation, ...] = ()
        if explain or heat is not None:
            explanations = explain_matches(bank, replace(result, matches=tuple(listed.values())))
        if clusters is not None:
            after.print_clusters(clusters, as_json=results.as_json)
        elif results.as_json:
            print_ranked_json(listed, after.explained_json(result, listed, explanations) if explain else None)
        else:
            print_ranked(listed, scaled=result.query.scale > 0, sides=result.query.mirrored == "both")
        if explain and not results.as_json:
            after.print_explained(result, listed, explanations)
        for remark in advice(result, at_least=options["at_least"]):
            say(remark)
        if heat is not None:
            after.draw_heat(listed, explanations, heat, title=result.query.example.name)
        medoids = None if clusters is None else [cluster.medoid_rank for cluster in clusters.clusters]
        results.draw(bank, result, ranks=medoids or list(listed))
        results.keep_all(bank, result, ranks=list(listed))
