from dataclasses import replace

import numpy as np
import pytest

from blend.made_sources import reach
from motionary.blend import add_motion, difference
from motionary.errors import UsageError
from motionary.motion import rotations


def test_a_difference_added_to_its_reference_is_the_motion():
    motion, pose = reach(20.0).motion, reach(20.0).motion.slice(0, 1)

    again = add_motion(reach(0.0).motion, motion, reference=pose, amount=0.0)
    assert again.rotations == pytest.approx(reach(0.0).motion.rotations)

    held = pose.__class__(
        pose.skeleton, pose.frame_time, np.tile(pose.root_positions, (60, 1)), np.tile(pose.rotations, (60, 1, 1))
    )
    whole = add_motion(held, motion, reference=pose)
    assert rotations.angle_between(whole.rotations[:, 1:], motion.rotations[:, 1:]).max() < 1e-6
    assert difference(motion, pose).shape == (60, motion.skeleton.n_joints, 3)


def test_amounts_over_time_and_joints():
    base, added = reach(0.0).motion, reach(40.0, n_frames=90, peak=40).motion
    amounts = np.linspace(0.0, 1.0, base.n_frames)
    arm = base.skeleton.index("RightUpperArm")

    result = add_motion(base, added, reference=added.slice(0, 1), amount=amounts, joints=np.array([arm]))

    changed = rotations.angle_between(result.rotations, base.rotations).max(axis=0)
    assert changed[arm] > 0.1
    assert np.delete(changed, arm).max() < 1e-7
    with pytest.raises(UsageError, match="one for each of 60 frames"):
        add_motion(base, added, reference=added.slice(0, 1), amount=np.ones(3))


@pytest.mark.parametrize("amount", [0.5, 1.0])
def test_a_difference_that_passes_half_a_turn_does_not_jump(amount):
    base, added = reach(0.0).motion, reach(0.0).motion
    joint, local = base.skeleton.index("LeftHand"), np.array(added.rotations)
    angles = np.radians(250.0) * np.exp(-0.5 * ((np.arange(60) - 30.0) / 8.0) ** 2)
    local[:, joint] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)
    added = replace(added, rotations=rotations.continuous(local))

    result = add_motion(base, added, reference=added.slice(0, 1), amount=amount)

    own, new = (rotations.angle_between(m.rotations[1:, joint], m.rotations[:-1, joint]) for m in (added, result))
    assert new.max() < 1.5 * own.max()
    turned = rotations.angle_between(result.rotations[:, joint], base.rotations[:, joint])
    whole = rotations.angle_between(added.rotations[:, joint], added.rotations[:1, joint])
    if amount == 1.0:
        np.testing.assert_allclose(turned, whole, atol=1e-6)
    else:
        np.testing.assert_allclose(turned[:10], 0.5 * whole[:10], atol=1e-6)


@pytest.mark.parametrize("amount", [-0.5, 0.5, 1.5])
def test_a_share_of_a_difference_that_stays_beyond_half_a_turn_is_that_share_of_it(amount):
    base, added = reach(0.0).motion, reach(0.0).motion
    joint, local = base.skeleton.index("LeftHand"), np.array(added.rotations)
    angles = np.radians(200.0) * np.clip((np.arange(60) - 15.0) / 30.0, 0.0, 1.0)
    local[:, joint] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)
    added = replace(added, rotations=rotations.continuous(local))

    result = add_motion(base, added, reference=added.slice(0, 1), amount=amount)

    expected = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), amount * angles)
    away = rotations.multiply(rotations.inverse(base.rotations[:, joint]), result.rotations[:, joint])
    assert rotations.angle_between(away, expected).max() < 1e-6
