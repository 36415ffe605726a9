"""blend, register, loop, parametric."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, say
from motionary.errors import UsageError

parametric = typer.Typer(
    help="Parametric motions: blends controlled by parameters, such as where a hand reaches.", no_args_is_help=True
)

Examples = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SEGMENT…]", help="CLIP, CLIP:START-STOP or @SELECTION. ~SEGMENT is its mirror image."),
]
LabelOption = Annotated[
    list[str] | None, typer.Option("--label", "-l", help=("Also use all segments with this label. Can be repeated."))
]
Mirror = Annotated[bool, typer.Option("--mirror", help="Also use the mirror image of each segment.")]
Rate = Annotated[
    float | None,
    typer.Option("--rate", metavar="HZ", help=("Frame rate of the result. By default, that of the first segment.")),
]
SlopeLimit = Annotated[
    float,
    typer.Option(
        "--slope", min=1.5, max=20, help=("Largest factor by which time warping may speed up or slow down a motion.")
    ),
]
Paths = Annotated[
    Literal["graph", "direct"],
    typer.Option(help=("graph: align dissimilar motions through similar ones; direct: align each with the reference.")),
]
Keep = Annotated[str | None, typer.Option("--keep", metavar="NAME", help="Store the result in BANK as a new clip.")]
File = Annotated[Path | None, typer.Option("--file", help="Write the result to a .bvh or .glb file.")]
Picture = Annotated[Path | None, typer.Option("-o", "--output", help="Draw the result: .png, .svg or .gif.")]
Drawing = Annotated[Path | None, typer.Option("-o", "--output", help="Draw the result: .png or .svg.")]


def blend(
    bank_path: BankPath,
    segments: Examples = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            help=("Weight of each segment: 0.3,0.7; or changing over time: 1,0/0,1. By default, equal weights."),
        ),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(
            "--part", metavar="PART=WEIGHTS", help=("Weights for one body part, as in arms=0,1. Can be repeated.")
        ),
    ] = None,
    label: LabelOption = None,
    rate: Rate = None,
    slope: SlopeLimit = 3.0,
    paths: Paths = "graph",
    clean_up: Annotated[bool, typer.Option("--clean/--no-clean", help="Remove foot sliding from the result.")] = True,
    again: Annotated[
        str | None, typer.Option("--again", metavar="CLIP", help="Recompute a stored blend or loop from its recipe.")
    ] = None,
    keep: Keep = None,
    file: File = None,
    output: Picture = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Blend segments into one motion. The weights sum to 1."""
    from motionary.blend import RegistrationOptions
    from motionary.parametric import blend_segments, keep_blend, make_again, write_motion

    check_pictures((output, True))
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if again is not None:
            motion = make_again(bank, again)
            if file is None:
                raise UsageError("--again needs --file: where to write what was made again")
            write_motion(motion, file)
            print(f"{again}: {counted(motion.n_frames, 'frame')} made again, in {file}")
            return
        shares = None if weights is None else _weights(weights)
        options = RegistrationOptions(slope_limit=slope, paths=paths, spoilers="drop" if shares is None else "refuse")
        made = blend_segments(
            bank,
            segments or (),
            shares,
            groups=_parts(part or []),
            labels=label or (),
            options=options,
            rate_hz=rate,
            clean_up=clean_up,
        )
        if output is not None:
            from motionary.picture import show_blend

            for note in show_blend(made.blend, output, title=keep or "blend"):
                say(note)
        if file is not None:
            write_motion(made.motion, file)
        if keep is not None:
            keep_blend(bank, keep, made)
    facts = made.blend.as_json() | {"clip": keep, "file": None if file is None else str(file)}
    _spoilers(made.blend.registration.spoilers)
    if as_json:
        print_json([facts])
        return
    shown = ", ".join(f"{share:g} {name}" for name, share in facts["weights"].items())
    print(f"{facts['frames']} frames, {facts['secs']:.2f} s: {shown}")
    score = "not measured" if facts["score_cm"] is None else f"{facts['score_cm']:.1f} cm"
    print(f"{counted(facts['plants'], 'plant')} held, {facts['not_held']} not; score {score}")


