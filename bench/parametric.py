"""The eight parametric motions of Kovar & Gleicher (2004), asked against got, where the examples are made or captured.

    python bench/parametric.py [--data FOLDER] [--points N] [--walks N] [--only NAME…]

Made sets come from the sample library's performer (one actor, 60 Hz), captured ones from CMU (30 Hz). For each:
examples, seconds of data; time to register and to try 1,000 blends; kept samples and their storage as a share of the
examples'; for random points inside of the region the distance from asked to got (mm: median and 95th percentile),
corrected, interpolated only, and by plain inverse distance over the examples; the same for finished motions, feet
held; the worst slide of planted feet; the share of blends that score no worse than the 95th percentile of the library's
own segments of that action: 40 performances by all actors, or all captured ones (CMU's queries of the action included).
Then the times of asking, and the walks that are left when redundant ones are dropped at a quarter of an inch.
"""

import argparse
from collections import Counter
from csv import DictReader
from dataclasses import replace
from gzip import open as open_gzip
from itertools import pairwise
from pathlib import Path
from time import process_time

import numpy as np

from motionary.blend import BlendSource, RegistrationOptions
from motionary.errors import UsageError
from motionary.formats import parse_bvh
from motionary.motion import Space
from motionary.naturalness import score
from motionary.parametric import ParametricMotion, Samples, make_parametric, measure_named
from motionary.sample import ACTORS, ROUTINES, gestures, locomotion
from motionary.sample.performer import Performer

