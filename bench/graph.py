"""Motion graphs: how fast they are built and used, and how good the transitions are that a metric chooses.

    python bench/graph.py [BANK] [--labels LABEL …]

Without a bank, the sample library. With one of CMU's captures (labels walk, punch, kick, get_up, jump), the slide of
feet in the chosen transitions is compared between metrics on the sets that are named below, chosen by label alone.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from motionary.artefacts import ArtefactStore
from motionary.bank import Bank
from motionary.graph import (
    Actor,
    FollowOptions,
    GraphSettings,
    GroundPath,
    Route,
    build_graph,
    follow_path,
    perform,
    random_walk,
    shortest_route,
)
from motionary.graph.candidates import Margins
from motionary.graph.dense import dense_candidates
from motionary.graph.kept import KIND
from motionary.library import build_features, performance
from motionary.metrics import Window, cloud_points, metric_named
from motionary.plants import FEET, PARTS
from motionary.sample import sample_into

SETS = {"fighting: punch": ["punch"], "fighting: kick": ["kick"], "reactions: get_up": ["get_up"],
        "reactions: jump": ["jump"], "walking": ["walk"]}  # fmt: skip
METRICS = ("uniform", "heuristic", "source", "dynamics", "direction")
N_CLIPS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", nargs="?", type=Path)
    parser.add_argument("--only", choices=["build", "slide", "use"], default=None)
    parser.add_argument("--clips", type=int, default=N_CLIPS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.bank or Path(folder) / "sample.bank"
        with Bank.open(path, create=options.bank is None) as bank:
            if options.bank is None:
                sample_into(bank, minutes=5.0, seed=1)
            if options.only in (None, "build"):
                time_build(bank, options.clips)
            if options.only in (None, "slide"):
                compare_slides(bank)
            if options.only in (None, "use"):
                time_use(bank)


def time_build(bank: Bank, n_clips: int) -> None:
    """The graph of some clips, beside the plain loop over pairs of frames that fairmotion has."""
    features = build_features(bank)
    ids = [int(i) for i in np.random.default_rng(0).choice(features.clip_ids, min(n_clips, features.n_clips), False)]
    arrays = [features.of(i).arrays for i in ids]
    lengths = [len(one["root"]) for one in arrays]
    print(f"{len(ids)} clips, {sum(lengths):,} frames")
    for name in ("points", "dynamics"):
        metric = metric_named(name, window=Window(5, 5))
        described = [metric.describe(one, rate_hz=30.0) for one in arrays]
        list(
            dense_candidates(
                described[:1], metric, lengths=lengths[:1], margins=Margins(5, 5, 0.0025), reach=7, off_diagonal=11
            )
        )
        wall, cpu = time.perf_counter(), time.process_time()
        described = [metric.describe(one, rate_hz=30.0) for one in arrays]
        found = list(
            dense_candidates(
                described, metric, lengths=lengths, margins=Margins(5, 5, 0.0025), reach=7, off_diagonal=11
            )
        )
        n = sum(len(cells) for _, _, cells in found)
        print(
            f"  {name}: {time.perf_counter() - wall:.2f} s ({time.process_time() - cpu:.2f} s of processor), "
            f"{n:,} candidates"
        )
    n_pairs = sum(lengths) ** 2 / 2
    clouds = [cloud_points(one["positions"], one["root"], rate_hz=30.0) for one in arrays[:2]]
    begin, done = time.process_time(), 0
    while time.process_time() - begin < 5.0:
        i, j = done % (len(clouds[0]) - 10), (7 * done) % (len(clouds[1]) - 10)
        plain_distance(clouds[0][i : i + 10], clouds[1][j : j + 10])
        done += 1
    per_pair = (time.process_time() - begin) / done
    print(
        f"  plain loop over pairs of windows (as fairmotion has it): {per_pair * 1e6:.0f} µs a pair, "
        f"{per_pair * n_pairs:,.0f} s in all"
    )


def plain_distance(first: np.ndarray, second: np.ndarray) -> float:
    """The distance of two windows, each placed by its first frame, as a plain program computes it."""
    moved = []
    for window in (first, second):
        across = window[0, 14] - window[0, 6]
        angle = np.arctan2(across[2], across[0])
        turn = np.array([[np.cos(angle), 0.0, np.sin(angle)], [0.0, 1.0, 0.0], [-np.sin(angle), 0.0, np.cos(angle)]])
        moved.append((window - window[0, 0] * (1.0, 0.0, 1.0)) @ turn.T)
    return float(((moved[0] - moved[1]) ** 2).sum())


def compare_slides(bank: Bank) -> None:
    """Foot slide of the chosen transitions before clean-up, start to end, over frames planted in source or target.

    Every metric keeps as many transitions: the mean rank of the knees of all metrics.
    """
    known = {name for name, _, _ in bank.label_counts()}
    for title, labels in SETS.items():
        if not set(labels) <= known:
            continue
        names = sorted(clip.name for clip in bank.clips(labels=labels))[:12]
        graphs = {}
        for metric in METRICS:
            settings = GraphSettings(metric, "dense", blend_choices=(1 / 3,), ceiling_cm=60.0)
            graphs[metric] = build_graph(bank, settings=settings, threshold="knee", names=names)
        rank = round(np.mean([(built.candidates <= built.limit).sum() for built in graphs.values()]))
        rank = min(rank, 150)
        slides = {}
        for metric, built in graphs.items():
            limit = np.sort(built.candidates)[rank - 1]
            whole = built.whole
            numbers = np.flatnonzero(whole.costs <= limit)[: 2 * rank]
            slides[metric] = slides_of(bank, whole, numbers)
        base = np.mean(slides["uniform"])
        told = ", ".join(f"{m} {100 * np.mean(s):.1f} cm ({np.mean(s) / base:.2f})" for m, s in slides.items())
        print(f"{title}: {len(names)} clips, best {rank} transitions: {told}")
        ArtefactStore.of(bank).remove([KIND.name])


def slides_of(bank: Bank, graph, numbers: np.ndarray) -> np.ndarray:
    clips = {}
    found = []
    actor = None
    for number in numbers.tolist():
        route = Route(graph, int(graph.departs[number]), np.array([number]), int(graph.arrives[number]))
        for first, _ in route.runs:
            n = int(graph.ways.clip_of(first))
            if n not in clips:
                clips[n] = performance(bank, int(graph.clip_ids[n]))
        if actor is None:
            actor = Actor(clips[int(graph.ways.clip_of(route.start))].body, graph.rate_hz)
        made = perform(route, [clips.get(n) for n in range(graph.ways.n_clips)], actor, clean_feet=False)
        points = actor.body.feet.world(made.blended)
        length = int(graph.lengths[number])
        masks = []
        for frame, (first, _) in ((route.start, route.runs[0]), (int(graph.arrives[number]) - length, route.runs[1])):
            n = int(graph.ways.clip_of(first))
            local = frame - int(graph.ways.starts[n])
            mask = np.zeros((length + 1, 2), dtype=bool)
            for plant in actor.clip(clips[n]).plants:
                low, high = max(plant.start - local, 0), min(plant.stop - local, length + 1)
                if high > low:
                    mask[low:high, FEET.index(plant.foot)] = True
            masks.append(mask)
        planted = masks[0] | masks[1]
        slide = 0.0
        for foot in range(2):
            frames = np.flatnonzero(planted[:, foot])
            if len(frames) > 1:
                ends = points[frames[[0, -1]], foot, PARTS.index("toe")][:, [0, 2]]
                slide += float(np.linalg.norm(ends[1] - ends[0]))
        found.append(slide)
    return np.array(found)


def time_use(bank: Bank) -> None:
    known = {name for name, _, _ in bank.label_counts()}
    labels = ["walk"] if "walk" in known else []
    built = build_graph(bank, labels=labels, threshold="knee")
    graph = built.graph
    print(f"graph of {built.of}: {graph.n_transitions:,} transitions, {graph.duration_secs:.0f} s")
    begin = time.perf_counter()
    walk = random_walk(graph, rng=np.random.default_rng(0), n_transitions=1_000_000)
    again = random_walk(graph, rng=np.random.default_rng(0), n_transitions=1_000_000)
    ok = bool((walk.taken == again.taken).all()) and len(walk.taken) == 1_000_000
    print(
        f"2 × 1,000,000 steps: {time.perf_counter() - begin:.2f} s, the same: {ok}, all lead on: {walk.all_lead_on}, "
        f"worst {100 * np.sqrt(graph.costs[walk.taken].max()):.2f} cm of {100 * np.sqrt(built.limit):.2f}"
    )
    rng = np.random.default_rng(1)
    times, lengths = [], []
    for n in range(201):
        start, goal = int(rng.choice(graph.departs)), int(rng.choice(graph.arrives))
        begin = time.perf_counter()
        route = shortest_route(graph, start, goal)
        if n:
            times.append(time.perf_counter() - begin)
            lengths.append(route.duration_secs)
    print(
        f"200 ways between frames: {1000 * np.median(times):.2f} ms median, {1000 * np.max(times):.2f} ms longest; "
        f"{np.median(lengths):.1f} s of motion median, {np.quantile(lengths, 0.9):.1f} s 90 %, "
        f"{np.max(lengths):.1f} s longest"
    )
    turn = np.linspace(0.0, 2.0 * np.pi, 400)
    paths = {
        "line": np.array([0.0, 10.0j]), "circle": 2.5 * np.exp(1j * turn),
        "zigzag": np.array([0, 3 + 2j, 6, 9 + 2j, 12]),
        "eight": 3 * np.sin(turn) + 3j * np.sin(turn) * np.cos(turn),
        "spiral": (0.8 + 0.42 * turn) * np.exp(2j * turn),
    }  # fmt: skip
    clips = {}
    first = performance(bank, int(graph.clip_ids[0]))
    actor = Actor(first.body, graph.rate_hz)
    from motionary.rig import body_of, reference_skeleton

    scale = first.body.leg_length / body_of(reference_skeleton()).leg_length
    follow_path(graph, GroundPath.through(paths["line"]), scale=scale)
    for name, points in paths.items():
        path = GroundPath.through(points)
        begin = time.process_time()
        followed = follow_path(graph, path, options=FollowOptions(), scale=scale)
        searched = time.process_time() - begin
        for run, _ in followed.route.runs:
            n = int(graph.ways.clip_of(run))
            if n not in clips:
                clips[n] = performance(bank, int(graph.clip_ids[n]))
        every = [clips.get(n) for n in range(graph.ways.n_clips)]
        perform(followed.route, every, actor)
        begin = time.process_time()
        made = perform(followed.route, every, actor)
        performed = time.process_time() - begin
        root = made.motion.root_positions
        off = path.distances(root[:, 0] + 1j * root[:, 2])
        secs = made.motion.duration_secs
        slides = 1000 * made.slides.max(axis=0)
        print(
            f"  {name}: {path.length:.1f} m in {secs:.1f} s, {100 * off.mean():.1f} cm off"
            f"; search {searched:.2f} s, motion {performed:.2f} s: {secs / (searched + performed):.0f} × real time; "
            f"{len(followed.route.taken)} transitions; feet slide {slides[0]:.0f} mm before clean-up, "
            f"{slides[1]:.2f} mm after, {made.plants_not_held} plants not held"
        )


if __name__ == "__main__":
    main()
