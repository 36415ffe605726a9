from dataclasses import replace

import numpy as np
import pytest

from motionary.transition import ClusterOptions, Frame, Maker, build_clusters, build_table
from motionary.transition.natural import (
    EVERY,
    levels_reference,
    natural_thresholds,
    natural_windows,
    score_windows,
)
from motionary.transition.windows import complete_windows, window_shapes
from transition.pools import small_pool

N_FRAMES = 30


def known_windows() -> tuple[np.ndarray, np.ndarray]:
    windows = natural_windows(small_pool(), N_FRAMES, n=60, rng=np.random.default_rng(0))
    return windows, score_windows(small_pool(), windows, N_FRAMES)[:, 0]


def test_thresholds_are_levels_of_what_is_alike_times_one_factor():
    pool = small_pool()
    windows, scores = known_windows()
    shapes = np.concatenate(list(window_shapes(pool, windows, N_FRAMES)))

    thresholds = natural_thresholds(pool, N_FRAMES, windows, scores)

    measured = np.concatenate(
        [np.arange(start, stop - N_FRAMES, EVERY) for start, stop in zip(pool.starts, pool.starts[1:], strict=False)]
    )
    of_measured = np.concatenate(list(window_shapes(pool, measured, N_FRAMES)))
    factors = thresholds[measured] / levels_reference(of_measured, shapes, scores)
    np.testing.assert_allclose(factors, factors[0], rtol=2e-3)
    assert thresholds.shape == (pool.n_frames,)
    assert np.isfinite(thresholds).all()


def test_as_many_real_windows_are_natural_as_by_one_threshold():
    windows, scores = known_windows()

    thresholds = natural_thresholds(small_pool(), N_FRAMES, windows, scores)

    assert np.mean(scores <= thresholds[windows].astype(np.float64) * 1.001) == pytest.approx(0.975, abs=0.02)


def test_frames_without_a_window_have_the_threshold_of_the_nearest():
    pool = small_pool()

    thresholds = natural_thresholds(pool, N_FRAMES, *known_windows())

    last = int(complete_windows(pool, N_FRAMES)[-1])
    assert (thresholds[last:] == thresholds[last]).all()


def test_nothing_is_natural_where_no_clip_is_as_long_as_a_window():
    pool = small_pool()

    scores = score_windows(pool, np.zeros(0, dtype=np.int64), 10_000)
    thresholds = natural_thresholds(pool, 10_000, np.zeros(0, dtype=np.int64), scores[:, 0])

    assert np.isnan(thresholds).all()


def test_a_transition_is_allowed_what_source_or_target_are():
    pool = small_pool()
    table = build_table(pool, build_clusters(pool, options=ClusterOptions(n_clusters=2, n_components=2, n_sample=40)))
    source, target = Frame(0, 50), Frame(1, 80)
    thresholds = np.full(pool.n_frames, 0.1, dtype=np.float16)
    thresholds[50] = 0.5
    thresholds[pool.starts[1] + 80 - 30] = 0.25
    maker = Maker(pool, replace(table, thresholds=thresholds))

    assert maker.threshold(source, target) == 0.5
    assert maker.threshold(Frame(0, 51), target) == 0.25
    assert maker.threshold(Frame(0, 51), Frame(1, 0)) == pytest.approx(0.1, abs=1e-3)  # before its clip
    assert replace(maker, judged=0.3).threshold(source, target) == 0.3
