"""profile ls, show, rm, export, import."""

import json
from pathlib import Path
from typing import Annotated

import typer

from motionary.cli.followup import given_profile
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, say

app = typer.Typer(help="Work with profiles: weights learned by `search --accept` and `--reject`.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="Profile.")]


@app.command()
def ls(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the profiles of BANK."""
    from motionary.bank import Bank
    from motionary.errors import UserError
    from motionary.search import Profile

    facts = []
    with Bank.open(bank_path) as bank:
        names = bank.profiles()
        for name in names:
            try:
                profile = Profile.of_json(bank.profile(name), where=f"{bank.path}: profile {name!r}")
            except UserError as error:  # the others are still worth a list
                say(str(error))
                continue
            facts.append(
                {
                    "profile": name,
                    "learned_from": profile.learned_from,
                    "accepted": len(profile.accepted),
                    "rejected": len(profile.rejected),
                }
            )
    if as_json:
        print_json(facts)
    elif facts:
        columns = ("profile", "accepted", "rejected", "learned_from")
        print_table(
            ["profile", "accepted", "rejected", "learned from"], [[str(f[key]) for key in columns] for f in facts]
        )
    elif not names:
        say("no profiles; `motionary search … --accept RANKS --reject RANKS --keep-profile NAME` creates one")


@app.command()
def show(bank_path: BankPath, name: Name, as_json: AsJson = False) -> None:
    """Show a profile: its examples and the learned weight of each joint."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        profile = given_profile(bank, name)
    assert profile is not None
    accepted, rejected = ([one.name for one in judged] for judged in (profile.accepted, profile.rejected))
    if as_json:
        print_json([{
            "profile": name,
            "learned_from": profile.learned_from,
            "accepted": accepted,
            "rejected": rejected,
            "parts": profile.by_part(),
            "weights": dict(profile.weights),
        }])  # fmt: skip
        return
    print_table(["joint", "weight"], [[part, f"{weight:.2f}"] for part, weight in profile.by_part().items()])
    print()
    print_table(
        ["judged", "example"], [*(["accepted", one] for one in accepted), *(["rejected", one] for one in rejected)]
    )
    say(f"learned from {profile.learned_from or 'a query'}")


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Profiles to remove.")],
    dry_run: DryRun = False,
) -> None:
    """Remove profiles from BANK. `undo` restores them."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank, bank.change(f"rm profile {', '.join(names)}"):
        for name in names:
            bank.remove_profile(name)
    for name in names:
        print(f"removed {name}")


@app.command()
def export(
    bank_path: BankPath,
    name: Name,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Output file. By default, NAME.json.")] = None,
    dry_run: DryRun = False,
) -> None:
    """Export a profile as a JSON file. The file also works with other banks."""
    from motionary.bank import Bank
    from motionary.files import write_whole

    path = output or Path(f"{name}.json")
    with Bank.open(bank_path) as bank:
        profile = given_profile(bank, name)
    assert profile is not None
    content = json.dumps(profile.as_json(), ensure_ascii=False, indent=1).encode()
    if not dry_run:
        write_whole(path, content)
    print(f"{path}: {counted(len(profile.accepted) + len(profile.rejected), 'example')}, {len(content) / 1000:.0f} kB")
    if dry_run:
        say("dry run: nothing was written")


@app.command("import")
def import_(
    bank_path: BankPath,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="File written by `profile export`.")],
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help=("Name in BANK. By default, the name in the file."))
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing profile.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Import a profile from a JSON file into BANK."""
    from motionary.search import Profile

    profile = Profile.read(path)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        bank.keep_profile(name or path.stem, profile.as_json(), overwrite=overwrite)
    print(f"kept as {name or path.stem}: {counted(len(profile.accepted) + len(profile.rejected), 'example')}")
