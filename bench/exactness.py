"""Whether the index answers as the scan does, to the last bit: random queries with random options, on any bank.

Every query is asked twice, and matches are compared with all that they carry: segments, distances, means, scales, sides
and alignments. Most queries look through some clips only, so that the scan takes seconds; a few through all. Query i
of a seed is always the same one: `--only i` asks it again, whatever was changed meanwhile.

    python bench/exactness.py library.bank
    python bench/exactness.py library.bank --queries 1000 --seed 7 --whole 0
    python bench/exactness.py library.bank --only 17
"""

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search import Query, SearchResult, Unlike, build_index, scan, search
from motionary.search.exact import LEARNED, Comparison, index_for
from motionary.search.examples import ExampleMaker

DESCRIBED = (
    *((name,) for name in ("gist", "gist", "positions", "angles", "root", "curves", LEARNED, LEARNED, LEARNED)),
    *(("positions", "root"), ("gist", "curves"), ("angles", "root", "curves"), ("gist", "positions", "angles")),
    *((LEARNED, "root"), ("gist", LEARNED)),
)
LENGTHS = (1, 7, 30, 60, 60, 60, 60, 65, 90, 130, 240)
WEIGHTS = (0.0, 1e-3, 0.3, 2.0, 10.0)
TOLERANCES = (0.0, 0.2, 0.5, 0.5, 1.0, 3.0)
OVER_TIME = ((1.0, 3.0, 1.0), (0.0, 1.0), (5.0, 1.0, 0.0, 1.0), (1.0, -0.3, 1.0))
WINDOWS = (0.0, 0.05, 0.1, 0.1, 0.1, 0.2, 0.5, (0.0, 0.2, 0.05), (0.3, 0.0))
MOST_FRAMES = 60_000  # of windows times variants of the query: about what a scan does in some seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--whole", type=int, default=6, help="how many of them look through all clips")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the number of one query")
    options = parser.parse_args()
    numbers = range(options.queries) if options.only is None else [options.only]
    every = options.queries // options.whole if options.whole else options.queries + 1
    n_wrong, kinds, secs = 0, Counter[str](), np.zeros(2)
    with Bank.open(options.bank, read_only=True) as bank:
        index = index_for(bank, build_index(bank, message=print), (LEARNED,), message=print)
        maker = ExampleMaker(bank, index.features)
        for number in numbers:
            rng = np.random.default_rng([options.seed, number])
            query, words = drawn_query(rng, maker, index.features, whole=number % every == every - 1)
            clip_ids = None if number % every == every - 1 else drawn_clips(rng, index.features, query)
            start = time.perf_counter()
            found = search(index, query, clip_ids=clip_ids)
            middle = time.perf_counter()
            wanted = scan(index.features, query, clip_ids=clip_ids)
            taken = np.array([middle - start, time.perf_counter() - middle])
            secs += taken
            kinds[query.distance] += 1
            n_clips = index.features.n_clips if clip_ids is None else len(clip_ids)
            print(
                f"{number}: {words}; {n_clips} clips; {len(wanted.matches)} matches; "
                f"{1e3 * taken[0]:.0f} ms, scan {1e3 * taken[1]:.0f} ms",
                flush=True,
            )
            differences = told_apart(found, wanted)
            n_wrong += bool(differences)
            for difference in differences[:5]:
                print(f"   DIFFERENT {difference}", flush=True)
    print(
        f"{len(numbers)} queries ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}): "
        f"{n_wrong} different from the scan; {secs[0]:.1f} s, scan {secs[1]:.1f} s"
    )
    raise SystemExit(1 if n_wrong else 0)


