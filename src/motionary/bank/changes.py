"""What was changed, and taking it back."""

import sqlite3
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from motionary.bank import schema
from motionary.bank.connection import close_change, open_change, open_change_id, transaction
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.stored_json import stored
from motionary.bank.word_index import MANY, words_at_the_end
from motionary.errors import BankError

_NAMED = {"selections": "selection", "profiles": "profile", "spaces": "space", "parametrics": "parametric motion"}


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


def log(connection: BankConnection, *, last: int | None = None) -> list[Change]:
    """All changes, newest first."""
    return _changes(connection, "1 ORDER BY id DESC LIMIT ?", -1 if last is None else last)


def find_change(connection: BankConnection, change_id: int) -> Change | None:
    """The change of that number; None if the log has none."""
    return next(iter(_changes(connection, "id = ?", change_id)), None)


def undo(connection: BankConnection, change_id: int | None = None) -> Change:
    """Take back a change (the newest that can be), as a change of its own; returns what was taken back.

    Undoing an undo brings the change back. A change whose rows were changed again later is refused.
    """
    with transaction(connection):
        undone = _newest(connection) if change_id is None else _one(connection, change_id)
        _check_can_be_undone(undone)
        by = open_change(connection, f"undo {undone.id}: {undone.command}", undoes=undone.id)
        connection.execute("PRAGMA defer_foreign_keys = ON")
        rows = connection.execute(
            "SELECT id, table_name, row_id, before, after FROM row_changes WHERE change_id = ? ORDER BY id DESC",
            (undone.id,),
        ).fetchall()
        labelled = [_clip_id(connection, row) for row in rows if row["table_name"] == "labels"]
        with words_at_the_end(connection, labelled) if len(labelled) >= MANY else nullcontext():
            for row in rows:
                _put_back(connection, undone, row)
        _check_references(connection, undone)
        _mark_undone(connection, undone, by)
        close_change(connection)
    return undone


def _changes(connection: BankConnection, condition: str, parameter: int) -> list[Change]:
    rows = connection.execute(
        f"""SELECT id, at, command, undoes, undone_by, permanent,
                   (SELECT count(*) FROM row_changes WHERE change_id = changes.id) AS n_rows
              FROM changes WHERE {condition}""",
        (parameter,),
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


def _newest(connection: BankConnection) -> Change:
    """The newest change that is neither undone, nor an undo, nor a purge."""
    found = _changes(connection, "undone_by IS NULL AND undoes IS NULL AND permanent = 0 ORDER BY id DESC LIMIT ?", 1)
    if not found:
        raise BankError(f"{connection.path}: there is nothing to undo")
    return found[0]


def _one(connection: BankConnection, change_id: int) -> Change:
    found = _changes(connection, "id = ?", change_id)
    if not found:
        raise BankError(f"{connection.path}: there is no change {change_id}; `log` lists them")
    return found[0]


def _check_can_be_undone(change: Change) -> None:
    if change.permanent:
        raise BankError(f"change {change.id} ({change.command}): purged data cannot be restored")
    if change.undone_by is not None:
        raise BankError(
            f"change {change.id} ({change.command}) is already undone, by change {change.undone_by}; "
            f"`undo {change.undone_by}` redoes it"
        )


def _clip_id(connection: BankConnection, row: sqlite3.Row) -> int:
    return int(_image(connection, row["after"] or row["before"])["clip_id"])


def _image(connection: BankConnection, text: str) -> dict[str, Any]:
    """A row's columns, as the log has them."""
    columns: dict[str, Any] = stored(text, dict, connection.path, "the log")
    return columns


def _put_back(connection: BankConnection, undone: Change, row: sqlite3.Row) -> None:
    """Give one row the values that it had before the change, if it still has those that the change gave it."""
    table, row_id = row["table_name"], row["row_id"]
    before, after = (None if row[side] is None else _image(connection, row[side]) for side in ("before", "after"))
    columns = schema.TRACKED[table]
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (row_id,)).fetchone()
    current = None if found is None else dict(found)
    if current != after:
        later = connection.execute(
            """SELECT changes.id, command FROM row_changes JOIN changes ON changes.id = change_id
                WHERE table_name = ? AND row_id = ? AND row_changes.id > ? AND changes.id NOT IN (?, ?)
                ORDER BY row_changes.id DESC LIMIT 1""",
            (table, row_id, row["id"], undone.id, open_change_id(connection)),
        ).fetchone()
        why = f"change {later['id']} ({later['command']}) came after it; undo that first" if later else "rows differ"
        raise BankError(f"{connection.path}: change {undone.id} ({undone.command}) cannot be undone: {why}")
    try:
        if before is None:
            connection.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))
        elif current is None:
            marks = ", ".join("?" * len(columns))
            connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", _values(before, columns))
        else:
            marks = ", ".join(f"{column} = ?" for column in columns)
            connection.execute(f"UPDATE {table} SET {marks} WHERE id = ?", [*_values(before, columns), row_id])
    except sqlite3.IntegrityError as error:
        raise BankError(
            f"{connection.path}: change {undone.id} ({undone.command}) cannot be undone: {_in_the_way(table, before)}"
        ) from error


def _values(image: dict[str, Any], columns: tuple[str, ...]) -> list[Any]:
    return [image[column] for column in columns]


def _in_the_way(table: str, image: dict[str, Any] | None) -> str:
    """Why a row cannot come back, in words."""
    if table == "clips" and image:
        return f"a clip named {image['name']!r} exists now; rename it first"
    if table in _NAMED and image:
        return f"a {_NAMED[table]} named {image['name']!r} exists now; rename or remove it first"
    if table == "labels" and image:
        return f"the label {image['name']!r} was added again; remove it first"
    return f"its {table.replace('_', ' ')} have been replaced since"


def _check_references(connection: BankConnection, undone: Change) -> None:
    alone = f"{connection.path}: change {undone.id} ({undone.command}) cannot be undone alone: it would leave"
    for table in schema.OF_CLIPS:
        orphan = f"SELECT clip_id FROM {table} WHERE clip_id NOT IN (SELECT id FROM clips) LIMIT 1"
        found = connection.execute(orphan).fetchone()
        if found:
            raise BankError(f"{alone} {table} without their clip #{found[0]}; undo the later changes first")
    if connection.execute("SELECT 1 FROM matches WHERE selection_id NOT IN (SELECT id FROM selections)").fetchone():
        raise BankError(f"{alone} matches without their selection; undo the later changes first")


def _mark_undone(connection: BankConnection, undone: Change, by: int) -> None:
    """Write down which changes hold now: `undone` does not; what it had undone holds again, and so on."""
    connection.execute("UPDATE changes SET undone_by = ? WHERE id = ?", (by, undone.id))
    holds, change_id = True, undone.undoes
    undoing = undone.id
    while change_id is not None:
        connection.execute("UPDATE changes SET undone_by = ? WHERE id = ?", (None if holds else undoing, change_id))
        holds, undoing = not holds, change_id
        change_id = connection.execute("SELECT undoes FROM changes WHERE id = ?", (change_id,)).fetchone()["undoes"]
