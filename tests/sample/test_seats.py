"""Squats go deep, seats are sat on."""

import numpy as np
import pytest

from motionary.sample.seats import sit_and_stand, squat


@pytest.mark.parametrize("actor", range(4))
def test_squats_bring_the_hips_down_to_the_knees_with_arms_in_front(perform, actor: int) -> None:
    p, take = perform(squat, actor)
    lowest = int(np.argmin(take.motion.root_positions[:, 1]))
    hand = take.motion.positions_world[lowest, take.motion.skeleton.index("LeftHand")]

    assert take.motion.root_positions[lowest, 1] < 0.62 * p.standing
    assert (hand - p.feet.middle) @ p.forward > 0.3


@pytest.mark.parametrize("actor", range(4))
def test_the_seat_bears_the_pelvis_between_sitting_down_and_standing_up(perform, actor: int) -> None:
    p, take = perform(sit_and_stand, actor)
    labels = {label.name: label for label in take.labels}
    seated = slice(labels["sit_down"].stop, labels["stand_up"].start)
    root = take.motion.root_positions[seated]

    assert np.ptp(root, axis=0).max() < 0.01
    assert root[0, 1] == pytest.approx(0.3 * p.actor.height, rel=0.08)
    assert (root[0] - p.feet.middle) @ p.forward == pytest.approx(-0.46 * p.leg, abs=0.02)
    assert all((plant.start, plant.stop) == (0, take.motion.n_frames) for plant in take.plants)
