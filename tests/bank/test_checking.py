"""Damage of every kind is found and told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bank.small_banks import recording
from motionary.bank import Bank, Label, check_bank, export
from motionary.errors import BankError


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("walk", recording(0), labels=[Label("calm", 0, 2)])
        bank.add("run", recording(1))
        assert bank.check() == []
        yield bank


def behind_its_back(bank: Bank, *statements: str) -> None:
    """Do what no bank does: without triggers and references."""
    triggers = bank.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    bank.connection.execute("PRAGMA foreign_keys = OFF")
    for (name,) in triggers:
        bank.connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        bank.connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            "UPDATE frames SET data = zeroblob(length(data)) WHERE recording_id = 1",
            "its frames do not match",
        ),
        ("UPDATE frames SET data = zeroblob(7) WHERE recording_id = 2", "clip 'run': its frames have 7 bytes"),
        ("DELETE FROM frames WHERE recording_id = 2", "clip 'run': its frames have 0 bytes"),
        ("UPDATE skeletons SET content = replace(content, 'Hips', 'Lips')", "its skeleton does not match"),
        ("DELETE FROM recordings WHERE id = 2", "refers to a row of recordings that is missing"),
        ("DELETE FROM clips WHERE id = 1", "refers to a row of clips that is missing"),
        ("UPDATE labels SET stop = 99", "label 'calm' of clip 'walk' ends at frame 99, the clip at 4"),
        ("UPDATE clips SET name = 'x' WHERE id = 1", "row 1 of clips is not what the log says"),
        (
            "UPDATE clips SET name = 'x' WHERE id = 1",
            "the index of words does not fit 2 clips; `compact` makes it anew",
        ),
        ("DELETE FROM clip_text", "the index of words does not fit 2 clips"),
        ("UPDATE clip_text_data SET block = zeroblob(9) WHERE id > 10", "the index of words is damaged"),
        ("INSERT INTO open_change VALUES (1)", "a change was left open"),
    ],
)
def test_what_is_wrong_is_said(bank: Bank, statement: str, problem: str) -> None:
    behind_its_back(bank, statement)

    assert problem in "\n".join(bank.check())


def test_frames_are_only_read_if_asked(bank: Bank) -> None:
    behind_its_back(bank, "UPDATE frames SET data = zeroblob(length(data))")

    assert bank.check(frames=False) == []
    assert len(bank.check()) == 2


def test_compacting_mends_the_index_of_words(bank: Bank) -> None:
    bank.connection.execute("DELETE FROM clip_text WHERE rowid = 1")
    assert bank.clips("walk") == []

    bank.compact()

    assert bank.check() == []
    assert [clip.name for clip in bank.clips("walk")] == ["walk"]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            "UPDATE frames SET data = zeroblob(length(data)) WHERE recording_id = 2",
            "the frames of clip 'run' do not match their checksum",
        ),
        (
            "UPDATE frames SET data = zeroblob(7) WHERE recording_id = 2",
            "the frames of clip 'run' do not match their checksum",
        ),
        ("DELETE FROM frames WHERE recording_id = 2", "a clip's frames are missing"),
        (
            "UPDATE skeletons SET content = replace(content, 'Hips', 'Lips')",
            "a clip's skeleton does not match its checksum",
        ),
    ],
)
def test_what_is_damaged_is_never_read_as_a_motion(bank: Bank, tmp_path: Path, statement: str, problem: str) -> None:
    behind_its_back(bank, statement)

    for read in (bank.recording, bank.motion, lambda clip: export(bank, [clip], tmp_path / "x.bvh")):
        with pytest.raises(BankError, match=rf"a\.bank: is damaged: {problem}; `motionary check .*` shows details"):
            read("run:1-3")
    assert not (tmp_path / "x.bvh").exists()


@pytest.mark.parametrize("n_bytes", [100, 16384, 50_000])
def test_a_bank_that_is_cut_off_is_told_so(bank: Bank, tmp_path: Path, n_bytes: int) -> None:
    bank.close()
    whole = bank.path.read_bytes()
    (tmp_path / "cut.bank").write_bytes(whole[:n_bytes])

    assert check_bank(bank.path) == []
    with pytest.raises(BankError, match="is damaged"):
        Bank.open(tmp_path / "cut.bank")
    (problem,) = check_bank(tmp_path / "cut.bank")

    assert problem.startswith(f"the file is truncated: it has {n_bytes:,} of {len(whole):,} bytes. ")


def test_a_bank_with_damaged_tables_is_told_so(bank: Bank) -> None:
    bank.close()
    whole = bank.path.read_bytes()
    bank.path.write_bytes(whole[:100] + bytes(1000) + whole[1100:])

    (problem,) = check_bank(bank.path)

    assert problem.startswith("the file cannot be opened (database disk image is malformed)")
    with pytest.raises(BankError, match="no such bank"):
        check_bank(bank.path.with_name("nobody.bank"))
