"""Speed, size and quality of match webs: `python bench/match_web.py [BANK] [--rate HZ]`.

Without a bank, ten minutes of the sample library at 60 Hz are made: about as much as in Kovar & Gleicher 2004.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from motionary.bank import Bank
from motionary.features import build_features
from motionary.metrics import PointCloudMetric, frame_distances
from motionary.sample import sample_into
from motionary.search import MatchWeb, Searcher, WebSettings, build_web, search_web
from motionary.search.match_web.pair_paths import LEVELS, unpacked

QUERY_SECS = 1.5
N_QUERIES = 40
ACTIONS = ("walk", "run", "jump", "kick_side", "punch", "cartwheel", "sit_down", "stand_up", "throw", "pick_up")
THRESHOLDS = (1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0)  # cm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", nargs="?", type=Path)
    parser.add_argument("--rate", type=float, default=60.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.bank or Path(folder) / "sample.bank"
        with Bank.open(path, create=options.bank is None) as bank:
            if options.bank is None:
                sample_into(bank, minutes=options.minutes)
            measure(bank, options.rate)


def measure(bank: Bank, rate_hz: float) -> None:
    features = build_features(bank, rate_hz=rate_hz)
    print(f"{features.n_clips} clips, {int(features.n_frames.sum())} frames at {rate_hz:g} Hz")
    pairs_a_second(bank, rate_hz)
    webs = {}
    for method in ("dense", "pyramid"):
        # Once for a few clips, so that nothing is compiled while the clock runs
        build_web(bank, rate_hz=rate_hz, settings=WebSettings(method=method, ceiling=0.1), names=[bank.clips()[0].name])
        began = time.perf_counter()
        web = webs[method] = build_web(bank, rate_hz=rate_hz, settings=WebSettings(method=method))
        took, facts = time.perf_counter() - began, web.facts()
        print(
            f"{method}: {took:.1f} s, {facts['bytes'] / 1e6:.2f} MB, {facts['chains']} chains, "
            f"{facts['bridges']} bridges, recall {recall(webs['dense'], web):.2%} of the dense web's chains"
        )
    searches(bank, webs["dense"])
    quality(bank, webs["dense"])


def pairs_a_second(bank: Bank, rate_hz: float) -> None:
    """Of one thread; the share is of the arithmetic that single-precision matrix products reach here."""
    features = build_features(bank, rate_hz=rate_hz)
    longest = sorted(range(features.n_clips), key=lambda c: -features.n_frames[c])[:2]
    metric = PointCloudMetric()
    a, b = (metric.describe(features.of(int(features.clip_ids[c])).arrays, rate_hz=rate_hz) for c in longest)
    out = frame_distances(a, b)
    times = []
    for _ in range(7):
        began = time.perf_counter()
        frame_distances(a, b, out=out)
        times.append(time.perf_counter() - began)
    rate = out.size / median(times)
    left, right = np.ones((1024, 512), np.float32), np.ones((512, 1024), np.float32)
    products = []
    for _ in range(7):
        began = time.perf_counter()
        left @ right
        products.append(time.perf_counter() - began)
    peak = 2 * 1024 * 1024 * 512 / median(products)
    print(f"frame distances, one thread: {rate / 1e6:.0f} million pairs/s")
    print(
        f"  270 operations each: {270 * rate / peak:.0%} of what matrix products reach "
        f"({peak / 1e9:.0f} GFLOPS, all threads)"
    )
    print(f"  written as matrix products, at 1000 operations each, they would need {1000 * rate / peak:.0%}")


def recall(dense: MatchWeb, other: MatchWeb) -> float:
    """The share of the dense web's chain cells, by 1 − D/ε_max², with a cell of the other web within ±1 frame."""
    found, total = 0.0, 0.0
    numbers = {(other.digests[pair["rows"]], other.digests[pair["columns"]]): n for n, pair in enumerate(other.pairs)}
    for n, entry in enumerate(dense.pairs):
        pair = dense.pair(n)
        paths = unpacked(pair)
        n_chain_cells = int(pair.paths["n_cells"][pair.paths["from_path"] < 0].sum())
        rows, columns = paths.rows[:n_chain_cells], paths.columns[:n_chain_cells]
        weights = 1.0 - (paths.values[:n_chain_cells] / LEVELS) ** 2
        total += float(weights.sum())
        at = numbers.get((dense.digests[entry["rows"]], dense.digests[entry["columns"]]))
        if at is None:
            continue
        theirs = unpacked(other.pair(at))
        known = np.unique(
            [
                (theirs.rows.astype(np.int64) + i + 1) * 1_000_000 + theirs.columns + j + 1
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
            ]
        )
        found += float(weights[np.isin((rows.astype(np.int64) + 1) * 1_000_000 + columns + 1, known)].sum())
    return found / total if total else 1.0


