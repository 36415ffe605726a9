import numpy as np
import pytest

from metrics.made_clouds import wandering
from motionary.errors import UsageError
from motionary.metrics import PlainMetric, PointCloudMetric, Window, frame_distance_reference, frame_distances
from motionary.metrics import window_clouds as clouds


def placed(first, second):
    """The usual distance, pair by pair."""
    weights = np.repeat(Window().weights, first.shape[2])
    pairs = [[frame_distance_reference(a.reshape(-1, 3), b.reshape(-1, 3), weights)[0] for b in second] for a in first]
    return np.array(pairs)


def windows(points):
    inside = np.clip(np.arange(len(points))[:, None] + Window().offsets, 0, len(points) - 1)
    return points[inside].astype(np.float32)


def test_the_plain_version_of_the_usual_metric_gives_its_distances():
    first, second = wandering(1, 70, 20), wandering(2, 9, 20)
    metric, out = PlainMetric("placed", placed), np.empty((70, 9), dtype=np.float32)

    metric.block(windows(first), windows(second), out)

    assert np.sqrt(out) == pytest.approx(np.sqrt(frame_distances(clouds(first), clouds(second))), abs=5e-4)
    rectangles = np.array([[3, 6, 0, 4], [60, 61, 8, 9]])
    expected = np.concatenate([out[3:6, :4].ravel(), out[60:61, 8]])
    assert metric.rectangles(windows(first), windows(second), rectangles) == pytest.approx(expected)
    assert len(metric.rectangles(windows(first), windows(second), rectangles[:0])) == 0


@pytest.mark.parametrize("found", [np.zeros((2, 2)), np.full((3, 4), np.nan), np.full((3, 4), -1.0)])
def test_what_is_no_distance_is_refused(found):
    metric = PlainMetric("wrong", lambda *_: found)

    with pytest.raises(UsageError, match="the metric 'wrong' returns"):
        metric.block(np.zeros((3, 5, 20, 3)), np.zeros((4, 5, 20, 3)), np.empty((3, 4), dtype=np.float32))


def test_names_and_functions_are_checked():
    for name in ("", PointCloudMetric().name):
        with pytest.raises(UsageError, match="cannot be named"):
            PlainMetric(name, placed)
    with pytest.raises(UsageError, match="name must be a string"):
        PlainMetric(3, placed)
    with pytest.raises(UsageError, match="must take the points"):
        PlainMetric("mine", "placed")
    with pytest.raises(UsageError, match="pyramid or dense"):
        PlainMetric("mine", placed).turned(np.zeros((3, 5, 20, 3)), 3)
