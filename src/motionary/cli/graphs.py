"""graph build, info, show, rm, export, walk, path, follow."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from motionary.cli.motion_outputs import MotionOutputs, check_motion_outputs, give_motion
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, say, waiting

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.graph import GraphMotion

app = typer.Typer(
    help="Motion graphs: generate endless, controllable motion from the clips of a bank.", no_args_is_help=True
)

Graph = Annotated[str | None, typer.Option("--graph", metavar="NAME", help="Motion graph, named as in `graph info`.")]
Threshold = Annotated[
    str | None,
    typer.Option(
        "--threshold",
        metavar="LIMIT",
        help=("Which transitions to use: knee (automatic), up to 6cm, the best rank=67, or 3/s of library time."),
    ),
]
Dwell = Annotated[
    float | None, typer.Option("--dwell", min=0, max=60, metavar="SECS", help=("Minimum time between two transitions."))
]
Above = Annotated[
    Path | None, typer.Option("--above", metavar="FILE", help=("Draw the path from above: .png or .svg."))
]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Store the motion in BANK as a new clip.")]
Body = Annotated[str | None, typer.Option("--body", metavar="CLIP", help="Use the skeleton of this clip.")]
Clean = Annotated[bool, typer.Option("--clean/--raw", help="Remove foot sliding from the result.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="LABEL", help=("Use only segments with this label. Can be repeated.")),
]
Avoid = Annotated[
    list[str] | None, typer.Option("--avoid", metavar="SEGMENT", help=("Do not use this segment. Can be repeated."))
]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]


@app.command()
def build(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=("Frame distance: dynamics, direction, source, uniform, heuristic, points or gist.")
        ),
    ] = "dynamics",
    method: Annotated[
        str,
        typer.Option(
            help=("dense compares all frames; sparse skips distant ones by a coarse filter; auto chooses by size.")
        ),
    ] = "auto",
    threshold: Annotated[
        str,
        typer.Option(
            metavar="LIMIT",
            help=("Which transitions to use: knee (automatic), up to 6cm, the best rank=67, or 3/s of library time."),
        ),
    ] = "knee",
    ceiling: Annotated[
        float | None, typer.Option(min=0.1, metavar="CM", help="Largest distance of stored candidates.")
    ] = None,
    blend: Annotated[
        float,
        typer.Option(
            min=0.03,
            max=2,
            metavar="SECS",
            show_default="1/3",
            help="Time around two frames that is compared, and length of a blend; 0.2, 0.33 and 0.5 s are tried, too.",
        ),
    ] = 1 / 3,
    fixed: Annotated[bool, typer.Option("--fixed", help="Make all blends as long as --blend.")] = False,
    dwell: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECS", help="Minimum time between two transitions.")
    ] = 0.0,
    rate: Annotated[float, typer.Option(min=5, max=240, metavar="HZ", help="Frame rate of the graph.")] = 30.0,
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label",
            "-l",
            help=(
                "Only clips with this label, as a whole. If repeated, clips with all of the labels. For the labelled "
                "parts alone, use --segment label:NAME."
            ),
        ),
    ] = None,
    clip: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    segment: Annotated[
        list[str] | None,
        typer.Option(
            "--segment", metavar="SEGMENT", help=("Only this segment, @SELECTION or label:NAME. Can be repeated.")
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build or update the motion graph of BANK or of some clips."""
    from motionary.bank import Bank
    from motionary.graph import GraphSettings, build_graph, graph_facts

    choices = (blend,) if fixed else GraphSettings().blend_choices
    settings = GraphSettings(metric, method, rate, ceiling, blend, choices)
    with Bank.open(bank_path) as bank, waiting("Comparing") as told:
        try:
            built = build_graph(
                bank,
                settings=settings,
                threshold=threshold,
                dwell_secs=dwell,
                text=" ".join(words or ()),
                labels=label or (),
                names=clip or (),
                segments=segment or (),
                **told,
            )
        except KeyboardInterrupt:
            say("what was compared is kept: the same command goes on from there")
            raise
        facts = graph_facts(built)
    _print_facts(facts, as_json=as_json)


