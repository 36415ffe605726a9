"""How many of what is found is the same action, per action and way of comparing, on labelled clips.

A folder holds labels.csv (file, subject, category) and queries.csv (category, file, start_frame, end_frame; frames at
30 Hz); the bank holds these files, each a clip called as its file is, less `.bvh.gz`. Only clips with a category are
searched. Matches come best first and do not overlap in a clip. P@10 is the share of the first ten whose clip has the
query's category, without the query's own clip ("file"), and without all clips of its subject ("subject"). R-precision
ranks clips by their best match, and cuts at R = min(10, clips that have the category). Means are over the queries of
an action, then over actions; intervals hold 95 % of such means when each action's queries are drawn anew, with
replacement.

`--made energetic` and `--made random` check what was not chosen by anybody: segments of other clips, at most four for
each category with four clips or more and two subjects or more, of 36 to 90 frames, where the body moves most or
anywhere.

    python bench/retrieval.py library.bank ../shared/cmu
    python bench/retrieval.py library.bank ../shared/cmu --methods default,dtw --queries 13
"""

import argparse
import csv
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.features import descriptions
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.search import (
    Index,
    PoseIndex,
    build_index,
    build_pose_index,
    library_space,
    search_bank,
    search_pose_space,
)

N_BEST = 10
MEASURES = ("P@10 file", "P@10 subject", "R-prec. file", "R-prec. subject")
LEAST_FILES, LEAST_SUBJECTS, MOST_MADE, LENGTHS = 4, 2, 4, (36, 90)
N_DRAWN = 2000
POSITIONS = {"descriptions": ("positions",), "mirrored": "no"}


@dataclass(frozen=True)
class Task:
    """A query, and the category that its matches should have."""

    category: str
    clip: str
    segment: Segment


@dataclass(frozen=True, eq=False)
class Collection:
    """Labelled clips of a bank."""

    bank: Bank
    features: LibraryFeatures
    categories: dict[str, str]  # by clip; only clips that have one
    subjects: dict[str, str]
    ids: dict[str, int]

    @cached_property
    def index(self) -> Index:
        return build_index(self.bank, features=self.features, message=print)

    @cached_property
    def pose_index(self) -> PoseIndex:
        space = library_space(self.bank, self.features).space
        return build_pose_index(self.features, space, n_components=space.n_components)

    @classmethod
    def of(cls, bank: Bank, folder: Path) -> "Collection":
        ids = {clip.name: clip.id for clip in bank.clips()}
        rows = {row["file"].split(".")[0]: row for row in _rows(folder / "labels.csv")}
        labelled = [name for name in ids if name in rows and rows[name]["category"]]
        return cls(
            bank,
            build_features(bank, message=print),
            {name: rows[name]["category"] for name in labelled},
            {name: rows[name]["subject"] for name in labelled},
            {name: ids[name] for name in labelled},
        )

    def tasks(self, folder: Path) -> list[Task]:
        """Those of queries.csv."""
        found = []
        for row in _rows(folder / "queries.csv"):
            clip = row["file"].split(".")[0]
            segment = Segment(self.ids[clip], int(row["start_frame"]), int(row["end_frame"]))
            found.append(Task(row["category"], clip, segment))
        return found

    def made_tasks(self, kind: str, *, without: Sequence[Task], rng: np.random.Generator) -> list[Task]:
        """Segments of other clips than those of `without`."""
        energy = [dimension.name for dimension in descriptions()["curves"].dimensions].index("energy")
        used, found = {task.clip for task in without}, []
        for category in sorted(set(self.categories.values())):
            clips = [name for name, its in self.categories.items() if its == category]
            if len(clips) < LEAST_FILES or len({self.subjects[name] for name in clips}) < LEAST_SUBJECTS:
                continue
            others = [name for name in clips if name not in used]
            made: list[Task] = []
            for clip in (others[i] for i in rng.permutation(len(others))):
                n_frames = int(rng.integers(LENGTHS[0], LENGTHS[1] + 1))
                curve = self.features.of(self.ids[clip])["curves"][:, energy]
                if len(curve) < n_frames or len(made) == MOST_MADE:
                    continue
                start = int(rng.integers(len(curve) - n_frames + 1))
                if kind == "energetic":
                    start = int(np.argmax(np.convolve(curve, np.ones(n_frames), "valid")))
                made.append(Task(category, clip, Segment(self.ids[clip], start, start + n_frames)))
            found += made
        return found


def _exactly(collection: Collection, task: Task, k: int, **options: Any) -> list[str]:
    """The clips of the k best matches of exact search."""
    result = search_bank(
        collection.bank,
        task.segment,
        index=collection.index,
        names=[f"#{clip_id}" for clip_id in collection.ids.values()],
        k=k,
        onsets=1.0,
        **options,
    )
    return [match.clip for match in result.matches]


def _in_space(collection: Collection, task: Task, k: int, **options: Any) -> list[str]:
    """The clips of the k best matches in the pose space of the library."""
    result = search_pose_space(
        collection.bank,
        task.segment,
        index=collection.pose_index,
        features=collection.features,
        names=[f"#{clip_id}" for clip_id in collection.ids.values()],
        k=k,
        overlap=0.0,
        **options,
    )
    return [match.clip for match in result.matches]


