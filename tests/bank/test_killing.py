"""Processes are really killed, at many moments: the bank opens, nothing acknowledged is lost, a rerun completes."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording, write_bvh
from motionary.bank import Bank, import_motions

N_FILES = 60
NAMES = [f"{i:03}" for i in range(N_FILES)]

# The child takes a command, says when it begins and what it has been told is done.
CHILD = """
import sys
from pathlib import Path
from bank.small_banks import recording
from motionary.bank import Bank, import_motions, importing

def say(*words):
    print(*words, flush=True)

def import_all(bank, folder):
    importing.COMMIT_SECS = 0.01
    def progress(done, total, shown):
        committed = [clip.name for clip in reader.clips()]
        say("done", len(committed))
    with Bank.open(bank.path, read_only=True) as reader:
        import_motions(bank, [folder / "in"], processes=PROCESSES, progress=progress)

def change(bank, folder):
    for i in range(1000):
        bank.add(f"clip {i}", recording(i, n_frames=50))
        bank.label([f"clip {i}"], ["x"])
        bank.rename(f"clip {i}", f"renamed {i}")
        bank.remove([f"renamed {i}"])
        bank.undo()
        say("done", i + 1)

def purge(bank, folder):
    for clip in bank.clips()[1:]:
        bank.purge([clip.id])
        say("done", clip.id)

def compact(bank, folder):
    for i in range(1000):
        bank.compact()
        say("done", 0)

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    PROCESSES = int(sys.argv[3])
    with Bank.open(folder / "a.bank", create=True) as bank:
        say("begin")
        globals()[sys.argv[2]](bank, folder)
    say("end")
"""


def run_and_kill(folder: Path, command: str, rng: random.Random, *, longest_secs: float, processes: int = 1) -> int:
    """Kill a child in the midst of its work; returns the last number that it acknowledged."""
    (folder / "child.py").write_text(CHILD)
    child = subprocess.Popen(
        [sys.executable, str(folder / "child.py"), str(folder), command, str(processes)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "begin\n"
    time.sleep(rng.uniform(0.0, longest_secs))
    child.send_signal(signal.SIGKILL)
    out, _ = child.communicate(timeout=30)
    said = [line.split() for line in out.splitlines() if line.startswith("done ") and line.count(" ") == 1]
    return int(said[-1][1]) if said else 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for i, name in enumerate(NAMES):
        write_bvh(tmp_path / "in" / f"{name}.bvh", i, n_frames=60)
    return tmp_path


@pytest.mark.parametrize("processes", [1, 2])
def test_a_killed_import_goes_on_to_the_same_bank(folder: Path, processes: int) -> None:
    with Bank.open(folder / "whole.bank", create=True) as bank:
        import_motions(bank, [folder / "in"], processes=1)
        expected = all_rows(bank, but=("changes", "row_changes"))
    rng = random.Random(processes)
    n_before = 0
    for _ in range(7 if processes == 1 else 2):
        acknowledged = run_and_kill(folder, "import_all", rng, longest_secs=0.3 * processes, processes=processes)
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
    for _ in range(6):
        acknowledged = run_and_kill(folder, "change", rng, longest_secs=0.4)
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


@pytest.mark.parametrize("command", ["purge", "compact"])
def test_killed_purges_and_compactions_keep_all_other_clips(folder: Path, command: str) -> None:
    with Bank.open(folder / "a.bank", create=True) as bank:
        for i in range(N_FILES):
            bank.add(f"secret-{i}-", recording(i, n_frames=200))
    rng = random.Random(4)
    for _ in range(5):
        acknowledged = run_and_kill(folder, command, rng, longest_secs=0.25)
        with Bank.open(folder / "a.bank") as bank:
            gone = N_FILES - len(bank.clips())
            assert [clip.id for clip in bank.clips()][1:] == list(range(gone + 2, N_FILES + 1))
            assert gone + 1 >= acknowledged
            problems = bank.check()
            if problems:  # killed between deleting and overwriting: it is said, and can be ended
                assert problems == ["a purge was cut short, bytes of what it deleted may be left; `compact` ends it"]
                bank.compact()
                assert bank.check() == []
        on_disk = b"".join(path.read_bytes() for path in folder.glob("a.bank*"))
        assert not any(f"secret-{i}-".encode() in on_disk for i in range(1, gone + 1))


def test_readers_leave_when_the_writer_is_killed(folder: Path) -> None:
    for i in range(20):
        write_bvh(folder / "in" / f"long {i}.bvh", i, n_frames=3000)
    (folder / "child.py").write_text(CHILD)
    child = subprocess.Popen(
        [sys.executable, str(folder / "child.py"), str(folder), "import_all", "2"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert child.stdout is not None
    while not child.stdout.readline().startswith("done"):
        pass
    readers = _children(child.pid)
    assert len(readers) >= 2
    child.kill()
    child.communicate(timeout=30)
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}/stat").exists() and not _is_zombie(pid) for pid in readers):
        assert time.monotonic() < until
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
