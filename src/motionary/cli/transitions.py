"""transition table build, info, rm; transition make, chain, judge."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from motionary.cli.connections import connect
from motionary.cli.motion_outputs import MotionOutputs, check_motion_outputs, give_motion
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, progress_bar, say

app = typer.Typer(help="Make transitions from any frame to any other.", no_args_is_help=True)
table = typer.Typer(help="Build and list the transition tables that `transition make` uses.", no_args_is_help=True)
app.add_typer(table, name="table")
app.command()(connect)

Secs = Annotated[
    float, typer.Option("--secs", min=0.2, max=10, help=("Approximate duration of a transition in seconds."))
]
Method = Annotated[
    Literal["table", "direct", "inertial", "dead"],
    typer.Option(help="table uses the transition table; the others are standard methods for comparison."),
]
Candidates = Annotated[int, typer.Option(min=1, max=9, help="Number of recipes to try. The best is used.")]
Variants = Annotated[
    int,
    typer.Option(min=0, max=100, help=("Number of extra candidates with other intermediaries from the same clusters.")),
]
Seed = Annotated[int, typer.Option(min=0, help="Random seed for --variants.")]
Clean = Annotated[bool, typer.Option("--clean/--raw", help="Remove foot sliding from the result.")]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Store the motion in BANK as a new clip.")]


@table.command()
def build(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    secs: Secs = 1.0,
    representatives: Annotated[
        int | None,
        typer.Option(
            "-k",
            min=2,
            max=200,
            help=("Number of representatives (clusters of similar motion). Default: 50, or fewer in a short library."),
        ),
    ] = None,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Score every blend completely: slower, same table.")
    ] = False,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help=("Only clips with this label. Can be repeated."))
    ] = None,
    clip: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for the choice of windows to cluster.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Build the transition table of BANK or of some clips.

    The table is stored next to the bank and can be deleted. To resume an interrupted build, run the same command
    again.
    """
    from motionary.bank import Bank
    from motionary.transition import build_transitions, table_facts

    with Bank.open(bank_path) as bank, progress_bar("Blending") as step:
        try:
            build_transitions(
                bank,
                secs=secs,
                text=" ".join(words or ()),
                labels=label or (),
                names=clip or (),
                representatives=representatives,
                exhaustive=exhaustive,
                seed=seed,
                progress=step,
                message=say,
            )
        except KeyboardInterrupt:
            say("what was blended is kept: the same command goes on from there")
            raise
        facts = table_facts(bank)[-1:]
    _print_facts(facts, as_json=as_json)


@table.command()
def info(
    bank_path: BankPath,
    secs: Secs = 1.0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help=("Draw a film strip of each representative: .png, .svg, .gif or .mp4.")),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the transition tables of BANK. With -o, draw the representatives of the table for --secs."""
    from motionary.bank import Bank
    from motionary.transition import open_transitions, table_facts

    check_pictures((output, True))
    with Bank.open(bank_path) as bank:
        facts = table_facts(bank, message=say)
        if output is not None:
            from motionary.picture import show_representatives

            for remark in show_representatives(open_transitions(bank, secs=secs), output):
                say(remark)
    if facts:
        _print_facts(facts, as_json=as_json)
    elif not as_json:
        say(f"no table of transitions; `motionary transition table build {bank_path}` makes one")


@table.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help=("Tables, named as in `transition table info`."))],
    dry_run: DryRun = False,
) -> None:
    """Delete transition tables. `transition table build` rebuilds them."""
    from motionary.bank import Bank
    from motionary.transition import remove_tables

    with Bank.open(bank_path) as bank:
        for entry in remove_tables(bank, names, dry_run=dry_run):
            print(f"removed {entry.name} ({entry.n_bytes / 1e6:.2f} MB)")
    if dry_run:
        say("nothing was deleted (--dry-run)")


@app.command()
def make(
    bank_path: BankPath,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Start frame: CLIP:FRAME or CLIP:2.5s.")],
    target: Annotated[
        str | None, typer.Argument(metavar="[TO]", help="Target frame: CLIP:FRAME. Or use --label.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", "-l", help="Go to the best frame with this label.")] = None,
    secs: Secs = 1.0,
    method: Method = "table",
    candidates: Candidates = 3,
    variants: Variants = 0,
    seed: Seed = 0,
    lead: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds of source before and target after the transition.")
    ] = 1.0,
    clean: Clean = True,
    outputs: MotionOutputs = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Make a transition from a frame to another frame or a label, and score how natural it is."""
    from motionary.bank import Bank
    from motionary.transition import transitions_by

    check_motion_outputs(outputs)
    with Bank.open(bank_path) as bank:
        opened = transitions_by(method, bank, [source, target], secs=secs, label=label, message=say)
        made = opened.make(
            source,
            target,
            label=label,
            method=method,
            candidates=candidates,
            variants=variants,
            seed=seed,
            lead_secs=lead,
            clean_feet=clean,
        )
        facts = opened.facts(made)
        if outputs:
            from motionary.picture import show_transitions

            give_motion(outputs, save=made.save, draw=lambda path: show_transitions(opened, [made], path))
        if keep is not None:
            say(f"kept as {opened.keep_transition(keep, made).name}")
    if as_json:
        print_json([facts])
        return
    _print_made(facts)


