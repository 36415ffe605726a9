"""Blends of skeletons whose hips hang on a floor point are those of skeletons whose root is their hips."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from blend.made_sources import long_walk, walkers
from motionary.blend import BlendSource, blend, close_loop, find_cycles, register
from motionary.rig import body_of
from rig.floor_points import Root, on_floor_point


def put(source: BlendSource, root: Root) -> BlendSource:
    motion = on_floor_point(source.motion, root)
    return replace(source, motion=motion, body=body_of(motion.skeleton, motion=motion))


@pytest.mark.parametrize("root", get_args(Root))
def test_blends_are_those_of_the_same_poses_with_the_hips_as_root(root):
    sources, weights = walkers()[:2], [0.4, 0.6]
    expected = blend(register(sources), weights)

    registration = register([put(source, root) for source in sources])
    made = blend(registration, weights)

    own = registration.on_own_root(made.motion)
    np.testing.assert_allclose(made.motion.positions_world[:, 1:], expected.motion.positions_world, atol=0.005)
    np.testing.assert_allclose(own.positions_world[:, 1:], made.motion.positions_world[:, 1:], atol=1e-9)
    assert own.skeleton.names[0] == "floor"
    assert (np.ptp(own.root_positions, axis=0).max() < 1e-9) == (root == "still")


def test_sources_of_both_kinds_of_skeleton_are_blended_on_the_first_one_s():
    one, other = walkers()[:2]
    expected = blend(register([one, other]), [0.5, 0.5]).motion

    for sources in ([put(one, "still"), other], [one, put(other, "below")]):
        registration = register(sources)
        own = registration.on_own_root(blend(registration, [0.5, 0.5]).motion)

        assert own.skeleton.same_as(sources[0].motion.skeleton)
        hips = own.positions_world[:, own.skeleton.index("Hips")]
        away = np.linalg.norm(hips - hips[0], axis=1) - np.linalg.norm(
            expected.root_positions - expected.root_positions[0], axis=1
        )
        assert np.abs(away).max() < 0.03


def test_loops_go_on_from_where_the_body_is():
    walk = long_walk()[0]
    source = put(walk, "still").at_hips()
    cycles = find_cycles(source)
    expected = find_cycles(walk)
    assert [(cycle.start, cycle.stop) for cycle in cycles] == [(cycle.start, cycle.stop) for cycle in expected]
    assert cycles

    made = source.on_own_root(close_loop(source, cycles[0]).rounds(2))

    np.testing.assert_allclose(
        made.positions_world[:, 1:], close_loop(walk, expected[0]).rounds(2).positions_world, atol=0.005
    )
