"""Pose spaces: kept by name, replaced only if asked, in the log like everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError, UsageError

TRAINED = {"weights": {"centre": 0.1, "ö": -2.5e-300}, "n": 3, "of": None}


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def test_a_space_comes_back_as_it_was_kept(bank: Bank) -> None:
    bank.keep_space("mine", TRAINED)
    bank.keep_space("hers", {})

    assert bank.spaces() == ["hers", "mine"]
    assert bank.space("mine") == TRAINED
    assert bank.log()[1].command == "train space mine"


def test_a_name_is_given_once_unless_it_is_overwritten(bank: Bank) -> None:
    bank.keep_space("mine", TRAINED)
    with pytest.raises(BankError, match="a pose space called 'mine' exists already; --overwrite replaces it"):
        bank.keep_space("mine", {})
    bank.keep_space("mine", {"new": 1}, overwrite=True)

    assert bank.space("mine") == {"new": 1}
    bank.undo()
    assert bank.space("mine") == TRAINED


def test_removed_and_brought_back(bank: Bank) -> None:
    bank.keep_space("mine", TRAINED)
    bank.remove_space("mine")

    with pytest.raises(NotInBankError, match=r"no pose space 'mine'\. `motionary space train` makes one"):
        bank.space("mine")
    bank.keep_space("mine", {})
    with pytest.raises(BankError, match="a space called 'mine' exists by now; rename or remove that one first"):
        bank.undo(2)
    bank.undo(3)
    bank.undo(2)
    assert bank.space("mine") == TRAINED
    assert bank.check() == []
    with pytest.raises(NotInBankError, match=r"no pose space 'yours'\. There are mine"):
        bank.remove_space("yours")


def test_what_json_or_a_name_cannot_hold(bank: Bank) -> None:
    with pytest.raises(UsageError, match="cannot be a pose space's name"):
        bank.keep_space(" mine", {})
    with pytest.raises(ValueError, match="not JSON compliant"):
        bank.keep_space("mine", {"weight": float("nan")})
    assert bank.spaces() == []
    assert bank.log() == []
