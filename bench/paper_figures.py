"""The experiments behind figures 68 to 75 of Cardle 2004, done again: index, rectangles, bounds and scan.

The library is random clips with as many frames as the paper's (77,865), or parts and multiples of that, out of a
bank. Queries are random segments of 2 s in ten random dimensions of joint positions, unless the figure is about that;
k = 3, window 10 %, LCSS tolerance 0.2 deviations. As in the paper, a time is told as a share of the linear scan's
(ratio of means over queries). Beside ours stand two exact baselines of bench/searching/bounded.py: the scan with lower
bounds, and the paper's way, rectangles at a number for each frame (5 % unless said otherwise), the lowest bound first.
The same queries go to all; answers are compared.

    python bench/paper_figures.py library.bank -o figures.svg
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.features import descriptions
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.search import Index, Query, scan, search
from motionary.search.exact.index_store import updated
from searching.bounded import Bounded, Boxes
from searching.libraries import Asker, opened, part_of, random_segments
from searching.plots import Panel, panels_plot
from searching.timing import in_turns, told_load

PAPER_FRAMES = 77_865  # "one hour"
SIZES = (PAPER_FRAMES // 4, PAPER_FRAMES // 2, PAPER_FRAMES, 2 * PAPER_FRAMES, 10 * PAPER_FRAMES)
SPLITS = (0.05, 0.1, 0.2)
PAPER = {
    68: ("paper: 16:28 min for an hour,", "20:46 with scaling; 1.8 MB"),
    69: ("paper: 0.09 at two hours,", "29 s instead of 5:32 min"),
    70: ("paper: about 0.01 at k = 1,", "about 1 above k = 25"),
    71: ("paper: above 1 for wide windows",),
    72: ("paper: above 1 for wide envelopes",),
    73: ("paper: the longer, the less gain",),
    74: ("paper: the more, the less gain",),
    75: ("paper: 0.11 at ±10 %,", "16.1 min instead of 2:23 h"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?", help="a made library if none is given")
    parser.add_argument("--only", help="some of the figures, as 69,70")
    parser.add_argument("--queries", type=int, default=10)
    parser.add_argument("--slow", type=int, default=2, help="queries that slow ways answer")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the clock; see bench/search.py")
    parser.add_argument("-o", dest="plot", type=Path, help="all figures, .svg or .png")
    options = parser.parse_args()
    chosen = [int(number) for number in options.only.split(",")] if options.only else list(FIGURES)
    panels: list[Panel] = []
    with told_load(), opened(options.bank) as bank:
        whole = build_features(bank, message=print)
        clock = time.process_time if options.cpu else time.perf_counter
        paper = Paper(bank, whole, options.queries, options.slow, options.seed, clock)
        print(f"{whole.n_rows} frames in all; {options.queries} queries, {options.slow} of them for slow ways")
        for given in DISTANCES.values():  # kernels are compiled, or read
            smallest = paper.part(paper.sizes[0])
            times(paper, smallest, paper.queries(smallest, **given))
        for number in chosen:
            panels += FIGURES[number](paper)
    if options.plot and panels:
        panels_plot(panels, title="Figures 68 to 75 of Cardle 2004, done again").save(options.plot)
        print(f"wrote {options.plot}")


@dataclass
class Paper:
    """The library, parts of it, and queries."""

    bank: Bank
    whole: LibraryFeatures
    n_queries: int
    n_slow: int
    seed: int
    clock: Callable[[], float]
    _parts: dict[int, LibraryFeatures] = field(default_factory=dict)

    def part(self, n_rows: int) -> LibraryFeatures:
        if n_rows not in self._parts:
            rng = np.random.default_rng(self.seed)
            self._parts[n_rows] = part_of(self.whole, min(n_rows, int(self.whole.n_frames.sum())), rng)
        return self._parts[n_rows]

    @property
    def sizes(self) -> list[int]:
        """Those that the library is large enough for, and all of it."""
        n_rows = int(self.whole.n_frames.sum())
        return [*(size for size in SIZES if size < n_rows), n_rows]

    def segments(self, *, n_frames: int = 60) -> list[Segment]:
        """Of the smallest part, so that all parts have them."""
        rng = np.random.default_rng(self.seed + 1)
        return random_segments(self.part(self.sizes[0]), self.n_queries, rng, n_frames=n_frames)

    def dimensions(self, n: int) -> tuple[str, ...]:
        names = [dimension.name for dimension in descriptions()["positions"].dimensions]
        return tuple(str(name) for name in np.random.default_rng(self.seed + 2).permutation(names)[:n])

    def queries(
        self, features: LibraryFeatures, *, n_frames: int = 60, n_dimensions: int = 10, **options: Any
    ) -> list[Query]:
        asked = {"k": 3, "joints": self.dimensions(n_dimensions), **options}
        return Asker(self.bank, features).queries(self.segments(n_frames=n_frames), **asked)


DISTANCES: Mapping[str, dict[str, Any]] = {"DTW": {"distance": "dtw"}, "LCSS": {"distance": "lcss", "tolerance": 0.2}}
Times = dict[str, float]


def times(
    paper: Paper, features: LibraryFeatures, queries: Sequence[Query], *, splits: Sequence[float] = (0.05,)
) -> Times:
    """Mean seconds of a query, by way.

    Slow ways answer the first queries only, and the scan, which takes as long for every query, the first.
    """
    index, bounded = Index(features), Bounded.of(features, queries[0])
    boxed = {split: Bounded.of(features, queries[0], split=split) for split in splits}
    ways: dict[str, Callable[[Query], list[Any]]] = {"ours": lambda query: _places(search(index, query))}
    slow: dict[str, Callable[[Query], list[Any]]] = {
        "scan with bounds": lambda query: _own_frames(features, bounded.search(query)),
        **{
            f"rectangles, {100 * split:g} %": lambda query, split=split: _own_frames(
                features, boxed[split].search(query)
            )
            for split in splits
        },
    }
    few = queries[: paper.n_slow]
    spent = in_turns(slow, few, rounds=1, warm=False, clock=paper.clock)
    spent |= in_turns({"scan": lambda query: scan(features, query)}, few[:1], rounds=1, warm=False, clock=paper.clock)
    spent |= in_turns(ways, queries, rounds=2, clock=paper.clock)
    for query in few[:1]:
        answers = {name: way(query) for name, way in (ways | slow).items()}
        differing = [name for name, answer in answers.items() if answer != answers["ours"]]
        if differing:
            print(f"  answers of {', '.join(differing)} differ from ours")
    return {name: float(secs.mean()) for name, secs in spent.items()}


def _places(result: Any) -> list[tuple[int, int, int]]:
    return [(match.segment.clip_id, match.segment.start, round(1e9 * match.distance)) for match in result.matches]


def _own_frames(features: LibraryFeatures, found: list[tuple[int, int, float]]) -> list[tuple[int, int, int]]:
    """As matches tell it: ids of clips, and their own frames."""
    told = []
    for clip, start, distance in found:
        own = features.rates[clip].clip_segment(start, start + 1)[0]
        told.append((int(features.clip_ids[clip]), own, round(1e9 * distance)))
    return told


def figure(
    number: int, title: str, x_label: str, xs: Sequence[float], found: Sequence[Times], *, log_x: bool = False
) -> Panel:
    """Print times, and plot them as shares of the scan's."""
    names = [name for name in found[0] if name != "scan"]
    print(
        f"\n### Figure {number}: {title}\n\n| {x_label} | scan, ms | "
        + " | ".join(f"{n}, ms" for n in names)
        + " | ours |"
    )
    print("| --- " * (3 + len(names)) + "|")
    for x, spent in zip(xs, found, strict=True):
        cells = [f"{1e3 * spent[name]:.1f}" for name in ("scan", *names)]
        print(f"| {x:g} | " + " | ".join(cells) + f" | 1/{spent['scan'] / spent['ours']:.0f} |", flush=True)
    lines = {name: [spent[name] / spent["scan"] for spent in found] for name in names}
    return Panel(f"{number}: {title}", x_label, "share of the scan's time", xs, lines, log_x=log_x, notes=PAPER[number])


