"""How fast BVH text becomes positions, beside pybvh on the same files, and whether both agree.

One process, one core, files in the page cache. Figures are medians over the runs, with the spread in percent.
"""

import argparse
import gzip
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pybvh

from motionary.formats.bvh import bvh_text, parse_bvh
from motionary.motion import ChannelLayout, Recording, Skeleton

DATA = Path(__file__).parents[2] / "shared" / "cmu"
N_TIMED = 60


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with 30hz/*.bvh.gz and 120hz/*.bvh.gz")
    arguments.add_argument("--runs", type=int, default=7)
    arguments.add_argument("--skip-check", action="store_true", help="do not compare all files with pybvh")
    options = arguments.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core, whatever threads NumPy has
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    packed = sorted(options.data.glob("*/*.bvh.gz"))
    with tempfile.TemporaryDirectory() as folder:
        paths = unpack(timed(packed), Path(folder)) if packed else synthetic(Path(folder))
        n_bytes = sum(path.stat().st_size for path in paths)
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core")
        print(f"{len(paths)} files, {n_bytes / 1e6:.1f} MB of text{'' if packed else ' (synthetic)'}\n")
        print_speeds(paths, n_bytes, options.runs)
    if packed and not options.skip_check:
        print_agreement(packed)


def timed(packed: list[Path]) -> list[Path]:
    """The same files in every run: evenly spread over the 30 Hz ones."""
    at_30_hz = [path for path in packed if path.parent.name == "30hz"] or packed
    return at_30_hz[:: max(1, len(at_30_hz) // N_TIMED)][:N_TIMED]


def unpack(packed: list[Path], folder: Path) -> list[Path]:
    paths = []
    for path in packed:
        paths.append(folder / path.name.removesuffix(".gz"))
        paths[-1].write_bytes(gzip.decompress(path.read_bytes()))
    return paths


def synthetic(folder: Path) -> list[Path]:
    """Files like CMU's, made up: 31 joints, 96 channels, 400 frames, numbers with three decimals."""
    rng = np.random.default_rng(0)
    n_joints, n_frames = 31, 400
    parents = np.concatenate([[-1], rng.integers(np.maximum(np.arange(1, n_joints) - 4, 0), np.arange(1, n_joints))])
    layout = ChannelLayout(np.repeat(np.arange(n_joints), [6] + [3] * 30), np.array([0, 1, 2] + [5, 4, 3] * n_joints))
    paths = []
    for i in range(N_TIMED):
        skeleton = Skeleton(tuple(f"joint{j}" for j in range(n_joints)), parents, rng.normal(size=(n_joints, 3)))
        values = np.cumsum(rng.normal(size=(n_frames, layout.n_channels)), axis=0).round(3)
        paths.append(folder / f"{i:03}.bvh")
        paths[-1].write_bytes(bvh_text(Recording(skeleton, layout, values, 1 / 30)))
    return paths


def print_speeds(paths: list[Path], n_bytes: int, n_runs: int) -> None:
    def read(path: Path) -> Recording:
        return parse_bvh(path.read_bytes(), path).recordings[0]

    def touch(path: Path) -> object:
        data = path.read_bytes()
        return np.frombuffer(data[: len(data) // 8 * 8], dtype=np.uint64).sum()

    tasks: list[tuple[str, Callable[[Path], object]]] = [
        ("read the bytes and sum them (floor)", touch),
        ("motionary: parse", read),
        ("motionary: parse, rotations", lambda path: read(path).motion()),
        ("motionary: parse, rotations, positions", lambda path: read(path).motion().positions_world),
        ("motionary: write what was parsed", lambda path: bvh_text(read(path))),
        ("pybvh: parse", their_file),
        ("pybvh: parse, positions", lambda path: pybvh.frames_to_node_positions(their_file(path))),
    ]
    secs: dict[str, list[float]] = {name: [] for name, _ in tasks}
    for run in range(n_runs + 1):  # interleaved, so that a slow moment of the machine meets all; the first warms up
        for name, task in tasks:
            start = time.perf_counter()
            for path in paths:
                task(path)
            if run > 0:
                secs[name].append(time.perf_counter() - start)
    print(f"{'':40} {'MB/s':>8} {'spread':>8}")
    for name, times in secs.items():
        spread = (max(times) - min(times)) / statistics.median(times)
        print(f"{name:40} {n_bytes / 1e6 / statistics.median(times):8.1f} {spread:8.0%}")
    ours, theirs, floor = (statistics.median(secs[tasks[i][0]]) for i in (3, 6, 0))
    print(f"\nwith positions: {theirs / ours:.1f} times as fast as pybvh, {ours / floor:.0f} times the floor's time")


def their_file(path: Path) -> pybvh.Bvh:
    return pybvh.read_bvh_file(path, world_up="+y")  # given, so that it need not be guessed


def print_agreement(packed: list[Path]) -> None:
    """The largest distance of a joint or end site from where pybvh has it, as a share of the body's height."""
    largest, where, n_frames = 0.0, "", 0
    with tempfile.TemporaryDirectory() as folder:
        for path in packed:
            (text,) = unpack([path], Path(folder))
            motion = parse_bvh(text.read_bytes(), text).recordings[0].motion()
            theirs = their_file(text)
            nodes = pybvh.frames_to_node_positions(theirs).reshape(motion.n_frames, -1, 3)
            is_end = np.array([node.is_end_site() for node in theirs.nodes])
            height = np.ptp(motion.skeleton.rest_positions()[:, 1])
            pairs = ((nodes[:, ~is_end], motion.positions_world), (nodes[:, is_end], motion.end_sites_world))
            share = max(float(np.linalg.norm(a - b, axis=-1).max()) for a, b in pairs) / height
            n_frames += motion.n_frames
            if share >= largest:
                largest, where = share, f"{path.parent.name}/{path.name}"
            text.unlink()
    print(f"all {len(packed)} files, {n_frames:,} frames: joints within {largest:.1e} body heights ({where})")


if __name__ == "__main__":
    main()
