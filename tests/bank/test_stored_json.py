from collections.abc import Callable
from pathlib import Path

import pytest

from bank.small_banks import recording
from motionary.bank import Bank
from motionary.errors import BankError


@pytest.mark.parametrize("notes", ["[1", "{}", "NaN", "[" * 100_000])
def test_damaged_notes_are_told(tmp_path: Path, notes: str) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        clip_id = bank.add("walk", recording(0))
        with bank.change("damage"):
            bank.connection.execute("UPDATE clips SET notes = ?", (notes,))

        with pytest.raises(BankError, match=f"is damaged \\(the notes of clip #{clip_id} cannot be read"):
            bank.clips()


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a": NaN}', "[]"])
def test_a_damaged_space_is_told(tmp_path: Path, content: str) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.keep_space("poses", {"version": 1})
        with bank.change("damage"):
            bank.connection.execute("UPDATE spaces SET content = ?", (content,))

        with pytest.raises(BankError, match="the pose space 'poses' cannot be read"):
            bank.space("poses")


def bank_with_kept_words(path: Path) -> Bank:
    """A bank with JSON in every table that holds some of it."""
    bank = Bank.open(path, create=True)
    clip_id, other_id = bank.add("walk", recording(0)), bank.add("run", recording(1))
    bank.set_recipe(other_id, {"kind": "blend", "clip_ids": [clip_id]})
    with bank.change("made up"):
        bank.connection.execute(
            "INSERT INTO selections (name, method, asked, kept_at) VALUES ('near', 'exact', '{}', '')"
        )
        bank.connection.execute(
            """INSERT INTO edits (clip_id, position, content, below_id, recording_id, kept_at)
                   SELECT id, 1, '{"clip_ids": []}', recording_id, recording_id, '' FROM clips"""
        )
    return bank


@pytest.mark.parametrize("content", ["[1", "[]", '{"a": NaN}', "[" * 100_000])
@pytest.mark.parametrize(
    ("table", "column", "what", "read"),
    [
        ("edits", "content", "an edit of clip #1", lambda bank: bank.edit_rows()),
        ("edits", "content", "an edit of clip #1", lambda bank: bank.edited_with(1)),
        ("edits", "content", "what row 1 holds", lambda bank: bank.purge(["walk"])),
        ("recipes", "content", "the recipe of clip #2", lambda bank: bank.made_of("walk")),
        ("recipes", "content", "the recipe of clip #2", lambda bank: bank.purge(["walk"])),
        ("selections", "asked", "what selection 'near' was asked for", lambda bank: bank.selections()),
        ("selections", "asked", "what row 1 holds", lambda bank: bank.purge(["walk"])),
        ("row_changes", "after", "the log", lambda bank: bank.undo()),
    ],
)
def test_whatever_else_is_damaged_is_told(
    tmp_path: Path, content: str, table: str, column: str, what: str, read: Callable[[Bank], object]
) -> None:
    with bank_with_kept_words(tmp_path / "a.bank") as bank:
        with bank.change("damage"):
            bank.connection.execute(f"UPDATE {table} SET {column} = ?", (content,))

        with pytest.raises(BankError, match=f"is damaged .*{what} cannot be read"):
            read(bank)
        if table != "row_changes":
            assert bank.clip_names([1]) == {1: "walk"}  # nothing is half purged
