import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.search.linkage import average_linkage, average_linkage_reference


def distances_of(points: np.ndarray) -> np.ndarray:
    return np.abs(points[:, None] - points[None]).sum(axis=-1)


def test_near_things_are_joined_first_and_groups_lie_as_far_as_their_members_on_average():
    tree = average_linkage(distances_of(np.array([[0.0], [1.0], [10.0], [12.0]])))

    assert tree.joined.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert tree.heights.tolist() == [1.0, 2.0, (10 + 12 + 9 + 11) / 4]
    assert [tree.cut(n).tolist() for n in (1, 2, 3, 4)] == [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]]


@given(seed=st.integers(0, 2**32 - 1), n_things=st.integers(1, 14), n_values=st.sampled_from([1, 2, 3, 10**6]))
def test_the_tree_is_that_of_the_definition_with_and_without_ties(seed, n_things, n_values):
    rng = np.random.default_rng(seed)
    distances = np.triu(rng.integers(0, n_values, size=(n_things, n_things)).astype(float), 1)
    distances += distances.T

    tree, expected = average_linkage(distances), average_linkage_reference(distances)

    assert tree.joined.tolist() == expected.joined.tolist()
    assert tree.heights == pytest.approx(expected.heights)
    assert (np.diff(tree.heights) >= -1e-9 * distances.max(initial=1.0)).all()  # groups only move apart


@given(seed=st.integers(0, 2**32 - 1), n_things=st.integers(1, 12), n_groups=st.integers(1, 15))
def test_a_cut_leaves_so_many_groups_numbered_by_their_first_things(seed, n_things, n_groups):
    points = np.random.default_rng(seed).normal(size=(n_things, 2))

    group = average_linkage(distances_of(points)).cut(n_groups)

    assert len(set(group.tolist())) == min(n_things, n_groups)
    assert list(dict.fromkeys(group.tolist())) == list(range(min(n_things, n_groups)))


@pytest.mark.parametrize(
    ("distances", "problem"),
    [
        (np.zeros((2, 3)), "a square matrix"),
        (np.zeros((0, 0)), "a square matrix"),
        (np.array([[0.0, 1.0], [2.0, 0.0]]), "symmetric"),
        (np.full((2, 2), np.nan), "must be finite"),
    ],
)
def test_what_are_no_mutual_distances(distances, problem):
    with pytest.raises(UsageError, match=problem):
        average_linkage(distances)
