"""Transitions: the table, one transition, and 1,000 random ones by each method.

    python bench/transitions.py library.bank [--label walk] [-k 50] [--pairs 1000] [--exhaustive] [--strips FOLDER]

Prints the table of issue 16: times on one core, sizes, how many random pairs score under the threshold, steps of
velocity at the borders, angular speed of knees, and areas under ROC curves on worsened motion (a proxy for people).
"""

import argparse
import time
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.motion import Motion, rotations
from motionary.rig import SIDES
from motionary.transition import METHODS, BankTransitions, Frame, Pool, build_transitions, table_facts
from motionary.transition.ensemble import train_ensemble
from motionary.transition.natural import score_windows
from motionary.transition.requests import MakeOptions
from motionary.transition.searching import n_blends
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
        facts = table_facts(bank)[-1]
        print(
            f"table: {n_blends(asked.k):,} blends, {facts['finished']:,} scored to the end; "
            f"{time.perf_counter() - began:.1f} s ({time.process_time() - cpu:.1f} s of CPU; little if it was there); "
            f"{facts['table_bytes'] / 1e6:.2f} MB, {facts['bytes_a_frame']} B a frame; "
            f"separation {facts['separation']:.2f}, threshold {facts['threshold_cm']:.1f} cm"
        )
        rng = np.random.default_rng(asked.seed)
        pairs = random_pairs(opened, asked.pairs, rng)
        times(opened, pairs[:200], asked.to_label)
        quadrants(opened, pairs)
        borders(opened, pairs[:300], rng)
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
    for what, options in (("best of 3", {}), ("one candidate", {"candidates": 1})):
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
            opened.make(source, label=label)
            cpu.append(1e3 * (time.process_time() - used))
        print(f"one transition to the label {label}: mean {np.mean(cpu):.2f} ms of CPU")


def quadrants(opened: BankTransitions, pairs: list[tuple[Frame, Frame]]) -> None:
    """How many random pairs score under the threshold, by method, and both of two methods."""
    good: dict[str, np.ndarray] = {}
    for name, options in (
        *((method, {"method": method}) for method in METHODS),
        ("table, 1 candidate", {"candidates": 1}),
        ("table, 9 candidates, 8 variants", {"candidates": 9, "variants": 8}),
    ):
        asked = MakeOptions(clean_feet=False, lead_secs=0.0, **options)
        scores = np.array([opened.maker.make(*pair, options=asked).score.score for pair in pairs])
        good[name] = scores <= opened.maker.threshold
        print(
            f"{name}: {good[name].sum()} of {len(pairs)} under the threshold; "
            f"median score {100 * np.median(scores):.1f} cm"
        )
    for name in METHODS[1:]:
        both, only = np.sum(good["table"] & good[name]), np.sum(good["table"] & ~good[name])
        other, none = np.sum(~good["table"] & good[name]), np.sum(~good["table"] & ~good[name])
        print(f"table against {name}: {both} both, {only} only the table, {other} only {name}, {none} neither")


def borders(opened: BankTransitions, pairs: list[tuple[Frame, Frame]], rng: np.random.Generator) -> None:
    """Steps of velocity at the borders, and angular speed of knees, against natural motion."""
    pool = opened.maker.pool
    joints = pool.body.body_map.joints
    ends = [joints["Head"], *(joints[side + part] for side in SIDES for part in ("Hand", "Foot"))]
    natural_steps, natural_knees = [], []
    for first in rng.permutation(complete_windows(pool, 60))[:300].tolist():
        motion = pool.motion(first, first + 61)
        natural_steps.append(velocity_steps(motion, ends).max(axis=1))
        natural_knees.append(knee_speeds(motion, joints).max(axis=1))
    steps = np.concatenate(natural_steps)
    knees = np.concatenate(natural_knees)
    print(
        f"natural motion: velocity steps of hands, feet and head 99 % {np.percentile(steps, 99):.2f}, "
        f"99.9 % {np.percentile(steps, 99.9):.2f}, largest {steps.max():.2f} m/s; "
        f"knees 99.9 % {np.degrees(np.percentile(knees, 99.9)):.0f}, largest {np.degrees(knees.max()):.0f} deg/s"
    )
    for method in METHODS:
        at_borders, in_knees = [], []
        for pair in pairs:
            made = opened.make(*pair, method=method)
            moved = velocity_steps(made.motion, ends).max(axis=1)
            at_borders += [moved[f - 1] for f in (made.start, made.stop - 1) if 0 < f < len(moved) + 1]
            in_knees.append(knee_speeds(made.motion, joints)[made.start : made.stop - 1].max())
        print(
            f"{method}: velocity step at the borders median {np.median(at_borders):.2f}, 99 % "
            f"{np.percentile(at_borders, 99):.2f}, largest {np.max(at_borders):.2f} m/s; largest knee speed: 99 % of "
            f"transitions {np.degrees(np.percentile(in_knees, 99)):.0f} deg/s"
        )


