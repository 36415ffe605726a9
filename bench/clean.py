"""What the clean-up of feet does to CMU's walks that were made to slide.

    python bench/clean.py [--data FOLDER] [--blends N] [--seed N]
    python bench/clean.py --bank BANK [--clips N] [--seed N]

Blends: two walks of one subject, step aligned to step, one fading into the other; the root moves by the weighted
increments of both in their own headings. Stretched: one walk, its path a tenth longer. Plants are found in the walks;
only their frames are taken over, the places come from the sliding motion. Shown are percentiles over the clips, and
angular accelerations afterwards as shares of those before, by joint: each clip's worst, and all clips together. Last,
captures at their full rate, as they are: their noise should change neither how far poses are moved nor the knees.

With a bank: clips chosen by lot, as they are, cleaned by `clean` (everything is held) and by `clean_carefully` (nothing
gets worse), and in how many of them something got worse.
"""

import argparse
import gzip
from collections import defaultdict
from collections.abc import Callable, Iterator
from csv import DictReader
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np

from motionary.bank import Bank
from motionary.formats import parse_bvh
from motionary.library import performance
from motionary.motion import Motion, headings, poses_at, rotations
from motionary.naturalness import clean_carefully, score
from motionary.plants import FEET, PARTS, Cleaned, CleanOptions, Plant, clean, detect_plants
from motionary.rig import Body, body_of

DATA = Path(__file__).parents[2] / "shared" / "cmu"
UNIT_METRES = 0.056444
LEGS = tuple(side + part for side in ("Left", "Right") for part in ("Thigh", "Shin", "Foot", "Toe"))
SHOWN = (0, 50, 90, 95, 99, 100)
OPTIONS = CleanOptions(places="motion")


