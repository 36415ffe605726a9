"""Frames of a motion as an example, played slower and faster."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.features import features_of
from motionary.rig import body_of, reference_skeleton
from motionary.search.examples import MotionSegment

MOTION = wild_body(1, n_frames=60)
WHOLE = features_of(MOTION)


def segment(start: int, stop: int) -> MotionSegment:
    body = body_of(MOTION.skeleton, motion=MOTION)
    return MotionSegment.of(MOTION, body, start=start, stop=stop, rate_hz=30.0, name="wild")


def test_as_it_is_it_has_the_features_of_its_motion():
    example = segment(10, 50)

    assert (example.n_frames, example.place, example.name) == (40, None, "wild")
    for name, rows in example.rows(40).items():
        assert np.array_equal(rows, WHOLE[name][10:50])


def test_played_in_its_own_time_it_is_the_same():
    for name, rows in segment(10, 50).played_rows(40).items():
        if name != "curves":  # feet are seen standing from more frames than the context has
            assert np.allclose(rows, WHOLE[name][10:50], atol=1e-4)


def test_played_in_twice_the_time_it_is_half_as_fast():
    slow = segment(10, 50).rows(79)

    for name in ("positions", "angles"):
        assert np.allclose(slow[name][::2], WHOLE[name][10:50], atol=1e-4)
    assert np.allclose(slow["root"][2:-2:2, 1], WHOLE["root"][11:49, 1] / 2, atol=0.02)


@pytest.mark.parametrize(("start", "stop", "length"), [(0, 60, 41), (0, 2, 9), (58, 60, 3), (5, 6, 1), (0, 60, 1)])
def test_any_length_at_the_ends_of_the_motion(start, stop, length):
    rows = segment(start, stop).rows(length)

    assert {len(array) for array in rows.values()} == {length}
    assert np.allclose(rows["angles"][0], WHOLE["angles"][start], atol=1e-4)


def test_one_frame_is_held():
    rows = segment(30, 31).rows(4)

    assert np.allclose(rows["positions"], WHOLE["positions"][30], atol=1e-5)
    assert np.allclose(rows["root"][:, 1:4], 0.0, atol=1e-6)


def test_what_a_picture_shows():
    poses = segment(10, 50).poses(20)

    assert poses.skeleton.same_as(reference_skeleton())
    assert (poses.n_frames, poses.frame_time) == (20, 1 / 30)
