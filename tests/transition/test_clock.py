import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.transition.clock import (
    align,
    aligned_reference,
    bernstein,
    bernstein_reference,
    ease,
    quintic_ease_reference,
    set_clock,
    smooth_times,
)


def alignment(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    p = len(a)
    times = np.empty(p)
    align(a, b, np.empty((p, p)), np.empty((p, p)), times)
    return times


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), n_poses=st.integers(3, 12))
def test_alignments_cost_the_least(seed, n_poses):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n_poses, 3))
    costs = np.sum((a[:, None] - b[None]) ** 2, axis=2)

    times = alignment(a, b)

    np.testing.assert_allclose(times, aligned_reference(costs))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), n_poses=st.integers(4, 40))
def test_smoothed_times_keep_their_ends_and_limits(seed, n_poses):
    rng = np.random.default_rng(seed)
    times = alignment(*np.cumsum(rng.normal(size=(2, n_poses, 3)), axis=1))
    paces = np.empty(n_poses)

    smooth_times(times, paces, np.empty(n_poses))

    assert times[0] == 0.0
    assert times[-1] == n_poses - 1
    assert np.diff(times).min() >= 0.5 - 1e-9
    assert np.diff(times).max() <= 2.0 + 1e-9
    assert 0.5 - 1e-9 <= paces.min() <= paces.max() <= 2.0 + 1e-9


def test_equal_windows_run_side_by_side():
    shape = np.cumsum(np.random.default_rng(0).normal(size=(20, 4)), axis=0)

    np.testing.assert_array_equal(alignment(shape, shape), np.arange(20.0))


def test_a_window_that_waits_is_passed_quickly():
    """The second holds its first pose for a while: its times run ahead at twice the pace."""
    shape = np.arange(21.0)[:, None]
    late = np.maximum(shape - 5.0, 0.0) * 20.0 / 15.0

    times = alignment(shape, late)

    assert times[5] > 8.0


def test_weights_are_those_of_bezier_curves():
    shares = np.linspace(0.0, 1.0, 11)
    for n_sources in (2, 3, 4):
        mine = np.array([[bernstein(n_sources, share, i) for share in shares] for i in range(n_sources)])
        np.testing.assert_allclose(mine, bernstein_reference(n_sources - 1, shares), atol=1e-15)
        np.testing.assert_allclose(mine.sum(axis=0), 1.0)
    np.testing.assert_allclose([ease(share) for share in shares], quintic_ease_reference(shares), atol=1e-15)


def clock_of(times: np.ndarray, paces: np.ndarray, n_sources: int) -> tuple[int, np.ndarray, np.ndarray]:
    p = times.shape[1]
    cells, share = np.empty((4, 2 * p), dtype=np.int64), np.empty((4, 2 * p))
    weights, heaviest = np.empty((4, 2 * p)), np.empty(2 * p, dtype=np.int64)
    n = set_clock(times, paces, np.arange(4), n_sources, np.empty((2, p)), cells, share, weights, heaviest)
    assert (heaviest[:n] == np.argmax(weights[:n_sources, :n], axis=0)).all()
    return n, cells[:n_sources, :n] + share[:n_sources, :n], weights[:n_sources, :n]


def test_unaligned_windows_take_their_own_time():
    times = np.tile(np.arange(31.0), (4, 1))

    for n_sources in (2, 3, 4):
        n, at, weights = clock_of(times, np.ones((4, 31)), n_sources)
        assert n == 31
        np.testing.assert_allclose(at, times[:n_sources], atol=1e-9)
        np.testing.assert_allclose(weights[:, 0], np.eye(n_sources)[0])
        np.testing.assert_allclose(weights[:, -1], np.eye(n_sources)[-1])


def test_at_its_end_a_blend_runs_at_the_pace_of_its_target():
    """The target is passed at double pace against the source, so the blend gives it twice as long."""
    times, paces, work = np.tile(np.arange(41.0), (4, 1)), np.ones((4, 41)), np.empty(41)
    nodes = np.interp(np.arange(41.0), [0.0, 20.0, 30.0, 40.0], [0.0, 10.0, 20.0, 40.0])
    times[1] = nodes
    smooth_times(times[1], paces[1], work)

    n, at, _ = clock_of(times, paces, 2)

    assert n > 41
    assert abs(np.diff(at[0])[0] - 1.0) < 0.05
    assert abs(np.diff(at[1])[-1] - 1.0) < 0.05
    assert (np.diff(at, axis=1) > 0).all()
