import numpy as np
import pytest

from motionary.alignment import Alignment, Match
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search.clusters import clusters_of, mutual_distances
from search.tiny_libraries import library

POSITIONS = descriptions()["positions"]
N = 6


def match_of(clip_id: int, *, stop: int = N, mirrored: bool = False) -> Match:
    pairs = np.stack([np.minimum(np.arange(stop), N - 1), np.arange(stop)], axis=1)
    alignment = Alignment(pairs)
    return Match(
        Segment(clip_id, 0, stop), 0.0, 0.0, "cm", "dtw", alignment, N, 30.0, scale=stop / N, mirrored=mirrored
    )


def moving(offset: float, seed: int = 0) -> np.ndarray:
    """Frames of a body that stands `offset` metres higher than others."""
    rows = np.random.default_rng(seed).normal(size=(N, POSITIONS.n_dimensions)).astype(np.float32)
    rows[:, 1::3] += offset
    return rows


def test_distances_are_centimetres_a_joint_and_frame():
    features = library([{"positions": moving(0.0)}, {"positions": moving(0.03)}])

    assert mutual_distances(features, [match_of(1), match_of(2)]) == pytest.approx(np.array([[0, 3], [3, 0]]), abs=1e-4)


def test_matches_are_compared_on_the_query_s_side_and_in_its_time():
    rows = moving(0.0)
    held = np.concatenate([rows, rows[-1:], rows[-1:]])  # the last pose is held
    features = library([{"positions": rows}, {"positions": POSITIONS.mirrored(rows)}, {"positions": held}])

    distances = mutual_distances(features, [match_of(1), match_of(2, mirrored=True), match_of(3, stop=N + 2)])

    assert distances == pytest.approx(np.zeros((3, 3)), abs=1e-3)


def three_kinds():
    """Ranks 1, 3, 6 are of one kind, 2 and 4 of another, 5 stands alone."""
    heights = [0.0, 1.0, 0.02, 1.01, 5.0, 0.05]
    return library([{"positions": moving(height)} for height in heights]), [match_of(c) for c in range(1, 7)]


def test_each_cluster_is_shown_by_its_medoid():
    features, matches = three_kinds()

    clusters = clusters_of(features, matches, n_clusters=3)

    assert [cluster.ranks for cluster in clusters.clusters] == [(1, 3, 6), (2, 4), (5,)]
    assert [cluster.medoid_rank for cluster in clusters.clusters] == [3, 2, 5]
    assert clusters.clusters[0].medoid is matches[2]
    assert [cluster.spread for cluster in clusters.clusters] == pytest.approx([2.5, 1.0, 0.0], abs=1e-3)
    assert clusters.clusters[0].as_json()["ranks"] == [1, 3, 6]


def test_a_cluster_can_be_opened_and_dismissed():
    features, matches = three_kinds()
    ranked = dict(zip((2, 3, 5, 7, 11, 13), matches, strict=True))  # of a selection that was thinned out

    clusters = clusters_of(features, ranked, n_clusters=3)

    assert clusters.opened(2).matches == (matches[1], matches[3])
    assert clusters.without(2, 3) == {2: matches[0], 5: matches[2], 13: matches[5]}
    assert clusters.without() == ranked
    with pytest.raises(UsageError, match="no cluster 4; there are 3"):
        clusters.opened(4)


@pytest.mark.parametrize(("n_matches", "n_clusters"), [(1, 1), (2, 2), (9, 2), (10, 2), (13, 3), (20, 4), (99, 12)])
def test_a_fifth_as_many_as_matches_but_2_to_12(n_matches, n_clusters):
    features = library([{"positions": moving(float(c))} for c in range(n_matches)])

    clusters = clusters_of(features, [match_of(c) for c in range(1, n_matches + 1)])

    assert len(clusters.clusters) == n_clusters


def test_nothing_to_sort():
    features, matches = three_kinds()

    assert clusters_of(features, []).clusters == ()
    with pytest.raises(UsageError, match="clusters must be at least 1, not 0"):
        clusters_of(features, matches, n_clusters=0)
