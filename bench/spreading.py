"""How well labels spread from 1, 3 and 5 labelled segments of each action, where the truth is known.

Without a bank: the sample library, in which every frame has one action. So many segments of each action keep their
labels, drawn anew for each seed; all others are hidden, spread to, and scored frame by frame: F1 of an action is
2 right / (spread + true), the mean is over actions; precision and coverage are over frames. Calibration compares the
strength of spread labels with the share of their frames that is right; ECE is the mean difference over ten bins.

With a bank and a folder that holds labels.csv (file, category): labels of whole files are hidden but for so many files
of each category. A file is given the label with the largest sum of strengths over its frames; none if none is spread
to it. Precision, recall and F1 are means over categories of eight files or more. For calibration a frame is right if
its file has that category, though files hold other motion as well (standing, walking up).

Beside it "euclid", the plain way: each frame takes the label of the piece of an example that is nearest in a window
that covers it, by the Euclidean distance of joint positions as they are (15 frames a second, windows every 4th frame),
and never none. "fits" is the curve (level, slope) that the hidden truth itself would ask for.

With `--queries`, examples are segments (queries.csv: category, file, start_frame, end_frame) of one, four or all
categories at a time: most of the library then has none of the labels. Counted are spread segments in files whose
category is known: by strength, and by default (at which 80 % are expected to be right).

    python bench/spreading.py --minutes 20 --seeds 3
    python bench/spreading.py library.bank ../shared/cmu --seeds 2
    python bench/spreading.py library.bank ../shared/cmu --queries
"""

import argparse
import csv
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.sample import sample_into
from motionary.search import build_index, pose_index
from motionary.search.spreading import (
    Candidates,
    ExactFinder,
    Finder,
    Known,
    LabelledSegment,
    PoseFinder,
    Rules,
    find_candidates,
    fit_curve,
    spread,
)
from motionary.search.spreading.candidates import nearest_examples
from motionary.search.spreading.claims import Claim
from motionary.search.spreading.labelled import pieces

COUNTS = (1, 3, 5)  # labelled segments of each action
LEAST_FILES = 8
N_BINS = 10
EVERY = 4  # frames between windows of the plain way
THIN = 2  # frames of a window of which it compares one


@dataclass(frozen=True, eq=False)
class Library:
    """Features, and which label is right in which frame (−1: nobody knows)."""

    features: LibraryFeatures
    labels: list[str]
    truth: np.ndarray  # (F,) numbers of labels, clip after clip
    firsts: np.ndarray  # (C + 1,) the first frame of each clip
    pool: list[LabelledSegment]  # what may be an example
    by_file: bool

    @classmethod
    def of(cls, features: LibraryFeatures, pool: list[LabelledSegment], *, by_file: bool) -> "Library":
        labels = sorted({one.label for one in pool})
        firsts = np.concatenate([[0], np.cumsum(features.n_frames)]).astype(int)
        truth = np.full(firsts[-1], -1)
        library = cls(features, labels, truth, firsts, pool, by_file)
        for one in pool:
            truth[library.rows(one.segment)] = labels.index(one.label)
        return library

    def rows(self, segment: Segment) -> slice:
        clip = self.features.number(segment.clip_id)
        start, stop = self.features.rates[clip].search_segment(segment.start, segment.stop)
        return slice(int(self.firsts[clip]) + start, int(self.firsts[clip]) + stop)

    def drawn(self, n_each: int, rng: np.random.Generator) -> list[LabelledSegment]:
        """So many examples of each label, those of a smaller number first: all firsts, all seconds, …"""
        order = {label: [one for one in self.pool if one.label == label] for label in self.labels}
        order = {label: [its[i] for i in rng.permutation(len(its))] for label, its in order.items()}
        return [its[nth] for nth in range(n_each) for its in order.values() if nth < len(its)]

    def hidden(self, examples: Sequence[LabelledSegment]) -> np.ndarray:
        """Frames (F,) whose label is known, and was not shown."""
        found = self.truth >= 0
        for one in examples:
            found[self.rows(one.segment)] = False
        return found


