"""Opening banks and what is none; several processes at once; disks that are full or cannot be written."""

import multiprocessing
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label, check_bank, connection, schema
from motionary.bank.storage import pack, unpack
from motionary.errors import BankError, ForeignBankError, NoBankError

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed bank with two clips."""
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("walk", recording(0))
        bank.add("run", recording(1))
    return tmp_path / "a.bank"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_what_is_not_there_or_not_a_bank(tmp_path: Path) -> None:
    with pytest.raises(BankError, match=r"a\.bank: no such bank\. `motionary import .*a\.bank FOLDER` creates it"):
        Bank.open(tmp_path / "a.bank")
    with Bank.open(tmp_path / "library.bank", create=True):
        pass
    with pytest.raises(NoBankError, match=r"no such bank\. Did you mean .*/library\.bank\? `motionary import") as near:
        Bank.open(tmp_path / "librray.bank")
    assert (near.value.path, near.value.near) == (tmp_path / "librray.bank", (tmp_path / "library.bank",))
    with pytest.raises(BankError, match="is a folder; a bank is one file"):
        Bank.open(tmp_path, create=True)
    with pytest.raises(BankError, match=r"the folder .*missing does not exist; create it first"):
        Bank.open(tmp_path / "missing" / "a.bank", create=True)
    with pytest.raises(BankError, match="cannot be opened"):
        Bank.open(tmp_path / ("x" * 5000), create=True)
    with pytest.raises(BankError, match="is not a file"):
        Bank.open("/dev/null", create=True)
    (tmp_path / "text").write_text("HIERARCHY\n" * 1000)
    with pytest.raises(BankError, match="text: is not a bank; choose another file"):
        Bank.open(tmp_path / "text", create=True)
    assert (tmp_path / "text").read_text() == "HIERARCHY\n" * 1000
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE x (y)")
    other.close()
    with pytest.raises(BankError, match="is an SQLite file, but not a bank"):
        Bank.open(tmp_path / "other.db", create=True)


def test_an_empty_file_becomes_a_bank_only_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.bank"
    path.touch()
    for read_only in (False, True):
        with pytest.raises(BankError, match=r"is empty\. `motionary import"):
            Bank.open(path, read_only=read_only)
    assert path.stat().st_size == 0
    with Bank.open(path, create=True) as bank:
        assert bank.check() == []


def test_names_that_mean_something_in_addresses(tmp_path: Path) -> None:
    path = tmp_path / "100%20 of?it#1&mode=ro ü.bank"
    with Bank.open(path, create=True) as bank:
        bank.add("walk", recording())
    assert path.exists()
    with Bank.open(path, read_only=True) as bank:
        assert [clip.name for clip in bank.clips()] == ["walk"]


def test_a_newer_bank_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(
        BankError, match=r"made by a newer Motionary \(schema 99; this version supports up to \d+\)\. Upgrade"
    ):
        Bank.open(path)
    assert path.read_bytes() == before


def test_a_bank_from_before_the_first_version_is_not_changed_by_a_reader(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute(f"PRAGMA user_version = {schema.READABLE - 1}")
    raw.close()
    with pytest.raises(BankError, match="has an older schema; open it once for writing"):
        Bank.open(path, read_only=True)


def test_a_reader_cannot_write(path: Path) -> None:
    with Bank.open(path, read_only=True) as bank:
        assert bank.read_only
        assert bank.check() == []
        with pytest.raises(BankError, match="cannot be written here"):
            bank.rename("walk", "x")
        with pytest.raises(BankError, match="cannot be written here"):
            bank.purge(["walk"])


def as_nobody(function: object, *arguments: object) -> None:
    """Run it in a process without the rights of root."""
    process = multiprocessing.get_context("fork").Process(target=_demoted, args=(function, *arguments))
    process.start()
    process.join()
    assert process.exitcode == 0


def _demoted(function, *arguments) -> None:  # type: ignore[no-untyped-def]
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    function(*arguments)


def _read_only_bank(path: Path) -> None:
    with Bank.open(path) as bank:
        assert bank.read_only
        assert [clip.name for clip in bank.clips("wal")] == ["walk"]
        assert bank.check() == []
        assert bank.recording("run").n_frames == 4
        with pytest.raises(BankError, match=f"{path}: cannot be written here"):
            bank.remove(["walk"])


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o444), (0o555, 0o644), (0o755, 0o444)])
def test_a_bank_that_cannot_be_written_can_be_read(
    path: Path, open_folder: Path, folder_mode: int, file_mode: int
) -> None:
    copied = Path(shutil.copy(path, open_folder / "a.bank"))
    copied.chmod(file_mode)
    open_folder.chmod(folder_mode)
    before = copied.read_bytes()

    as_nobody(_read_only_bank, copied)

    assert copied.read_bytes() == before
    assert [file.name for file in open_folder.iterdir()] == ["a.bank"]


def _cannot_create(path: Path) -> None:
    with pytest.raises(BankError, match=r"cannot be (opened|written)"):
        Bank.open(path, create=True)


def test_a_bank_cannot_be_made_where_nothing_can_be_written(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    as_nobody(_cannot_create, open_folder / "a.bank")


def test_many_read_while_one_writes(path: Path) -> None:
    """Every reader sees whole changes only: clips come in pairs."""
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    for reader in readers:
        assert reader.stdout is not None
        reader.stdout.readline()  # they have begun
    with Bank.open(path) as bank:
        for i in range(40):
            with bank.change("pair"):
                bank.add(f"a{i}", recording(2 * i + 2))
                bank.add(f"b{i}", recording(2 * i + 3))
        bank.add("end", recording(1000))
    for reader in readers:
        out, _ = reader.communicate(timeout=30)
        assert reader.returncode == 0
        assert int(out) > 1


READER = """
import sys
from motionary.bank import Bank
with Bank.open(sys.argv[1], read_only=True) as bank:
    print("begun", flush=True)
    seen = set()
    while True:
        names = {clip.name for clip in bank.clips()}
        seen.add(len(names))
        pairs = names - {"walk", "run", "end"}
        assert {n[1:] for n in pairs if n[0] == "a"} == {n[1:] for n in pairs if n[0] == "b"}
        assert bank.recording("walk").n_frames == 4
        if "end" in names:
            break
    print(len(seen))
