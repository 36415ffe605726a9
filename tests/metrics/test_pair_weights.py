import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.made_clouds import around, wandering
from motionary.errors import UsageError
from motionary.metrics import Window, frame_distances, pair_weighted_distances, pair_weighted_reference, window_clouds
from motionary.metrics.pair_weights import AT_ONCE

SEEDS = st.integers(0, 1000)


@given(SEEDS, st.integers(1, 5), st.integers(1, 5), st.integers(1, 6), st.integers(0, 2), st.booleans())
def test_the_products_are_what_the_definition_says(seed, n_first, n_second, n_points, reach, some_are_0):
    rng = np.random.default_rng(seed)
    first, second = wandering(seed, n_first, n_points, far=40.0), wandering(seed + 1, n_second, n_points)
    base = rng.uniform(0.0, 1.0, n_points) * (0.0 if some_are_0 else 1.0)
    f, g = (rng.uniform(0.0, 3.0, (n, n_points)) * rng.integers(0, 2, (n, n_points)) for n in (n_first, n_second))
    window = Window(reach, reach)

    found = pair_weighted_distances(first, second, base=base, first_weights=f, second_weights=g, window=window)

    for i in range(n_first):
        for j in range(n_second):
            weights = np.outer(window.weights, base + f[i] + g[j]).ravel()
            expected = pair_weighted_reference(
                around(first, i, window.offsets), around(second, j, window.offsets), weights
            )
            assert found[i, j] == pytest.approx(expected, abs=1e-9)


def test_bands_of_rows_are_parts_of_the_whole():
    rng = np.random.default_rng(0)
    first, second = wandering(1, 2 * AT_ONCE + 7, 4), wandering(2, 5, 4)
    base, f, g = np.ones(4), rng.uniform(0.0, 1.0, (len(first), 4)), rng.uniform(0.0, 1.0, (5, 4))

    whole = pair_weighted_distances(first, second, base=base, first_weights=f, second_weights=g)

    part = slice(AT_ONCE - 9, AT_ONCE + 9)
    found = pair_weighted_distances(first[part], second, base=base, first_weights=f[part], second_weights=g)
    assert found[2:-2] == pytest.approx(whole[part][2:-2], abs=1e-9)  # at its ends windows differ


def test_without_friction_it_is_the_distance_with_fixed_weights():
    first, second = wandering(0, 6, 20), wandering(1, 7, 20)
    nothing = np.zeros((6, 20)), np.zeros((7, 20))

    found = pair_weighted_distances(
        first, second, base=np.full(20, 1 / 20), first_weights=nothing[0], second_weights=nothing[1]
    )

    assert found == pytest.approx(frame_distances(window_clouds(first), window_clouds(second)), abs=1e-5)


def test_weight_makes_distances_larger_and_is_not_divided_away():
    first, second, base = wandering(0, 4, 20), wandering(1, 4, 20), np.full(20, 1 / 20)
    weights = np.full((4, 20), 1 / 20)

    once = pair_weighted_distances(first, second, base=base, first_weights=0 * weights, second_weights=0 * weights)
    thrice = pair_weighted_distances(first, second, base=base, first_weights=weights, second_weights=weights)

    assert thrice == pytest.approx(3.0 * once)


@pytest.mark.parametrize(
    "change",
    [{"base": np.ones(3)}, {"base": np.full(20, -1.0)}, {"first_weights": np.full((2, 20), np.nan)},
     {"second": np.zeros((2, 3, 3))}],
)  # fmt: skip
def test_what_does_not_fit_is_refused(change):
    given_ = {
        "first": np.zeros((2, 20, 3)), "second": np.zeros((2, 20, 3)), "base": np.ones(20),
        "first_weights": np.zeros((2, 20)), "second_weights": np.zeros((2, 20)),
    } | change  # fmt: skip
    with pytest.raises(UsageError):
        pair_weighted_distances(given_.pop("first"), given_.pop("second"), **given_)
