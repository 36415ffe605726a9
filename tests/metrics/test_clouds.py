import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.features import features_of
from motionary.metrics import POINTS, cloud_points, frame_distances, point_weights, window_clouds
from motionary.motion import Placement
from motionary.rig import body_of, reference_skeleton
from motionary.sample import make_library


@pytest.fixture(scope="module")
def take():
    return next(iter(make_library(minutes=0.2, seed=4))).motion


def described(motion):
    features = features_of(motion, rate_hz=30.0)
    return cloud_points(features["positions"], features["root"], rate_hz=30.0)


def test_points_lie_to_each_other_as_in_the_motion_itself(take):
    """Over the whole motion, not only within frames: the way of the hips is that of the capture, scaled to the body."""
    points = described(take)
    hips = points[:, POINTS.index("Hips")]
    way = take.root_positions[::2][: len(hips)]
    scale = body_of(reference_skeleton()).leg_length / body_of(take.skeleton, motion=take).leg_length

    moved = np.linalg.norm((hips - hips[0])[:, [0, 2]], axis=1)
    assert moved == pytest.approx(scale * np.linalg.norm((way - way[0])[:, [0, 2]], axis=1), abs=2e-3)


def test_where_a_motion_stands_and_faces_changes_nothing(take):
    elsewhere = Placement(theta=2.0, x=300.0, z=-40.0).place(take)

    here, there = window_clouds(described(take)), window_clouds(described(elsewhere))

    between = np.diagonal(frame_distances(here, there))
    assert np.sqrt(between.max()) < 5e-4


def test_weights_sum_to_1_and_words_choose_points():
    weights = point_weights({"Left": 2.0, "LeftHand": 0.0})

    assert weights.sum() == pytest.approx(1.0)
    assert weights[POINTS.index("LeftHandTip")] == 0.0
    assert weights[POINTS.index("LeftFoot")] == pytest.approx(2.0 * weights[POINTS.index("RightFoot")])


@pytest.mark.parametrize(
    ("parts", "message"),
    [({"Tail": 1.0}, "no point has"), ({"Left": -1.0}, "at least 0"), ({"": 0.0}, "nothing would be compared")],
)
def test_weights_that_cannot_be_are_refused(parts, message):
    with pytest.raises(UsageError, match=message):
        point_weights(parts)


def test_one_frame_alone_has_a_cloud():
    points = cloud_points(np.zeros((1, 90), np.float32), np.ones((1, 6), np.float32), rate_hz=30.0)

    assert points.shape == (1, 20, 3)
    assert points[0, POINTS.index("Hips")] == pytest.approx([0.0, 1.0, 0.0])


def test_positions_and_root_must_be_of_one_motion():
    with pytest.raises(UsageError, match="not of one motion"):
        cloud_points(np.zeros((2, 90), np.float32), np.ones((3, 6), np.float32), rate_hz=30.0)
