import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from motionary.search.spreading.strength import (
    LEAST_SLOPE,
    Curve,
    fit_curve,
    log_posterior_reference,
)

PRIOR = Curve(-4.8, 4.2)
DISTANCES = st.one_of(st.floats(0.0, 2.0), st.just(np.inf))


@st.composite
def labelled_frames(draw):
    n, n_labels = draw(st.integers(0, 12)), draw(st.integers(1, 4))
    distances = draw(arrays.arrays(float, (n, n_labels), elements=DISTANCES))
    truths = draw(arrays.arrays(int, n, elements=st.integers(-1, n_labels - 1)))
    weights = draw(arrays.arrays(float, n, elements=st.floats(0.01, 3.0)))
    return distances, truths, weights


def test_half_is_where_a_label_alone_has_the_strength_one_half():
    curve = Curve(-4.8, 4.2)

    assert curve.alone(np.array([curve.half])) == pytest.approx(0.5)
    assert curve.half == pytest.approx(np.exp(-4.8 / 4.2))


def test_strength_of_two_labels_by_hand():
    curve = Curve(np.log(0.01), 2.0)  # odds 0.01 / r²: 1 at 0.1, 4 at 0.05

    assert curve.alone(np.array([0.1, 0.05, np.inf])) == pytest.approx([0.5, 0.8, 0.0])
    assert curve.shared(np.array([[0.1, 0.05, np.inf]])) == pytest.approx(np.array([[1 / 6, 4 / 6, 0.0]]))


@given(st.lists(DISTANCES, min_size=1, max_size=5), st.floats(-9, 2), st.floats(LEAST_SLOPE, 9))
def test_strengths_are_probabilities_and_fall_with_distance(distances, level, slope):
    curve = Curve(level, slope)
    row = np.array([distances])

    shared, alone = curve.shared(row), curve.alone(row)

    assert (shared >= 0).all()
    assert shared.sum() <= 1 + 1e-12
    assert (shared <= alone + 1e-12).all()  # rivals only take
    order = np.argsort(row[0])
    assert (np.diff(shared[0, order]) <= 1e-12).all()
    assert (np.diff(alone[0, order]) <= 1e-12).all()


def test_without_anything_labelled_the_curve_is_the_prior():
    assert fit_curve(np.zeros((0, 3)), np.zeros(0, dtype=int), np.zeros(0), prior=PRIOR) == PRIOR


@given(labelled_frames(), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_no_other_curve_is_more_probable(case, level, slope):
    curve = fit_curve(*case, prior=PRIOR)
    other = Curve(curve.level + level, max(curve.slope + slope, LEAST_SLOPE))

    best = log_posterior_reference(curve, *case, prior=PRIOR)

    if curve.slope > LEAST_SLOPE:
        assert log_posterior_reference(other, *case, prior=PRIOR) <= best + 1e-9 * max(1.0, abs(best))


def test_many_labelled_frames_outweigh_the_prior():
    """Frames that were drawn by a curve give it back."""
    rng, drawn = np.random.default_rng(0), Curve(-3.0, 2.5)
    distances = rng.uniform(0.05, 0.6, (20_000, 2))
    shares = np.column_stack([drawn.shared(distances), 1 - drawn.shared(distances).sum(axis=1)])
    truths = (rng.uniform(size=(20_000, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    truths = np.where(truths == 2, -1, truths)

    curve = fit_curve(distances, truths, np.ones(20_000), prior=PRIOR)

    assert (curve.level, curve.slope) == pytest.approx((drawn.level, drawn.slope), abs=0.1)


def test_examples_that_are_near_and_wrong_lower_the_strength():
    near = np.full((10, 1), 0.2)

    wrong = fit_curve(near, np.full(10, -1), np.ones(10), prior=PRIOR)
    right = fit_curve(near, np.zeros(10, dtype=int), np.ones(10), prior=PRIOR)

    assert wrong.alone(near[0]) < PRIOR.alone(near[0]) < right.alone(near[0])
