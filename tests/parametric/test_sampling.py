import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.parametric import Parameter
from motionary.parametric.sampling import (
    Samples,
    differences,
    draw_samples,
    packed_samples,
    random_weights,
    unpacked_samples,
)


@given(n=st.integers(1, 6), delta=st.floats(0.0, 0.3), seed=st.integers(0, 1000))
def test_random_weights_sum_to_one_within_their_limits(n, delta, seed):
    weights = random_weights(n, delta, np.random.default_rng(seed))

    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= -delta - 1e-12).all()
    assert (weights <= 1.0 + delta + 1e-12).all()


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 20), angle=st.booleans())
def test_interpolation_is_that_of_the_definition(seed, n, angle):
    rng = np.random.default_rng(seed)
    turns = np.array([0.0, 2 * np.pi if angle else 0.0])
    samples = Samples(rng.uniform(-3, 3, (n, 2)), rng.dirichlet(np.ones(4), n), np.array([0.1, 0.3]), turns)

    for point in (rng.uniform(-3, 3, 2), samples.values[0]):
        weights = samples.interpolated(point)
        assert weights == pytest.approx(samples.interpolated_reference(point))
        assert weights.sum() == pytest.approx(1.0)


def test_equally_far_samples_count_alike():
    samples = Samples(np.array([[1.0], [-1.0]]), np.eye(2), np.ones(1), np.zeros(1))

    assert samples.interpolated(np.zeros(1)) == pytest.approx([0.5, 0.5])


def test_angles_go_the_shorter_way():
    turns = np.array([2 * np.pi])

    assert differences(np.array([3.1]), np.array([-3.1]), turns) == pytest.approx([6.2 - 2 * np.pi])


def test_samples_keep_their_distance_and_stay_in_the_box():
    examples = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    parameters = [Parameter("a", "m", 0.05), Parameter("b", "m", 0.05)]

    samples = draw_samples(examples, lambda w: w @ examples, parameters, n_draws=300, rng=np.random.default_rng(0))

    assert samples.values[:4] == pytest.approx(examples)
    assert 50 < len(samples.values) <= 304
    assert samples.weights @ examples == pytest.approx(samples.values, abs=0.05 / 100)
    assert samples.weights.sum(axis=1).tolist() == [1.0] * len(samples.weights)
    assert (np.abs(samples.weights).sum(axis=1) > 0).all()
    assert ((samples.weights != 0).sum(axis=1) <= 3).all()
    apart = np.linalg.norm(samples.values[:, None] - samples.values[None], axis=2) / 0.05
    assert (apart[np.triu_indices(len(apart), 1)] >= 1.0).all()


@pytest.mark.parametrize("n_examples", [3, 300])
def test_samples_are_stored_as_they_are(n_examples):
    """What was made from them can be made again after they were stored."""
    examples = np.random.default_rng(0).uniform(-2.0, 2.0, (n_examples, 2))
    parameters = [Parameter("a", "m", 0.0127), Parameter("b", "rad", 0.03, True)]
    samples = draw_samples(examples, lambda w: w @ examples, parameters, n_draws=200, rng=np.random.default_rng(0))

    again = unpacked_samples(packed_samples(samples), examples, samples.scales, samples.turns)

    assert np.array_equal(again.values, samples.values)
    assert np.array_equal(again.weights, samples.weights)
    assert samples.n_bytes <= 32 + len(samples.values) * (2 * 2 + 1 + 2 * 2 + 3 * (1 if n_examples == 3 else 2))


def test_no_example_is_favoured_by_samples():
    """Weights are drawn one after the other, the first from the widest range: which example that is, is drawn too."""
    parameters = tuple(Parameter(name, "", 1e-6) for name in ("a", "b"))

    samples = draw_samples(
        np.eye(3)[:, :2], lambda weights: weights[:2], parameters, n_draws=1000, rng=np.random.default_rng(0)
    )

    assert samples.weights[3:].mean(axis=0) == pytest.approx(np.full(3, 1.0 / 3.0), abs=0.05)
