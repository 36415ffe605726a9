"""What registration and blending do where the truth is known, and to captures.

    python bench/blend.py [--data FOLDER] [--apexes N]

Weight 1 must give back each example. Two sources of one speed, one warped three times as long, must blend to that
speed; beside it the other common form of time, du/dt = Σ w / s′. Apexes: made reaches with the right hand in directions
from 60° across the body to 120° outwards, each with a rounded peak at a known frame (60 Hz), aligned through the graph,
and directly; by poses and movement, and by poses alone. Loops: cycles of made walks, runs and skips. Captures: sets of
CMU's queries, blended evenly; shown are costs, plants, slides and scores. Times are medians of CPU time.
"""

import argparse
from csv import DictReader
from dataclasses import replace
from gzip import open as open_gzip
from pathlib import Path
from time import process_time

import numpy as np

from motionary.blend import (
    BlendSource,
    RegistrationOptions,
    aligning,
    blend,
    close_loop,
    find_cycles,
    meet,
    register,
)
from motionary.blend import registration as registration_
from motionary.errors import UsageError
from motionary.formats import parse_bvh
from motionary.motion import Motion, Space, rotations
from motionary.parametric.measures import apexes_of
from motionary.plants import Plant, cut_plants
from motionary.rig import body_of
from motionary.sample import ACTORS, gestures, locomotion, skipping
from motionary.sample.performer import Performer

