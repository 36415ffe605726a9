import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from motionary.search.gist_rows import gist_weights
from motionary.search.wpca.paths import paths_through
from motionary.search.wpca.remeasuring import gist_means, gist_means_reference


@given(seed=st.integers(0, 10**6), frames=st.sets(st.integers(0, 8), min_size=1, max_size=3))
def test_the_mean_of_a_way_is_that_of_its_pairs(seed, frames):
    rng = np.random.default_rng(seed)
    rows, table = rng.standard_normal((40, 2)), rng.standard_normal((60, 72)).astype(np.float32)
    query, gist = rng.standard_normal((9, 2)), rng.standard_normal((9, 72))
    anchors = [np.unique(rng.integers(0, 40, 6)) for _ in frames]
    ends = [np.zeros_like(places) for places in anchors], [np.full_like(places, 40) for places in anchors]
    paths = paths_through(query, sorted(frames), rows, anchors, scales=np.ones(2), lows=ends[0], highs=ends[1])
    offsets, weights = rng.integers(0, 20, len(paths.means)), rng.uniform(0, 2, 72)

    means = gist_means(gist, table, paths, offsets=offsets, weights=weights)

    assert_allclose(means, gist_means_reference(gist, table, paths, offsets=offsets, weights=weights))


def test_poses_that_are_all_a_metre_apart_in_each_point():
    query, table = np.zeros((5, 72)), np.tile(np.float32([0, 1, 0]), (9, 24))
    curve, here = np.arange(5.0)[:, None], [np.array([2])]
    paths = paths_through(
        curve, [2], np.arange(9.0)[:, None], here, scales=np.ones(1), lows=[np.array([0])], highs=[np.array([9])]
    )

    assert_allclose(gist_means(query, table, paths, offsets=np.zeros(1, dtype=int), weights=gist_weights()), 1.0)
