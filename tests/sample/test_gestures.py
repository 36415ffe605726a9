"""Gestures do what their names say, and nothing else."""

import numpy as np
import pytest

from motionary.motion import rotations
from motionary.sample import Take
from motionary.sample.gestures import idle, raise_arm, shrug, slouch, wave


def height(take: Take, joint: str) -> np.ndarray:
    return np.asarray(take.motion.positions_world[:, take.motion.skeleton.index(joint), 1])


def raise_right(p) -> None:
    raise_arm(p, ("right",))


def raise_both(p) -> None:
    raise_arm(p, ("left", "right"))


@pytest.mark.parametrize("actor", range(4))
def test_raised_hands_go_above_the_head_and_the_other_stays(perform, actor: int) -> None:
    _, one = perform(raise_right, actor)
    _, both = perform(raise_both, actor)

    head = height(one, "Head").max()
    assert height(one, "RightHand").max() > head + 0.1
    assert height(one, "LeftHand").max() < height(one, "Hips").max() + 0.15
    assert min(height(both, "RightHand").max(), height(both, "LeftHand").max()) > head + 0.05


def test_raises_take_their_tempo(perform) -> None:
    lengths = []
    for seed in range(12):
        _, take = perform(raise_right, 0, seed)
        lengths += [label.stop - label.start for label in take.labels if label.name == "raise_right"]

    assert max(lengths) > 1.3 * min(lengths)
    assert 60 * 1.2 < min(lengths) < max(lengths) < 60 * 3.5


def test_shrugs_lift_both_shoulders(perform) -> None:
    _, take = perform(shrug)

    for side in ("Left", "Right"):
        shoulder = height(take, f"{side}UpperArm")
        assert shoulder.max() > shoulder[:30].max() + 0.06
    assert np.ptp(height(take, "Hips")) < 0.03


def test_slouching_rounds_the_back(perform) -> None:
    _, take = perform(slouch)
    spine = take.motion.skeleton.index("Spine4")
    up = rotations.rotate(take.motion.rotations_world[:, spine], np.array([0.0, 1.0, 0.0]))[:, 1]

    assert np.degrees(np.arccos(up.min())) > 35.0
    assert height(take, "Head").min() < height(take, "Head").max() - 0.15


def test_waving_hands_swing_beside_the_head(perform) -> None:
    p, take = perform(wave)
    (label,) = (label for label in take.labels if label.name == "wave")
    hand = take.motion.positions_world[label.start : label.stop, take.motion.skeleton.index("RightHand")]
    high = hand[hand[:, 1] > height(take, "Neck1").min() - 0.05]
    across = (high - take.motion.root_positions[label.start]) @ p.left

    assert len(high) > 30
    turns = np.sum(np.diff(np.sign(np.diff(across))) != 0)
    assert turns >= 4
    assert np.ptp(across) > 0.12


def test_idling_moves_a_little(perform) -> None:
    _, take = perform(lambda p: idle(p, 3.0))

    assert 0.003 < np.ptp(take.motion.root_positions, axis=0).max() < 0.12
