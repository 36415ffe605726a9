"""How fast poses are described, where the time goes, and how fast one candidate is compared, on one core.

Clips are taken at even distances from a bank. Stages are medians over the rounds, each in microseconds of the
thread's own time per frame at the search rate, so that a busy machine does not count; building is wall time, on all
cores, in a folder of its own. DTW is that of 60 frames and a radius of 6, in cells of the window per second.

    python bench/features.py library.bank
"""

import argparse
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from motionary.alignment import dtw, dtw_alignment, keogh_bound, query_envelope
from motionary.alignment.dtw import dtw_reference
from motionary.bank import Bank
from motionary.features import Poses, at_search_rate, descriptions, features_of, half_turn_shares
from motionary.library import build_features
from motionary.motion import Motion
from motionary.plants import detect_plants
from motionary.rig import Body, body_of, reference_skeleton, transfer_between
from motionary.sample import sample_into

N_QUERY, RADIUS = 60, 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?", help="a made library of 5 minutes if none is given")
    parser.add_argument("--clips", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if options.bank is None:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "made.bank"
            with Bank.open(path, create=True) as bank:
                sample_into(bank, minutes=5.0)
            measure(path, options.clips, options.rounds)
    else:
        measure(options.bank, options.clips, options.rounds)


def measure(path: Path, n_clips: int, rounds: int) -> None:
    with Bank.open(path, read_only=True) as bank:
        clips = bank.clips()
        picked = clips[:: max(1, len(clips) // n_clips)]
        motions = [bank.motion(clip.id) for clip in picked]
        print_stages(motions, rounds)
    print_dtw(rounds)
    print_building(path)


def print_stages(motions: list[Motion], rounds: int) -> None:
    """Where the time of `features_of` goes."""
    reference = body_of(reference_skeleton())
    bodies = [body_of(motion.skeleton, motion=motion) for motion in motions]
    resampled = [at_search_rate(motion)[0] for motion in motions]
    n_frames = sum(motion.n_frames for motion in resampled)
    poses = [Poses.of(motion, body) for motion, body in zip(resampled, bodies, strict=True)]

    def on_both(step: Callable[[Motion, Body], object]) -> Callable[[], None]:
        def run() -> None:
            for motion, body in zip(resampled, bodies, strict=True):
                step(motion, body)

        return run

    stages: dict[str, Callable[[], object]] = {
        "resample": lambda: [at_search_rate(motion) for motion in motions],
        "measure the body": lambda: [body_of(motion.skeleton, motion=motion) for motion in motions],
        "transfer": on_both(lambda motion, body: transfer_between(motion, body, reference, feet=False)),
        "transfer with feet": on_both(lambda motion, body: transfer_between(motion, body, reference)),
        "find plants": on_both(detect_plants),
        **{
            f"describe {name}": lambda compute=description.compute: [compute(one) for one in poses]
            for name, description in descriptions().items()
        },
        "features_of, all": lambda: [features_of(motion) for motion in motions],
    }
    print(f"\n{len(motions)} clips, {n_frames} frames at the search rate\n\n| stage | µs/frame |\n| --- | --- |")
    for name, run in stages.items():
        print(f"| {name} | {1e6 * median_secs(run, rounds) / n_frames:.2f} |")


def print_dtw(rounds: int) -> None:
    """Cells a second of the kernel, the alignment and the reference; frames a second of Keogh's bound."""
    rng = np.random.default_rng(0)
    n_cells = sum(min(N_QUERY, i + RADIUS + 1) - max(0, i - RADIUS) for i in range(N_QUERY))
    print(
        "\n| dimensions | DTW | with alignment | reference | Keogh's bound, frames/s |\n| --- | --- | --- | --- | --- |"
    )
    for n_dimensions in (10, 51, 90):
        query, candidate = np.cumsum(rng.normal(size=(2, N_QUERY, n_dimensions)), axis=1)
        weights, radii = np.ones((N_QUERY, n_dimensions)), np.full(N_QUERY, RADIUS)
        envelope = query_envelope(query, radius=RADIUS)
        per_call = partial(per_call_secs, rounds=rounds)
        kernel = per_call(partial(dtw, query, candidate, radius=RADIUS))
        aligned = per_call(partial(dtw_alignment, query, candidate, radius=RADIUS))
        reference = per_call(partial(dtw_reference, query, candidate, weights, radii), times=1)
        keogh = per_call(partial(keogh_bound, candidate, envelope))
        rates = [n_cells / kernel, n_cells / aligned, n_cells / reference, N_QUERY / keogh]
        print(f"| {n_dimensions} | " + " | ".join(f"{rate / 1e6:.3g} M" for rate in rates) + " |")


def print_building(path: Path) -> None:
    """Wall time of building the features of the whole bank, and of finding that there is nothing to do."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "library.bank"
        link.symlink_to(path.resolve())
        with Bank.open(link, read_only=True) as bank:
            start = time.perf_counter()
            features = build_features(bank, message=print)
            built = time.perf_counter() - start
            start = time.perf_counter()
            build_features(bank)
            again = time.perf_counter() - start
            n_bytes = sum(file.stat().st_size for file in bank.derived_path.rglob("*") if file.is_file())
            n_frames = int(features.n_frames.sum())
            print(f"\nbuilt {n_frames} frames of {features.n_clips} clips in {built:.1f} s")
            print(f"seen to be unchanged in {1e3 * again:.0f} ms")
            print(f"{n_bytes / max(n_frames, 1):.0f} bytes a frame; {len(features.left_out)} clips left out")
            shares = half_turn_shares(features.arrays["angles"])
            often = ", ".join(f"{joint} {100 * share:.2f} %" for joint, share in shares.items() if share > 1e-4)
            print(f"frames with a joint above 170°: {often or 'none'}")


def per_call_secs(run: Callable[[], object], *, rounds: int, times: int = 200) -> float:
    """The median time of a short call, checks of what it is given included."""
    return median_secs(lambda: [run() for _ in range(times)], rounds) / times


def median_secs(run: Callable[[], object], rounds: int) -> float:
    """The median over the rounds, after a first that compiles."""
    run()
    found = []
    for _ in range(rounds):
        start = time.thread_time()
        run()
        found.append(time.thread_time() - start)
    return statistics.median(found)


if __name__ == "__main__":
    main()
