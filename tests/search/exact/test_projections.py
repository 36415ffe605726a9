"""Projections as bounds: with every basis and weights, no distance in a projection is larger than it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import Poses
from motionary.search.exact.projections import Basis, Projection, blocks_of

WEIGHTS = {
    "equal": lambda _, n: np.full(n, 2.5),
    "any": lambda rng, n: rng.uniform(0.1, 4.0, size=n),
    "some 0": lambda rng, n: rng.choice([0.0, 1.0, 3.0], size=n),
    "most 0": lambda rng, n: np.eye(n)[rng.integers(n)],
    "far apart": lambda rng, n: 10.0 ** rng.uniform(-40, 0, size=n),
    "nearly 0": lambda rng, n: rng.choice([1.0, 1e-8, 1e-12, 1e-300], size=n),
}


def values(rng, n_frames, n_dimensions):
    inner = np.cumsum(rng.normal(size=(n_frames, 6)), axis=0)
    return (inner @ rng.normal(size=(6, n_dimensions)) + 0.1 * rng.normal(size=(n_frames, n_dimensions))).astype("f4")


@given(
    seed=st.integers(0, 2**32 - 1), n_dimensions=st.sampled_from([3, 20, 40]), weights=st.sampled_from(sorted(WEIGHTS))
)
def test_a_root_never_overestimates(seed, n_dimensions, weights):
    rng = np.random.default_rng(seed)
    table = values(rng, 200, n_dimensions)
    given_weights = WEIGHTS[weights](rng, n_dimensions)
    gaps = np.concatenate([table[:50] - table[100:150], rng.normal(size=(20, n_dimensions)), np.eye(n_dimensions)])
    for basis in (Basis.trained(table, most=8), Basis.trained(table), Basis.plain(table)):
        z = gaps if basis.directions is None else gaps @ basis.directions
        root = basis.root(given_weights)

        bounds = (z**2) @ root if root.ndim == 1 else ((z @ root.T) ** 2).sum(axis=1)

        wanted = (gaps**2) @ given_weights
        assert (bounds <= wanted * (1 + 1e-7) + 1e-20 * (gaps**2).sum(axis=1)).all()


def test_a_root_is_as_near_as_can_be_where_weights_are_equal():
    table = values(np.random.default_rng(1), 300, 30)
    basis = Basis.trained(table)
    gaps = (table[:100] - table[150:250]).astype(np.float64)

    shares = ((gaps @ basis.directions) ** 2).sum(axis=1) / (gaps**2).sum(axis=1)

    assert np.median(shares) > 0.9


@pytest.mark.parametrize("spike", [1e2, 1e5, 1e15])
def test_a_few_spikes_change_neither_components_nor_centre(spike):
    rng = np.random.default_rng(2)
    table = values(rng, 1000, 40)
    wild = table.copy()
    wild[rng.integers(0, 1000, size=9)] = spike * rng.normal(size=(9, 40)) * np.abs(table).max()

    calm, steady = Basis.trained(table), Basis.trained(wild)

    assert steady.n_dimensions == calm.n_dimensions
    gaps = (table[:300] - table[500:800]).astype(np.float64)
    shares = [((gaps @ basis.directions) ** 2).sum() / (gaps**2).sum() for basis in (calm, steady)]
    assert shares[1] > 0.99 * shares[0]
    assert Basis.plain(wild).mean == pytest.approx(Basis.plain(table).mean, abs=0.1 * float(table.std()))


def test_where_nothing_is_usual_everything_counts():
    table = np.zeros((50, 30), dtype=np.float32)
    table[3] = 1.0  # the median distance from the centre is 0

    assert Basis.plain(table).mean.tolist() == [0.0] * 30
    assert np.isfinite(Basis.trained(table).exact(table)).all()


@given(seed=st.integers(0, 2**32 - 1), spike=st.sampled_from([1.0, 1e4]))
def test_a_projection_is_rounded_once_and_its_error_says_the_rest(seed, spike):
    rng = np.random.default_rng(seed)
    table = values(rng, 100, 40)
    table[7] *= spike
    for basis in (Basis.trained(table), Basis.plain(table)):
        off = np.abs(basis.projection(table) - basis.exact(table))
        rounded = 2.0**-24 * np.abs(basis.exact(table))

        assert np.linalg.norm(np.maximum(off - rounded, 0.0), axis=1).max() <= basis.rounding(table)


def test_what_was_trained_has_most_of_the_variance_and_is_orthonormal():
    table = values(np.random.default_rng(2), 500, 60)
    basis = Basis.trained(table)
    z = basis.exact(table)

    assert basis.n_dimensions <= 24
    assert np.allclose(basis.directions.T @ basis.directions, np.eye(basis.n_dimensions))
    assert z.var(axis=0).sum() > 0.95 * table.astype(float).var(axis=0).sum()


@pytest.mark.parametrize("n_frames", [1, 2, 5])
def test_bases_of_hardly_any_poses(n_frames):
    table = values(np.random.default_rng(3), n_frames, 40)
    for basis in (Basis.trained(table), Basis.plain(table)):
        assert np.isfinite(basis.projection(table)).all()
        assert np.isfinite(basis.root(np.linspace(0.0, 1.0, 40))).all()


def test_forms_of_several_descriptions_stand_beside_each_other():
    rng = np.random.default_rng(4)
    tables = [values(rng, 50, 30), values(rng, 50, 5)]
    bases = (Basis.trained(tables[0], most=8), Basis.plain(tables[1]))
    projection = Projection(Poses.empty(13, 1), 0, 1, bases, 0.0)
    weights = [rng.uniform(0.5, 2.0, size=30), rng.uniform(0.5, 2.0, size=5)]
    query = projection.query(tables)

    form = projection.form(weights)

    z = query[:20] - query[20:40]
    gaps = [table[:20].astype(float) - table[20:40] for table in tables]
    wanted = sum((gap**2) @ part for gap, part in zip(gaps, weights, strict=True))
    bounds = ((z @ form.T) ** 2).sum(axis=1)
    assert (bounds <= wanted * (1 + 1e-9)).all()
    assert (bounds >= (gaps[1] ** 2) @ weights[1] * (1 - 1e-9)).all()
    assert [part.shape for part in blocks_of((("a", np.arange(30)), ("b", np.arange(5))), np.zeros((7, 35)))] == [
        (7, 30),
        (7, 5),
    ]
