"""Walking, running, sneaking, limping and turning differ as they should."""

import numpy as np
import pytest

from motionary.motion import headings
from motionary.sample import Take
from motionary.sample.locomotion import limp, run, sneak, turn_on_the_spot, walk


def labelled(take: Take, name: str) -> slice:
    (label,) = (label for label in take.labels if label.name == name)
    return slice(label.start, label.stop)


def flights(take: Take) -> np.ndarray:
    """Whether (F,) no foot stands."""
    planted = np.zeros(take.motion.n_frames, dtype=bool)
    for plant in take.plants:
        planted[plant.start : plant.stop] = True
    return ~planted


@pytest.mark.parametrize("seed", range(4))
def test_walkers_always_have_a_foot_on_the_ground_and_runners_not(perform, seed: int) -> None:
    _, walking = perform(walk, seed % 3, seed)
    _, running = perform(run, seed % 3, seed)

    assert not flights(walking).any()
    assert flights(running)[labelled(running, "run")].mean() > 0.1


@pytest.mark.parametrize("seed", range(3))
def test_runners_are_faster_than_walkers_and_sneakers_slowest_and_lowest(perform, seed: int) -> None:
    def speed(take: Take, name: str) -> float:
        root = take.motion.root_positions[labelled(take, name)][:, [0, 2]]
        return float(np.quantile(np.linalg.norm(np.diff(root, axis=0), axis=-1), 0.7) * 60.0)

    takes = {name: perform(action, 0, seed)[1] for name, action in (("walk", walk), ("run", run), ("sneak", sneak))}
    speeds = {name: speed(take, name) for name, take in takes.items()}
    lows = {name: np.median(take.motion.root_positions[labelled(take, name), 1]) for name, take in takes.items()}

    assert speeds["sneak"] < speeds["walk"] - 0.3
    assert speeds["run"] > speeds["walk"] + 0.7
    assert 0.9 < speeds["walk"] < 2.0
    assert 2.0 < speeds["run"] < 4.0
    assert lows["sneak"] < lows["walk"] - 0.1


def test_arms_swing_against_the_legs(perform) -> None:
    _, take = perform(walk)
    part, skeleton = labelled(take, "walk"), take.motion.skeleton
    facing = headings(take.motion.rotations[part, 0])
    forward = np.stack([np.sin(facing), np.zeros_like(facing), np.cos(facing)], axis=-1)

    def ahead(joint: str, of: str) -> np.ndarray:
        positions = take.motion.positions_world[part]
        return np.sum((positions[:, skeleton.index(joint)] - positions[:, skeleton.index(of)]) * forward, axis=-1)

    hands = ahead("LeftHand", "RightHand")
    feet = ahead("LeftFoot", "RightFoot")

    assert np.corrcoef(hands, feet)[0, 1] < -0.6


def test_running_comes_to_a_stand(perform) -> None:
    _, take = perform(run)
    running, stopping = labelled(take, "run"), labelled(take, "run_to_stand")
    speed = np.linalg.norm(np.diff(take.motion.root_positions[:, [0, 2]], axis=0), axis=-1) * 60.0

    assert running.stop == stopping.start
    assert speed[stopping.start] > 1.5
    assert speed[stopping.stop - 3] < 0.15


def test_limping_spares_one_leg(perform) -> None:
    _, take = perform(limp)
    part = labelled(take, "limp")
    secs = {
        foot: np.median(
            [
                p.stop - p.start
                for p in take.plants
                if p.foot == foot and p.part == "toe" and part.start < p.start < p.stop < part.stop
            ]
        )
        for foot in ("left", "right")
    }

    assert max(secs.values()) > 1.25 * min(secs.values())


@pytest.mark.parametrize("seed", range(3))
def test_turning_stays_on_its_spot(perform, seed: int) -> None:
    _, take = perform(turn_on_the_spot, 0, seed)
    root, facing = take.motion.root_positions[:, [0, 2]], headings(take.motion.rotations[:, 0])

    assert abs(facing[-1] - facing[0]) > 1.4
    assert np.linalg.norm(root[-1] - root[0]) < 0.12
    assert np.ptp(root, axis=0).max() < 0.35


def test_walks_follow_their_turn(perform) -> None:
    def left(p) -> None:
        walk(p, turn=1.5, metres=4.0)

    _, take = perform(left)
    facing = headings(take.motion.rotations[:, 0])

    assert facing[-1] - facing[0] == pytest.approx(1.5, abs=0.05)
