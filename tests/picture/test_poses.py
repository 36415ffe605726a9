from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import Motion, Placement, Skeleton, rotations
from motionary.picture.mannequin import mannequin_of
from motionary.picture.poses import heading, poses_of
from motionary.rig import reference_skeleton


def poses(motion):
    return poses_of(mannequin_of(motion.skeleton), motion, np.arange(motion.n_frames))


@given(direction=st.floats(-3.0, 3.0))
def test_a_body_faces_where_its_left_and_right_say(walk, direction):
    found = poses(walk(5, direction=direction))

    ahead = [np.sin(direction), 0.0, np.cos(direction)]
    assert np.degrees(np.arccos(np.clip(found.facing @ ahead, -1, 1))).max() < 5.0
    assert heading(found.facing) == pytest.approx(direction, abs=1e-6)
    assert np.degrees(np.arccos(np.clip(found.head_facing @ ahead, -1, 1))).max() < 5.0


def test_facing_does_not_depend_on_how_the_rest_pose_is_turned(walk):
    motion = walk(5)
    skeleton = motion.skeleton
    half_turn = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi)
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(turned[:, 0], half_turn)
    offsets = rotations.rotate(half_turn, skeleton.offsets)
    ends = rotations.rotate(half_turn, skeleton.end_site_offsets)
    # The same places, but every joint's own axes are turned by half a turn.
    turned[:, 1:] = rotations.multiply(rotations.multiply(rotations.inverse(half_turn), turned[:, 1:]), half_turn)
    other = Motion(
        Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_site_joints, ends),
        motion.frame_time,
        motion.root_positions,
        turned,
    )

    assert other.positions_world == pytest.approx(motion.positions_world, abs=1e-9)
    assert poses(other).facing == pytest.approx(poses(motion).facing, abs=1e-9)
    assert poses(other).head_facing == pytest.approx(poses(motion).head_facing, abs=1e-9)


def test_upside_down_the_chest_still_faces_forward(stand):
    motion = stand(reference_skeleton(), 2)
    over = np.array(motion.rotations)
    over[:, 0] = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.pi)  # as in the middle of a cartwheel

    assert poses(replace(motion, rotations=over)).facing[:, 2] == pytest.approx([1.0, 1.0], abs=0.01)


def test_the_head_ends_at_its_tip_and_the_heel_lies_behind_the_ankle_below_it(stand):
    reference = reference_skeleton()
    kept = [i for i, joint in enumerate(reference.end_site_joints) if not reference.names[joint].endswith("Foot")]
    skeleton = replace(
        reference,
        end_site_joints=reference.end_site_joints[kept],
        end_site_offsets=reference.end_site_offsets[kept],
    )
    found = poses(stand(skeleton, 1))
    mannequin = found.mannequin

    crown = found.head_centre[0] + mannequin.head.half_length * found.head_axis[0]
    assert crown == pytest.approx(found.nodes[0, mannequin.head.tip])
    for heel, node in zip(mannequin.heels, found.nodes[0, -2:], strict=True):
        ankle = found.nodes[0, heel.ankle]
        assert node[2] < ankle[2] - 0.01
        assert node[1] < ankle[1] - 0.01


def test_the_same_poses_far_away_are_the_same_but_for_the_place(walk):
    near, far = walk(3), Placement(0.0, 1000.0, -500.0).place(walk(3))

    assert poses(far).nodes - [1000.0, 0.0, -500.0] == pytest.approx(poses(near).nodes, abs=1e-9)


def test_a_place_that_is_not_finite_names_frame_and_joint(walk):
    motion = walk(4)
    motion.rotations[2, motion.skeleton.index("LeftShin")] = np.nan  # a motion is checked only when it is made

    with pytest.raises(UsageError, match="frame 2 cannot be drawn: joint 'LeftShin' has a value that is not finite"):
        poses(motion)
