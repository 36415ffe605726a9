from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from blend.made_sources import long_walk
from motionary.bank import Bank
from motionary.graph import TRANSITION, Actor, MotionGraph, PerformedRoute, Route, Ways, perform
from motionary.library import performance
from motionary.motion import Motion, recording_of
from rig.floor_points import Root, on_floor_point


def test_clips_of_which_one_moves_joints_lead_into_each_other(tmp_path):
    """A joint that moves against its parent in one clip alone keeps its offset in the other."""
    motion = long_walk()[0].motion
    joint, n = motion.skeleton.index("RightHand"), motion.n_frames
    offset = motion.skeleton.offsets[joint]
    wave = np.where(
        np.arange(n) < 0.4 * n, np.sin(np.arange(n)), 0.0
    )  # mostly at its offset: the skeletons are the same
    shares = 1.0 + 0.2 * wave[:, None, None]
    wobbling = replace(motion, moving_joints=np.array([joint], dtype=np.int32), translations=shares * offset)
    ways = Ways(np.array([0, n, 2 * n]), np.zeros(2 * n), np.zeros(2 * n, dtype=complex))
    transitions = np.array([(20, n + 20, 4, 4, 0.0)], dtype=TRANSITION)
    route = Route(MotionGraph(ways, transitions, motion.rate_hz), 10, np.array([0]), n + 40)
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        clips = [performance(bank, bank.add(f"clip {k}", recording_of(m))) for k, m in enumerate((motion, wobbling))]

        made = perform(route, clips, Actor(clips[0].body, motion.rate_hz)).blended

    assert made.n_frames == route.n_frames
    arm = made.positions_world[:, joint] - made.positions_world[:, motion.skeleton.parents[joint]]
    lengths = np.linalg.norm(arm, axis=1) / np.linalg.norm(offset)
    assert lengths[:7] == pytest.approx(np.ones(7), abs=1e-3)
    assert lengths[-17:] == pytest.approx(shares[24:41, 0, 0], abs=1e-3)


@pytest.mark.parametrize("root", get_args(Root))
def test_clips_whose_hips_hang_on_a_floor_point_lead_into_each_other_as_others_do(tmp_path, root):
    motion = long_walk()[0].motion
    n = motion.n_frames
    ways = Ways(np.array([0, n, 2 * n]), np.zeros(2 * n), np.zeros(2 * n, dtype=complex))
    transitions = np.array([(20, n + 50, 4, 4, 0.0)], dtype=TRANSITION)
    route = Route(MotionGraph(ways, transitions, motion.rate_hz), 10, np.array([0]), n + 80)

    def made(name: str, played: Motion) -> PerformedRoute:
        with Bank.open(tmp_path / f"{name}.bank", create=True) as bank:
            clips = [performance(bank, bank.add(f"clip {k}", recording_of(played))) for k in range(2)]
            return perform(route, clips, Actor(clips[0].body, motion.rate_hz))

    floor, hips = made("floor", on_floor_point(motion, root)), made("hips", motion)

    own, expected = floor.motion, hips.motion
    np.testing.assert_allclose(floor.hips, expected.root_positions, atol=0.01)

    np.testing.assert_allclose(own.positions_world[:, 1:], expected.positions_world, atol=0.01)
    assert (np.ptp(own.root_positions, axis=0).max() < 1e-9) == (root == "still")
