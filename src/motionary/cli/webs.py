"""web build, info, rm."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, say, waiting

USUAL_RISE = 15.0

app = typer.Typer(help="Build and list match webs, which `search --by web` uses.", no_args_is_help=True)


@app.command()
def build(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    method: Annotated[
        Literal["sparse", "pyramid", "dense"],
        typer.Option(
            help=(
                "dense compares all frames. sparse and pyramid first compare ten frames per second, "
                "then the frames around similar ones."
            )
        ),
    ] = "sparse",
    rate: Annotated[float, typer.Option(min=1, metavar="HZ", help="Frame rate of the comparison.")] = 30.0,
    ceiling: Annotated[
        float, typer.Option(min=0.1, metavar="CM", help=("Leave out pairs of frames farther apart than this."))
    ] = 15.0,
    rise: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="PERCENT",
            help=("How far above its local minimum the distance may rise within a valid region."),
        ),
    ] = USUAL_RISE,
    metric: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Frame distance: points, uniform, heuristic, dynamics, source, direction or gist.",
        ),
    ] = "points",
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            metavar="POINT=NUMBER",
            help="Multiply the weight of points whose name contains this word. Can be repeated.",
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help=("Only clips with this label. Can be repeated."))
    ] = None,
    clip: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build or update the match web of BANK or of some clips.

    The web is stored next to the bank and can be deleted. To resume an interrupted build, run the same command
    again.
    """
    from motionary.bank import Bank
    from motionary.metrics import metric_named
    from motionary.requests import FACTORS
    from motionary.search import WebSettings, build_web

    with Bank.open(bank_path) as bank, waiting("Comparing") as told:
        bank.check_has_clips()
        try:
            web = build_web(
                bank,
                settings=WebSettings(method=method, ceiling_cm=ceiling, rise_percent=rise),
                rate_hz=rate,
                metric=metric_named(metric, parts=FACTORS.read("--weight", weight or [])),
                text=" ".join(words or ()),
                labels=label or (),
                names=clip or (),
                **told,
            )
        except KeyboardInterrupt:
            say("the finished part is stored; run the same command again to continue")
            raise
        facts = web.facts()
    _print_facts([facts], as_json=as_json)


@app.command()
def info(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the match webs of BANK. Searches use the one built last, unless --web names another."""
    from motionary.bank import Bank
    from motionary.search import web_facts

    with Bank.open(bank_path) as bank:
        found = web_facts(bank, message=say)
    if found:
        _print_facts(found, as_json=as_json)
        if len(found) > 1 and not as_json:
            say(f"searches use {found[-1]['web']}, the web built last; `search --by web --web NAME` uses another")
    elif not as_json:
        say(f"no match web; `motionary web build {bank_path}` builds one")


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Match webs, named as in `web info`.")],
    dry_run: DryRun = False,
) -> None:
    """Delete match webs. `web build` rebuilds them."""
    from motionary.bank import Bank
    from motionary.search import remove_webs

    with Bank.open(bank_path) as bank:
        for facts in remove_webs(bank, names, dry_run=dry_run):
            print(f"removed {facts['web']}: the web of {facts['of']} ({counted(facts['clips'], 'clip')})")
    if dry_run:
        say("dry run: nothing was deleted")


def _print_facts(found: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    rows = [
        [facts["web"], facts["of"], f"{facts['clips']}{_of_all(facts)}", facts["method"], f"{facts['rate_hz']:g}",
         f"{facts['ceiling_cm']:g}", _unusual(facts), str(facts["frames"]), str(facts["chains"]),
         str(facts["bridges"]), f"{facts['bytes'] / 1e6:.2f}"]
        for facts in found
    ]  # fmt: skip
    header = ["web", "of", "clips", "method", "Hz", "cm", "options", "frames", "chains", "bridges", "MB"]
    shown = [n for n, name in enumerate(header) if name != "options" or any(row[n] for row in rows)]
    print_table([header[n] for n in shown], [[row[n] for n in shown] for row in rows])
    for facts in found:
        if facts["missing"]:
            say(
                f"{facts['web']} is not finished: {counted(facts['missing'], 'clip')} missing; continue with "
                "`web build` or search"
            )


def _of_all(facts: dict[str, Any]) -> str:
    return f" of {facts['clips'] + facts['missing']}" if facts["missing"] else ""


def _unusual(facts: dict[str, Any]) -> str:
    """What a web was built with that is not as it is by default, in the options that say so."""
    kind, *rest = facts["metric"].split(",")
    said = [f"--metric {kind}"] if kind != "points" else []
    said += [f"--weight {part}" for part in rest if "=" in part]
    return " ".join(said + ([f"--rise {facts['rise_percent']:g}"] if facts["rise_percent"] != USUAL_RISE else []))
