import numpy as np
import pytest

from motionary.motion import Skeleton
from motionary.picture.tree import Tree

# root – a (zero length) – b – tip, and root – c
TREE = Tree(
    Skeleton(
        ("root", "a", "b", "c"),
        [-1, 0, 1, 0],
        [[5, 5, 5], [0, 0, 0], [0, 2, 0], [1, 0, 0]],
        [2],
        [[0, 0, 3]],
    )
)


def test_reach_and_size_follow_the_bones_and_not_the_roots_offset():
    assert TREE.reach.tolist() == [5.0, 5.0, 3.0, 0.0, 0.0]
    assert TREE.size == pytest.approx((5.0 + 1.0) / 1.45)


def test_places_skip_nodes_at_the_same_place():
    assert TREE.next_places(0) == [2, 3]
    assert TREE.place_above(2) == 1
    assert TREE.place_above(1) == 0
    assert TREE.below(1) == {1, 2, 4}
    assert TREE.above(4) == [2, 1, 0]


def test_a_single_joint_has_a_size_to_draw_it_with():
    assert Tree(Skeleton(("one",), [-1], np.zeros((1, 3)))).size == 1.0
