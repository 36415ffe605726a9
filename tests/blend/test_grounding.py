from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blend.made_sources import reach, scissors
from motionary.blend import above_ground, blend, register
from motionary.blend.grounding import lift_curve, tipped_above_ground
from motionary.motion import rotations
from motionary.plants import Plant


def test_feet_of_a_blend_stay_above_the_ground():
    """Legs that swing against each other come out straight, and longer than the pelvis is high."""
    registration = register([scissors(0.7), scissors(-0.7)])
    floor = registration.sources[0].plants[0].place[1]

    raw, done = (blend(registration, [0.5, 0.5], clean_up=clean_up) for clean_up in (False, True))

    heights = [registration.body.feet.world(one.motion)[..., 1].min() - floor for one in (raw, done)]
    assert heights[0] < -0.05
    assert heights[1] > registration.lowest_feet.min() - 1e-3
    steps = np.linalg.norm(np.diff(done.motion.positions_world, n=2, axis=0), axis=2) * 900.0
    assert steps.max() < 40.0  # m/s²


def test_feet_above_the_ground_are_left_alone_to_the_bit():
    source = scissors(0.5)
    ground = np.full(source.motion.n_frames, source.body.feet.world(source.motion)[..., 1].min())

    assert above_ground(source.motion, source.body, ground) is source.motion


def test_a_lifted_foot_keeps_its_orientation():
    source = scissors(0.5)
    foot = source.body.body_map.joints["LeftFoot"]
    lowest = source.body.feet.world(source.motion)[..., 1].min()

    lifted = above_ground(source.motion, source.body, np.full(source.motion.n_frames, lowest + 0.05))

    assert source.body.feet.world(lifted)[..., 1].min() == pytest.approx(lowest + 0.05, abs=1e-6)
    np.testing.assert_allclose(lifted.rotations_world[:, foot], source.motion.rotations_world[:, foot], atol=1e-9)
    np.testing.assert_array_equal(lifted.root_positions, source.motion.root_positions)


@pytest.mark.parametrize("part", ["heel", "toe"])
def test_a_foot_that_stands_on_heel_or_toe_is_tipped_until_the_other_is_above_the_ground(part):
    source = reach(0.0)
    motion, body, n_frames = source.motion, source.body, source.motion.n_frames
    joint, knee = (body.body_map.joints[name] for name in ("RightFoot", "RightShin"))
    pitch = 0.6 * np.exp(-0.5 * ((np.arange(n_frames) - 35.0) / 6.0) ** 2) * (1.0 if part == "heel" else -1.0)
    axis, local = np.array([1.0, 0.0, 0.0]), np.array(motion.rotations)
    local[:, joint] = rotations.multiply(rotations.from_axis_angle(axis, pitch), local[:, joint])
    local[:, knee] = rotations.multiply(local[:, knee], rotations.from_axis_angle(axis, np.full(n_frames, 0.3)))
    motion = replace(motion, rotations=rotations.continuous(local))
    before = body.feet.world(motion)[:, 1]
    stand, low = (0, 1) if part == "heel" else (1, 0)
    ground = before[:, stand, 1] - 0.005
    plants = [Plant("right", part, 5, n_frames, tuple(before[5, stand].tolist()))]

    done = tipped_above_ground(motion, body, ground, plants)

    after = body.feet.world(done)[:, 1]
    assert (before[:, low, 1] - ground).min() < -0.03
    assert (after[5:, low, 1] - ground[5:]).min() > -1e-4
    assert np.linalg.norm(after[:, stand] - before[:, stand], axis=1).max() < 1e-6
    np.testing.assert_array_equal(body.feet.world(done)[:, 0], body.feet.world(motion)[:, 0])
    steps = np.linalg.norm(np.diff(done.positions_world, n=2, axis=0), axis=2) * 900.0
    assert steps.max() < 2.0 * np.linalg.norm(np.diff(motion.positions_world, n=2, axis=0), axis=2).max() * 900.0

    both = [*plants, Plant("right", "toe" if part == "heel" else "heel", 0, n_frames, (0.0, 0.0, 0.0))]
    assert tipped_above_ground(motion, body, ground, both) is motion


@given(lacking=st.lists(st.floats(-0.2, 0.2), min_size=1, max_size=30), reach=st.integers(1, 5))
def test_lifts_are_never_less_than_what_is_lacking(lacking, reach):
    curve = lift_curve(np.array(lacking), reach)

    assert (curve >= np.array(lacking) - 1e-12).all()
    assert (curve >= 0.0).all()
    assert curve.max() <= max(*lacking, 0.0) + 1e-12 if len(lacking) > 1 else True
    far = [all(x <= 0.0 for x in lacking[max(0, f - 2 * reach) : f + 2 * reach + 1]) for f in range(len(lacking))]
    assert (curve[far] == 0.0).all()
