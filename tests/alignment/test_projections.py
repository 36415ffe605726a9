"""Projections never overestimate; principal components with weights of their own do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import dtw, plain_projection, principal_basis, tight_projection
from motionary.alignment.projections import projected_bound_reference
from motionary.errors import UsageError


@st.composite
def projections(draw, *, zeros: bool = True):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_dimensions = draw(st.integers(1, 8))
    n_components = draw(st.integers(1, n_dimensions))
    basis = np.linalg.qr(rng.normal(size=(n_dimensions, n_components)))[0]
    weights = rng.choice([0.01, 0.5, 1.0, 7.0, *((0.0,) if zeros else ())], size=n_dimensions)
    return rng, basis, weights


@given(case=projections())
def test_projections_never_overestimate(case):
    rng, basis, weights = case
    tight, plain = tight_projection(basis, weights), plain_projection(basis, weights)
    for gap in (*rng.normal(size=(5, len(weights))), *np.eye(len(weights)), *basis.T):
        whole = np.sum(weights * gap**2)
        assert np.sum((gap @ tight) ** 2) <= whole * (1 + 1e-9) + 1e-9
        assert np.sum((gap @ plain) ** 2) <= np.sum((gap @ tight) ** 2) + 1e-9


@given(case=projections(zeros=False))
def test_the_tight_projection_is_its_definition(case):
    rng, basis, weights = case
    gap = rng.normal(size=len(weights))

    bound = np.sum((gap @ tight_projection(basis, weights)) ** 2)

    assert bound == pytest.approx(projected_bound_reference(gap, basis, weights), rel=1e-8, abs=1e-12)


@given(case=projections(zeros=False))
def test_all_components_are_exact(case):
    rng, _, weights = case
    basis = np.linalg.qr(rng.normal(size=(len(weights), len(weights))))[0]
    gap = rng.normal(size=len(weights))

    assert np.sum((gap @ tight_projection(basis, weights)) ** 2) == pytest.approx(np.sum(weights * gap**2))


@given(case=projections())
def test_dtw_of_projected_frames_bounds_dtw(case):
    rng, basis, weights = case
    query, candidate = rng.normal(size=(2, 7, len(weights)))
    tight = tight_projection(basis, weights)
    if tight.shape[1] == 0:
        return

    bound = dtw(query @ tight, candidate @ tight, radius=2)

    assert bound <= dtw(query, candidate, weights=weights, radius=2) * (1 + 1e-9) + 1e-9


def test_slip_principal_components_never_overestimate_under_equal_weights_only():
    basis, weights, gap = np.array([[1.0], [1.0]]) / np.sqrt(2.0), np.array([0.1, 10.0]), np.array([1.0, 0.0])
    component = basis.T @ gap

    assert component @ component <= gap @ gap
    carried_over = (basis.T**2 @ weights) * component**2  # the weight that the component has on average
    assert carried_over.sum() > np.sum(weights * gap**2)
    assert np.sum((gap @ tight_projection(basis, weights)) ** 2) <= np.sum(weights * gap**2)


def test_what_free_dimensions_can_reach_is_left_out():
    basis, weights = np.eye(3)[:, :2], np.array([0.0, 4.0, 1.0])

    tight = tight_projection(basis, weights)

    assert tight.shape == (3, 1)
    assert np.abs(tight[:, 0]).tolist() == [0.0, 2.0, 0.0]
    assert tight_projection(basis[:, :1], weights).shape == (3, 0)


def test_principal_basis_holds_most_of_the_variance():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 6)) + 0.001 * rng.normal(size=(200, 6)) + 5.0

    basis = principal_basis(values, 2)

    centred = values - values.mean(axis=0)
    assert np.allclose(basis.T @ basis, np.eye(2))
    assert np.sum((centred @ basis) ** 2) > 0.999 * np.sum(centred**2)
    assert np.array_equal(basis, principal_basis(values, 2))


@pytest.mark.parametrize(
    ("basis", "weights", "words"),
    [
        (np.ones((2, 1)), np.ones(2), "unit vectors at right angles"),
        (np.eye(2), np.array([1.0, -1.0]), "gives no lower bound with negative weights"),
        (np.eye(2), np.ones(3), "does not fit weights"),
    ],
)
def test_what_is_no_projection_is_refused(basis, weights, words):
    for project in (tight_projection, plain_projection):
        with pytest.raises(UsageError, match=words):
            project(basis, weights)
