"""Blended poses: the definition, weight 1, steps in heading frames, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.blend import blend_poses
from motionary.blend.poses import blend_poses_reference
from motionary.errors import UsageError
from motionary.motion import Placement, headings, rotations

UP = np.array([0.0, 1.0, 0.0])


def sources(seed, n_sources=3, n_frames=6, n_joints=4, spread=0.4):
    """Smooth walkers that turn: (N, F, 3) and (N, F, J, 4)."""
    rng = np.random.default_rng(seed)
    t = np.arange(n_frames) / 30.0
    base = rng.normal(size=(n_joints, 3))
    local = rotations.from_rotation_vector(
        base
        + spread
        * np.sin(
            rng.uniform(1, 4, (n_sources, 1, n_joints, 3)) * t[None, :, None, None]
            + rng.normal(size=(n_sources, 1, n_joints, 3))
        )
    )
    facing = rng.uniform(-3, 3, (n_sources, 1)) + rng.uniform(-2, 2, (n_sources, 1)) * t
    tilt = rotations.from_rotation_vector(0.2 * rng.normal(size=(n_sources, n_frames, 3)))
    local[:, :, 0] = rotations.multiply(rotations.from_axis_angle(UP, facing), tilt)
    root = rng.normal(size=(n_sources, 1, 3)) + np.cumsum(rng.normal(0.02, 0.01, (n_sources, n_frames, 3)), axis=1)
    return root, local


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), n_sources=st.integers(1, 4))
def test_blends_are_those_of_the_definition(seed, n_sources):
    root, local = sources(seed, n_sources)
    weights = np.random.default_rng(seed).dirichlet(np.ones(n_sources), local.shape[1])
    facing = np.stack([headings(one[:, 0]) for one in local])
    start = Placement(0.3, 1.0, -2.0)

    blend = blend_poses(root, local, weights, start=start)

    places, turned = blend_poses_reference(root, local, weights, facing, start)
    assert blend.root_positions == pytest.approx(places, abs=1e-9)
    assert rotations.angle_between(blend.rotations, turned).max() < 1e-5
    assert (np.sum(blend.rotations[1:] * blend.rotations[:-1], axis=-1) > 0).all()


@given(seed=st.integers(0, 10_000), which=st.integers(0, 2))
def test_weight_one_gives_the_source_back(seed, which):
    root, local = sources(seed)
    facing = np.stack([headings(one[:, 0]) for one in local])
    weights = np.zeros(3)
    weights[which] = 1.0

    start = Placement(facing[which, 0], root[which, 0, 0], root[which, 0, 2])
    blend = blend_poses(root, local, weights, start=start)

    assert blend.root_positions == pytest.approx(root[which], abs=1e-12)
    assert rotations.angle_between(blend.rotations, local[which]).max() < 1e-7


@given(seed=st.integers(0, 10_000))
def test_where_the_sources_lie_does_not_matter(seed):
    root, local = sources(seed)
    weights = np.array([0.2, 0.5, 0.3])
    start = Placement(0.0, 0.0, 0.0)
    moved = Placement(1.1, 3.0, -1.0)
    root_moved, local_moved = root.copy(), local.copy()
    root_moved[1] = moved.apply(root[1])
    local_moved[1, :, 0] = rotations.multiply(moved.rotation, local[1, :, 0])

    blend, other = (blend_poses(*given_, weights, start=start) for given_ in ((root, local), (root_moved, local_moved)))

    assert other.root_positions == pytest.approx(blend.root_positions, abs=1e-9)
    assert rotations.angle_between(other.rotations, blend.rotations).max() < 1e-6


def test_walks_in_opposite_directions_do_not_cancel():
    n = 31
    root = np.zeros((2, n, 3))
    root[0, :, 2], root[1, :, 2] = np.arange(n) * 0.05, -np.arange(n) * 0.05
    local = np.tile(rotations.IDENTITY, (2, n, 2, 1))
    local[1, :, 0] = rotations.from_axis_angle(UP, np.pi)

    blend = blend_poses(root, local, np.array([0.5, 0.5]))

    assert np.linalg.norm(blend.root_positions[-1] - blend.root_positions[0]) == pytest.approx(1.5)


def test_joint_groups_have_their_own_weights():
    root, local = sources(5)
    weights = np.zeros((2, 6, 3))
    weights[0, :, 0], weights[1, :, 2] = 1.0, 1.0

    blend = blend_poses(root, local, weights, joint_groups=np.array([0, 0, 1, 1]))

    assert rotations.angle_between(blend.rotations[:, :2], local[0, :, :2]).max() < 1e-7
    assert rotations.angle_between(blend.rotations[:, 2:], local[2, :, 2:]).max() < 1e-7


def test_moving_joints_are_averaged():
    root, local = sources(5)
    moved = np.random.default_rng(0).normal(size=(3, 6, 2, 3))

    blend = blend_poses(root, local, np.array([0.25, 0.25, 0.5]), translations=moved)

    assert blend.translations == pytest.approx(np.tensordot([0.25, 0.25, 0.5], moved, axes=1))


def test_what_cannot_be_blended_is_refused():
    root, local = sources(1)
    with pytest.raises(UsageError, match=r"must sum to 1; these sum to 0\.9"):
        blend_poses(root, local, np.array([0.3, 0.3, 0.3]))
    with pytest.raises(UsageError, match="not a finite number"):
        blend_poses(root, local, np.array([np.nan, 0.5, 0.5]))
    with pytest.raises(UsageError, match="do not fit 3 sources of 6 frames"):
        blend_poses(root, local, np.ones((6, 2)) / 2)
    with pytest.raises(UsageError, match="joint groups must name"):
        blend_poses(root, local, np.array([0.2, 0.3, 0.5]), joint_groups=np.array([0, 0, 1, 1]))
    local = local.copy()
    local[1, :, 2] = rotations.multiply(local[0, :, 2], rotations.from_axis_angle(UP, np.radians(170.0)))
    with pytest.raises(UsageError, match="turn joint 2 over 150° apart"):
        blend_poses(root, local, np.array([1.1, -0.1, 0.0]))
