"""Changes of the bank by calls: each answers with the number by which it can be taken back."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from motionary.bank import Bank


@dataclass
class Written:
    """A change while and after it is made."""

    change: int | None = None  # None: there was nothing to change


@contextmanager
def one_change(bank: Bank, command: str) -> Iterator[Written]:
    """Whatever is written inside as one change with that entry in the log."""
    written = Written()
    with bank.change(command) as change_id:
        yield written
    # What changed nothing has no entry, and gave its number back
    if bank.logged(change_id) is not None:
        written.change = change_id
