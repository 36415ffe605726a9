import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import SkeletonError, UsageError
from motionary.ik import turn_joints, turn_limb, two_bone
from motionary.ik.applying import turn_joints_reference
from motionary.motion import rotations
from motionary.rig import reference_skeleton
from strategies import motions


@given(motion=motions(), data=st.data())
def test_it_turns_the_world_and_nothing_else(motion, data):
    joints = data.draw(st.sets(st.integers(0, motion.skeleton.n_joints - 1)))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    turns = {joint: rotations.normalise(rng.normal(size=(motion.n_frames, 4))) for joint in joints}

    turned = turn_joints(motion, turns)

    expected = turn_joints_reference(motion, turns)
    assert rotations.angle_between(turned.rotations, expected).max() <= 1e-7
    for joint in joints:
        world = rotations.multiply(turns[joint], motion.rotations_world[:, joint])
        assert rotations.angle_between(turned.rotations_world[:, joint], world).max() <= 1e-7
    others = [joint for joint in range(motion.skeleton.n_joints) if joint not in joints]
    assert np.array_equal(turned.rotations[:, others], motion.rotations[:, others])
    assert np.array_equal(turned.root_positions, motion.root_positions)


@given(motion=motions())
def test_joints_that_turn_as_what_they_hang_on_stay_to_the_bit(motion):
    turn = rotations.from_rotation_vector(np.array([0.3, -0.2, 0.1]))
    everything = dict.fromkeys(range(motion.skeleton.n_joints), turn)

    turned = turn_joints(motion, everything)

    assert np.array_equal(turned.rotations[:, 1:], motion.rotations[:, 1:])
    assert np.array_equal(turn_joints(motion, {0: rotations.IDENTITY}).rotations, motion.rotations)


@given(motion=motions(skeleton=reference_skeleton(), moving=False))
def test_a_solved_limb_brings_the_hand_to_its_target(motion):
    limb = tuple(motion.skeleton.index(name) for name in ("LeftUpperArm", "LeftForearm", "LeftHand"))
    places = motion.positions_world
    target = places[:, limb[0]] + np.array([0.1, 0.2, 0.3])
    solved = two_bone(*(places[:, joint] for joint in limb), target)

    turned = turn_limb(motion, limb, solved)

    assert turned.positions_world[:, limb[2]] == pytest.approx(target, abs=1e-9)
    hand = rotations.angle_between(turned.rotations_world[:, limb[2]], motion.rotations_world[:, limb[2]])
    assert hand.max() <= 1e-7


@given(motion=motions())
def test_the_root_is_moved(motion):
    moved = turn_joints(motion, {}, root_moves=np.tile([0.1, 0.2, 0.3], (motion.n_frames, 1)))

    assert moved.root_positions == pytest.approx(motion.root_positions + np.array([0.1, 0.2, 0.3]))


@given(motion=motions())
def test_what_does_not_fit_is_refused(motion):
    n_joints = motion.skeleton.n_joints
    with pytest.raises(SkeletonError, match=f"do not exist; the skeleton has {n_joints}"):
        turn_joints(motion, {n_joints: rotations.IDENTITY})
    with pytest.raises(UsageError, match=r"the turns of joint 0 have the shape \(3, 3\)"):
        turn_joints(motion, {0: np.eye(3)})
