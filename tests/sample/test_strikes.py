"""Kicks, blows and throws go where they should."""

import itertools

import numpy as np
import pytest

from motionary.sample import ACTORS
from motionary.sample.strikes import kick_front, kick_side, punch, throw


@pytest.mark.parametrize("actor", range(7))
def test_kicks_go_to_the_front_and_to_the_side(perform, actor: int) -> None:
    foot = ACTORS[actor].hand.title() + "Foot"
    sign = 1.0 if foot.startswith("Left") else -1.0
    for action, ahead in ((kick_front, True), (kick_side, False)):
        p, take = perform(action, actor)
        track = take.motion.positions_world[:, take.motion.skeleton.index(foot)]
        top = track[np.argmax(track[:, 1])] - p.feet.middle

        assert top[1] > 0.55 * p.leg
        along, aside = top @ p.forward, sign * (top @ p.left)
        assert (along if ahead else aside) > 0.6 * p.leg
        assert abs(aside if ahead else along) < 0.5 * p.leg


def test_the_other_foot_bears_a_kick(perform) -> None:
    _, take = perform(kick_front)

    assert all(plant.stop == take.motion.n_frames for plant in take.plants if plant.foot == "left")


@pytest.mark.parametrize("seed", range(3))
def test_blows_alternate_in_front_at_the_height_of_the_shoulders(perform, seed: int) -> None:
    p, take = perform(punch, 0, seed)
    hands = [target.joint for target in take.targets]

    assert 2 <= len(hands) <= 4
    assert all(a != b for a, b in itertools.pairwise(hands))
    for target in take.targets:
        assert 0.7 * p.actor.height < target.place[1] < 0.95 * p.actor.height
        assert (target.place - p.feet.middle) @ p.forward > 0.9 * p.arm


@pytest.mark.parametrize("actor", [0, 3])
def test_the_throwing_hand_goes_from_behind_over_the_shoulder_to_the_front(perform, actor: int) -> None:
    p, take = perform(throw, actor)
    hand = take.motion.positions_world[:, take.motion.skeleton.index(p.actor.hand.title() + "Hand")]
    neck = take.motion.positions_world[:, take.motion.skeleton.index("Neck1")]
    ahead = (hand - neck) @ p.forward
    speed = np.linalg.norm(np.diff(hand, axis=0), axis=-1) * 60.0
    fastest = int(np.argmax(speed))

    assert ahead[:fastest].min() < -0.15
    assert ahead[fastest:].max() > 0.3
    assert speed.max() > 5.0
    assert hand[fastest, 1] > neck[fastest, 1] - 0.1
