"""What is rehearsed is seen, and never happened."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label
from motionary.errors import BankError


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i in range(3):
            bank.add(f"clip {i}", recording(i, n_frames=200), labels=[Label("calm", 3, 9)])
        bank.rename("clip 2", "last")
        yield bank


CHANGES: dict[str, Callable[[Bank], object]] = {
    "add": lambda bank: bank.add("new", recording(9)),
    "rename": lambda bank: bank.rename("last", "first").name,
    "remove": lambda bank: [clip.name for clip in bank.remove(["last", "clip 1"])],
    "label": lambda bank: bank.label(["last:1-5", "clip 0"], ["good"]),
    "unlabel": lambda bank: bank.unlabel(["last"]),
    "undo": lambda bank: bank.undo().command,
    "undo twice": lambda bank: (bank.undo(1).command, bank.undo(5).command),
    "purge": lambda bank: bank.purge(["last"]),
    "refused": lambda bank: _refused(bank),
}


def _refused(bank: Bank) -> str:
    """Half a change that fails: it is taken back alone, as for real."""

    def both() -> None:
        with bank.change("both"):
            bank.label(["last"], ["half"])
            bank.rename("last", "clip 0")

    with pytest.raises(BankError) as refused:
        both()
    assert "half" not in bank.clip("last").labels
    return str(refused.value)


@pytest.mark.parametrize("name", CHANGES)
def test_rehearsed_says_the_same_and_never_happened(bank: Bank, name: str) -> None:
    change, before = CHANGES[name], all_rows(bank)
    but = ("changes",) if name == "purge" else ()  # where a purge notes at its very end that the file is written anew

    with bank.rehearse():
        said, seen = change(bank), all_rows(bank, but=but)

    assert all_rows(bank) == before
    assert change(bank) == said
    assert all_rows(bank, but=but) == seen
    assert bank.check() == []


def test_several_changes_are_rehearsed_in_a_row(bank: Bank) -> None:
    before = all_rows(bank)
    with bank.rehearse():
        bank.rename("last", "x")
        bank.remove(["x"])
        assert bank.undo().command == "rm x"
        assert [change.command for change in bank.log(last=3)] == ["undo 6: rm x", "rm x", "rename last to x"]
    assert all_rows(bank) == before
    bank.rename("last", "y")
    assert [clip.name for clip in bank.clips()] == ["clip 0", "clip 1", "y"]


def test_a_rehearsed_compact_counts_the_pages(bank: Bank) -> None:
    bank.purge(["clip 1"])
    for i in range(20):
        bank.add(f"more {i}", recording(50 + i, n_frames=500))
    bank.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ids = [clip.id for clip in bank.clips() if clip.name.startswith("more")]
    with bank.change("drop"):  # as a purge does, without compacting
        bank.connection.execute(f"DELETE FROM frames WHERE recording_id > {ids[0]}")

    with bank.rehearse():
        before, at_most = bank.compact()
    assert bank.compact()[1] <= at_most < before


def test_what_cannot_be_rehearsed(bank: Bank) -> None:
    with bank.rehearse(), pytest.raises(BankError, match="a rehearsal is already running"), bank.rehearse():
        pass
    with bank.change("x"), pytest.raises(BankError, match="cannot be part of another change"), bank.rehearse():
        pass
    with (
        bank.rehearse(),
        bank.change("x"),
        pytest.raises(BankError, match="cannot be part of another change"),
    ):
        bank.undo()


def test_a_bank_in_memory_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "new.bank"
    with Bank.open(path, create="in memory") as bank:
        bank.add("walk", recording(0))
        assert bank.undo().command == "add walk"
    path.touch()
    with Bank.open(path, create="in memory") as bank:
        bank.add("walk", recording(0))
    assert path.stat().st_size == 0
    with Bank.open(path, create=True) as bank:
        bank.add("walk", recording(0))
    with Bank.open(path, create="in memory") as bank:  # there is one
        assert [clip.name for clip in bank.clips()] == ["walk"]
    assert [file.name for file in tmp_path.iterdir()] == ["new.bank"]