@dataclass(frozen=True, eq=False)
class Answer:
    """What a way of spreading says: in every frame a label (−1: none) and its strength."""

    labels: np.ndarray  # (F,)
    strengths: np.ndarray  # (F,)
    note: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path, nargs="?")
    parser.add_argument("folder", type=Path, nargs="?", help="with labels.csv")
    parser.add_argument("--minutes", type=float, default=20.0, help="of the sample library")
    parser.add_argument("--library-seed", type=int, default=0, help="of the sample library")
    parser.add_argument("--seeds", type=int, default=3, help="how often examples are drawn")
    parser.add_argument("--ways", default="exact,wpca,euclid")
    parser.add_argument("--queries", action="store_true", help="a few labels at a time, from queries.csv")
    options = parser.parse_args()
    if options.queries:
        with Bank.open(options.bank, read_only=True) as bank:
            measure_queries(bank, options.folder)
        return
    if options.bank is not None:
        with Bank.open(options.bank, read_only=True) as bank:
            measure(bank, _files(bank, options.folder), options.ways.split(","), options.seeds, by_file=True)
        return
    with tempfile.TemporaryDirectory() as scratch, Bank.open(Path(scratch) / "a.bank", create=True) as bank:
        sample_into(bank, minutes=options.minutes, seed=options.library_seed)
        names = [name for name, _, _ in bank.label_counts()]
        pool = [LabelledSegment(segment, name) for name in names for segment in bank.labelled(name)]
        measure(bank, pool, options.ways.split(","), options.seeds, by_file=False)


def measure(bank: Bank, pool: list[LabelledSegment], ways: list[str], n_seeds: int, *, by_file: bool) -> None:
    features = build_features(bank)
    known = set(features.clip_ids.tolist())
    library = Library.of(features, [one for one in pool if one.segment.clip_id in known], by_file=by_file)
    n_clips = len({one.segment.clip_id for one in library.pool})
    print(f"{len(library.labels)} labels, {n_clips} labelled clips, {len(library.truth):,} frames, {n_seeds} draws")
    for way in ways:
        tell = _teller(bank, library, way)
        figures: dict[int, list[dict[str, float]]] = {count: [] for count in COUNTS}
        told: dict[int, list[Answer]] = {count: [] for count in COUNTS}
        bins: dict[int, list[np.ndarray]] = {count: [] for count in COUNTS}
        for seed in range(n_seeds):
            examples = library.drawn(max(COUNTS), np.random.default_rng(seed))
            start = time.perf_counter()
            answers = tell(examples)
            secs = time.perf_counter() - start
            for count, (shown, answer) in answers.items():
                hidden = library.hidden(shown)
                scores = by_files(library, answer, shown) if by_file else by_frames(library, answer, hidden)
                figures[count].append({**scores, "secs of 5": secs})
                told[count].append(answer)
                bins[count].append(reliability(library, answer, hidden))
        for count in COUNTS:
            means = {name: np.mean([one[name] for one in figures[count]]) for name in figures[count][0]}
            cells = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
            print(f"\n{way}, {count} of each: {cells}\n  {'; '.join(answer.note for answer in told[count])}")
            if way != "euclid":
                print_reliability(np.sum(bins[count], axis=0))


Teller = Callable[[list[LabelledSegment]], dict[int, tuple[list[LabelledSegment], Answer]]]


def _teller(bank: Bank, library: Library, way: str) -> Teller:
    """Answers for each number of examples, which are the first so many of each label."""
    features = library.features
    if way == "euclid":
        return lambda examples: {
            count: (shown, plain_answer(library, shown)) for count, shown in _shown(examples).items()
        }
    finder: Finder = (
        ExactFinder(build_index(bank, features=features))
        if way == "exact"
        else PoseFinder(pose_index(bank, features), features)
    )

    def tell(examples: list[LabelledSegment]) -> dict[int, tuple[list[LabelledSegment], Answer]]:
        candidates = find_candidates(finder, examples)
        return {
            count: (shown, spread_answer(library, finder, shown, candidates.of_examples(range(len(shown)))))
            for count, shown in _shown(examples).items()
        }

    return tell


def _shown(examples: list[LabelledSegment]) -> dict[int, list[LabelledSegment]]:
    """The first so many of each label."""
    nth: list[int] = []
    seen: dict[str, int] = {}
    for one in examples:
        seen[one.label] = seen.get(one.label, 0) + 1
        nth.append(seen[one.label])
    return {count: [one for one, n in zip(examples, nth, strict=True) if n <= count] for count in COUNTS}


def spread_answer(library: Library, finder: Finder, shown: list[LabelledSegment], candidates: Candidates) -> Answer:
    result = spread(
        library.features, Known(tuple(shown)), candidates, prior=finder.prior, rules=Rules(threshold=0.5, margin=0.0)
    )
    claims, curve = result.claims, result.curve
    labels, strengths = np.full(len(library.truth), -1), np.zeros(len(library.truth))
    for clip_id, claim in claims:
        first = int(library.firsts[library.features.number(clip_id)])
        labels[first + claim.start : first + claim.stop] = claim.label
        strengths[first + claim.start : first + claim.stop] = claim.strength
    asked = _asked_for(library, finder, shown, candidates)
    note = f"curve {curve.level:.2f} {curve.slope:.2f} (fits {asked[0]:.2f} {asked[1]:.2f})"
    return Answer(labels, strengths, note)


