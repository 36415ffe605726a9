"""Whether captured people keep their balance by our measure, and whether bodies made to lose it are told from them.

Walking and standing clips of the CMU selection. Masses are fitted to half of the subjects and judged by the other half,
and the other way round, so that every clip counts once. The method's constants were chosen with these clips in view;
the "other" kinds of clips were not looked at before the polygon was fixed, the "fresh" ones not before the lean was.
Prints the share of frames whose zero-moment point lies within a margin of the support polygon, what each decision
contributes, how far the masses moved, and the area under the ROC curve for upper bodies shifted by 30 cm.
"""

import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionary.dynamics import (
    Balance,
    FittedMasses,
    Masses,
    Support,
    balance,
    body_masses,
    evidence,
    fit_masses,
    flights,
    touching,
)
from motionary.formats import read_motion_file
from motionary.motion import Motion, rotations
from motionary.naturalness import score, standing_by_contacts
from motionary.plants import detect_plants
from motionary.rig import Body, body_of, guess_space

DATA = Path(__file__).parents[2] / "shared" / "cmu"
WALKING = ("walk",)
STANDING = ("basketball_signals", "drink", "laugh", "wash_window", "teapot_rhyme")
RUNNING = ("run", "jump")
# Never looked at while the tips of the toes, the growing of contacts and the fit's stiffness were chosen:
OTHERS = ("walk_backward", "walk_sideways", "march", "sneak", "golf_swing", "punch")
# Nor these while the lean was:
FRESH = ("limp", "sweep", "throw_catch", "direct_traffic", "wave", "dance_salsa", "kick")
MOVING = 0.7  # metres per second of the pelvis: walking clips begin and end with standing
SHIFT = 0.3  # metres
MARGINS_CM = range(11)


@dataclass(frozen=True, eq=False)
class Case:
    """One clip, ready to be judged."""

    name: str
    subject: str
    motion: Motion
    body: Body
    masses: Masses
    contacts: np.ndarray  # (F, 2, 2) feet that stand
    touches: np.ndarray  # (F, 2, 2) feet that touch the ground


