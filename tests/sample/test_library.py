"""The library as a whole: repeatable, complete, of the size that was asked for."""

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.sample import ACTIONS, ACTORS, Take, make_library
from motionary.sample.library import RAISES_COUNTS


@pytest.fixture(scope="module")
def twenty_minutes() -> list[Take]:
    return list(make_library())


@pytest.fixture(scope="module")
def takes() -> list[Take]:
    return list(make_library(minutes=5.0))


@pytest.mark.thorough
def test_every_action_is_there_several_times_by_several_actors(twenty_minutes: list[Take]) -> None:
    counts: Counter[str] = Counter()
    actors = defaultdict(set)
    for take in twenty_minutes:
        for label in take.labels:
            counts[label.name] += 1
            actors[label.name].add(take.actor)

    assert set(counts) == set(ACTIONS)
    assert min(counts.values()) >= 5
    assert min(len(names) for names in actors.values()) >= 4
    assert {take.actor for take in twenty_minutes} == {actor.name for actor in ACTORS}


def test_most_actions_are_in_few_minutes(takes: list[Take]) -> None:
    there = {label.name for take in takes for label in take.labels}

    assert there <= set(ACTIONS)
    assert len(there) > 0.8 * len(ACTIONS)


def test_takes_last_10_to_60_seconds_at_60_hz(takes: list[Take]) -> None:
    lengths = [take.motion.duration_secs for take in takes]

    assert 10.0 <= min(lengths) <= max(lengths) <= 60.0
    assert sum(lengths) / 60.0 == pytest.approx(5.0, abs=0.8)
    assert {take.motion.frame_time for take in takes} == {1.0 / 60.0}
    assert len({take.name for take in takes}) == len(takes)


def test_labels_cover_each_take_without_overlap(takes: list[Take]) -> None:
    for take in takes:
        bounds = [(label.start, label.stop) for label in take.labels]
        assert bounds[0][0] == 0
        assert bounds[-1][1] == take.motion.n_frames
        assert all(before[1] == after[0] for before, after in itertools.pairwise(bounds))


def test_nobody_leaves_the_room_or_jumps_in_it(takes: list[Take]) -> None:
    for take in takes:
        root = take.motion.root_positions
        assert np.abs(root[:, [0, 2]]).max() < 15.0
        assert np.linalg.norm(np.diff(root, axis=0), axis=-1).max() * 60.0 < 6.0


def test_the_truth_lies_within_the_take(takes: list[Take]) -> None:
    for take in takes:
        n_frames = take.motion.n_frames
        assert all(0 <= plant.start < plant.stop <= n_frames for plant in take.plants)
        assert all(0 <= target.frame < n_frames for target in take.targets)
        assert {(plant.foot, plant.part) for plant in take.plants} == {
            (foot, part) for foot in ("left", "right") for part in ("heel", "toe")
        }


def test_the_same_arguments_give_the_same_bytes() -> None:
    first, second = (list(make_library(minutes=0.8, seed=7)) for _ in range(2))

    assert [take.name for take in first] == [take.name for take in second]
    for a, b in zip(first, second, strict=True):
        assert a.motion.rotations.tobytes() == b.motion.rotations.tobytes()
        assert a.motion.root_positions.tobytes() == b.motion.root_positions.tobytes()
        assert a.labels == b.labels
        assert [(p.foot, p.part, p.start, p.stop, *p.place) for p in a.plants] == [
            (p.foot, p.part, p.start, p.stop, *p.place) for p in b.plants
        ]


def test_another_seed_gives_another_library() -> None:
    first, second = (next(make_library(minutes=0.2, seed=seed)) for seed in (0, 1))

    assert [label.name for label in first.labels] != [label.name for label in second.labels]


def test_a_longer_library_begins_like_a_shorter_one() -> None:
    short, long = next(make_library(minutes=1.0)), next(make_library(minutes=2.0))

    assert short.labels == long.labels


@pytest.fixture(scope="module")
def raises() -> dict[str, list[Take]]:
    return {preset: list(make_library(preset=preset)) for preset in ("raises", "raises-wide")}


@pytest.mark.parametrize("preset", ["raises", "raises-wide"])
def test_raises_have_the_published_counts_rate_and_length(raises: dict[str, list[Take]], preset: str) -> None:
    takes = raises[preset]
    counts = Counter(label.name for take in takes for label in take.labels)
    del counts["idle"]

    assert counts == RAISES_COUNTS == {"raise_right": 15, "raise_left": 20, "raise_both": 20, "shrug": 10, "slouch": 10}
    assert sum(take.motion.duration_secs for take in takes) == pytest.approx(300.0, abs=10.0)
    assert {take.motion.frame_time for take in takes} == {1.0 / 50.0}


@pytest.mark.parametrize(("preset", "width"), [("raises", 0.1), ("raises-wide", 0.3)])
def test_raised_hands_have_targets_in_a_cube(raises: dict[str, list[Take]], preset: str, width: float) -> None:
    spans, takes = [], raises[preset]
    for side in ("Left", "Right"):
        places = []
        for take in takes:
            shoulder = take.motion.positions_world[0, take.motion.skeleton.index(f"{side}UpperArm")]
            places += [target.place - shoulder for target in take.targets if target.joint == f"{side}Hand"]
        spans.append(np.ptp(np.array(places), axis=0))

    # The body sways a few centimetres under the cube.
    assert np.all(np.array(spans) < width + 0.12)
    assert np.mean(spans) > 0.75 * width


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "dance"}, "no preset named 'dance'; choose from everyday, raises, raises-wide"),
        ({"minutes": 0.0}, r"minutes must be above 0, not 0\.0"),
        ({"minutes": float("nan")}, "minutes must be above 0, not nan"),
        ({"seed": -1}, "the seed must be an integer of at least 0, not -1"),
    ],
)
def test_impossible_libraries_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_library(**arguments)
