"""The tables of a bank, and how older banks become new ones.

Two kinds of tables. *Stored* ones (skeletons, recordings, frames, alignments) are only ever added to: a row is named
by the digest of its content and never changes. *Tracked* ones (clips, labels, plants, selections …) are what people
change; triggers write every row's before and after into `row_changes`, so that each change can be undone and
no earlier version is lost. A tracked table cannot be touched outside a change: the trigger refuses.

A later version adds a function to MIGRATIONS. One that adds a column to a tracked table makes the triggers anew
and adds the column to the images in `row_changes` too, or nothing older could be undone. Tables that an older bank
lacks are empty where it is only read.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache

APPLICATION_ID = 0x4D4F5449  # "MOTI": tells a bank from any other SQLite file
READABLE = 1  # the oldest version that can be read as it is, without being brought up to date
_FIRST_TRACKED = {
    "clips": (
        "id", "name", "recording_id", "description", "source", "format", "licence", "credit", "imported_at", "notes",
    ),
    "labels": ("id", "clip_id", "start", "stop", "name", "strength", "origin"),
    "kept_plants": ("id", "clip_id", "origin"),
    "plants": ("id", "clip_id", "foot", "part", "start", "stop", "x", "y", "z", "origin"),
    "targets": ("id", "clip_id", "joint", "frame", "x", "y", "z"),
    "body_maps": ("id", "skeleton_id", "content"),
}  # fmt: skip
_SECOND_TRACKED = {
    "selections": ("id", "name", "query_clip_id", "query_start", "query_stop", "method", "asked", "kept_at"),
    "matches": (
        "id", "selection_id", "rank", "clip_id", "start", "stop", "distance", "mean", "unit", "method", "scale",
        "mirrored", "tier", "alignment_id",
    ),
    "profiles": ("id", "name", "content", "kept_at"),
    "spaces": ("id", "name", "content", "kept_at"),
    "refusals": ("id", "clip_id", "start", "stop", "name"),
}  # fmt: skip
_THIRD_TRACKED = {
    "recipes": ("id", "clip_id", "content", "kept_at"),
    "parametrics": ("id", "name", "content", "kept_at"),
    "verdicts": ("id", "content", "kept_at"),
    "edit_bases": ("id", "clip_id", "recording_id"),
    "edits": ("id", "clip_id", "position", "content", "below_id", "recording_id", "kept_at"),
}
TRACKED = _FIRST_TRACKED | _SECOND_TRACKED | _THIRD_TRACKED
_TABLES = (  # of each version, beside those of the versions before
    (*_FIRST_TRACKED, "skeletons", "recordings", "frames", "changes", "open_change", "row_changes", "clip_text"),
    (*_SECOND_TRACKED, "alignments"),
    tuple(_THIRD_TRACKED),
)
OF_CLIPS = tuple(table for table, columns in TRACKED.items() if "clip_id" in columns)
CLIP_TEXT = """SELECT id, name, (SELECT group_concat(name, ' ') FROM
                      (SELECT name FROM labels WHERE clip_id = clips.id ORDER BY name, start, stop)),
               description, source"""  # what can be searched for
_REAL_COLUMNS = {"strength", "x", "y", "z", "distance", "mean", "scale"}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the schema to the newest version, one transaction for each step."""
    for version in range(schema_version(connection), len(MIGRATIONS)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if schema_version(connection) == version:  # nobody else was faster
                MIGRATIONS[version](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def schema_version(connection: sqlite3.Connection) -> int:
    """The version of the schema that the file has; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def missing_tables(connection: sqlite3.Connection) -> list[str]:
    """The tables that the file lacks, of those that its version has."""
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return [name for tables in _TABLES[: schema_version(connection)] for name in tables if name not in there]


@cache
def known_triggers() -> dict[str, str]:
    """The triggers of a bank that is up to date: name to statement."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection)
        return dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall())


def create_first_schema(connection: sqlite3.Connection) -> None:
    """Version 1."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _create(connection, _FIRST_SCHEMA, _FIRST_TRACKED)
    _keep_text_in_step(connection)


def add_selections(connection: sqlite3.Connection) -> None:
    """Version 2: selections of matches with their alignments, profiles, pose spaces, and refused labels."""
    _create(connection, _SECOND_SCHEMA, _SECOND_TRACKED)


def add_edits(connection: sqlite3.Connection) -> None:
    """Version 3: how made clips were made, parametric motions, verdicts, and stacks of edits on recordings."""
    _create(connection, _THIRD_SCHEMA, _THIRD_TRACKED)


def stand_in(connection: sqlite3.Connection) -> None:
    """Give a connection that cannot write to an older bank the tables that this lacks, empty and its own."""
    later = (  # of each version after the first
        {**_SECOND_TRACKED, "alignments": ("id", "digest", "pairs")},
        _THIRD_TRACKED,
    )
    for tables in later[schema_version(connection) - 1 :]:
        for table, columns in tables.items():
            connection.execute(f"CREATE TEMP TABLE {table} ({', '.join(columns)})")


def _create(connection: sqlite3.Connection, statements: str, tracked: dict[str, tuple[str, ...]]) -> None:
    for statement in statements.split(";\n\n"):
        connection.execute(statement)
    for table, columns in tracked.items():
        track(connection, table, columns)


def track(connection: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> None:
    """Make triggers that write every change of `table` into `row_changes`."""

    def value(row: str, column: str) -> str:
        # json_object keeps 15 digits of a REAL; quote() keeps as many as it takes to read it back the same.
        # (Infinities would make no JSON: the types in clips.py refuse them.)
        return f"json(quote({row}.{column}))" if column in _REAL_COLUMNS else f"{row}.{column}"

    def image(row: str) -> str:
        return "json_object(" + ", ".join(f"'{column}', {value(row, column)}" for column in columns) + ")"

    for event, key, before, after in (
        ("INSERT", "new", "NULL", image("new")),
        ("UPDATE", "old", image("old"), image("new")),
        ("DELETE", "old", image("old"), "NULL"),
    ):
        connection.execute(
            f"""CREATE TRIGGER track_{table}_{event.lower()} AFTER {event} ON {table} BEGIN
                SELECT RAISE(ABORT, 'a tracked table was changed outside a change')
                 WHERE NOT EXISTS (SELECT 1 FROM open_change);
                INSERT INTO row_changes (change_id, table_name, row_id, before, after)
                VALUES ((SELECT change_id FROM open_change), '{table}', {key}.id, {before}, {after});
            END"""
        )


def _keep_text_in_step(connection: sqlite3.Connection) -> None:
    """Make triggers that keep the full-text table equal to the clips' names, labels and descriptions."""
    fill = f"""
        DELETE FROM clip_text WHERE rowid = {{clip}};
        INSERT INTO clip_text (rowid, name, labels, description, source)
        {CLIP_TEXT} FROM clips WHERE id = {{clip}};"""
    for table, key in (("clips", "id"), ("labels", "clip_id")):
        for event, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
            body = fill.format(clip=f"{row}.{key}")
            connection.execute(f"CREATE TRIGGER text_{table}_{event.lower()} AFTER {event} ON {table} BEGIN {body} END")


_FIRST_SCHEMA = """
CREATE TABLE skeletons (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never given twice, here as everywhere
    digest BLOB NOT NULL UNIQUE,
    content TEXT NOT NULL -- JSON: joints, end sites, channel layout, space
) STRICT;

CREATE TABLE recordings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    skeleton_id INTEGER NOT NULL REFERENCES skeletons (id),
    frames_digest BLOB NOT NULL,
    n_frames INTEGER NOT NULL CHECK (n_frames > 0),
    frame_time REAL NOT NULL CHECK (frame_time > 0),
    UNIQUE (frames_digest, skeleton_id)
) STRICT;

CREATE TABLE frames (
    recording_id INTEGER PRIMARY KEY REFERENCES recordings (id) ON DELETE CASCADE,
    data BLOB NOT NULL -- angles as float32 (F, R), then lengths as float64 (F, P)
) STRICT;

CREATE TABLE clips (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    recording_id INTEGER NOT NULL REFERENCES recordings (id),
    description TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '', -- the file it came from
    format TEXT NOT NULL DEFAULT '',
    licence TEXT NOT NULL DEFAULT '',
    credit TEXT NOT NULL DEFAULT '',
    imported_at TEXT NOT NULL,
    notes TEXT NOT NULL DEFAULT '[]' -- JSON: what was odd about it
) STRICT;

CREATE INDEX clips_by_recording ON clips (recording_id);

CREATE TABLE labels (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    start INTEGER, -- frames [start, stop); both NULL: the whole clip
    stop INTEGER,
    name TEXT NOT NULL CHECK (name <> ''),
    strength REAL NOT NULL DEFAULT 1.0,
    origin TEXT NOT NULL DEFAULT 'hand',
    CHECK ((start IS NULL) = (stop IS NULL) AND (start IS NULL OR 0 <= start AND start < stop))
) STRICT;

CREATE UNIQUE INDEX labels_once ON labels (clip_id, name, coalesce(start, -1), coalesce(stop, -1));

CREATE INDEX labels_by_name ON labels (name);

CREATE TABLE kept_plants ( -- clips whose plants are those below, be they none; others have theirs detected
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL UNIQUE REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    origin TEXT NOT NULL
) STRICT;

CREATE TABLE plants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    foot TEXT NOT NULL CHECK (foot IN ('left', 'right')),
    part TEXT NOT NULL CHECK (part IN ('heel', 'toe')),
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL, -- metres
    origin TEXT NOT NULL,
    CHECK (0 <= start AND start < stop)
) STRICT;

CREATE INDEX plants_by_clip ON plants (clip_id, start);

CREATE TABLE targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    joint TEXT NOT NULL,
    frame INTEGER NOT NULL CHECK (frame >= 0),
    x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL -- metres
) STRICT;

CREATE INDEX targets_by_clip ON targets (clip_id, frame);

CREATE TABLE body_maps ( -- a user's own answer to which joint is which part of the body
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    skeleton_id INTEGER NOT NULL UNIQUE REFERENCES skeletons (id) ON DELETE CASCADE,
    content TEXT NOT NULL -- JSON: part to joint's name or names
) STRICT;

CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    command TEXT NOT NULL,
    undoes INTEGER REFERENCES changes (id),
    undone_by INTEGER REFERENCES changes (id),
    permanent INTEGER NOT NULL DEFAULT 0 -- 1: purged, nothing brings it back; 2: bytes of it may be left
) STRICT;

CREATE TABLE open_change (change_id INTEGER NOT NULL) STRICT;

CREATE TABLE row_changes (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES changes (id),
    table_name TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    before TEXT, -- JSON; NULL: there was no row
    after TEXT
) STRICT;

CREATE INDEX row_changes_by_change ON row_changes (change_id);

CREATE INDEX row_changes_by_row ON row_changes (table_name, row_id);

CREATE VIRTUAL TABLE clip_text USING fts5 (name, labels, description, source)
"""

_SECOND_SCHEMA = """
CREATE TABLE alignments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    pairs BLOB NOT NULL -- steps from pair to pair, as pairs.py packs them
) STRICT;

CREATE TABLE selections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    query_clip_id INTEGER, -- NULL: the query was no segment of the bank. Its clip may be gone
    query_start INTEGER,
    query_stop INTEGER,
    method TEXT NOT NULL,
    asked TEXT NOT NULL, -- JSON: what else the query said
    kept_at TEXT NOT NULL,
    CHECK ((query_clip_id IS NULL) = (query_start IS NULL) AND (query_start IS NULL) = (query_stop IS NULL))
) STRICT;

CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    selection_id INTEGER NOT NULL REFERENCES selections (id) DEFERRABLE INITIALLY DEFERRED,
    rank INTEGER NOT NULL CHECK (rank > 0), -- stays with the match; others may be dropped before it
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    distance REAL NOT NULL,
    mean REAL NOT NULL,
    unit TEXT NOT NULL, -- of mean
    method TEXT NOT NULL,
    scale REAL NOT NULL,
    mirrored INTEGER NOT NULL CHECK (mirrored IN (0, 1)),
    tier INTEGER NOT NULL,
    alignment_id INTEGER NOT NULL REFERENCES alignments (id) DEFERRABLE INITIALLY DEFERRED,
    CHECK (0 <= start AND start < stop)
) STRICT;

CREATE UNIQUE INDEX matches_by_rank ON matches (selection_id, rank);

CREATE INDEX matches_by_clip ON matches (clip_id);

CREATE INDEX matches_by_alignment ON matches (alignment_id);

CREATE TABLE profiles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL, -- JSON
    kept_at TEXT NOT NULL
) STRICT;

CREATE TABLE spaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL, -- JSON
    kept_at TEXT NOT NULL
) STRICT;

CREATE TABLE refusals ( -- where a person has said that a label does not belong
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    name TEXT NOT NULL CHECK (name <> ''),
    CHECK (0 <= start AND start < stop)
) STRICT;

CREATE INDEX refusals_by_clip ON refusals (clip_id)
"""

_THIRD_SCHEMA = """
CREATE TABLE recipes ( -- how a made clip was made, and of what
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL UNIQUE REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    content TEXT NOT NULL, -- JSON; clip_ids: the clips whose motion is in it
    kept_at TEXT NOT NULL
) STRICT;

CREATE TABLE parametrics (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL, -- JSON
    kept_at TEXT NOT NULL
) STRICT;

CREATE TABLE verdicts ( -- what a person has said of results
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content TEXT NOT NULL, -- JSON
    kept_at TEXT NOT NULL
) STRICT;

CREATE TABLE edit_bases ( -- what lies under a clip's edits
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL UNIQUE REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    recording_id INTEGER NOT NULL REFERENCES recordings (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE edits ( -- the stack on a clip's recording; the clip shows the result of the highest
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clip_id INTEGER NOT NULL REFERENCES clips (id) DEFERRABLE INITIALLY DEFERRED,
    position INTEGER NOT NULL CHECK (position > 0), -- 1 is the lowest
    content TEXT NOT NULL, -- JSON; clip_ids: other clips whose motion is in the result
    below_id INTEGER NOT NULL REFERENCES recordings (id) DEFERRABLE INITIALLY DEFERRED, -- what it was applied to
    recording_id INTEGER NOT NULL REFERENCES recordings (id) DEFERRABLE INITIALLY DEFERRED, -- its result
    kept_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX edits_by_clip ON edits (clip_id, position);

CREATE INDEX edits_by_recording ON edits (recording_id);

CREATE INDEX edits_by_below ON edits (below_id);

CREATE INDEX edit_bases_by_recording ON edit_bases (recording_id)
"""

MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (create_first_schema, add_selections, add_edits)
