import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from motionary.errors import UsageError
from motionary.search.wpca.neighbours import PoseTree, nearest_reference


@st.composite
def cases(draw):
    """Points, often equal to others, and what is asked of them."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.integers(1, 300)), draw(st.integers(1, 6))
    points = rng.standard_normal((n, d)).astype(np.float32)
    if draw(st.booleans()):
        points = np.round(points * draw(st.sampled_from([0.0, 1.0, 2.0])))  # ties
    used = draw(st.integers(1, d))
    scales = rng.uniform(0, 2, used) if draw(st.booleans()) else np.ones(used)
    allowed = rng.random(n) < draw(st.sampled_from([0.0, 0.1, 0.7])) if draw(st.booleans()) else None
    point = points[rng.integers(n), :used].astype(float) if draw(st.booleans()) else 2 * rng.standard_normal(used)
    return points, point, draw(st.integers(1, 40)), scales, allowed, draw(st.sampled_from([1, 3, 16, 64]))


@given(case=cases())
def test_the_tree_finds_what_the_flat_scan_finds_to_the_last_bit(case):
    points, point, k, scales, allowed, leaf_points = case
    tree = PoseTree.of(points, leaf_points=leaf_points)

    numbers, distances = tree.nearest(point, k=k, scales=scales, allowed=allowed)

    wanted, wanted_distances = nearest_reference(points, point, k=k, scales=scales, allowed=allowed)
    assert_array_equal(numbers, wanted)
    assert_array_equal(distances, wanted_distances)


@given(case=cases(), slack=st.sampled_from([0.2, 1.0, 5.0]))
def test_with_slack_no_neighbour_is_further_than_promised(case, slack):
    points, point, k, scales, allowed, leaf_points = case
    tree = PoseTree.of(points, leaf_points=leaf_points)

    _, distances = tree.nearest(point, k=k, scales=scales, allowed=allowed, slack=slack)

    _, wanted = nearest_reference(points, point, k=k, scales=scales, allowed=allowed)
    assert len(distances) == len(wanted)
    assert (distances <= (1 + slack) * wanted + 1e-12).all()


@given(case=cases())
def test_boxes_hold_their_leaves(case):
    points, *_, leaf_points = case
    tree = PoseTree.of(points, leaf_points=leaf_points)

    assert sorted(tree.numbers.tolist()) == list(range(len(points)))
    for leaf, (first, stop) in enumerate(zip(tree.firsts, tree.firsts[1:], strict=False)):
        assert 1 <= stop - first <= leaf_points
        assert_array_equal(tree.points[first:stop].min(axis=0), tree.lower[:, leaf])
        assert_array_equal(tree.points[first:stop].max(axis=0), tree.upper[:, leaf])


def test_no_points_have_no_neighbours():
    tree = PoseTree.of(np.zeros((0, 3)))

    numbers, distances = tree.nearest(np.zeros(3), k=5, scales=np.ones(3))

    assert len(numbers) == len(distances) == 0


def test_what_does_not_fit_is_told():
    tree = PoseTree.of(np.zeros((4, 2)))

    with pytest.raises(UsageError, match="do not fit the space"):
        tree.nearest(np.zeros(3), k=1, scales=np.ones(3))
    with pytest.raises(UsageError, match="neighbours must be at least 1, not 0"):
        tree.nearest(np.zeros(2), k=0, scales=np.ones(2))
