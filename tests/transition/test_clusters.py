import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.transition import ClusterOptions, build_clusters
from motionary.transition.clusters import usual_representatives
from motionary.transition.spectral import k_means, nystrom_embedding, spectral_embedding_reference
from motionary.transition.windows import (
    complete_windows,
    squared_distances,
    window_distance_reference,
    window_shapes,
)
from transition.pools import small_pool


def clouds(rng: np.random.Generator, *, n_clouds: int = 3, n_each: int = 40) -> np.ndarray:
    centres = 6.0 * rng.normal(size=(n_clouds, 5))
    return np.concatenate([centre + rng.normal(size=(n_each, 5)) for centre in centres])


def affinities(points: np.ndarray) -> np.ndarray:
    squares = squared_distances(points, points)
    return np.exp(-squares / (2.0 * np.median(squares)))


def test_shapes_have_the_distances_of_windows():
    pool = small_pool()
    windows = complete_windows(pool, 30, hop=17)
    shapes = np.concatenate(list(window_shapes(pool, windows, 30)))

    squares = squared_distances(shapes, shapes)

    for a, b in ((0, 3), (2, 9), (5, 6)):
        expected = window_distance_reference(pool, int(windows[a]), int(windows[b]), 30)
        assert squares[a, b] == pytest.approx(expected, rel=1e-4)


def test_complete_windows_lie_in_one_clip():
    pool = small_pool()

    windows = complete_windows(pool, 30)

    assert [pool.clip_of(int(w)) for w in windows] == [pool.clip_of(int(w) + 30) for w in windows]
    assert len(windows) == sum(int(n) - 30 for n in np.diff(pool.starts))


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_sample_of_all_points_gives_the_full_embedding(seed):
    affinity = affinities(clouds(np.random.default_rng(seed), n_each=12))
    n = len(affinity)

    approximate = nystrom_embedding(affinity, np.zeros((n, 0)), 3)

    expected = spectral_embedding_reference(affinity, 3)
    np.testing.assert_allclose(np.abs(approximate @ approximate.T), np.abs(expected @ expected.T), atol=1e-4)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_sample_embeds_like_all_points(seed):
    """Inner products of the embedded points, which do not depend on signs and turns of eigenvectors."""
    rng = np.random.default_rng(seed)
    points = clouds(rng)
    affinity = affinities(points)
    sample = rng.permutation(len(points))[:40]
    rest = np.setdiff1d(np.arange(len(points)), sample)
    order = np.concatenate([sample, rest])

    approximate = nystrom_embedding(affinity[np.ix_(sample, sample)], affinity[np.ix_(sample, rest)], 3)

    expected = spectral_embedding_reference(affinity, 3)[order]
    error = approximate @ approximate.T - expected @ expected.T
    assert np.sqrt(np.mean(error**2)) < 0.15


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_clouds_far_apart_are_the_clusters(seed):
    rng = np.random.default_rng(seed)
    points = 50.0 * np.repeat(np.eye(4), 10, axis=0) + rng.normal(size=(40, 4))

    members = k_means(points, 4, rng=rng, n_starts=4).reshape(4, 10)

    assert (members == members[:, :1]).all()
    assert len(set(members[:, 0].tolist())) == 4


def test_no_cluster_is_empty_and_too_many_are_refused():
    points = np.concatenate([np.zeros((8, 2)), np.ones((1, 2)), np.full((1, 2), 2.0)])

    assert set(k_means(points, 3, rng=np.random.default_rng(0)).tolist()) == {0, 1, 2}
    with pytest.raises(UsageError, match="4 clusters cannot be made of 3 different windows"):
        k_means(points, 4, rng=np.random.default_rng(0))


def test_clusters_and_their_representatives():
    pool = small_pool()

    clusters = build_clusters(pool, options=ClusterOptions(n_clusters=6, n_components=4, n_sample=80))

    assert clusters.n_frames == 30
    assert clusters.sizes.tolist() == sorted(clusters.sizes.tolist(), reverse=True)
    assert clusters.sizes.sum() == len(clusters.windows)
    for c, medoid in enumerate(clusters.representatives):
        members = clusters.windows[clusters.members == c]
        assert medoid in members
        shapes = np.concatenate(list(window_shapes(pool, members, 30)))
        sums = squared_distances(shapes, shapes).sum(axis=1)
        assert sums[members == medoid][0] == pytest.approx(sums.min(), rel=1e-4)
        assert clusters.distances[medoid, c] < 1e-3
    assert np.isfinite(clusters.distances[complete_windows(pool, 30)]).all()
    assert (clusters.separation() <= 1.0).all()
    again = build_clusters(pool, options=ClusterOptions(n_clusters=6, n_components=4, n_sample=80))
    assert np.array_equal(again.representatives, clusters.representatives)


def test_a_library_of_short_clips_is_refused():
    with pytest.raises(UsageError, match="no clip is longer than 60 s; ask for shorter transitions"):
        build_clusters(small_pool(), secs=60.0)


@pytest.mark.parametrize(
    ("library_secs", "secs", "n"), [(3600.0, 1.0, 50), (100.0, 1.0, 50), (63.0, 1.0, 31), (63.0, 4.0, 7), (1.0, 1.0, 2)]
)
def test_short_libraries_have_fewer_representatives(library_secs, secs, n):
    assert usual_representatives(library_secs, secs=secs) == n
