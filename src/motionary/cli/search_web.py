"""search --by web."""

from pathlib import Path
from typing import Any

from motionary.cli.matches import print_ranked, print_ranked_json, ranked
from motionary.cli.output import say, waiting
from motionary.cli.search_results import GraphResults
from motionary.rounding import rounded_up

N_LISTED = 100


def search_through_web(
    bank_path: Path, query: str | list[str], keywords: dict[str, Any], *, results: GraphResults
) -> None:
    """List what a search through a match web finds; `keywords` are those of `search_web`."""
    from motionary.search import search_web

    k = keywords.pop("k", None)
    with results.bank(bank_path) as bank:
        with waiting("Comparing") as told:
            result = search_web(bank, query, k=k or N_LISTED, **told, **keywords)
        if results.as_json:
            print_ranked_json(bank, ranked(result.matches))
        else:
            print_ranked(bank, ranked(result.matches))
        for remark in result.remarks:
            say(remark)
        if result.n_found > len(result.matches):
            say(
                f"{result.n_found - len(result.matches):,} more matches are farther away; -k {result.n_found} lists all"
            )
        if result.matches and not keywords.keys() & {"epsilon_cm", "within"}:
            threshold = rounded_up(result.epsilon_cm, 2)
            say(f"threshold {threshold} cm, estimated from the query's direct matches; --epsilon sets another")
        results.draw(bank, result, n_matches=k)
        results.keep_all(bank, result)
