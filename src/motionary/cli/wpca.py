"""search --by wpca."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli.matches import print_ranked, print_ranked_json, ranked
from motionary.cli.opening import bank_to_change
from motionary.cli.options import View
from motionary.cli.output import counted, progress_bar, say

if TYPE_CHECKING:
    from motionary.search import PoseSearchResult

MOST_DRAWN = 23  # matches in a picture


def search_wpca(
    bank_path: Path,
    shown: str | list[str],
    *,
    options: dict[str, Any],
    character: str | None,
    neighbours: int | None,
    view: View,
    output: Path | None,
    keep: str | None,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """List what a search in a pose space finds; `options` are those of `search_pose_space`."""
    from motionary.search import keep_matches, search_pose_space

    if neighbours is not None:
        options["neighbours"] = neighbours
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if keep is not None:
            bank.check_can_keep(keep, overwrite=overwrite)
        with progress_bar("Describing") as step:
            result = search_pose_space(
                bank,
                shown,
                character=character,
                progress=lambda done, total: step(done, total, ""),
                message=say,
                **options,
            )
        if as_json:
            poses = [moment.as_json() for moment in result.character]
            found = ranked(result.matches)
            print_ranked_json(found, {rank: {"character": poses} for rank in found})
        else:
            _print(result)
        if output is not None:
            from motionary.picture import show_matches

            for remark in show_matches(bank, result, output, n_matches=MOST_DRAWN, view=view):
                say(remark)
            say(f"{output}: the query and {min(len(result.matches), MOST_DRAWN)} of its matches")
        if keep is not None:
            kept = keep_matches(bank, keep, result, overwrite=overwrite)
            say(f"{counted(kept.n_matches, 'match')} kept as {kept.name}: @{kept.name} stands for them")


def _print(result: "PoseSearchResult") -> None:
    print_ranked(ranked(result.matches), scaled=True, sides=result.query.mirrored == "both")
    _tell_character(result)
    if not result.matches:
        say(f"nothing found in {counted(result.n_clips, 'clip')}: no pose of theirs leads to a match")
    if result.suggested_cut is not None:
        say(f"after match {result.suggested_cut} the distance grows most: what follows may be something else")


def _tell_character(result: "PoseSearchResult") -> None:
    """Say which poses were characteristic, so that it can be typed back."""
    plural = "s" if len(result.character) > 1 else ""
    frames = ", ".join(f"{moment.frame} ({moment.secs:.2f}s)" for moment in result.character)
    again = ",".join(f"{moment.secs:.2f}s" for moment in result.character)
    where = "the query, at the search rate" if result.query.example.place is None else "its clip"
    say(f"characteristic pose{plural}: frame{plural} {frames} of {where}; `--character {again}` asks for the same")
