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
