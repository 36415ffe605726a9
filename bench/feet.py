"""How fast one second of motion (60 frames of the reference skeleton) is judged and cleaned up, on one core.

Figures are medians over the runs of many calls each, after a first call that compiles, with the spread (10th to 90th
percentile) in percent; the thread's own time, so that a busy machine does not count. Motion: seconds of the sample
library at 60 Hz, with their true plants.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionary.dynamics import Masses, body_masses
from motionary.motion import Motion, resample
from motionary.naturalness import (
    MEASURES,
    Scorer,
    Standing,
    build_scorer,
    plants_within,
    score,
    score_reference,
    standing_by_plants,
)
from motionary.plants import CleanOptions, Plant, clean
from motionary.rig import Body, body_of
from motionary.sample import make_library

N_FRAMES = 60
RATE_HZ = 60.0
N_SECONDS = 40


@dataclass(frozen=True, eq=False)
class Second:
    """One second of motion and where its feet stand."""

    motion: Motion
    standing: Standing
    plants: list[Plant]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=15)
    options = arguments.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core, whatever threads NumPy has
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core")
    body, seconds = seconds_of_motion()
    print(f"{len(seconds)} seconds of {N_FRAMES} frames, {body.skeleton.n_joints} joints\n")
    print_scoring(body, seconds, options.runs)
    print_cleaning(body, seconds, options.runs)


def seconds_of_motion() -> tuple[Body, list[Second]]:
    """Seconds from the first takes of the sample library that one actor plays."""
    takes = [take for take in make_library(minutes=4.0, seed=0) if take.actor == "ada"]
    body = body_of(takes[0].motion.skeleton)
    seconds = []
    for take in takes:
        scale = take.motion.frame_time * RATE_HZ
        motion = resample(take.motion, frame_time=1.0 / RATE_HZ)
        plants = [
            Plant(
                p.foot,
                p.part,
                round(p.start * scale),
                max(round(p.stop * scale), round(p.start * scale) + 1),
                (*p.place,),
            )
            for p in take.plants
        ]
        for start in range(0, motion.n_frames - N_FRAMES + 1, N_FRAMES):
            own = plants_within(plants, start, start + N_FRAMES)
            seconds.append(Second(motion.slice(start, start + N_FRAMES), standing_by_plants(own, N_FRAMES), own))
    return body, seconds[:N_SECONDS]


def print_scoring(body: Body, seconds: list[Second], n_runs: int) -> None:
    """The score: the prepared scorer, the public function, and the reference in NumPy."""
    masses = body_masses(body)
    scorer = build_scorer(body, masses, frame_time=1.0 / RATE_HZ, n_frames=N_FRAMES)
    scratch, out = scorer.scratch(), np.empty(len(MEASURES))

    def prepared(second: Second) -> None:
        scorer.measure(second.motion.root_positions, second.motion.rotations, second.standing, scratch=scratch, out=out)

    kernel = timed(prepared, seconds, n_runs=n_runs, n_calls=20)
    print_row("scored by a prepared scorer", kernel)
    public = timed(lambda s: score(s.motion, s.standing, body=body, masses=masses), seconds, n_runs=n_runs, n_calls=2)
    print_row("scored by score(), with curves", public)
    plain = timed(lambda s: score_reference(fresh(s.motion), s.standing, body, masses), seconds, n_runs=5, n_calls=1)
    print_row("the reference, in NumPy", plain)
    print(f"{'':34} {np.median(plain) / np.median(kernel):10.0f} times as long as the prepared scorer")
    print_floor(scorer, masses)


def print_cleaning(body: Body, seconds: list[Second], n_runs: int) -> None:
    """The clean-up of feet that slide by centimetres, and of feet that stand."""
    sway = 0.03 * np.sin(np.linspace(0.0, 5.0, N_FRAMES))[:, None] * np.array([1.0, 0.2, 0.7])
    sliding = [replace(s, motion=replace(s.motion, root_positions=s.motion.root_positions + sway)) for s in seconds]
    options = CleanOptions(places="motion")
    n_plants = np.mean([len(second.plants) for second in seconds])
    print(f"\n{n_plants:.1f} plants in a second")
    for words, cases in (("cleaned, sliding by centimetres", sliding), ("cleaned, nothing slides", seconds)):
        times = timed(lambda s: clean(s.motion, s.plants, body, options=options), cases, n_runs=n_runs, n_calls=2)
        print_row(words, times)
    times = timed(lambda s: clean(fresh(s.motion), s.plants, body, options=options), sliding, n_runs=n_runs, n_calls=2)
    print_row("cleaned, with forward kinematics", times)


def print_floor(scorer: Scorer, masses: Masses) -> None:
    """How little work a score could be: operations by the formulas, bytes of the poses read once."""
    n_joints, n_pieces = scorer.body.skeleton.n_joints, masses.n_pieces
    n_taps = scorer.prepared.weights.shape[1]
    rotated = 30  # operations to turn a vector by a quaternion; 28 to multiply two
    per_frame = (
        n_joints * (28 + rotated + 3)  # forward kinematics
        + n_pieces * (rotated + 3)  # centres
        + 6 * (2 * rotated + 10)  # soles
        + 3 * n_pieces * 2 * n_taps  # accelerations
        + n_pieces * (14 + 3 * 4)  # zero-moment point, jerk
        + 150  # support polygon, slides
    )
    n_bytes = 8 * N_FRAMES * (4 * n_joints + 3)
    print(f"\nfloor: {N_FRAMES * per_frame / 1e3:.0f} thousand operations on doubles, {n_bytes / 1e3:.0f} kB of poses:")
    print(
        f"{N_FRAMES * per_frame / 24e3:.0f} µs at 8 operations a cycle and 3 GHz, of which the filter, which is",
        end=" ",
    )
    print(f"vectorised, is {100 * 6 * n_pieces * n_taps / per_frame:.0f} %; {n_bytes / 10e3:.0f} µs at 10 GB/s")


def timed(work: Callable[[Second], object], seconds: list[Second], *, n_runs: int, n_calls: int) -> np.ndarray:
    """Seconds for one call, in each of the runs (N,)."""
    work(seconds[0])
    times = []
    for _ in range(n_runs):
        start = time.thread_time()
        for _ in range(n_calls):
            for second in seconds:
                work(second)
        times.append((time.thread_time() - start) / (n_calls * len(seconds)))
    return np.array(times)


def fresh(motion: Motion) -> Motion:
    """The same motion without what it has computed already."""
    return Motion(motion.skeleton, motion.frame_time, motion.root_positions, motion.rotations)


def print_row(words: str, times: np.ndarray) -> None:
    low, middle, high = np.percentile(times, [10, 50, 90])
    print(f"{words:34} {1e6 * middle:10.1f} µs  ±{50.0 * (high - low) / middle:.0f} %")


if __name__ == "__main__":
    main()
