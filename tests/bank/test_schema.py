"""The schema as it was frozen: another one needs a migration, and banks of every version must still open."""

import os
import re
import signal
import sqlite3
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label, schema
from motionary.errors import BankError, NotInBankError
from motionary.ik import Target
from motionary.motion import Segment
from motionary.plants import Plant

# What `sqlite_schema` of a new bank says, one file for each version. None is ever changed: a later schema is a
# migration with a file of its own.
GOLDEN = {version: Path(__file__).parent / f"schema_{version}.sql" for version in (1, 2, 3)}


def schema_text(connection: sqlite3.Connection) -> str:
    """The schema without the tables that full-text search makes for itself, one statement to a line, no comments."""
    rows = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'clip\\_text\\_%' ESCAPE '\\'"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    return "".join(" ".join(re.sub("--.*", "", row[0]).split()) + ";\n" for row in rows)


def test_every_version_has_its_frozen_schema(tmp_path: Path) -> None:
    assert sorted(GOLDEN) == list(range(1, len(schema.MIGRATIONS) + 1))
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        assert schema.schema_version(bank.connection) == len(schema.MIGRATIONS)
        assert schema_text(bank.connection) == GOLDEN[len(schema.MIGRATIONS)].read_text(encoding="utf-8")


def bank_of_version(path: Path, version: int) -> Path:
    """A bank made by the frozen text and plain rows, without the code of today; every tracked table holds some."""
    with sqlite3.connect(path, isolation_level=None) as old:
        for statement in GOLDEN[version].read_text(encoding="utf-8").split(";\n")[:-1]:
            old.execute(statement)
        old.execute(f"PRAGMA application_id = {0x4D4F5449}")
        old.execute(f"PRAGMA user_version = {version}")
        old.execute("BEGIN")
        for rows in ROWS[:version]:
            for statement in rows:
                old.execute(statement)
        old.execute("COMMIT")
    old.close()
    return path


ROWS = (
    (
        "INSERT INTO skeletons (id, digest, content) VALUES (1, x'00', '{\"names\": [\"Hips\"]}')",
        "INSERT INTO recordings (id, skeleton_id, frames_digest, n_frames, frame_time) VALUES (1, 1, x'00', 1, 0.1)",
        "INSERT INTO frames VALUES (1, x'00')",
        "INSERT INTO changes (id, at, command) VALUES (1, '2026-01-01T00:00:00Z', 'add old walk')",
        "INSERT INTO open_change VALUES (1)",
        "INSERT INTO clips (id, name, recording_id, imported_at) VALUES (1, 'old walk', 1, '2026-01-01T00:00:00Z')",
        "INSERT INTO labels (clip_id, start, stop, name, strength) VALUES (1, 0, 1, 'calm', 0.1)",
        "INSERT INTO kept_plants (clip_id, origin) VALUES (1, 'hand')",
        "INSERT INTO plants (clip_id, foot, part, start, stop, x, y, z, origin)"
        " VALUES (1, 'left', 'toe', 0, 1, 0.1, 0.2, 0.3, 'hand')",
        "INSERT INTO targets (clip_id, joint, frame, x, y, z) VALUES (1, 'Hips', 0, 0.1, 0.2, 0.3)",
        "INSERT INTO body_maps (skeleton_id, content) VALUES (1, '{}')",
        "DELETE FROM open_change",
    ),
    (
        "INSERT INTO changes (id, at, command) VALUES (2, '2026-01-01T00:00:00Z', 'keep selection walks')",
        "INSERT INTO open_change VALUES (2)",
        "INSERT INTO alignments (digest, pairs) VALUES (x'2da7929ddcb517d1aa8044fb64dbac4a', x'0400')",
        "INSERT INTO selections (name, query_clip_id, query_start, query_stop, method, asked, kept_at)"
        " VALUES ('walks', 1, 0, 1, 'dtw', '{\"k\": 1}', '2026-01-01T00:00:00Z')",
        "INSERT INTO matches (selection_id, rank, clip_id, start, stop, distance, mean, unit, method, scale, mirrored,"
        " tier, alignment_id) VALUES (1, 1, 1, 0, 1, 0.1, 0.7, 'cm', 'dtw', 1.1, 0, 1, 1)",
        "INSERT INTO profiles (name, content, kept_at) VALUES ('me', '{\"Head\": 0.1}', '2026-01-01T00:00:00Z')",
        "INSERT INTO spaces (name, content, kept_at) VALUES ('arms', '{\"centre\": [0.1]}', '2026-01-01T00:00:00Z')",
        "INSERT INTO refusals (clip_id, start, stop, name) VALUES (1, 0, 1, 'run')",
        "DELETE FROM open_change",
    ),
    (
        "INSERT INTO recordings (id, skeleton_id, frames_digest, n_frames, frame_time) VALUES (2, 1, x'01', 1, 0.1)",
        "INSERT INTO frames VALUES (2, x'01')",
        "INSERT INTO changes (id, at, command) VALUES (3, '2026-01-01T00:00:00Z', 'edit old walk')",
        "INSERT INTO open_change VALUES (3)",
        "INSERT INTO recipes (clip_id, content, kept_at) VALUES (1, '{\"clip_ids\": [7]}', '2026-01-01T00:00:00Z')",
        "INSERT INTO parametrics (name, content, kept_at) VALUES ('reach', '{\"k\": 0.1}', '2026-01-01T00:00:00Z')",
        "INSERT INTO verdicts (content, kept_at) VALUES ('{\"good\": true}', '2026-01-01T00:00:00Z')",
        "INSERT INTO edit_bases (clip_id, recording_id) VALUES (1, 1)",
        "INSERT INTO edits (clip_id, position, content, below_id, recording_id, kept_at)"
        " VALUES (1, 1, '{\"operation\": \"smooth\"}', 1, 2, '2026-01-01T00:00:00Z')",
        "UPDATE clips SET recording_id = 2 WHERE id = 1",
        "DELETE FROM open_change",
    ),
)