DATA = Path(__file__).parents[2] / "shared" / "cmu"
UNIT_METRES = 0.056444
RATE_HZ = 60.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with 30hz/*.bvh.gz and queries.csv")
    arguments.add_argument("--apexes", type=int, default=20, help="reaches of the apex test")
    options = arguments.parse_args()
    sources, peaks = reaches(options.apexes)
    weight_one(sources)
    equal_speed(sources[0])
    apexes(sources, peaks)
    loops()
    times(sources)
    if (options.data / "queries.csv").exists():
        captures(options.data)


def weight_one(sources: list[BlendSource]) -> None:
    registration = register(sources[:8])
    worst = 0.0
    for i in range(registration.n_sources):
        made = blend(registration, np.eye(registration.n_sources)[i])
        worst = max(
            worst, float(np.abs(made.motion.positions_world - registration.sources[i].motion.positions_world).max())
        )
    print(f"weight 1 returns the example: {worst:.1e} m at worst over {registration.n_sources}")


def equal_speed(source: BlendSource) -> None:
    """A body that glides at 1.2 m/s, and the same with slopes of 3."""
    registration = register([source, replace(source, name="again")], options=RegistrationOptions(spoilers="keep"))
    n, step = registration.n_clock, 0.02
    gliding = []
    for length in (n, 3 * (n - 1) + 1):
        root = np.tile(source.motion.root_positions[:1], (length, 1))
        root[:, 2] = step * np.arange(length)
        local = np.tile(source.motion.rotations[:1], (length, 1, 1))
        gliding.append(replace(source, motion=Motion(source.motion.skeleton, source.motion.frame_time, root, local)))
    slopes = np.stack([np.ones(n), np.full(n, 3.0)])
    both = replace(
        registration,
        sources=tuple(gliding),
        curves=slopes * np.arange(n),
        slopes=slopes,
        turns=np.zeros((2, n)),
    )
    made = blend(both, [0.5, 0.5], clean_up=False)
    speeds = np.diff(made.motion.root_positions[:, 2]) / step
    other = (0.5 * 1.0 + 0.5 * 3.0) * (0.5 / 1.0 + 0.5 / 3.0)  # du/dt form: way for each u, times u for each t
    print(f"equal speeds, slopes 1 and 3: {speeds.min():.4f} to {speeds.max():.4f} times; du/dt form {other:.2f} times")


def apexes(sources: list[BlendSource], peaks: list[int]) -> None:
    print(f"apexes of {len(sources)} reaches, frames at {RATE_HZ:g} Hz:        mean  median  worst  left out")
    ours = aligning.MOVING, aligning.OUTWARD, aligning.BEST_COUNTS, registration_.REFINED_SECS
    for kind, settings in {"poses and movement": ours, "poses alone": (0.0, 0.0, 0.0, 0.0)}.items():
        aligning.MOVING, aligning.OUTWARD, aligning.BEST_COUNTS, registration_.REFINED_SECS = settings
        for paths in ("graph", "direct"):
            _apex_line(f"{kind}, {paths}", sources, peaks, paths)
    aligning.MOVING, aligning.OUTWARD, aligning.BEST_COUNTS, registration_.REFINED_SECS = ours
    _apex_line("found apexes made to meet", sources, peaks, "graph", met=True)


def _apex_line(name: str, sources: list[BlendSource], peaks: list[int], paths: str, *, met: bool = False) -> None:
    registration = register(sources, options=RegistrationOptions(paths=paths, spoilers="keep"))
    if met:
        hand = registration.body.body_map.joints["RightHand"]
        registration = meet(registration, apexes_of(registration, hand)[:, None])
    numbers = [[source.name for source in sources].index(name) for name in registration.names]
    clock = np.median([registration.clock_at(i, peaks[number]) for i, number in enumerate(numbers)])
    off = np.abs([float(registration.warp(i)(np.array(clock))) - peaks[number] for i, number in enumerate(numbers)])
    left_out = len(sources) - len(numbers)
    print(f"  {name:36s} {off.mean():8.1f} {np.median(off):7.1f} {off.max():6.1f} {left_out:6d}")


def loops() -> None:
    print("loops, feet held: cycles  seam rad  velocity %  cost cm")
    kinds = {
        "walk": lambda p: locomotion.walk(p, turn=0.6, metres=6.0),
        "run": lambda p: locomotion.run(p, n_steps=10),
        "skip": skipping.skip,
    }
    for name, perform in kinds.items():
        seams, velocities, costs, n_cycles = [], [], [], 0
        for seed in range(4):
            performer = Performer(ACTORS[seed % len(ACTORS)], np.random.default_rng(seed), heading=0.4)
            gestures.idle(performer, 0.3)
            perform(performer)
            take = performer.take(name, rate_hz=30.0)
            label = next(label for label in take.labels if label.name == name)
            plants = tuple(cut_plants(take.plants, label.start, label.stop))
            source = BlendSource(
                name, take.motion.slice(label.start, label.stop), body_of(take.motion.skeleton), plants
            )
            for cycle in find_cycles(source):
                loop = close_loop(source, cycle)
                n_cycles += 1
                seams.append(loop.seam)
                velocities.append(100.0 * loop.velocity)
                costs.append(100.0 * cycle.cost)
        if n_cycles:
            velocity = f"{np.median(velocities):6.2f} / {max(velocities):.2f}"
            print(f"  {name:14s} {n_cycles:7d} {max(seams):9.1e} {velocity} {np.median(costs):6.1f}")
        else:
            print(f"  {name:14s} {0:7d}")


def times(sources: list[BlendSource]) -> None:
    registration = register(sources[:6])
    secs = registration.n_clock * registration.frame_time
    for n, clean_up in ((2, False), (4, False), (4, True)):
        weights = np.zeros(registration.n_sources)
        weights[:n] = 1.0 / n
        blend(registration, weights, clean_up=clean_up)
        spent = []
        for _ in range(20):
            start = process_time()
            blend(registration, weights, clean_up=clean_up)
            spent.append(process_time() - start)
        feet = "feet held" if clean_up else "as it is"
        print(f"blend of {n} sources, {secs:.1f} s at 60 Hz, {feet}: {1000 * np.median(spent):.1f} ms")


def captures(data: Path) -> None:
    print("CMU's queries, even blends:  used  left out  cost cm  plants  slide mm  score cm")
    with open(data / "queries.csv", encoding="utf-8") as file:
        rows = list(DictReader(file))
    for category in dict.fromkeys(row["category"] for row in rows):
        sources = [_capture(data, row) for row in rows if row["category"] == category]
        try:
            registration = register(sources)
            made = blend(registration, np.full(registration.n_sources, 1.0 / registration.n_sources))
        except UsageError as error:
            print(f"  {category:24s} {str(error)[:90]}")
            continue
        measured = made.naturalness
        print(
            f"  {category:24s} {registration.n_sources:6d} {len(registration.spoilers):9d} "
            f"{100 * np.max(registration.costs):8.1f} {len(made.plants):7d} {1000 * measured.slide_worst:9.2f} "
            f"{100 * measured.score:9.1f}"
        )


def _capture(data: Path, row: dict[str, str]) -> BlendSource:
    name = row["file"].removesuffix(".gz").removesuffix(".bvh")
    with open_gzip(data / "30hz" / f"{name}.bvh.gz") as file:
        recording = parse_bvh(file.read(), Path(name)).recordings[0]
    motion = replace(recording, space=Space(UNIT_METRES)).motion()
    start, stop = int(row["start_frame"]), int(row["end_frame"])
    whole = BlendSource.of(name, motion)
    plants = tuple(
        replace(p, start=max(p.start, start) - start, stop=min(p.stop, stop) - start)
        for p in whole.plants
        if p.start < stop and p.stop > start
    )
    return replace(whole, name=f"{name}:{start}-{stop}", motion=motion.slice(start, stop), plants=plants)


def reaches(n: int, *, seed: int = 5) -> tuple[list[BlendSource], list[int]]:
    """Reaches with the right hand in n directions, and the frames of their peaks."""
    rng = np.random.default_rng(seed)
    directions = [(angle, height) for angle in np.linspace(-60.0, 120.0, (n + 1) // 2) for height in (-30.0, 10.0)][:n]
    sources, peaks = [], []
    for k, (angle, height) in enumerate(directions):
        motion, at = _posed_reach(float(angle), float(height), k)
        n_frames = int(rng.integers(90, 170))
        peak = int(n_frames * rng.uniform(0.35, 0.6))
        share = _bump(n_frames, peak)
        rest, apex = (np.broadcast_to(motion.rotations[f], (n_frames, *motion.rotations[f].shape)) for f in (0, at))
        turned = rotations.slerp(rest, apex, share[:, None])
        root = (1 - share[:, None]) * motion.root_positions[0] + share[:, None] * motion.root_positions[at]
        made = Motion(motion.skeleton, 1 / RATE_HZ, root, rotations.continuous(turned))
        plants = tuple(Plant(f, p, 0, n_frames, (0.0, 0.0, 0.0)) for f in ("left", "right") for p in ("heel", "toe"))
        sources.append(BlendSource(f"reach {angle:.0f} {height:.0f}", made, body_of(motion.skeleton), plants))
        peaks.append(peak)
    return sources, peaks


def _posed_reach(angle: float, height: float, seed: int) -> tuple[Motion, int]:
    """A reach of the sample library's performer, and the frame in which the hand is at its place."""
    rng = np.random.default_rng([100, seed])
    p = Performer(ACTORS[0], rng, heading=float(rng.uniform(-3.0, 3.0)))
    gestures.idle(p, 0.3)
    a = np.radians(angle)
    away = np.cos(a) * p.forward - np.sin(a) * p.left + np.array([0.0, np.tan(np.radians(height)), 0.0])
    s = np.sin(a)
    posture = {"spine": (0.1 * np.cos(a), -0.5 * s, -0.35 * s), "tilt": p.tilted(0.06 * np.cos(a), -0.1 * s)}
    shoulder = p.shoulders(posture)["right"][0]
    place = shoulder + 0.93 * p.arm * away / np.linalg.norm(away)
    posture |= {"arm_right": p.aim("right", place - shoulder), "elbow_right": 0.4}
    with p.label("reach"):
        start, at = p.now, p.now + 1.0
        p.now = at + 1.0
        p.move(start, at, posture)
        p.reach("right", start + 0.1, at, place)
        p.let_go("right", at, at + 0.9)
        p.move(at, p.now, p.at_rest(*posture))
    take = p.take("reach", rate_hz=RATE_HZ)
    first = round(start * RATE_HZ)
    return take.motion.slice(first, take.motion.n_frames), round(at * RATE_HZ) - first


def _bump(n_frames: int, peak: int) -> np.ndarray:
    t = np.arange(n_frames)
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip((t - 4) / (peak - 4), 0.0, 1.0))
    down = 0.5 + 0.5 * np.cos(np.pi * np.clip((t - peak) / (n_frames - 5 - peak), 0.0, 1.0))
    return np.where(t <= peak, up, down)


if __name__ == "__main__":
    main()