def _asked_for(
    library: Library, finder: Finder, shown: list[LabelledSegment], candidates: Candidates
) -> tuple[float, float]:
    """Level and slope that the hidden truth would ask for."""
    numbers = np.array([library.labels.index(one.label) for one in shown])
    hidden, rows, truths = library.hidden(shown), [], []
    for clip in np.unique(candidates.clips).tolist():
        n_frames, first = int(library.features.n_frames[clip]), int(library.firsts[clip])
        here = candidates.only(candidates.clips == clip)
        distances, _ = nearest_examples(here, numbers, n_labels=len(library.labels), start=0, stop=n_frames)
        chosen = hidden[first : first + n_frames] & np.isfinite(distances).any(axis=1)
        rows.append(distances[chosen][::5])
        truths.append(library.truth[first : first + n_frames][chosen][::5])
    together = np.concatenate(truths)
    curve = fit_curve(np.concatenate(rows), together, np.ones(len(together)), prior=finder.prior)
    return curve.level, curve.slope


def plain_answer(library: Library, shown: list[LabelledSegment]) -> Answer:
    """Every frame's label by the nearest window of plain positions."""
    features = library.features
    positions = np.asarray(features.arrays["positions"], dtype=np.float32)
    clips = [slice(int(first), int(first + n)) for first, n in zip(features.starts, features.n_frames, strict=True)]
    table = np.concatenate([positions[rows] for rows in clips])  # copies of a clip have rows of their own here
    clip_of = np.repeat(np.arange(len(clips)), features.n_frames)
    nearest = np.full((len(library.labels), len(table)), np.inf, dtype=np.float32)
    by_length: dict[int, list[tuple[int, np.ndarray]]] = {}
    for one in shown:
        rows = library.rows(one.segment)
        for start, stop in pieces(rows.start, rows.stop, rate_hz=features.rate_hz):
            piece = table[start:stop:THIN]
            by_length.setdefault(stop - start, []).append((library.labels.index(one.label), piece.ravel()))
    for length, some in by_length.items():
        starts = np.arange(0, len(table) - length + 1, EVERY)
        starts = starts[clip_of[starts] == clip_of[starts + length - 1]]
        best = np.full((len(library.labels), len(table) // EVERY + 1), np.inf, dtype=np.float32)
        for part in np.array_split(starts, max(1, len(starts) // 20_000)):
            windows = table[part[:, None] + np.arange(0, length, THIN)].reshape(len(part), -1)
            squares = (windows**2).sum(axis=1)
            queries = np.stack([piece for _, piece in some])
            distances = squares + (queries**2).sum(axis=1)[:, None] - 2.0 * queries @ windows.T
            for (label, _), found in zip(some, distances / windows.shape[1], strict=True):
                best[label, part // EVERY] = np.minimum(best[label, part // EVERY], found)
        for label in {label for label, _ in some}:
            for offset in range(length):  # a window's distance holds for all its frames
                rows = starts + offset
                nearest[label, rows] = np.minimum(nearest[label, rows], best[label, starts // EVERY])
    labels = np.where(np.isfinite(nearest.min(axis=0)), nearest.argmin(axis=0), -1)
    return Answer(labels, np.ones(len(labels)))


def by_frames(library: Library, answer: Answer, hidden: np.ndarray) -> dict[str, float]:
    labels, truth = answer.labels[hidden], library.truth[hidden]
    spread_to = labels >= 0
    return {
        "F1": float(np.mean([_f1(labels == n, truth == n) for n in np.unique(truth)])),  # of what is left to be found
        "precision": float((labels == truth)[spread_to].mean()),
        "coverage": float(spread_to.mean()),
    }


def by_files(library: Library, answer: Answer, shown: list[LabelledSegment]) -> dict[str, float]:
    """Of every clip the label with the largest sum of strengths."""
    n_clips, n_labels = len(library.firsts) - 1, len(library.labels)
    clip_of = np.repeat(np.arange(n_clips), np.diff(library.firsts))
    some = answer.labels >= 0
    keys = clip_of[some] * n_labels + answer.labels[some]
    sums = np.bincount(keys, answer.strengths[some], minlength=n_clips * n_labels).reshape(n_clips, n_labels)
    given = np.where(sums.max(axis=1) > 0, sums.argmax(axis=1), -1)
    truth = library.truth[library.firsts[:-1]]
    hidden = truth >= 0
    hidden[[library.features.number(one.segment.clip_id) for one in shown]] = False
    many = [n for n in range(n_labels) if (truth == n).sum() >= LEAST_FILES]
    given, right = given[hidden], truth[hidden]
    counts = [((given == n).sum(), (right == n).sum(), ((given == n) & (right == n)).sum()) for n in many]
    return {
        "F1": float(np.mean([2 * both / max(1, out + wanted) for out, wanted, both in counts])),
        "precision": float(np.mean([both / out for out, _, both in counts if out])),
        "recall": float(np.mean([both / wanted for _, wanted, both in counts])),
        "files right": float((given == right).mean()),
        "files labelled": float((given >= 0).mean()),
    }


def reliability(library: Library, answer: Answer, hidden: np.ndarray) -> np.ndarray:
    """By bin of strength: frames, sum of strengths, right ones (N_BINS, 3)."""
    some = hidden & (answer.labels >= 0)
    strengths, right = answer.strengths[some], answer.labels[some] == library.truth[some]
    number = np.minimum((strengths * N_BINS).astype(int), N_BINS - 1)
    return np.stack(
        [np.bincount(number, w, minlength=N_BINS) for w in (np.ones(len(number)), strengths, right)], axis=1
    )


def print_reliability(bins: np.ndarray) -> None:
    used = bins[bins[:, 0] > 0]
    gaps = np.abs(used[:, 1] - used[:, 2]).sum() / used[:, 0].sum()
    cells = ", ".join(f"{total / n:.2f}: {right / n:.2f} ({n:,.0f})" for n, total, right in used)
    print(f"  ECE {gaps:.3f}; strength: right (frames): {cells}", flush=True)


def measure_queries(bank: Bank, folder: Path) -> None:
    """Of one, four and all categories: how many spread segments are right, by strength and by default."""
    features = build_features(bank)
    finder = ExactFinder(build_index(bank, features=features))
    with (folder / "queries.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    examples = [
        LabelledSegment(
            Segment(bank.clip(row["file"].removesuffix(".bvh.gz")).id, int(row["start_frame"]), int(row["end_frame"])),
            row["category"],
        )
        for row in rows
    ]
    truth = {one.segment.clip_id: one.label for one in _files(bank, folder)}
    candidates = find_candidates(finder, examples)
    names = sorted({one.label for one in examples})
    rng = np.random.default_rng(0)
    for n_each in COUNTS:
        for n_names, n_draws in ((1, len(names)), (4, 6), (len(names), 3)):
            by_strength, chosen = np.zeros((N_BINS, 3)), np.zeros(3)
            for draw in range(n_draws):
                some = [names[draw]] if n_names == 1 else sorted(rng.choice(names, n_names, replace=False))
                numbers = sorted(
                    n
                    for name in some
                    for n in rng.permutation([n for n, one in enumerate(examples) if one.label == name])[:n_each]
                )
                known = Known(tuple(examples[n] for n in numbers))
                found = candidates.of_examples(numbers)
                for threshold in (0.5, None):
                    result = spread(features, known, found, prior=finder.prior, rules=Rules(threshold=threshold))
                    counts = _counted_claims(result.claims, known, truth)
                    if threshold is None:
                        chosen += counts.sum(axis=0)
                    else:
                        by_strength += counts
            cells = [f"{total / n:.2f}: {right / n:.2f} ({n:.0f})" for n, total, right in by_strength if n]
            print(f"{n_each} each of {n_names} labels; strength: right (segments): {', '.join(cells)}")
            n, total, right = chosen
            print(
                f"  by default: {right / max(n, 1):.2f} of {n:.0f} right, expected {total / max(n, 1):.2f}", flush=True
            )


def _counted_claims(claims: Sequence[tuple[int, Claim]], known: Known, truth: dict[int, str]) -> np.ndarray:
    """By bin of strength: claims on other files of a known category, the sum of strengths, right ones (N_BINS, 3)."""
    own = {one.segment.clip_id for one in known.examples}
    bins = np.zeros((N_BINS, 3))
    for clip_id, claim in claims:
        if clip_id in truth and clip_id not in own and not claim.undecided:
            right = truth[clip_id] == known.labels[claim.label]
            bins[min(int(claim.strength * N_BINS), N_BINS - 1)] += (1, claim.strength, right)
    return bins


def _f1(given: np.ndarray, right: np.ndarray) -> float:
    return float(2 * (given & right).sum() / max(1, given.sum() + right.sum()))


def _files(bank: Bank, folder: Path) -> list[LabelledSegment]:
    """Whole clips with the categories of their files."""
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        categories = {row["file"].removesuffix(".bvh.gz"): row["category"] for row in csv.DictReader(file)}
    clips = [(clip, categories.get(clip.name, "")) for clip in bank.clips()]
    return [LabelledSegment(clip.segment, category) for clip, category in clips if category]


if __name__ == "__main__":
    main()