def check_what_it_held(bank: Bank, version: int) -> None:
    """What `bank_of_version` put into it."""
    assert [clip.name for clip in bank.clips("old calm")] == ["old walk"]
    assert bank.labels(1) == [Label("calm", 0, 1, strength=0.1)]
    assert bank.plants(1) == [Plant("left", "toe", 0, 1, (0.1, 0.2, 0.3), "hand")]
    assert bank.plants_origin(1) == "hand"
    assert bank.targets(1) == [Target("Hips", 0, (0.1, 0.2, 0.3))]
    assert [change.command for change in bank.log()][-1] == "add old walk"
    assert [(found.name, found.query, found.n_matches) for found in bank.selections()] == (
        [("walks", Segment(1, 0, 1), 1)] if version >= 2 else []
    )
    assert bank.profiles() == (["me"] if version >= 2 else [])
    assert bank.spaces() == (["arms"] if version >= 2 else [])
    assert bank.refused("run") == ([Segment(1, 0, 1)] if version >= 2 else [])
    assert bank.recipe(1) == ({"clip_ids": [7]} if version >= 3 else None)
    assert bank.parametrics() == (["reach"] if version >= 3 else [])
    assert [verdict.content for verdict in bank.verdicts()] == ([{"good": True}] if version >= 3 else [])
    assert [(row.position, row.content, row.below_id, row.recording_id) for row in bank.edit_rows(1)] == (
        [(1, {"operation": "smooth"}, 1, 2)] if version >= 3 else []
    )
    assert bank.edit_base(1) == 1


