"""Opening the bank's file, and the transactions that everything else happens in."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from motionary.bank import schema
from motionary.bank.sqlite_errors import BankConnection, readable
from motionary.errors import BankError, ForeignBankError, NoBankError

Create = bool | Literal["in memory"]
BUSY_SECS = 10.0  # how long a writer waits for another one


def connect(path: Path, *, create: Create, read_only: bool) -> BankConnection:
    """A connection to the bank at `path`, its schema brought up to date.

    Where file or folder cannot be written, the bank is opened for reading.
    """
    in_memory = False
    try:
        exists = path.exists()
        if path.is_dir():
            raise BankError(f"{path}: is a folder; a bank is one file, such as {path / 'library.bank'}")
        if not exists and (read_only or not create):
            raise NoBankError(path, tuple(_near_names(path)))
        if exists and not path.is_file():
            raise BankError(f"{path}: is not a file; choose another name for the bank")
        if not path.parent.is_dir():
            raise BankError(f"{path}: the folder {path.parent} does not exist; create it first")
        if exists and path.stat().st_size == 0 and not create and not _wal(path).exists():
            raise BankError(f"{path}: is empty. `motionary import {path} FOLDER` imports your files")
        in_memory = create == "in memory" and not (exists and path.stat().st_size)
    except (OSError, ValueError) as error:
        raise BankError(f"{path}: cannot be opened ({error}); check the path and its permissions") from error
    if exists and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        read_only = True
    try:
        return _connect(path, read_only=read_only, in_memory=in_memory)
    except sqlite3.Error as error:
        raise readable(error, path) from error
    except BankError as error:
        has_more = _wal(path).exists() and _wal(path).stat().st_size > 0  # which the file does not have yet
        if not exists or has_more or not _is_for_lack_of_room(error):
            raise
        return _connect(path, read_only=True, in_memory=False, still=True)


def _near_names(path: Path) -> list[Path]:
    """Banks in that folder with a name nearly like that."""
    there = {one.stem: one for one in sorted(path.parent.glob("*.bank")) if one.is_file()}
    return [there[name] for name in get_close_matches(path.stem, there, n=2)]


def _is_for_lack_of_room(error: BankError) -> bool:
    """Whether SQLite could not write the files that it needs even to read: on a full disk, reading goes on."""
    text = str(error.__cause__)
    return isinstance(error.__cause__, sqlite3.Error) and ("disk I/O" in text or "full" in text)


def _connect(path: Path, *, read_only: bool, in_memory: bool, still: bool = False) -> BankConnection:
    """`still`: nobody writes to the file, so that it needs no locks."""
    connection = sqlite3.connect(
        "file::memory:" if in_memory else _uri(path, read_only=read_only, still=still),
        uri=True,
        timeout=BUSY_SECS,
        isolation_level=None,
        check_same_thread=False,
        factory=BankConnection,
    )
    try:
        connection.path, connection.read_only, connection.lacks_room = path, read_only, still
        connection.row_factory = sqlite3.Row
        n_tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        _check_kind(connection, path, n_tables=n_tables, read_only=read_only)
        _check_tables(connection, path)
        _check_triggers(connection, path, exactly=False)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -65536")
        if read_only:
            schema.stand_in(connection)
            return connection
        if not n_tables:
            connection.execute("PRAGMA page_size = 16384")
            connection.execute("PRAGMA auto_vacuum = NONE")
        if not in_memory:
            _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
        schema.migrate(connection)
        _check_triggers(connection, path, exactly=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _uri(path: Path, *, read_only: bool, still: bool) -> str:
    """The address for SQLite; a bank in a folder that nobody can write in needs no locks, and can have none."""
    still = still or (read_only and not os.access(path.parent, os.W_OK) and not _wal(path).exists())
    return f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}{'&immutable=1' if still else ''}"


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _check_kind(connection: BankConnection, path: Path, *, n_tables: int, read_only: bool) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if n_tables and application_id != schema.APPLICATION_ID:
        raise BankError(f"{path}: is an SQLite file, but not a bank; choose another file name")
    version = schema.schema_version(connection)
    if version > len(schema.MIGRATIONS):
        raise BankError(
            f"{path}: was made by a newer Motionary (schema {version}; this version supports up to "
            f"{len(schema.MIGRATIONS)}). Upgrade Motionary to open it"
        )
    if read_only and not n_tables:
        raise BankError(f"{path}: is empty. `motionary import {path} FOLDER` imports your files")
    if read_only and version < schema.READABLE:
        raise BankError(f"{path}: has an older schema; open it once for writing to upgrade it")


def _check_tables(connection: BankConnection, path: Path) -> None:
    missing = schema.missing_tables(connection)
    if missing:
        raise ForeignBankError(
            f"{path}: lacks {'tables' if len(missing) > 1 else 'the table'} {', '.join(missing)}, though its schema is "
            f"of version {schema.schema_version(connection)}. It was created by an unfinished version, or is "
            "damaged; import your files into a new bank"
        )


def _check_triggers(connection: BankConnection, path: Path, *, exactly: bool) -> None:
    """Raise for a trigger that is not ours: it would do something of its own with every change.

    Before a migration, names tell; in a bank that is up to date, each trigger must be there and do what it should.
    """
    there = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").fetchall()
    ours = schema.known_triggers()
    foreign = [row["name"] for row in there if row["name"] not in ours]
    lacking: list[str] = []
    if exactly:
        changed = [row["name"] for row in there if row["name"] in ours and not _same(ours[row["name"]], row["sql"])]
        foreign += changed
        lacking = sorted(ours.keys() - {row["name"] for row in there})
    if foreign:
        raise ForeignBankError(
            f"{path}: contains triggers that are not from Motionary ({', '.join(map(repr, foreign))}). They would "
            "run on "
            "every change, so the bank is not opened; remove them with sqlite3 if you trust the file, or use a backup"
        )
    if lacking:
        raise ForeignBankError(
            f"{path}: lacks the triggers {', '.join(lacking)}, so changes could not be undone. It is damaged; restore "
            "a backup, or import your files into a new bank"
        )


def _same(statement: str, other: str) -> bool:
    return statement.split() == other.split()


def _use_wal(connection: BankConnection) -> None:
    """Let readers and a writer work at the same time; the first to open a new file settles it for good."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    connection.execute("BEGIN EXCLUSIVE")  # waits for another process that is just making the bank
    connection.execute("ROLLBACK")
    connection.execute("PRAGMA journal_mode = WAL")


