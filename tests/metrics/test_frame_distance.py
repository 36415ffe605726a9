import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.made_clouds import around, wandering
from motionary.errors import UsageError
from motionary.metrics import (
    Window,
    frame_distance_reference,
    frame_distances,
    rectangle_distances,
    window_clouds,
)
from motionary.motion import Placement

WINDOWS = st.builds(Window, st.integers(0, 3), st.integers(0, 3), st.sampled_from(["quadratic", "even"]))
SEEDS = st.integers(0, 1000)


@given(SEEDS, st.integers(1, 150), st.integers(1, 300), st.integers(1, 9), WINDOWS, st.sampled_from([0.0, 5000.0]))
def test_a_block_is_what_the_definition_says(seed, n_first, n_second, n_points, window, far):
    first, second = wandering(seed, n_first, n_points), wandering(seed + 1, n_second, n_points, far=far)
    weights = np.random.default_rng(seed).uniform(0.0, 1.0, n_points) + 1e-3
    a, b = (window_clouds(points, weights=weights, window=window) for points in (first, second))

    block = frame_distances(a, b)

    whole = np.outer(window.weights, weights).ravel()
    rng = np.random.default_rng(seed)
    for i, j in {(0, 0), (n_first - 1, n_second - 1), (rng.integers(n_first), rng.integers(n_second))}:
        expected, _ = frame_distance_reference(
            around(first, i, window.offsets), around(second, j, window.offsets), whole
        )
        assert np.sqrt(block[i, j]) == pytest.approx(np.sqrt(expected), abs=5e-4)  # half a millimetre


