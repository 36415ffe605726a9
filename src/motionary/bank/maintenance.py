"""Purging and compacting a bank."""

import json
import shutil
from pathlib import Path

from motionary.bank import schema
from motionary.bank.connection import now, transaction
from motionary.bank.sqlite_errors import BankConnection, partly_done
from motionary.bank.traces import Traces, any_of
from motionary.errors import BankError

FINISHED, UNFINISHED = 1, 2  # in changes.permanent: are the purged bytes overwritten?


def purge(connection: BankConnection, derived_path: Path, clip_ids: list[int]) -> None:
    """Delete clips, their versions and what the log says of them, and write the file anew without their bytes."""
    own_images = "DELETE FROM row_changes WHERE change_id = ?"
    with transaction(connection):
        cursor = connection.execute(
            "INSERT INTO changes (at, command, permanent) VALUES (?, ?, ?)",
            (now(), "purge " + ", ".join(f"#{clip_id}" for clip_id in clip_ids), UNFINISHED),
        )
        connection.execute("INSERT INTO open_change VALUES (?)", (cursor.lastrowid,))
        _forget(connection, clip_ids)
        connection.execute(own_images, (cursor.lastrowid,))  # or they would count as versions that are still needed
        _drop_unused(connection)
        connection.execute(own_images, (cursor.lastrowid,))
        connection.execute("DELETE FROM open_change")
        _make_index_anew(connection)
    if connection.rehearsing:
        return
    try:
        finished = _finish(connection, derived_path)
    except BankError as error:
        rest = f"the clips are purged, but bytes of them stay in the file until `motionary compact {connection.path}`"
        raise partly_done(error, rest) from error
    if not finished:
        raise BankError(
            f"{connection.path}: the clips are purged, but other processes are reading the bank, so some of their "
            "bytes remain "
            f"in the file. `motionary compact {connection.path}` overwrites them once those processes have finished"
        )


def compact(connection: BankConnection, derived_path: Path) -> tuple[int, int]:
    """Write the file and its index of words anew, without unused space; returns the bytes before and after."""
    before = _size(connection.path)
    with transaction(connection):
        _make_index_anew(connection)
    if connection.rehearsing:  # the file cannot be written anew, but its pages can be counted
        return before, _n_used_bytes(connection)
    _finish(connection, derived_path)
    return before, _size(connection.path)


def _finish(connection: BankConnection, derived_path: Path) -> bool:
    """Write the file anew; end purges that were cut short. False if other processes hold on to older pages."""
    purged = connection.execute("SELECT 1 FROM changes WHERE permanent = ?", (UNFINISHED,)).fetchone() is not None
    if purged:
        _delete_derived(derived_path)
    connection.execute("VACUUM")
    if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        return False
    if purged:
        with transaction(connection):
            connection.execute("UPDATE changes SET permanent = ? WHERE permanent = ?", (FINISHED, UNFINISHED))
    return True


def _forget(connection: BankConnection, clip_ids: list[int]) -> None:
    """Delete clips and every trace of them from the log."""
    doomed = json.dumps(clip_ids)
    rows = connection.execute(
        """SELECT id, change_id, CASE WHEN table_name = 'clips' THEN json_extract(before, '$.name') END,
                  CASE WHEN table_name = 'clips' THEN json_extract(after, '$.name') END FROM row_changes
            WHERE (table_name = 'clips' AND row_id IN (SELECT value FROM json_each(?1)))
               OR json_extract(coalesce(after, before), '$.clip_id') IN (SELECT value FROM json_each(?1))""",
        (doomed,),
    ).fetchall()
    names = {name for row in rows for name in row[2:] if name is not None}
    for table in (*schema.OF_CLIPS, "clips"):
        key = "id" if table == "clips" else "clip_id"
        connection.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT value FROM json_each(?))", (doomed,))
    connection.executemany("DELETE FROM row_changes WHERE id = ?", [(row[0],) for row in rows])
    changed = Traces(clip_ids, names, connection.path).forget(connection)
    _clean_log(connection, changed | {row[1] for row in rows}, names)


def _drop_unused(connection: BankConnection) -> None:
    """Delete recordings that no clip, no edit and no earlier version of one uses, skeletons without recordings, and
    alignments that no match has or had."""
    columns = (
        ("clips", "recording_id"),
        ("edit_bases", "recording_id"),
        ("edits", "recording_id"),
        ("edits", "below_id"),
    )
    used = [f"SELECT {column} FROM {table}" for table, column in columns]
    used += [
        f"""SELECT json_extract({side}, '$.{column}') FROM row_changes
             WHERE table_name = '{table}' AND {side} IS NOT NULL"""
        for table, column in columns
        for side in ("before", "after")
    ]
    connection.execute(f"DELETE FROM recordings WHERE id NOT IN ({' UNION '.join(used)})")
    connection.execute(
        """DELETE FROM alignments WHERE id NOT IN (
               SELECT alignment_id FROM matches
               UNION SELECT json_extract(coalesce(after, before), '$.alignment_id') FROM row_changes
                      WHERE table_name = 'matches')"""
    )
    maps = connection.execute(
        """SELECT id, change_id FROM row_changes WHERE table_name = 'body_maps'
              AND json_extract(coalesce(after, before), '$.skeleton_id') NOT IN (SELECT skeleton_id FROM recordings)"""
    ).fetchall()
    connection.execute("DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton_id FROM recordings)")
    connection.executemany("DELETE FROM row_changes WHERE id = ?", [(row[0],) for row in maps])
    _clean_log(connection, {row[1] for row in maps}, set())


def _clean_log(connection: BankConnection, change_ids: set[int], names: set[str]) -> None:
    """Take out of the log what these changes, and any others that name the clips, said of them."""
    named = any_of(names)
    for row in connection.execute("SELECT id, command, undoes, permanent FROM changes").fetchall():
        if row["permanent"] or not (row["id"] in change_ids or named.search(row["command"])):
            continue
        verb = "undo" if row["undoes"] else (row["command"].split() or [""])[0]
        verb = named.sub("change", verb)
        left = connection.execute("SELECT 1 FROM row_changes WHERE change_id = ?", (row["id"],)).fetchone()
        connection.execute(
            "UPDATE changes SET command = ?, permanent = ? WHERE id = ?",
            (f"{verb} … ({'partly ' if left else ''}purged)", 0 if left else FINISHED, row["id"]),
        )


def _make_index_anew(connection: BankConnection) -> None:
    """Write the index of words from the clips, so that nothing else is in it."""
    connection.execute("DELETE FROM clip_text")
    connection.execute(
        f"INSERT INTO clip_text (rowid, name, labels, description, source) {schema.CLIP_TEXT} FROM clips"
    )
    connection.execute("INSERT INTO clip_text (clip_text) VALUES ('optimize')")


def _delete_derived(path: Path) -> None:
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise BankError(
            f"{path}: cannot be deleted ({error.strerror}), and may contain data computed from purged clips; "
            "delete that folder, then run `motionary compact`"
        ) from error


def _size(path: Path) -> int:
    parts = (path, path.with_name(path.name + "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def _n_used_bytes(connection: BankConnection) -> int:
    n_pages, n_free, size = (
        connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count", "page_size")
    )
    return int((n_pages - n_free) * size)
