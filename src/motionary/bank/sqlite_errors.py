"""SQLite's errors in the words of a bank's user, wherever they come up: on opening, executing or fetching."""

import sqlite3
import threading
from pathlib import Path
from typing import Any, Self

from motionary.errors import BankError, UsageError

AS_BEFORE = "the bank is as it was before"


def partly_done(error: BankError, what: str) -> BankError:
    """The error of a command that had done something already: it says `what`, not that all is as it was before."""
    return BankError(str(error).replace(AS_BEFORE, what)) if AS_BEFORE in str(error) else error


class BankConnection(sqlite3.Connection):
    """A connection that raises BankError for what a user can mend; integrity errors and bugs stay what they are."""

    path = Path("bank")  # the first three are set after opening
    read_only = False
    lacks_room = False  # the disk is so full that SQLite can only read
    rehearsing = False  # what is done now will be rolled back
    n_snapshots = 0  # of all threads that read one state together

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.snapshot_lock = threading.Lock()

    def cursor(self, factory: Any = None) -> Any:
        """A cursor that does the same."""
        try:
            return super().cursor(factory or _BankCursor)
        except sqlite3.ProgrammingError as error:
            raise self._closed(error) from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open; raises, as all else does, if the bank is closed."""
        try:
            return super().in_transaction
        except sqlite3.ProgrammingError as error:
            raise self._closed(error) from error

    def _closed(self, error: sqlite3.ProgrammingError) -> Exception:
        if "closed" not in str(error):
            return error
        return UsageError(f"{self.path}: the bank is closed; open it again with Bank.open")

    def execute(self, *arguments: Any) -> Any:
        return self.cursor().execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        return self.cursor().executemany(*arguments)


class _BankCursor(sqlite3.Cursor):
    connection: BankConnection

    def execute(self, *arguments: Any) -> Self:
        try:
            return super().execute(*arguments)
        except _OURS:
            raise
        except _MENDABLE as error:
            raise _told(error, self.connection) from error

    def executemany(self, *arguments: Any) -> Self:
        try:
            return super().executemany(*arguments)
        except _OURS:
            raise
        except _MENDABLE as error:
            raise _told(error, self.connection) from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except _OURS:
            raise
        except _MENDABLE as error:
            raise _told(error, self.connection) from error

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except _OURS:
            raise
        except _MENDABLE as error:
            raise _told(error, self.connection) from error

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except _OURS:
            raise
        except _MENDABLE as error:
            raise _told(error, self.connection) from error


_OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError)  # for the caller, or bugs
_MENDABLE = (sqlite3.DatabaseError, UnicodeError, OverflowError)


def _told(error: Exception, connection: BankConnection) -> Exception:
    path = connection.path
    if isinstance(error, UnicodeEncodeError):
        return UsageError(f"{error.object!r} is not valid text: it contains invalid bytes")
    if isinstance(error, OverflowError):
        return UsageError("a number is too large for the bank")
    if isinstance(error, UnicodeError):
        return BankError(f"{path}: is damaged (invalid text); `motionary check {path}` shows what can be read")
    assert isinstance(error, sqlite3.Error)
    if connection.lacks_room and "readonly" in str(error):
        return _full(path)
    return readable(error, path)


def readable(error: sqlite3.Error, path: Path) -> BankError:
    """What an SQLite error means to the user of a bank."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return BankError(f"{path}: another process is writing to this bank; try again later")
    if "full" in text:
        return _full(path)
    if "disk I/O" in text:
        return BankError(
            f"{path}: the disk cannot be read or written ({text}); {AS_BEFORE}. Check the disk and its free space"
        )
    if "readonly" in text or "unable to open" in text:
        return BankError(f"{path}: cannot be written here ({text}); check the permissions of file and folder")
    if "not a database" in text:
        return BankError(f"{path}: is not a bank; choose another file")
    if "malformed" in text or "corrupt" in text or "no such" in text:
        return BankError(f"{path}: is damaged ({text}); `motionary check {path}` shows what can be read")
    return BankError(f"{path}: SQLite says {text!r}; `motionary check {path}` shows whether the bank is damaged")


def _full(path: Path) -> BankError:
    return BankError(f"{path}: the disk is full; {AS_BEFORE}. Free some space and try again")
