"""How many planted copies exact search finds: by kind of change, its strength, and distance.

Ten segments of 2 s, random ones in which the body moves more than in most, are copied 20 times each: with smooth noise
on all joints, with local time warps, stretched or shrunk, and with all of it, five strengths each. The 200 copies are
planted in random places of other clips, where they overwrite what was there; features of a copy are those of its
changed poses. A copy is found if a match shares as many frames with it as half of what both cover. Recall is told
among the first 20 matches (as many as there are copies of a query) and the first 100: real motions of the library that
are nearer than a copy are no mistakes, but count against it here.

Then several steps: the first matches become queries themselves, and what is near to any of them is ranked by the least
distance. With `--labels FOLDER` (labels.csv and queries.csv as in bench/retrieval.py) the same is measured by the
actions of what is found.

    python bench/planted.py library.bank
    python bench/planted.py library.bank --labels ../shared/cmu
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.search import Index, search, search_bank
from searching.copies import Change, Copier, Planted, planted_library, search_frames
from searching.libraries import Asker, opened, random_segments
from searching.timing import told_load

DESCRIBED = ("positions", "gist")
N_QUERIES, N_COPIES, MOST = 10, 20, 100
LIVELIEST = 3  # random segments, of which the one that moves most is taken
NOISES_DEG, WARPS, STRETCHES = (1.0, 2.0, 5.0, 10.0, 20.0), (0.03, 0.05, 0.1, 0.2, 0.3), (0.05, 0.1, 0.15, 0.2, 0.3)
CHANGES = (
    *(Change("noise", s, noise_deg=noise) for s, noise in enumerate(NOISES_DEG)),
    *(Change("warp", s, warp=warp) for s, warp in enumerate(WARPS)),
    *(Change("stretch", s, stretch=stretch) for s, stretch in enumerate(STRETCHES)),
    *(Change("all", s, *given) for s, given in enumerate(zip(NOISES_DEG, WARPS, STRETCHES, strict=True))),
)
STRENGTHS = {
    "noise": [f"{noise:g}°" for noise in NOISES_DEG],
    "warp": [f"{100 * warp:g} %" for warp in WARPS],
    "stretch": [f"±{100 * stretch:g} %" for stretch in STRETCHES],
    "all": [f"{n:g}°, {100 * w:g} %, ±{100 * s:g} %" for n, w, s in zip(NOISES_DEG, WARPS, STRETCHES, strict=True)],
}
METHODS: dict[str, dict[str, Any]] = {
    "euclid": {"distance": "euclid"},
    "dtw": {},
    "dtw window 30 %": {"window": 0.3},
    "lcss ε = 1": {"distance": "lcss", "tolerance": 1.0},
    "euclid ±20 %": {"distance": "euclid", "scale": 0.2},
    "dtw ±20 %": {"scale": 0.2},
    "gist": {"descriptions": ("gist",), "mirrored": "both"},
}
STEPS = (1, 3, 5, 10)  # matches that become queries
Span = tuple[int, int, int]  # clip, start, stop


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?", help="a made library if none is given")
    parser.add_argument("--queries", type=int, default=N_QUERIES)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--labels", type=Path, help="a folder with labels.csv and queries.csv")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with told_load(), opened(options.bank) as bank:
        rng = np.random.default_rng(options.seed)
        features = build_features(bank, message=print)
        segments = lively_segments(features, options.queries, rng)
        spans = [search_frames(features, segment) for segment in segments]
        library, planted = planted_library(features, spans, CHANGES, Copier(bank), rng, names=DESCRIBED)
        print(f"{len(planted)} copies of {len(segments)} segments among {library.n_rows} frames")
        trial = Trial(bank, library, Index(library), segments, planted)
        chosen = [name for name in METHODS if name in options.methods.split(",")]
        print_recall(trial, chosen)
        print_steps(trial)
        if options.labels:
            print_labelled(bank, options.labels)


@dataclass(frozen=True, eq=False)
class Trial:
    """A library with copies, and the segments they were made of."""

    bank: Bank
    library: LibraryFeatures
    index: Index
    segments: Sequence[Segment]
    planted: Sequence[Planted]

    def found(self, segment: Segment, k: int, **options: Any) -> list[tuple[float, Span]]:
        """Distances and places of the k nearest, best first."""
        query = Asker(self.bank, self.library).query(segment, k=k, **options)
        matches = search(self.index, query).matches
        return [(match.distance, search_frames(self.library, match.segment)) for match in matches]

    def ranks(self, number: int, spans: Sequence[Span]) -> dict[Change, float]:
        """The rank of every copy of a query, from 1 on; infinite if it is not there."""
        copies = [copy for copy in self.planted if copy.original == number]
        return {
            copy.change: next((rank for rank, span in enumerate(spans, 1) if copy.is_found_at(*span)), np.inf)
            for copy in copies
        }


def lively_segments(features: LibraryFeatures, n: int, rng: np.random.Generator) -> list[Segment]:
    """Of every few random segments the one whose joints deviate most from their mean places, each in its own clip."""
    found: list[Segment] = []
    while len(found) < n:
        some = random_segments(features, LIVELIEST, rng)
        rows = [features.of(each.clip_id)["positions"][slice(*search_frames(features, each)[1:])] for each in some]
        best = some[int(np.argmax([each.std(axis=0).sum() for each in rows]))]
        if best.clip_id not in {each.clip_id for each in found}:
            found.append(best)
    return found


def print_recall(trial: Trial, methods: Sequence[str]) -> None:
    """The share of copies found, among the first 20 and the first 100."""
    ranks: dict[str, list[dict[Change, float]]] = {}
    spent: dict[str, float] = {}
    for name in methods:
        start = time.perf_counter()
        spans = [[span for _, span in trial.found(segment, MOST, **METHODS[name])] for segment in trial.segments]
        spent[name] = (time.perf_counter() - start) / len(spans)
        ranks[name] = [trial.ranks(number, found) for number, found in enumerate(spans)]
    print(f"\n## Recall among the first {N_COPIES} / the first {MOST} matches\n")
    print("| change | strength | " + " | ".join(methods) + " |\n" + "| --- " * (2 + len(methods)) + "|")
    for kind, strengths in STRENGTHS.items():
        for strength, told in enumerate(strengths):
            cells = [_recall(ranks[name], [(kind, strength)]) for name in methods]
            print(f"| {kind} | {told} | " + " | ".join(cells) + " |")
    for kind in STRENGTHS:
        cells = [_recall(ranks[name], [(kind, strength) for strength in range(5)]) for name in methods]
        print(f"| **{kind}** | all strengths | " + " | ".join(cells) + " |")
    print("| s a query | | " + " | ".join(f"{spent[name]:.2f}" for name in methods) + " |", flush=True)


def _recall(ranks: Sequence[dict[Change, float]], wanted: Sequence[tuple[str, int]]) -> str:
    each = [rank for found in ranks for change, rank in found.items() if (change.kind, change.strength) in wanted]
    return " / ".join(f"{np.mean(np.array(each) <= most):.2f}" for most in (N_COPIES, MOST))


def print_steps(trial: Trial) -> None:
    """Recall when the first matches become queries as well."""
    print("\n## Several steps (dtw): the first matches become queries\n\n| queries | " + " | ".join(STRENGTHS) + " |")
    print("| --- " * (1 + len(STRENGTHS)) + "|")
    ranks: dict[int, list[dict[Change, float]]] = {n_more: [] for n_more in (0, *STEPS)}
    for number, segment in enumerate(trial.segments):
        first = trial.found(segment, MOST)
        own = search_frames(trial.library, segment)
        lists = [first]
        for _, (clip_id, start, stop) in first[: max(STEPS)]:
            rates = trial.library.rates[trial.library.number(clip_id)]
            lists.append(trial.found(Segment(clip_id, *rates.clip_segment(start, stop)), MOST))
        for n_more, found in ranks.items():
            found.append(trial.ranks(number, merged(lists[: 1 + n_more], own)[:MOST]))
    for n_more, found in ranks.items():
        cells = [_recall(found, [(kind, strength) for strength in range(5)]) for kind in STRENGTHS]
        print(f"| {'the query alone' if not n_more else f'and its first {n_more}'} | " + " | ".join(cells) + " |")


def merged(lists: Sequence[Sequence[tuple[float, Span]]], own: Span) -> list[Span]:
    """What several queries have found, by the least distance to any; overlaps go, as does the first query's place."""
    taken: dict[int, list[int]] = {own[0]: [own[1]]}
    found = []
    for _, span in sorted(each for some in lists for each in some):
        starts = taken.setdefault(span[0], [])
        if all(abs(span[1] - start) >= 0.8 * (own[2] - own[1]) for start in starts):
            starts.append(span[1])
            found.append(span)
    return found