def drawn_query(
    rng: np.random.Generator, maker: ExampleMaker, features: LibraryFeatures, *, whole: bool
) -> tuple[Query, str]:
    """A query with options, and what they are; plainer ones where the whole library is looked through."""
    while True:
        described = DESCRIBED[rng.integers(len(DESCRIBED))]
        example = maker.example(drawn_segment(rng, features, LENGTHS[rng.integers(len(LENGTHS))]))
        asked: dict[str, Any] = {
            "distance": str(rng.choice(["dtw", "dtw", "euclid", "lcss"])),
            "descriptions": described,
            "mirrored": str(rng.choice(["no", "both", "only"])),
            "window": WINDOWS[rng.integers(len(WINDOWS))],
            "onsets": float(rng.choice([0.0, 0.5, 0.8, 0.8, 2.0])),
            "with_itself": bool(rng.random() < 0.3),
            **drawn_number(rng),
        }
        if rng.random() < 0.4:
            asked["joints"] = tuple(drawn_words(rng, described, 3))
        if rng.random() < 0.5:
            signs = (1.0, -1.0) if rng.random() < 0.3 else (1.0,)
            asked["weights"] = {
                word: float(rng.choice(WEIGHTS) * rng.choice(signs)) for word in drawn_words(rng, described, 3)
            }
        if rng.random() < 0.3:
            asked["over_time"] = OVER_TIME[rng.integers(len(OVER_TIME))]
        if rng.random() < 0.25 and example.n_frames > 1 and not whole:
            asked["scale"] = float(rng.choice([0.05, 0.1, 0.3]))
        if asked["distance"] == "lcss":
            asked |= {"within": asked["within"] / 15.0} if "within" in asked else {}  # from 0 to 1
            asked["tolerance"] = float(rng.choice(TOLERANCES))
            if rng.random() < 0.4:
                factors = (-1.0, 0.3, 2.0, np.inf)
                asked["tolerances"] = {word: float(rng.choice(factors)) for word in drawn_words(rng, described, 2)}
        words = f"{example.name} ({example.n_frames} frames) {asked}"
        if rng.random() < 0.15 and example.n_frames > 1:
            unlike = maker.example(drawn_segment(rng, features, 40))
            asked["unlike"] = (Unlike(unlike, weight=float(rng.choice([0.2, 0.5, 1.5]))),)
            words += f" unlike {unlike.name} ({asked['unlike'][0].weight})"
        query = Query(example=example, **asked)
        try:
            Comparison.of(query)
        except UsageError:  # all weights or tolerances came to nothing
            continue
        return query, words


def drawn_number(rng: np.random.Generator) -> dict[str, Any]:
    """How many matches, or how near."""
    k = int(rng.choice([1, 3, 10, 10, 10, 40, 300]))
    within = float(rng.choice([0.3, 3.0, 8.0, 15.0]))
    return [{"k": k}, {"k": k}, {"k": k, "within": within}, {"k": None, "within": within}][rng.integers(4)]


def drawn_words(rng: np.random.Generator, described: tuple[str, ...], most: int) -> list[str]:
    """Some joints and dimensions of the descriptions."""
    known = descriptions()
    words = {word for name in described for d in known[name].dimensions for word in (d.part, d.name) if word}
    return [str(word) for word in rng.choice(sorted(words), size=int(rng.integers(1, most + 1)), replace=False)]


def drawn_segment(rng: np.random.Generator, features: LibraryFeatures, n_frames: int) -> Segment:
    """About as many search frames as are asked for, of any clip that has them, in the clip's own frames."""
    clips = np.flatnonzero(features.n_frames >= n_frames)
    c = int(rng.choice(clips, p=features.n_frames[clips] / features.n_frames[clips].sum()))
    start = int(rng.integers(features.n_frames[c] - n_frames + 1))
    return Segment(int(features.clip_ids[c]), *features.rates[c].clip_segment(start, start + n_frames))


def drawn_clips(rng: np.random.Generator, features: LibraryFeatures, query: Query) -> list[int]:
    """As many clips as a scan can go through in some seconds, its own mostly among them."""
    n_variants = (1 + 2 * query.scale * query.example.n_frames) * (2 if query.mirrored == "both" else 1)
    share = MOST_FRAMES * 60 / (n_variants * max(20, query.example.n_frames)) / features.n_frames.sum()
    most = int(np.clip(share * features.n_clips, 6, 200))
    chosen = rng.choice(features.clip_ids, size=int(rng.integers(5, most)), replace=False).tolist()
    own = query.example.place
    return chosen + ([own.clip_id] if own is not None and rng.random() < 0.7 else [])


def told_apart(found: SearchResult, wanted: SearchResult) -> list[str]:
    """What the index and the scan do not agree on."""
    differences = []
    for what in ("n_windows", "n_compared", "n_clips"):
        if getattr(found, what) != getattr(wanted, what):
            differences.append(f"{what}: {getattr(found, what)}, scan {getattr(wanted, what)}")
    if len(found.matches) != len(wanted.matches):
        differences.append(f"matches: {len(found.matches)}, scan {len(wanted.matches)}")
    for rank, (ours, theirs) in enumerate(zip(found.matches, wanted.matches, strict=False), start=1):
        if ours.as_json() != theirs.as_json():
            differences.append(f"match {rank}: {ours.as_json()}, scan {theirs.as_json()}")
        elif not np.array_equal(ours.alignment.pairs, theirs.alignment.pairs):
            differences.append(f"match {rank}: another alignment")
        elif not np.isfinite([ours.distance, ours.mean]).all():
            differences.append(f"match {rank}: {ours.distance} is no distance")
    return differences


if __name__ == "__main__":
    main()
