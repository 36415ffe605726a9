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
