"""How well a search in a pose space does where the truth is known, beside Forbes & Fiume (2005), sec. 4.2.

Raises: the first raise of each kind is the query; how many neighbours it takes until all others of its kind are found,
and how much further than the worst of them the nearest match of another kind is. A match is what a labelled segment
shares half of its frames with.

Characteristic poses: for every labelled segment of the sample library, whether the chosen frame lies where the action
is at its height: where a measure of the action (the hand's height, the head's depth, …) has 70 % of its range in the
segment or more. "Held" are cuts around the longest such stretch that fill 60 to 80 % of the cut. Gaits have no hold;
theirs is wherever legs are apart, a foot is lifted or the trunk leans.

    python bench/wpca_truth.py
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.features import descriptions
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.sample import sample_into
from motionary.search import (
    LibrarySegment,
    Match,
    PoseIndex,
    PoseQuery,
    build_pose_index,
    column_weights,
    search_poses,
    train_space,
)
from motionary.search.wpca.characteristic import NEUTRAL
from motionary.search.wpca.index import library_poses

HEIGHT_SHARE = 0.7
RAISES = ("raise_left", "raise_right", "raise_both")
NEIGHBOURS = (250, 500, 1000, 1130, 1500, 1900, 2500, 3500)
GAITS = ("walk", "run", "run_to_stand", "skip", "sneak", "limp", "step_up", "step_down")
REPEATED = ("hop", "punch", "throw")  # too quick to be held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for preset in ("raises", "raises-wide"):
            with Bank.open(Path(scratch) / f"{preset}.bank", create=True) as bank:
                sample_into(bank, preset=preset, seed=options.seed)
                print_raises(bank, preset)
        with Bank.open(Path(scratch) / "everyday.bank", create=True) as bank:
            sample_into(bank, minutes=options.minutes, seed=options.seed)
            print_characters(bank)


def print_raises(bank: Bank, preset: str) -> None:
    features = build_features(bank)
    index = build_pose_index(features, train_space(library_poses(features), column_weights()))
    truth = {label: bank.labelled(label) for label in (*RAISES, "shrug", "slouch")}
    print(
        f"\n{preset}: {index.n_frames:,} frames at {index.rate_hz:g} Hz; found of its kind, others above the last of it"
    )
    for kind in RAISES:
        query, others = truth[kind][0], truth[kind][1:]
        cells = []
        for n in NEIGHBOURS:
            asked = PoseQuery(
                example=LibrarySegment(features, query), neighbours=n, k=None, within=1e9, n_poses=1, mirrored="no"
            )
            ranked = [label_of(match, truth) for match in search_poses(index, asked).matches]
            found = {segment for label, segment in ranked if label == kind}
            last = max((i for i, (label, _) in enumerate(ranked) if label == kind), default=-1)
            above = sum(label != kind for label, _ in ranked[:last])
            cells.append(f"{n}: {len(found)}/{len(others)}, {above}")
        print(f"  {kind:<12} " + "  ".join(cells))
    if preset == "raises":
        print("  paper, 50 Hz: all 19 others of the left hand from 1,130 neighbours on; others, below, at 1,900")


def label_of(match: Match, truth: dict[str, list[Segment]]) -> tuple[str, Segment | None]:
    """The labelled segment that a match shows."""
    for label, segments in truth.items():
        for segment in segments:
            common = min(segment.stop, match.segment.stop) - max(segment.start, match.segment.start)
            if segment.clip_id == match.segment.clip_id and common > 0.5 * segment.n_frames:
                return label, segment
    return "", None


@dataclass(frozen=True, eq=False)
class Case:
    """A query, and in which of its frames the action is at its height."""

    label: str
    kind: str  # whole or held
    clip: int
    start: int
    at_height: np.ndarray  # (n,) bool


def print_characters(bank: Bank) -> None:
    features = build_features(bank)
    index = build_pose_index(features, train_space(library_poses(features), column_weights()))
    found = list(cases(bank, features))
    print(f"\nsample library: {len(found)} queries; share whose characteristic frame is at the action's height")
    print(f"  {'way':<8} {'whole':>7} {'held':>7} {'gaits':>7}")
    for way in ("rare", *NEUTRAL):
        hits: dict[str, list[bool]] = {"whole": [], "held": [], "gait": []}
        missed: dict[str, int] = {}
        for case in found:
            hit = bool(case.at_height[chosen_frame(index, features, case, way)])
            hits["gait" if case.label in GAITS else case.kind].append(hit)
            missed[case.label] = missed.get(case.label, 0) + (not hit)
        shares = " ".join(f"{np.mean(hits[kind]):7.1%}" for kind in ("whole", "held", "gait"))
        worst = sorted(((n, label) for label, n in missed.items() if n), reverse=True)[:4]
        print(f"  {way:<8} {shares}   missed: {', '.join(f'{label} {n}' for n, label in worst) or 'none'}")


def chosen_frame(index: PoseIndex, features: LibraryFeatures, case: Case, way: str) -> int:
    rates = features.rates[case.clip]
    segment = Segment(
        int(features.clip_ids[case.clip]), *rates.clip_segment(case.start, case.start + len(case.at_height))
    )
    query = PoseQuery(example=LibrarySegment(features, segment), pose=way, n_poses=1, neighbours=1, k=1)
    return min(search_poses(index, query).frames[0], len(case.at_height) - 1)


def cases(bank: Bank, features: LibraryFeatures) -> Iterator[Case]:
    rng = np.random.default_rng(0)
    for c, clip_id in enumerate(features.clip_ids.tolist()):
        for label in bank.labels(clip_id):
            if label.start is None or label.stop is None or label.name in ("idle", "turn"):
                continue
            start, stop = features.rates[c].search_segment(label.start, label.stop)
            height = at_height(label.name, features, c, start, stop)
            yield Case(label.name, "whole", c, start, height)
            if label.name not in (*GAITS, *REPEATED):
                frames = np.flatnonzero(height)
                longest = max(np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1), key=len)
                extra = round(len(longest) / rng.uniform(0.6, 0.8)) - len(longest)
                before = int(rng.integers(extra + 1))
                first = max(0, int(longest[0]) - before)
                last = min(len(height), int(longest[-1]) + 1 + extra - before)
                yield Case(label.name, "held", c, start + first, height[first:last])


def at_height(label: str, features: LibraryFeatures, clip: int, start: int, stop: int) -> np.ndarray:
    rows = slice(int(features.starts[clip]) + start, int(features.starts[clip]) + stop)
    points, root = (np.asarray(features.arrays[name][rows], dtype=float) for name in ("positions", "root"))
    numbers = {dimension.name: i for i, dimension in enumerate(descriptions()["positions"].dimensions)}
    found = np.zeros(len(points), dtype=bool)
    for curve in measures(label, lambda name: points[:, numbers[name]], root):
        found |= curve >= curve.min() + HEIGHT_SHARE * np.ptp(curve)
    return found


def measures(label: str, at: Callable[[str], np.ndarray], root: np.ndarray) -> list[np.ndarray]:
    """Curves that are largest where the action is at its height."""
    hips, lean = root[:, 0], np.hypot(root[:, 4], root[:, 5])
    left, right = at("LeftHand up"), at("RightHand up")
    feet = np.stack([at("LeftFoot up"), at("RightFoot up")])
    ahead = np.stack([at("LeftHand forward"), at("RightHand forward")])
    apart = np.hypot(at("LeftFoot forward") - at("RightFoot forward"), feet[0] - feet[1])
    known = {
        "raise_right": [right], "raise_left": [left], "raise_both": [np.minimum(left, right)],
        "wave": [np.maximum(left, right)], "reach_high": [np.maximum(left, right)],
        "shrug": [at("LeftUpperArm up") + at("RightUpperArm up") - 2 * at("Neck1 up")], "slouch": [-at("Head up")],
        "reach_low": [-np.minimum(left, right)], "pick_up": [-np.minimum(left, right)],
        "put_back": [-np.minimum(left, right)], "reach_left": [at("LeftHand left")],
        "reach_right": [-at("RightHand left")], "sit_down": [-hips], "stand_up": [-hips], "squat": [-hips],
        "jump": [hips, -hips], "hop": [hips, -hips], "kick_front": [feet.max(axis=0)], "kick_side": [feet.max(axis=0)],
        "punch": [ahead.max(axis=0)], "throw": [np.maximum(left, right), ahead.max(axis=0), -ahead.min(axis=0)],
        "cartwheel": [lean],
    }  # fmt: skip
    return known.get(label, [apart, feet.max(axis=0), lean])


if __name__ == "__main__":
    main()
