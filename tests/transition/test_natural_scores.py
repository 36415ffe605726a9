from dataclasses import replace

import numpy as np
import pytest

from motionary.transition import ClusterOptions, Frame, Maker, build_clusters, build_table
from motionary.transition.blended import TransitionScore
from motionary.transition.natural_scores import (
    ALLOWED,
    ERRORS,
    EVERY,
    levels,
    levels_reference,
    natural_thresholds,
    natural_windows,
    score_windows,
    share_of,
)
from motionary.transition.windows import complete_windows, window_shapes
from motionary.transition.worsening import roc_area
from transition.pools import small_pool

N_FRAMES = 30


def known_windows() -> tuple[np.ndarray, np.ndarray]:
    windows = natural_windows(small_pool(), N_FRAMES, n=60, rng=np.random.default_rng(0))
    return windows, score_windows(small_pool(), windows, N_FRAMES)[:, ERRORS]


def test_thresholds_are_levels_of_what_is_alike_times_one_factor():
    pool = small_pool()
    windows, errors = known_windows()
    shapes = np.concatenate(list(window_shapes(pool, windows, N_FRAMES)))

    thresholds = natural_thresholds(pool, N_FRAMES, windows, errors)

    measured = np.concatenate(
        [np.arange(start, stop - N_FRAMES, EVERY) for start, stop in zip(pool.starts, pool.starts[1:], strict=False)]
    )
    of_measured = np.concatenate(list(window_shapes(pool, measured, N_FRAMES)))
    factors = thresholds[measured] / levels_reference(of_measured, shapes, errors)
    np.testing.assert_allclose(factors, factors[0, 0], rtol=2e-3)
    assert thresholds.shape == (pool.n_frames, 3)
    assert np.isfinite(thresholds).all()


def test_as_many_real_windows_are_natural_as_by_one_threshold():
    windows, errors = known_windows()

    thresholds = natural_thresholds(small_pool(), N_FRAMES, windows, errors)

    shares = share_of(errors, thresholds[windows].astype(np.float64))
    assert np.mean(shares <= 1.001) == pytest.approx(0.975, abs=0.02)


def test_frames_without_a_window_have_the_threshold_of_the_nearest():
    pool = small_pool()

    thresholds = natural_thresholds(pool, N_FRAMES, *known_windows())

    last = int(complete_windows(pool, N_FRAMES)[-1])
    assert (thresholds[last:] == thresholds[last]).all()


def test_nothing_is_natural_where_no_clip_is_as_long_as_a_window():
    pool = small_pool()

    scores = score_windows(pool, np.zeros(0, dtype=np.int64), 10_000)
    thresholds = natural_thresholds(pool, 10_000, np.zeros(0, dtype=np.int64), scores[:, ERRORS])

    assert np.isnan(thresholds).all()


def test_a_transition_is_allowed_what_source_or_target_are():
    pool = small_pool()
    table = build_table(pool, build_clusters(pool, options=ClusterOptions(n_clusters=2, n_components=2, n_sample=40)))
    source, target = Frame(0, 50), Frame(1, 80)
    thresholds = np.full((pool.n_frames, 3), 0.125, dtype=np.float16)
    thresholds[50] = 0.25, 0.5, 0.125
    thresholds[pool.starts[1] + 80 - 30] = 0.5, 0.25, 0.125
    maker = Maker(pool, replace(table, thresholds=thresholds))

    np.testing.assert_array_equal(maker.allowed(source, target), [0.5, 0.5, 0.125])
    np.testing.assert_array_equal(maker.allowed(Frame(0, 51), target), [0.5, 0.25, 0.125])
    np.testing.assert_array_equal(maker.allowed(Frame(0, 51), Frame(1, 0)), [0.125, 0.125, 0.125])  # before its clip


def test_errors_are_natural_up_to_the_share_that_is_allowed_of_all_together():
    pool = small_pool()
    table = build_table(pool, build_clusters(pool, options=ClusterOptions(n_clusters=2, n_components=2, n_sample=40)))
    thresholds = np.tile(np.array([0.125, 0.5, 0.25], dtype=np.float16), (pool.n_frames, 1))
    maker, pair = Maker(pool, replace(table, thresholds=thresholds)), (Frame(0, 50), Frame(1, 80))

    def threshold(plant: float, zmp: float, fall: float) -> float:
        return maker.threshold(*pair, TransitionScore(plant, zmp, fall, 1, 1, 1))

    assert threshold(0.1, 0.0, 0.0) == pytest.approx(0.125)
    assert threshold(0.0, 0.1, 0.0) == pytest.approx(0.5)
    assert threshold(0.125, 0.25, 0.0) == pytest.approx(0.375 / 1.5)
    assert threshold(0.0, 0.0, 0.0) == 0.5
    assert replace(maker, judged=0.3).threshold(*pair, TransitionScore(0.1, 0.1, 0.1, 1, 1, 1)) == 0.3


def test_slipping_feet_show_where_balance_errs_by_more():
    """Quick motion errs by half a metre of balance more or less: the sum of metres hides 8 cm of feet."""
    rng = np.random.default_rng(0)
    errors = np.stack([np.zeros(200), rng.uniform(0.5, 1.5, 200), np.zeros(200)], axis=1)
    shapes = np.zeros((200, 1))
    worse = errors + np.array([0.08, 0.0, 0.0])

    allowed = levels(shapes, shapes + 1e-3 * rng.random((200, 1)), errors)

    assert allowed[0, 0] == ALLOWED
    by_sum = roc_area(errors.sum(axis=1), worse.sum(axis=1))
    assert by_sum < 0.6 < 0.95 < roc_area(share_of(errors, allowed), share_of(worse, allowed))
