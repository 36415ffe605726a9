"""Clips whose hips hang on a floor point go through the bank's blends, loops, parametric motions and edits."""

import numpy as np
import pytest

from blend.made_sources import long_walk, reach
from motionary.bank import Bank
from motionary.edit import apply_edit
from motionary.motion import Motion, recording_of, rotations
from motionary.parametric import ask_parametric, blend_segments, keep_parametric, kept_parametric, loop_segment
from rig.floor_points import on_floor_point

REACHES = ["reach_0", "reach_1", "reach_2"]


@pytest.fixture
def bank(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for name, angle in zip(REACHES, (-20.0, 5.0, 30.0), strict=True):
            source = reach(angle)
            bank.add(name, recording_of(on_floor_point(source.motion, "still")), plants=source.plants)
        walk, _ = long_walk()
        bank.add("walk", recording_of(on_floor_point(walk.motion, "still")), plants=walk.plants)
        yield bank


def test_all_that_is_made_of_such_clips_has_their_skeleton_and_a_root_that_stands_still(bank):
    made = blend_segments(bank, REACHES[:2], [0.5, 0.5])
    assert_on_still_floor_point(made.motion, like=bank.motion("reach_0"))

    loop = loop_segment(bank, "walk", rounds=2)
    assert_on_still_floor_point(loop.motion, like=bank.motion("walk"))
    assert np.linalg.norm(np.ptp(loop.motion.positions_world[:, 1], axis=0)) > 1.0

    keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=20)
    wanted = kept_parametric(bank, "reach").motion.examples[:2].mean(axis=0)
    asked = ask_parametric(bank, "reach", wanted).motions[0]
    assert_on_still_floor_point(asked.motion, like=bank.motion("reach_0"))
    assert asked.answer.got == pytest.approx(wanted, abs=0.02)

    before = bank.motion("walk")
    apply_edit(bank, "walk:40-70", "delete")
    after = bank.motion("walk")
    assert after.n_frames == before.n_frames - 30
    assert_on_still_floor_point(after, like=before)


def assert_on_still_floor_point(motion: Motion, *, like: Motion) -> None:
    assert motion.skeleton.same_as(like.skeleton)
    assert motion.skeleton.names[0] == "floor"
    assert np.abs(motion.root_positions - like.root_positions[0]).max() < 1e-6
    assert rotations.angle_between(motion.rotations[:, 0], like.rotations[0, 0]).max() < 1e-6
    assert motion.positions_world[:, 1, 1].min() > 0.5
