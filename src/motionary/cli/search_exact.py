"""search --by exact and --by scan."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli import followup
from motionary.cli.followup import FollowUp
from motionary.cli.matches import print_ranked, print_ranked_json
from motionary.cli.output import say, waiting
from motionary.cli.search_results import StripResults
from motionary.errors import UsageError

if TYPE_CHECKING:
    from motionary.search import Explanation

N_LISTED = 10


def search_exact(
    bank_path: Path,
    query: str | list[str],
    keywords: dict[str, Any],
    *,
    by: str,
    follow: FollowUp,
    results: StripResults,
) -> None:
    """List the nearest segments, and do what follows; `keywords` are those of `search_bank`."""
    from motionary.search import advice, explain_matches, search_bank

    in_steps = keywords.get("steps", 1) > 1
    if in_steps and (follow.explain or follow.heat is not None):
        raise UsageError("use either --steps or --explain and --heat, which compare matches with the query itself")
    if "k" not in keywords:
        keywords["k"] = None if "within" in keywords else max(N_LISTED, keywords.get("at_least") or 0)
    with results.bank(bank_path) as bank:
        with waiting(
            "Searching" if by == "scan" or in_steps or _has_several(query, keywords) else "Describing clips"
        ) as told:
            search = partial(search_bank, bank, query, by=by, **told, **keywords)
            result = followup.searched(bank, search, follow, overwrite=results.overwrite)
        listed, clusters = followup.chosen_matches(bank, result, follow)
        explanations: tuple[Explanation, ...] = ()
        if follow.explain or follow.heat is not None:
            explanations = explain_matches(bank, replace(result, matches=tuple(listed.values())))
        if clusters is not None:
            followup.print_clusters(bank, clusters, as_json=results.as_json)
        elif results.as_json:
            more = followup.explained_json(result, listed, explanations) if follow.explain else None
            print_ranked_json(bank, listed, more)
        else:
            print_ranked(bank, listed, scaled=result.query.scale > 0, sides=result.query.mirrored == "both")
        if follow.explain and not results.as_json:
            followup.print_explained(result, listed, explanations)
        for remark in advice(result, at_least=keywords.get("at_least"), where=keywords.get("where", ())):
            say(remark)
        if follow.heat is not None:
            followup.draw_heat(listed, explanations, follow.heat, title=result.query.example.name)
        medoids = None if clusters is None else [cluster.medoid_rank for cluster in clusters.clusters]
        results.draw(bank, result, ranks=medoids or list(listed))
        results.keep_all(bank, result, ranks=list(listed))


def _has_several(query: str | list[str], keywords: dict[str, Any]) -> bool:
    """Whether there are several examples, as far as the words tell."""
    return "also" in keywords or (isinstance(query, str) and query.startswith(("@", "label:")))
