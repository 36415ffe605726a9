"""How fast exact search is, beside what a good engineer writes in an afternoon, the plain scan, and peers.

The afternoon reference is bench/searching/afternoon.py: all frame costs by one matrix product, then every window in
vector lanes, in threads; its answers are compared with ours. Queries are random 2 s of the library, by a fixed seed;
ours and the reference take turns at each, and the least time of the rounds counts. Times are median / 90th percentile
/ worst over the queries, in milliseconds; ratios are taken query by query.

With `--hard N`, as many of the queries are chosen to prune badly: of a pool twenty times as large, those whose k-th
match is farthest, relative to the median distance of random windows. The slowest ratios are measured again.

On a machine that is busy, processor time of one thread tells more than the clock: set both numbers of threads to 1
(OPENBLAS_NUM_THREADS, NUMBA_NUM_THREADS) and say `--cpu`.

    python bench/search.py library.bank
    python bench/search.py library.bank --only reference --queries 500 --hard 50
    python bench/search.py library.bank --only descriptions
    python bench/search.py library.bank --only growth -o growth.svg
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from motionary.alignment import dtw_at
from motionary.bank import Bank
from motionary.features import descriptions
from motionary.library import build_features
from motionary.motion import Segment
from motionary.search import Index, Query, SearchResult, build_index, scan, search, search_bank
from motionary.search.exact import LEARNED, Comparison, index_for
from searching.afternoon import Afternoon, Found, Question
from searching.libraries import PLAIN, TEN_DIMENSIONS, Asker, library_of, opened, random_segments
from searching.peers import PEERS
from searching.plots import Panel, panels_plot
from searching.timing import in_turns, ratios, spread, told_load

TEN: dict[str, Any] = {"joints": TEN_DIMENSIONS, "k": 3}
ASKED: dict[str, dict[str, Any]] = {
    "DTW, whole body, k = 10": {},
    "DTW, 10 dimensions, k = 3": TEN,
    "Euclid, whole body, k = 10": {"distance": "euclid"},
    **{
        f"LCSS, 10 dimensions, ε = {tolerance}, k = 3": {**TEN, "distance": "lcss", "tolerance": tolerance}
        for tolerance in (0.2, 0.5, 1.0)
    },
}
SHARES = (1 / 8, 1 / 4, 1 / 2, 1)
POOL = 20  # segments for each hard query
N_AGAIN, AGAIN_ROUNDS = 20, 5
PEER_ROWS = 10_000
N_DESCRIBED, N_PAGE = 40, 24  # queries by each description, and the matches that the studio shows at once
DEFAULT = "the default"
ALIKE = 1e-3  # relative: what single precision may change
LEAST_DISTANCE = 1e-3  # below it, a relative difference tells nothing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?", help="a made library if none is given")
    parser.add_argument("--only", help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--hard", type=int, default=0, help="how many of them are chosen to prune badly")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scans", type=int, default=2, help="queries that are answered by the plain scan as well")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the clock")
    parser.add_argument("-o", dest="plot", type=Path, help="a plot of the growth, .svg or .png")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else list(SECTIONS)
    with told_load(), opened(options.bank) as bank:
        index = build_index(bank, message=print)
        bench = Bench(bank, index, options.queries, options.hard, options.rounds, options.scans, options.seed)
        bench.clock = time.process_time if options.cpu else time.perf_counter
        bench.plot = options.plot
        n_frames = index.features.n_rows
        print(f"{index.features.n_clips} clips, {n_frames} frames; {options.queries} queries, seed {options.seed}")
        for name in chosen:
            SECTIONS[name](bench)


@dataclass
class Bench:
    """What is searched, and how it is measured."""

    bank: Bank
    index: Index
    n_queries: int
    n_hard: int
    rounds: int
    n_scans: int
    seed: int
    clock: Callable[[], float] = time.perf_counter
    plot: Path | None = None
    hard: list[Segment] = field(default_factory=list)

    @property
    def asker(self) -> Asker:
        return Asker(self.bank, self.index.features)

    @cached_property
    def segments(self) -> list[Segment]:
        """All queries, the hard ones first."""
        rng = np.random.default_rng(self.seed)
        usual = random_segments(self.index.features, self.n_queries - self.n_hard, rng)
        return self._hard_segments(rng) + usual

    @property
    def few(self) -> list[Segment]:
        """Queries for what takes longer, or is about something else than queries."""
        return self.segments[-20:]

    def _hard_segments(self, rng: np.random.Generator) -> list[Segment]:
        """Those of a pool that have no near match."""
        if not self.n_hard:
            return []
        features = self.index.features
        pool = random_segments(features, POOL * self.n_hard, rng)
        windows = random_segments(features, 200, rng)
        starts = np.array([int(features.starts[features.number(w.clip_id)]) + w.start for w in windows])
        starts = np.minimum(starts, features.n_rows - 60)
        hardness = []
        for segment in pool:
            query = self.asker.query(segment)
            variant = Comparison.of(query).variant(60)
            usual = np.median(dtw_at(variant.rows, features.arrays["positions"], starts, radius=variant.radii))
            hardness.append(search(self.index, query).matches[-1].distance / usual)
        order = np.argsort(hardness)[::-1][: self.n_hard]
        span = f"{hardness[order[-1]]:.2f} to {max(hardness):.2f}"
        print(f"hard: {self.n_hard} of {len(pool)}, whose k-th match is at {span} of the median distance")
        return [pool[i] for i in order]

    def times(self, ways: dict[str, Callable[[Any], object]], queries: list[Any]) -> dict[str, np.ndarray]:
        return in_turns(ways, queries, rounds=self.rounds, clock=self.clock)


def print_reference(bench: Bench) -> None:
    """Ours and the afternoon reference, distance by distance."""
    print("\n## Beside the afternoon reference\n\n| asked | ours, ms | reference, ms | ratio | answers |")
    print("| --- | --- | --- | --- | --- |")
    features, reached = bench.index.features, []
    for name, options in ASKED.items():
        is_main = name.startswith("DTW")
        queries = bench.asker.queries(bench.segments if is_main else bench.few, **options)
        compare = getattr(Afternoon.of(features, queries[0]), options.get("distance", "dtw"))
        ways: dict[str, Callable[[Query], Any]] = {
            "ours": lambda query: search(bench.index, query),
            "reference": lambda query, compare=compare: compare(Question.of(features, query)),
        }
        spent = bench.times(ways, queries)
        _measure_again(bench, ways, queries, spent)
        results = [ways["ours"](query) for query in queries]
        told = _agreement(bench, results, [ways["reference"](query) for query in queries])
        print(
            f"| {name} | {spread(spent['ours'])} | {spread(spent['reference'])} "
            f"| {ratios(spent['ours'], spent['reference'])} | {told} |",
            flush=True,
        )
        reached.append((name, results))
        if name == "DTW, 10 dimensions, k = 3":
            _print_new_joints(bench)
    print("\n| asked | windows | " + " | ".join(stage.name for stage in reached[0][1][0].stages[1:]) + " |")
    print("| --- " * (1 + len(reached[0][1][0].stages)) + "|")
    for name, results in reached:
        print(f"| {name} | " + " | ".join(_windows(results)) + " |")


def _print_new_joints(bench: Bench) -> None:
    """Joints that were never asked for: both must take them out of the features first."""
    features, rng = bench.index.features, np.random.default_rng(bench.seed + 1)
    names = [dimension.part for dimension in descriptions()["positions"].dimensions]
    queries = []
    for segment in bench.few[:5]:
        joints = tuple(str(name) for name in rng.choice(sorted(set(names) - {""}), 3, replace=False))
        queries.append(bench.asker.query(segment, joints=joints, k=3))
    spent = bench.times(
        {
            "ours": lambda query: search(Index(features, bench.index.files), query),
            "reference": lambda query: Afternoon.of(features, query).dtw(Question.of(features, query)),
        },
        queries,
    )
    print(
        f"| the same, 3 joints never asked for before | {spread(spent['ours'])} | {spread(spent['reference'])} "
        f"| {ratios(spent['ours'], spent['reference'])} | |",
        flush=True,
    )


def _measure_again(
    bench: Bench, ways: dict[str, Callable[[Query], Any]], queries: list[Query], spent: dict[str, np.ndarray]
) -> None:
    """The worst of many queries may be an accident of the machine."""
    if len(queries) <= 2 * N_AGAIN:
        return
    worst = np.argsort(spent["ours"] / spent["reference"])[::-1][:N_AGAIN]
    again = in_turns(ways, [queries[i] for i in worst], rounds=AGAIN_ROUNDS, clock=bench.clock)
    for name, secs in again.items():
        spent[name][worst] = np.minimum(spent[name][worst], secs)


def _windows(results: list[SearchResult]) -> list[str]:
    """How many reached each stage: median and most."""
    counts = np.array([[stage.n_windows for stage in result.stages] for result in results])
    return [
        f"{int(np.median(column)):,}" if number == 0 else f"{int(np.median(column)):,} / {column.max():,}"
        for number, column in enumerate(counts.T)
    ]


def _agreement(bench: Bench, ours: list[SearchResult], theirs: list[list[Found]]) -> str:
    """Whether both found the same windows, and how far their distances are apart at most."""
    features = bench.index.features
    n_same, off = 0, 0.0
    for result, found in zip(ours, theirs, strict=True):
        numbers = [features.number(match.segment.clip_id) for match in result.matches]
        places = [
            (c, features.rates[c].search_segment(match.segment.start, match.segment.stop)[0])
            for c, match in zip(numbers, result.matches, strict=True)
        ]
        n_same += places == [(each.clip, each.start) for each in found]
        for match, each in zip(result.matches, found, strict=True):
            off = max(off, abs(match.distance - each.distance) / max(match.distance, LEAST_DISTANCE))
    told = f"{n_same} of {len(ours)} the same, {off:.0e} apart"
    return told if off <= ALIKE else f"**{told}**"


def print_relative(bench: Bench) -> None:
    """What is measured against our own plain query: scaling, and the shipped default."""
    print("\n## Beside our own plain query\n\n| asked | ms | plain query, ms | ratio |\n| --- | --- | --- | --- |")
    asker, index = bench.asker, bench.index
    for name, options in {"whole body": {}, "10 dimensions": {"joints": TEN_DIMENSIONS}}.items():
        pairs = [
            (asker.query(segment, k=2, scale=0.1, **options), asker.query(segment, k=2, **options))
            for segment in bench.few
        ]
        spent = bench.times(
            {"scaled": lambda pair: search(index, pair[0]), "plain": lambda pair: search(index, pair[1])}, pairs
        )
        _print_pair(f"DTW ±10 %, {name}, k = 2", spent["scaled"], spent["plain"])
    spent = bench.times(
        {
            "default": lambda segment: search_bank(bench.bank, segment, index=index),
            "plain": lambda segment: search_bank(bench.bank, segment, index=index, **PLAIN),
        },
        bench.few,
    )
    _print_pair("the default, k = 10", spent["default"], spent["plain"])


def _print_pair(name: str, ours: np.ndarray, plain: np.ndarray) -> None:
    print(f"| {name} | {spread(ours)} | {spread(plain)} | {ratios(ours, plain)} |", flush=True)


def print_scan(bench: Bench) -> None:
    """The plain scan, which has no bounds and no lanes."""
    print("\n## Beside the plain scan\n\n| asked | ours, ms | scan, s | times as fast | answers |")
    print("| --- | --- | --- | --- | --- |")
    asked = {**ASKED, "DTW ±10 %, 10 dimensions, k = 2": {"joints": TEN_DIMENSIONS, "k": 2, "scale": 0.1}}
    asked["gist, both sides, k = 10"] = {"descriptions": ("gist",), "mirrored": "both"}
    for name, options in asked.items():
        n_scans = 1 if "±" in name else bench.n_scans
        queries = bench.asker.queries(bench.few[:n_scans], **options)
        for query in queries:
            search(bench.index, query)
        ours = in_turns({"ours": lambda query: search(bench.index, query)}, queries, rounds=5, clock=bench.clock)[
            "ours"
        ]
        slow, n_same = [], 0
        for query in queries:
            start = bench.clock()
            scanned = scan(bench.index.features, query)
            slow.append(bench.clock() - start)
            n_same += _told(scanned) == _told(search(bench.index, query))
        faster = np.array(slow) / ours
        print(
            f"| {name} | {1e3 * np.median(ours):.1f} | {np.median(slow):.2f} | {np.median(faster):.0f} × (least "
            f"{faster.min():.0f} ×) | {n_same} of {len(queries)} to the last bit |",
            flush=True,
        )


def print_descriptions(bench: Bench) -> None:
    """What searches compare by default in small libraries and in large ones, as the studio asks: a page of matches of
    random queries, each asked once."""
    segments = random_segments(bench.index.features, N_DESCRIBED, np.random.default_rng(bench.seed))
    ways: dict[str, Callable[[Segment], Any]] = {
        name: partial(search_bank, bench.bank, index=bench.index, descriptions=(name,), k=N_PAGE)
        for name in ("gist", LEARNED)
    }
    ways[DEFAULT] = partial(search_bank, bench.bank, index=bench.index, k=N_PAGE)
    spent = in_turns(ways, segments, rounds=1, clock=bench.clock)
    print(f"\n## Descriptions: {N_DESCRIBED} queries of 2 s, k = {N_PAGE}\n")
    print(
        "| description | ms: median / 95 % / worst | windows bounded in all dimensions: median / 95 % / most | held |"
    )
    print("| --- | --- | --- | --- |")
    for name, answer in ways.items():
        median, high = np.percentile(spent[name], [50, 95])
        stages = [{stage.name: stage.n_windows for stage in answer(segment).stages} for segment in segments]
        bounded = np.array([counts["bounded in all dimensions"] for counts in stages])
        held = index_for(bench.bank, bench.index, answer(segments[0]).query.descriptions).held_bytes
        print(
            f"| {name} | {1e3 * median:.0f} / {1e3 * high:.0f} / {1e3 * spent[name].max():.0f} "
            f"| {np.median(bounded):,.0f} / {np.percentile(bounded, 95):,.0f} / {bounded.max():,} "
            f"| {held / 1e6:.0f} MB |",
            flush=True,
        )
    for name in (LEARNED, DEFAULT):
        ratio = [np.percentile(spent[name], share) / np.percentile(spent["gist"], share) for share in (50, 95)]
        print(f"\n{name} takes {ratio[0]:.2f} (median) and {ratio[1]:.2f} (95 %) of the time of the gist")


def _told(result: SearchResult) -> list[Any]:
    return [(match.as_json(), match.alignment.pairs.tolist()) for match in result.matches]


def print_first(bench: Bench) -> None:
    """The first query in a new process, from the start of Python to the last line; kernels are cached."""
    print("\n## The first query in a new process\n\n| what | s, median of 5 | of the processor |\n| --- | --- | --- |")
    first = bench.few[0]
    query = f"#{first.clip_id}:{first.start}-{first.stop}"
    command = [str(Path(sys.executable).with_name("motionary")), "search", str(bench.bank.path), query]
    runs = {
        "starting Python": [sys.executable, "-c", "pass"],
        "`motionary search`, the default": command,
        "`motionary search`, positions, one side": [*command, "-d", "positions", "--mirror", "no"],
    }
    # Installed software has its bytecode beside it, whatever the machine of a benchmark is set to
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for name, line in runs.items():
        spent = []
        for _ in range(6):
            start, before = time.perf_counter(), os.times()
            subprocess.run(line, check=True, capture_output=True, env=env)
            after = os.times()
            worked = after.children_user - before.children_user + after.children_system - before.children_system
            spent.append((time.perf_counter() - start, worked))
        elapsed, worked = np.median(spent[1:], axis=0)
        print(f"| {name} | {elapsed:.2f} | {worked:.2f} |", flush=True)


def print_building(bench: Bench) -> None:
    """How long the index takes, and how large it is."""
    with TemporaryDirectory() as folder:
        link = Path(folder) / "library.bank"
        link.symlink_to(Path(bench.bank.path).resolve())
        with Bank.open(link, read_only=True) as bank:
            start = time.perf_counter()
            features = build_features(bank)
            described = time.perf_counter() - start
            spent = []
            for _ in range(3):
                shutil.rmtree(features.folder / "index", ignore_errors=True)
                start = time.perf_counter()
                index = build_index(bank, features=features)
                spent.append(time.perf_counter() - start)
            start = time.perf_counter()
            build_index(bank)
            unchanged = time.perf_counter() - start
            size = sum(path.stat().st_size for path in (features.folder / "index").iterdir())
            covered = sum(features.arrays[name].nbytes for name in index.files.parts)
            kept = sum(array.nbytes for array in features.arrays.values())
            n_rows = features.n_rows
    print("\n## Building\n\n| what | figure |\n| --- | --- |")
    print(f"| features of the bank, then the index | {described:.1f} s + {min(spent):.2f} s |")
    print(f"| both seen to be up to date | {1e3 * unchanged:.0f} ms |")
    print(f"| size of the index | {size / 1e6:.1f} MB, {100 * size / covered:.1f} % of the features it covers |")
    print(f"| all feature arrays | {kept / n_rows:.0f} bytes a frame; with the index {(kept + size) / n_rows:.0f} |")


def print_growth(bench: Bench) -> None:
    """From an eighth of the library to all of it: the same queries, in random clips."""
    features, rng = bench.index.features, np.random.default_rng(bench.seed)
    order = rng.permutation(features.n_clips)
    rows = np.cumsum(features.n_frames[order])
    counts = [int(np.searchsorted(rows, share * rows[-1] - 0.5)) + 1 for share in SHARES]
    parts = [library_of(features, np.sort(order[:count])) for count in counts]
    segments = random_segments(parts[0], min(20, bench.n_queries), rng)
    lines: dict[str, list[float]] = {}
    print("\n## Growth\n\n| asked | " + " | ".join(f"{part.n_rows:,} frames" for part in parts) + " | slope |")
    print("| --- " * (2 + len(parts)) + "|")
    for name, options in ASKED.items():
        queries = [Asker(bench.bank, part).queries(segments, **options) for part in parts]
        indices = [Index(part) for part in parts]
        ways = {
            str(number): partial(_answer, index, asked)
            for number, (index, asked) in enumerate(zip(indices, queries, strict=True))
        }
        spent = bench.times(ways, list(range(len(segments))))
        medians = [1e3 * float(np.median(spent[str(number)])) for number in range(len(parts))]
        slope = np.polyfit(np.log([part.n_rows for part in parts]), np.log(medians), 1)[0]
        print(f"| {name} | " + " | ".join(f"{each:.1f} ms" for each in medians) + f" | {slope:.2f} |", flush=True)
        lines[name] = medians
    if bench.plot:
        sizes = [part.n_rows for part in parts]
        panel = Panel("Time of a query", "frames", "ms", sizes, lines, log_x=True)
        panels_plot([panel], title="Growth of the time of a query").save(bench.plot)
        print(f"wrote {bench.plot}")


def _answer(index: Index, queries: list[Query], number: int) -> SearchResult:
    return search(index, queries[number])


def print_peers(bench: Bench) -> None:
    """Other libraries that can answer something like it, on the first frames of the library, if they are there."""
    print("\n## Peers (those that are installed)\n\n| peer | s | for windows | for the whole library, about |")
    print("| --- | --- | --- | --- |")
    features, n_frames = bench.index.features, 60
    rows = np.array(features.arrays["positions"][:PEER_ROWS], dtype=np.float64)
    shown = Comparison.of(bench.asker.query(bench.few[0])).variant(n_frames).rows
    for name, peer in PEERS.items():
        try:
            answer = peer(shown, rows)
        except ImportError:
            continue
        spent = float(in_turns({name: lambda _, answer=answer: answer()}, [0], rounds=2, clock=bench.clock)[name][0])
        n_windows = len(rows) - n_frames + 1
        print(f"| {name} | {spent:.2f} | {n_windows:,} | {spent * features.n_rows / len(rows):.1f} s |", flush=True)


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "reference": print_reference,
    "relative": print_relative,
    "scan": print_scan,
    "descriptions": print_descriptions,
    "first": print_first,
    "building": print_building,
    "growth": print_growth,
    "peers": print_peers,
}


if __name__ == "__main__":
    main()
