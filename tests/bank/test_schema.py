"""The schema as it was frozen: another one needs a migration, and banks of every version must still open."""

import re
import sqlite3
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label, schema

# What `sqlite_schema` of a new bank says, one file for each version. None is ever changed: a later schema is a
# migration with a file of its own.
GOLDEN = {1: Path(__file__).parent / "schema_1.sql"}


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


@pytest.mark.parametrize("version", GOLDEN)
def test_a_bank_of_an_older_version_opens_with_all_it_holds(tmp_path: Path, version: int) -> None:
    """The bank is made by the frozen text and plain rows, without the code of today."""
    path = tmp_path / "old.bank"
    with sqlite3.connect(path, isolation_level=None) as old:
        for statement in _statements(GOLDEN[version].read_text(encoding="utf-8")):
            old.execute(statement)
        old.execute(f"PRAGMA application_id = {0x4D4F5449}")
        old.execute(f"PRAGMA user_version = {version}")
        old.execute("BEGIN")
        for statement in ROWS_1:
            old.execute(statement)
        old.execute("COMMIT")
    old.close()

    with Bank.open(path) as bank:
        assert schema.schema_version(bank.connection) == len(schema.MIGRATIONS)
        assert [clip.name for clip in bank.clips("old calm")] == ["old walk"]
        assert bank.labels(1) == [Label("calm", 0, 1, strength=0.1)]
        assert bank.log()[0].command == "add old walk"
        assert bank.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert bank.undo().id == 1
        assert bank.clips() == []
        bank.add("new", recording())
        assert [clip.id for clip in bank.clips()] == [2]


ROWS_1 = (
    "INSERT INTO skeletons (id, digest, content) VALUES (1, x'00', '{\"names\": [\"Hips\"]}')",
    "INSERT INTO recordings (id, skeleton_id, frames_digest, n_frames, frame_time) VALUES (1, 1, x'00', 1, 0.1)",
    "INSERT INTO frames VALUES (1, x'00')",
    "INSERT INTO changes (id, at, command) VALUES (1, '2026-01-01T00:00:00Z', 'add old walk')",
    "INSERT INTO open_change VALUES (1)",
    "INSERT INTO clips (id, name, recording_id, imported_at) VALUES (1, 'old walk', 1, '2026-01-01T00:00:00Z')",
    "INSERT INTO labels (clip_id, start, stop, name, strength) VALUES (1, 0, 1, 'calm', 0.1)",
    "DELETE FROM open_change",
)


def _statements(text: str) -> list[str]:
    return text.split(";\n")[:-1]


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
