"""web build, info; search --by web."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from motionary.cli.matches import print_ranked_json, ranked
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath
from motionary.cli.output import counted, print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from motionary.search import WebSearchResult

app = typer.Typer(help="Match webs: what `search --by web` walks through.", no_args_is_help=True)
MOST_DRAWN = 23  # matches in a picture


@app.command()
def build(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD…]", help="Only clips with these words in name, labels, …")
    ] = None,
    method: Annotated[
        Literal["sparse", "pyramid", "dense"],
        typer.Option(help="dense compares all frames; the others ten a second first, then those around what is alike."),
    ] = "sparse",
    rate: Annotated[float, typer.Option(min=1, metavar="HZ", help="Frames a second that are compared.")] = 30.0,
    ceiling: Annotated[float, typer.Option(min=0.1, metavar="CM", help="What is further apart is left out.")] = 15.0,
    rise: Annotated[
        float, typer.Option(min=0, metavar="PERCENT", help="How far valid regions reach around local minima.")
    ] = 15.0,
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="POINT=NUMBER", help="Times what points with this word in their name have."),
    ] = None,
    label: Annotated[list[str] | None, typer.Option("--label", "-l", help="Only clips with this label.")] = None,
    clip: Annotated[list[str] | None, typer.Option("--name", "-n", help="Only clips whose names fit: 'walk*'.")] = None,
    as_json: AsJson = False,
) -> None:
    """Build the match web of BANK, or of a part of it; what is there already is brought up to date.

    It lies beside the bank and can be deleted. When interrupted, the same command goes on from there.
    """
    from motionary.bank import Bank
    from motionary.cli.values import numbers_of
    from motionary.metrics import PointCloudMetric
    from motionary.search import WebSettings, build_web

    with Bank.open(bank_path) as bank, progress_bar("Comparing") as step:
        web = build_web(
            bank,
            settings=WebSettings(method=method, ceiling=ceiling / 100.0, rise=rise / 100.0),
            rate_hz=rate,
            metric=PointCloudMetric(parts=tuple(numbers_of("--weight", weight or []).items())),
            text=" ".join(words or ()),
            labels=label or (),
            names=clip or (),
            progress=lambda done, total: step(done, total, ""),
            message=say,
        )
        facts = web.facts()
    _print_facts([facts], as_json=as_json)


@app.command()
def info(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the match webs beside BANK; searches use the one that was built last."""
    from motionary.bank import Bank
    from motionary.search import web_facts

    with Bank.open(bank_path) as bank:
        found = web_facts(bank, message=say)
    if found:
        _print_facts(found, as_json=as_json)
    elif not as_json:
        say(f"no match web; `motionary web build {bank_path}` makes one")


def search_by_web(
    bank_path: Path,
    shown: str | list[str],
    *,
    options: dict[str, Any],
    epsilon: float | None,
    steps: int | None,
    output: Path | None,
    keep: str | None,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """List what a search through a match web finds; `options` are those of `search_web`."""
    from motionary.search import keep_matches, search_web

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if keep is not None:
            bank.check_can_keep(keep, overwrite=overwrite)
        with progress_bar("Comparing") as step:
            options |= {"progress": lambda done, total: step(done, total, ""), "message": say}
            result = search_web(bank, shown, epsilon_cm=epsilon, steps=steps, **options)
        if as_json:
            print_ranked_json(ranked(result.matches))
        else:
            _print_matches(result, suggested=epsilon is None)
        if output is not None:
            from motionary.picture import show_match_graph

            for remark in show_match_graph(bank, result, output, n_matches=MOST_DRAWN):
                say(remark)
            say(f"{output}: the match graph of {counted(min(len(result.matches), MOST_DRAWN), 'match')}")
        if keep is not None:
            place = result.example.place
            query = None if place is None else bank.segment_of(result.example.name)
            kept = keep_matches(bank, keep, result.matches, query=query, overwrite=overwrite)
            say(f"{counted(kept.n_matches, 'match')} kept as {kept.name}: @{kept.name} stands for them")


def _print_matches(result: "WebSearchResult", *, suggested: bool) -> None:
    if result.matches:
        rows = [
            [str(rank), match.clip, str(match.segment.start), str(match.segment.stop), f"{match.distance:.2f}",
             f"{match.mean:.2f}", str(match.tier)]
            for rank, match in enumerate(result.matches, start=1)
        ]  # fmt: skip
        print_table(["", "clip", "start", "stop", "distance cm", "mean cm", "tier"], rows)
    else:
        say(f"the web of {counted(result.n_clips, 'clip')} knows of nothing like it within {result.epsilon_cm:.3g} cm")
    if suggested and result.matches:
        say(f"threshold {result.epsilon_cm:.2f} cm, where its matches have their largest gap; --epsilon sets another")


def _print_facts(found: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    rows = [
        [facts["method"], f"{facts['rate_hz']:g}", f"{facts['ceiling_cm']:g}", facts["of"], str(facts["clips"]),
         str(facts["frames"]), str(facts["chains"]), str(facts["bridges"]), f"{facts['bytes'] / 1e6:.2f}"]
        for facts in found
    ]  # fmt: skip
    print_table(["web", "Hz", "cm", "of", "clips", "frames", "chains", "bridges", "MB"], rows)
