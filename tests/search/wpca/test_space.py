import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from motionary.errors import UsageError
from motionary.search.wpca.linear import columns, n_columns
from motionary.search.wpca.space import PoseSpace, train_space
from motionary.search.wpca.weights import column_weights
from search.wpca.made_poses import poses


def trained(seed=0, n_frames=200, **options):
    made = poses(np.random.default_rng(seed), n_frames)
    return made, train_space([made], column_weights(**options))


@given(seed=st.integers(0, 50))
def test_components_are_those_of_the_scaled_columns(seed):
    made, space = trained(seed, n_frames=120)
    scaled = columns(made, space.means) * np.sqrt(space.weights)

    _, sizes, components = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)

    assert_allclose(space.variances[: len(sizes)], sizes**2 / 120, atol=1e-12)
    for found, wanted in zip(space.basis[:5], components[:5], strict=True):
        assert abs(found @ wanted) == pytest.approx(1.0, abs=1e-6)


def test_distances_in_all_components_are_weighted_distances_of_poses():
    made, space = trained()
    values = columns(made, space.means)
    points = space.project(made)

    wanted = np.sqrt(((values[0] - values[1:]) ** 2 * space.weights).sum(axis=1))

    assert_allclose(np.linalg.norm(points[0] - points[1:], axis=1), wanted, rtol=1e-9)


@pytest.mark.parametrize("preset", ["whole body", "arms", "right hand"])
def test_poses_come_back_from_all_components(preset):
    _, space = trained(preset=preset)
    other = poses(np.random.default_rng(9), 30, size=0.7)

    values = space.columns_at(space.project(other))

    assert_allclose(values, columns(other, space.means), atol=1e-9)


def test_fewer_components_leave_a_larger_error():
    made, space = trained()
    values = columns(made, space.means)

    errors = [np.abs(space.columns_at(space.project(made, n=n)) - values).mean() for n in (1, 10, 40, n_columns())]

    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-9


def test_motions_come_back_too():
    made, space = trained()

    motion = space.motion(space.project(made), frame_time=1 / 30)

    assert motion.n_frames == made.n_frames
    assert_allclose(motion.root_positions[:, 1], made.root[:, 0], atol=1e-9)


def test_the_mean_of_two_points_is_the_pose_between():
    made, space = trained()
    points = space.project(made)

    between = space.columns_at(0.5 * (points[:1] + points[1:2]))

    assert_allclose(between[0], columns(made[:2], space.means).mean(axis=0), atol=1e-9)


def test_how_many_components_hold_a_share():
    _, space = trained()
    held = np.cumsum(space.shares)

    for share in (0.5, 0.9, 0.99, 1.0):
        n = space.components_for(share)
        assert held[n - 1] >= share - 1e-9
        assert n == 1 or held[n - 2] < share
    with pytest.raises(UsageError, match="above 0 and at most 1, not 2"):
        space.components_for(2)


def test_training_in_pieces_changes_nothing(monkeypatch):
    made = poses(np.random.default_rng(3), 100)
    whole = train_space([made], column_weights())

    monkeypatch.setattr("motionary.search.wpca.space.CHUNK_FRAMES", 7)
    pieces = train_space([made[:40], made[40:41], made[41:]], column_weights())

    assert_allclose(pieces.variances, whole.variances, atol=1e-14)
    assert_allclose(np.abs(pieces.basis[:5] @ whole.basis[:5].T), np.eye(5), atol=1e-6)
    assert_allclose(pieces.project(made), whole.project(made), atol=1e-6)


def test_one_pose_makes_a_space_without_variance():
    space = train_space([poses(np.random.default_rng(0), 1)], column_weights())

    assert space.components_for(0.9) == space.n_components
    assert_array_equal(space.scales("eigenvalues", 3), 1.0)
    with pytest.raises(UsageError, match="at least one pose"):
        train_space([], column_weights())


def test_scales_are_variances_relative_to_the_first():
    _, space = trained()

    assert_allclose(space.scales("eigenvalues", 4), space.variances[:4] / space.variances[0])
    assert_array_equal(space.scales("none", 4), 1.0)
    with pytest.raises(UsageError, match="between 1 and 73"):
        space.scales("none", 74)
    with pytest.raises(UsageError, match="not 'cubes'"):
        space.scales("cubes", 4)


def test_a_space_survives_json_to_the_last_bit():
    _, space = trained()

    read = PoseSpace.from_json(json.dumps(space.as_json()))

    assert read.digest == space.digest
    assert read.n_frames == 200
    with pytest.raises(UsageError, match="another version; train it again"):
        PoseSpace.from_json(space.as_json() | {"version": 0})


@pytest.mark.parametrize(
    ("preset", "parts", "is_one_sided"),
    [("whole body", {}, False), ("arms", {}, False), ("right hand", {}, True), ("legs", {"LeftFoot": 2.0}, True)],
)
def test_spaces_of_one_side_know_it(preset, parts, is_one_sided):
    assert trained(preset=preset, parts=parts)[1].is_one_sided == is_one_sided
