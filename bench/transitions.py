"""Transitions: the table, one transition, and 1,000 random ones by each method.

    python bench/transitions.py library.bank [--label walk] [-k 50] [--pairs 1000] [--exhaustive] [--to-label run]

Prints times on one core, sizes, how many random pairs score under the threshold, how still planted feet stand, steps of
velocity at the borders, angular speed of knees, and areas under ROC curves on worsened motion (a proxy for people).
"""

import argparse
import time
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.connection import Connector
from motionary.errors import UsageError
from motionary.graph import graph_names
from motionary.motion import Motion, rotations
from motionary.rig import SIDES
from motionary.transition import METHODS, BankTransitions, Frame, Pool, build_transitions
from motionary.transition.ensemble import train_ensemble
from motionary.transition.joining import pool_poses
from motionary.transition.natural_scores import ERRORS, levels, score_windows, share_of
from motionary.transition.requests import MakeOptions
from motionary.transition.searching import n_blends
from motionary.transition.table import N_NATURAL
from motionary.transition.windows import complete_windows, squared_distances, window_shapes
from motionary.transition.worsening import roc_area, worsened

WORSE = (("slide", 0.15), ("slide", 0.3), ("sway", 0.03), ("sway", 0.06), ("tilt", 0.2), ("tilt", 0.4))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bank", type=Path)
    parser.add_argument("--label", action="append", default=[])
    parser.add_argument("--names", action="append", default=[])
    parser.add_argument("-k", type=int, default=50)
    parser.add_argument("--secs", type=float, default=1.0)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--to-label", help="measure transitions into this label, too")
    asked = parser.parse_args()
    with Bank.open(asked.bank) as bank:
        began, cpu = time.perf_counter(), time.process_time()
        opened = build_transitions(
            bank,
            secs=asked.secs,
            labels=asked.label,
            names=asked.names,
            representatives=asked.k,
            exhaustive=asked.exhaustive,
            seed=asked.seed,
            message=print,
        )
        table = opened.maker.table
        print(
            f"table: {n_blends(asked.k):,} blends, {table.n_finished:,} scored to the end; "
            f"{time.perf_counter() - began:.1f} s ({time.process_time() - cpu:.1f} s of CPU; little if it was there); "
            f"{table.n_bytes / 1e6:.2f} MB, {table.bytes_a_frame} B a frame; "
            f"separation {table.clusters.separation().mean():.2f}, threshold {100 * table.threshold:.1f} cm"
        )
        rng = np.random.default_rng(asked.seed)
        pairs = random_pairs(opened, asked.pairs, rng)
        times(opened, pairs[:200], asked.to_label)
        good = quadrants(opened, pairs)
        if graph_names(bank):
            connections(Connector.of(opened, message=print), pairs, good)
        feet(opened, pairs[:100])
        borders(opened, pairs, np.random.default_rng(asked.seed))
        proxy(opened, rng)


def random_pairs(opened: BankTransitions, n: int, rng: np.random.Generator) -> list[tuple[Frame, Frame]]:
    """Pairs of frames, all frames of the library equally likely."""
    pool = opened.maker.pool
    numbers = rng.integers(pool.n_frames, size=(n, 2)).tolist()
    frames = [[Frame(c := pool.clip_of(f), f - int(pool.starts[c])) for f in pair] for pair in numbers]
    return [(a, b) for a, b in frames]


