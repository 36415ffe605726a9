"""How well match webs find actions: the experiment of Kovar & Gleicher 2004, sec. 5, on libraries whose truth is known.

Of an action's segments some are queries in turn. A match is right if more than half of it lies in a segment of the
action, and that segment is found. For each action the best threshold (by F1) is told, with
precision and recall: within the action's own clips, over everything, and in one step only; and what one step, all
steps, and all steps within a distance along the graph find at a precision of at least 90 %. Then the paper's two
failures.

    python bench/web_quality.py [BANK] [--rate HZ] [--picture kicks.svg]

With a folder of labels.csv and queries.csv (see bench/retrieval.py), actions are those of the queries, a match is right
if its clip has the query's category, and clips are found, not segments.

    python bench/web_quality.py library.bank ../shared/cmu

With `--exact`, exact search takes the steps: its matches become queries in turn (`motionary search --steps`).
"""

import argparse
import csv
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.motion import Segment
from motionary.picture import show_match_graph
from motionary.sample import sample_into
from motionary.search import Match, Searcher, WebSettings, build_index, build_web, search_bank, search_web

ACTIONS = ("walk", "run", "jump", "kick_side", "punch", "cartwheel", "sit_down", "stand_up", "throw", "pick_up")
CATEGORIES = ("walk", "run", "jump", "kick", "punch", "cartwheel", "sit_stand", "pick_up", "march", "stairs")
THRESHOLDS = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0)  # cm, up to the ceiling
DISTANCES = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 17.0, 20.0, 25.0, 30.0, 40.0)
N_QUERIES = 5
STEPS = (1, 2, 4)
MOST_MATCHES = 100
CLIP_HZ = 60.0  # of the sample library
HIGH_PRECISION = 0.9

Judge = Callable[[Sequence[Match]], tuple[int, int, int, int]]  # right, judged, found, to be found


