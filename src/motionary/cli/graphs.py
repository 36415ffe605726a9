"""graph build, info, show, rm, export, walk, path, follow."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, say, waiting

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.graph import GraphMotion

app = typer.Typer(help="Motion graphs: endless, steerable motion out of the clips of a bank.", no_args_is_help=True)
MOTIONS = (".bvh", ".glb")

Graph = Annotated[str | None, typer.Option("--graph", metavar="NAME", help="A graph, as `graph info` lists them.")]
Threshold = Annotated[
    str | None,
    typer.Option("--threshold", metavar="LIMIT", help="Which transitions count: knee, 6cm, rank=67, or 3/s."),
]
Dwell = Annotated[
    float | None, typer.Option("--dwell", min=0, max=60, metavar="SECS", help="Seconds between two transitions.")
]
Output = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", help="Write the motion (.bvh, .glb) or draw it (.png, .svg, .gif); may be repeated."
    ),
]
Above = Annotated[Path | None, typer.Option("--above", metavar="FILE", help="Draw the way from above (.png, .svg).")]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Keep the motion in BANK as a clip.")]
Body = Annotated[str | None, typer.Option("--body", metavar="CLIP", help="Move the body of this clip.")]
Clean = Annotated[bool, typer.Option("--clean/--raw", help="Hold planted feet at their places.")]
Only = Annotated[list[str] | None, typer.Option("--only", metavar="LABEL", help="Play only what has this label.")]
Avoid = Annotated[list[str] | None, typer.Option("--avoid", metavar="SEGMENT", help="Do not play this segment.")]
Seed = Annotated[int, typer.Option(min=0, help="Another seed gives another walk.")]


@app.command()
def build(
    bank_path: BankPath,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD…]", help="Only clips with these words in name, labels, …")
    ] = None,
    metric: Annotated[
        str,
        typer.Option(metavar="NAME", help="dynamics, direction, source, uniform, heuristic, points or gist."),
    ] = "dynamics",
    method: Annotated[str, typer.Option(help="auto, dense (compare all frames) or sparse.")] = "auto",
    threshold: Annotated[
        str, typer.Option(metavar="LIMIT", help="Which transitions count: knee, 6cm, rank=67, or 3/s.")
    ] = "knee",
    ceiling: Annotated[
        float | None, typer.Option(min=0.1, metavar="CM", help="Keep candidates up to this distance.")
    ] = None,
    blend: Annotated[float, typer.Option(min=0.03, max=2, metavar="SECS", help="Length of blends.")] = 1 / 3,
    fixed: Annotated[bool, typer.Option("--fixed", help="Give all blends the same length.")] = False,
    dwell: Annotated[float, typer.Option(min=0, max=60, metavar="SECS", help="Seconds between two transitions.")] = 0.0,
    rate: Annotated[float, typer.Option(min=5, max=240, metavar="HZ", help="Frames a second.")] = 30.0,
    label: Annotated[list[str] | None, typer.Option("--label", "-l", help="Only clips with this label.")] = None,
    clip: Annotated[list[str] | None, typer.Option("--name", "-n", help="Only clips whose names fit: 'walk*'.")] = None,
    as_json: AsJson = False,
) -> None:
    """Build the motion graph of BANK, or of some of its clips; what is there already is brought up to date."""
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
    """List the motion graphs beside BANK, or tell about one of them."""
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
    output: Annotated[Path, typer.Option("-o", "--output", help="The picture: .png, or .svg for the map.")],
    graph: Graph = None,
    threshold: Threshold = None,
    matrix: Annotated[bool, typer.Option("--matrix", help="Draw the matrix of distances instead.")] = False,
    against: Annotated[
        str | None, typer.Option("--against", metavar="METRIC", help="Draw how the matrix differs from this metric's.")
    ] = None,
) -> None:
    """Draw a motion graph: clips as bars, transitions as arcs; or the distances of all frames as a matrix."""
    from motionary.bank import Bank
    from motionary.graph import open_graph
    from motionary.picture import show_cost_matrix, show_graph_map

    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, message=say)
        if matrix or against:
            remarks = show_cost_matrix(built, output, against=against)
        else:
            remarks = show_graph_map(built, bank.clip_names(built.graph.clip_ids), output)
    for remark in remarks:
        say(remark)


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Graphs, as `graph info` lists them.")],
    dry_run: DryRun = False,
) -> None:
    """Delete motion graphs; `graph build` makes them again."""
    from motionary.bank import Bank
    from motionary.graph import remove_graphs

    with Bank.open(bank_path) as bank:
        for name in remove_graphs(bank, names, dry_run=dry_run):
            print(f"removed {name}")
    if dry_run:
        say("nothing was deleted (--dry-run)")


@app.command()
def export(
    bank_path: BankPath,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder to write into.")],
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
) -> None:
    """Write a motion graph for engines: graph.json and a GLB file of every clip."""
    from motionary.bank import Bank
    from motionary.graph import export_graph, open_graph

    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        written = export_graph(bank, built, output)
    print(f"{output}: {counted(built.graph.n_transitions, 'transition')}, {counted(len(written) - 1, 'clip')}")


@app.command()
def walk(
    bank_path: BankPath,
    secs: Annotated[float, typer.Option(min=0.1, max=36_000, help="How long to walk.")] = 20.0,
    seed: Seed = 0,
    start: Annotated[str | None, typer.Option("--from", metavar="FRAME", help="CLIP:FRAME, or CLIP:2.5s.")] = None,
    prefer: Annotated[
        list[str] | None, typer.Option("--prefer", metavar="LABEL=NUMBER", help="Be drawn to this label; 1 is gently.")
    ] = None,
    only: Only = None,
    avoid: Avoid = None,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    output: Output = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Walk through the graph at random, by good transitions; the same seed walks the same way."""
    from motionary.bank import Bank
    from motionary.graph import graph_walk, open_graph
    from motionary.requests import FACTORS

    _check_outputs(output, above)
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        made = graph_walk(
            bank, built, secs=secs, seed=seed, start=start, prefer=FACTORS.read("--prefer", prefer or []),
            only=only or (), avoid=avoid or (), body=body, clean=clean,
        )  # fmt: skip
        _give(bank, made, output, above, keep, as_json, title=f"walk, seed {seed}")


