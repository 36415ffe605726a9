import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.transition.ensemble import train_ensemble
from motionary.transition.hmm import Hmm, log_likelihood_reference, train_hmm
from motionary.transition.worsening import WORSENINGS, roc_area, worsened
from transition.pools import small_pool


def some_model(rng: np.random.Generator, n_states: int, n_dims: int) -> Hmm:
    return Hmm(
        rng.dirichlet(np.ones(n_states)),
        rng.dirichlet(np.ones(n_states), n_states),
        rng.normal(size=(n_states, n_dims)),
        rng.uniform(0.2, 2.0, (n_states, n_dims)),
    )


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), n_states=st.integers(1, 3), n_frames=st.integers(1, 5))
def test_likelihoods_are_sums_over_all_paths(seed, n_states, n_frames):
    rng = np.random.default_rng(seed)
    model = some_model(rng, n_states, 2)
    sequences = 2.0 * rng.normal(size=(3, n_frames, 2))

    likely = model.log_likelihood(sequences)

    for sequence, value in zip(sequences, likely, strict=True):
        assert value == pytest.approx(log_likelihood_reference(model, sequence), rel=1e-9)


def test_training_makes_the_sequences_likelier():
    rng = np.random.default_rng(0)
    sequences = np.cumsum(rng.normal(size=(20, 15, 3)), axis=1)

    short, long = (train_hmm(sequences, n_states=4, rng=np.random.default_rng(1), n_rounds=n) for n in (1, 10))

    assert long.log_likelihood(sequences).mean() > short.log_likelihood(sequences).mean()
    np.testing.assert_allclose(long.change.sum(axis=1), 1.0)
    assert long.log_likelihood(sequences).mean() > long.log_likelihood(sequences + 20.0).mean()


def test_an_ensemble_tells_natural_motion_from_shaken():
    pool = small_pool()
    windows = [pool.motion(first, first + 31) for first in range(0, 110, 5)]
    shaken = worsened(pool, "sway", 0.1, rng=np.random.default_rng(0))
    bad = [shaken.motion(first, first + 31) for first in range(0, 110, 5)]

    ensemble = train_ensemble(windows, pool.body, rng=np.random.default_rng(0), n_states=3)

    assert len(ensemble.parts) == 1 + 4 + 6
    assert ensemble.unlikeliness(windows).shape == (len(windows),)
    assert np.isfinite(ensemble.unlikeliness(bad)).all()


def test_areas_under_roc_curves():
    assert roc_area(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 1.0
    assert roc_area(np.array([3.0, 4.0]), np.array([1.0, 2.0])) == 0.0
    assert roc_area(np.array([1.0, 1.0]), np.array([1.0])) == 0.5
    assert roc_area(np.array([1.0, 3.0]), np.array([2.0])) == 0.5


@pytest.mark.parametrize("kind", WORSENINGS)
def test_worsened_motion_keeps_its_plants_and_breaks_nothing(kind):
    pool = small_pool()

    bad = worsened(pool, kind, 0.1, rng=np.random.default_rng(0))

    assert bad.footprints is pool.footprints
    np.testing.assert_allclose(np.linalg.norm(bad.turns, axis=1), 1.0, atol=1e-5)
    moved = np.linalg.norm(bad.roots - pool.roots, axis=1).max()
    assert (moved == 0.0) == (kind == "tilt")
    with pytest.raises(UsageError, match="motion is worsened by slide, sway, tilt, not by 'magic'"):
        worsened(pool, "magic", 0.1, rng=np.random.default_rng(0))