@app.command()
def info(
    bank_path: BankPath, graph: Graph = None, threshold: Threshold = None, dwell: Dwell = None, as_json: AsJson = False
) -> None:
    """List the motion graphs of BANK, or describe one."""
    from motionary.bank import Bank
    from motionary.graph import graph_facts, graph_names, open_graph

    with Bank.open(bank_path) as bank:
        names = graph_names(bank)
        if not names:
            if not as_json:
                say(f"no motion graph; `motionary graph build {bank_path}` makes one")
            return
        facts = graph_facts(open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say))
    _print_facts(facts, as_json=as_json)
    others = [name for name in names if name != facts["graph"]]
    if others and not as_json:
        say(f"other graphs: {', '.join(others)}; --graph NAME tells about one of them")


@app.command()
def show(
    bank_path: BankPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", help=("Picture file: .png or .svg; only .png for a matrix."))
    ],
    graph: Graph = None,
    threshold: Threshold = None,
    matrix: Annotated[bool, typer.Option("--matrix", help="Draw the matrix of frame distances instead.")] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="METRIC", help=("Draw the difference from the matrix of this metric.")),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a motion graph with clips as bars and transitions as arcs, or draw the matrix of frame distances."""
    from motionary.bank import Bank
    from motionary.graph import open_graph
    from motionary.picture import show_cost_matrix, show_graph_map

    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, message=say)
        if matrix or against:
            remarks = show_cost_matrix(built, output, against=against)
        else:
            names = bank.clip_names(built.graph.clip_ids)
            remarks = show_graph_map(built, names, output, motions=bank.motion)
    if as_json:
        print_json([{"graph": built.name, "file": str(output), "remarks": list(remarks)}])
        return
    for remark in remarks:
        say(remark)


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Motion graphs, named as in `graph info`.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Delete motion graphs. `graph build` rebuilds them."""
    from motionary.bank import Bank
    from motionary.graph import remove_graphs

    with Bank.open(bank_path) as bank:
        removed = remove_graphs(bank, names, dry_run=dry_run)
    if as_json:
        print_json({"graph": name} for name in removed)
    else:
        for name in removed:
            print(f"removed {name}")
    if dry_run:
        say("nothing was deleted (--dry-run)")


@app.command()
def export(
    bank_path: BankPath,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder to write into.")],
    layout: Annotated[
        str, typer.Option("--as", metavar="LAYOUT", help="graph (JSON and GLB), or matching (a database).")
    ] = "graph",
    body: Body = None,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
) -> None:
    """Write a motion graph for engines: graph.json and GLB clips; or a motion-matching database of its clips."""
    from motionary.bank import Bank
    from motionary.errors import UsageError
    from motionary.graph import export_graph, export_matching_database, open_graph

    if layout not in ("graph", "matching"):
        raise UsageError(f"no layout is called {layout!r}; there are graph and matching")
    if layout == "graph" and body is not None:
        raise UsageError("clips of a graph keep their own bodies; --body is for --as matching")
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        if layout == "matching":
            written = export_matching_database(bank, built, output, body=body)
            print(f"{output}: {', '.join(path.name for path in written)}")
            return
        written = export_graph(bank, built, output)
    print(f"{output}: {counted(built.graph.n_transitions, 'transition')}, {counted(len(written) - 1, 'clip')}")


