"""Opening the bank's file, and the transactions that everything else happens in."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from motionary.bank import schema
from motionary.errors import BankError

BUSY_SECS = 10.0  # how long a writer waits for another one


def connect(path: Path, *, create: bool, read_only: bool) -> sqlite3.Connection:
    """A connection to the bank at `path`, its schema brought up to date."""
    if not path.exists() and not create:
        raise BankError(f"{path}: no such bank. `motionary import {path} FOLDER` makes one out of your files")
    if path.is_dir():
        raise BankError(f"{path}: is a folder; a bank is one file, such as {path / 'library.bank'}")
    if not path.parent.is_dir():
        raise BankError(f"{path}: the folder {path.parent} does not exist; make it first")
    try:
        return _connect(path, read_only=read_only)
    except sqlite3.DatabaseError as error:
        raise readable(error, path) from error


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECS, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        n_tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if n_tables and application_id != schema.APPLICATION_ID:
            raise BankError(f"{path}: is an SQLite file, but not a bank; choose another name for the bank")
        version = schema.schema_version(connection)
        if version > len(schema.MIGRATIONS):
            raise BankError(
                f"{path}: was made by a newer Motionary (schema {version}; this one knows up to "
                f"{len(schema.MIGRATIONS)}). Upgrade Motionary to open it"
            )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -65536")
        if read_only:
            if version < len(schema.MIGRATIONS):
                raise BankError(f"{path}: has an older schema; open it once for writing to bring it up to date")
            return connection
        if not n_tables:
            connection.execute("PRAGMA page_size = 16384")
            connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
        schema.migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """All or nothing: committed at the end, rolled back on any exception."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        raise readable(error, path) from error
    try:
        yield
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError | sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.IntegrityError
        ):
            raise readable(error, path) from error
        raise


@contextmanager
def rolled_back(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """What is done inside is seen inside, and never happened afterwards."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        raise readable(error, path) from error
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def change(connection: sqlite3.Connection, path: Path, command: str, *, undoes: int | None = None) -> Iterator[int]:
    """One undoable change, described by `command`; gives its number."""
    with transaction(connection, path):
        change_id = open_change(connection, command, undoes=undoes)
        yield change_id
        close_change(connection)


def open_change(connection: sqlite3.Connection, command: str, *, undoes: int | None = None) -> int:
    """Start a change inside a transaction: from here on tracked tables may be touched."""
    cursor = connection.execute("INSERT INTO changes (at, command, undoes) VALUES (?, ?, ?)", (now(), command, undoes))
    connection.execute("INSERT INTO open_change VALUES (?)", (cursor.lastrowid,))
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def reopen_change(connection: sqlite3.Connection, change_id: int) -> None:
    """Go on with a change whose earlier part is committed already."""
    connection.execute("INSERT INTO open_change VALUES (?)", (change_id,))


def close_change(connection: sqlite3.Connection) -> None:
    """End the change; nothing is open at commit, so a crash never leaves one behind."""
    connection.execute("DELETE FROM open_change")


def now() -> str:
    """The time, as the bank writes it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def readable(error: sqlite3.Error, path: Path) -> BankError:
    """What an SQLite error means to the user of a bank."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return BankError(f"{path}: another process is writing to this bank; try again when it has finished")
    if "full" in text:
        return BankError(f"{path}: the disk is full; the bank is as it was before. Make room and try again")
    if "readonly" in text or "unable to open" in text:
        return BankError(f"{path}: cannot be written here ({text}); check the permissions of file and folder")
    if "not a database" in text:
        return BankError(f"{path}: is not a bank; choose another name for the bank, or another file to read")
    if "malformed" in text or "corrupt" in text:
        return BankError(f"{path}: is damaged ({text}); `motionary check {path}` tells what can be read")
    return BankError(f"{path}: {text}")