def register(
    bank_path: BankPath,
    segments: Examples = None,
    label: LabelOption = None,
    mirror: Mirror = False,
    rate: Rate = None,
    slope: SlopeLimit = 3.0,
    paths: Paths = "graph",
    output: Drawing = None,
    as_json: AsJson = False,
) -> None:
    """Show how well segments align with each other, and draw their time warps."""
    from motionary.bank import Bank
    from motionary.blend import RegistrationOptions
    from motionary.parametric import register_segments

    check_pictures((output, False))
    with Bank.open(bank_path) as bank:
        found = register_segments(
            bank,
            segments or (),
            labels=label or (),
            mirror=mirror,
            options=RegistrationOptions(slope_limit=slope, paths=paths),
            rate_hz=rate,
        )
    if output is not None:
        from motionary.picture import show_warps

        show_warps(found, output)
    facts = found.as_json()
    _spoilers(found.spoilers)
    if as_json:
        print_json([facts])
        return
    rows = [
        [
            one["name"],
            str(one["frames"]),
            one["through"] or "",
            f"{one['cost_cm']:.1f}",
            f"{one['slope_least']:.2f}",
            f"{one['slope_greatest']:.2f}",
            str(one["lone_plants"]),
        ]
        for one in facts["sources"]
    ]
    print_table(["segment", "frames", "aligned with", "cm", "slowest", "fastest", "lone plants"], rows)
    say(f"{counted(len(facts['plants']), 'plant')} in common; the clock is that of {facts['reference']}")


