"""The one way of measuring: windows of any table as the definition has them, and matches that say the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment.dtw import dtw_reference
from motionary.alignment.lcss import lcss_reference
from motionary.motion import Segment
from motionary.search.exact import Comparison
from motionary.search.exact.measuring import match_of, measured
from search.exact.small_features import walks
from search.tiny_libraries import library, query_of, stretched

FEATURES = walks(0, [60, 80], names=("root",))
ROOT = {"descriptions": ("root",)}


def first_of(**options):
    """A comparison, its variants, and the table of the whole library in their dimensions."""
    comparison = Comparison.of(query_of(FEATURES, Segment(1, 5, 25), **ROOT | options))
    variants = list(comparison.variants())
    return comparison, variants, variants[0].table(FEATURES.arrays, np.array([[0, FEATURES.n_rows]]))


@pytest.mark.parametrize("distance", ["euclid", "dtw", "lcss"])
@given(seed=st.integers(0, 2**32 - 1))
def test_windows_are_measured_as_they_are_defined(distance, seed):
    rng = np.random.default_rng(seed)
    options = {"window": 0.2, "tolerance": 2.0, "scale": 0.1, "over_time": (1.0, 3.0), "weights": {"root height": 2.0}}
    comparison, variants, table = first_of(distance=distance, **options)
    variant = variants[rng.integers(len(variants))]
    places = rng.integers(0, len(table) - variant.n_frames + 1, size=5)
    longer = comparison.n_frames / variant.n_frames

    distances, ties = measured(comparison, variant, table, places)

    for place, found, tie in zip(places, distances, ties, strict=True):
        window = table[place : place + variant.n_frames].astype(np.float64)
        warped = dtw_reference(variant.rows, window, variant.weights, variant.radii)
        if distance == "euclid":
            assert found == pytest.approx((variant.weights * (variant.rows - window) ** 2).sum() * longer)
            assert tie == 0.0
        elif distance == "dtw":
            assert found == pytest.approx(warped * longer)
            assert tie == 0.0
        else:
            n_common = lcss_reference(variant.rows, window, variant.thresholds, variant.radii).n_common
            assert found == (1.0 - n_common / variant.n_counted if n_common else np.inf)
            assert tie == (pytest.approx(warped * longer) if n_common else np.inf)


def test_nothing_in_common_is_no_match():
    comparison, (variant,), table = first_of(distance="lcss", tolerance=1e-9, mirrored="no")

    distances, ties = measured(comparison, variant, table + np.float32(1e3), np.arange(5))

    assert (distances == np.inf).all()
    assert (ties == np.inf).all()


def test_where_a_window_lies_does_not_change_a_bit():
    for distance in ("euclid", "dtw", "lcss"):
        comparison, (variant,), table = first_of(distance=distance, mirrored="no", tolerance=2.0)
        whole = measured(comparison, variant, table, np.arange(40))
        for place in (0, 7, 39):
            alone = measured(comparison, variant, table[place : place + variant.n_frames], np.zeros(1, dtype=int))
            assert [part[0] for part in alone] == [part[place] for part in whole]


@pytest.mark.parametrize("distance", ["euclid", "dtw", "lcss"])
@pytest.mark.parametrize("length", [18, 20, 22])
def test_a_match_tells_where_how_long_and_which_side(distance, length):
    comparison, variants, _ = first_of(distance=distance, scale=0.1, mirrored="both", tolerance=20.0)
    variant = next(one for one in variants if one.n_frames == length and one.mirrored)

    match = match_of(FEATURES, comparison, variant, clip=1, start=30, distance=0.25, tie=4.0)

    assert match.segment == Segment(2, 30, 30 + length)
    assert (match.distance, match.method, match.mirrored, match.scale) == (0.25, distance, True, length / 20)
    assert match.mean == comparison.mean(4.0 if distance == "lcss" else 0.25)
    pairs = match.alignment.pairs
    assert (np.diff(pairs, axis=0) >= 0).all()
    assert pairs.min() >= 0
    assert (pairs.max(axis=0) < [20, length]).all()  # frames of the query as it was given
    if distance != "lcss":
        assert pairs[0].tolist() == [0, 0]
        assert pairs[-1].tolist() == [19, length - 1]
        assert set(pairs[:, 0].tolist()) == set(range(20))


def test_a_stretched_copy_goes_with_the_frames_it_was_made_of():
    rows = walks(1, [20], names=("root",)).arrays["root"]
    slower = stretched({"root": rows}, 24)["root"]
    features = library([{"root": rows}, {"root": slower}])
    comparison = Comparison.of(query_of(features, Segment(1, 0, 20), distance="euclid", scale=0.2, **ROOT))
    variant = comparison.variant(24)

    distances, _ = measured(comparison, variant, slower, np.zeros(1, dtype=int))
    match = match_of(features, comparison, variant, clip=1, start=0, distance=float(distances[0]), tie=0.0)

    assert match.distance == 0.0
    assert match.scale == 1.2
    at = np.arange(24) * 19 / 23
    assert all(abs(at[there] - here) <= 0.5 for here, there in match.alignment.pairs.tolist())
