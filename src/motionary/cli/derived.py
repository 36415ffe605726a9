"""artefacts ls, rm."""

from typing import Annotated

import typer

from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import counted, print_json, print_table, say

app = typer.Typer(help="List and delete derived data stored next to BANK.", no_args_is_help=True)


@app.command()
def ls(bank_path: BankPath, as_json: AsJson = False) -> None:
    """List the derived data of BANK."""
    from motionary.artefacts import ArtefactStore
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        entries = ArtefactStore.of(bank).entries()
    if as_json:
        print_json(entry.as_json() for entry in entries)
        return
    rows = [[entry.kind, entry.key, f"{entry.n_bytes / 1e6:.1f}", entry.built_at, entry.damage] for entry in entries]
    if rows:
        print_table(["kind", "key", "MB", "built", ""], rows)
    say(f"{counted(len(rows), 'artefact')}, {sum(entry.n_bytes for entry in entries) / 1e6:.1f} MB")


@app.command()
def rm(
    bank_path: BankPath,
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME…", help=("KIND or KIND/KEY, as in `artefacts ls`; a key can be abbreviated.")),
    ],
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Delete derived data. It is rebuilt when needed."""
    from motionary.artefacts import ArtefactStore
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        removed = ArtefactStore.of(bank).remove(names, dry_run=dry_run)
    if as_json:
        print_json(entry.as_json() for entry in removed)
        return
    for entry in removed:
        print(f"{'would remove' if dry_run else 'removed'} {entry.name} ({entry.n_bytes / 1e6:.1f} MB)")
