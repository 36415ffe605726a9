"""transition connect: the best way from a frame to another within a time."""

from typing import Annotated, Any, Literal

import typer

from motionary.cli.motion_outputs import MotionOutputs, check_motion_outputs, give_motion
from motionary.cli.options import AsJson, BankPath
from motionary.cli.output import print_json, say


def connect(
    bank_path: BankPath,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Start frame: CLIP:FRAME or CLIP:2.5s.")],
    target: Annotated[
        str | None, typer.Argument(metavar="[TO]", help="Target frame: CLIP:FRAME. Or use --label.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", "-l", help="Go to the best frame with this label.")] = None,
    within: Annotated[float, typer.Option(min=0.1, max=30, metavar="SECS", help="Time allowed from FROM to TO.")] = 3.0,
    secs: Annotated[
        float, typer.Option("--secs", min=0.2, max=10, help="Approximate duration of a transition in seconds.")
    ] = 1.0,
    graph: Annotated[
        str | None, typer.Option("--graph", metavar="NAME", help="Motion graph, named as in `graph info`.")
    ] = None,
    by: Annotated[
        Literal["any", "graph", "transition", "mixed"],
        typer.Option(help="Use only the motion graph, only one transition of the table, or only mixes of both."),
    ] = "any",
    candidates: Annotated[int, typer.Option(min=1, max=9, help="Number of recipes to try for each transition.")] = 3,
    lead: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds of source before FROM and target after TO.")
    ] = 1.0,
    clean: Annotated[bool, typer.Option("--clean/--raw", help="Remove foot sliding from the result.")] = True,
    outputs: MotionOutputs = None,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="NAME", help="Store the motion in BANK as a new clip.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Connect a frame to another frame or a label within a time, by the motion graph, transitions, or both.

    The result with the lowest score is used; the best of each kind is listed.
    """
    from motionary.bank import Bank
    from motionary.connection import open_connector

    check_motion_outputs(outputs)
    with Bank.open(bank_path) as bank:
        opened = open_connector(bank, secs=secs, graph=graph, message=say)
        made = opened.connect(
            source, target, within, label=label, by=by, candidates=candidates, lead_secs=lead, clean_feet=clean
        )
        facts = opened.facts(made)
        if outputs:
            from motionary.picture import show_connection

            give_motion(outputs, save=made.save, draw=lambda path: show_connection(opened, made, path))
        if keep is not None:
            description = f"connection from {facts['from']} to {facts['to']}"
            content = {"description": description, "connection": facts, "clips": made.clips}
            say(f"kept as {opened.transitions.keep(keep, made.motion, made.plants, content).name}")
    if as_json:
        print_json([facts])
        return
    _print_connection(facts)


def _print_connection(facts: dict[str, Any]) -> None:
    from motionary.rounding import measured

    verdict = "natural" if facts["good"] else "not natural"
    print(
        f"{facts['from']} to {facts['to']} in {facts['secs']:.2f} s by {WORDS[facts['by']]}: score "
        f"{measured(facts['score_cm'], 1, 'cm')}; {verdict}"
    )
    for one in facts["transitions"]:
        kind = "graph" if one["by"] == "graph" else "transition"
        print(
            f"  {kind:<10}  {one['from']} to {one['to']} in {one['secs']:.2f} s: "
            f"{measured(one['score_cm'], 1, 'cm')}; the threshold is {measured(one['threshold_cm'], 1)}"
        )
    for one in facts["options"]:
        if one["by"] != facts["by"]:
            print(f"  best by {WORDS[one['by']]}: {measured(one['score_cm'], 1, 'cm')} in {one['secs']:.2f} s")
    for one in facts["transitions"]:
        for remark in one["remarks"]:
            say(remark)


WORDS = {
    "clip": "playing the clip",
    "graph": "the motion graph",
    "transition": "one transition",
    "mixed": "a mix of clips and transitions",
}
