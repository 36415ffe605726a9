"""Effort and Shape: every quality moves its own measure, step by step."""

import numpy as np
import pytest

from edit.made_subjects import standing
from motionary.edit import QUALITIES, Emote, Subject, apply_operation, place_of, quality_curves, quality_measures
from motionary.edit.qualities import hands_of, turning_points
from motionary.errors import SkeletonError

STEPS = np.arange(-4, 5) / 4
LOWER_IS_MORE = ("space",)  # a direct path is a short one


def measured(quality: str, value: float) -> float:
    around, start, stop = standing()
    operation = Emote(**{quality: value})
    edited = apply_operation(around, operation, place_of(around, operation, start, stop, ease_secs=0.1))
    points = turning_points(hands_of(around.slice(start, stop)), around.motion.frame_time)
    return quality_measures(Subject(edited.motion.slice(start, stop), around.body), points=points)[quality]


@pytest.mark.parametrize("quality", QUALITIES)
def test_each_measure_follows_its_quality(quality: str) -> None:
    values = np.array([measured(quality, float(value)) for value in STEPS])
    if quality in LOWER_IS_MORE:
        values = -values

    assert (np.diff(values) > 0.0).all()


def test_measures_and_curves_are_of_people() -> None:
    around, start, stop = standing()
    curves = quality_curves(around.slice(start, stop))

    assert set(curves) == set(QUALITIES)
    assert all(curve.shape == (stop - start,) and np.isfinite(curve).all() for curve in curves.values())
    with pytest.raises(SkeletonError, match="Effort and Shape are about people"):
        quality_measures(Subject(around.motion))


def test_turning_points_are_slow() -> None:
    around, start, stop = standing()
    hands = hands_of(around.slice(start, stop))
    points = turning_points(hands, around.motion.frame_time)

    assert (np.diff(points) > 0).all()
    assert hands.speed(around.motion.frame_time)[points].max() < hands.speed(around.motion.frame_time).max()