def velocity_steps(motion: Motion, joints: list[int]) -> np.ndarray:
    """By how much velocities change from frame to frame (F − 2, n), m/s."""
    velocities = np.diff(motion.positions_world[:, joints], axis=0) / motion.frame_time
    return np.asarray(np.linalg.norm(np.diff(velocities, axis=0), axis=2))


def knee_speeds(motion: Motion, joints: dict[str, int]) -> np.ndarray:
    """Angular speed of both knees (F − 1, 2), rad/s."""
    shins = motion.rotations[:, [joints[side + "Shin"] for side in SIDES]]
    return np.asarray(rotations.angle_between(shins[:-1], shins[1:]) / motion.frame_time)


def proxy(opened: BankTransitions, rng: np.random.Generator) -> None:
    """Areas under ROC curves: real windows against the same, worsened; and against direct blends of unrelated ones."""
    pool, n_frames = opened.maker.pool, opened.maker.n_frames
    windows = rng.permutation(complete_windows(pool, n_frames))
    test, train = np.sort(windows[:300]), windows[300:700]
    ensemble = train_ensemble([pool.motion(f, f + n_frames + 1) for f in train.tolist()], pool.body, rng=rng)
    known = np.concatenate(list(window_shapes(pool, train, n_frames)))

    def measured(of: Pool) -> dict[str, np.ndarray]:
        shapes = np.concatenate(list(window_shapes(of, test, n_frames)))
        score = score_windows(of, test, n_frames)[:, 0]
        unlike = ensemble.unlikeliness([of.motion(f, f + n_frames + 1) for f in test.tolist()])
        return {"score": score, "HMM": unlike, "distance": np.sqrt(squared_distances(shapes, known).min(axis=1))}

    real = measured(pool)
    scale = {name: np.median(np.abs(values - np.median(values))) + 1e-9 for name, values in real.items()}

    def both(of: dict[str, np.ndarray]) -> np.ndarray:
        return np.asarray(of["score"] / scale["score"] + of["HMM"] / scale["HMM"])

    print("area under the ROC curve (proxy): worsening, score, HMM ensemble, both, distance to the nearest real window")
    for kind, amount in WORSE:
        bad = measured(worsened(pool, kind, amount, rng=rng))
        areas = [roc_area(real[name], bad[name]) for name in ("score", "HMM")]
        areas += [roc_area(both(real), both(bad)), roc_area(real["distance"], bad["distance"])]
        print(f"  {kind} {amount:g}: " + ", ".join(f"{area:.3f}" for area in areas))
    asked = MakeOptions(method="direct", clean_feet=False, lead_secs=0.0)
    made = [opened.maker.make(*pair, options=asked) for pair in random_pairs(opened, 300, rng)]
    likely = ensemble.unlikeliness([one.motion for one in made])
    scores = np.array([one.score.score for one in made])
    blends = {"score": scores, "HMM": likely}
    areas = [roc_area(real[name], blends[name]) for name in ("score", "HMM")] + [roc_area(both(real), both(blends))]
    print("  direct blends of random pairs: " + ", ".join(f"{area:.3f}" for area in areas))


if __name__ == "__main__":
    main()
