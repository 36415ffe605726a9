import numpy as np
import pytest

from conftest import swaying_body
from motionary.errors import SkeletonError
from motionary.ik import look_at, reach
from motionary.motion import rotations

TRUNK = ("Spine1", "Spine2", "Spine3", "Spine4")


def joints(motion, *names):
    return [motion.skeleton.index(name) for name in names]


def test_a_hand_reaches_with_the_spine():
    motion = swaying_body()
    chain = joints(motion, *TRUNK, "LeftUpperArm", "LeftForearm", "LeftHand")
    target = np.array([0.3, 0.7, 0.7])

    posed = reach(motion, chain, target, weights=[0.2, 0.2, 0.2, 0.2, 1.0, 1.0, 0.0])

    assert posed.motion.positions_world[:, chain[-1]] == pytest.approx(np.tile(target, (60, 1)), abs=2e-4)
    assert posed.left.max() <= 1e-4
    untouched = [j for j in range(motion.skeleton.n_joints) if j not in chain]
    assert np.array_equal(posed.motion.rotations[:, untouched], motion.rotations[:, untouched])


def test_a_smooth_motion_stays_smooth():
    motion = swaying_body()
    chain = joints(motion, *TRUNK, "LeftUpperArm", "LeftForearm", "LeftHand")

    posed = reach(motion, chain, np.array([0.3, 0.7, 0.7]))

    before, after = (rotations.angle_between(m.rotations[1:], m.rotations[:-1]).max() for m in (motion, posed.motion))
    assert after <= 4.0 * before


def test_a_tip_beyond_the_last_joint_is_reached():
    motion = swaying_body(n_frames=3)
    chain = joints(motion, *TRUNK, "Head")
    head, offset = chain[-1], np.array([0.0, 0.19, 0.0])
    top = motion.positions_world[:, head] + rotations.rotate(motion.rotations_world[:, head], offset)
    target = top + np.array([0.05, -0.02, 0.1])

    posed = reach(motion, chain, target, offset=offset)

    after = posed.motion
    reached = after.positions_world[:, head] + rotations.rotate(after.rotations_world[:, head], offset)
    assert reached == pytest.approx(target, abs=2e-4)


def test_a_head_looks_at_something():
    motion = swaying_body()
    chain = joints(motion, "Spine4", "Neck1", "Head")
    gaze, target = np.array([0.0, 0.0, 1.0]), np.array([2.0, 1.0, 3.0])

    posed = look_at(motion, chain, target, gaze=gaze)

    eye = posed.motion.positions_world[:, chain[-1]]
    seen = rotations.rotate(posed.motion.rotations_world[:, chain[-1]], gaze)
    away = (target - eye) / np.linalg.norm(target - eye, axis=1, keepdims=True)
    assert np.sum(seen * away, axis=1) == pytest.approx(np.ones(60), abs=1e-5)


@pytest.mark.parametrize("names", [("Head", "Neck1"), ("LeftHand", "RightHand")])
def test_joints_must_hang_on_each_other(names):
    motion = swaying_body(n_frames=1)

    with pytest.raises(SkeletonError, match=f"{', '.join(names)} are not connected in that order"):
        reach(motion, joints(motion, *names), np.zeros(3))


@pytest.mark.parametrize("chain", [[], [99]])
def test_joints_must_exist(chain):
    with pytest.raises(SkeletonError, match=r"is not a chain of joints; the skeleton has 24"):
        reach(swaying_body(n_frames=1), chain, np.zeros(3))
