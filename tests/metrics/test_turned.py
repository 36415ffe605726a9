import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.made_clouds import wandering
from motionary.errors import UsageError
from motionary.metrics import PointCloudMetric, Window, frame_distances, window_clouds
from motionary.metrics.clouds import TO_LEFT
from motionary.metrics.turned import (
    frame_products,
    half_steps,
    turned_distances,
    turned_frames,
    turned_vectors,
    window_modes,
)
from motionary.motion import Placement


def squared(first, second):
    return ((first[:, None].astype(np.float64) - second) ** 2).sum(axis=2)


@given(st.integers(0, 1000), st.floats(-7.0, 7.0), st.floats(-100.0, 100.0))
def test_a_placed_copy_has_the_same_vectors(seed, theta, x):
    points = wandering(seed, 9, 20)
    placed = Placement(theta, x, -x).apply(points)

    first, second = (turned_vectors(window_clouds(p), np.arange(9), to_left=TO_LEFT) for p in (points, placed))

    assert np.abs(first - second).max() < 1e-3


@given(st.integers(0, 1000))
def test_without_bends_they_are_never_nearer_than_frames_and_near_for_near_ones(seed):
    steady = np.cumsum(np.repeat(np.diff(wandering(seed, 2, 20), axis=0), 12, axis=0), axis=0)
    points = wandering(seed, 1, 20) + steady
    other = points + np.random.default_rng(seed).normal(scale=0.01, size=points.shape[1:])
    a, b = window_clouds(points), window_clouds(other)
    inside = np.arange(2, 10)  # at its ends a body stands still, which is a bend

    turned = squared(*(turned_vectors(cloud, inside, to_left=TO_LEFT) for cloud in (a, b)))

    exact = frame_distances(a, b)[2:10, 2:10]
    assert (np.sqrt(turned) >= np.sqrt(exact) - 1e-3).all()
    assert (np.sqrt(np.diagonal(turned)) <= np.sqrt(np.diagonal(exact)) + 0.05).all()


def test_a_body_without_sides_is_left_as_it_is():
    points = np.repeat(wandering(3, 4, 1), 20, axis=1)

    assert np.isfinite(turned_vectors(window_clouds(points), np.arange(4), to_left=TO_LEFT)).all()


def test_modes_are_orthonormal_and_a_window_of_one_frame_has_one():
    modes = window_modes(Window(2, 3))

    assert np.abs(modes @ modes.T - np.eye(2)).max() < 1e-6
    assert window_modes(Window(0, 0)).shape == (1, 1)


def test_the_metric_takes_every_so_many():
    clouds = window_clouds(wandering(1, 10, 20))

    assert len(PointCloudMetric().turned(clouds, 3)) == 4


@given(st.integers(1, 70), st.integers(1, 70), st.integers(1, 30), st.integers(0, 1000))
def test_distances_of_vectors_are_euclidean_and_do_not_depend_on_where_they_stand(n_first, n_second, n, seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.normal(size=(k, n)).astype(np.float32) for k in (n_first, n_second))

    found, least = turned_distances(turned_frames(first), turned_frames(second))

    assert least == found.min()
    assert np.abs(found - squared(first, second)).max() < 1e-4
    start = rng.integers(n_second)
    part, _ = turned_distances(turned_frames(first[-1:]), turned_frames(second[start:]))
    assert np.array_equal(part, found[-1:, start:])
    assert np.array_equal(turned_distances(turned_frames(second), turned_frames(first))[0], found.T)
    allowed, _ = turned_distances(*(turned_frames(some, allowances=half_steps(some)) for some in (first, second)))
    less = found - half_steps(first)[:, None] - half_steps(second)
    assert np.abs(allowed - np.maximum(less, found / 4)).max() < 1e-4


def test_frames_between_two_are_nearer_by_what_is_allowed():
    vectors = np.arange(8.0, dtype=np.float32)[:, None] * np.float32(0.2)
    between = vectors[:-1] + np.float32(0.1)  # half a step later

    found, _ = turned_distances(*(turned_frames(some, allowances=half_steps(some)) for some in (vectors, between)))

    assert half_steps(vectors) == pytest.approx(0.2**2 / 8)
    assert np.diagonal(found) == pytest.approx(0.1**2 / 4, rel=1e-3)  # a quarter is left, where all would go
    assert len(half_steps(vectors[:1])) == 1


def test_products_of_frames_are_the_same_wherever_they_stand():
    rng = np.random.default_rng(0)
    first, second = (rng.normal(size=(n, 224)).astype(np.float32) for n in (50, 41))
    whole = np.empty((50, 41), dtype=np.float32)
    some, turned = np.zeros((9, 1), dtype=np.float32), np.empty((41, 50), dtype=np.float32)
    chosen = np.array([7, 8, 30, 49])

    frame_products(first, np.arange(50), second, out=whole, to=np.arange(50))
    frame_products(first, chosen, second[40:], out=some, to=np.array([0, 2, 4, 8]))
    frame_products(second, np.arange(41), first, out=turned, to=np.arange(41))

    assert whole == pytest.approx(first.astype(np.float64) @ second.T, abs=1e-4)
    assert (some[[0, 2, 4, 8]] == whole[chosen, 40:]).all()
    assert (some[[1, 3, 5, 6, 7]] == 0.0).all()
    assert (whole == turned.T).all()
    with pytest.raises(UsageError, match="blocks of 4"):
        frame_products(first[:, :3], chosen, second[:, :3], out=whole, to=chosen)