def times(opened: BankTransitions, pairs: list[tuple[Frame, Frame]], label: str | None) -> None:
    """One transition with clean-up and score, on one core."""
    for pair in pairs[:5]:
        opened.make(*pair)
    options: dict[str, float]
    for what, options in (
        ("best of 3", {"lead_secs": 0.0}),
        ("best of 3, with a second before and after", {}),
        ("one candidate", {"lead_secs": 0.0, "candidates": 1}),
    ):
        wall, cpu = [], []
        for pair in pairs:
            began, used = time.perf_counter(), time.process_time()
            opened.make(*pair, **options)
            wall.append(1e3 * (time.perf_counter() - began))
            cpu.append(1e3 * (time.process_time() - used))
        print(
            f"one transition, {what}: mean {np.mean(wall):.2f} ms (CPU {np.mean(cpu):.2f}), "
            f"median {np.median(wall):.2f}, 99 % {np.percentile(wall, 99):.2f}"
        )
    if label is not None:
        opened.make(pairs[0][0], label=label)
        cpu = []
        for source, _ in pairs:
            used = time.process_time()
            opened.make(source, label=label, lead_secs=0.0)
            cpu.append(1e3 * (time.process_time() - used))
        print(f"one transition to the label {label}: mean {np.mean(cpu):.2f} ms of CPU")


def quadrants(opened: BankTransitions, pairs: list[tuple[Frame, Frame]]) -> np.ndarray:
    """How many random pairs score under the threshold, by method, and both of two methods."""
    good: dict[str, np.ndarray] = {}
    for name, options in (
        *((method, {"method": method}) for method in METHODS),
        ("table, 1 candidate", {"candidates": 1}),
        ("table, 9 candidates, 8 variants", {"candidates": 9, "variants": 8}),
    ):
        asked = MakeOptions(clean_feet=False, lead_secs=0.0, **options)
        made = [opened.maker.make(*pair, options=asked) for pair in pairs]
        scores, thresholds = np.array([[one.score.score, one.threshold] for one in made]).T
        good[name] = scores <= opened.maker.table.threshold
        own = int(np.sum(scores <= thresholds))
        print(
            f"{name}: {good[name].sum()} of {len(pairs)} under the library's threshold, {own} under those of motion "
            f"like source and target ({100 * np.percentile(thresholds, [5, 50, 95]).round(3)} cm); "
            f"median score {100 * np.median(scores):.1f} cm"
        )
    for name in METHODS[1:]:
        print(f"table against {name}: {quadrant(good['table'], good[name], name)}")
    return good["table"]


def quadrant(ours: np.ndarray, other: np.ndarray, name: str) -> str:
    """How many are good by both, by one of two only, and by neither."""
    both, none = np.sum(ours & other), np.sum(~ours & ~other)
    return f"{both} both, {np.sum(ours & ~other)} only the table, {np.sum(~ours & other)} only {name}, {none} neither"


def connections(connector: Connector, pairs: list[tuple[Frame, Frame]], table: np.ndarray) -> None:
    """The table against the graph, which has a second; and the best of both within three seconds."""

    def good(within: float, by: str) -> np.ndarray:
        found = []
        for source, target in pairs:
            try:
                made = connector.connect(source, target, within, by=by, lead_secs=0.0, clean_feet=False)
                found.append(made.score <= connector.transitions.maker.table.threshold)
            except UsageError:  # nothing is as short
                found.append(False)
        return np.array(found)

    within = 1.0
    print(f"table against the graph within {within:g} s: {quadrant(table, good(within, 'graph'), 'the graph')}")
    pairs, within, known = pairs[:200], 3.0, {}
    for by in ("transition", "graph", "mixed", "any"):
        began = time.process_time()
        known[by] = good(within, by)
        used = 1e3 * (time.process_time() - began) / len(pairs)
        said = f"{known[by].sum()} of {len(pairs)} good; {used:.0f} ms of CPU each"
        print(f"connections within {within:g} s by {by}: {said}")