@contextmanager
def transaction(connection: BankConnection) -> Iterator[None]:
    """All or nothing: committed at the end, rolled back on any exception."""
    if connection.in_transaction:
        _check_free(connection)
        with _part(connection):
            yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: BankConnection) -> Iterator[None]:
    """Reads inside see one state of the file; inside a transaction, that transaction's."""
    with connection.snapshot_lock:
        is_own = connection.n_snapshots > 0 or not connection.in_transaction
        if is_own and not connection.n_snapshots:
            connection.execute("BEGIN")
            connection.execute("SELECT max(id) FROM changes").fetchone()  # the first read settles the state
        connection.n_snapshots += is_own
    try:
        yield
    finally:
        with connection.snapshot_lock:
            connection.n_snapshots -= is_own
            if is_own and not connection.n_snapshots and connection.in_transaction:
                connection.execute("ROLLBACK")


@contextmanager
def rehearsal(connection: BankConnection) -> Iterator[None]:
    """Transactions and changes inside are seen inside, and never happened afterwards."""
    if connection.in_transaction:
        _check_free(connection)
        raise BankError(f"{connection.path}: a rehearsal is already running")
    connection.execute("BEGIN IMMEDIATE")
    connection.rehearsing = True
    try:
        yield
    finally:
        connection.rehearsing = False
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def change(connection: BankConnection, command: str, *, undoes: int | None = None) -> Iterator[int]:
    """One undoable change, described by `command`; gives its number. Inside another change, a part of that one.

    What changes no row leaves no entry in the log.
    """
    if connection.in_transaction and (open_id := open_change_id(connection)) is not None:
        with _part(connection):
            yield open_id
        return
    with transaction(connection):
        change_id = open_change(connection, command, undoes=undoes)
        yield change_id
        close_change(connection)


@contextmanager
def _part(connection: BankConnection) -> Iterator[None]:
    """A part of what is open; if it fails, it is taken back alone, and the caller may go on."""
    connection.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    connection.execute("RELEASE part")


def _check_free(connection: BankConnection) -> None:
    """Raise within a change: what comes now has to be a transaction of its own, for real or rehearsed."""
    if not connection.rehearsing or open_change_id(connection) is not None:
        raise BankError(f"{connection.path}: this cannot be part of another change; finish that change first")


def open_change(connection: BankConnection, command: str, *, undoes: int | None = None) -> int:
    """Start a change inside a transaction: from here on tracked tables may be touched."""
    cursor = connection.execute("INSERT INTO changes (at, command, undoes) VALUES (?, ?, ?)", (now(), command, undoes))
    connection.execute("INSERT INTO open_change VALUES (?)", (cursor.lastrowid,))
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def open_change_id(connection: BankConnection) -> int | None:
    """The number of the change that is open."""
    row = connection.execute("SELECT change_id FROM open_change").fetchone()
    return None if row is None else int(row["change_id"])


def reopen_change(connection: BankConnection, change_id: int | None, command: str) -> int:
    """Go on with a change whose earlier part is committed; with a new one if that is gone, undone or purged."""
    found: Any = connection.execute(
        "SELECT id FROM changes WHERE id = ? AND undone_by IS NULL AND permanent = 0", (change_id,)
    ).fetchone()
    if found is None:
        return open_change(connection, command)
    connection.execute("INSERT INTO open_change VALUES (?)", (change_id,))
    return int(found["id"])


def close_change(connection: BankConnection) -> int | None:
    """End the change; its number, None if it changed no row. Nothing is open at commit, so a crash leaves none behind.

    What changed nothing gives its number back: the next change has it, unless somebody has had a later one.
    """
    change_id = open_change_id(connection)
    empty = connection.execute(
        """DELETE FROM changes WHERE id IN (SELECT change_id FROM open_change)
              AND NOT EXISTS (SELECT 1 FROM row_changes WHERE change_id = changes.id) RETURNING id"""
    ).fetchall()
    for row in empty:
        connection.execute("UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'changes' AND seq = ?", (row["id"],))
    connection.execute("DELETE FROM open_change")
    return None if empty else change_id


def now() -> str:
    """The time, as the bank writes it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
