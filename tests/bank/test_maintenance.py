"""Purging to the last byte, and compacting."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import all_rows, recording
from motionary.artefacts import ArtefactStore, Content, Job, Kind
from motionary.bank import Bank, Label, connection, maintenance
from motionary.bank.sqlite_errors import readable
from motionary.errors import BankError, NotInBankError
from motionary.ik import Target
from motionary.motion import Recording


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.connection.execute("PRAGMA secure_delete = OFF")  # which some builds of SQLite have on, and most have not
        yield bank


def bytes_on_disk(bank: Bank) -> bytes:
    """All bytes of the bank's file, of SQLite's files beside it and of the derived folder."""
    files = [path for path in bank.path.parent.rglob("*") if path.is_file()]
    assert bank.path in files
    return b"".join(path.read_bytes() + str(path).encode() for path in files)


def frames_of(secret: Recording) -> list[bytes]:
    return [row.astype("<f8").tobytes() for row in secret.values[:, :3]]


@pytest.mark.parametrize("removed_before", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_purged_is_gone_to_the_last_byte_with_every_version(bank: Bank, removed_before: bool) -> None:
    for i in range(30):
        bank.add(f"plain {i}", recording(i, n_frames=20), labels=[Label("everyday")])
    secret = recording(77, n_frames=200)
    clip = bank.add(
        "confidential take",
        secret,
        labels=[Label("zanzibar", 1, 5)],
        targets=[Target("Xylophone", 3, (0.123456789, 0, 0))],
        description="quicksilver",
        source="/vault/hushhush.bvh",
        credit="Mnemosyne",
        notes=["peculiarity"],
    )
    content = Content({"letters": np.frombuffer(b"wunderkind" * 8, np.uint8)})
    ArtefactStore.of(bank).get(Job(Kind("test", 1, "a test"), "some", [], lambda: content))
    bank.label([clip_address := f"#{clip}:2-9"], ["ephemeral"])
    bank.unlabel([clip_address])
    bank.rename(clip, "clandestine")
    bank.undo()
    bank.undo(bank.log()[0].id)
    bank.label(["plain 3", "clandestine"], ["zanzibar-like"])
    bank.unlabel(["plain 3", "clandestine"], ["zanzibar-like"])
    bank.label(["clandestine"], ["shared"])
    bank.label(["plain 4", "clandestine"], ["shared"])  # names the clip, touches the other one only
    if removed_before:
        bank.remove(["clandestine", "plain 5"])
    traces = [b"confidential", b"zanzibar\x00", b"Xylophone", b"quicksilver", b"hushhush", b"Mnemosyne", b"ephemeral"]
    traces += [b"clandestine", b"peculiarity", b"wunderkind", b"0.123456789", *frames_of(secret)]
    before = bytes_on_disk(bank)
    assert sum(trace in before for trace in traces) > len(traces) - 3
    others = {clip.id: (clip, bank.labels(clip), bank.recording(clip.id).values) for clip in bank.clips()}
    others.pop(clip, None)

    assert bank.purge([f"#{clip}"]) == ["clandestine"]

    left = bytes_on_disk(bank)
    assert [trace for trace in traces if trace in left] == []
    assert not any(word in left for word in (b"zanzibar (", b'"zanzibar"'))
    assert bank.check() == []
    for other, labels, values in others.values():
        assert bank.clip(other.id) == other
        assert bank.labels(other) == labels
        assert np.array_equal(bank.recording(other.id).values, values)
    assert bank.clips("plain")
    assert bank.clips("zanzibar") == []


def test_the_log_goes_on_around_a_purge(bank: Bank) -> None:
    bank.add("a", recording(0))
    bank.add("b", recording(1))
    bank.remove(["a", "b"])

    bank.purge(["#1"])

    assert [(c.command, c.permanent) for c in reversed(bank.log())] == [
        ("add … (purged)", True),
        ("add b", False),
        ("rm … (partly purged)", False),
        ("purge #1", True),
    ]
    for change in (1, 4):
        with pytest.raises(BankError, match="purged data cannot be restored"):
            bank.undo(change)
    assert bank.undo().id == 3
    assert [clip.name for clip in bank.clips()] == ["b"]
    assert bank.undo().id == 2
    with pytest.raises(BankError, match="there is nothing to undo"):
        bank.undo()
    with pytest.raises(NotInBankError):
        bank.purge(["#1"])
    with pytest.raises(NotInBankError):
        bank.purge(["b"])
    assert bank.purge(["#2"]) == ["b"]
    assert all(rows == [] for table, rows in all_rows(bank).items() if table != "changes")
    assert bank.check() == []


def test_shared_frames_stay_for_the_other_clip(bank: Bank) -> None:
    bank.add("a", recording(0))
    bank.add("copy", recording(0))

    bank.purge(["a", "a", "#1"])

    assert bank.recording("copy").n_frames == 4
    assert bank.check() == []


def test_a_body_map_goes_with_the_last_clip_of_its_skeleton(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motionary.bank.bank.map_skeleton", lambda *_, **__: None)
    bank.add("a", recording(0, bone=11.0))
    bank.add("b", recording(1, bone=22.0))
    for name in ("a", "b"):
        bank.set_body_map(name, {"Head": "Chest"})

    bank.purge(["a"])

    assert [row[1] for row in all_rows(bank)["body_maps"]] == [2]
    assert bank.check() == []
    bank.compact()
    assert bank.undo().command == "map b"
    assert bank.check() == []


def test_a_purge_beside_a_reader_is_ended_by_compact(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECS", 0.05)
    bank.add("secretive", recording(0))
    bank.add("b", recording(1))
    with Bank.open(bank.path) as quick, Bank.open(bank.path, read_only=True) as reader:
        rows = reader.connection.execute("SELECT * FROM clips")
        rows.fetchone()  # and holds on to what it sees
        with pytest.raises(BankError, match=r"purged, but other processes are reading the bank.*`motionary compact"):
            quick.purge(["secretive"])
        assert quick.check() == [
            "a purge was interrupted, so deleted data may still be in the file; `compact` finishes it"
        ]
        rows.close()
        quick.compact()
        assert quick.check() == []
        assert b"secretive" not in bytes_on_disk(bank)


def test_compacting_gives_space_back_and_changes_nothing(bank: Bank) -> None:
    for i in range(10):
        bank.add(f"clip {i}", recording(i, n_frames=1000))
    bank.purge([f"clip {i}" for i in range(2, 10)])
    bank.add("long", recording(99, n_frames=9000))
    with bank.connection as raw:
        raw.execute("BEGIN")
        raw.execute("CREATE TABLE ballast AS SELECT randomblob(500000)")
        raw.execute("DROP TABLE ballast")
        raw.execute("COMMIT")
    rows = all_rows(bank)

    before, after = bank.compact()

    assert after < before
    assert all_rows(bank) == rows
    assert bank.check() == []
    assert bank.undo().command == "add long"


def test_a_derived_folder_that_cannot_be_deleted_is_told(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank.add("a", recording(0))

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("motionary.bank.maintenance.shutil.rmtree", refuse)
    with pytest.raises(BankError, match=r"a\.bank\.derived: cannot be deleted \(Permission denied\)"):
        bank.purge(["a"])
    monkeypatch.undo()
    bank.compact()
    assert bank.check() == []


def test_a_purge_that_cannot_be_finished_says_that_the_clips_are_gone(bank, monkeypatch):
    clip_id = bank.add("secret", recording(0))

    def full(*_):
        raise readable(sqlite3.OperationalError("database or disk is full"), bank.path)

    monkeypatch.setattr(maintenance, "_finish", full)
    with pytest.raises(BankError) as told:
        bank.purge([clip_id])

    assert "as it was before" not in str(told.value)
    assert "the disk is full; the clips are purged, but bytes of them stay in the file" in str(told.value)
    assert bank.clips() == []
