"""Effort and Shape measured, on hands whose movements are known."""

from dataclasses import replace

import numpy as np
import pytest

from edit.made_subjects import standing
from motionary.errors import SkeletonError
from motionary.motion import poses_at, rotations
from motionary.qualities import QUALITIES, hands_of, quality_curves, quality_measures, turning_points

UP = np.array([0.0, 1.0, 0.0])


def test_measures_and_curves_are_of_people() -> None:
    around, start, stop = standing()
    curves = quality_curves(around.motion.slice(start, stop), around.body)

    assert set(curves) == set(QUALITIES)
    assert all(curve.shape == (stop - start,) and np.isfinite(curve).all() for curve in curves.values())
    with pytest.raises(SkeletonError, match="Effort and Shape are about people"):
        quality_measures(around.motion, None)


def test_turning_points_are_slow() -> None:
    around, start, stop = standing()
    hands = hands_of(around.motion.slice(start, stop), around.body)
    frame_time = around.motion.frame_time
    points, speeds = turning_points(hands, frame_time), hands.speeds(frame_time)

    for frames, speed in zip((points.both, *points.each), (hands.speed(frame_time), *speeds.T), strict=True):
        assert (np.diff(frames) > 0).all()
        assert speed[frames].max() < speed.max()


def test_measures_do_not_depend_on_where_the_body_is_and_faces() -> None:
    around, start, stop = standing()
    motion = around.motion.slice(start, stop)
    turn = rotations.from_axis_angle(UP, 2.0)
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(turn, turned[:, 0])
    places = rotations.rotate(turn, motion.root_positions) + np.array([3.0, 0.0, -2.0])
    elsewhere = replace(motion, rotations=turned, root_positions=places)

    here, there = (quality_measures(one, around.body) for one in (motion, elsewhere))

    assert all(there[name] == pytest.approx(here[name], abs=1e-6) for name in QUALITIES)


def test_the_same_movement_in_half_the_time_is_four_times_as_strong() -> None:
    """Path, distances and heights stay; accelerations go with the square of the pace."""
    around, start, stop = standing()
    motion = around.motion.slice(start, stop)
    points = turning_points(hands_of(motion, around.body), motion.frame_time)
    quick = replace(motion, frame_time=0.5 * motion.frame_time)

    slow, fast = (quality_measures(one, around.body, points=points) for one in (motion, quick))

    assert fast["weight"] == pytest.approx(4.0 * slow["weight"], rel=0.15)
    for name in ("space", "horizontal", "vertical", "sagittal"):
        assert fast[name] == pytest.approx(slow[name], abs=1e-9)


def test_a_body_that_stands_still_has_no_effort() -> None:
    around, start, _ = standing()
    still = poses_at(around.motion, np.full(60, float(start)))
    found = quality_measures(still, around.body)

    assert found["weight"] == pytest.approx(0.0, abs=1e-6)
    assert found["flow"] == pytest.approx(0.0, abs=1e-6)
    assert all(np.isfinite(value) for value in found.values())
