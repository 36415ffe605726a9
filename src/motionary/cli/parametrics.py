"""parametric."""

from pathlib import Path
from typing import Annotated, Any

import typer

from motionary.cli.blend_options import (
    Drawing,
    Examples,
    Keep,
    LabelOption,
    Mirror,
    Paths,
    Rate,
    SlopeLimit,
    number_rows,
    say_misfits,
)
from motionary.cli.motion_outputs import MotionOutputs, check_motion_outputs, give_motion
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, say
from motionary.errors import UsageError
from motionary.files import parse_json, read_ordinary

MAX_GIVEN_BYTES = 64 << 20  # of the parameters of examples

parametric = typer.Typer(
    help="Parametric motions: blends controlled by parameters, such as where a hand reaches.", no_args_is_help=True
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
            "examples": len(content["built"]["sources"]) if "built" in content else len(content["examples"]),
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
    secs: Annotated[
        float | None,
        typer.Option(
            min=0.1, help="Duration of --path in seconds. Default: 5 for cyclic motions, else all of the motion."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for --random.")] = 0,
    corrections: Annotated[
        int, typer.Option(min=0, max=20, help=("Maximum number of corrections of the parameter error."))
    ] = 5,
    clean_up: Annotated[bool, typer.Option("--clean/--no-clean", help="Remove foot sliding from the result.")] = True,
    keep: Keep = None,
    outputs: MotionOutputs = None,
    region: Annotated[
        Path | None, typer.Option("--region", help=("Draw the requested and the reached parameters: .png or .svg."))
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate motions with given parameters from a parametric motion."""
    from motionary.parametric import ask_parametric, keep_blend

    check_motion_outputs(outputs)
    check_pictures((region, False))
    if sum((bool(values), grid is not None, random is not None, path is not None)) != 1:
        raise UsageError("ask for VALUES, or for --grid, --random or --path: one of them")
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        asked = ask_parametric(
            bank,
            name,
            values or None,
            grid=grid,
            random=random,
            path=None if path is None else number_rows("--path", path),
            secs=secs,
            seed=seed,
            corrections=corrections,
            clean_up=clean_up,
        )
        _changed(asked.kept.changed)
        if keep is not None:
            for one in asked.motions:
                keep_blend(bank, bank.free_name(keep), one)
    give_motion(outputs, save=lambda path: _save(asked, path), draw=lambda path: _draw(asked, path))
    if region is not None:
        from motionary.picture import show_region

        show_region(asked.kept.motion, region, answers=asked.answers, title=name)
    rows = [one.as_json() for one in asked.motions]
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
    from motionary.parametric import export_blend_space, kept_parametric, rights_of

    with Bank.open(bank_path) as bank:
        kept = kept_parametric(bank, name)
        licence, credit = rights_of(bank, kept.clip_ids)
    document = export_blend_space(kept.motion, folder, n=grid, name=name, credit=credit, licence=licence)
    rows = [
        {"file": str(folder / clip["glb"]), "parameters": clip["parameters"], "seconds": clip["secs"]}
        for clip in document["clips"]
    ]
    if as_json:
        print_json(rows)
        return
    print(f"{counted(len(rows), 'clip')} in {folder}")
    if document["merged"]:
        say(f"left out because they came out like others: {counted(document['merged'], 'grid point')}")


def _show(kept: Any, output: Path | None, *, as_json: bool) -> None:
    facts = kept.as_json()
    _changed(kept.changed)
    say_misfits(kept.motion.registration)
    if output is not None:
        from motionary.picture import show_region

        show_region(kept.motion, output, title=kept.name)
    if as_json:
        print_json([facts])
        return
    print(f"{kept.name}: {counted(len(facts['examples']), 'example')}, {counted(facts['samples'], 'sample')}")
    print_table(
        ["parameter", "unit", "least", "greatest"],
        [[p["name"], p["unit"], f"{p['least']:z.3f}", f"{p['greatest']:z.3f}"] for p in facts["parameters"]],
    )
    if facts["uncovered_corners"]:
        n_corners = counted(len(facts["uncovered_corners"]), "corner")
        say(f"{n_corners} of the parameters' box cannot be reached; more examples are needed there")


def _changed(names: Any) -> None:
    if names:
        say(f"changed since it was made, and taken as they are now: {', '.join(names)}; `make --rebuild` keeps that")


def _told(row: dict[str, Any]) -> str:
    score = "" if row["score_cm"] is None else f"; score {row['score_cm']:.1f} cm"
    if "path" in row:
        worst = ", ".join(f"{key} within {value:.3f}" for key, value in row["worst"].items())
        outside = f"; {100.0 * row['projected']:.0f} % of it cannot be reached" if row["projected"] else ""
        return f"{row['seconds']:.2f} s along the path: {worst}{outside}{score}"
    shown = ", ".join(f"{key} {value:z.3f} (asked {row['wanted'][key]:z.3f})" for key, value in row["got"].items())
    far = "; cannot be reached, this is the nearest point found" if row["projected"] else ""
    return f"{row['seconds']:.2f} s: {shown}{far}{score}"


def _save(asked: Any, path: Path) -> None:
    """Write each of the motions; they are numbered if there are several."""
    for number, one in enumerate(asked.motions):
        one.save(path.with_name(f"{path.stem}_{number:03d}{path.suffix}") if len(asked.motions) > 1 else path)


def _draw(asked: Any, path: Path) -> tuple[str, ...]:
    from motionary.blend import Blend
    from motionary.picture import Row, show_blend, show_rows

    name, made = asked.kept.name, [one.made for one in asked.motions]
    if len(made) == 1 and isinstance(made[0], Blend):
        return show_blend(made[0], path, title=name)
    return show_rows([Row(one.motion, title=f"{name} {n}") for n, one in enumerate(made[:12])], path)


def _given(path: Path) -> dict[str, Any]:
    try:
        content = parse_json(read_ordinary(path, max_bytes=MAX_GIVEN_BYTES).decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: cannot be read as JSON ({why}); write examples' names and their values") from None
    if not isinstance(content, dict):
        raise UsageError(f"{path}: holds no object of examples' names and their values")
    return content
