"""Opening a bank to change it, for good or as a rehearsal."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from motionary.cli.output import say

if TYPE_CHECKING:
    from motionary.bank import Bank


@contextmanager
def bank_to_change(path: Path, *, dry_run: bool, create: bool = False) -> Iterator["Bank"]:
    """The bank; a dry run does everything and says the same, and takes all of it back at the end."""
    from motionary.bank import Bank

    with (
        Bank.open(path, create="in memory" if create and dry_run else create) as bank,
        bank.rehearse() if dry_run else nullcontext(),
    ):
        yield bank
    if dry_run:
        say("dry run: nothing was changed")