def index_building(paper: Paper) -> list[Panel]:
    """Figure 68: time and size."""
    sizes, ours, rectangles = [], [], []
    print("\n### Figure 68: building\n\n| frames | index, s | MB | rectangles 5 %, s | MB |")
    print("| --- | --- | --- | --- | --- |")
    for size in paper.sizes:
        features = paper.part(size)
        table = np.array(features.arrays["positions"])
        with TemporaryDirectory() as folder:
            start = time.perf_counter()
            updated(features, Path(folder))
            ours.append(time.perf_counter() - start)
            n_bytes = sum(path.stat().st_size for path in Path(folder).iterdir())
        start = time.perf_counter()
        boxes = Boxes.of(table, features, 0.05)
        rectangles.append(time.perf_counter() - start)
        sizes.append(features.n_rows)
        print(
            f"| {features.n_rows:,} | {ours[-1]:.2f} | {n_bytes / 1e6:.2f} | {rectangles[-1]:.2f} "
            f"| {boxes.nbytes / 1e6:.2f} |",
            flush=True,
        )
    features = paper.part(min(PAPER_FRAMES, paper.sizes[-1]))
    table = np.array(features.arrays["positions"])
    splits = (0.025, 0.05, 0.1, 0.2, 0.4)
    of_splits = [Boxes.of(table, features, split).nbytes / 1e6 for split in splits]
    with TemporaryDirectory() as folder:
        updated(features, Path(folder))
        of_positions = sum(path.stat().st_size for path in Path(folder).glob("positions.*")) / 1e6
    print("\n| rectangles a frame | MB (positions) |\n| --- | --- |")
    for split, size_mb in zip(splits, of_splits, strict=True):
        print(f"| {split:g} | {size_mb:.2f} |")
    print(f"| ours, for any split | {of_positions:.2f} |")
    lines = {"ours": ours, "rectangles, 5 %": rectangles}
    sizes_mb = {"rectangles": of_splits, "ours": [of_positions] * len(splits)}
    return [
        Panel("68: building an index", "frames", "s", sizes, lines, log_x=True, notes=PAPER[68]),
        Panel("68: size of the index, 77,865 frames", "rectangles a frame", "MB", splits, sizes_mb, log_x=True),
    ]


