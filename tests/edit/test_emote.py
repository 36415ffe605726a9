"""Effort and Shape: every quality moves its own measure, step by step."""

import numpy as np
import pytest

from edit.made_subjects import standing
from motionary.edit import Emote, apply_operation, place_of
from motionary.qualities import QUALITIES, hands_of, quality_measures, turning_points

STEPS = np.arange(-4, 5) / 4
LOWER_IS_MORE = ("space",)  # a direct path is a short one


def measured(quality: str, value: float) -> float:
    around, start, stop = standing()
    operation = Emote(**{quality: value})
    edited = apply_operation(around, operation, place_of(around, operation, start, stop))
    points = turning_points(hands_of(around.motion.slice(start, stop), around.body), around.motion.frame_time)
    return quality_measures(edited.motion.slice(start, stop), around.body, points=points)[quality]


@pytest.mark.parametrize("quality", QUALITIES)
def test_each_measure_follows_its_quality(quality: str) -> None:
    values = np.array([measured(quality, float(value)) for value in STEPS])
    if quality in LOWER_IS_MORE:
        values = -values

    assert (np.diff(values) > 0.0).all()


def test_borders_are_eased_as_gently_as_a_quality_needs() -> None:
    assert Emote(weight=1.0, flow=-0.5).eases_over_secs() == 0.1
    assert Emote(horizontal=0.5, time=1.0).eases_over_secs() == 0.4
    assert Emote(vertical=-0.5, horizontal=1.0).eases_over_secs() == 0.7
    assert Emote(weight=1.0).eases_over_secs(varied=["sagittal"]) == 0.7
