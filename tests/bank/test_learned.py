"""Profiles and pose spaces: kept by name, replaced only if asked, in the log like everything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError, UsageError

CONTENT = {"weights": {"LeftHand": 0.1, "ö": -2.5e-300}, "n": 3, "of": None}


class Kind:
    """The methods of one kind, and the words it is told in."""

    def __init__(self, bank: Bank, one: str, called: str, keeping: str, if_none: str) -> None:
        self.called, self.keeping, self.if_none = called, keeping, if_none
        self.names = getattr(bank, f"{one}s")
        self.get = getattr(bank, one)
        self.keep: Any = getattr(bank, f"keep_{one}")
        self.remove = getattr(bank, f"remove_{one}")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


@pytest.fixture(
    params=[
        ("profile", "profile", "keep profile", "There are none yet"),
        ("space", "pose space", "train space", "`motionary space train` makes one"),
        ("parametric", "parametric motion", "keep parametric", "There are none yet"),
    ],
    ids=["profiles", "spaces", "parametrics"],
)
def kind(bank: Bank, request: pytest.FixtureRequest) -> Kind:
    return Kind(bank, *request.param)


def test_it_comes_back_as_it_was_kept(bank: Bank, kind: Kind) -> None:
    kind.keep("mine", CONTENT)
    kind.keep("hers", {})

    assert kind.names() == ["hers", "mine"]
    assert kind.get("mine") == CONTENT
    assert bank.log()[1].command == f"{kind.keeping} mine"


def test_a_name_is_given_once_unless_it_is_overwritten(bank: Bank, kind: Kind) -> None:
    kind.keep("mine", CONTENT)
    with pytest.raises(BankError, match=f"a {kind.called} named 'mine' already exists; --overwrite replaces it"):
        kind.keep("mine", {})
    kind.keep("mine", {"new": 1}, overwrite=True)

    assert kind.get("mine") == {"new": 1}
    bank.undo()
    assert kind.get("mine") == CONTENT


def test_removed_and_brought_back(bank: Bank, kind: Kind) -> None:
    kind.keep("mine", CONTENT)
    kind.remove("mine")

    with pytest.raises(NotInBankError, match=rf"no {kind.called} 'mine'\. {kind.if_none}"):
        kind.get("mine")
    kind.keep("mine", {})
    one = kind.called.removeprefix("pose ")
    with pytest.raises(BankError, match=f"a {one} named 'mine' exists now; rename or remove it first"):
        bank.undo(2)
    bank.undo(3)
    bank.undo(2)
    assert kind.get("mine") == CONTENT
    assert bank.check() == []
    with pytest.raises(NotInBankError, match=rf"no {kind.called} 'yours'\. There are mine"):
        kind.remove("yours")


def test_what_json_or_a_name_cannot_hold(bank: Bank, kind: Kind) -> None:
    with pytest.raises(UsageError, match=f"cannot be a {kind.called}'s name"):
        kind.keep(" mine", {})
    with pytest.raises(ValueError, match="not JSON compliant"):
        kind.keep("mine", {"weight": float("nan")})
    assert kind.names() == []
    assert bank.log() == []
