"""How fast a pose space is trained and searched, beside the figures of Forbes & Fiume (2005), tables 1, 3, 4 and 5.

Queries are segments of 2.8 s from anywhere in the bank. A query's time is the least of several rounds, with the index
in memory: the thread's own, so that a busy machine does not count (a query uses one). Figures are medians over
queries. "Equal warps" asks for as many neighbours as give 80 warps.
The paper's figures are of a 3 GHz Pentium 4, a library of 70 s at 120 Hz and 19 joints, unless said otherwise.

    python bench/wpca.py library.bank
"""

import argparse
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.sample import sample_into
from motionary.search import (
    LibrarySegment,
    PoseIndex,
    PoseQuery,
    PoseSpace,
    build_pose_index,
    column_weights,
    search_poses,
    train_space,
)
from motionary.search.wpca.index import library_poses
from motionary.search.wpca.neighbours import LEAF_POINTS, PoseTree

QUERY_SECS, N_WARPS = 2.8, 80
PUBLISHED = {"neighbours": 1_000, "dimensions": 10, "warp_dimensions": 5}  # all figures but the first are with these
# Library seconds, results, milliseconds; rate, results, milliseconds; and so on
TABLE_1 = (
    (54, 46, 580),
    (100, 21, 263),
    (130, 30, 662),
    (230, 40, 854),
    (300, 41, 877),
    (440, 25, 534),
    (670, 27, 580),
)
TABLE_3 = ((233, 9, 453), (166, 10, 158), (58, 9, 29), (29, 9, 7))
TABLE_4 = (
    (100, 4, 54), (250, 5, 70), (360, 6, 80), (490, 8, 109), (600, 8, 118), (1000, 9, 132), (1500, 9, 137),
    (2500, 12, 193), (3010, 17, 256), (5000, 12, 219),
)  # fmt: skip
TABLE_5 = ((1, 9, 70), (3, 9, 101), (5, 9, 130), (20, 9, 200), (54, 9, 372))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?", help="a made library of 5 minutes if none is given")
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "made.bank"
        with Bank.open(made, create=True) as bank:
            sample_into(bank, minutes=5.0)
            path = options.bank or made
            with Bank.open(path, read_only=True) as measured:
                features = build_features(measured)
            measure(features, options.queries, options.rounds)
            table_3(bank, options.queries, options.rounds)


def measure(features: LibraryFeatures, n_queries: int, rounds: int) -> None:
    clips = library_poses(features)
    train_space(clips[:1], column_weights())  # compiles
    secs = [timed(lambda: train_space(clips, column_weights())) for _ in range(3)]
    space = train_space(clips, column_weights())
    held = ", ".join(f"{space.components_for(share)} for {share:.0%}" for share in (0.8, 0.9, 0.95, 0.99))
    print(f"\n{space.n_frames:,} frames. training: {spread(secs)} s. components: {held}")
    print(f"projecting and sorting into leaves: {timed(lambda: build_pose_index(features, space)):.2f} s")
    index = build_pose_index(features, space)
    queries = [replace(query, **PUBLISHED) for query in made_queries(features, n_queries)]
    print(f"query of {QUERY_SECS} s, as it is by default: {figures(index, made_queries(features, n_queries), rounds)}")
    print(f"1,000 neighbours, 10 + 5 dimensions, ranked by gist: {figures(index, queries, rounds)}")
    as_published = [replace(query, ranking="mean") for query in queries]
    print(f"1,000 neighbours, 10 + 5 dimensions, ranked by mean: {figures(index, as_published, rounds)}")
    print_growth(features, space, queries, rounds)
    print("\ntable 4: neighbours         ours; paper: results, ms")
    for n, results, ms in TABLE_4:
        found = figures(index, [replace(query, neighbours=n) for query in queries], rounds)
        print(f"  {n:>6}  {found}; {results}, {ms}")
    every = build_pose_index(features, space, n_components=space.n_components)
    print("\ntable 5: warp dimensions    ours; paper: results, ms")
    for n, results, ms in TABLE_5:
        found = figures(every if n > 16 else index, [replace(query, warp_dimensions=n) for query in queries], rounds)
        print(f"  {n:>6}  {found}; {results}, {ms}")
    print_neighbours(index, queries, rounds)


