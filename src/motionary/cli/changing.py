"""rename, rm, log, undo."""

from typing import Annotated

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, ClipNames, DryRun
from motionary.cli.output import print_json, print_table, say


def rename(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Clip, by name or #id.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="New name.")],
    dry_run: DryRun = False,
) -> None:
    """Rename a clip."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        renamed = bank.rename(clip, name)
    print(f"#{renamed.id} {renamed.name}")


def rm(bank_path: BankPath, clips: ClipNames, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Remove clips from BANK. `undo` restores them; `purge` deletes permanently."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        removed = bank.remove(clips)
    if as_json:
        print_json(clip.as_json() for clip in removed)
    else:
        for clip in removed:
            print(f"removed #{clip.id} {clip.name}")


def log(
    bank_path: BankPath,
    last: Annotated[
        int | None, typer.Option("--last", "-n", "--limit", "-k", min=1, help="Number of changes to list.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the changes made to BANK, newest first."""
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        changes = bank.log(last=last)
    if as_json:
        print_json(change.as_json() for change in changes)
        return
    rows = []
    for change in changes:
        state = f"undone by {change.undone_by}" if change.undone_by else "for good" if change.permanent else ""
        rows.append([f"{change.id}", change.at, change.command, state])
    if rows:
        print_table(["change", "at (UTC)", "command", "state"], rows)
    else:
        say("no changes yet")


def undo(
    bank_path: BankPath,
    change: Annotated[
        int | None, typer.Argument(metavar="[CHANGE]", help="Number of the change in `log`. By default, the newest.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Undo a change. Undo the undo to redo it."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        undone = bank.undo(change)
        (by,) = bank.log(last=1)
    if as_json:
        print_json([undone.as_json() | {"undone_by": by.id}])
        return
    print(f"undone: change {undone.id}, {undone.command}")
    say(f"`motionary undo {bank_path} {by.id}` redoes it; `motionary undo {bank_path}` undoes one more")