def feet(opened: BankTransitions, pairs: list[tuple[Frame, Frame]]) -> None:
    """The share of the planted frames of transitions in which feet stand still, and how much they slide near the floor.

    Beside it real seconds, cleaned up like transitions.
    """
    maker = opened.maker
    pool, n_frames = maker.pool, maker.n_frames
    for name, options in (("table", {}), ("direct", {"method": "direct"})):
        made = [opened.make(*pair, **options) for pair in pairs]
        held = np.array([maker.held(one.motion, one.plants, one.start, one.stop) for one in made])
        slides = [
            _slides(maker.pool, one.motion, one.start, one.stop, float(pool.floors[one.source.clip])) for one in made
        ]
        print(
            f"{name}: feet stand still in {100 * np.nanmean(held):.0f} % of the planted frames; "
            f"of points within 3 cm of the floor {100 * np.mean(np.concatenate(slides)):.0f} % move at 0.3 m/s or more"
        )
    slides = []
    for first in np.random.default_rng(0).permutation(complete_windows(pool, n_frames))[: len(pairs)].tolist():
        poses = pool_poses(pool, pool.clip_of(first), first, first + n_frames + 1)
        slides.append(_slides(pool, maker.cleaned(poses.motion(pool), poses.plants()), 0, n_frames + 1, 0.0))
    print(f"real seconds, cleaned up: {100 * np.mean(np.concatenate(slides)):.0f} % of such points")


def _slides(pool: Pool, motion: Motion, start: int, stop: int, floor: float) -> np.ndarray:
    """Whether points of feet move at 0.3 m/s or more, of those within 3 cm of the floor."""
    points = pool.body.feet.world(motion)[start:stop].reshape(stop - start, 4, 3)
    speeds = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1) / motion.frame_time
    return np.asarray(speeds[points[:-1, :, 1] - floor < 0.03] >= 0.3)


def borders(opened: BankTransitions, pairs: list[tuple[Frame, Frame]], rng: np.random.Generator) -> None:
    """Steps of velocity at the borders, against those of the sources at the same frames; and angular speed of knees."""
    pool = opened.maker.pool
    joints = pool.body.body_map.joints
    ends = [joints["Head"], *(joints[side + part] for side in SIDES for part in ("Hand", "Foot"))]
    steps, knees = [], []
    for first in rng.permutation(complete_windows(pool, opened.maker.n_frames))[:3000].tolist():
        motion = pool.motion(first, first + opened.maker.n_frames + 1)
        steps.append(velocity_steps(motion, ends).max(axis=1))
        knees.append(np.degrees(knee_speeds(motion, joints)))
    print(
        f"natural motion: velocity steps of hands, feet and head 99 % {np.percentile(steps, 99):.2f}, "
        f"99.9 % {np.percentile(steps, 99.9):.2f}, largest {np.max(steps):.2f} m/s; knees {said_of_knees(knees)}"
    )
    for method in METHODS:
        here, there, knees = [], [], []
        for pair in pairs:
            made = opened.make(*pair, method=method)
            moved = velocity_steps(made.motion, ends).max(axis=1)
            for at, frame in zip((made.start, made.stop - 1), pair, strict=True):
                number = int(pool.starts[frame.clip]) + frame.frame
                if frame.frame > 0 and number + 1 < pool.starts[frame.clip + 1]:
                    here.append(moved[at - 1])
                    there.append(velocity_steps(pool.motion(number - 1, number + 2), ends).max())
            knees.append(np.degrees(knee_speeds(made.motion, joints)[made.start : made.stop - 1]))
        print(
            f"{method}: velocity step at the borders median {np.median(here):.2f}, 99 % {np.percentile(here, 99):.2f}, "
            f"largest {np.max(here):.2f} m/s; of source and target at the same frames {np.median(there):.2f}, "
            f"{np.percentile(there, 99):.2f}, {np.max(there):.2f}; knees {said_of_knees(knees)}"
        )


def said_of_knees(speeds: list[np.ndarray]) -> str:
    """Angular speeds (F, 2) of the knees of some motions, degrees a second."""
    most = np.percentile([one.max() for one in speeds], 99)
    return f"99.9 % of frames {np.percentile(np.concatenate(speeds), 99.9):.0f}, 99 % of motions {most:.0f} deg/s"


def velocity_steps(motion: Motion, joints: list[int]) -> np.ndarray:
    """By how much velocities change from frame to frame (F − 2, n), m/s."""
    velocities = np.diff(motion.positions_world[:, joints], axis=0) / motion.frame_time
    return np.asarray(np.linalg.norm(np.diff(velocities, axis=0), axis=2))


