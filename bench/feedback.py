"""How much better a search gets when its first matches are judged, on labelled clips.

The folder, the bank and the measures are those of retrieval.py. A query's first 1, 3 or 10 matches are judged by their
category, and then taken out of both rankings: "before" is P@10 of what follows them in the first ranking, "after" that
of the search with what was learned. So neither counts what was judged. Once without the query's own clip ("file"), and
once without all clips of its subject ("subject"); means and intervals as there, those of the gain over pairs.

    python bench/feedback.py library.bank ../shared/cmu
    python bench/feedback.py library.bank ../shared/cmu --made energetic --queries 60 --distance euclid
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.search import Index, Match, build_index, learn_profile, search_bank
from retrieval import N_BEST, N_DRAWN, Collection, Task, mean_of_actions

JUDGEMENTS = (1, 3, 10)
LEFT_OUT = ("file", "subject")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("folder", type=Path, help="with labels.csv and queries.csv")
    parser.add_argument("--queries", type=int, help="only so many of them, at even distances")
    parser.add_argument(
        "--made", choices=("energetic", "random"), help="segments of other clips in place of queries.csv"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the made ones")
    parser.add_argument("--distance", help="dtw, euclid or lcss, if not the default")
    parser.add_argument("--description", help="if not the default")
    parser.add_argument("--by", help="how to search, as `motionary search --by`")
    options = parser.parse_args()
    asked: dict[str, Any] = {key: getattr(options, key) for key in ("distance", "by") if getattr(options, key)}
    if options.description:
        asked["descriptions"] = (options.description,)
    with Bank.open(options.bank, read_only=True) as bank:
        collection = Collection.of(bank, options.folder)
        tasks = collection.tasks(options.folder)
        if options.made:
            tasks = collection.made_tasks(options.made, without=tasks, rng=np.random.default_rng(options.seed))
        if options.queries:
            tasks = [tasks[i] for i in np.unique(np.linspace(0, len(tasks) - 1, options.queries).round().astype(int))]
        print(f"{len(tasks)} queries, {len(collection.ids)} labelled clips", flush=True)
        index = build_index(bank, features=collection.features, message=print)
        start = time.perf_counter()
        figures = {
            left_out: np.array([measured(collection, index, task, left_out, asked) for task in tasks])
            for left_out in LEFT_OUT
        }
        print(f"{(time.perf_counter() - start) / len(tasks):.1f} s a query, with {2 * (1 + len(JUDGEMENTS))} searches")
    categories = np.array([task.category for task in tasks])
    for left_out, found in figures.items():
        print_figures(left_out, categories, found)


def measured(
    collection: Collection, index: Index, task: Task, left_out: str, asked: dict[str, Any]
) -> list[tuple[float, float]]:
    """P@10 before and after each number of judgements."""
    subject = collection.subjects[task.clip]
    names = [
        f"#{clip_id}"
        for name, clip_id in collection.ids.items()
        if (name != task.clip if left_out == "file" else collection.subjects[name] != subject)
    ]
    where = {"index": index, "names": names, "onsets": 1.0, **asked}
    first = search_bank(collection.bank, task.segment, k=2 * N_BEST, **where)
    found = []
    for n_judged in JUDGEMENTS:
        judged = first.matches[:n_judged]
        right = [is_right(collection, task, match) for match in judged]
        profile = learn_profile(
            collection.bank,
            first,
            accepted=[match for match, good in zip(judged, right, strict=True) if good],
            rejected=[match for match, good in zip(judged, right, strict=True) if not good],
            features=collection.features,
        )
        again = search_bank(collection.bank, task.segment, k=N_BEST, profile=profile, without=judged, **where)
        before = first.matches[n_judged : n_judged + N_BEST]
        found.append((precision(collection, task, before), precision(collection, task, again.matches)))
    return found


def is_right(collection: Collection, task: Task, match: Match) -> bool:
    return collection.categories[match.clip] == task.category


def precision(collection: Collection, task: Task, matches: Sequence[Match]) -> float:
    return sum(is_right(collection, task, match) for match in matches) / N_BEST


def print_figures(left_out: str, categories: np.ndarray, figures: np.ndarray) -> None:
    """A table of actions, before and after (N, judgements, 2), with means, gains and their intervals."""
    print(f"\nwithout the query's own {left_out}\n")
    print("| action | " + " | ".join(f"{n} judged: before | after" for n in JUDGEMENTS) + " |")
    print("| --- " * (1 + 2 * len(JUDGEMENTS)) + "|")
    flat = figures.reshape(len(figures), -1)
    for category in dict.fromkeys(categories.tolist()):
        means = flat[categories == category].mean(axis=0)
        print(f"| {category} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")
    print("| **mean of actions** | " + " | ".join(f"**{x:.3f}**" for x in mean_of_actions(categories, flat)) + " |")
    gains = figures[:, :, 1] - figures[:, :, 0]
    rng = np.random.default_rng(0)
    drawn = [rng.integers(len(gains), size=len(gains)) for _ in range(N_DRAWN)]
    spread = np.percentile([mean_of_actions(categories[rows], gains[rows]) for rows in drawn], [2.5, 97.5], axis=0)
    for n_judged, gain, low, high in zip(JUDGEMENTS, mean_of_actions(categories, gains), *spread, strict=True):
        print(f"{n_judged} judged: {gain:+.3f} ({low:+.3f} to {high:+.3f})", flush=True)


if __name__ == "__main__":
    main()