"""


def test_a_second_writer_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECS", 0.05)
    with Bank.open(path) as first, Bank.open(path) as second:
        with first.change("long"):
            first.rename("walk", "stroll")
            with pytest.raises(BankError, match="another process is writing to this bank; try again"):
                second.rename("run", "dash")
            with pytest.raises(BankError, match="another process is writing"):
                second.compact()
            assert second.clip("walk").name == "walk"
        second.rename("run", "dash")
        assert [clip.name for clip in first.clips()] == ["stroll", "dash"]


def test_a_second_writer_waits(path: Path) -> None:
    with Bank.open(path) as first, Bank.open(path) as second:
        with first.change("short"):
            first.rename("walk", "stroll")
            other = threading.Thread(target=second.rename, args=("run", "dash"))
            other.start()
        other.join(timeout=10)
        assert [clip.name for clip in first.clips()] == ["stroll", "dash"]


def test_two_processes_make_the_same_bank(tmp_path: Path) -> None:
    code = "import sys\nfrom motionary.bank import Bank\nBank.open(sys.argv[1], create=True).close()"
    for i in range(2):
        path = tmp_path / f"{i}.bank"
        makers = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
        assert [maker.wait(timeout=30) for maker in makers] == [0, 0, 0]
        with Bank.open(path) as bank:
            assert bank.check() == []


def test_a_full_disk_leaves_the_bank_as_it_was(path: Path) -> None:
    with Bank.open(path) as bank:
        before = all_rows(bank)
        n_pages = bank.connection.execute("PRAGMA page_count").fetchone()[0]
        bank.connection.execute(f"PRAGMA max_page_count = {n_pages + 2}")
        with pytest.raises(BankError, match=r"the disk is full; the bank is as it was before\. Free some space"):
            bank.add("long", recording(9, n_frames=5000))
        assert all_rows(bank) == before
        assert bank.check() == []
        bank.rename("walk", "x")  # what fits goes on
    with Bank.open(path) as bank:
        assert [clip.name for clip in bank.clips()] == ["x", "run"]


def _fill_the_disk(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    acknowledged = ["walk", "run"]

    def add_many(bank: Bank) -> None:
        for i in range(2, 200):
            bank.add(f"clip {i}", recording(i, n_frames=100))
            acknowledged.append(f"clip {i}")

    with Bank.open(path) as bank:
        with pytest.raises(BankError, match=f"{path}: the disk .* as it was before"):
            add_many(bank)
        assert [clip.name for clip in bank.clips()] == acknowledged
        assert bank.check() == []
    path.with_name("acknowledged").write_text(str(len(acknowledged)))


def _use_a_full_disk(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with Bank.open(path) as bank:
        assert [clip.name for clip in bank.clips()] == ["walk", "run"]
        assert bank.motion("walk").n_frames > 0
        with pytest.raises(BankError, match=f"{path}: the disk is full; the bank is as it was before"):
            bank.rename("walk", "x")


def test_a_disk_without_a_byte_left_can_be_read(path: Path) -> None:
    process = multiprocessing.get_context("fork").Process(target=_use_a_full_disk, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == 0


def test_a_disk_that_refuses_more_keeps_what_was_acknowledged(path: Path) -> None:
    process = multiprocessing.get_context("fork").Process(target=_fill_the_disk, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == 0
    with Bank.open(path) as bank:
        assert bank.check() == []
        assert len(bank.clips()) == int(path.with_name("acknowledged").read_text())
        bank.add("more", recording(999, n_frames=2000))
        assert bank.check() == []


def test_damage_anywhere_is_an_error_in_words(tmp_path: Path) -> None:
    """Bytes are overwritten at many places: what `check` does not find has not harmed any clip."""
    path = tmp_path / "a.bank"
    with Bank.open(path, create=True) as bank:
        for i in range(3):
            bank.add(f"clip {i}", recording(i, n_frames=300))
            bank.label([f"clip {i}:1-20"], ["calm"])
    good = path.read_bytes()
    rng = np.random.default_rng(0)
    used = np.flatnonzero(np.frombuffer(good[:-8], dtype=np.uint8))
    n_noticed = 0
    for _ in range(60):
        bad = bytearray(good)
        at = int(rng.choice(used))
        bad[at : at + 8] = rng.bytes(8)
        path.write_bytes(bad)
        n_noticed += _uses(path)
    assert n_noticed > 30


def _uses(path: Path) -> bool:
    """Whether anything was found to be wrong."""
    problem = ""
    try:
        with Bank.open(path) as bank:
            if bank.check():
                return True
            assert [clip.name for clip in bank.clips("clip")] == [f"clip {i}" for i in range(3)]
            for i in range(3):
                assert np.array_equal(
                    bank.recording(f"clip {i}").values, unpack(pack(recording(i, n_frames=300))).values
                )
            bank.rename("clip 1", "x")
            bank.undo()
            return bool(bank.check())
    except BankError as error:
        problem = str(error)
    assert str(path) in problem
    return True


def test_a_change_of_nothing_has_no_number_to_go_on_with(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        with connection.transaction(bank.connection):
            first = connection.open_change(bank.connection, "nothing")
            assert connection.close_change(bank.connection) is None
        bank.add("walk", recording())
        assert bank.log()[0].id == first  # which must not be taken for the change of nothing
        with connection.transaction(bank.connection):
            second = connection.open_change(bank.connection, "label")
            bank.add_labels(bank.clip("walk"), [Label("calm")])
            assert connection.close_change(bank.connection) == second


@pytest.mark.parametrize("read_only", [False, True])
def test_a_bank_of_an_unfinished_version_tells_what_it_lacks(path: Path, read_only: bool) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE refusals")
        raw.execute("DROP TABLE spaces")
    raw.close()

    with pytest.raises(BankError, match="lacks tables spaces, refusals, though its schema is of version 3"):
        Bank.open(path, read_only=read_only)


def raw(path, statement):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def test_triggers_of_others_are_refused_and_found(tmp_path):
    path = tmp_path / "a.bank"
    Bank.open(path, create=True).close()
    raw(path, "CREATE TRIGGER spy AFTER INSERT ON clips BEGIN DELETE FROM labels; END")

    for read_only in (False, True):
        with pytest.raises(ForeignBankError, match="contains triggers that are not from Motionary \\('spy'\\)"):
            Bank.open(path, read_only=read_only)
    (problem,) = check_bank(path)
    assert problem.startswith("contains triggers that are not from Motionary ('spy')")


def test_a_changed_or_missing_trigger_is_found(tmp_path):
    path = tmp_path / "a.bank"
    Bank.open(path, create=True).close()
    raw(path, "DROP TRIGGER track_clips_insert")
    with pytest.raises(ForeignBankError, match="lacks the triggers track_clips_insert"):
        Bank.open(path)
    assert len(check_bank(path)) == 1

    raw(path, "CREATE TRIGGER track_clips_insert AFTER INSERT ON clips BEGIN DELETE FROM labels; END")
    with pytest.raises(ForeignBankError, match="not from Motionary \\('track_clips_insert'\\)"):
        Bank.open(path)


def test_check_names_a_missing_table(tmp_path):
    path = tmp_path / "a.bank"
    Bank.open(path, create=True).close()
    raw(path, "DROP TABLE plants")

    (problem,) = check_bank(path)

    assert problem.startswith("lacks the table plants")
