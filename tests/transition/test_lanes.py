import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.motion import kinematics, rotations
from motionary.rig import body_of, reference_skeleton
from motionary.transition.body_lanes import body_lanes
from motionary.transition.clock import bernstein_reference
from motionary.transition.lanes import align_signs, forward_joints, mean_rotations, root_lanes, sample_joints


def scattered(rng: np.random.Generator, n_sources: int, n: int, within_deg: float) -> np.ndarray:
    """Unit quaternions (N, 4, F) within an angle of a common rotation, with its sign."""
    axes = rng.normal(size=(n_sources, n, 3))
    axes *= np.radians(within_deg) * rng.random((n_sources, n, 1)) / np.linalg.norm(axes, axis=-1, keepdims=True)
    about = rotations.from_rotation_vector(rng.normal(size=(n, 3)))
    turned = rotations.multiply(about, rotations.from_rotation_vector(axes))
    return np.ascontiguousarray(np.moveaxis(turned, 2, 1))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), n_sources=st.integers(2, 4), within=st.sampled_from([20.0, 45.0, 60.0]))
def test_means_are_karcher_means(seed, n_sources, within):
    rng = np.random.default_rng(seed)
    each = scattered(rng, n_sources, 9, within)
    weights = rng.dirichlet(np.ones(n_sources), 9).T.copy()
    expected = rotations.mean(np.moveaxis(each, 2, 0).transpose(0, 1, 2), weights.T)
    out = np.empty((4, 9))

    mean_rotations(each, weights, n_sources, 9, np.empty((3, 9)), out)

    assert np.degrees(rotations.angle_between(out.T, expected)).max() < 0.05
    np.testing.assert_allclose(np.linalg.norm(out, axis=0), 1.0)


def test_a_weight_of_one_gives_that_rotation():
    rng = np.random.default_rng(0)
    each = scattered(rng, 3, 5, 80.0)
    weights = np.zeros((3, 5))
    weights[1] = 1.0
    out = np.empty((4, 5))

    mean_rotations(each, weights, 3, 5, np.empty((3, 5)), out)

    np.testing.assert_allclose(rotations.angle_between(out.T, each[1].T), 0.0, atol=1e-7)


@given(seed=st.integers(0, 2**32 - 1), n_sources=st.integers(2, 4))
def test_signs_are_those_of_the_shorter_way_where_neighbours_weigh_the_same(seed, n_sources):
    rng = np.random.default_rng(seed)
    n, n_joints = 12, 3
    turns = rng.normal(size=(5, n_joints, 4, n))
    which, cells = rng.permutation(5)[:4], rng.integers(n, size=(4, n))
    weights = bernstein_reference(n_sources - 1, np.linspace(0.0, 1.0, n))
    signs = np.full((4, n_joints), np.nan)

    align_signs(turns, which, n_sources, cells, weights, n, signs)

    assert (signs[0] == 1.0).all()
    for i in range(1, n_sources):
        k = int(np.flatnonzero(weights[i] >= weights[i - 1])[0])
        before = signs[i - 1, :, None] * turns[which[i - 1], :, :, cells[i - 1, k]]
        here = signs[i, :, None] * turns[which[i], :, :, cells[i, k]]
        assert (np.sum(before * here, axis=1) >= 0.0).all()


def test_a_mean_does_not_jump_where_a_source_passes_the_opposite_of_another():
    """A joint that stands, and one that turns by 300 degrees meanwhile: at 180 the shorter way would change."""
    n = 31
    weights = bernstein_reference(1, np.linspace(0.0, 1.0, n))
    vectors = np.zeros((n, 2, 3))
    vectors[:, 1, 0] = np.radians(np.linspace(60.0, 360.0, n))
    turned = rotations.continuous(rotations.from_rotation_vector(vectors))
    each = np.ascontiguousarray(turned.transpose(1, 2, 0))
    signs, out = np.empty((4, 1)), np.empty((4, n))
    cells = np.tile(np.arange(n), (4, 1))

    align_signs(each[:, None], np.array([0, 1, -1, -1]), 2, cells, weights, n, signs)
    mean_rotations(signs[:2, :, None] * each, weights, 2, n, np.empty((3, n)), out)

    steps = np.degrees(rotations.angle_between(out.T[1:], out.T[:-1]))
    assert steps.max() < 60.0


def test_joints_are_sampled_one_after_the_other():
    rng = np.random.default_rng(1)
    turns = np.stack([scattered(rng, 1, 8, 30.0)[0] for _ in range(4)])  # (J, 4, P)
    signs = np.array([1.0, 1.0, -1.0, 1.0])
    out = np.full((4, 10), 7.0)

    sample_joints(turns, signs, np.arange(8) // 2, np.full(8, 0.25), 1, 3, 2, 6, out)

    assert (out[:, 8:] == 7.0).all()
    np.testing.assert_allclose(np.linalg.norm(out[:, :8], axis=0), 1.0)
    for column, (joint, frame) in enumerate((j, k) for j in (1, 2) for k in (1, 1, 2, 2)):
        between = 0.75 * turns[joint, :, frame] + 0.25 * turns[joint, :, frame + 1]
        np.testing.assert_allclose(out[:, column], signs[joint] * between / np.linalg.norm(between))


def test_places_are_those_of_forward_kinematics():
    rng = np.random.default_rng(2)
    body = body_of(reference_skeleton())
    lanes = body_lanes(body, 1 / 30)
    n, n_joints = 5, body.skeleton.n_joints
    local = rotations.from_rotation_vector(0.5 * rng.normal(size=(n, n_joints, 3)))
    root, facing = rng.normal(size=(n, 3)), rng.normal(size=n)
    turned = np.array(local)
    turned[:, 0] = rotations.multiply(rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), facing), local[:, 0])
    none = np.zeros(0, dtype=np.int32)
    expected, expected_world = kinematics.forward(body.skeleton, root, turned, none, np.zeros((n, 0, 3)))
    mine = np.ascontiguousarray(np.moveaxis(local[:, lanes.order], 0, 2))
    world, places = np.empty((n_joints, 4, n)), np.empty((n_joints, 3, n))

    root_lanes(mine, facing, np.ascontiguousarray(root.T), n, world, places)
    forward_joints(lanes.parents, lanes.offsets, mine, 1, n_joints, 0, n, world, places)

    np.testing.assert_allclose(np.moveaxis(places, 2, 0), expected[:, lanes.order], atol=1e-12)
    np.testing.assert_allclose(np.moveaxis(world, 2, 0), expected_world[:, lanes.order], atol=1e-12)
