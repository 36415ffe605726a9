"""Looking for damage in a bank: the file, the references, the index of words, the log, the frames."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from motionary.bank import schema
from motionary.bank.connection import connect
from motionary.bank.pairs import digest_of_pairs
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.storage import PackedRecording, frames_size
from motionary.errors import BankError, ForeignBankError


def check_bank(path: Path | str, *, frames: bool = True) -> list[str]:
    """What is wrong with the bank at `path`, even if it is so damaged that it cannot be opened."""
    path = Path(path)
    try:
        connection = connect(path, create=False, read_only=False)
    except BankError as error:
        if isinstance(error, ForeignBankError):
            return [str(error).removeprefix(f"{path}: ")]
        if "is damaged" not in str(error):
            raise
        return [_why_it_cannot_be_opened(path, error)]
    with closing(connection):
        return check(connection, frames=frames)


def check(connection: BankConnection, *, frames: bool) -> list[str]:
    """What is wrong, in words; `frames`: read all of them and compare them with their digests."""
    problems: list[str] = []
    try:
        for part in (_file, _references, _index_of_words, _labels, _selections, _edits, _log):
            problems += part(connection)
        if not problems:
            problems += _recordings(connection, frames=frames)
    except BankError as error:
        if not isinstance(error.__cause__, sqlite3.DatabaseError | UnicodeError) or "another process" in str(error):
            raise
        problems.append(str(error))
    except ValueError as error:
        problems.append(f"a row is invalid: {error}")
    return problems


def _why_it_cannot_be_opened(path: Path, error: BankError) -> str:
    """The reason by the file's header, which says how many pages of how many bytes there are."""
    with path.open("rb") as file:
        header = file.read(100)
    n_bytes = path.stat().st_size
    page_bytes, n_pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    expected = (65536 if page_bytes == 1 else page_bytes) * n_pages
    if n_bytes < expected:
        return (
            f"the file is truncated: it has {n_bytes:,} of {expected:,} bytes. "
            "It cannot be opened; restore a backup, or import the files again"
        )
    return f"the file cannot be opened ({error.__cause__}); restore a backup, or import the files again"


def _file(connection: BankConnection) -> Iterator[str]:
    for row in connection.execute("PRAGMA integrity_check"):
        if row[0] != "ok":
            yield f"the file is damaged: {row[0]}"


def _references(connection: BankConnection) -> Iterator[str]:
    for row in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row[1]} of {row[0]} refers to a row of {row[2]} that is missing"
    if connection.execute("SELECT 1 FROM open_change").fetchone():
        yield "a change was left open"
    if connection.execute("SELECT 1 FROM changes WHERE permanent = 2").fetchone():
        yield "a purge was interrupted, so deleted data may still be in the file; `compact` finishes it"


def _index_of_words(connection: BankConnection) -> Iterator[str]:
    expected = {tuple(row) for row in connection.execute(f"{schema.CLIP_TEXT} FROM clips")}
    found = {tuple(row) for row in connection.execute("SELECT rowid, * FROM clip_text")}
    if expected != found:
        yield f"the index of words does not fit {len(expected ^ found)} clips; `compact` makes it anew"
    elif not connection.read_only:  # SQLite's own test counts as writing
        try:
            connection.execute("INSERT INTO clip_text (clip_text) VALUES ('integrity-check')")
        except BankError as error:
            if "damaged" not in str(error):
                raise
            yield "the index of words is damaged; `compact` makes it anew"


def _labels(connection: BankConnection) -> Iterator[str]:
    rows = connection.execute(
        """SELECT placed.name AS label, clips.name AS clip, placed.stop, n_frames
             FROM (SELECT name, clip_id, stop FROM labels UNION ALL SELECT name, clip_id, stop FROM refusals) AS placed
             JOIN clips ON clips.id = clip_id JOIN recordings ON recordings.id = recording_id WHERE stop > n_frames"""
    )
    for row in rows:
        yield f"label {row[0]!r} of clip {row[1]!r} ends at frame {row[2]}, the clip at {row[3]}"