@app.command()
def path(
    bank_path: BankPath,
    start: Annotated[str, typer.Argument(metavar="FROM", help="CLIP:FRAME, or CLIP:2.5s.")],
    goal: Annotated[str | None, typer.Argument(metavar="[TO]", help="CLIP:FRAME; or use --label or --through.")] = None,
    label: Annotated[
        str | None, typer.Option("--label", "-l", help="Lead to the nearest frame with this label.")
    ] = None,
    through: Annotated[
        list[str] | None,
        typer.Option("--through", metavar="LABEL=SECS", help="Labels in order, each for so many seconds at least."),
    ] = None,
    avoid: Avoid = None,
    seed: Seed = 0,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    output: Output = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Find the shortest way from a frame to a frame or a label, or through labels in order."""
    from motionary.bank import Bank
    from motionary.graph import graph_path, open_graph
    from motionary.requests import FACTORS

    _check_outputs(output, above)
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        labels = [pair for one in through or () for pair in FACTORS.read("--through", [one]).items()]
        made = graph_path(
            bank, built, start, goal, label=label, labels=labels, avoid=avoid or (), seed=seed, body=body, clean=clean
        )
        _give(bank, made, output, above, keep, as_json, title=f"from {start} to {goal or label or 'labels in order'}")


@app.command()
def follow(
    bank_path: BankPath,
    line: Annotated[
        str, typer.Argument(metavar="PATH", help="Points x,z in metres: '0,0 4,0 4,3'; or a .csv or .svg.")
    ],
    scale: Annotated[float, typer.Option(min=1e-6, help="Metres per unit of PATH.")] = 1.0,
    only: Only = None,
    avoid: Avoid = None,
    start: Annotated[str | None, typer.Option("--from", metavar="FRAME", help="CLIP:FRAME, or CLIP:2.5s.")] = None,
    steer: Annotated[
        float, typer.Option(min=0, max=45, metavar="DEGREES", help="How far a blend may turn the body besides.")
    ] = 12.0,
    most_off: Annotated[
        float, typer.Option("--most-off", min=0.05, max=10, metavar="METRES", help="Never leave the path by more.")
    ] = 0.6,
    effort: Annotated[
        int, typer.Option(min=1, max=8192, help="States to follow up at a time; more finds better.")
    ] = 32,
    time_limit: Annotated[
        float | None, typer.Option("--time", min=0.01, metavar="SECS", help="Search as long as this; take the best.")
    ] = None,
    graph: Graph = None,
    threshold: Threshold = None,
    dwell: Dwell = None,
    body: Body = None,
    clean: Clean = True,
    output: Output = None,
    above: Above = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Make a motion along a path on the ground."""
    from motionary.bank import Bank
    from motionary.graph import FollowOptions, graph_follow, open_graph

    _check_outputs(output, above)
    with Bank.open(bank_path) as bank:
        built = open_graph(bank, graph, threshold=threshold, dwell_secs=dwell, message=say)
        options = FollowOptions(steer_deg=steer, most_off=most_off, width=effort)
        made = graph_follow(
            bank, built, line, scale=scale, options=options, only=only or (), avoid=avoid or (), start=start,
            time_limit_secs=time_limit, body=body, clean=clean,
        )  # fmt: skip
        _give(bank, made, output, above, keep, as_json, title=f"along {line[:40]}")


def _check_outputs(outputs: list[Path] | None, above: Path | None) -> None:
    """Nobody waits for a motion that cannot be written."""
    from motionary.files import check_can_write

    for path in outputs or ():
        if path.suffix.lower() in MOTIONS:
            check_can_write(path)
        else:
            check_pictures((path, True))
    if above is not None:
        check_pictures((above, False))


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
    for path in outputs or ():
        if path.suffix.lower() in MOTIONS:
            made.save(path)
        else:
            from motionary.picture import show_graph_motion

            for remark in show_graph_motion(made, path, title=title):
                say(remark)
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
    print(
        f"feet slide {facts['slide_before_cm']:.1f} cm before clean-up, {facts['slide_cm']:.2f} cm after; "
        f"score {facts['score_cm']:.1f} cm"
    )
    if "path_m" in facts:
        print(
            f"{facts['path_m']:.1f} m of path; {facts['off_path_mean_cm']:.1f} cm off it on average, "
            f"{facts['off_path_most_cm']:.1f} at most"
        )
    for piece in facts["pieces"]:
        print(f"  {piece}")


def _print_facts(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json([facts])
        return
    reach = facts.get("reach_secs", {})
    rows = [
        ["graph", facts["graph"]],
        ["of", facts["of"][:80]],
        ["metric", f"{facts['metric']} ({facts['method']})"],
        ["clips", f"{facts['clips']}, {facts['clips_connected']} connected; {facts['secs']:.0f} s"],
        ["threshold", f"{facts['threshold_cm']:g} cm ({facts['threshold']}) of {facts['candidates']:,} candidates"],
        ["transitions", f"{facts['transitions']:,}; {facts['pruned']:,} dead ends removed"],
        ["choices", f"{facts['choices_per_sec']:g} a second"],
        ["by speed", ", ".join(f"{count:,} {name}" for name, count in facts["by_speed"].items())],
        ["to any frame", ", ".join(f"{secs:g} s {name}" for name, secs in reach.items())],
        ["to labels", ", ".join(f"{name} {secs:g} s" for name, secs in facts.get("reach_label_secs", {}).items())],
    ]
    print_table(["", ""], [row for row in rows if row[1]])
    still = facts["by_speed"]["still"]
    if facts["transitions"] and still > 0.8 * facts["transitions"]:
        say("most transitions connect standing with standing; --threshold or another metric may give more")
