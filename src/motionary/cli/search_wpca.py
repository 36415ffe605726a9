"""search --by wpca."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli.matches import print_ranked, print_ranked_json, ranked
from motionary.cli.output import counted, say, waiting
from motionary.cli.search_results import StripResults

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.search import PoseSearchResult


def search_wpca(bank_path: Path, query: str | list[str], keywords: dict[str, Any], *, results: StripResults) -> None:
    """List what a search in a pose space finds; `keywords` are those of `search_pose_space`."""
    from motionary.search import search_pose_space

    if "k" not in keywords and "within" in keywords:
        keywords["k"] = None
    with results.bank(bank_path) as bank:
        with waiting("Describing clips") as told:
            result = search_pose_space(bank, query, **told, **keywords)
        if results.as_json:
            poses = [moment.as_json() for moment in result.character]
            found = ranked(result.matches)
            print_ranked_json(bank, found, {rank: {"character": poses} for rank in found})
        else:
            _print(bank, result)
        results.draw(bank, result)
        results.keep_all(bank, result)


def _print(bank: "Bank", result: "PoseSearchResult") -> None:
    print_ranked(bank, ranked(result.matches), scaled=True, sides=result.query.mirrored == "both")
    _tell_character(result)
    if not result.matches:
        say(f"no match in {counted(result.n_clips, 'clip')}")
    if result.suggested_cut is not None:
        say(f"largest gap after match {result.suggested_cut}; later matches may be unrelated")


def _tell_character(result: "PoseSearchResult") -> None:
    """Say which poses were characteristic, so that it can be typed back."""
    plural = "s" if len(result.character) > 1 else ""
    frames = ", ".join(f"{moment.frame} ({moment.secs:.2f}s)" for moment in result.character)
    again = ",".join(f"{moment.secs:.2f}s" for moment in result.character)
    where = "the query, at the search rate" if result.query.example.place is None else "its clip"
    say(f"characteristic pose{plural}: frame{plural} {frames} of {where}; --character {again} selects the same")