def made_queries(features: LibraryFeatures, n: int) -> list[PoseQuery]:
    """Segments from anywhere, each place as likely as any other, that lie in clips twice as long."""
    n_frames = round(QUERY_SECS * features.rate_hz)
    rng = np.random.default_rng(0)
    long = np.flatnonzero(features.n_frames >= 2 * n_frames)
    places = features.n_frames[long] - n_frames + 1
    queries = []
    for c in rng.choice(long, size=n, p=places / places.sum()).tolist():
        start = int(rng.integers(features.n_frames[c] - n_frames + 1))
        segment = Segment(int(features.clip_ids[c]), *features.rates[c].clip_segment(start, start + n_frames))
        queries.append(PoseQuery(example=LibrarySegment(features, segment), mirrored="no", k=None, within=1e9))
    return queries


def print_growth(features: LibraryFeatures, space: PoseSpace, queries: Sequence[PoseQuery], rounds: int) -> None:
    """Table 1, and the same with equal numbers of warps: what a larger library costs by itself."""
    print("\ntable 1: library seconds    ours, 1,000 neighbours | equal warps; paper: seconds, results, ms")
    rng = np.random.default_rng(1)
    order = rng.permutation(features.n_clips)
    base = 0.0
    for share, (paper_secs, results, ms) in zip((1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1), TABLE_1, strict=True):
        chosen = np.sort(order[: max(1, round(share * features.n_clips))])
        part = replace(
            features,
            clip_ids=features.clip_ids[chosen],
            starts=features.starts[chosen],
            n_frames=features.n_frames[chosen],
            rates=tuple(features.rates[c] for c in chosen),
            digests=tuple(features.digests[c] for c in chosen),
        )
        index = build_pose_index(part, space)
        asked = [replace(query, with_itself=True) for query in queries]  # it may lie in a clip that is not there
        equal = [with_warps(index, query) for query in asked]
        secs = index.n_frames / index.rate_hz
        at_equal = times(index, equal, rounds)
        if share == 1 / 8:
            base = statistics.median(at_equal)
        growth = f", {statistics.median(at_equal) / base:.2f} × that of 1/8" if base else ""
        found = figures(index, asked, rounds)
        print(f"  {secs:>7.0f}  {found} | {figures(index, equal, rounds)}{growth}; {paper_secs}, {results}, {ms}")


