"""space train, ls, show, rm."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, say, waiting
from motionary.requests import FACTORS

if TYPE_CHECKING:
    from motionary.search import KeptSpace

app = typer.Typer(help="Work with pose spaces, which `search --by wpca` uses to compare poses.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Pose space.")]


@app.command()
def train(
    bank_path: BankPath,
    name: Name,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]", help=("Only clips with these words in their name, labels, description or source.")
        ),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(metavar="PART", help=("Body parts that count: whole body, upper body, arms, legs, right hand, …")),
    ] = "whole body",
    even: Annotated[
        bool,
        typer.Option(
            "--even", help=("Give all joints the same weight. By default, a joint's weight is the mass it moves.")
        ),
    ] = False,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            metavar="PART=NUMBER",
            help=("Multiply the weight of a joint, a body part, tilt or height. Can be repeated."),
        ),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help=("Only clips with this label. Can be repeated."))
    ] = None,
    clip: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", help=("Only clips whose name matches: 'walk*', or #12. Can be repeated.")),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing pose space.")] = False,
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Train a pose space on clips of BANK and store it as NAME."""
    from motionary.search import train_pose_space

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        with waiting("Describing clips") as told:
            kept = train_pose_space(
                bank,
                name,
                preset=preset,
                by_mass=not even,
                parts=FACTORS.read("--weight", weight or []),
                text=" ".join(words or ()),
                labels=label or (),
                names=clip or (),
                overwrite=overwrite,
                **told,
            )
        if as_json:
            print_json([kept.facts()])
        else:
            frames, clips = counted(kept.space.n_frames, "frame"), counted(kept.n_clips, "clip")
            print(f"{name}: {frames} of {clips}; {_components(kept)}")


@app.command()
def ls(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the pose spaces of BANK."""
    from motionary.bank import Bank
    from motionary.errors import UserError
    from motionary.search import pose_space

    found = []
    with Bank.open(bank_path) as bank:
        names = bank.spaces()
        for name in names:
            try:
                found.append(pose_space(bank, name))
            except UserError as error:  # the others are still worth a list
                say(str(error))
    if as_json:
        print_json(kept.facts() for kept in found)
    elif found:
        rows = []
        for kept in found:
            facts = kept.facts()
            weights = kept.preset + ("" if kept.by_mass else ", even")
            rows.append([kept.name, weights, facts["of"], str(facts["frames"]), str(kept.space.components_for(0.9))])
        print_table(["space", "weights", "trained on", "frames", "components for 90 %"], rows)
    elif not names:
        say("no pose spaces; `motionary space train` creates one")


@app.command()
def show(
    bank_path: BankPath,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help=("Pose space. By default, one of the whole body, trained on all clips.")),
    ] = None,
    segments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEGMENT…]", help=("Segments to draw: CLIP or CLIP:START-STOP. By default, the first clips.")
        ),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", "-l", help=("Draw the segments with this label, in one colour. Can be repeated.")),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Draw motions as curves: .png or .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Describe a pose space, or draw motions as curves in its first three components."""
    from motionary.bank import Bank
    from motionary.library import build_features
    from motionary.picture import show_space
    from motionary.search import library_space, pose_space

    with Bank.open(bank_path) as bank:
        with waiting("Describing clips") as told:
            features = build_features(bank, **told)
        kept = library_space(bank, features, message=say) if name is None else pose_space(bank, name)
        if as_json:
            print_json([kept.facts() | {"weights": kept.weights}])
        else:
            _print(kept)
        if output is not None:
            n_curves = show_space(
                bank, output, space=kept, segments=segments or (), labels=label or (), features=features
            )
            say(f"{output}: {counted(n_curves, 'curve')}")


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Pose spaces to remove.")],
    dry_run: DryRun = False,
) -> None:
    """Remove pose spaces from BANK. `undo` restores them."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank, bank.change(f"rm space {', '.join(names)}"):
        for name in names:
            bank.remove_space(name)
    for name in names:
        print(f"removed {name}")


def _components(kept: "KeptSpace") -> str:
    shares = ", ".join(f"{n} for {share[:-1]} %" for share, n in kept.components().items())
    return f"components: {shares} of the variance"


def _print(kept: "KeptSpace") -> None:
    facts = kept.facts()
    shares = kept.space.shares
    rows = [[str(i + 1), f"{shares[i]:.1%}", f"{shares[: i + 1].sum():.1%}"] for i in range(min(10, len(shares)))]
    print_table(["component", "variance", "together"], rows)
    print()
    heaviest = sorted(kept.weights.items(), key=lambda item: -item[1])[:10]
    print_table(["part", "weight"], [[part, f"{weight:.3f}"] for part, weight in heaviest])
    weights = f"{kept.preset}, {'by mass' if kept.by_mass else 'even'}"
    say(f"{weights}; trained on {counted(facts['frames'], 'frame')} of {counted(kept.n_clips, 'clip')} ({facts['of']})")
    say(_components(kept))