def loop(
    bank_path: BankPath,
    segment: Annotated[str, typer.Argument(metavar="SEGMENT", help="Walk, run or skip of at least two strides.")],
    which: Annotated[
        int | None, typer.Option("--cycle", min=1, help=("Number of the cycle to use. By default, the best."))
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Remove travel and turning: the cycle stays in place.")
    ] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Number of repetitions.")] = 1,
    find: Annotated[bool, typer.Option("--find", help="Only list the cycles.")] = False,
    keep: Keep = None,
    file: File = None,
    output: Picture = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make a seamless loop from one cycle of a segment."""
    from motionary.parametric import find_loops, keep_made, loop_segment, write_motion

    check_pictures((output, True))
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if find:
            cycles = find_loops(bank, segment)
            rows = [
                {
                    "cycle": number,
                    "clip": bank.clip(at.clip_id).name,
                    "start": at.start,
                    "stop": at.stop,
                    "cost_cm": round(100.0 * cycle.cost, 3),
                }
                for number, (at, cycle) in enumerate(cycles, start=1)
            ]
            if as_json:
                print_json(rows)
                return
            if rows:
                print_table(
                    ["cycle", "clip", "start", "stop", "cm"],
                    [
                        [str(r["cycle"]), str(r["clip"]), str(r["start"]), str(r["stop"]), f"{r['cost_cm']:.2f}"]
                        for r in rows
                    ],
                )
            say(counted(len(rows), "cycle"))
            return
        made = loop_segment(bank, segment, which=which, in_place=in_place, rounds=rounds)
        if output is not None:
            from motionary.picture import Row, show_rows

            show_rows([Row(made.motion, title=keep or "loop")], output)
        if file is not None:
            write_motion(made.motion, file)
        if keep is not None:
            keep_made(bank, keep, made.motion, made.loop.plants if rounds == 1 else (), made.recipe)
        clip = bank.clip(made.segment.clip_id).name
    facts = {
        "clip": clip,
        "start": made.segment.start,
        "stop": made.segment.stop,
        "cost_cm": round(100.0 * made.cycle.cost, 3),
        "seam_rad": made.loop.seam,
        "velocity_percent": round(100.0 * made.loop.velocity, 4),
        "frames": made.motion.n_frames,
        "kept": keep,
    }
    if as_json:
        print_json([facts])
        return
    print(
        f"{clip}:{facts['start']}-{facts['stop']}: {facts['frames']} frames; seam {facts['seam_rad']:.1g} rad, "
        f"velocities within {facts['velocity_percent']:.2g} %"
    )


@parametric.command()
def make(
    bank_path: BankPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the parametric motion.")],
    segments: Examples = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help=(
                "What the parameters measure: RightHand@apex, end, end+heading, "
                "speed, lowest:Hips, heel:left, … Can be repeated."
            ),
        ),
    ] = None,
    given: Annotated[
        Path | None,
        typer.Option("--given", help=("JSON file with the parameter values of each example, instead of a measure.")),
    ] = None,
    given_name: Annotated[
        list[str] | None, typer.Option("--given-name", help="Parameter name for --given. Can be repeated.")
    ] = None,
    label: LabelOption = None,
    mirror: Mirror = False,
    rate: Rate = None,
    slope: SlopeLimit = 3.0,
    paths: Paths = "graph",
    draws: Annotated[int, typer.Option(min=0, help="Number of random blends to sample.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    cyclic: Annotated[
        bool,
        typer.Option(
            "--cyclic",
            help=("Make a loop from the best cycle of each example, so that the motion can continue endlessly."),
        ),
    ] = False,
    drop_redundant: Annotated[
        bool, typer.Option("--drop-redundant", help="Leave out examples that blends of the others reproduce.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing parametric motion.")] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Rebuild NAME from the current state of its examples.")
    ] = False,
    output: Drawing = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make a parametric motion from segments and store it in BANK."""
    from motionary.blend import RegistrationOptions
    from motionary.parametric import keep_parametric, rebuild_parametric

    check_pictures((output, False))
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if rebuild:
            kept = rebuild_parametric(bank, name)
        else:
            kept = keep_parametric(
                bank,
                name,
                segments or (),
                measure or (),
                labels=label or (),
                mirror=mirror,
                given=None if given is None else _given(given),
                given_names=given_name or (),
                options=RegistrationOptions(slope_limit=slope, paths=paths),
                rate_hz=rate,
                n_draws=draws,
                seed=seed,
                cyclic=cyclic,
                drop_redundant=drop_redundant,
                overwrite=overwrite,
            )
    _show(kept, output, as_json=as_json)


@parametric.command(name="ls")
def list_(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the parametric motions of BANK."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        found = [(name, bank.parametric(name)) for name in bank.parametrics()]
    rows: list[dict[str, Any]] = [
        {
            "parametric": name,
            "measures": content["measures"] or content["given_names"],
            "examples": len(content["examples"]),
        }
        for name, content in found
    ]
    if as_json:
        print_json(rows)
        return
    if rows:
        print_table(
            ["name", "measures", "examples"],
            [[row["parametric"], ", ".join(row["measures"]), str(row["examples"])] for row in rows],
        )
    say(counted(len(rows), "parametric motion"))


@parametric.command()
def show(
    bank_path: BankPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Parametric motion.")],
    output: Drawing = None,
    as_json: AsJson = False,
) -> None:
    """Show the examples and parameter ranges of a parametric motion, or draw the parameters it can reach."""
    from motionary.bank import Bank
    from motionary.parametric import kept_parametric

    check_pictures((output, False))
    with Bank.open(bank_path) as bank:
        kept = kept_parametric(bank, name)
    _show(kept, output, as_json=as_json)


@parametric.command()
def ask(
    bank_path: BankPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Parametric motion.")],
    values: Annotated[
        list[float] | None,
        typer.Argument(metavar="[VALUE…]", help=("One value per parameter. Put -- before negative values.")),
    ] = None,
    grid: Annotated[int | None, typer.Option(min=1, help="Use a grid with this many values of each parameter.")] = None,
    random: Annotated[
        int | None, typer.Option(min=1, help="Use this many random points of the reachable region.")
    ] = None,
    path: Annotated[
        str | None,
        typer.Option("--path", metavar="VALUES/VALUES…", help=("Change the parameters over time, as in 0,1/0.5,1.")),
    ] = None,
    secs: Annotated[float, typer.Option(min=0.1, help="Duration of --path in seconds.")] = 5.0,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for --random.")] = 0,
    corrections: Annotated[
        int, typer.Option(min=0, max=20, help=("Maximum number of corrections of the parameter error."))
    ] = 5,
    clean_up: Annotated[bool, typer.Option("--clean/--no-clean", help="Remove foot sliding from the result.")] = True,
    keep: Keep = None,
    file: File = None,
    output: Picture = None,
    region: Annotated[
        Path | None, typer.Option("--region", help=("Draw the requested and the reached parameters: .png or .svg."))
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate motions with given parameters from a parametric motion."""
    import numpy as np

    from motionary.parametric import keep_made, kept_parametric, steer, write_motion

    check_pictures((output, True), (region, False))
    asked = [bool(values), grid is not None, random is not None, path is not None]
    if sum(asked) != 1:
        raise UsageError("ask for VALUES, or for --grid, --random or --path: one of them")
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        kept = kept_parametric(bank, name)
        _changed(kept.changed)
        motion = kept.motion
        if path is not None:
            steered = steer(motion, _rows(path), secs=secs, clean_up=clean_up)
            made, plants, rows = [steered.motion], steered.plants, [_steered(steered, name)]
            answers, blends = [], []
        else:
            rng = np.random.default_rng(seed)
            points = (
                np.array([values])
                if values
                else motion.grid(grid)
                if grid is not None
                else motion.random_points(random or 1, rng=rng)
            )
            answers = motion.ask_many(points, corrections=corrections, finished=clean_up)
            blends = [answer.motion(clean_up=clean_up) for answer in answers]
            made, plants = [one.motion for one in blends], blends[0].plants
            rows = [_answer(answer, one) for answer, one in zip(answers, blends, strict=True)]
        recipe = {"kind": "parametric", "clip_ids": kept.clip_ids, "parametric": name, "examples": []}
        for number, one in enumerate(made):
            if keep is not None:
                recipe_one = recipe | ({"values": answers[number].wanted.tolist()} if answers else {"path": path})
                own = blends[number].plants if blends else plants
                keep_made(bank, bank.free_name(keep), one, own, recipe_one)
            if file is not None:
                target = file if len(made) == 1 else file.with_name(f"{file.stem}_{number:03d}{file.suffix}")
                write_motion(one, target)
    if output is not None:
        from motionary.picture import Row, show_blend, show_rows

        if len(blends) == 1:
            show_blend(blends[0], output, title=name)
        else:
            show_rows([Row(one, title=f"{name} {n}") for n, one in enumerate(made[:12])], output)
    if region is not None:
        from motionary.picture import show_region

        show_region(motion, region, answers=answers, title=name)
    if as_json:
        print_json(rows)
        return
    for row in rows:
        print(_told(row))


@parametric.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Parametric motions to remove.")],
    dry_run: DryRun = False,
) -> None:
    """Remove parametric motions from BANK. `undo` restores them."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank, bank.change(f"parametric rm {' '.join(names)}"):
        for name in names:
            bank.remove_parametric(name)
    print(f"{counted(len(names), 'parametric motion')} removed")


@parametric.command()
def export(
    bank_path: BankPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Parametric motion.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Output folder.")],
    grid: Annotated[int, typer.Option(min=2, max=20, help="Number of values per parameter.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Export a blend space for game engines: a grid of clips (GLB and BVH) and blendspace.json."""
    from motionary.bank import Bank
    from motionary.parametric import export_blend_space, kept_parametric

    with Bank.open(bank_path) as bank:
        kept = kept_parametric(bank, name)
        clips = [bank.clip(number) for number in kept.clip_ids]
    document = export_blend_space(
        kept.motion,
        folder,
        n=grid,
        name=name,
        credit="; ".join(dict.fromkeys(c.credit for c in clips if c.credit)),
        licence="; ".join(dict.fromkeys(c.licence for c in clips if c.licence)),
    )
    rows = [
        {"file": str(folder / clip["glb"]), "parameters": clip["parameters"], "seconds": clip["secs"]}
        for clip in document["clips"]
    ]
    if as_json:
        print_json(rows)
        return
    print(f"{counted(len(rows), 'clip')} in {folder}")


def _show(kept: Any, output: Path | None, *, as_json: bool) -> None:
    facts = kept.as_json()
    _changed(kept.changed)
    _spoilers(kept.motion.registration.spoilers)
    if output is not None:
        from motionary.picture import show_region

        show_region(kept.motion, output, title=kept.name)
    if as_json:
        print_json([facts])
        return
    print(f"{kept.name}: {counted(len(facts['examples']), 'example')}, {counted(facts['samples'], 'sample')}")
    print_table(
        ["parameter", "unit", "least", "greatest"],
        [[p["name"], p["unit"], f"{p['least']:.3f}", f"{p['greatest']:.3f}"] for p in facts["parameters"]],
    )
    if facts["uncovered_corners"]:
        n_corners = counted(len(facts["uncovered_corners"]), "corner")
        say(f"{n_corners} of the parameters' box cannot be reached; more examples are needed there")


def _changed(names: Any) -> None:
    if names:
        say(f"changed since it was made, and taken as they are now: {', '.join(names)}; `make --rebuild` keeps that")


def _spoilers(spoilers: Any) -> None:
    for spoiler in spoilers:
        say(f"left out: {spoiler}")


def _answer(answer: Any, made: Any) -> dict[str, Any]:
    score = made.naturalness.score
    return answer.as_json() | {
        "frames": made.motion.n_frames,
        "seconds": round(made.motion.duration_secs, 4),
        "score_cm": round(100.0 * score, 3) if score == score else None,
    }


def _steered(steered: Any, name: str) -> dict[str, Any]:
    return {
        "wanted": {},
        "got": {},
        "projected": False,
        "weights": {},
        "frames": steered.motion.n_frames,
        "seconds": round(steered.motion.duration_secs, 4),
        "score_cm": None,
    } | {"parametric": name}


def _told(row: dict[str, Any]) -> str:
    shown = ", ".join(f"{key} {value:.3f} (asked {row['wanted'][key]:.3f})" for key, value in row["got"].items())
    far = "; cannot be reached: the nearest that can" if row["projected"] else ""
    score = "" if row["score_cm"] is None else f"; score {row['score_cm']:.1f} cm"
    return f"{row['seconds']:.2f} s: {shown}{far}{score}" if shown else f"{row['seconds']:.2f} s along the path"


def _weights(text: str) -> list[float] | list[list[float]]:
    rows = _rows(text)
    return rows[0] if len(rows) == 1 else rows


def _rows(text: str) -> list[list[float]]:
    return [_numbers("numbers", row) for row in text.split("/")]


def _numbers(option: str, text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} must be numbers with commas between, as in 0.3,0.7, not {text!r}") from None


def _parts(parts: list[str]) -> dict[str, list[float]]:
    found = {}
    for text in parts:
        name, sign, numbers = text.partition("=")
        if not sign or not name:
            raise UsageError(f"{text!r} is no --part; write PART=WEIGHTS, as in arms=0,1")
        found[name] = _numbers("--part", numbers)
    return found


def _given(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read as JSON ({error}); write examples' names and their values") from None
    if not isinstance(content, dict):
        raise UsageError(f"{path}: holds no object of examples' names and their values")
    return content
