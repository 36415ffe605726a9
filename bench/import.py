"""How long importing a library takes, and how large the bank gets.

    python bench/import.py [FOLDER]

FOLDER is ../shared/cmu/30hz by default; where it is absent, a made library is written out as BVH first. Beside it,
in the same run: the same files read one after the other in this process (no bank), so that the cost of the bank and
the gain of the processes can be seen. The floor is unzipping the files and writing the bank's bytes to disk.
"""

import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from motionary.bank import Bank, import_motions
from motionary.formats import bvh_text, read_motion_file
from motionary.motion import recording_of
from motionary.sample import make_library

RUNS = 3
CMU = Path(__file__).parents[2] / "shared" / "cmu" / "30hz"


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CMU if CMU.is_dir() else made_library(Path(scratch))
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        n_bytes = sum(path.stat().st_size for path in files)
        print(f"{folder.name}: {len(files)} files, {n_bytes / 1e6:.0f} MB; {os.cpu_count()} cores")
        bank_path = Path(scratch) / "bench.bank"

        def run_import() -> None:
            for path in Path(scratch).glob("bench.bank*"):
                path.unlink()
            with Bank.open(bank_path, create=True) as bank:
                report = import_motions(bank, [folder])
                assert not report.failed
                print(f"    {len(report.added)} clips, {len(report.copies)} copies, {len(report.warnings)} warnings")

        read_motion_file(files[0])  # compiles, if this machine has not yet
        show("unzip (floor)", timed(lambda: [gzip.decompress(f.read_bytes()) for f in files if f.suffix == ".gz"]))
        show("read and place joints, one process, no bank", timed(lambda: [place(f) for f in files]))
        show("import into a bank", timed(run_import))
        size = bank_path.stat().st_size
        show(f"write {size / 1e6:.0f} MB and fsync (floor)", timed(lambda: write(Path(scratch) / "raw", size)))
        print(f"bank: {size / 1e6:.1f} MB")


def place(path: Path) -> None:
    for recording in read_motion_file(path).recordings:
        _ = recording.motion().positions_world


def write(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.write(os.urandom(1 << 20) * (size >> 20))
        os.fsync(file.fileno())


def made_library(scratch: Path) -> Path:
    folder = scratch / "made"
    folder.mkdir()
    for take in make_library(minutes=20.0, seed=0):
        (folder / f"{take.name}.bvh").write_bytes(bvh_text(recording_of(take.motion)))
    return folder


def timed(work: Callable[[], object]) -> list[float]:
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return times


def show(what: str, times: list[float]) -> None:
    print(f"{what:48s} {statistics.median(times):6.2f} s  ({min(times):.2f} to {max(times):.2f})")


if __name__ == "__main__":
    main()
