"""check, compact, purge."""

from typing import TYPE_CHECKING, Annotated

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, ClipNames, DryRun
from motionary.cli.output import counted, print_json, say

if TYPE_CHECKING:
    from motionary.bank import Bank


def check(
    bank_path: BankPath,
    quick: Annotated[bool, typer.Option("--quick", help="Skip frames and derived data.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check BANK and its derived data for damage. The exit status is 1 if there is any."""
    from motionary.artefacts import ArtefactStore
    from motionary.bank import check_bank

    problems = check_bank(bank_path, frames=not quick)
    if not quick:
        problems += ArtefactStore.beside(bank_path).check()
    if as_json:
        print_json({"problem": problem} for problem in problems)
    else:
        for problem in problems:
            print(problem)
        say("no damage found" if not problems else counted(len(problems), "problem"))
    if problems:
        raise typer.Exit(1)


def compact(bank_path: BankPath, dry_run: DryRun = False) -> None:
    """Shrink BANK by freeing unused space."""
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        before, after = bank.compact()
    print(f"{before / 1e6:.1f} MB before, {'at most ' if dry_run else ''}{after / 1e6:.1f} MB after")


def purge(
    bank_path: BankPath,
    clips: ClipNames,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Delete clips permanently, with all versions, log entries and derived data.

    Profiles, pose spaces and parametric motions learned from the clips are deleted too. This cannot be undone.
    """
    from motionary.bank import Bank

    with Bank.open(bank_path) as bank:
        doomed = bank.purgeable(clips)
        learned = _learned(bank)
        if learned:
            with bank.rehearse():
                bank.purge(clips)
                learned -= _learned(bank)
        if dry_run:
            for clip_id, name in doomed:
                print(f"would purge #{clip_id} {name}")
            for what in sorted(learned):
                print(f"would purge {what}, which is or may be based on it")
            return
        if not yes:
            names = [
                *(name for _, name in doomed),
                *(f"{what} (is or may be based on it)" for what in sorted(learned)),
            ]
            typer.confirm(f"Delete {', '.join(names)} permanently?", abort=True)
        for name in [*bank.purge(clips), *sorted(learned)]:
            print(f"purged {name}")


def _learned(bank: "Bank") -> set[str]:
    return (
        {f"profile {name}" for name in bank.profiles()}
        | {f"pose space {name}" for name in bank.spaces()}
        | {f"parametric motion {name}" for name in bank.parametrics()}
        | {f"verdict {verdict.id}" for verdict in bank.verdicts()}
        | {f"edit {row.position} of {bank.clip(row.clip_id).name}" for row in bank.edit_rows()}
    )
