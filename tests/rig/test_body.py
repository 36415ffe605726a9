import numpy as np
import pytest

from motionary.motion import Motion, rotations
from motionary.rig import (
    body_height,
    foot_points,
    leg_length,
    map_skeleton,
    reference_skeleton,
    settled_skeleton,
    t_pose,
)
from motionary.rig.body import posed_places
from rig.families import FAMILIES, family_skeleton

BY_NAME = {family.name: family for family in FAMILIES}


def test_the_reference_has_its_own_size() -> None:
    skeleton = reference_skeleton(1.6)
    body_map, rest = map_skeleton(skeleton), t_pose(skeleton)

    assert leg_length(skeleton, body_map) == pytest.approx(1.6 * 0.483)
    assert body_height(skeleton, body_map, rest) == pytest.approx(1.6, rel=0.01)


def test_the_reference_has_its_own_heels_and_toes() -> None:
    skeleton = reference_skeleton()

    points = foot_points(skeleton, map_skeleton(skeleton), t_pose(skeleton))

    assert [skeleton.names[j] for j in points.joints[0]] == ["LeftFoot", "LeftToe"]
    assert points.offsets[1, 0] == pytest.approx(1.75 * np.array([0.0, -0.037, -0.030]))
    assert points.ankle_height == pytest.approx(1.75 * np.array([0.037, 0.037]))


@pytest.mark.parametrize("family", ["Biovision", "LaFAN1", "Unreal", "CMU DAZ"])
def test_feet_without_heels_get_human_ones(family: str) -> None:
    skeleton = family_skeleton(BY_NAME[family])
    body_map, rest = map_skeleton(skeleton), t_pose(skeleton)
    motion = Motion(skeleton, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, skeleton.n_joints, 1)))

    points = foot_points(skeleton, body_map, rest)

    places = points.world(motion)[0]
    ankles = posed_places(skeleton, rest)[[body_map.joints["LeftFoot"], body_map.joints["RightFoot"]]]
    heels, toes = places[:, 0] - ankles, places[:, 1] - ankles
    assert np.all((heels[:, 1] > -0.1) & (heels[:, 1] < -0.02))
    assert np.all((heels[:, 2] > -0.1) & (heels[:, 2] < -0.02))
    assert np.all(toes[:, 2] > 0.08)
    assert np.all((points.ankle_height > 0.02) & (points.ankle_height < 0.1))
    assert 1.3 < body_height(skeleton, body_map, rest) < 1.9


def test_the_ball_of_a_foot_without_heel_is_on_the_sole_below_its_toe_joint() -> None:
    """A foot that rolls off over it turns about it: the toe joint inside the foot moves forward meanwhile."""
    skeleton = family_skeleton(BY_NAME["CMU MotionBuilder"])
    body_map, rest = map_skeleton(skeleton), t_pose(skeleton)
    foot, toe = body_map.joints["LeftFoot"], body_map.joints["LeftToe"]

    points = foot_points(skeleton, body_map, rest)

    places = posed_places(skeleton, rest)
    ball = places[foot] + rotations.rotate(rest[foot], points.offsets[0, 1])
    assert points.joints[0].tolist() == [foot, foot]
    assert ball[[0, 2]] == pytest.approx(places[toe][[0, 2]])
    assert ball[1] == pytest.approx(places[foot, 1] - points.ankle_height[0])
    assert 0.005 < places[toe, 1] - ball[1] < 0.03


def test_moving_joints_settle_at_their_median() -> None:
    skeleton = reference_skeleton()
    shin = skeleton.index("LeftShin")
    translations = np.array([[[0.0, -0.40, 0.0]], [[0.0, -0.44, 0.0]], [[0.0, -0.42, 0.0]]])
    motion = Motion(
        skeleton, 0.1, np.zeros((3, 3)), np.tile(rotations.IDENTITY, (3, skeleton.n_joints, 1)), [shin], translations
    )

    settled = settled_skeleton(motion)

    assert settled.offsets[shin] == pytest.approx([0.0, -0.42, 0.0])
    assert settled.names == skeleton.names
