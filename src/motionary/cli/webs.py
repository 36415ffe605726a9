"""web build, info; search --by web."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from motionary.cli.matches import print_ranked, print_ranked_json, ranked
from motionary.cli.options import AsJson, BankPath
from motionary.cli.output import counted, print_json, print_table, say
from motionary.cli.results import Results, waiting

if TYPE_CHECKING:
    from motionary.search import WebSearchResult

app = typer.Typer(help="Match webs: what `search --by web` walks through.", no_args_is_help=True)


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

    with Bank.open(bank_path) as bank, waiting("Comparing") as told:
        web = build_web(
            bank,
            settings=WebSettings(method=method, ceiling=ceiling / 100.0, rise=rise / 100.0),
            rate_hz=rate,
            metric=PointCloudMetric(parts=tuple(numbers_of("--weight", weight or []).items())),
            text=" ".join(words or ()),
            labels=label or (),
            names=clip or (),
            **told,
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
    results: Results,
) -> None:
    """List what a search through a match web finds; `options` are those of `search_web`."""
    from motionary.search import search_web

    with results.bank(bank_path) as bank:
        with waiting("Comparing") as told:
            result = search_web(bank, shown, epsilon_cm=epsilon, steps=steps, **told, **options)
        if results.as_json:
            print_ranked_json(ranked(result.matches))
        else:
            _print_matches(result, suggested=epsilon is None)
        results.draw_graph(bank, result)
        results.keep_all(bank, result)


def _print_matches(result: "WebSearchResult", *, suggested: bool) -> None:
    print_ranked(ranked(result.matches))
    if not result.matches:
        say(f"the web of {counted(result.n_clips, 'clip')} knows of nothing like it within {result.epsilon_cm:.3g} cm")
    elif suggested:
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
