import numpy as np
from numpy.testing import assert_array_equal

from motionary.artefacts import ArtefactStore
from motionary.search.wpca.index import build_pose_index, library_poses
from motionary.search.wpca.space import train_space
from motionary.search.wpca.weights import column_weights
from search.wpca.made_poses import smooth_library


def trained(features):
    return train_space(library_poses(features), column_weights())


def test_points_are_the_clips_one_after_the_other():
    features = smooth_library(np.random.default_rng(0), [5, 9])
    space = trained(features)

    index = build_pose_index(features, space, n_components=4)

    for c, poses in enumerate(library_poses(features)):
        first, stop = index.firsts[c], index.firsts[c + 1]
        assert_array_equal(index.coordinates[first:stop], space.project(poses, n=4).astype(np.float32))
    assert index.clips_of(np.array([0, 4, 5, 13])).tolist() == [0, 0, 1, 1]
    assert index.allowed([2]).tolist() == [False] * 5 + [True] * 9


def test_what_is_kept_beside_a_bank_is_read_again(tmp_path):
    features = smooth_library(np.random.default_rng(1), [300, 90])
    space = trained(features)
    plain = build_pose_index(features, space)

    for _ in range(2):
        index = build_pose_index(features, space, store=ArtefactStore(tmp_path))
        assert_array_equal(index.coordinates, plain.coordinates)
        assert_array_equal(index.tree.numbers, plain.tree.numbers)
        assert_array_equal(index.tree.lower, plain.tree.lower)


def test_another_library_replaces_the_points_of_its_space(tmp_path):
    features, other = (smooth_library(np.random.default_rng(seed), [40 + seed]) for seed in (1, 2))
    space, store = trained(features), ArtefactStore(tmp_path)

    build_pose_index(features, space, store=store)
    changed = build_pose_index(other, space, store=store)

    assert [entry.name for entry in store.entries()] == ["pose-points/library"]
    assert len(changed.coordinates) == 42