def searches(bank: Bank, web: MatchWeb) -> None:
    rng = np.random.default_rng(0)
    n_frames = round(QUERY_SECS * web.rate_hz)
    one, full = [], []
    for _ in range(N_QUERIES):
        clip = int(rng.choice([c for c in web.motions if web.features.n_frames[c] > n_frames]))
        start = int(rng.integers(web.features.n_frames[clip] - n_frames))
        rates = web.features.rates[clip]
        segment = bank.clip(int(web.features.clip_ids[clip])).segment
        first, last = rates.clip_segment(start, start + n_frames)
        shown = f"#{segment.clip_id}:{first}-{last}"
        search_web(bank, shown, searcher=Searcher(web), epsilon_cm=8.0, steps=1)  # maps what the query needs
        for steps, times in ((1, one), (None, full)):
            began = time.perf_counter()
            result = search_web(bank, shown, searcher=Searcher(web), epsilon_cm=8.0, steps=steps)
            times.append((time.perf_counter() - began, len(result.matches)))
    print(f"a {QUERY_SECS:g} s query: {1e3 * median(t for t, _ in one):.2f} ms, at most {1e3 * max(one)[0]:.1f} ms")
    slowest, n = max(full)
    print(
        f"all steps: {1e3 * median(t for t, _ in full):.1f} ms; the slowest {1e3 * slowest:.0f} ms for {n} matches; "
        f"for every 100 matches {1e3 * 100 * sum(t for t, _ in full) / max(1, sum(n for _, n in full)):.0f} ms"
    )


def quality(bank: Bank, web: MatchWeb) -> None:
    """Precision and recall at the best threshold, in one step and in all: the whole of one action as the query."""
    searcher = Searcher(web)
    print(f"{'action':<12}{'segments':>9}  {'one step: ε, precision, recall':>32}  {'all steps: the same':>32}")
    for action in ACTIONS:
        truth = bank.labelled(action)
        if len(truth) < 3:
            continue
        best = {}
        for steps in (1, None):
            for epsilon in THRESHOLDS:
                scores = [_scores(bank, searcher, query, truth, epsilon, steps) for query in truth[:6]]
                precision, found = (float(np.mean([score[n] for score in scores])) for n in (0, 1))
                f1 = 2 * precision * found / max(precision + found, 1e-9)
                best[steps] = max(best.get(steps, (0.0, 0.0, 0.0, 0.0)), (f1, -epsilon, precision, found))
        told = [f"{-e:.1f} cm {p:7.0%} {r:7.0%}" for _, e, p, r in (best[1], best[None])]
        print(f"{action:<12}{len(truth):>9}  {told[0]:>32}  {told[1]:>32}")


def _scores(bank, searcher, query, truth, epsilon, steps):
    """Precision of the matches, and the share of the other segments of the truth that are found (a third in common)."""
    fifth = (query.stop - query.start) // 5
    shown = f"#{query.clip_id}:{query.start + fifth}-{query.stop - fifth}"
    matches = search_web(bank, shown, searcher=searcher, epsilon_cm=epsilon, steps=steps).matches
    others = [one for one in truth if one != query]

    def common(segment, one):
        if segment.clip_id != one.clip_id:
            return 0
        return min(segment.stop, one.stop) - max(segment.start, one.start)

    right = [m for m in matches if any(2 * common(m.segment, one) > m.segment.stop - m.segment.start for one in truth)]
    found = [one for one in others if any(3 * common(m.segment, one) > one.stop - one.start for m in matches)]
    return (len(right) / len(matches) if matches else 1.0), len(found) / max(1, len(others))


if __name__ == "__main__":
    main()