@dataclass(frozen=True, eq=False)
class Walk:
    """A clip, its body and its plants."""

    motion: Motion
    body: Body
    plants: tuple[Plant, ...]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with 30hz/*.bvh.gz and labels.csv")
    arguments.add_argument("--blends", type=int, default=120)
    arguments.add_argument("--seed", type=int, default=5)
    arguments.add_argument("--bank", type=Path, help="clips of a bank, as they are, instead")
    arguments.add_argument("--clips", type=int, default=64)
    options = arguments.parse_args()
    if options.bank is not None:
        print_captures(options.bank, options.clips, np.random.default_rng(options.seed))
        return
    pairs = shuffled_pairs(options.data, np.random.default_rng(options.seed))
    blends: list[Walk] = []
    firsts: dict[Path, Walk] = {}
    for one, other in pairs:
        walk = read_walk(one)
        firsts.setdefault(one, walk)
        blended = blend(walk, read_walk(other))
        if blended is not None:
            blends.append(blended)
        if len(blends) == options.blends:
            break
    print_quality("blends of two walks", blends)
    print_quality("walks, their path stretched by 10 %", [stretched(walk) for walk in firsts.values()])
    print_full_rate(options.data / "120hz")


def print_quality(name: str, walks: list[Walk]) -> None:
    """Percentiles over the clips, and accelerations by joint."""
    table: dict[str, list[float]] = defaultdict(list)
    before: dict[str, list[np.ndarray]] = defaultdict(list)
    after: dict[str, list[np.ndarray]] = defaultdict(list)
    for walk in walks:
        cleaned = clean(walk.motion, walk.plants, walk.body, options=OPTIONS)
        slid, _ = drifts(walk.motion, walk.body, cleaned)
        drift, speed = drifts(cleaned.motion, walk.body, cleaned)
        changed = np.linalg.norm(cleaned.motion.positions_world - walk.motion.positions_world, axis=-1)
        table["slide before, median of plants (mm)"].append(1e3 * float(np.median(slid)))
        table["slide before, worst plant (mm)"].append(1e3 * float(slid.max()))
        table["drift over a plant (mm)"].append(1e3 * float(drift.max()))
        table["speed in a plant (mm/s)"].append(1e3 * float(speed.max()))
        table["poses changed, mean (cm)"].append(1e2 * float(changed.mean()))
        table["root moved, at most (cm)"].append(1e2 * float(np.linalg.norm(cleaned.root_moves, axis=1).max()))
        table["plants not held"].append(float(len(cleaned.not_held)))
        ratios = []
        for then, now, legs in zip(accelerations(walk), accelerations(walk, cleaned.motion), LEGS, strict=True):
            before[legs].append(then)
            after[legs].append(now)
            ratios.append((np.percentile(now, 99.9) / np.percentile(then, 99.9), now.max() / then.max()))
        table["acceleration, 99.9 %, worst joint"].append(max(ratio for ratio, _ in ratios))
        table["acceleration, largest, worst joint"].append(max(ratio for _, ratio in ratios))
    n_frames = sum(walk.motion.n_frames for walk in walks)
    print(f"{name}: {len(walks)} clips, {n_frames} frames")
    print(f"{'':38}" + "".join(f"{share:>8} %" for share in SHOWN))
    for what, values in table.items():
        print(f"{what:38}" + "".join(f"{value:10.2f}" for value in np.percentile(values, SHOWN)))
    print("all clips together (99.9 %, largest): ", end="")
    together = []
    for legs in LEGS:
        then, now = np.concatenate(before[legs]), np.concatenate(after[legs])
        shares = np.percentile(now, 99.9) / np.percentile(then, 99.9), now.max() / then.max()
        together.append(f"{legs} {shares[0]:.2f} {shares[1]:.2f}")
    print(", ".join(together), end="\n\n")


def print_full_rate(data: Path) -> None:
    """Captures at 120 Hz, and every fourth of their frames: poses changed, and the knees' accelerations."""
    print(f"{'captures at 120 Hz':24}{'poses changed (cm)':>20}{'at 30 Hz':>10}{'knees, 99.9 %':>15}{'largest':>9}")
    for path in sorted(data.glob("*.bvh.gz")):
        walk = read_walk(path, after=1)  # their first frame is no capture, but a T-pose
        if walk.motion.n_frames < 120:
            continue
        motion = walk.motion
        every_fourth = replace(
            motion,
            frame_time=4 * motion.frame_time,
            root_positions=motion.root_positions[::4],
            rotations=motion.rotations[::4],
            translations=motion.joint_translations[::4],
        )
        changed = []
        for one in (walk, Walk(every_fourth, walk.body, detect_plants(every_fourth, walk.body).plants)):
            cleaned = clean(one.motion, one.plants, one.body)
            moved = np.linalg.norm(cleaned.motion.positions_world - one.motion.positions_world, axis=-1)
            changed.append((1e2 * float(moved.mean()), cleaned.motion))
        both = zip(accelerations(walk), accelerations(walk, changed[0][1]), LEGS, strict=True)
        knees = [(now, then) for then, now, joint in both if joint.endswith("Shin")]
        usual = max(float(np.percentile(now, 99.9) / np.percentile(then, 99.9)) for now, then in knees)
        largest = max(float(now.max() / then.max()) for now, then in knees)
        print(f"{path.name:24}{changed[0][0]:20.2f}{changed[1][0]:10.2f}{usual:15.2f}{largest:9.2f}")


def print_captures(path: Path, n_clips: int, rng: np.random.Generator) -> None:
    """What cleaning costs captured clips: balance, jerks, feet in the floor; and how much is held for it."""
    with Bank.open(path) as bank:
        clips = list(bank.clips())
        chosen = [performance(bank, clips[i].id) for i in rng.permutation(len(clips))[:n_clips]]
    for name, method in (("clean", clean), ("clean_carefully", clean_carefully)):
        rows: dict[str, list[float]] = defaultdict(list)
        method(chosen[0].motion, chosen[0].plants, chosen[0].body)  # compiled
        started = perf_counter()
        results = [method(one.motion, one.plants, one.body) for one in chosen]
        took = perf_counter() - started
        for one, cleaned in zip(chosen, results, strict=True):
            for what, value in costs(Walk(one.motion, one.body, one.plants), cleaned):
                rows[what].append(value)
        n_frames = sum(one.motion.n_frames for one in chosen)
        print(f"{name}: {len(chosen)} clips, {n_frames} frames, {1e3 * took * 60 / n_frames:.1f} ms for 60 frames")
        for what, values in rows.items():
            print(f"  {what:50}{np.mean(values):10.3f} on average{np.max(values):10.3f} at most")


def costs(walk: Walk, cleaned: Cleaned) -> Iterator[tuple[str, float]]:
    """What got worse (1) or not (0), and how well feet are held."""
    motion, after, body = walk.motion, cleaned.motion, walk.body
    kept = [replace(one.plant, place=one.place) if one.held else one.plant for one in cleaned.plants]
    was, now = score(motion, walk.plants, body=body), score(after, kept, body=body)
    for name in ("zmp_error", "zmp_mean", "score"):
        yield f"{name} over 1.05 times and 0.5 mm", float(getattr(now, name) > 1.05 * getattr(was, name) + 0.0005)
    roots = [np.linalg.norm(np.diff(one.root_positions, 2, axis=0), axis=1).max(initial=0.0) for one in (motion, after)]
    yield "pelvis over 1.2 times its acceleration", float(roots[1] > 1.2 * roots[0])
    both = zip(accelerations(walk), accelerations(walk, after), LEGS, strict=True)
    knees = [(now.max(initial=0.0), then.max(initial=0.0)) for then, now, joint in both if joint.endswith("Shin")]
    yield "a knee over 1.2 times its acceleration", float(any(now > 1.2 * then for now, then in knees))
    yield "the same, and over 5 rad/s²", float(any(now > max(1.2 * then, 5.0) for now, then in knees))
    heights, heights_after = body.feet.world(motion)[..., 1], body.feet.world(after)[..., 1]
    floor = min((plant.place[1] for plant in kept), default=0.0)
    standing = np.zeros(heights.shape, dtype=bool)
    for plant in kept:
        standing[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)] = True
    deeper = np.where(standing, 0.0, np.minimum(heights, floor) - heights_after)
    yield "a foot over 2 cm deeper in the floor", float(deeper.max() > 0.02)
    drift, speed = drifts(after, body, cleaned)
    yield "drift over a held plant (mm)", 1e3 * float(drift.max(initial=0.0))
    yield "speed in a held plant (mm/s)", 1e3 * float(speed.max(initial=0.0))
    n_held = sum(one.plant.stop - one.plant.start for one in cleaned.plants if one.held)
    yield "planted frames held (%)", 100 * n_held / max(sum(p.stop - p.start for p in walk.plants), 1)
    yield "feet off their places before (mm)", 1e3 * float(np.nan_to_num(was.plant_error))
    yield "and after (mm)", 1e3 * float(np.nan_to_num(now.plant_error))


def drifts(motion: Motion, body: Body, cleaned: Cleaned) -> tuple[np.ndarray, np.ndarray]:
    """(metres from its first frame, metres per second) at most, of each plant that is held."""
    points = body.feet.world(motion)
    farthest, fastest = [], []
    for held in cleaned.plants:
        if held.held:
            plant = held.plant
            path = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
            farthest.append(np.linalg.norm(path - path[0], axis=1).max())
            steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
            fastest.append(steps.max(initial=0.0) / motion.frame_time)
    return np.array(farthest), np.array(fastest)


def accelerations(walk: Walk, motion: Motion | None = None) -> Iterator[np.ndarray]:
    """rad/s² (F − 2,) of the legs' joints against their parents."""
    motion = motion or walk.motion
    for name in LEGS:
        q = motion.rotations[:, walk.body.body_map.joints[name]]
        speeds = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(q[:-1]), q[1:])) / motion.frame_time
        yield np.linalg.norm(np.diff(speeds, axis=0), axis=1) / motion.frame_time


def shuffled_pairs(data: Path, rng: np.random.Generator) -> list[tuple[Path, Path]]:
    """Pairs of walks of the same subject, in random order."""
    by_subject = defaultdict(list)
    with (data / "labels.csv").open(encoding="utf-8") as file:
        for row in DictReader(file):
            if row["category"] == "walk" and int(row["frames"]) > 60:
                by_subject[row["subject"]].append(data / "30hz" / row["file"])
    pairs = [(one, other) for files in by_subject.values() for one in files for other in files if one != other]
    # Subjects with many clips would have almost all pairs: every subject's turn comes equally soon.
    order = {pair: rng.random() * len(by_subject[pair[0].name.split("_")[0]]) ** 2 for pair in pairs}
    return sorted(pairs, key=lambda pair: (order[pair], pair))


@cache
def read_walk(path: Path, *, after: int = 0) -> Walk:
    """A clip and its plants, from a frame on."""
    recording = parse_bvh(gzip.decompress(path.read_bytes()), path).recordings[0]
    motion = replace(recording, space=replace(recording.space, unit_metres=UNIT_METRES)).motion()
    motion = motion.slice(after, motion.n_frames) if after and motion.n_frames > after else motion
    body = body_of(motion.skeleton, motion=motion)
    return Walk(motion, body, detect_plants(motion, body).plants)


def stretched(walk: Walk) -> Walk:
    """The walk on a longer path."""
    start = walk.motion.root_positions[0]
    path = start + (walk.motion.root_positions - start) * np.array([1.1, 1.0, 1.1])
    return replace(walk, motion=replace(walk.motion, root_positions=path))


def blend(one: Walk, other: Walk) -> Walk | None:
    """One walk that becomes the other, step by step; None if they have no three steps in common."""
    (steps, facing), (other_steps, other_facing) = gait(one), gait(other)
    if steps and other_steps and steps[0][1] != other_steps[0][1]:
        other_steps = other_steps[1:]
    n_steps = min(len(steps), len(other_steps))
    if n_steps < 3:
        return None
    at, other_at = (np.array([frame for frame, _ in its[:n_steps]]) for its in (steps, other_steps))
    first, last = int(np.ceil(at[0])), int(np.floor(at[-1]))
    stretch = np.diff(at) / np.diff(other_at)
    if last - first < 25 or stretch.min() < 0.6 or stretch.max() > 1.7:
        return None
    frames = np.arange(first, last + 1)
    other_frames = np.interp(frames, at, other_at)
    a, b = one.motion.slice(first, last + 1), poses_at(other.motion, other_frames)
    share = np.clip(np.linspace(-0.3, 1.3, len(frames)), 0.0, 1.0)
    weight = share * share * (3.0 - 2.0 * share)
    facings = facing[first : last + 1], np.interp(other_frames, np.arange(len(other_facing)), other_facing)
    plants = [*cut_and_warped(one, weight < 0.5, lambda f: f - first)]
    plants += cut_and_warped(other, weight >= 0.5, lambda f: np.interp(f, other_at, at, left=-1e6, right=1e6) - first)
    return Walk(blended(a, b, weight, facings), one.body, tuple(without_overlaps(plants)))


def gait(walk: Walk) -> tuple[list[tuple[float, int]], np.ndarray]:
    """(frames at which the feet pass each other and which one leads then, where the body faces)."""
    motion, joints = walk.motion, walk.body.body_map.joints
    hips = walk.body.body_map.hips
    facing = headings(motion.rotations_world[:, hips], walk.body.rest_world[hips])
    ahead = np.stack([np.sin(facing), 0.0 * facing, np.cos(facing)], axis=1)
    apart = motion.positions_world[:, joints["LeftFoot"]] - motion.positions_world[:, joints["RightFoot"]]
    lead = np.einsum("fi,fi->f", apart, ahead)
    steps: list[tuple[float, int]] = []
    for f in np.flatnonzero(lead[:-1] * lead[1:] < 0.0):
        step = float(f + lead[f] / (lead[f] - lead[f + 1])), int(np.sign(lead[f + 1]))
        if not steps or ((step[0] - steps[-1][0]) * motion.frame_time > 0.3 and step[1] != steps[-1][1]):
            steps.append(step)
    return steps, facing


def blended(a: Motion, b: Motion, weight: np.ndarray, facings: tuple[np.ndarray, np.ndarray]) -> Motion:
    """The motions, frame by frame, at their weights."""
    up = np.array([0.0, 1.0, 0.0])
    roots, increments = [], []
    for motion, facing in zip((a, b), facings, strict=True):
        back = rotations.from_axis_angle(up, -facing)
        roots.append(rotations.multiply(back, motion.rotations[:, 0]))
        increments.append(rotations.rotate(back[:-1], np.diff(motion.root_positions, axis=0)))
    w = weight[:-1]
    turns = (1.0 - w) * np.diff(facings[0]) + w * np.diff(facings[1])
    forth = rotations.from_axis_angle(up, facings[0][0] + np.concatenate([[0.0], np.cumsum(turns)]))
    steps = rotations.rotate(forth[:-1], (1.0 - w[:, None]) * increments[0] + w[:, None] * increments[1])
    path = a.root_positions[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    path[:, 1] = (1.0 - weight) * a.root_positions[:, 1] + weight * b.root_positions[:, 1]
    turned = rotations.slerp(a.rotations, b.rotations, weight[:, None])
    turned[:, 0] = rotations.multiply(forth, rotations.slerp(roots[0], roots[1], weight))
    return replace(a, root_positions=path, rotations=rotations.continuous(turned))


def cut_and_warped(walk: Walk, counts: np.ndarray, warp: Callable[[float], float]) -> Iterator[Plant]:
    """The walk's plants in the blend's frames, those that lie mostly where it counts (F,)."""
    for plant in walk.plants:
        start, stop = (int(np.clip(np.round(warp(float(f))), 0, len(counts))) for f in (plant.start, plant.stop))
        if stop - start >= 2 and counts[start:stop].mean() > 0.5:
            yield replace(plant, start=start, stop=stop)


def without_overlaps(plants: list[Plant]) -> Iterator[Plant]:
    """The plants, without those that begin before the last of their part has ended."""
    last: dict[tuple[str, str], int] = {}
    for plant in sorted(plants, key=lambda plant: plant.start):
        if plant.start >= last.get((plant.foot, plant.part), 0):
            last[plant.foot, plant.part] = plant.stop
            yield plant


if __name__ == "__main__":
    main()
