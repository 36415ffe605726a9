"""Motion graphs: how fast they are built and used, and how good the transitions are that a metric chooses.

    python bench/graph.py [BANK] [--only ROW …] [--all]

Every row of the goals is printed with its goal. Without a bank, the sample library is used, which has no fights. With
CMU's captures (labels walk, punch, kick, get_up, jump) the sets of the foot slide are chosen by label alone, before
anything was measured. `--all` also builds the graph of the whole bank, which takes minutes.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path
from shutil import copyfile, copytree

import numpy as np

from motionary.bank import Bank
from motionary.graph import (
    Actor,
    GraphSettings,
    GroundPath,
    Route,
    build_graph,
    follow_path,
    graph_facts,
    perform,
    random_walk,
    remove_graphs,
    shortest_route,
)
from motionary.graph.candidate_store import Comparison
from motionary.library import build_features, performance
from motionary.metrics import cloud_points
from motionary.plants import FEET, PARTS
from motionary.rig import body_of, reference_skeleton
from motionary.sample import sample_into

SETS = {"fighting: punch": "punch", "fighting: kick": "kick", "reactions: get_up": "get_up",
        "reactions: jump": "jump", "walking: walk": "walk"}  # fmt: skip
CLIPS_OF_A_SET = 12
METRICS = ("uniform", "heuristic", "source", "dynamics", "direction")
PER_SECOND = 67 / 34  # transitions, as the paper chose for its fights
N_CLIPS = 20
QUARTER = 7  # frames: transitions nearer than this, on both sides, are the same
TURN = np.linspace(0.0, 2.0 * np.pi, 400)
PATHS = {
    "line": np.array([0.0, 10.0j]),
    "circle": 2.5 * np.exp(1j * TURN),
    "figure of eight": 3 * np.sin(TURN) + 3j * np.sin(TURN) * np.cos(TURN),
    "zigzag": np.array([0, 3 + 2j, 6, 9 + 2j, 12]),
    "spiral": (0.8 + 0.42 * TURN) * np.exp(2j * TURN),
}
ROWS = ("clips", "recall", "slide", "steps", "ways", "paths")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", nargs="?", type=Path, help="is copied, not written to")
    parser.add_argument("--only", choices=ROWS, action="append", default=None)
    parser.add_argument("--all", action="store_true", help="also build the graph of all clips")
    parser.add_argument("--clips", type=int, default=N_CLIPS)
    parser.add_argument("--minutes", type=float, default=20.0, help="of motion, for recall")
    options = parser.parse_args()
    rows = options.only or (() if options.all else ROWS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.bank"
        if options.bank is not None:
            copyfile(options.bank, path)
            kept = options.bank.with_name(options.bank.name + ".derived") / "features"
            if kept.exists():
                copytree(kept, path.with_name(path.name + ".derived") / "features")
        with Bank.open(path, create=options.bank is None) as bank:
            if options.bank is None:
                sample_into(bank, minutes=5.0, seed=1)
            if options.all:
                time_whole(bank)
            if "clips" in rows:
                time_clips(bank, options.clips)
            if "recall" in rows:
                print_recall(bank, options.minutes)
            if "slide" in rows:
                compare_slides(bank)
            if {"steps", "ways", "paths"} & set(rows):
                time_use(bank, rows)


class Clock:
    """Wall and processor time since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    @property
    def wall(self) -> float:
        return time.perf_counter() - self._wall

    @property
    def cpu(self) -> float:
        return time.process_time() - self._cpu

    def __str__(self) -> str:
        return f"{self.wall:.2f} s ({self.cpu:.2f} s of processor)"


def chosen_clips(bank: Bank, n_clips: int) -> list[str]:
    features = build_features(bank)
    ids = np.random.default_rng(0).choice(features.clip_ids, min(n_clips, features.n_clips), False)
    return [bank.clip(int(clip_id)).name for clip_id in ids]


def time_whole(bank: Bank) -> None:
    """The graph of the whole bank."""
    build_features(bank)
    build_graph(bank, names=chosen_clips(bank, 3), threshold="rank=1000000", settings=GraphSettings(method="sparse"))
    told = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told > 60.0:
            told = time.monotonic()
            print(f"  … {100 * done / total:.0f} %, {clock}", flush=True)

    clock = Clock()
    built = build_graph(bank, progress=progress)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    graph = built.graph
    print(
        f"graph of all {graph.ways.n_clips:,} clips, {graph.ways.n_frames:,} frames: {clock}, {memory:.2f} GB at most, "
        f"{len(built.candidates):,} candidates, {graph.n_transitions:,} transitions (goal: ≤ 10 min, ≤ 4 GB)"
    )
    clock = Clock()
    print(f"  {graph_facts(built)}")
    print(f"  facts in {clock}")