def print_labelled(bank: Bank, folder: Path) -> None:
    """Precision among the first ten by labelled actions, the query's own clip left out, one step and several."""
    from retrieval import Collection, mean_of_actions, precision

    collection = Collection.of(bank, folder)
    index = Index(collection.features)
    names = {clip_id: name for name, clip_id in collection.ids.items()}
    only = [f"#{clip_id}" for clip_id in collection.ids.values()]
    tasks = collection.tasks(folder)

    def found(segment: Segment, k: int) -> list[tuple[float, Span]]:
        matches = search_bank(bank, segment, index=index, names=only, k=k).matches
        return [(match.distance, search_frames(index.features, match.segment)) for match in matches]

    figures = np.zeros((len(tasks), 1 + len(STEPS)))
    for t, task in enumerate(tasks):
        own = search_frames(index.features, task.segment)
        first = [each for each in found(task.segment, MOST) if each[1][0] != own[0]]
        lists = [first]
        for _, (clip_id, start, stop) in first[: max(STEPS)]:
            rates = index.features.rates[index.features.number(clip_id)]
            lists.append(found(Segment(clip_id, *rates.clip_segment(start, stop)), MOST))
        for column, n_more in enumerate((0, *STEPS)):
            spans = [span for span in merged(lists[: 1 + n_more], own) if span[0] != own[0]]
            figures[t, column] = precision(collection, task, [names[span[0]] for span in spans])
    means = mean_of_actions(np.array([task.category for task in tasks]), figures)
    print(f"\n## Several steps, {len(tasks)} labelled queries, the default comparison\n\n| queries | P@10 file |")
    print("| --- | --- |")
    for n_more, mean in zip((0, *STEPS), means, strict=True):
        print(f"| {'the query alone' if not n_more else f'and its first {n_more}'} | {mean:.3f} |")


if __name__ == "__main__":
    main()