DATA = Path(__file__).parents[2] / "shared" / "cmu"
UNIT_METRES = 0.056444
RATE_HZ = 60.0
KICKS_74 = ["74_03:60-110", "74_04:60-110", "74_05:67-117", "74_06:65-115"]
BALL_KICKS = ["10_01:0-201", "10_02:0-148", "10_03:0-91", "10_05:0-109", "10_06:0-143", "11_01:0-150"]
CAPTURED = {  # clips and frames of CMU at 30 Hz, each with one instance of the action; and the action of the queries
    "kick (74)": ("RightFoot@apex", "kick", KICKS_74),
    "ball kick (10, 11)": ("RightFoot@apex", "kick", BALL_KICKS),
    "cartwheel (90)": ("end", "cartwheel", ["90_03:90-144", "90_04:89-143"]),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with 30hz/*.bvh.gz")
    arguments.add_argument("--points", type=int, default=100)
    arguments.add_argument("--walks", type=int, default=96)
    arguments.add_argument("--only", nargs="*", default=[], help="names of sets")
    options = arguments.parse_args()
    made: dict[str, tuple[str, str, int]] = {
        "reach": ("RightHand@apex", "reach_high", 6),
        "kick": ("RightFoot@apex", "kick_front", 4),
        "sit": ("lowest:Hips", "sit_down", 2),
        "step up": ("heel:left", "step_up", 4),
        "punch": ("RightHand@apex", "punch", 7),
        "hop": ("end", "hop", 4),
        "cartwheel": ("end", "cartwheel", 11),
        "walk": ("end", "walk", 24),
    }
    print(
        "set                 n   secs  reg s  1000 s  kept  store%      asked/got   interpolated        inverse", end=""
    )
    print("       finished  slide natural")
    for name, (measure, label, n) in made.items():
        if not options.only or name in options.only:
            sources = walks(n) if label == "walk" else performed(label, n)
            own = walks(40, all_actors=True) if label == "walk" else performed(label, 40, all_actors=True)
            told(name, measure, sources, own, options.points)
    if (options.data / "30hz").exists():
        for name, (measure, action, texts) in CAPTURED.items():
            if not options.only or name in options.only:
                sources = [capture(options.data, text) for text in texts]
                own = [capture(options.data, text) for text in queries(options.data, action) if text not in texts]
                told(name, measure, sources, [*sources, *own], options.points)
        if not options.only or "walk (CMU)" in options.only:
            sources = captured_walks(options.data, 24)
            told("walk (CMU)", "end", sources, sources, options.points)
    if not options.only or "redundant" in options.only:
        redundant(options.walks)


def told(name: str, measure: str, sources: list[BlendSource], library: list[BlendSource], n_points: int) -> None:
    try:
        make_parametric(sources, [measure_named(measure)], n_draws=5)  # compiles
        start = process_time()
        few = make_parametric(sources, [measure_named(measure)], n_draws=0)
        registered = process_time() - start
        start = process_time()
        motion = make_parametric(few.registration, [measure_named(measure)], n_draws=1000)
        sampled = process_time() - start
    except UsageError as error:
        print(f"{name:18s} {str(error)[:150]}")
        return
    secs = sum(s.motion.duration_secs for s in motion.registration.sources)
    n_numbers = sum(s.motion.n_frames * (4 * s.motion.skeleton.n_joints + 3) for s in motion.registration.sources)
    stored = 100.0 * motion.samples.n_bytes / (4 * n_numbers)
    rng = np.random.default_rng(1)
    points = motion.random_points(n_points, rng=rng)
    plain = Samples(motion.examples, np.eye(motion.n_examples), motion.samples.scales, motion.samples.turns)
    answers = motion.ask_many(points)
    corrected = [_far(answer.error) for answer in answers]
    interpolated = [_far(motion.ask(point, corrections=0).error) for point in points]
    inverse = [_far(motion.measure(plain.interpolated(point)) - point) for point in points]
    done = motion.ask_many(points[:40], finished=True)
    blends = [answer.motion() for answer in done]
    finished = [_far(answer.error) for answer in done]
    slides = [one.naturalness.slide_worst for one in blends]
    own = [score(s.motion, s.plants, body=s.body).score for s in library]
    limit = np.nanpercentile(own, 95)
    natural = np.mean([not one.naturalness.score > limit for one in blends])
    print(
        f"{name:18s} {motion.n_examples:3d} {secs:6.1f} {registered:6.2f} {sampled:7.2f} "
        f"{len(motion.samples.values):5d} "
        f"{stored:7.2f} {_two(corrected)}  {_two(interpolated)}  {_two(inverse)}  {_two(finished)} "
        f"{1000 * np.nanmax(slides):6.2f} {100 * natural:6.0f} %"
    )
    for spoiler in motion.registration.spoilers:
        print(f"    left out: {spoiler}")
    if name in ("reach", "walk"):
        times(motion, points)


def times(motion: ParametricMotion, points: np.ndarray) -> None:
    for what, call in (
        ("parameters to weights", lambda point: motion.weights_for(point)),
        ("the same, corrected", lambda point: motion.ask(point)),
        ("to a finished motion", lambda point: motion.ask(point).motion()),
    ):
        call(points[0])
        spent = []
        for point in points[:30]:
            start = process_time()
            call(point)
            spent.append(process_time() - start)
        made = motion.ask(points[0]).motion(clean_up=False).motion.duration_secs
        print(f"    {what}: {1000 * np.median(spent):.3f} ms (motion of {made:.1f} s at {RATE_HZ:g} Hz)")


def redundant(n_walks: int) -> None:
    sources = walks(n_walks)
    motion = make_parametric(sources, [measure_named("end")], options=RegistrationOptions(spoilers="drop"))
    points = motion.random_points(60, rng=np.random.default_rng(2))
    before = [_far(answer.error) for answer in motion.ask_many(points)]
    fewer = motion.without_redundant()
    after = [_far(answer.error) for answer in fewer.ask_many(points)]
    print(f"{motion.n_examples} walks, a quarter of an inch: {fewer.n_examples} left; asked/got", end=" ")
    print(f"{_two(before)} mm before, {_two(after)} after")


def performed(label: str, n: int, *, all_actors: bool = False, seed: int = 0) -> list[BlendSource]:
    """n performances of an action by one actor, from standing to standing, with the steps of the first in its order;
    or by all actors, whatever steps they take."""
    routine = next(r for r in ROUTINES if label in r.labels)
    found: list[BlendSource] = []
    number = 0
    while len(found) < n and number < 40 * n:
        rng = np.random.default_rng([seed, number])
        number += 1
        actor = ACTORS[number % len(ACTORS) if all_actors else 0]
        performer = Performer(actor, rng, heading=float(rng.uniform(-3.0, 3.0)))
        gestures.idle(performer, 0.3)
        routine.perform(performer)
        gestures.idle(performer, 0.3)
        take = performer.take(label, rate_hz=RATE_HZ)
        segment = next(one for one in take.labels if one.name == label)
        source = _cut(f"{label} {number}", take, max(segment.start - 6, 0), segment.stop)
        if all_actors or not found or _steps(source) == _steps(found[0]):
            found.append(source)
    return found


def _steps(source: BlendSource) -> list[str]:
    """The feet that come down, in order."""
    return [plant.foot for plant in sorted(source.plants, key=lambda p: p.start) if plant.start > 0]


def walks(n: int, *, all_actors: bool = False, seed: int = 0) -> list[BlendSource]:
    """One stride each, from a left footfall to the next, at many speeds and turns; by one actor or by all."""
    found = []
    for number in range(n):
        rng = np.random.default_rng([seed, number])
        actor = ACTORS[number % len(ACTORS) if all_actors else 0]
        performer = Performer(actor, rng, heading=float(rng.uniform(-3.0, 3.0)))
        gestures.idle(performer, 0.3)
        locomotion.walk(performer, turn=float(rng.uniform(-1.6, 1.6)), metres=4.5)
        take = performer.take("walk", rate_hz=RATE_HZ / 2)
        landings = sorted(p.start for p in take.plants if (p.foot, p.part) == ("left", "heel") and p.start > 0)
        found.append(_cut(f"walk {number}", take, landings[0], landings[1] + 1))
    return found


def _cut(name: str, take: object, start: int, stop: int) -> BlendSource:
    plants = [
        replace(p, start=max(p.start, start) - start, stop=min(p.stop, stop) - start)
        for p in take.plants
        if p.start < stop and p.stop > start
    ]
    return BlendSource.of(name, take.motion.slice(start, stop), plants)


def capture(data: Path, text: str) -> BlendSource:
    name, _, frames = text.partition(":")
    start, stop = (int(frame) for frame in frames.split("-"))
    with open_gzip(data / "30hz" / f"{name}.bvh.gz") as file:
        recording = parse_bvh(file.read(), Path(name)).recordings[0]
    whole = BlendSource.of(name, replace(recording, space=Space(UNIT_METRES)).motion())
    plants = tuple(
        replace(p, start=max(p.start, start) - start, stop=min(p.stop, stop) - start)
        for p in whole.plants
        if p.start < stop and p.stop > start
    )
    return replace(whole, name=text, motion=whole.motion.slice(start, stop), plants=plants)


def queries(data: Path, action: str) -> list[str]:
    """The segments of CMU's queries for an action."""
    with open(data / "queries.csv", encoding="utf-8") as file:
        rows = [row for row in DictReader(file) if row["category"] == action]
    return [f"{row['file'].split('.')[0]}:{row['start_frame']}-{row['end_frame']}" for row in rows]


def captured_walks(data: Path, n: int) -> list[BlendSource]:
    """One stride each, from a left footfall to the next, of plain walks by the subjects who walk most."""
    with open(data / "labels.csv", encoding="utf-8") as file:
        rows = [row for row in DictReader(file) if row["description"].lower() in ("walk", "slow walk", "fast walk")]
    subjects = Counter(row["subject"] for row in rows)
    rows.sort(key=lambda row: (-subjects[row["subject"]], row["file"]))
    found: list[BlendSource] = []
    for row in rows:
        name = row["file"].removesuffix(".gz").removesuffix(".bvh")
        whole = capture(data, f"{name}:0-{row['frames']}")
        for start, stop in pairwise(landings(whole)):
            if 24 <= stop - start <= 50:
                plants = tuple(
                    replace(p, start=max(p.start, start) - start, stop=min(p.stop, stop + 1) - start)
                    for p in whole.plants
                    if p.start < stop + 1 and p.stop > start
                )
                cut = whole.motion.slice(start, stop + 1)
                found.append(replace(whole, name=f"{name}:{start}-{stop + 1}", motion=cut, plants=plants))
                break
        if len(found) == n:
            break
    return found


def landings(source: BlendSource) -> list[int]:
    """The frames in which the left foot comes down: none of it stood shortly before."""
    standing = source.contacts[:, 0].any(axis=1)
    return [f for f in range(6, len(standing)) if standing[f] and not standing[f - 4 : f].any()]


def _far(error: np.ndarray) -> float:
    return float(1000.0 * np.linalg.norm(error))


def _two(values: list[float]) -> str:
    return f"{np.median(values):6.2f} {np.percentile(values, 95):6.2f}"


if __name__ == "__main__":
    main()
