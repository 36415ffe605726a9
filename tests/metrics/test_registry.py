"""Every metric of the registry: one and the same distance, however it is asked for."""

import numpy as np
import pytest

from metrics.made_clouds import around
from metrics.made_features import made_features
from motionary.errors import UsageError
from motionary.metrics import (
    METRICS,
    POINTS,
    DynamicsMetric,
    PointCloudMetric,
    Window,
    as_metric,
    cloud_points,
    is_metric_name,
    joined_frames,
    metric_named,
    pair_weighted_reference,
    undirected,
)
from motionary.metrics.dynamics_metric import LIFT

FIRST, SECOND = made_features(1, 14), made_features(2, 11)


def whole(metric, first=FIRST, second=SECOND):
    sides = [metric.describe(features, rate_hz=30.0) for features in (first, second)]
    out = np.empty((len(first["root"]), len(second["root"])), dtype=np.float32)
    metric.block(*sides, out)
    return out, sides


@pytest.mark.parametrize("name", METRICS)
def test_blocks_rectangles_and_cells_are_the_same_distances(name):
    metric = metric_named(name, window=Window(2, 1))
    out, sides = whole(metric)

    rectangles = np.array([[0, 3, 2, 7], [3, 4, 0, 11], [10, 14, 9, 11]])
    expected = np.concatenate([out[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in rectangles])
    rows, columns = np.divmod(np.arange(out.size), out.shape[1])

    assert (out >= 0.0).all()
    assert metric.rectangles(*sides, rectangles) == pytest.approx(expected, abs=2e-6)
    assert metric.cells(*sides, rows, columns).reshape(out.shape) == pytest.approx(out, abs=2e-6)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_found_again_by_its_name(name):
    metric = metric_named(name, window=Window(3, 4, "even"), parts={"Foot": 2.0})

    assert metric_named(metric.name) == metric
    assert is_metric_name(metric.name)
    assert as_metric(metric) is metric
    assert as_metric(name) == metric_named(name)


@pytest.mark.parametrize("name", METRICS)
def test_frames_are_nothing_apart_from_themselves_and_thinning_keeps_distances(name):
    metric = metric_named(name)
    out, sides = whole(metric, FIRST, FIRST)

    thin = np.empty((5, 5), dtype=np.float32)
    metric.block(metric.thinned(sides[0], 3), metric.thinned(sides[1], 3), thin)

    assert np.diagonal(out) == pytest.approx(0.0, abs=2e-6)
    assert thin == pytest.approx(out[::3, ::3], abs=2e-6)


@pytest.mark.parametrize("name", METRICS)
def test_undirected_metrics_cost_the_same_both_ways(name):
    metric = undirected(metric_named(name))
    there, sides = whole(metric)
    back, _ = whole(metric, SECOND, FIRST)
    rectangles = np.array([[0, 3, 2, 7], [4, 6, 1, 2]])

    assert there == pytest.approx(back.T, abs=2e-6)
    assert metric.name == metric_named(name).name
    expected = np.concatenate([there[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in rectangles])
    assert metric.rectangles(*sides, rectangles) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("kind", ["dynamics", "source", "direction"])
def test_weights_of_pairs_are_what_the_definition_says(kind):
    metric = DynamicsMetric(kind, Window(1, 2))
    out, _ = whole(metric)
    clouds = [cloud_points(f["positions"], f["root"], rate_hz=30.0) for f in (FIRST, SECOND)]
    friction = [metric.friction(c, f["curves"][:, :4] > 0.5) for c, f in zip(clouds, (FIRST, SECOND), strict=True)]
    omega, offsets = metric.window.weights, metric.window.offsets

    for i in range(0, 14, 3):
        for j in range(0, 11, 2):
            weights = metric.base + friction[0][i] + (0.0 if kind == "source" else 1.0) * friction[1][j]
            windows = [around(clouds[side], frame, offsets) for side, frame in ((0, i), (1, j))]
            expected = pair_weighted_reference(*windows, np.outer(omega, weights).ravel())
            if kind == "direction":
                heights = [omega @ window[:, 1].reshape(len(omega), -1) for window in windows]
                rise = heights[1] - heights[0]
                expected += LIFT * metric.base @ (rise * np.abs(rise))
            assert out[i, j] == pytest.approx(expected, abs=3e-6)


def test_lifting_costs_more_than_letting_fall():
    raised = {name: array.copy() for name, array in FIRST.items()}
    raised["root"][:, 0] += 0.1
    there, _ = whole(metric_named("direction"), FIRST, raised)
    back, _ = whole(metric_named("direction"), raised, FIRST)
    level, _ = whole(metric_named("dynamics"), FIRST, raised)

    assert np.diagonal(there).mean() > np.diagonal(level).mean() > np.diagonal(back).mean()
    assert metric_named("direction").is_directed
    assert metric_named("source").is_directed
    assert not metric_named("dynamics").is_directed


def test_a_loaded_foot_counts_most_and_a_free_hand_least():
    metric = metric_named("dynamics")
    points = np.ones((1, 20, 3))
    standing = metric.friction(points, np.array([[1, 1, 0, 0]]))[0]

    weights = dict(zip(POINTS, metric.base + 2 * standing, strict=True))
    assert weights["LeftFoot"] > weights["Hips"] > weights["RightFoot"] > weights["RightHandTip"]


def test_motions_joined_keep_their_windows():
    metric = metric_named("dynamics")
    sides = [metric.describe(features, rate_hz=30.0) for features in (FIRST, SECOND)]
    both = joined_frames(sides)
    out = np.empty((25, 25), dtype=np.float32)

    metric.block(both, both, out)

    assert out[:14, 14:] == pytest.approx(whole(metric)[0], abs=2e-6)
    assert both.part(14, 25).n_frames == 11


def test_schemes_of_fixed_weights_differ():
    points, uniform, heuristic = (PointCloudMetric(scheme=scheme) for scheme in ("points", "uniform", "heuristic"))

    assert points.weights == pytest.approx(np.full(20, 0.05))
    assert uniform.weights.sum() == pytest.approx(1.0)
    assert heuristic.weights[0] > uniform.weights[0]  # the hips
    with pytest.raises(UsageError, match="choose from points, uniform, heuristic"):
        PointCloudMetric(scheme="mine")


@pytest.mark.parametrize(
    "name", ["dynamic", "", "dynamics,5", "dynamics,5+x", "dynamics,2+2,round", "points,2+2,even,Foot", "gist,2+2"]
)
def test_names_of_no_metric_are_refused(name):
    assert not is_metric_name(name)
    with pytest.raises(UsageError):
        metric_named(name)