@app.command()
def walk(
    bank_path: BankPath,
    secs: Annotated[float, typer.Option(min=0.1, max=36_000, help="Duration in seconds.")] = 20.0,
    seed: Seed = 0,
    start: Annotated[
        str | None, typer.Option("--from", metavar="FRAME", help=("Start frame: CLIP:FRAME or CLIP:2.5s."))
    ] = None,
    prefer: Annotated[
        list[str] | None,
        typer.Option(
            "--prefer", metavar="LABEL=NUMBER", help=("Prefer this label; 1 is a slight preference. Can be repeated.")
        ),
    ] = None,
    only: Only = None,
    avoid: Avoid = None,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    outputs: MotionOutputs = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Generate a random walk through the graph. The same seed gives the same walk."""
    from motionary.bank import Bank
    from motionary.graph import graph_walk, open_graph
    from motionary.requests import FACTORS

    check_motion_outputs(outputs)
    check_pictures((above, False))
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        made = graph_walk(
            bank, built, secs=secs, seed=seed, start=start, prefer=FACTORS.read("--prefer", prefer or []),
            only=only or (), avoid=avoid or (), body=body, clean=clean,
        )  # fmt: skip
        _give(bank, made, outputs, above, keep, as_json, title=f"walk, seed {seed}")


@app.command()
def path(
    bank_path: BankPath,
    start: Annotated[str, typer.Argument(metavar="FROM", help="Start frame: CLIP:FRAME or CLIP:2.5s.")],
    goal: Annotated[
        str | None, typer.Argument(metavar="[TO]", help=("Target frame: CLIP:FRAME. Or use --label or --through."))
    ] = None,
    label: Annotated[str | None, typer.Option("--label", "-l", help="Go to the nearest frame with this label.")] = None,
    through: Annotated[
        list[str] | None,
        typer.Option(
            "--through",
            metavar="LABEL=SECS",
            help=("Pass through this label for at least this many seconds. Repeat for a sequence."),
        ),
    ] = None,
    avoid: Avoid = None,
    seed: Seed = 0,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    outputs: MotionOutputs = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Find the shortest motion from a frame to another frame or a label, or through a sequence of labels."""
    from motionary.bank import Bank
    from motionary.graph import graph_path, open_graph
    from motionary.requests import FACTORS

    check_motion_outputs(outputs)
    check_pictures((above, False))
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        labels = [pair for one in through or () for pair in FACTORS.read("--through", [one]).items()]
        made = graph_path(
            bank, built, start, goal, label=label, labels=labels, avoid=avoid or (), seed=seed, body=body, clean=clean
        )
        _give(bank, made, outputs, above, keep, as_json, title=f"from {start} to {goal or label or 'labels in order'}")


class FollowCommand(TyperCommand):
    """Takes a path that begins with a negative number, as in `-1,0 2,3`, as a path, not as an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with a blank before such paths."""
        return super().parse_args(ctx, [f" {one}" if re.match(r"-[\d.]+,", one) else one for one in args])


@app.command(cls=FollowCommand)
def follow(
    bank_path: BankPath,
    line: Annotated[
        str, typer.Argument(metavar="PATH", help=("Points x,z in metres, as in '0,0 4,0 4,3', or a .csv or .svg file."))
    ],
    scale: Annotated[float, typer.Option(min=1e-6, help="Metres per unit of PATH.")] = 1.0,
    only: Only = None,
    avoid: Avoid = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="FRAME", help=("Start frame: CLIP:FRAME or CLIP:2.5s."))
    ] = None,
    steer: Annotated[
        float, typer.Option(min=0, max=45, metavar="DEGREES", help="Largest extra turn of the body during a blend.")
    ] = 12.0,
    most_off: Annotated[
        float, typer.Option("--most-off", min=0.05, max=10, metavar="METRES", help="Largest distance from the path.")
    ] = 0.6,
    effort: Annotated[
        int,
        typer.Option(
            min=1, max=8192, help=("Beam width of the search. Larger values find better motions, but take longer.")
        ),
    ] = 8,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time", min=0.01, metavar="SECS", help=("Keep searching for this long and return the best motion.")
        ),
    ] = None,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    outputs: MotionOutputs = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Generate a motion that follows a path on the ground."""
    from motionary.bank import Bank
    from motionary.graph import FollowOptions, graph_follow, open_graph

    check_motion_outputs(outputs)
    check_pictures((above, False))
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        options = FollowOptions(steer_deg=steer, most_off=most_off, width=effort)
        made = graph_follow(
            bank, built, line, scale=scale, options=options, only=only or (), avoid=avoid or (), start=start,
            time_limit_secs=time_limit, body=body, clean=clean,
        )  # fmt: skip
        _give(bank, made, outputs, above, keep, as_json, title=f"along {line.strip()[:40]}")


def _give(
    bank: "Bank",
    made: "GraphMotion",
    outputs: list[Path] | None,
    above: Path | None,
    keep: str | None,
    as_json: bool,
    *,
    title: str,
) -> None:
    """Write, draw and keep a motion, and tell about it."""
    from motionary.rounding import measured

    if outputs:
        from motionary.picture import show_graph_motion

        give_motion(outputs, save=made.save, draw=lambda path: show_graph_motion(made, path, title=title))
    if above is not None:
        from motionary.picture import show_ground_way

        show_ground_way(made, above)
    if keep is not None:
        made.keep(bank, keep)
        say(f"kept as {keep}")
    facts = made.facts()
    if as_json:
        print_json([facts])
        return
    print(f"{facts['secs']:.2f} s by {counted(facts['transitions'], 'transition')}, worst {facts['worst_cm']:.1f} cm")
    free = f" ({counted(facts['plants_not_held'], 'plant')} not held)" if facts["plants_not_held"] else ""
    print(
        f"feet slide {facts['slide_before_cm']:.1f} cm before clean-up, {facts['slide_cm']:.2f} cm after{free}; "
        f"score {measured(facts['score_cm'], 1, 'cm')}"
    )
    if "path_m" in facts:
        print(
            f"{facts['path_m']:.1f} m of path; {facts['off_path_mean_cm']:.1f} cm off it on average, "
            f"{facts['off_path_most_cm']:.1f} at most"
        )
    print("pieces, without the blends between them:" if facts["transitions"] else "piece:")
    for piece in facts["pieces"]:
        print(f"  {piece}")


def _print_facts(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json([facts])
        return
    reach = facts.get("reach_secs", {})
    both_ways = (
        ", one in each direction" if facts["transitions"] + facts["pruned"] == 2 * facts["within_threshold"] else ""
    )
    rows = [
        ["graph", facts["graph"]],
        ["of", facts["of"][:80]],
        ["metric", f"{facts['metric']} ({facts['method']})"],
        ["clips", f"{facts['clips']}, {facts['clips_connected']} connected; {facts['secs']:.0f} s"],
        ["threshold", f"{facts['threshold_cm']:g} cm ({facts['threshold']})"],
        ["candidates", f"{facts['candidates']:,}, {facts['within_threshold']:,} of them up to the threshold"],
        ["transitions", f"{facts['transitions']:,}{both_ways}; {facts['pruned']:,} dead ends removed"],
        ["components", f"{facts['components']:,}; the largest is used"],
        ["choices", f"{facts['choices_per_sec']:g} a second"],
        ["by speed", ", ".join(f"{count:,} {name}" for name, count in facts["by_speed"].items())],
        ["to any frame", ", ".join(f"{secs:g} s {name}" for name, secs in reach.items())],
        ["to labels", ", ".join(f"{name} {secs:g} s" for name, secs in facts.get("reach_label_secs", {}).items())],
    ]
    print_table(["", ""], [row for row in rows if row[1]])
    if facts.get("unreachable_labels"):
        say(f"not reached: {', '.join(facts['unreachable_labels'])}; a higher --threshold may connect them")
    still = facts["by_speed"]["still"]
    if facts["transitions"] and still > 0.8 * facts["transitions"]:
        say("most transitions connect standing with standing; --threshold or another metric may give more")