@given(SEEDS, st.floats(-0.3, 0.3), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_no_other_placement_is_better(seed, turn, x, z):
    first, second = wandering(seed, 1, 12)[0], wandering(seed + 1, 1, 12)[0]
    weights = np.random.default_rng(seed).uniform(0.1, 1.0, 12)

    distance, best = frame_distance_reference(first, second, weights)

    other = Placement(best.theta + turn, best.x + x, best.z + z)
    assert weights / weights.sum() @ ((first - other.apply(second)) ** 2).sum(axis=1) >= distance - 1e-12


@given(SEEDS, st.floats(-7.0, 7.0), st.floats(-1000.0, 1000.0))
def test_a_placed_copy_is_at_no_distance_and_is_placed_back(seed, theta, x):
    points = wandering(seed, 12, 20)
    placed = Placement(theta, x, -x / 2).apply(points)
    a, b = window_clouds(points), window_clouds(placed)

    assert np.sqrt(np.diagonal(frame_distances(a, b)).max()) < 5e-4
    _, back = frame_distance_reference(points[5], placed[5], np.ones(20))
    assert back.apply(placed[5]) == pytest.approx(points[5], abs=1e-9)


def test_height_counts():
    points = wandering(0, 3, 20)

    raised = frame_distances(window_clouds(points), window_clouds(points + np.array([0.0, 0.1, 0.0])))

    assert np.sqrt(np.diagonal(raised)) == pytest.approx(0.1, abs=5e-4)


@pytest.mark.parametrize("up", [0.0, 0.7, 1.05, 2.0, 10.0, 50.0, -30.0])
@pytest.mark.parametrize(("before", "precision"), [(2, 5e-4), (22, 1e-3)])  # long windows are sums of more
def test_height_costs_no_precision(up, before, precision):
    window = Window(before, 2)
    first, second = (wandering(seed, 40, 20) + np.array([0.0, up, 0.0]) for seed in (1, 2))
    second = 0.3 * second + 0.7 * first + np.array([0.0, 0.2, 0.0])  # what is near may count from another storey
    a, b = window_clouds(first, window=window), window_clouds(second, window=window)

    found = frame_distances(a, b)

    assert np.sqrt(np.diagonal(frame_distances(a, a)).max()) < precision
    whole = np.outer(window.weights, np.ones(20)).ravel()
    for i in range(0, 40, 7):
        expected, _ = frame_distance_reference(
            around(first, i, window.offsets), around(second, i, window.offsets), whole
        )
        assert np.sqrt(found[i, i]) == pytest.approx(np.sqrt(expected), abs=precision)
    assert frame_distances(a.thinned(3), b.thinned(3)) == pytest.approx(found[::3, ::3], abs=1e-5)


def test_parts_give_the_same_numbers_as_the_whole():
    a, b = window_clouds(wandering(1, 90, 20)), window_clouds(wandering(2, 300, 20))

    whole = frame_distances(a, b)

    assert frame_distances(a.part(20, 70), b.part(31, 290)) == pytest.approx(whole[20:70, 31:290], abs=1e-6)


def test_vectors_have_the_same_products():
    a, b = window_clouds(wandering(1, 9, 20)), window_clouds(wandering(2, 9, 20))
    (u, y), (v, h) = a.vectors(), b.vectors()

    products = a.sizes[:, None] + b.sizes - 2 * (y @ h.T) - 2 * np.abs(u @ v.conj().T)

    assert products == pytest.approx(frame_distances(a, b), abs=1e-6)


RECTANGLES = [[3, 9, 0, 60], [20, 40, 10, 25], [5, 5, 1, 2], [39, 40, 59, 60], [0, 40, 3, 3]]


@given(SEEDS, st.builds(Window, st.integers(0, 12), st.integers(0, 12)))
def test_rectangles_hold_the_same_numbers_one_after_the_other(seed, window):
    a, b = (window_clouds(wandering(seed + n, n_frames, 7), window=window) for n, n_frames in enumerate((40, 60)))

    found = rectangle_distances(a, b, np.array(RECTANGLES))

    whole = frame_distances(a, b)
    parts = [whole[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in RECTANGLES]
    assert found == pytest.approx(np.concatenate(parts), abs=1e-6)


@given(SEEDS, WINDOWS, st.lists(st.tuples(st.integers(0, 3), st.integers(0, 45)), min_size=1, max_size=9))
def test_narrow_rectangles_side_by_side_hold_the_very_numbers_of_the_whole(seed, window, steps):
    a, b = (window_clouds(wandering(seed + n, n_frames, 5), window=window) for n, n_frames in enumerate((20, 440)))
    edges = np.cumsum(np.array(steps).ravel())  # a gap, and a rectangle as wide
    rectangles = [[4, 15, start, stop] for start, stop in edges.reshape(-1, 2)]

    found = rectangle_distances(a, b, np.array(rectangles))

    whole = frame_distances(a, b)
    assert np.array_equal(found, np.concatenate([whole[r0:r1, c0:c1].ravel() for r0, r1, c0, c1 in rectangles]))


@pytest.mark.parametrize("rectangle", [[0, 41, 0, 1], [-1, 3, 0, 1], [3, 2, 0, 1]])
def test_rectangles_outside_are_refused(rectangle):
    a, b = window_clouds(wandering(1, 40, 20)), window_clouds(wandering(2, 60, 20))
    with pytest.raises(UsageError, match="must lie in both"):
        rectangle_distances(a, b, np.array([rectangle]))


def test_thinned_windows_are_those_of_every_so_many_frames():
    a, b = window_clouds(wandering(1, 40, 20)), window_clouds(wandering(2, 61, 20))

    thinned = frame_distances(a.thinned(6), b.thinned(6))

    assert thinned == pytest.approx(frame_distances(a, b)[::6, ::6], abs=1e-6)


def test_a_still_body_is_as_far_from_another_at_every_frame():
    still = np.repeat(wandering(3, 1, 20), 6, axis=0)

    assert np.ptp(frame_distances(window_clouds(still), window_clouds(still + 1.0))) == 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"window": Window(1, 1)}, "same points, weights and frames"),
        ({"weights": np.arange(20.0)}, "same points, weights and frames"),
    ],
)
def test_only_what_is_alike_is_compared(change, message):
    with pytest.raises(UsageError, match=message):
        frame_distances(window_clouds(wandering(0, 3, 20)), window_clouds(wandering(1, 3, 20), **change))


@pytest.mark.parametrize("points", [np.zeros((0, 2, 3)), np.zeros((2, 3)), np.full((2, 2, 3), np.nan)])
def test_points_that_are_none_are_refused(points):
    with pytest.raises(UsageError, match=r"point cloud|cloud of points"):
        window_clouds(points)


def test_pairs_outside_and_results_of_another_shape_are_refused():
    a = window_clouds(wandering(0, 3, 20))
    with pytest.raises(UsageError, match="must lie in both"):
        rectangle_distances(a, a, np.array([[0, 1, 3, 4]]))
    with pytest.raises(UsageError, match="do not fit"):
        frame_distances(a, a, out=np.empty((3, 4), np.float32))
    with pytest.raises(UsageError, match="as many weights"):
        window_clouds(wandering(0, 3, 20), weights=np.zeros(20))
    with pytest.raises(UsageError, match="quadratic or even"):
        Window(shape="round")
    with pytest.raises(UsageError, match="not possible"):
        Window(-1, 0)