def library_size(paper: Paper) -> list[Panel]:
    """Figure 69."""
    panels = []
    for name, options in DISTANCES.items():
        found = []
        for size in paper.sizes:
            features = paper.part(size)
            found.append(times(paper, features, paper.queries(features, **options), splits=SPLITS))
        sizes = [paper.part(size).n_rows for size in paper.sizes]
        panels.append(figure(69, f"{name}, size of the library", "frames", sizes, found, log_x=True))
    return panels


def varied(
    paper: Paper,
    number: int,
    what: str,
    x_label: str,
    asked: Mapping[float, dict[str, Any]],
    *,
    distances: Sequence[str] = ("DTW", "LCSS"),
    log_x: bool = False,
) -> list[Panel]:
    """A figure over one option, on a library of the paper's size."""
    features = paper.part(min(PAPER_FRAMES, paper.sizes[-1]))
    return [
        figure(
            number,
            f"{name}, {what}",
            x_label,
            list(asked),
            [
                times(paper, features, paper.queries(features, **DISTANCES[name] | options))
                for options in asked.values()
            ],
            log_x=log_x,
        )
        for name in distances
    ]


def n_matches(paper: Paper) -> list[Panel]:
    """Figure 70."""
    return varied(paper, 70, "number of matches", "k", {k: {"k": k} for k in (1, 3, 10, 25, 50, 100)}, log_x=True)


def dtw_window(paper: Paper) -> list[Panel]:
    """Figure 71."""
    asked = {100 * window: {"window": window, "k": 5} for window in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)}
    return varied(paper, 71, "window", "window, %", asked, distances=["DTW"])


def lcss_envelope(paper: Paper) -> list[Panel]:
    """Figure 72: window, and tolerance."""
    windows = {100 * window: {"window": window} for window in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)}
    tolerances = {tolerance: {"tolerance": tolerance} for tolerance in (0.1, 0.2, 0.5, 1.0, 2.0)}
    return [
        *varied(paper, 72, "window", "window, %", windows, distances=["LCSS"]),
        *varied(paper, 72, "tolerance", "tolerance, deviations", tolerances, distances=["LCSS"], log_x=True),
    ]


def query_length(paper: Paper) -> list[Panel]:
    """Figure 73: 17 dimensions."""
    asked = {secs: {"n_frames": 30 * secs, "n_dimensions": 17} for secs in (1, 2, 4, 6, 8)}
    return varied(paper, 73, "length of the query", "seconds", asked)


def n_dimensions(paper: Paper) -> list[Panel]:
    """Figure 74."""
    return varied(
        paper, 74, "dimensions", "dimensions", {n: {"n_dimensions": n} for n in (5, 10, 20, 40, 85)}, log_x=True
    )


def scaling(paper: Paper) -> list[Panel]:
    """Figure 75: k = 2."""
    asked = {100 * scale: {"scale": scale, "k": 2} for scale in (0.05, 0.1, 0.2, 0.4)}
    return varied(paper, 75, "scaling", "± %", asked)


FIGURES: Mapping[int, Callable[[Paper], list[Panel]]] = {
    68: index_building,
    69: library_size,
    70: n_matches,
    71: dtw_window,
    72: lcss_envelope,
    73: query_length,
    74: n_dimensions,
    75: scaling,
}


if __name__ == "__main__":
    main()
