"""Changing a bank: names, numbers, labels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label, check_is_bank
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.ik import Target
from motionary.motion import Segment
from motionary.plants import Plant


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def test_a_bank_is_shown_by_its_path(bank: Bank) -> None:
    assert repr(bank) == f"Bank({str(bank.path)!r})"


def test_names_are_given_once(bank: Bank) -> None:
    bank.add("walk", recording(0))
    bank.add("run", recording(1))

    with pytest.raises(BankError, match="a clip named 'walk' already exists; choose another name"):
        bank.add("walk", recording(2))
    with pytest.raises(BankError, match="a clip named 'walk' already exists"):
        bank.rename("run", "walk")
    assert bank.free_name("walk") == "walk~2"
    assert bank.rename("walk", "run~2").name == "run~2"
    assert bank.free_name("run") == "run~3"


@pytest.mark.parametrize("name", ["", " ", " walk", "walk ", "wa\nlk", "a\0b", "#12", "\udcff"])
def test_impossible_names(bank: Bank, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a clip's name"):
        bank.add(name, recording())
    assert bank.clips() == bank.log() == []


def test_numbers_are_given_once(bank: Bank) -> None:
    bank.add("a", recording(0))
    second = bank.add("b", recording(1))
    bank.remove(["b"])
    assert bank.add("c", recording(2)) == second + 1
    bank.undo()
    assert bank.add("d", recording(3)) == second + 2
    bank.purge(["d"])
    assert bank.add("e", recording(4)) == second + 3


def test_labels_are_given_once(bank: Bank) -> None:
    bank.add("walk", recording())

    assert bank.label(["walk", "#1:0-2"], ["calm", "slow", " calm "]) == 4
    assert bank.label(["walk", "walk:0-2"], ["calm", "fast"]) == 2
    assert bank.label(["walk:0-4"], ["calm"]) == 1  # a segment that is as long as the clip is still a segment
    assert bank.label([Segment(1, 0, 4)], ["calm"]) == 0
    assert len(bank.labels(1)) == 7


def test_labels_go_as_they_came(bank: Bank) -> None:
    bank.add("walk", recording())
    bank.label(["walk", "walk:0-2", "walk:2-4", "walk:1-3"], ["calm"])

    assert bank.unlabel(["walk:1-4"], ["fast"]) == 0
    assert bank.unlabel(["walk:1-4"], ["calm"]) == 2
    assert bank.labels(1) == [Label("calm"), Label("calm", 0, 2)]
    assert bank.unlabel(["walk"]) == 2
    assert bank.labels(1) == []


def test_what_does_not_fit_a_clip_is_refused(bank: Bank) -> None:
    with pytest.raises(UsageError, match="label 'late' on frames 2-40: clip 'walk' has only 4"):
        bank.add("walk", recording(), labels=[Label("late", 2, 40)])
    with pytest.raises(UsageError, match="a plant or target extends to frame 5, but clip 'walk' has only 4"):
        bank.add("walk", recording(), targets=[Target("Hips", 4, (0, 0, 0))])
    with pytest.raises(UsageError, match="not finite"):
        bank.add("walk", recording(), plants=[Plant("left", "toe", 0, 1, (0.0, float("inf"), 0.0))])
    with pytest.raises(UsageError, match="not finite"):
        bank.add("walk", recording(), targets=[Target("Hips", 0, (float("nan"), 0.0, 0.0))])
    with pytest.raises(UsageError, match="a target of clip 'walk' is in frame -1"):
        bank.add("walk", recording(), targets=[Target("Hips", -1, (0.0, 0.0, 0.0))])
    for wrong in ({"start": 1}, {"start": 2, "stop": 2}, {"start": -1, "stop": 2}, {"strength": float("nan")}):
        with pytest.raises(UsageError):
            Label("calm", **wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="cannot be a label"):
        Label(" ")
    assert all(rows == [] for rows in all_rows(bank).values())


def test_the_same_frames_are_stored_once(bank: Bank) -> None:
    bank.add("a", recording(0))
    bank.add("b", recording(0))
    bank.add("tall", recording(0, bone=30.0))

    rows = all_rows(bank)
    assert len(rows["frames"]) == len(rows["recordings"]) == len(rows["skeletons"]) == 2
    assert bank.frames_digest(bank.clip("a")) == bank.frames_digest(bank.clip("b"))
    assert bank.frames_digest(bank.clip("a")) != bank.frames_digest(bank.clip("tall"))


def test_removing_tells_what_is_gone(bank: Bank) -> None:
    for i in range(5):
        bank.add(f"walk {i}", recording(i))

    removed = bank.remove(["walk 1", "#2", 3, "walk 0", 5])

    assert [clip.name for clip in removed] == ["walk 1", "walk 2", "walk 0", "walk 4"]
    assert bank.log()[0].command == "rm walk 1, walk 2, walk 0 and 1 more"
    with pytest.raises(NotInBankError):
        bank.remove(["walk 3", "walk 1"])
    assert [clip.name for clip in bank.clips()] == ["walk 3"]


def test_a_tracked_table_cannot_be_touched_behind_the_banks_back(bank: Bank) -> None:
    bank.add("walk", recording())

    with pytest.raises(Exception, match="changed outside a change"):
        bank.connection.execute("UPDATE clips SET name = 'x'")


def test_one_name_is_one_clip_and_not_its_letters(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i, name in enumerate(("a", "b", "ab")):
            bank.add(name, recording(i))
        assert bank.purgeable("ab") == [(3, "ab")]
        assert [clip.name for clip in bank.remove("ab")] == ["ab"]
        assert bank.purge(3) == ["ab"]
        assert [clip.name for clip in bank.clips()] == ["a", "b"]


@pytest.mark.parametrize("what", [None, 1.5, True, ["a"]])
def test_what_is_no_segment_is_told(tmp_path: Path, what: object) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank, pytest.raises(UsageError, match="a segment is a string"):
        bank.segment_of(what)  # type: ignore[arg-type]


def test_what_is_no_bank_and_no_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'a.bank' is not an open bank; `with Bank.open\(path\)"):
        check_is_bank("a.bank")
    with Bank.open(tmp_path / "a.bank", create=True) as bank, pytest.raises(UsageError, match="name must be a string"):
        bank.keep_profile(5, {})  # type: ignore[arg-type]
