"""Processes are really killed, at many moments: the bank opens, nothing acknowledged is lost, a rerun completes."""

import os
import random
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording, write_bvh
from motionary.bank import Bank, import_motions, importing

N_FILES = 60
NAMES = [f"{i:03}" for i in range(N_FILES)]

Say = Callable[[int], None]  # what is acknowledged


def import_all(bank: Bank, folder: Path, say: Say, processes: int = 1) -> None:
    importing.COMMIT_SECS = 0.01
    with Bank.open(bank.path, read_only=True) as reader:
        import_motions(bank, [folder / "in"], processes=processes, progress=lambda *_: say(len(reader.clips())))


def import_with_two(bank: Bank, folder: Path, say: Say) -> None:
    import_all(bank, folder, say, processes=2)


def change(bank: Bank, _: Path, say: Say) -> None:
    for i in range(1000):
        bank.add(f"clip {i}", recording(i, n_frames=50))
        bank.label([f"clip {i}"], ["x"])
        bank.rename(f"clip {i}", f"renamed {i}")
        bank.remove([f"renamed {i}"])
        bank.undo()
        say(i + 1)


def purge(bank: Bank, _: Path, say: Say) -> None:
    for clip in bank.clips()[1:]:
        bank.purge([clip.id])
        say(clip.id)


def compact(bank: Bank, _: Path, say: Say) -> None:
    while True:
        bank.compact()
        say(0)


class Child:
    """A process that works on the bank of a folder; it is a fork, as a new one would take longer to start."""

    def __init__(self, folder: Path, work: Callable[[Bank, Path, Say], None]) -> None:
        self.said, write_end = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # later Pythons warn of forks beside threads
            self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.said)
                with Bank.open(folder / "a.bank", create=True) as bank:
                    os.write(write_end, b"begin\n")
                    work(bank, folder, lambda number: _write_line(write_end, number))
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        os.close(write_end)
        assert os.read(self.said, 6) == b"begin\n"

    def kill(self) -> int:
        """End it at once; returns the last number that it acknowledged, 0 for none."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        assert status in (0, signal.SIGKILL)  # it had ended well, or was killed
        with os.fdopen(self.said) as said:
            numbers = [int(line) for line in said if line.endswith("\n")]
        return numbers[-1] if numbers else 0


def run_and_kill(
    folder: Path, work: Callable[[Bank, Path, Say], None], rng: random.Random, *, longest_secs: float
) -> int:
    """Kill a child in the midst of its work; returns the last number that it acknowledged."""
    child = Child(folder, work)
    time.sleep(rng.uniform(0.0, longest_secs))
    return child.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for i, name in enumerate(NAMES):
        write_bvh(tmp_path / "in" / f"{name}.bvh", i, n_frames=60)
    return tmp_path


@pytest.mark.parametrize(
    ("work", "n_kills", "longest_secs"),
    [(import_all, 12, 0.15), pytest.param(import_with_two, 2, 1.5, marks=pytest.mark.thorough)],
)
def test_a_killed_import_goes_on_to_the_same_bank(
    folder: Path, work: Callable[[Bank, Path, Say], None], n_kills: int, longest_secs: float
) -> None:
    with Bank.open(folder / "whole.bank", create=True) as bank:
        import_motions(bank, [folder / "in"], processes=1)
        expected = all_rows(bank, but=("changes", "row_changes"))
    rng = random.Random(1)
    n_before = 0
    for _ in range(n_kills):
        acknowledged = run_and_kill(folder, work, rng, longest_secs=longest_secs)
        with Bank.open(folder / "a.bank", create=True) as bank:
            names = [clip.name for clip in bank.clips()]
            assert len(names) >= max(acknowledged, n_before)
            assert names == NAMES[: len(names)]
            assert bank.check() == []
            n_before = len(names)
        if n_before == N_FILES:
            (folder / "a.bank").unlink()
            n_before = 0
    with Bank.open(folder / "a.bank", create=True) as bank:
        import_motions(bank, [folder / "in"], processes=1)
        assert all_rows(bank, but=("changes", "row_changes")) == expected


def test_killed_changes_are_whole_or_not_there(folder: Path) -> None:
    rng = random.Random(3)
    n_acknowledged = 0
    for _ in range(10):
        acknowledged = run_and_kill(folder, change, rng, longest_secs=0.3)
        n_acknowledged += acknowledged
        with Bank.open(folder / "a.bank", create=True) as bank:
            assert bank.check() == []
            clips = bank.clips()
            assert [clip.name for clip in clips[:acknowledged]] == [f"renamed {i}" for i in range(acknowledged)]
            assert all(clip.labels == ("x",) for clip in clips[:acknowledged])
            assert len(clips) <= acknowledged + 1
            n_changes = len(bank.log())
            assert 5 * acknowledged <= n_changes <= 5 * acknowledged + 5
            for _ in range(3):
                if any(c.undone_by is None and c.undoes is None for c in bank.log()):
                    bank.undo()
            assert bank.check() == []
        for path in folder.glob("a.bank*"):
            path.unlink()
    assert n_acknowledged > 0


@pytest.mark.parametrize("work", [purge, compact])
def test_killed_purges_and_compactions_keep_all_other_clips(
    folder: Path, work: Callable[[Bank, Path, Say], None]
) -> None:
    with Bank.open(folder / "a.bank", create=True) as bank:
        for i in range(N_FILES):
            bank.add(f"secret-{i}-", recording(i, n_frames=200))
    rng = random.Random(4)
    for _ in range(8):
        acknowledged = run_and_kill(folder, work, rng, longest_secs=0.15)
        with Bank.open(folder / "a.bank") as bank:
            gone = N_FILES - len(bank.clips())
            assert [clip.id for clip in bank.clips()][1:] == list(range(gone + 2, N_FILES + 1))
            assert gone + 1 >= acknowledged
            problems = bank.check()
            if problems:  # killed between deleting and overwriting: it is said, and can be ended
                assert problems == [
                    "a purge was interrupted, so deleted data may still be in the file; `compact` finishes it"
                ]
                bank.compact()
                assert bank.check() == []
        on_disk = b"".join(path.read_bytes() for path in folder.glob("a.bank*"))
        assert not any(f"secret-{i}-".encode() in on_disk for i in range(1, gone + 1))


def test_readers_leave_when_the_writer_is_killed(folder: Path) -> None:
    for i in range(20):
        write_bvh(folder / "in" / f"long {i}.bvh", i, n_frames=3000)
    child = Child(folder, import_with_two)
    while os.read(child.said, 1) != b"\n":
        pass
    readers = _children(child.pid)
    assert len(readers) >= 2
    child.kill()
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}/stat").exists() and not _is_zombie(pid) for pid in readers):
        assert time.monotonic() < until
        time.sleep(0.05)


def _write_line(file: int, number: int) -> None:
    os.write(file, f"{number}\n".encode())


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
