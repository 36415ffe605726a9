"""What was changed, and taking it back."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionary.bank import schema
from motionary.bank.connection import change
from motionary.errors import BankError


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the log."""

    id: int
    at: str
    command: str
    n_rows: int
    undoes: int | None
    undone_by: int | None
    permanent: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "change": self.id,
            "at": self.at,
            "command": self.command,
            "rows": self.n_rows,
            "undoes": self.undoes,
            "undone_by": self.undone_by,
            "permanent": self.permanent,
        }


def log(connection: sqlite3.Connection, *, last: int | None = None) -> list[Change]:
    """All changes, newest first."""
    rows = connection.execute(
        """SELECT id, at, command, undoes, undone_by, permanent,
                  (SELECT count(*) FROM row_changes WHERE change_id = changes.id) AS n_rows
             FROM changes ORDER BY id DESC LIMIT ?""",
        (-1 if last is None else last,),
    )
    return [
        Change(
            row["id"],
            row["at"],
            row["command"],
            row["n_rows"],
            row["undoes"],
            row["undone_by"],
            bool(row["permanent"]),
        )
        for row in rows
    ]


def undo(connection: sqlite3.Connection, path: Path, change_id: int | None = None) -> Change:
    """Take back a change (the newest that can be), as a change of its own; returns what was taken back.

    Undoing an undo brings the change back. A change whose rows were changed again later is refused.
    """
    undone = _newest(connection) if change_id is None else _one(connection, change_id)
    if undone is None:
        raise BankError(f"{path}: there is nothing to undo")
    if undone.permanent:
        raise BankError(f"change {undone.id} ({undone.command}) was a purge; nothing brings it back")
    if undone.undone_by is not None:
        raise BankError(
            f"change {undone.id} ({undone.command}) is undone already, by change {undone.undone_by}; "
            f"`undo {undone.undone_by}` brings it back"
        )
    with change(connection, path, f"undo {undone.id}: {undone.command}", undoes=undone.id) as by:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        rows = connection.execute(
            "SELECT id, table_name, row_id, before, after FROM row_changes WHERE change_id = ? ORDER BY id DESC",
            (undone.id,),
        ).fetchall()
        for row in rows:
            _put_back(connection, undone, row)
        connection.execute("UPDATE changes SET undone_by = ? WHERE id = ?", (by, undone.id))
        if undone.undoes is not None:
            connection.execute("UPDATE changes SET undone_by = NULL WHERE id = ?", (undone.undoes,))
        _check_references(connection, undone)
    return undone


def _newest(connection: sqlite3.Connection) -> Change | None:
    """The newest change that is neither undone, nor an undo, nor a purge."""
    for entry in log(connection):
        if entry.undone_by is None and entry.undoes is None and not entry.permanent:
            return entry
    return None


def _one(connection: sqlite3.Connection, change_id: int) -> Change:
    for entry in log(connection):
        if entry.id == change_id:
            return entry
    raise BankError(f"there is no change {change_id}; `log` lists them")


def _put_back(connection: sqlite3.Connection, undone: Change, row: sqlite3.Row) -> None:
    table, row_id, before = row["table_name"], row["row_id"], row["before"]
    columns = schema.TRACKED[table]
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (row_id,)).fetchone()
    current = None if found is None else dict(found)
    expected = None if row["after"] is None else json.loads(row["after"])
    if current != expected:
        later = connection.execute(
            """SELECT changes.id, command FROM row_changes JOIN changes ON changes.id = change_id
                WHERE table_name = ? AND row_id = ? AND changes.id > ? ORDER BY changes.id DESC LIMIT 1""",
            (table, row_id, undone.id),
        ).fetchone()
        why = f"change {later['id']} ({later['command']}) came after it; undo that first" if later else "it was purged"
        raise BankError(f"change {undone.id} ({undone.command}) cannot be undone: {why}")
    if before is None:
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))
        return
    values = json.loads(before)
    marks = ", ".join("?" * len(columns))
    if current is None:
        sql, parameters = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", []
    else:
        sql, parameters = f"UPDATE {table} SET {', '.join(f'{c} = ?' for c in columns)} WHERE id = ?", [row_id]
    try:
        connection.execute(sql, [values[column] for column in columns] + parameters)
    except sqlite3.IntegrityError as error:
        raise BankError(
            f"change {undone.id} ({undone.command}) cannot be undone: a clip called "
            f"{values.get('name')!r} exists by now; rename that one first"
        ) from error


def _check_references(connection: sqlite3.Connection, undone: Change) -> None:
    for table in schema.OF_CLIPS:
        orphan = f"SELECT 1 FROM {table} WHERE clip_id NOT IN (SELECT id FROM clips) LIMIT 1"
        if connection.execute(orphan).fetchone():
            raise BankError(
                f"change {undone.id} ({undone.command}) cannot be undone alone: its clips have got {table} since; "
                "undo the later changes first"
            )