@app.command()
def chain(
    bank_path: BankPath,
    stops: Annotated[
        list[str],
        typer.Argument(metavar="SEGMENT…", help=("CLIP:START-STOP, or label:NAME for the best segment with a label.")),
    ],
    secs: Secs = 1.0,
    play: Annotated[float, typer.Option(min=0.1, max=600, help="Seconds to use from a segment chosen by label.")] = 3.0,
    candidates: Candidates = 3,
    variants: Variants = 0,
    seed: Seed = 0,
    clean: Clean = True,
    outputs: MotionOutputs = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Join segments into one motion, with a transition from each to the next."""
    from motionary.bank import Bank
    from motionary.rounding import measured
    from motionary.transition import open_transitions

    check_motion_outputs(outputs)
    with Bank.open(bank_path) as bank:
        opened = open_transitions(bank, secs=secs, message=say)
        made = opened.chain(
            stops, play_secs=play, candidates=candidates, variants=variants, seed=seed, clean_feet=clean
        )
        facts = opened.chain_facts(made)
        if outputs:
            from motionary.picture import show_chain

            give_motion(outputs, save=made.save, draw=lambda path: show_chain(opened, made, path))
        if keep is not None:
            clips = [stop.clip for stop in made.stops]
            clips += [frame.clip for one in made.transitions for frame in one.intermediaries]
            content = {"description": "chain of " + ", ".join(stops), "transitions": facts, "clips": clips}
            say(f"kept as {opened.keep(keep, made.motion, made.plants, content).name}")
    if as_json:
        print_json(facts)
        return
    for one in facts:
        _print_made(one)
    print(f"{made.motion.duration_secs:.2f} s in all; worst score {measured(100 * made.worst, 1, 'cm')}")


@app.command()
def judge(
    bank_path: BankPath,
    secs: Secs = 1.0,
    pairs: Annotated[int, typer.Option(min=1, max=1000, help="Number of pairs to judge.")] = 5,
    output: Annotated[Path, typer.Option("-o", "--output", help="Prefix of the animation files.")] = Path("judge"),
    answers: Annotated[
        str | None, typer.Option(help="Answers in advance, one character per pair: a, b, = (both) or - (neither).")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help=("Random seed for the choice of frames. By default, different every time.")),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare pairs of transitions and say which looks natural. Your answers adjust the threshold."""
    import numpy as np

    from motionary.bank import Bank
    from motionary.errors import UsageError
    from motionary.picture import show_transitions
    from motionary.transition import ANSWERS, open_transitions

    if answers is not None and (len(answers) < pairs or not set(answers) <= set(ANSWERS)):
        raise UsageError(f"{pairs} pairs need {pairs} answers out of {' '.join(ANSWERS)}, not {answers!r}")
    check_pictures((output.with_name(f"{output.name}_1a.gif"), True))
    rng = np.random.default_rng(seed)
    with Bank.open(bank_path) as bank:
        opened = open_transitions(bank, secs=secs, message=say)
        for number in range(1, pairs + 1):
            pair = [opened.random_pair(rng), opened.random_pair(rng, method="direct")]
            pair = [pair[i] for i in rng.permutation(2)]  # nobody knows which is which
            names = [output.with_name(f"{output.name}_{number}{letter}.gif") for letter in "ab"]
            for one, path in zip(pair, names, strict=True):
                show_transitions(opened, [one], path, blind=True)
            answer = answers[number - 1] if answers is not None else ""
            while answer not in ANSWERS:
                answer = typer.prompt(f"{names[0]} or {names[1]}: which is natural? a, b, = both, - neither", err=True)
            opened.judge(answer, pair)
        found = opened.calibration()
        facts = {
            "pairs": pairs,
            "judged": 0 if found is None else found.n_judged,
            "threshold_cm": round(100.0 * opened.maker.table.threshold, 3),
            "judged_threshold_cm": None if found is None else round(100.0 * found.threshold, 3),
            "agreement": None if found is None else round(found.agreement, 4),
        }
    if as_json:
        print_json([facts])
    elif found is None:
        print(f"{counted(pairs, 'verdict')} kept; too few by now to tell a threshold from them")
    else:
        print(
            f"{counted(pairs, 'verdict')} kept; the threshold that fits best is {facts['judged_threshold_cm']:.1f} cm "
            f"(agrees with {100 * found.agreement:.0f} % of {found.n_judged} transitions); that of the library's own "
            f"motion is {facts['threshold_cm']:.1f} cm"
        )


def _print_made(facts: dict[str, Any]) -> None:
    from motionary.rounding import measured
    from motionary.transition import WAYS

    verdict = "natural" if facts["good"] else "not natural"
    by = ", ".join(facts["intermediaries"]) or WAYS[facts["way"]]
    feet, balance, flight = (measured(facts[f"{name}_error_cm"], 1) for name in ("plant", "zmp", "fall"))
    print(
        f"{facts['from']} to {facts['to']} in {facts['secs']:.2f} s by {by}: "
        f"score {measured(facts['score_cm'], 1, 'cm')} (feet {feet}, balance {balance}, flight {flight}); "
        f"{verdict}: the threshold is {measured(facts['threshold_cm'], 1)}"
    )
    for remark in facts["remarks"]:
        say(remark)


def _print_facts(found: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    rows = [
        [
            facts["table"], facts["of"], f"{facts['secs']:g}", str(facts["clips"]), str(facts["frames"]),
            f"{facts['rows']} of {facts['representatives']}", f"{facts['separation']:.2f}",
            f"{facts['threshold_cm']:.1f}",
            "" if facts["under_threshold"] is None else f"{facts['under_threshold']:.3f}",
            f"{facts['table_bytes'] / 1e6:.2f}", str(facts["bytes_a_frame"]),
        ]
        for facts in found
    ]  # fmt: skip
    header = ["table", "of", "secs", "clips", "frames", "rows", "separation", "threshold cm", "good", "MB", "B/frame"]
    print_table(header, rows)
    for facts in found:
        if facts["rows"] < facts["representatives"]:
            left = facts["representatives"] - facts["rows"]
            say(f"{facts['table']} is not finished: {counted(left, 'row')} are to come, with the next `build`")