# A method gives the clips of its k best matches that do not overlap, best first; a clip may come several times
Method = Callable[[Collection, Task, int], list[str]]
METHODS: dict[str, Method] = {
    "default": _exactly,
    "euclid": partial(_exactly, distance="euclid", **POSITIONS),
    "dtw": partial(_exactly, **POSITIONS),
    "dtw-both": partial(_exactly, **POSITIONS | {"mirrored": "both"}),
    "angles-both": partial(_exactly, descriptions=("angles",), mirrored="both"),
    "gist": partial(_exactly, descriptions=("gist",)),
    "gist-euclid": partial(_exactly, distance="euclid", descriptions=("gist",)),
    "learned": partial(_exactly, descriptions=("learned",)),
    "gist-learned": partial(_exactly, descriptions=("gist", "learned")),
    "wpca": partial(_in_space, mirrored="both"),
    "wpca-one-side": partial(_in_space, mirrored="no"),
    "wpca-mean": partial(_in_space, mirrored="both", ranking="mean"),
    "wpca-paper": partial(_in_space, mirrored="both", ranking="mean", neighbours=1000, dimensions=10),
    "wpca-wide": partial(_in_space, mirrored="both", neighbours=8000, dimensions=30),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("folder", type=Path, help="with labels.csv and queries.csv")
    parser.add_argument("--methods", default="euclid,dtw,dtw-both,gist,default", help=", ".join(METHODS))
    parser.add_argument("--queries", type=int, help="only so many of them, at even distances")
    parser.add_argument(
        "--made", choices=("energetic", "random"), help="segments of other clips in place of queries.csv"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the made ones")
    parser.add_argument("--by", help="how to search, as `motionary search --by`")
    options = parser.parse_args()
    with Bank.open(options.bank, read_only=True) as bank:
        collection = Collection.of(bank, options.folder)
        tasks = collection.tasks(options.folder)
        if options.made:
            rng = np.random.default_rng(options.seed)
            tasks = collection.made_tasks(options.made, without=tasks, rng=rng)
        if options.queries:
            tasks = [tasks[i] for i in np.unique(np.linspace(0, len(tasks) - 1, options.queries).round().astype(int))]
        print(f"{len(tasks)} queries, {len(collection.ids)} labelled clips")
        for name in options.methods.split(","):
            method = partial(METHODS[name], by=options.by) if options.by else METHODS[name]
            start = time.perf_counter()
            figures = np.array([measured(collection, task, method) for task in tasks])
            print_figures(name, [task.category for task in tasks], figures, time.perf_counter() - start)


def measured(collection: Collection, task: Task, method: Method) -> list[float]:
    """The four measures of one query."""
    k = 6 * N_BEST
    while True:
        clips = method(collection, task, k)
        ranked = [clip for clip in clips if collection.subjects[clip] != collection.subjects[task.clip]]
        if len(set(ranked)) >= N_BEST or len(clips) < k:
            break
        k *= 4
    excluded = [
        {task.clip},
        {name for name, its in collection.subjects.items() if its == collection.subjects[task.clip]},
    ]
    first = [[clip for clip in clips if clip not in out] for out in excluded]
    return [precision(collection, task, left) for left in first] + [
        r_precision(collection, task, left, out) for left, out in zip(first, excluded, strict=True)
    ]


def precision(collection: Collection, task: Task, clips: Sequence[str]) -> float:
    """The share of the ten first that have the category; what was not found is wrong."""
    return sum(collection.categories[clip] == task.category for clip in clips[:N_BEST]) / N_BEST


def r_precision(collection: Collection, task: Task, clips: Sequence[str], excluded: set[str]) -> float:
    """The share of the R first clips, each counted once, that have the category; NaN where no clip could."""
    names = [name for name, category in collection.categories.items() if category == task.category]
    n_relevant = min(N_BEST, len(set(names) - excluded))
    best = list(dict.fromkeys(clips))[:n_relevant]
    return sum(collection.categories[clip] == task.category for clip in best) / n_relevant if n_relevant else np.nan


def print_figures(method: str, categories: Sequence[str], figures: np.ndarray, secs: float) -> None:
    """A table of actions, their mean and its interval."""
    print(f"\n{method}: {secs / len(figures):.2f} s a query\n\n| action | queries | {' | '.join(MEASURES)} |")
    print("| --- " * (2 + len(MEASURES)) + "|")
    of = np.array(categories)
    for category in dict.fromkeys(categories):
        chosen = figures[of == category]
        print(f"| {category} | {len(chosen)} | " + " | ".join(f"{one:.2f}" for one in _means(chosen)) + " |")
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(of == category) for category in np.unique(of)]
    drawn = [np.concatenate([rng.choice(rows, len(rows)) for rows in members]) for _ in range(N_DRAWN)]
    spread = np.percentile([mean_of_actions(of[rows], figures[rows]) for rows in drawn], [2.5, 97.5], axis=0)
    mean = mean_of_actions(of, figures)
    print(f"| **mean of actions** | {len(of)} | " + " | ".join(f"**{one:.3f}**" for one in mean) + " |")
    print("| 95 % interval | | " + " | ".join(f"{low:.3f} to {high:.3f}" for low, high in spread.T) + " |", flush=True)


def mean_of_actions(categories: np.ndarray, figures: np.ndarray) -> np.ndarray:
    """The mean (4,) over actions of the means over their queries."""
    return _means(np.array([_means(figures[categories == category]) for category in np.unique(categories)]))


def _means(figures: np.ndarray) -> np.ndarray:
    """Column means of what is a number; NaN where nothing is."""
    known = ~np.isnan(figures)
    n_known = known.sum(axis=0)
    return np.where(n_known > 0, np.where(known, figures, 0.0).sum(axis=0) / np.maximum(n_known, 1), np.nan)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
