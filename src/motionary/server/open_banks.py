"""Connections to the bank for calls that are answered at the same time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue

from motionary.bank import Bank

N_OPEN = 4
CACHE_KB = 512  # of each connection: the file is in the system's cache anyway


class OpenBanks:
    """Up to four open banks of one file. A call has one for itself, so that no two share a transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._free: LifoQueue[Bank | None] = LifoQueue()
        for _ in range(N_OPEN):
            self._free.put(None)  # opened when it is needed
        self._open: list[Bank] = []
        self._lock = threading.Lock()
        self._watch: Bank | None = None
        self._watch_lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[Bank]:
        """A bank that nobody else has meanwhile; waits until there is one."""
        bank = self._free.get()
        try:
            if bank is None:
                bank = self.another()
            yield bank
        finally:
            self._free.put(bank)

    @contextmanager
    def watching(self) -> Iterator[Bank]:
        """The bank that watches what others do: always the same, which never changes anything itself."""
        with self._watch_lock:
            if self._watch is None:
                self._watch = self.another()
            yield self._watch

    def another(self) -> Bank:
        """A bank of its own for whoever keeps it; closed with the others."""
        bank = Bank.open(self.path)
        bank.connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        with self._lock:
            self._open.append(bank)
        return bank

    def close(self) -> None:
        with self._lock:
            for bank in self._open:
                bank.close()
            self._open.clear()