@dataclass(frozen=True)
class Task:
    """A query, the clips that carry its label, and how matches are judged."""

    query: str
    own: tuple[str, ...]
    judge: Judge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", nargs="?", type=Path)
    parser.add_argument("folder", nargs="?", type=Path, help="with labels.csv and queries.csv")
    parser.add_argument("--rate", type=float, default=30.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--actions", default="", help="only these, with commas between")
    parser.add_argument("--part", action="store_true", help="a web of clips with one of the ten categories only")
    parser.add_argument("--most", type=int, help="a part with at most so many clips of a category, and the queries'")
    parser.add_argument(
        "--ceiling", type=float, default=15.0, help="cm; further apart, frames do not exist for the web"
    )
    parser.add_argument("--metric", default="points", help="frame distance of the web")
    parser.add_argument("--exact", action="store_true", help="exact search in steps, instead of a web")
    parser.add_argument("--picture", type=Path, help="where to draw the match graph of a front kick")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.bank or Path(folder) / "sample.bank"
        with Bank.open(path, create=options.bank is None) as bank:
            if options.bank is None:
                sample_into(bank, minutes=options.minutes)
            if options.folder:
                tasks = {name: list(_by_category(bank, options.folder, name, options.most)) for name in CATEGORIES}
            else:
                tasks = {name: list(_by_segments(bank, name)) for name in ACTIONS}
            part = (
                sorted({clip for some in tasks.values() for task in some for clip in task.own})
                if options.part or options.most
                else []
            )
            asked = options.actions.split(",") if options.actions else list(tasks)
            if options.exact:
                with Bank.open(Path(folder) / "part.bank", create=True) as its:
                    table_of_steps(bank, {name: tasks[name] for name in asked}, part, its)
                return
            settings = WebSettings(ceiling_cm=options.ceiling)
            searcher = Searcher(
                build_web(
                    bank, settings=settings, metric=options.metric, rate_hz=options.rate, names=part, message=print
                )
            )
            print(
                ", ".join(
                    f"{key} {value}" for key, value in searcher.web.facts().items() if key not in ("of", "folder")
                )
            )
            table(bank, searcher, {name: tasks[name] for name in asked})
            if not options.folder:
                failures(bank, searcher)
                kicks(bank, options.rate, options.picture)


def table(bank: Bank, searcher: Searcher, tasks: dict[str, list[Task]]) -> None:
    print(
        f"{'':<11}{'within its clips':>20}{'over everything':>20}{'in one step':>20}   "
        "recall at 90 %: one, all steps, all within"
    )
    means = []
    for action, of_action in tasks.items():
        if not of_action:
            continue
        curves = [
            _curve(bank, searcher, of_action, within=within, steps=steps)
            for within, steps in ((True, None), (False, None), (False, 1))
        ]
        near = [
            _point(bank, searcher, of_action, within=cm, epsilon_cm=min(cm, searcher.web.settings.ceiling_cm))
            for cm in DISTANCES
        ]
        best = [max(curve, key=lambda p: 2 * p[1] * p[2] / max(p[1] + p[2], 1e-9)) for curve in curves]
        at_equal = [
            max((p[2] for p in curve if p[1] >= HIGH_PRECISION), default=0.0) for curve in (curves[2], curves[1], near)
        ]
        means.append([*(number for point in best for number in point[1:]), *at_equal])
        told = "".join(f"{cm:>6.0f} cm{precision:>6.0%}{found:>5.0%}" for cm, precision, found in best)
        print(f"{action:<11}{told}   {', '.join(f'{recall:.0%}' for recall in at_equal)}", flush=True)
    mean = np.mean(means, axis=0)
    told = "".join(f"{'':>9}{mean[n]:>6.0%}{mean[n + 1]:>5.0%}" for n in (0, 2, 4))
    print(f"{'mean':<11}{told}   {mean[6]:.0%}, {mean[7]:.0%}, {mean[8]:.0%}   (precision, recall)")


def table_of_steps(bank: Bank, tasks: dict[str, list[Task]], clips: Sequence[str], part: Bank) -> None:
    """Recall at a precision of 90 % over everything, by exact search in one step and in several.

    The clips are put into a bank `part` of their own, so that a search does not take as long as in all of the library.
    """
    for clip in clips:
        part.add(bank.clip(clip).name, bank.recording(clip))
    index = build_index(part)
    print(f"{'':<11}" + "".join(f"{_in_steps(steps):>12}" for steps in STEPS))
    rows = []
    for action, of_action in tasks.items():
        if not of_action:
            continue
        row = []
        for steps in STEPS:
            found = [
                search_bank(part, _named(bank, task.query), k=MOST_MATCHES, steps=steps, index=index).matches
                for task in of_action
            ]
            limits = np.unique(np.quantile([match.mean for some in found for match in some], np.linspace(0, 1, 200)))
            points = [_of_nearest(of_action, found, float(limit)) for limit in limits]
            row.append(max((recall for precision, recall in points if precision >= HIGH_PRECISION), default=0.0))
        rows.append(row)
        print(f"{action:<11}" + "".join(f"{recall:>12.0%}" for recall in row), flush=True)
    print(f"{'mean':<11}" + "".join(f"{recall:>12.1%}" for recall in np.mean(rows, axis=0)))


def _named(bank: Bank, query: str) -> str:
    """The query by the name of its clip, which is the same in every bank."""
    segment = bank.segment(query)
    return f"{bank.clip(segment.clip_id).name}:{segment.start}-{segment.stop}"


def _in_steps(steps: int) -> str:
    return "one step" if steps == 1 else f"{steps} steps"


def _of_nearest(tasks: Sequence[Task], found: Sequence[Sequence[Match]], limit: float) -> tuple[float, float]:
    """Precision and recall of the matches whose mean is within the limit, as means over queries."""
    precisions, recalls = [], []
    for task, matches in zip(tasks, found, strict=True):
        right, judged, n_found, wanted = task.judge([match for match in matches if match.mean <= limit])
        recalls.append(n_found / max(1, wanted))
        if judged:
            precisions.append(right / judged)
    return float(np.mean(precisions)) if precisions else 1.0, float(np.mean(recalls))


def _curve(
    bank: Bank, searcher: Searcher, tasks: Sequence[Task], *, within: bool, steps: int | None
) -> list[tuple[float, float, float]]:
    """Threshold, precision and recall, means over queries that find something (precision) and over all (recall)."""
    return [
        _point(bank, searcher, tasks, epsilon_cm=epsilon, steps=steps, own=within)
        for epsilon in THRESHOLDS
        if epsilon <= searcher.web.settings.ceiling_cm
    ]


def _point(
    bank: Bank, searcher: Searcher, tasks: Sequence[Task], *, own: bool = False, **options: Any
) -> tuple[float, float, float]:
    """The threshold, precision (of queries that find something) and recall (of all); `own`: in the label's clips."""
    precisions, recalls = [], []
    for task in tasks:
        result = search_web(bank, task.query, searcher=searcher, names=task.own if own else (), **options)
        right, judged, found, wanted = task.judge(result.matches)
        recalls.append(found / max(1, wanted))
        if judged:
            precisions.append(right / judged)
    threshold = options.get("within", options["epsilon_cm"])
    return threshold, float(np.mean(precisions)) if precisions else 1.0, float(np.mean(recalls))


def _by_segments(bank: Bank, action: str) -> list[Task]:
    truth = bank.labelled(action)
    own = tuple(f"#{clip_id}" for clip_id in sorted({segment.clip_id for segment in truth}))
    every = max(1, len(truth) // N_QUERIES)
    return [Task(_inner(query), own, _segment_judge(query, truth)) for query in truth[::every][:N_QUERIES]]


def _inner(segment: Segment) -> str:
    """The middle three fifths, at most 1.5 s: at its ends an action is like any other, and some go on and on."""
    middle, half = (segment.start + segment.stop) / 2, min(0.3 * (segment.stop - segment.start), 0.75 * CLIP_HZ)
    return f"#{segment.clip_id}:{round(middle - half)}-{round(middle + half)}"


def _segment_judge(query: Segment, truth: Sequence[Segment]) -> Judge:
    others = [segment for segment in truth if segment != query]

    def judge(matches: Sequence[Match]) -> tuple[int, int, int, int]:
        right = [m for m in matches if any(2 * _common(m.segment, s) > _length(m) for s in truth)]
        found = [s for s in others if any(2 * _common(m.segment, s) > _length(m) for m in matches)]
        return len(right), len(matches), len(found), len(others)

    return judge


def _common(a: Segment, b: Segment) -> int:
    return min(a.stop, b.stop) - max(a.start, b.start) if a.clip_id == b.clip_id else 0


def _by_category(bank: Bank, folder: Path, category: str, most: int | None) -> list[Task]:
    ids = {clip.name: clip.id for clip in bank.clips()}
    rows = {row["file"].split(".")[0]: row["category"] for row in _rows(folder / "labels.csv")}
    categories = {name: rows[name] for name in ids if rows.get(name)}
    asked = _rows(folder / "queries.csv")
    queries = {row["file"].split(".")[0] for row in asked}
    own = [name for name, its in categories.items() if its == category]
    own = sorted(own, key=lambda name: (name not in queries, name))[:most]
    tasks = []
    for row in asked:
        clip = row["file"].split(".")[0]
        if row["category"] != category or clip not in ids:
            continue

        def judge(matches: Sequence[Match], clip: str = clip) -> tuple[int, int, int, int]:
            known = [m.clip for m in matches if m.clip in categories and m.clip != clip]
            right = [name for name in known if categories[name] == category]
            return len(right), len(known), len(set(right)), len(own) - 1

        query = f"#{ids[clip]}:{row['start_frame']}-{row['end_frame']}"
        tasks.append(Task(query, tuple(f"#{ids[name]}" for name in own), judge))
    return tasks


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def failures(bank: Bank, searcher: Searcher) -> None:
    """What a put back is to a pick up, and a side kick to a front kick: the paper's two failures."""
    for action, other in (("pick_up", "put_back"), ("kick_front", "kick_side")):
        print(
            f"{action}, by threshold: {action} and {other} among the matches of all steps, and the share of each found"
        )
        truth = {name: bank.labelled(name) for name in (action, other)}
        for epsilon in (4.0, 6.0, 8.0, 10.0, 12.0):
            told = []
            for name, segments in truth.items():
                judged = []
                for query in truth[action][:N_QUERIES]:
                    matches = search_web(bank, _inner(query), searcher=searcher, epsilon_cm=epsilon).matches
                    judged.append(_segment_judge(query, segments)(matches))
                right, _, found, wanted = np.sum(judged, axis=0)
                told.append(f"{name} {right} ({found / max(1, wanted):.0%})")
            print(f"  {epsilon:>4.0f} cm: {', '.join(told)}")


def kicks(bank: Bank, rate_hz: float, path: Path | None) -> None:
    """How a front kick leads to a side kick, in a web of kicks alone that knows of more distant things."""
    fronts, sides = (bank.labelled(name) for name in ("kick_front", "kick_side"))
    clips = sorted({f"#{segment.clip_id}" for segment in (*fronts, *sides)})
    searcher = Searcher(build_web(bank, rate_hz=rate_hz, settings=WebSettings(ceiling_cm=40.0), names=clips))
    for epsilon in np.arange(4.0, 40.1, 0.5):
        for query in fronts:
            result = search_web(bank, _inner(query), searcher=searcher, epsilon_cm=float(epsilon))
            far = [
                n for n, m in enumerate(result.matches) if any(2 * _common(m.segment, s) > _length(m) for s in sides)
            ]
            if far:
                print(f"a front kick leads to {len(far)} side kicks of {len(sides)} at {epsilon:g} cm")
                if path is not None:
                    show_match_graph(bank, result, path, n_matches=23)
                return
    print("no front kick leads to a side kick")


def _length(match: Match) -> int:
    return match.segment.stop - match.segment.start


if __name__ == "__main__":
    main()
