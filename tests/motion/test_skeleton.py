from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from motionary.errors import SkeletonError
from motionary.motion import Skeleton
from strategies import skeletons


def leg(**changes):
    """Hips, then knee and ankle, then a tail on the hips; a toe and a heel on the ankle."""
    parts = {
        "names": ("hips", "knee", "ankle", "tail"),
        "parents": [-1, 0, 1, 0],
        "offsets": [[5.0, 9.0, 5.0], [0.0, -0.5, 0.0], [0.0, -0.4, 0.1], [0.0, 0.0, -0.2]],
        "end_site_joints": [2, 2],
        "end_site_offsets": [[0.0, -0.1, 0.2], [0.0, -0.1, -0.05]],
    }
    return Skeleton(**{**parts, **changes})


def test_rest_positions_are_sums_of_offsets_from_a_root_at_the_origin():
    rest = leg().rest_positions()

    assert rest == pytest.approx(np.array([[0, 0, 0], [0, -0.5, 0], [0, -0.9, 0.1], [0, 0, -0.2]]))


def test_joints_children_chains_and_end_sites():
    skeleton = leg()

    assert skeleton.n_joints == 4
    assert skeleton.index("ankle") == 2
    assert skeleton.children(0) == [1, 3]
    assert skeleton.children(2) == []
    assert skeleton.chain(2) == [0, 1, 2]
    assert skeleton.chain(0) == [0]
    assert skeleton.end_sites(2) == pytest.approx(np.array([[0.0, -0.1, 0.2], [0.0, -0.1, -0.05]]))
    assert skeleton.end_sites(0).shape == (0, 3)


@given(skeleton=skeletons())
def test_every_chain_leads_down_from_the_root(skeleton):
    rest = skeleton.rest_positions()
    for joint in range(skeleton.n_joints):
        chain = skeleton.chain(joint)
        assert chain[0] == 0
        assert chain[-1] == joint
        assert all(skeleton.parents[below] == above for above, below in pairwise(chain))
        assert rest[joint] == pytest.approx(skeleton.offsets[chain[1:]].sum(axis=0), abs=1e-12)
        assert all(joint in skeleton.chain(child) for child in skeleton.children(joint))


def test_same_as_looks_at_everything():
    assert leg().same_as(leg())
    assert not leg().same_as(leg(names=("hips", "knee", "foot", "tail")))
    assert not leg().same_as(leg(parents=[-1, 0, 1, 1]))
    assert not leg().same_as(leg(offsets=np.zeros((4, 3))))
    assert not leg().same_as(leg(end_site_joints=[2, 3]))
    assert not leg().same_as(leg(end_site_joints=[], end_site_offsets=np.zeros((0, 3))))


def test_arrays_are_its_own_and_cannot_be_written():
    offsets = np.zeros((1, 3))
    skeleton = Skeleton(("root",), np.array([-1]), offsets)
    offsets[0, 0] = 7.0

    assert skeleton.offsets[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0, 0] = 7.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"names": (), "parents": [], "offsets": np.zeros((0, 3)), "end_site_joints": []},
            "a skeleton needs at least one joint",
        ),
        ({"parents": [-1, 0, 1]}, r"4 joints need as many parents and offsets, not \(3,\) and \(4, 3\)"),
        ({"offsets": np.zeros((4, 2))}, r"4 joints need as many parents and offsets, not \(4,\) and \(4, 2\)"),
        ({"end_site_joints": [2]}, "every end site needs one joint and one offset"),
        ({"parents": [0, 0, 1, 0]}, "only the first joint can be the root, with parent -1"),
        ({"parents": [-1, 0, -1, 0]}, "only the first joint can be the root, with parent -1"),
        ({"parents": [-1, 2, 0, 0]}, "every parent must come before its children"),
        ({"parents": [-1, 1, 0, 0]}, "every parent must come before its children"),
        ({"end_site_joints": [2, 4]}, "an end site has a parent that does not exist"),
        ({"end_site_joints": [2, -1]}, "an end site has a parent that does not exist"),
        ({"offsets": np.full((4, 3), np.nan)}, "a joint or end site has an offset that is not finite"),
        (
            {"end_site_offsets": np.full((2, 3), np.inf)},
            "a joint or end site has an offset that is not finite",
        ),
    ],
)
def test_what_is_no_skeleton(changes, message):
    with pytest.raises(SkeletonError, match=message):
        leg(**changes)


def test_an_unknown_joint_is_answered_with_the_known_ones():
    with pytest.raises(SkeletonError, match="no joint named 'elbow'; choose from hips, knee, ankle, tail"):
        leg().index("elbow")