@dataclass(frozen=True, eq=False)
class Judges:
    """Masses fitted to either half of the subjects, for those of the other half."""

    of_first: FittedMasses
    of_second: FittedMasses
    first: frozenset[str]  # subjects

    def of(self, case: Case) -> Masses:
        """The masses of a clip's body, fitted to other subjects."""
        return (self.of_first if case.subject in self.first else self.of_second).of(case.masses)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with labels.csv and 30hz/*.bvh.gz")
    arguments.add_argument("--most", type=int, default=6, help="clips of one kind for each subject, at most")
    options = arguments.parse_args()
    if not (options.data / "labels.csv").exists():
        raise SystemExit(f"{options.data} holds no labels.csv: the CMU selection is needed")
    kinds = (WALKING, STANDING, RUNNING, OTHERS, FRESH)
    clips = {kind: read(options.data, kind, options.most) for kind in kinds}
    known = clips[WALKING] + clips[STANDING]
    first, second = halves(known)
    fits = [fit_masses(evidence(c.motion, c.masses, c.body, c.touches) for c in half) for half in (first, second)]
    subjects = {case.subject for case in first}
    judges = Judges(fits[1], fits[0], frozenset(subjects))
    print_sizes(first, second)
    print_margins(clips, judges)
    for fitted in fits:
        print_fitted(fitted)
    for words, cases in (("walking and standing", known), ("other", clips[OTHERS]), ("fresh", clips[FRESH])):
        print_shifted(f"{words} clips", cases, judges)
    print_flights(clips[RUNNING])


def read(data: Path, categories: tuple[str, ...], most: int) -> list[Case]:
    """The first clips of each subject in these categories."""
    cases, taken = [], defaultdict(int)
    with (data / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["category"] in categories]
    for row in rows:
        if taken[row["subject"]] < most:
            taken[row["subject"]] += 1
            cases.append(case(data / "30hz" / row["file"], row["subject"]))
    return cases


def case(path: Path, subject: str) -> Case:
    recording = read_motion_file(path).recordings[0]
    motion = replace(recording, space=guess_space(recording).space).motion()
    body = body_of(motion.skeleton, motion=motion)
    contacts = detect_plants(motion, body).contacts
    touches = touching(motion, body, contacts)
    return Case(path.name.split(".")[0], subject, motion, body, body_masses(body), contacts, touches)


def halves(cases: list[Case]) -> tuple[list[Case], list[Case]]:
    """The clips of every other subject, and the rest."""
    subjects = sorted({case.subject for case in cases})
    return [c for c in cases if c.subject in subjects[::2]], [c for c in cases if c.subject in subjects[1::2]]


def print_sizes(*halves: list[Case]) -> None:
    for words, cases in zip(("one half", "the other"), halves, strict=True):
        n_frames = sum(case.motion.n_frames for case in cases)
        print(f"{words:10} {len(cases)} clips, {len({case.subject for case in cases})} subjects, {n_frames} frames")


def print_margins(clips: dict[tuple[str, ...], list[Case]], judges: Judges) -> None:
    print("\nshare of frames within a margin of the support polygon, in percent (masses fitted to other subjects)")
    print(f"{'margin in cm':34}" + "".join(f"{margin:6}" for margin in MARGINS_CM) + "   left out")
    known = clips[WALKING] + clips[STANDING]
    named = {"walking": clips[WALKING], "standing": clips[STANDING], "both": known}
    for words, cases in (named | {"others": clips[OTHERS], "fresh": clips[FRESH]}).items():
        print_row(f"{words}, average masses", [judge(c) for c in cases])
        print_row(f"{words}, fitted masses", [judge(c, judges) for c in cases])
        print_row("  with the pieces' own turning", [judge(c, judges, inertia=True) for c in cases])
        print_row("  without the tips of the toes", [without_tips(judge(c, judges)) for c in cases])
        print_row("  only feet that stand still", [judge(c, judges, still=True) for c in cases])
        print_row("  neither", [without_tips(judge(c, judges, still=True)) for c in cases])
        print_row("  frames that travel", [while_moving(judge(c, judges), c) for c in cases])


def judge(case: Case, judges: Judges | None = None, *, inertia: bool = False, still: bool = False) -> Balance:
    masses = case.masses if judges is None else judges.of(case)
    return balance(case.motion, masses, case.body, case.contacts if still else case.touches, inertia=inertia)


def while_moving(judged: Balance, case: Case) -> Balance:
    """Only the frames in which the pelvis travels."""
    path = case.motion.positions_world[:, case.body.body_map.hips][:, [0, 2]]
    if len(path) < 2:
        return replace(judged, distances=judged.distances[:0])
    speeds = np.linalg.norm(np.gradient(path, case.motion.frame_time, axis=0), axis=1)
    return replace(judged, distances=judged.distances[speeds > MOVING])


def without_tips(judged: Balance) -> Balance:
    """The same on heels and balls only."""
    standing = np.array(judged.support.standing)
    standing[:, 8:] = False
    ground = Support(judged.support.corners, standing, judged.support.height)
    return replace(judged, support=ground, distances=ground.distances(judged.points))


def print_row(words: str, judged: list[Balance]) -> None:
    distances = np.concatenate([one.distances for one in judged])
    counted = distances[np.isfinite(distances)]
    shares = [100.0 * float(np.mean(counted <= 0.01 * margin)) for margin in MARGINS_CM]
    print(f"{words:34}" + "".join(f"{share:6.1f}" for share in shares), end="")
    print(f"   {100.0 * (1.0 - len(counted) / len(distances)):.1f}")


def print_fitted(fitted: FittedMasses) -> None:
    print(f"\nmasses moved by the fit ({fitted.n_frames} frames; mean distance ", end="")
    print(f"{1000.0 * fitted.mean_before:.2f} mm before, {1000.0 * fitted.mean_after:.2f} mm after), in percent")
    print(", ".join(f"{kind} {100.0 * moved:+.0f}" for kind, moved in fitted.moved.items()))


def print_shifted(kind: str, cases: list[Case], judges: Judges) -> None:
    """Upper bodies shifted by 30 cm in a random direction against the clips themselves."""
    print(f"\n{kind} with the upper body shifted by {100 * SHIFT:.0f} cm: area under the ROC curve")
    for words, n_frames, n_times in (("whole clips", None, 1), ("seconds", 30, 3)):
        for turning in (False, True):
            rng = np.random.default_rng(0)
            found: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for one in [c for c in cases for _ in range(n_times) if c.motion.n_frames >= (n_frames or 1)]:
                start = 0 if n_frames is None else int(rng.integers(0, one.motion.n_frames - n_frames + 1))
                stop = one.motion.n_frames if n_frames is None else start + n_frames
                motion = one.motion.slice(start, stop)
                standing = standing_by_contacts(one.contacts[start:stop], motion, one.body)
                shifted = with_upper_body_shifted(motion, one.body, rng.uniform(0.0, 2.0 * np.pi), turning)
                masses = judges.of(one)
                both = [score(m, standing, body=one.body, masses=masses) for m in (motion, shifted)]
                for name in ("zmp_error", "zmp_mean", "lean"):
                    first, second = (getattr(report, name) for report in both)
                    if np.isfinite(first) and np.isfinite(second):
                        found[name].append((first, second))
            areas = ", ".join(f"{name} {area_under_roc(pairs):.3f}" for name, pairs in found.items())
            way = "turning with the body" if turning else "the same way all the time"
            print(f"{words:12} {way:26} {len(found['lean'])} pairs: {areas}")


def with_upper_body_shifted(motion: Motion, body: Body, direction: float, turning: bool) -> Motion:
    """The motion with everything from the lowest spine joint upwards displaced on the level.

    The direction is that of the world, or, `turning`, counted from where the hips face.
    """
    joint, joints = body.body_map.spine[0], body.body_map.joints
    headings = np.full(motion.n_frames, direction)
    if turning:
        left = motion.positions_world[:, joints["LeftThigh"]] - motion.positions_world[:, joints["RightThigh"]]
        headings += np.arctan2(left[:, 2], left[:, 0])
    level = SHIFT * np.stack([np.cos(headings), np.zeros(motion.n_frames), np.sin(headings)], axis=1)
    into_parent = rotations.inverse(motion.rotations_world[:, motion.skeleton.parents[joint]])
    translations = motion.skeleton.offsets[joint] + rotations.rotate(into_parent, level)
    return replace(motion, moving_joints=np.array([joint]), translations=translations[:, None])


def area_under_roc(pairs: list[tuple[float, float]]) -> float:
    """How often a worsened clip scores above an original, over all pairs of one and another; ties count half."""
    original, worse = np.array(pairs).T
    above = np.sum(worse[:, None] > original) + 0.5 * np.sum(worse[:, None] == original)
    return float(above / (len(worse) * len(original)))


def print_flights(cases: list[Case]) -> None:
    """Free fall and angular momentum in runs and jumps."""
    flown = [flights(c.motion, c.masses, c.body, c.touches) for c in cases]
    flown = [one for one in flown if one.spans]
    falls, momenta = [one.fall_error for one in flown], [one.momentum_error for one in flown]
    print(f"\nflight: {sum(len(one.spans) for one in flown)} flights in {len(flown)} clips of runs and jumps")
    for words, values, unit in (("fall error in cm", falls, 100.0), ("momentum error in percent", momenta, 100.0)):
        quartiles = unit * np.percentile(values, [25, 50, 75, 95])
        print(
            f"{words:26} " + " / ".join(f"{value:.2f}" for value in quartiles) + "  (25th, 50th, 75th, 95th percentile)"
        )


if __name__ == "__main__":
    main()
