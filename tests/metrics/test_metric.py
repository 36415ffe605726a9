"""Metrics of frames: what they may be made of, and what tells them apart."""

import pytest

from motionary.errors import UsageError
from motionary.metrics import PointCloudMetric, metric_named


@pytest.mark.parametrize("parts", [(("Nose", 3.0),), (("Arm", -1.0),), (("Arm", "much"),), "Arm=2", 3])
def test_what_cannot_be_compared_is_no_metric(parts):
    with pytest.raises(UsageError, match=r"Nose|-1|parts"):
        PointCloudMetric(parts=parts)


def test_weights_that_say_the_same_make_the_same_metric():
    twice = PointCloudMetric(parts=(("Hand", 2.0), ("Foot", 0.5)))

    assert PointCloudMetric(parts=(("Arm", 1.0),)) == PointCloudMetric()
    assert PointCloudMetric(parts=(("Foot", 0.5), ("Arm", 1), ("Hand", 2))) == twice
    assert metric_named(twice.name) == twice
