"""Profiles: kept by name, replaced only if asked, in the log like everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError, UsageError

LEARNED = {"weights": {"LeftHand": 0.1, "ö": -2.5e-300}, "n": 3, "of": None}


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def test_a_profile_comes_back_as_it_was_kept(bank: Bank) -> None:
    bank.keep_profile("mine", LEARNED)
    bank.keep_profile("hers", {})

    assert bank.profiles() == ["hers", "mine"]
    assert bank.profile("mine") == LEARNED
    assert bank.log()[1].command == "keep profile mine"


def test_a_name_is_given_once_unless_it_is_overwritten(bank: Bank) -> None:
    bank.keep_profile("mine", LEARNED)
    with pytest.raises(BankError, match="a profile called 'mine' exists already; --overwrite replaces it"):
        bank.keep_profile("mine", {})
    bank.keep_profile("mine", {"new": 1}, overwrite=True)

    assert bank.profile("mine") == {"new": 1}
    bank.undo()
    assert bank.profile("mine") == LEARNED


def test_removed_and_brought_back(bank: Bank) -> None:
    bank.keep_profile("mine", LEARNED)
    bank.remove_profile("mine")

    with pytest.raises(NotInBankError, match=r"no profile 'mine'\. There are none yet"):
        bank.profile("mine")
    bank.keep_profile("mine", {})
    with pytest.raises(BankError, match="a profile called 'mine' exists by now; rename or remove that one first"):
        bank.undo(2)
    bank.undo(3)
    bank.undo(2)
    assert bank.profile("mine") == LEARNED
    assert bank.check() == []
    with pytest.raises(NotInBankError, match=r"no profile 'yours'\. There are mine"):
        bank.remove_profile("yours")


def test_what_json_or_a_name_cannot_hold(bank: Bank) -> None:
    with pytest.raises(UsageError, match="cannot be a profile's name"):
        bank.keep_profile(" mine", {})
    with pytest.raises(ValueError, match="not JSON compliant"):
        bank.keep_profile("mine", {"weight": float("nan")})
    assert bank.profiles() == []
    assert bank.log() == []
