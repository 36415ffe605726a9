"""How long it takes to keep, read, thin out and give on a selection of 10,000 matches.

The bank is made for it: 200 clips of a minute, with alignments as DTW gives them. Every step is done several times, on
the same bank, and the shortest and the middle time are printed.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from motionary.alignment import Alignment
from motionary.bank import Bank
from motionary.motion import Motion, Segment, recording_of, rotations
from motionary.rig import reference_skeleton
from motionary.search import Match, keep_matches, kept_matches

N_CLIPS, N_FRAMES, N_QUERY = 200, 1800, 60
STEPS = np.array([[1, 1], [1, 0], [0, 1]])


def library(bank: Bank, rng: np.random.Generator) -> None:
    """Clips of a body that stands still somewhere: only their lengths count here."""
    skeleton = reference_skeleton()
    still = np.tile(rotations.IDENTITY, (N_FRAMES, skeleton.n_joints, 1))
    with bank.change("a library"):
        for number in range(N_CLIPS):
            place = np.tile(rng.normal(size=3), (N_FRAMES, 1))
            bank.add(f"clip {number}", recording_of(Motion(skeleton, 1 / 30, place, still)))


def some_matches(n: int, rng: np.random.Generator) -> list[Match]:
    found = []
    for distance in np.sort(rng.random(n)):
        start = int(rng.integers(N_FRAMES - N_QUERY))
        steps = STEPS[rng.choice(3, size=N_QUERY + 10, p=[0.8, 0.1, 0.1])]
        found.append(
            Match(
                Segment(int(rng.integers(N_CLIPS)) + 1, start, start + N_QUERY),
                float(distance),
                float(np.sqrt(distance)),
                "cm",
                "dtw",
                Alignment(np.concatenate([[[0, 0]], np.cumsum(steps, axis=0)])),
                N_QUERY,
                30.0,
                mirrored=bool(rng.integers(2)),
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=10_000, help="matches")
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    with TemporaryDirectory() as folder, Bank.open(Path(folder) / "a.bank", create=True) as bank:
        library(bank, rng)
        matches = some_matches(arguments.n, rng)
        before = Path(bank.path).stat().st_size
        steps: dict[str, Callable[[], object]] = {
            "keep": lambda: keep_matches(bank, "big", matches, overwrite=True),
            "read": lambda: kept_matches(bank, "big"),
            "list selections": bank.selections,
            "segments of @big": lambda: bank.segments_of(["@big"]),
            "drop a tenth": lambda: bank.thin_selection("big", drop=[f"1-{arguments.n // 10}"]),
            "undo that": bank.undo,
            "label all": lambda: bank.label(["@big"], ["x"]),
            "undo that too": bank.undo,
        }
        spent: dict[str, list[float]] = {what: [] for what in steps}
        for _ in range(arguments.times):
            for what, step in steps.items():
                start = time.perf_counter()
                step()
                spent[what].append(1000 * (time.perf_counter() - start))
        print(f"{arguments.n:,} matches; least and middle of {arguments.times}, ms")
        for what, times in spent.items():
            print(f"  {what:18} {min(times):8.1f} {median(times):8.1f}")
        bank.compact()
        n_bytes = bank.connection.execute("SELECT avg(length(pairs)) FROM alignments").fetchone()[0]
        grown = Path(bank.path).stat().st_size - before
        print(f"  an alignment: {n_bytes:.0f} bytes; the file grew by {grown / 1e6:.1f} MB with all its undos")


if __name__ == "__main__":
    main()
