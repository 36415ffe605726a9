"""How well foot plants are found where the truth is known, what holds where it is not, and how fast it is.

The sample library is made to suffer like captures do: noise, floors that tilt or lie elsewhere, other frame rates. The
seed is not one that the detector was tuned on. Of CMU's walks and runs, which have no truth, it measures what must
hold. Speed is that of one core, without forward kinematics.
"""

import argparse
import gzip
import os
import platform
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from motionary.formats import parse_bvh
from motionary.motion import Motion, resample, rotations
from motionary.plants import FEET, PARTS, FootPlants, detect_plants, plants_of_points, sole_heights
from motionary.rig import body_of
from motionary.sample import Take, make_library

DATA = Path(__file__).parents[2] / "shared" / "cmu"
NOISE = 0.002  # metres, per axis
TILT = np.radians(1.0)
OFFSET = 0.1  # metres
A_MOMENT = 0.04  # seconds
RATES_HZ = (30.0, 60.0, 120.0)
KINDS = ("clean", "joint noise", "point noise", "tilt", "offset", "all")
UNIT_METRES = 0.056444
WALKING, RUNNING = 0.7, 1.5  # metres per second of the pelvis, over half a second


@dataclass(frozen=True, eq=False)
class Case:
    """A motion, where its heels and balls are, and when and where they truly stand."""

    points: np.ndarray  # (F, 2, 2, 3)
    motion: Motion
    contacts: np.ndarray  # (F, 2, 2)
    plants: tuple[tuple[int, int, int, int, np.ndarray], ...]  # foot, part, start, stop, place
    actions: np.ndarray  # (F,) names

    def detect(self) -> FootPlants:
        """What the detector finds."""
        body = body_of(self.motion.skeleton)
        return plants_of_points(
            self.points,
            self.motion.positions_world[:, body.body_map.hips],
            frame_time=self.motion.frame_time,
            leg_length=body.leg_length,
            sole_heights=sole_heights(body),
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with 30hz/*.bvh.gz and labels.csv")
    arguments.add_argument("--minutes", type=float, default=10.0, help="of the sample library")
    arguments.add_argument("--seed", type=int, default=31337)
    arguments.add_argument("--runs", type=int, default=5)
    options = arguments.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core, whatever threads NumPy has
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core\n")
    takes = list(make_library(minutes=options.minutes, seed=options.seed))
    print_agreement(takes, options.seed)
    print_speed("sample library, 60 Hz", [take.motion for take in takes], options.runs)
    if options.data.exists():
        labelled = list(read_labelled(options.data))
        print_speed("CMU, labelled clips, 30 Hz", [motion for motion, _ in labelled], options.runs)
        for label, faster in (("walk", WALKING), ("run", RUNNING)):
            print_gait(label, [motion for motion, its in labelled if its == label], faster)


def print_agreement(takes: list[Take], seed: int) -> None:
    """A table by condition, and one by action."""
    print(f"{len(takes)} takes of the sample library, seed {seed}; places in mm")
    print(f"{'Hz':>4} {'condition':12} {'F1':>7} {'missed':>7} {'false':>7}   {'median':>7} {'95 %':>6} {'max':>6}")
    by_action: dict[str, Counter[str]] = {}
    for i, (rate_hz, kind) in enumerate((rate_hz, kind) for rate_hz in RATES_HZ for kind in KINDS):
        rng = np.random.default_rng([seed, i])
        total: Counter[str] = Counter()
        errors: list[float] = []
        for take in takes:
            case = case_of(take, rate_hz, kind, rng)
            found = case.detect()
            total += count(found.contacts, case.contacts)
            errors += place_errors(found, case)
            for action in np.unique(case.actions):
                here = case.actions == action
                by_action.setdefault(action, Counter()).update(count(found.contacts[here], case.contacts[here]))
        spread = 1000.0 * np.percentile(errors, [50, 95, 100])
        print(
            f"{rate_hz:4.0f} {kind:12} {f1(total):7.4f} {total['missed'] / total['both']:7.4f} "
            f"{total['false'] / total['both']:7.4f}   {spread[0]:7.1f} {spread[1]:6.1f} {spread[2]:6.1f}"
        )
    print("\nF1 by action, all conditions together")
    print(", ".join(f"{action} {f1(counts):.3f}" for action, counts in sorted(by_action.items())), end="\n\n")


def count(found: np.ndarray, true: np.ndarray) -> Counter[str]:
    """Frames of heels and toes that stand in both, only in the truth, only in what was found."""
    return Counter(both=int(np.sum(found & true)), missed=int(np.sum(~found & true)), false=int(np.sum(found & ~true)))


def f1(counts: Counter[str]) -> float:
    """Harmonic mean of precision and recall."""
    return 2 * counts["both"] / max(1, 2 * counts["both"] + counts["missed"] + counts["false"])


def place_errors(found: FootPlants, case: Case) -> list[float]:
    """Distance of each plant that was found from the true one with which it shares most frames.

    Heels that touch the ground for a moment only, as in a skip, have no place to be found.
    """
    errors = []
    for plant in found.plants:
        key = FEET.index(plant.foot), PARTS.index(plant.part)
        shared = [(min(plant.stop, stop) - max(plant.start, start), place) for *its, start, stop, place in case.plants
                  if tuple(its) == key and (stop - start) * case.motion.frame_time > A_MOMENT]  # fmt: skip
        n_shared, place = max(shared, key=lambda pair: pair[0], default=(0, np.zeros(3)))
        if n_shared > 0:
            errors.append(float(np.linalg.norm(np.array(plant.place) - place)))
    return errors


def case_of(take: Take, rate_hz: float, kind: str, rng: np.random.Generator) -> Case:
    """A take at another rate, with noise or on another floor."""
    motion = take.motion
    if abs(motion.rate_hz - rate_hz) > 1e-6:
        motion = resample(motion, frame_time=1.0 / rate_hz)
    times = np.arange(motion.n_frames) * motion.frame_time / take.motion.frame_time  # in the take's frames
    contacts = np.zeros((motion.n_frames, 2, 2), dtype=bool)
    plants = []
    turn, lift = rotations.IDENTITY, 0.0
    if kind in ("tilt", "all"):
        angle = rng.uniform(0.0, 2.0 * np.pi)
        turn = rotations.from_axis_angle(np.array([np.cos(angle), 0.0, np.sin(angle)]), TILT)
    if kind in ("offset", "all"):
        lift = OFFSET
    for plant in take.plants:
        frames = np.flatnonzero((times > plant.start - 1e-6) & (times < plant.stop - 1 + 1e-6))
        foot, part = FEET.index(plant.foot), PARTS.index(plant.part)
        contacts[frames, foot, part] = True
        if len(frames):
            place = rotations.rotate(turn, np.asarray(plant.place)) + np.array([0.0, lift, 0.0])
            plants.append((foot, part, int(frames[0]), int(frames[-1]) + 1, place))
    motion = placed(motion, turn, lift)
    if kind in ("joint noise", "all"):
        motion = with_noise(motion, rng)
    points = body_of(motion.skeleton).feet.world(motion)
    if kind == "point noise":
        points = points + NOISE * rng.normal(size=points.shape)
    return Case(points, motion, contacts, tuple(plants), actions_of(take, times))


def placed(motion: Motion, turn: np.ndarray, lift: float) -> Motion:
    """The motion turned about the origin and lifted."""
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(turn, turned[:, 0])
    moved = rotations.rotate(turn, motion.root_positions) + np.array([0.0, lift, 0.0])
    return replace(motion, root_positions=moved, rotations=rotations.continuous(turned))


def with_noise(motion: Motion, rng: np.random.Generator) -> Motion:
    """White noise on root and joints, such that heels and balls err by NOISE on each axis, root mean square."""
    feet = body_of(motion.skeleton).feet
    parents, lengths = motion.skeleton.parents, np.linalg.norm(motion.skeleton.offsets, axis=1)
    bones = np.array([max([0.1, *lengths[parents == joint]]) for joint in range(len(parents))])  # longest below
    root = NOISE * rng.normal(size=motion.root_positions.shape)
    angles = NOISE / bones[:, None] * rng.normal(size=(*motion.rotations.shape[:2], 3))

    def shaken(size: float) -> Motion:
        turned = rotations.multiply(motion.rotations, rotations.from_rotation_vector(size * angles))
        moved = motion.root_positions + size * root
        return replace(motion, root_positions=moved, rotations=rotations.continuous(turned))

    error = np.sqrt(np.mean((feet.world(shaken(1.0)) - feet.world(motion)) ** 2))
    return shaken(NOISE / error)


def actions_of(take: Take, times: np.ndarray) -> np.ndarray:
    """What is done at these times (F,), in the take's frames."""
    actions = np.full(len(times), "between", dtype=object)
    for label in take.labels:
        actions[(times >= label.start) & (times < label.stop)] = label.name
    return actions


def read_labelled(data: Path) -> Iterator[tuple[Motion, str]]:
    """The clips that have a category, and it."""
    with (data / "labels.csv").open(encoding="utf-8") as file:
        rows = [row for row in DictReader(file) if row["category"]]
    for row in rows:
        path = data / "30hz" / row["file"]
        recording = parse_bvh(gzip.decompress(path.read_bytes()), path).recordings[0]
        recording = replace(recording, space=replace(recording.space, unit_metres=UNIT_METRES))
        yield recording.motion(), row["category"]


def print_speed(name: str, motions: list[Motion], n_runs: int) -> None:
    """Frames per second, from points to plants."""
    inputs = []
    for motion in motions:
        body = body_of(motion.skeleton)
        points, pelvis = body.feet.world(motion), motion.positions_world[:, body.body_map.hips]
        inputs.append((points, pelvis, motion.frame_time, body.leg_length, sole_heights(body)))
    n_frames = sum(len(points) for points, *_ in inputs)
    rates = []
    for _ in range(n_runs + 1):
        start = time.perf_counter()
        for points, pelvis, frame_time, leg_length, heights in inputs:
            plants_of_points(points, pelvis, frame_time=frame_time, leg_length=leg_length, sole_heights=heights)
        rates.append(n_frames / (time.perf_counter() - start))
    median = statistics.median(rates[1:])  # the first run warms up
    spread = 100.0 * (max(rates[1:]) - min(rates[1:])) / median
    print(f"{name}: {len(inputs)} clips, {n_frames} frames, {median / 1e3:.0f} thousand frames/s (± {spread:.0f} %)\n")


def print_gait(label: str, motions: list[Motion], faster: float) -> None:
    """Feet on the ground, slides and the order of footfalls while the pelvis moves faster than this."""
    n_feet: Counter[int] = Counter()
    farthest, start_to_end, whole, creeps, orders, flights = [], [], [], [], [], []
    for motion in motions:
        body = body_of(motion.skeleton)
        found = detect_plants(motion, body)
        points, feet = body.feet.world(motion), found.foot_contacts
        moving = speeds_of(motion.positions_world[:, body.body_map.hips], motion.frame_time) > faster
        n_feet.update(feet.sum(axis=1)[moving].tolist())
        for plant in found.plants:
            if moving[plant.start : plant.stop].any():
                path = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)][:, [0, 2]]
                place = np.array(plant.place)[[0, 2]]
                farthest.append(np.linalg.norm(path - place, axis=1).max())
                start_to_end.append(np.linalg.norm(path[-1] - path[0]))
        pelvis = motion.positions_world[:, body.body_map.hips]
        for foot, part, start, stop in stances(found):
            if moving[start:stop].any():
                path = points[start:stop, foot, part][:, [0, 2]]
                whole.append(np.linalg.norm(path[-1] - path[0]))
                creeps.append(creep(path, pelvis[start:stop][:, [0, 2]]))
        falls = sorted((int(f) + 1, foot) for foot in (0, 1) for f in np.flatnonzero(~feet[:-1, foot] & feet[1:, foot]))
        for (frame, foot), (following, other) in pairwise(falls):
            if moving[frame:following].all():
                orders.append(foot != other)
                flights.append(bool((~feet[frame:following].any(axis=1)).any()))
    total = sum(n_feet.values())
    cm = [100.0 * np.percentile(values, [50, 95]) for values in (farthest, start_to_end, whole)]
    print(f"CMU {label}: {len(motions)} clips, {total} frames faster than {faster} m/s, {len(farthest)} plants")
    print(f"  feet planted {sum(n * k for n, k in n_feet.items()) / total:.2f}, none in {n_feet[0] / total:.1%}")
    print(f"  slide from the place, at most: median {cm[0][0]:.2f} cm, 95 % {cm[0][1]:.2f} cm")
    print(f"  slide from start to end: median {cm[1][0]:.2f} cm, 95 % {cm[1][1]:.2f} cm")
    print(f"  the same of whole stances ({len(whole)}): median {cm[2][0]:.2f} cm, 95 % {cm[2][1]:.2f} cm; ", end="")
    print(f"they creep by {100 * np.nanmedian(creeps):.1f} % of the pelvis's way (median)")
    print(f"  footfalls of the other foot next {np.mean(orders):.1%}, steps with flight {np.mean(flights):.1%}\n")


def stances(found: FootPlants) -> Iterator[tuple[int, int, int, int]]:
    """(foot, part, start, stop) of heels and balls, plants that touch made one: a foot that crept has several."""
    last: tuple[int, int, int, int] | None = None
    order = {plant: (FEET.index(plant.foot), PARTS.index(plant.part), plant.start) for plant in found.plants}
    for plant in sorted(found.plants, key=order.__getitem__):
        foot, part, start = order[plant]
        if last and last[:2] == (foot, part) and start <= last[3]:
            last = (foot, part, last[2], plant.stop)
            continue
        if last:
            yield last
        last = (foot, part, start, plant.stop)
    if last:
        yield last


def creep(path: np.ndarray, pelvis: np.ndarray) -> float:
    """How far a standing point (F, 2) moves along with the pelvis (F, 2), as a share of its way; NaN if short."""
    if len(path) < 8:
        return float("nan")
    relative = path - pelvis
    moved, relative = path - path.mean(axis=0), relative - relative.mean(axis=0)
    return -float(np.sum(moved * relative) / np.sum(relative * relative))


def speeds_of(pelvis: np.ndarray, frame_time: float) -> np.ndarray:
    """Speed over the ground (F,), over half a second; 0 near the ends."""
    n_between = round(0.5 / frame_time)
    speeds = np.zeros(len(pelvis))
    if len(pelvis) > n_between:
        moved = np.linalg.norm((pelvis[n_between:] - pelvis[:-n_between])[:, [0, 2]], axis=1)
        speeds[n_between // 2 : n_between // 2 + len(moved)] = moved / (n_between * frame_time)
    return speeds


if __name__ == "__main__":
    main()