def time_clips(bank: Bank, n_clips: int) -> None:
    """The graph of some clips, beside the plain loop over pairs of windows that fairmotion has."""
    names = chosen_clips(bank, n_clips)
    features = build_features(bank)
    build_graph(bank, names=names[:3], threshold="rank=1000000", settings=GraphSettings(method="sparse"))  # compiles
    clock = Clock()
    built = build_graph(bank, names=names)
    took = str(clock)
    n_frames = built.graph.ways.n_frames
    arrays = [features.of(int(clip_id)).arrays for clip_id in built.graph.clip_ids[:2]]
    clouds = [cloud_points(one["positions"], one["root"], rate_hz=30.0) for one in arrays]
    clock, done = Clock(), 0
    while clock.cpu < 3.0:
        i, j = done % (len(clouds[0]) - 10), (7 * done) % (len(clouds[1]) - 10)
        plain_distance(clouds[0][i : i + 10], clouds[1][j : j + 10])
        done += 1
    plain = clock.cpu / done * n_frames**2 / 2
    print(
        f"graph of {len(names)} clips, {n_frames:,} frames: {took}, {built.graph.n_transitions:,} transitions (goal: "
        f"≤ 2 s); the plain loop over pairs of windows, as fairmotion has it: {plain:,.0f} s of processor, from "
        f"{done:,} pairs"
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


def print_recall(bank: Bank, minutes: float) -> None:
    """How many of the dense graph's transitions the sparse one has, on so many minutes of random clips."""
    features = build_features(bank)
    order = np.random.default_rng(7).permutation(features.n_clips)
    order = order[: 1 + int(np.searchsorted(np.cumsum(features.n_frames[order]), minutes * 1800))]
    arrays = [dict(features.of(int(features.clip_ids[c])).arrays) for c in order]
    lengths = [len(one["root"]) for one in arrays]
    tables, took = {}, {}
    for method in ("sparse", "dense"):
        settings = GraphSettings(method=method)
        clock = Clock()
        comparison = Comparison(lengths, arrays.__getitem__, settings, settings.made_by(sum(lengths)))
        tables[method] = np.concatenate([comparison.table(n) for n in range(len(arrays))])
        took[method] = str(clock)
    from motionary.graph import Threshold

    limit = Threshold().limit(tables["dense"]["cost"], duration_secs=sum(lengths) / 30.0)
    wanted = tables["dense"][tables["dense"]["cost"] <= limit]
    found = {reach: found_again(wanted, tables["sparse"], reach).mean() for reach in (0, 1, QUARTER)}
    spurious = 1.0 - found_again(tables["sparse"][tables["sparse"]["cost"] <= limit], tables["dense"], QUARTER).mean()
    print(
        f"recall of the dense graph's transitions on {sum(lengths) / 1800:.1f} minutes: {100 * found[QUARTER]:.1f} % "
        f"within a quarter second (goal: ≥ 97 %), {100 * found[1]:.1f} % within a frame, {100 * found[0]:.1f} % on the "
        f"same frames; {100 * spurious:.1f} % are in the sparse graph only; {len(wanted):,} transitions up to "
        f"{100 * np.sqrt(limit):.1f} cm; sparse {took['sparse']}, dense {took['dense']}, both in one thread"
    )


def found_again(wanted: np.ndarray, table: np.ndarray, reach: int) -> np.ndarray:
    """Which candidates (N,) another table has within so many frames on both sides."""
    there: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for first, second, row, column in table[["first", "second", "row", "column"]].tolist():
        there.setdefault((first, second), []).append((row, column))
    arrays = {pair: np.array(cells) for pair, cells in there.items()}
    found = np.zeros(len(wanted), dtype=bool)
    for n, (first, second, row, column) in enumerate(wanted[["first", "second", "row", "column"]].tolist()):
        if (first, second) in arrays:
            found[n] = (np.abs(arrays[first, second] - (row, column)).max(axis=1) <= reach).any()
    return found


def compare_slides(bank: Bank) -> None:
    """Foot slide of the chosen transitions before clean-up: start to end, and along its way, of every interval in which
    the foot is planted in source or target, both feet together, per transition.

    Every metric keeps as many transitions: as many a second as the paper kept of its fights. All blends take a third of
    a second. The interval of confidence is that of the ratio, from 2,000 draws of transitions with replacement.
    """
    known = {name for name, _, _ in bank.label_counts()}
    rng = np.random.default_rng(0)
    for title, label in SETS.items():
        if label not in known:
            continue
        names = sorted(clip.name for clip in bank.clips(labels=[label]))[:CLIPS_OF_A_SET]
        slides, pairs, kept = {}, {}, 0
        for metric in METRICS:
            settings = GraphSettings(metric, "dense", blend_choices=(1 / 3,), ceiling_cm=25.0)
            built = build_graph(bank, settings=settings, threshold="rank=1000000", names=names)
            whole = built.whole
            kept = 2 * round(PER_SECOND * whole.duration_secs)  # both ways
            numbers = np.argsort(whole.costs, kind="stable")[:kept]
            slides[metric] = slides_of(bank, whole, numbers)
            pairs[metric] = np.stack([whole.transitions[side][numbers] for side in ("source", "target")], axis=1)
            remove_graphs(bank, built.name)
        base = slides["uniform"]
        told = []
        for metric, slide in slides.items():
            draws = [
                slide[rng.integers(0, len(slide), len(slide)), 0].mean()
                / base[rng.integers(0, len(base), len(base)), 0].mean()
                for _ in range(2000)
            ]
            low, high = np.quantile(draws, [0.025, 0.975])
            straight, along = 100 * slide.mean(axis=0)
            ratios = slide.mean(axis=0) / base.mean(axis=0)
            told.append(
                f"{metric} {straight:.1f} / {along:.1f} cm ({ratios[0]:.2f}: {low:.2f}–{high:.2f} / {ratios[1]:.2f})"
            )
        apart = [np.abs(pairs["uniform"] - one).max(axis=1).min() > QUARTER for one in pairs["dynamics"]]
        told.append(f"{sum(apart)} of {kept} transitions only by dynamics")
        goal = "as uniform" if "walk" in title else "dynamics ≤ 0.75 of uniform"
        print(f"foot slide, {title}, {len(names)} clips, best {kept} transitions: {', '.join(told)} (goal: {goal})")


def slides_of(bank: Bank, graph, numbers: np.ndarray) -> np.ndarray:
    """Metres (N, 2) that feet slide in transitions: start to end, along the way."""
    clips, found, actor = {}, [], None
    for number in numbers.tolist():
        route = Route(graph, int(graph.departs[number]), np.array([number]), int(graph.arrives[number]))
        for first, _ in route.runs:
            n = int(graph.ways.clip_of(first))
            if n not in clips:
                clips[n] = performance(bank, int(graph.clip_ids[n]))
        if actor is None:
            actor = Actor(clips[int(graph.ways.clip_of(route.start))].body, graph.rate_hz)
        made = perform(route, [clips.get(n) for n in range(graph.ways.n_clips)], actor, clean_feet=False)
        length = int(graph.lengths[number])
        planted = np.zeros((length + 1, 2), dtype=bool)
        for frame in (route.start, int(graph.arrives[number]) - length):
            n = int(graph.ways.clip_of(frame))
            local = frame - int(graph.ways.starts[n])
            for plant in actor.clip(clips[n]).plants:
                planted[max(plant.start - local, 0) : max(plant.stop - local, 0), FEET.index(plant.foot)] = True
        toes = actor.body.feet.world(made.blended)[:, :, PARTS.index("toe")][..., [0, 2]]
        found.append(sum(slide_of(toes[:, foot], planted[:, foot]) for foot in range(2)))  # of both feet
    return np.array(found)


def slide_of(places: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """How far (2,) a foot gets in the intervals in which it is planted, start to end and along its way; a step is no
    slide."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], planted, [False]]).astype(int))).reshape(-1, 2)
    found = np.zeros(2)
    for start, stop in edges:
        steps = np.linalg.norm(np.diff(places[start:stop], axis=0), axis=1)
        found += (np.linalg.norm(places[stop - 1] - places[start]), steps.sum())
    return found


def time_use(bank: Bank, rows: tuple[str, ...]) -> None:
    labels = ["walk"] if "walk" in {name for name, _, _ in bank.label_counts()} else []
    built = build_graph(bank, labels=labels)
    if built.graph.n_transitions < 10_000:
        wanted = max(10_000, round(0.6 * 10_000 * built.whole.n_transitions / built.graph.n_transitions))
        built = build_graph(bank, labels=labels, threshold=f"rank={wanted}")
    graph = built.graph
    print(
        f"graph of {built.of}: {graph.n_transitions:,} transitions, {graph.duration_secs:.0f} s, {built.threshold.text}"
    )
    if "steps" in rows:
        time_steps(built)
    if "ways" in rows:
        time_ways(of_size(bank, labels, built, 10_000), " (goal: ≤ 10 ms)")
        time_ways(graph)
    if "paths" in rows:
        time_paths(bank, graph)


def of_size(bank: Bank, labels: list[str], built, n_transitions: int):
    """The graph of the same clips with a threshold for about so many transitions."""
    rank = n_transitions
    for _ in range(6):
        graph = build_graph(bank, labels=labels, threshold=f"rank={rank}").graph
        if 0.95 <= graph.n_transitions / n_transitions <= 1.05:
            break
        rank = min(len(built.candidates), max(1, round(rank * n_transitions / graph.n_transitions)))
    return graph


def time_steps(built) -> None:
    graph, n_steps = built.graph, 1_000_000
    random_walk(graph, rng=np.random.default_rng(0), n_transitions=10)
    clock = Clock()
    walks = [random_walk(graph, rng=np.random.default_rng(0), n_transitions=n_steps) for _ in range(2)]
    took = f"{clock.wall / 2:.2f} s each"
    walk = walks[0]
    same = bool((walk.taken == walks[1].taken).all())
    worst = 100 * np.sqrt(graph.costs[walk.taken].max())
    print(
        f"{len(walk.taken):,} seeded steps, twice: {took}, the same: {same}, every one leads on: "
        f"{walk.all_lead_on and len(walk.taken) == n_steps}, worst {worst:.2f} cm of {100 * np.sqrt(built.limit):.2f} "
        "(goal: no dead end, no jump above the threshold, deterministic)"
    )


def time_ways(graph, goal: str = "") -> None:
    rng = np.random.default_rng(1)
    covered = np.flatnonzero(graph.first_departures >= 0)
    reached = np.zeros(graph.ways.n_frames, dtype=bool)
    for arrive in graph.arrives.tolist():
        reached[arrive : int(graph.clip_stops[arrive])] = True
    goals = np.flatnonzero(reached)
    times, lengths = [], []
    for n in range(201):
        clock = Clock()
        route = shortest_route(graph, int(rng.choice(covered)), int(rng.choice(goals)), secs_per_cm=0.0)
        if n:
            times.append(clock.cpu)
            lengths.append(route.duration_secs)
    quantiles = " / ".join(f"{secs:.1f}" for secs in np.quantile(lengths, [0.1, 0.25, 0.5, 0.75, 0.9, 1.0]))
    print(
        f"200 ways, {graph.n_transitions:,} transitions: {1000 * np.median(times):.2f} ms median, "
        f"{1000 * np.max(times):.2f} ms of processor at most{goal}; they last {quantiles} s (10, 25, 50, 75, 90, 100 %)"
    )


def time_paths(bank: Bank, graph) -> None:
    first = performance(bank, int(graph.clip_ids[0]))
    actor = Actor(first.body, graph.rate_hz)
    scale = first.body.leg_length / body_of(reference_skeleton()).leg_length
    follow_path(graph, GroundPath.through(PATHS["line"]), scale=scale)  # compiles
    clips, worst, means, speeds = {}, 0.0, [], []
    for name, points in PATHS.items():
        path = GroundPath.through(points)
        clock = Clock()
        followed = follow_path(graph, path, scale=scale)
        searched = clock.cpu
        for run, _ in followed.route.runs:
            n = int(graph.ways.clip_of(run))
            if n not in clips:
                clips[n] = performance(bank, int(graph.clip_ids[n]))
        every = [clips.get(n) for n in range(graph.ways.n_clips)]
        perform(followed.route, every, actor)  # reads and carries over the clips
        clock = Clock()
        made = perform(followed.route, every, actor)
        performed = clock.cpu
        off = path.distances(made.motion.root_positions[:, 0] + 1j * made.motion.root_positions[:, 2])
        secs, slides = made.motion.duration_secs, 1000 * made.slides.max(axis=0)
        worst = max(worst, slides[1])
        means.append(off.mean())
        speeds.append(secs / (searched + performed))
        print(
            f"  {name}: {path.length:.1f} m in {secs:.1f} s, {100 * off.mean():.1f} cm off on average; search "
            f"{searched:.2f} s, motion {performed:.2f} s of processor: {speeds[-1]:.0f} × real time; "
            f"{len(followed.route.taken)} transitions; feet slide {slides[0]:.0f} mm before clean-up, {slides[1]:.2f} "
            f"mm after, {made.plants_not_held} of {len(made.plants) + made.plants_not_held} plants not held"
        )
    print(f"paths as performed: at most {100 * max(means):.1f} cm off on average (goal: ≤ 10 cm on each)")
    print(f"paths, search and motion: at least {min(speeds):.0f} × real time (goal: 100 ×)")
    print(f"foot slide after clean-up: {worst:.2f} mm (goal: ≤ 2 mm)")


if __name__ == "__main__":
    main()
