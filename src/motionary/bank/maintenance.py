"""Purging, checking and compacting a bank."""

import shutil
import sqlite3
from pathlib import Path

from motionary.bank import schema
from motionary.bank.connection import now, readable, transaction
from motionary.bank.storage import PackedRecording, frames_size, pack, unpack
from motionary.errors import BankError, UserError


def purge(
    connection: sqlite3.Connection,
    path: Path,
    derived_path: Path,
    clips: dict[int, str],
) -> list[str]:
    """Delete clips (names by id), their versions and what the log says of them; overwrite the space."""
    if not clips:
        return []
    connection.execute("PRAGMA secure_delete = ON")  # freed pages are overwritten with zeros
    try:
        with transaction(connection, path):
            cursor = connection.execute(
                "INSERT INTO changes (at, command, permanent) VALUES (?, ?, 1)",
                (now(), "purge " + ", ".join(f"#{clip_id}" for clip_id in clips)),
            )
            connection.execute("INSERT INTO open_change VALUES (?)", (cursor.lastrowid,))
            for clip_id in clips:
                _forget(connection, clip_id)
            connection.execute("DELETE FROM row_changes WHERE change_id = ?", (cursor.lastrowid,))
            connection.execute("DELETE FROM open_change")
            _drop_unused(connection)
            connection.execute("INSERT INTO clip_text (clip_text) VALUES ('optimize')")  # old words leave the index
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.execute("PRAGMA secure_delete = OFF")
    shutil.rmtree(derived_path, ignore_errors=True)
    return list(clips.values())


def check(connection: sqlite3.Connection, *, frames: bool) -> list[str]:
    """What is wrong, in words."""
    problems = []
    try:
        for row in connection.execute("PRAGMA integrity_check"):
            if row[0] != "ok":
                problems.append(f"the file is damaged: {row[0]}")
        for row in connection.execute("PRAGMA foreign_key_check"):
            problems.append(f"row {row[1]} of {row[0]} refers to a row of {row[2]} that is missing")
        if connection.execute("SELECT 1 FROM open_change").fetchone():
            problems.append("a change was left open")
        problems += _check_text(connection)
        problems += _check_labels(connection)
        if not problems:
            problems += _check_recordings(connection, frames=frames)
    except sqlite3.DatabaseError as error:
        problems.append(f"the file is damaged: {error}")
    return problems


def compact(connection: sqlite3.Connection, path: Path) -> tuple[int, int]:
    """Drop what nothing refers to and rebuild the file; returns the bytes before and after."""
    before = _size(path)
    with transaction(connection, path):
        _drop_unused(connection)
        connection.execute("INSERT INTO clip_text (clip_text) VALUES ('optimize')")
    try:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError as error:
        raise readable(error, path) from error
    return before, _size(path)


def _forget(connection: sqlite3.Connection, clip_id: int) -> None:
    """Delete a clip and every trace of it from the log."""
    touched = [
        row[0]
        for row in connection.execute(
            """SELECT DISTINCT change_id FROM row_changes WHERE (table_name = 'clips' AND row_id = ?1)
                OR json_extract(coalesce(after, before), '$.clip_id') = ?1""",
            (clip_id,),
        )
    ]
    for table in ("clips", *schema.OF_CLIPS):
        key = "id" if table == "clips" else "clip_id"
        connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (clip_id,))
        connection.execute(
            f"""DELETE FROM row_changes WHERE table_name = '{table}'
                   AND json_extract(coalesce(after, before), '$.{key}') = ?""",
            (clip_id,),
        )
    for change_id in touched:  # what a command said of the clip goes too
        verb = connection.execute("SELECT command FROM changes WHERE id = ?", (change_id,)).fetchone()[0].split()[0]
        connection.execute("UPDATE changes SET command = ? WHERE id = ?", (f"{verb} … (partly purged)", change_id))
        empty = not connection.execute("SELECT 1 FROM row_changes WHERE change_id = ?", (change_id,)).fetchone()
        if empty:
            connection.execute(
                "UPDATE changes SET permanent = 1, command = ? WHERE id = ?", (f"{verb} … (purged)", change_id)
            )


def _drop_unused(connection: sqlite3.Connection) -> None:
    """Delete recordings that no clip and no earlier version of a clip uses, and skeletons without recordings."""
    connection.execute(
        """DELETE FROM recordings WHERE id NOT IN (
               SELECT recording_id FROM clips
               UNION SELECT json_extract(before, '$.recording_id') FROM row_changes
                      WHERE table_name = 'clips' AND before IS NOT NULL
               UNION SELECT json_extract(after, '$.recording_id') FROM row_changes
                      WHERE table_name = 'clips' AND after IS NOT NULL)"""
    )
    connection.execute("DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton_id FROM recordings)")


def _check_text(connection: sqlite3.Connection) -> list[str]:
    try:
        connection.execute("INSERT INTO clip_text (clip_text) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        if "readonly" not in str(error):
            return [f"the index of words is damaged ({error}); `compact` does not mend it, a new import does"]
    return []


def _check_labels(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        """SELECT labels.name AS label, clips.name AS clip, labels.stop, n_frames FROM labels
             JOIN clips ON clips.id = clip_id JOIN recordings ON recordings.id = recording_id WHERE stop > n_frames"""
    )
    return [f"label {row[0]!r} of clip {row[1]!r} ends at frame {row[2]}, the clip at {row[3]}" for row in rows]


def _check_recordings(connection: sqlite3.Connection, *, frames: bool) -> list[str]:
    problems = []
    rows = connection.execute(
        """SELECT recordings.id, n_frames, frame_time, frames_digest, content, length(data) AS size,
                  (SELECT name FROM clips WHERE recording_id = recordings.id) AS clip
             FROM recordings JOIN skeletons ON skeletons.id = skeleton_id
             LEFT JOIN frames ON frames.recording_id = recordings.id ORDER BY recordings.id"""
    ).fetchall()
    for row in rows:
        who = f"clip {row['clip']!r}" if row["clip"] else f"an earlier version (recording {row['id']})"
        if row["size"] != frames_size(row["content"], row["n_frames"]):
            problems.append(f"{who}: its frames have {row['size']} bytes; the skeleton asks for another number")
        elif frames:
            data = connection.execute("SELECT data FROM frames WHERE recording_id = ?", (row["id"],)).fetchone()[0]
            packed = PackedRecording(row["content"], data, row["frames_digest"], row["n_frames"], row["frame_time"])
            try:
                if pack(unpack(packed)).frames_digest != row["frames_digest"]:
                    problems.append(f"{who}: its frames are not those that were stored")
            except UserError as error:
                problems.append(f"{who}: {error}")
    return problems


def _size(path: Path) -> int:
    parts = (path, path.with_name(path.name + "-wal"))
    if not path.exists():
        raise BankError(f"{path}: the bank is gone")
    return sum(part.stat().st_size for part in parts if part.exists())
