"""Speed and size of match webs: `python bench/match_web.py [BANK] [--rate HZ] [--methods dense,pyramid,sparse]`.

Without a bank, ten minutes of the sample library at 60 Hz are made: about as much as in Kovar & Gleicher 2004. Recall
is that of the dense web's chain cells, weighted by 1 − D/ε_max, a cell counting as found if one of the other web lies
within a frame of it. `--clips 90` takes so many clips at random; `--growth` builds webs of a quarter, half and all.
"""

import argparse
import resource
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import numpy as np

from motionary.bank import Bank
from motionary.library import build_features
from motionary.metrics import PointCloudMetric, frame_distances
from motionary.sample import sample_into
from motionary.search import MatchWeb, Searcher, WebSettings, build_web, search_web
from motionary.search.match_web.pair_paths import LEVELS, unpacked

QUERY_SECS = 1.5
N_QUERIES = 40
EPSILON_CM = 8.0
OPERATIONS = 325  # of a pair of frames: 20 points in products, 5 frames of a window in sums, a root
AS_PRODUCTS = 1000  # of the same as matrix products of whole windows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", nargs="?", type=Path)
    parser.add_argument("--rate", type=float, default=60.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--methods", default="dense,pyramid,sparse")
    parser.add_argument("--clips", type=int, help="only so many, chosen at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.bank or Path(folder) / "sample.bank"
        with Bank.open(path, create=options.bank is None) as bank:
            if options.bank is None:
                sample_into(bank, minutes=options.minutes)
            clips = [f"#{clip.id}" for clip in bank.clips()]
            if options.clips:
                rng = np.random.default_rng(options.seed)
                clips = [clips[n] for n in np.sort(rng.choice(len(clips), options.clips, replace=False))]
            build_features(bank, rate_hz=options.rate)
            if options.growth:
                growth(bank, options, clips)
            else:
                measure(bank, options, clips)


def measure(bank: Bank, options: argparse.Namespace, clips: list[str]) -> None:
    pairs_a_second(bank, options.rate, options.threads)
    webs: dict[str, MatchWeb] = {}
    for method in options.methods.split(","):
        webs[method] = timed_build(bank, method, options, clips)
        if method != "dense" and "dense" in webs:
            print(f"  recall {recall(webs['dense'], webs[method]):.2%} of the dense web's chains")
    searches(bank, webs.popitem()[1])


def timed_build(bank: Bank, method: str, options: argparse.Namespace, clips: list[str]) -> MatchWeb:
    """A web that is not there yet, after another of one clip, so that nothing is compiled while the clock runs."""
    settings, names = WebSettings(method=method), [] if len(clips) == len(bank.clips()) else clips
    build_web(bank, rate_hz=options.rate, settings=WebSettings(method=method, ceiling_cm=10.0), names=clips[:2])
    for folder in bank.derived_path.glob(f"web-*-{method}-*"):
        shutil.rmtree(folder)
    began, cpu = time.perf_counter(), time.process_time()
    web = build_web(bank, rate_hz=options.rate, settings=settings, names=names, threads=options.threads)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    facts = web.facts()
    rate = facts["frames"] ** 2 / 2.0 / took
    print(
        f"{method}: {took:.1f} s ({cpu:.1f} s of processors), {facts['frames']} frames, {facts['bytes'] / 1e6:.2f} MB, "
        f"{facts['chains']} chains, {facts['bridges']} bridges, {rate / 1e6:.0f} million pairs/s, "
        f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB"
    )
    return web


def growth(bank: Bank, options: argparse.Namespace, clips: list[str]) -> None:
    """How the time of builds grows with the library: the exponent is log2 of what twice as many clips take."""
    order = [clips[n] for n in np.random.default_rng(options.seed).permutation(len(clips))]
    for method in options.methods.split(","):
        for share in (4, 2, 1):
            timed_build(bank, method, options, order[: len(order) // share])


def pairs_a_second(bank: Bank, rate_hz: float, n_threads: int) -> None:
    """The share is of the arithmetic that single-precision matrix products reach here."""
    features = build_features(bank, rate_hz=rate_hz)
    longest = sorted(range(features.n_clips), key=lambda c: -features.n_frames[c])[:2]
    metric = PointCloudMetric()
    a, b = (metric.describe(features.of(int(features.clip_ids[c])).arrays, rate_hz=rate_hz) for c in longest)
    outs = [frame_distances(a, b) for _ in range(n_threads)]
    with ThreadPoolExecutor(n_threads) as pool:
        took = _median_secs(lambda: list(pool.map(lambda out: frame_distances(a, b, out=out), outs)))
    rate = n_threads * outs[0].size / took
    left, right = np.ones((2048, 512), np.float32), np.ones((512, 2048), np.float32)
    peak = 2 * 2048 * 2048 * 512 / _median_secs(lambda: left @ right)
    print(f"frame distances, {n_threads} threads: {rate / 1e6:.0f} million pairs/s")
    print(
        f"  {OPERATIONS} operations each: {OPERATIONS * rate / peak:.0%} of matrix products ({peak / 1e9:.0f} GFLOPS)"
    )
    print(f"  as matrix products of whole windows ({AS_PRODUCTS}) they would need {AS_PRODUCTS * rate / peak:.0%}")


def _median_secs(call) -> float:  # type: ignore[no-untyped-def]
    times = []
    for _ in range(9):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return median(times)


def recall(dense: MatchWeb, other: MatchWeb) -> float:
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
        if at is None or not n_chain_cells:
            continue
        theirs = unpacked(other.pair(at))
        known = np.zeros((max(rows.max(), theirs.rows.max()) + 3, max(columns.max(), theirs.columns.max()) + 3), bool)
        for i in range(3):
            for j in range(3):
                known[theirs.rows + i, theirs.columns + j] = True
        found += float(weights[known[rows + 1, columns + 1]].sum())
    return found / total if total else 1.0


def searches(bank: Bank, web: MatchWeb) -> None:
    """Queries anywhere in the library, each with a searcher that knows nothing but the layout of the web."""
    rng = np.random.default_rng(0)
    n_frames = round(QUERY_SECS * web.rate_hz)
    one, full = [], []
    for motion in web.clips:
        web.view(motion)
    for n in range(N_QUERIES + 1):
        clip = int(rng.choice([c for c in web.motions if web.features.n_frames[c] > n_frames]))
        start = int(rng.integers(web.features.n_frames[clip] - n_frames))
        first, last = web.features.rates[clip].clip_segment(start, start + n_frames)
        shown = f"#{int(web.features.clip_ids[clip])}:{first}-{last}"
        for steps, times in ((1, one), (None, full)):
            began = time.perf_counter()
            result = search_web(bank, shown, searcher=Searcher(web), epsilon_cm=EPSILON_CM, steps=steps)
            if n:  # the first one compiles
                times.append((time.perf_counter() - began, len(result.matches)))
    print(f"a {QUERY_SECS:g} s query: {1e3 * median(t for t, _ in one):.2f} ms, at most {1e3 * max(one)[0]:.1f} ms")
    slowest, n_matches = max(full)
    print(
        f"all steps: {1e3 * median(t for t, _ in full):.1f} ms; the slowest {1e3 * slowest:.0f} ms for {n_matches} "
        f"matches; for every 100 matches {1e5 * sum(t for t, _ in full) / max(1, sum(n for _, n in full)):.0f} ms"
    )


if __name__ == "__main__":
    main()