def _selections(connection: BankConnection) -> Iterator[str]:
    rows = connection.execute(
        """SELECT selections.name, rank, clips.name, matches.stop, n_frames FROM matches
             JOIN selections ON selections.id = selection_id JOIN clips ON clips.id = clip_id
             JOIN recordings ON recordings.id = recording_id WHERE matches.stop > n_frames"""
    )
    for row in rows:
        yield f"match {row[1]} of selection {row[0]!r} ends at frame {row[3]}, its clip {row[2]!r} at {row[4]}"
    for row in connection.execute("SELECT id, digest, pairs FROM alignments"):
        if digest_of_pairs(bytes(row["pairs"])) != row["digest"]:
            yield f"alignment {row['id']} of a match does not match its checksum"


def _edits(connection: BankConnection) -> Iterator[str]:
    """Each layer must stand on the one below it, the lowest on the base, and the clip show the highest."""
    rows = connection.execute(
        """SELECT clips.name, clips.recording_id AS shown, edit_bases.recording_id AS base,
                  position, below_id, edits.recording_id AS result
             FROM edits JOIN clips ON clips.id = edits.clip_id
             LEFT JOIN edit_bases ON edit_bases.clip_id = clips.id ORDER BY clips.id, position"""
    ).fetchall()
    for name, group in groupby(rows, key=lambda row: row["name"]):
        layers = list(group)
        below = [layers[0]["base"], *(row["result"] for row in layers)]
        if [row["position"] for row in layers] != list(range(1, len(layers) + 1)):
            yield f"clip {name!r}: a layer of its edits is missing"
        elif [*(row["below_id"] for row in layers), layers[0]["shown"]] != below:
            yield f"clip {name!r}: its edits do not stand one on the other"


def _log(connection: BankConnection) -> Iterator[str]:
    """The newest image of every row must be the row: else an undo would not know what it does."""
    for table, columns in schema.TRACKED.items():
        newest = connection.execute(
            """SELECT row_id, after FROM row_changes JOIN
                   (SELECT max(id) AS newest FROM row_changes WHERE table_name = ? GROUP BY row_id) ON id = newest
                WHERE after IS NOT NULL""",
            (table,),
        )
        images = {row[0]: json.loads(row[1]) for row in newest}
        rows = {row["id"]: dict(row) for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}")}
        for row_id in sorted(images.keys() | rows.keys()):
            if images.get(row_id) != rows.get(row_id):
                yield f"row {row_id} of {table} is not what the log says; undoing changes of it may be refused"


def _recordings(connection: BankConnection, *, frames: bool) -> Iterator[str]:
    rows = connection.execute(
        """SELECT recordings.id, n_frames, frame_time, frames_digest, content, digest, length(data) AS size,
                  (SELECT name FROM clips WHERE recording_id = recordings.id) AS clip
             FROM recordings JOIN skeletons ON skeletons.id = skeleton_id
             LEFT JOIN frames ON frames.recording_id = recordings.id ORDER BY recordings.id"""
    ).fetchall()
    for row in rows:
        who = f"clip {row['clip']!r}" if row["clip"] else f"an earlier version (recording {row['id']})"
        yield from (f"{who}: {problem}" for problem in _recording(connection, row, frames=frames))


def _recording(connection: BankConnection, row: Any, *, frames: bool) -> Iterator[str]:
    packed = PackedRecording(row["content"], b"", row["frames_digest"], row["n_frames"], row["frame_time"])
    if packed.skeleton_digest != row["digest"]:
        yield "its skeleton does not match its checksum"
    elif row["size"] != frames_size(row["content"], row["n_frames"]):
        yield f"its frames have {row['size'] or 0} bytes; the skeleton asks for another number"
    elif frames:
        data = connection.execute("SELECT data FROM frames WHERE recording_id = ?", (row["id"],)).fetchone()[0]
        if not replace(packed, frames=data).is_intact:
            yield "its frames do not match their checksum"
