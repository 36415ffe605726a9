"""Hands reach high, low and aside with the body's help, and fetch and return."""

import numpy as np
import pytest

from motionary.sample import Take
from motionary.sample.performer import Performer
from motionary.sample.reaching import carry, pick_up, put_back, reach_high, reach_left, reach_low, reach_right


def only_target(take: Take) -> np.ndarray:
    (target,) = take.targets
    return target.place


@pytest.mark.parametrize("actor", range(7))
def test_high_is_above_the_head_on_tiptoe_and_low_below_the_hips(perform, actor: int) -> None:
    p, high = perform(reach_high, actor)
    _, low = perform(reach_low, actor)

    assert only_target(high)[1] > 1.02 * p.actor.height
    assert any(plant.part == "heel" and plant.stop < high.motion.n_frames for plant in high.plants)
    assert all(plant.start == 0 for plant in high.plants if plant.part == "toe")
    assert only_target(low)[1] < 0.55 * p.standing
    assert low.motion.root_positions[:, 1].min() < low.motion.root_positions[0, 1] - 0.03


@pytest.mark.parametrize(("action", "sign", "joint"), [(reach_left, 1.0, "LeftHand"), (reach_right, -1.0, "RightHand")])
@pytest.mark.parametrize("actor", range(3))
def test_aside_is_further_than_the_arm_alone(perform, action, sign: float, joint: str, actor: int) -> None:
    p, take = perform(action, actor)
    (target,) = take.targets
    away = sign * (target.place - take.motion.root_positions[0]) @ p.left

    assert target.joint == joint
    assert away > 1.3 * p.arm


def test_variations_have_different_targets(perform) -> None:
    places = np.array([only_target(perform(reach_low, 0, seed)[1]) for seed in range(6)])

    assert np.all(np.ptp(places, axis=0) > 0.03)


def test_things_are_picked_up_carried_and_put_back(perform) -> None:
    p, take = perform(carry)
    labels = {label.name: label for label in take.labels}
    elbow = take.motion.skeleton.index("LeftForearm")
    bend = 2.0 * np.arccos(np.clip(np.abs(take.motion.rotations[:, elbow, 0]), 0.0, 1.0))

    assert len(take.targets) == 4
    assert np.all(np.array([target.place[1] for target in take.targets]) < 0.6 * p.leg)
    assert np.all(bend[labels["pick_up"].stop : labels["put_back"].start] > 1.2)
    assert bend[-1] < 0.6
    assert not p.carrying


def test_hands_stay_apart_while_they_hold(perform) -> None:
    def both(p: Performer) -> None:
        pick_up(p)
        put_back(p)

    _, take = perform(both)
    left, right = (take.motion.skeleton.index(f"{side}Hand") for side in ("Left", "Right"))

    assert (
        np.linalg.norm(take.motion.positions_world[:, left] - take.motion.positions_world[:, right], axis=-1).min()
        > 0.1
    )