@pytest.mark.parametrize("version", GOLDEN)
def test_a_bank_of_an_older_version_opens_with_all_it_holds(tmp_path: Path, version: int) -> None:
    path = bank_of_version(tmp_path / "old.bank", version)

    with Bank.open(path) as bank:
        assert schema.schema_version(bank.connection) == len(schema.MIGRATIONS)
        assert schema_text(bank.connection) == GOLDEN[len(schema.MIGRATIONS)].read_text(encoding="utf-8")
        check_what_it_held(bank, version)
        if version >= 2:
            row = bank.matches("walks")[1]
            assert (row.segment, row.distance, row.mean, row.scale, row.alignment.pairs.tolist()) == (
                Segment(1, 0, 1), 0.1, 0.7, 1.1, [[0, 0]],
            )  # fmt: skip
            assert bank.profile("me") == {"Head": 0.1}
        assert bank.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        bank.keep_selection("new ones", [])
        assert [bank.undo().id for _ in range(version + 1)] == list(range(version + 1, 0, -1))
        assert bank.clips() == bank.selections() == bank.profiles() == bank.edit_rows() == bank.verdicts() == []
        bank.undo(max(change.id for change in bank.log()))  # the oldest change is done once more
        assert [clip.name for clip in bank.clips()] == ["old walk"]
        bank.add("new", recording())
        assert [clip.id for clip in bank.clips()] == [1, 2]


@pytest.mark.parametrize("version", GOLDEN)
def test_a_bank_of_an_older_version_can_be_read_and_stays_as_it_is(tmp_path: Path, version: int) -> None:
    path = bank_of_version(tmp_path / "old.bank", version)
    before = path.read_bytes()

    with Bank.open(path, read_only=True) as bank:
        check_what_it_held(bank, version)
        with pytest.raises(BankError, match="cannot be written here"):
            bank.keep_selection("new ones", [])
        with pytest.raises(NotInBankError, match="no selection 'none'"):
            bank.segment("@none")

    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("n_statements", [0, 1, 7, 11, 15, None])
def test_a_migration_that_is_killed_has_not_happened(tmp_path: Path, version: int, n_statements: int | None) -> None:
    """Killed after so many statements; None: when all are done, but not committed."""
    path = bank_of_version(tmp_path / "old.bank", version)
    pid = os.fork()
    if pid == 0:  # the child must not come back into the tests
        _migrate_and_be_killed(path, version, n_statements)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL

    with Bank.open(path, read_only=True) as bank:
        assert schema.schema_version(bank.connection) == version
        assert schema_text(bank.connection) == GOLDEN[version].read_text(encoding="utf-8")
    with Bank.open(path) as bank:
        assert schema_text(bank.connection) == GOLDEN[len(schema.MIGRATIONS)].read_text(encoding="utf-8")
        check_what_it_held(bank, version)


class _Mortal:
    """A connection on which the process ends at a statement."""

    def __init__(self, connection: sqlite3.Connection, n_left: int) -> None:
        self.connection, self.n_left = connection, n_left

    def execute(self, statement: str) -> object:
        if self.n_left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.n_left -= 1
        return self.connection.execute(statement)


def _migrate_and_be_killed(path: Path, version: int, n_statements: int | None) -> None:
    next_migration = schema.MIGRATIONS[version]

    def migrate(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA cache_spill = 1")
        next_migration(_Mortal(connection, -1 if n_statements is None else n_statements))  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGKILL)

    schema.MIGRATIONS = (*schema.MIGRATIONS[:version], migrate)
    Bank.open(path)


def test_a_migration_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bank"
    with Bank.open(path, create=True) as bank:
        bank.add("walk", recording())
        before = all_rows(bank)

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE more (x)")
        connection.execute("UPDATE recordings SET frame_time = 99")
        raise ZeroDivisionError

    def succeeds(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE more (x)")

    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, fails))
    with pytest.raises(ZeroDivisionError):
        Bank.open(path)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS[:-1], succeeds))
    with Bank.open(path) as bank:
        assert schema.schema_version(bank.connection) == len(schema.MIGRATIONS)
        assert all_rows(bank) == {**before, "more": []}


def test_row_images_hold_every_column(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for table, columns in schema.TRACKED.items():
            found = [row[1] for row in bank.connection.execute(f"PRAGMA table_info({table})")]
            assert tuple(found) == columns