def knee_speeds(motion: Motion, joints: dict[str, int]) -> np.ndarray:
    """Angular speed of both knees (F − 1, 2), rad/s."""
    shins = motion.rotations[:, [joints[side + "Shin"] for side in SIDES]]
    return np.asarray(rotations.angle_between(shins[:-1], shins[1:]) / motion.frame_time)


def proxy(opened: BankTransitions, rng: np.random.Generator) -> None:
    """Areas under ROC curves: real windows against the same, worsened; and against direct blends of unrelated ones.

    Half of the clips are tested; the others tell what motion of a kind scores, and teach the HMM ensemble.
    """
    pool, n_frames = opened.maker.pool, opened.maker.n_frames
    windows = rng.permutation(complete_windows(pool, n_frames))
    tested = rng.permutation(pool.n_clips)[: max(1, pool.n_clips // 2)]
    is_tested = np.isin(np.searchsorted(pool.starts, windows, side="right") - 1, tested)
    test, train = np.sort(windows[is_tested][:300]), np.sort(windows[~is_tested][:N_NATURAL])
    learnt = rng.permutation(train)[:400]
    ensemble = train_ensemble([pool.motion(f, f + n_frames + 1) for f in learnt.tolist()], pool.body, rng=rng)
    known = shapes_of(pool, train, n_frames)
    known_errors = score_windows(pool, train, n_frames)[:, ERRORS]

    def measured(of: Pool) -> dict[str, np.ndarray]:
        shapes = shapes_of(of, test, n_frames)
        scores = score_windows(of, test, n_frames)
        unlike = ensemble.unlikeliness([of.motion(f, f + n_frames + 1) for f in test.tolist()])
        by_kind = share_of(scores[:, ERRORS], levels(shapes, known, known_errors))
        away = np.sqrt(squared_distances(shapes, known).min(axis=1))
        return {"score": scores[:, 0], "by kind": by_kind, "HMM": unlike, "distance": away}

    real = measured(pool)
    scale = {name: np.median(np.abs(values - np.median(values))) + 1e-9 for name, values in real.items()}

    def both(of: dict[str, np.ndarray]) -> np.ndarray:
        return np.asarray(of["by kind"] / scale["by kind"] + of["HMM"] / scale["HMM"])

    def areas(bad: dict[str, np.ndarray]) -> str:
        found = [roc_area(real[name], bad[name]) for name in ("score", "by kind", "HMM")]
        found.append(roc_area(both(real), both(bad)))
        if "distance" in bad:
            found.append(roc_area(real["distance"], bad["distance"]))
        return ", ".join(f"{area:.3f}" for area in found)

    print(
        "area under the ROC curve (proxy): worsening, score, score by kind, HMM ensemble, both of these, "
        "distance to the nearest real window"
    )
    worse: list[dict[str, np.ndarray]] = []
    for kind, amount in WORSE:
        worse.append(measured(worsened(pool, kind, amount, rng=rng)))
        print(f"  {kind} {amount:g}: {areas(worse[-1])}")
    print(f"  all of these together: {areas({name: np.concatenate([bad[name] for bad in worse]) for name in real})}")
    asked = MakeOptions(method="direct", clean_feet=False, lead_secs=0.0)
    made = [opened.maker.make(*pair, options=asked) for pair in random_pairs(opened, 300, rng)]
    likely = ensemble.unlikeliness([one.motion for one in made])
    scores = np.array([one.score.score for one in made])
    factor = np.median(
        opened.maker.table.thresholds[test] / levels(shapes_of(pool, test, n_frames), known, known_errors)
    )
    by_kind = scores * factor / np.array([one.threshold for one in made])
    print(f"  direct blends of random pairs: {areas({'score': scores, 'by kind': by_kind, 'HMM': likely})}")


def shapes_of(pool: Pool, windows: np.ndarray, n_frames: int) -> np.ndarray:
    """Windows as points (N, D)."""
    return np.concatenate(list(window_shapes(pool, windows, n_frames)))


if __name__ == "__main__":
    main()