def with_warps(index: PoseIndex, query: PoseQuery) -> PoseQuery:
    """The query with as many neighbours as give the number of warps, or all."""
    low, high = 1, index.n_frames
    while high - low > max(1, low // 50):
        middle = int((low * high) ** 0.5) if low * 4 < high else (low + high) // 2
        enough = search_poses(index, replace(query, neighbours=middle)).n_warped >= N_WARPS
        low, high = (low, middle) if enough else (middle, high)
    return replace(query, neighbours=high)


def table_3(bank: Bank, n_queries: int, rounds: int) -> None:
    print("\ntable 3: Hz (made library of 5 minutes)    ours; paper: results, ms")
    for rate_hz, results, ms in TABLE_3:
        features = build_features(bank, rate_hz=float(rate_hz))
        space = train_space(library_poses(features), column_weights())
        queries = [replace(query, **PUBLISHED) for query in made_queries(features, n_queries)]
        print(f"  {rate_hz:>6}  {figures(build_pose_index(features, space), queries, rounds)}; {results}, {ms}")


def print_neighbours(index: PoseIndex, queries: Sequence[PoseQuery], rounds: int) -> None:
    """Ways to find 1,000 neighbours in 10 dimensions, all of them exact."""
    points = np.ascontiguousarray(index.coordinates[:, :10])
    rng = np.random.default_rng(2)
    asked = points[rng.integers(len(points), size=len(queries))].astype(np.float64)
    ones = np.ones(10)
    tree, in_time = PoseTree.of(points), PoseTree.of(points, numbers=np.arange(len(points), dtype=np.int32))
    squares = (points.astype(np.float64) ** 2).sum(axis=1)
    cells = Cells(points, rng)

    def flat(point: np.ndarray) -> np.ndarray:
        found = squares - 2.0 * (points @ point.astype(np.float32))
        return np.asarray(np.argpartition(found, 999)[:1000])

    ways: dict[str, Callable[[np.ndarray], object]] = {
        f"k-d tree, leaves of {LEAF_POINTS} (ours)": lambda point: tree.nearest(point, k=1000, scales=ones),
        "the same, slack 0.5 (not exact)": lambda point: tree.nearest(point, k=1000, scales=ones, slack=0.5),
        "boxes of frames in the order of time": lambda point: in_time.nearest(point, k=1000, scales=ones),
        "flat scan, BLAS": flat,
        "inverted file, 750 cells": cells.nearest,
    }
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        print("\n(scipy is not there: its cKDTree is not compared)")
    else:
        theirs = cKDTree(points)
        ways["scipy cKDTree"] = lambda point: theirs.query(point, k=1000)
    print("\n1,000 neighbours: ms")
    for name, way in ways.items():
        way(asked[0])
        print(f"  {1000 * statistics.median(least(way, point, rounds) for point in asked):7.2f}  {name}")


class Cells:
    """Points by the nearest of some centres; cells are passed over that the triangle inequality excludes."""

    def __init__(self, points: np.ndarray, rng: np.random.Generator, n_cells: int = 750) -> None:
        centres = points[rng.choice(len(points), size=min(n_cells, len(points)), replace=False)]
        for _ in range(3):
            owner = self._owners(points, centres)
            counts = np.bincount(owner, minlength=len(centres))[:, None]
            sums = np.stack([np.bincount(owner, points[:, d], len(centres)) for d in range(points.shape[1])], axis=1)
            centres = np.where(counts > 0, sums / np.maximum(counts, 1), centres).astype(np.float32)
        owner = self._owners(points, centres)
        self.order = np.argsort(owner, kind="stable")
        self.points, self.centres = points[self.order], centres
        self.firsts = np.searchsorted(owner[self.order], np.arange(len(centres) + 1))
        far = np.linalg.norm(self.points - centres[owner[self.order]], axis=1)
        self.radii = np.array([far[a:b].max(initial=0.0) for a, b in zip(self.firsts, self.firsts[1:], strict=False)])

    @staticmethod
    def _owners(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
        halves = 0.5 * (centres**2).sum(axis=1)
        return np.concatenate([np.argmin(halves - part @ centres.T, axis=1) for part in np.array_split(points, 64)])

    def nearest(self, point: np.ndarray, k: int = 1000) -> np.ndarray:
        bounds = np.maximum(np.linalg.norm(self.centres - point, axis=1) - self.radii, 0.0)
        found, places, limit = np.zeros(0), np.zeros(0, dtype=int), np.inf
        for cell in np.argsort(bounds):
            if bounds[cell] > limit:
                break
            inside = np.arange(self.firsts[cell], self.firsts[cell + 1])
            found = np.concatenate([found, np.linalg.norm(self.points[inside] - point, axis=1)])
            places = np.concatenate([places, inside])
            if len(found) >= k:
                best = np.argpartition(found, k - 1)[:k]
                found, places = found[best], places[best]
                limit = found.max()
        return np.asarray(self.order[places])


def figures(index: PoseIndex, queries: Sequence[PoseQuery], rounds: int) -> str:
    """Milliseconds of a query for its ten best, how many warps, and how many results there would be."""
    ms = sorted(times(index, queries, rounds))
    found = [search_poses(index, query) for query in queries]
    warps = statistics.median(result.n_warped for result in found)
    n_results = statistics.median(len(result.matches) for result in found)
    late = ms[int(0.9 * len(ms))]
    return f"{statistics.median(ms):6.2f} ms (90 %: {late:.2f}), {warps:.0f} warps, {n_results:.0f} results"


def times(index: PoseIndex, queries: Sequence[PoseQuery], rounds: int) -> list[float]:
    ten = [replace(query, k=10, within=None) for query in queries]
    search_poses(index, ten[0])
    return [1000 * least(lambda query: search_poses(index, query), query, rounds) for query in ten]


def least(call: Callable[..., object], argument: object, rounds: int) -> float:
    return min(timed(lambda: call(argument), clock=time.thread_time) for _ in range(rounds))


def timed(call: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    call()
    return clock() - start


def spread(secs: Sequence[float]) -> str:
    return f"{statistics.median(secs):.2f} ({min(secs):.2f} to {max(secs):.2f})"


if __name__ == "__main__":
    main()
