"""The cartwheel turns the body all the way round, over hands and feet."""

import numpy as np
import pytest

from motionary.motion import headings, rotations
from motionary.sample import ACTORS
from motionary.sample.acrobatics import cartwheel


@pytest.mark.parametrize("actor", range(len(ACTORS)))
def test_the_body_turns_once_about_its_front(perform, actor: int) -> None:
    p, take = perform(cartwheel, actor)
    pelvis = take.motion.rotations_world[:, 0]
    up = rotations.rotate(pelvis, np.array([0.0, 1.0, 0.0]))
    angle = np.unwrap(np.arctan2(up @ p.left, up[:, 1]))

    assert abs(np.degrees(angle[-1] - angle[0])) == pytest.approx(360.0, abs=3.0)
    assert np.all(np.diff(angle) * np.sign(angle[-1]) > -0.005)  # never back
    assert np.abs(up @ p.forward).max() < 0.1
    assert np.ptp(headings(take.motion.rotations[:, 0])) < 0.15


@pytest.mark.parametrize("actor", range(len(ACTORS)))
def test_hands_bear_it_one_after_the_other_and_the_head_stays_off_the_ground(perform, actor: int) -> None:
    p, take = perform(cartwheel, actor)
    first, second = take.targets
    assert first.joint != second.joint
    for target in take.targets:
        hand = take.motion.positions_world[target.frame : target.frame + 18, take.motion.skeleton.index(target.joint)]
        assert np.ptp(hand, axis=0).max() < 0.01
        assert hand[:, 1].max() < 0.2
    assert first.frame < second.frame
    assert take.motion.end_sites_world[:, 0, 1].min() > 0.02
    assert np.linalg.norm(take.motion.root_positions[-1] - take.motion.root_positions[0]) > 2.5 * p.leg
