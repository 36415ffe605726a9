"""Bounds of variants of a query against the distances that the scan measures, one bound at a time."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.artefacts import ArtefactStore
from motionary.motion import Segment
from motionary.search.exact import Comparison, Index
from motionary.search.exact.bounding import Bounds, Weighting, bounds_at, common_in, gathered, pieces
from motionary.search.exact.measuring import measured
from search.exact.small_features import indexed, walks
from search.tiny_libraries import query_of

BOUNDING = sys.modules["motionary.search.exact.bounding"]
OPTIONS = {
    "plain": {},
    "weights": {"weights": {"LeftHand": 4.0, "Head": 0.1, "root height": 0.0}},
    "large weights": {"weights": {"positions": 1e40, "Head": 1e-20}},
    "over time": {"over_time": (1.0, 0.0, 3.0)},
    "negative": {"weights": {"LeftHand": -1.0}},
    "through 0": {"over_time": (1.0, -1.0, 2.0)},
}


def versions_of(features, **options):
    query = query_of(features, Segment(2, 30, 70), descriptions=("root", "positions"), mirrored="both", **options)
    comparison = Comparison.of(query)
    return comparison, list(comparison.variants())


def wanted(features, comparison, variant, rows):
    table = variant.table(features.arrays, np.array([[0, features.n_rows]]))
    return measured(comparison, variant, table, rows)


@pytest.mark.parametrize("distance", ["dtw", "euclid"])
@pytest.mark.parametrize("options", sorted(OPTIONS))
def test_bounds_in_a_projection_are_bounds(tmp_path, distance, options):
    features = walks(1, [90, 300, 60])
    features.arrays["positions"][[33, 210]] *= 50.0
    files = indexed(features, ArtefactStore(tmp_path))
    rows = np.arange(features.n_rows - 48)  # windows across clips are windows, too
    comparison, variants = versions_of(features, distance=distance, scale=0.03, **OPTIONS[options])
    for variant in variants:
        weighting = Weighting.of(variant.weights)
        longer = comparison.n_frames / variant.n_frames
        distances, _ = wanted(features, comparison, variant, rows)
        for index in (Index(features), Index(features, files)):
            (projection,) = index.projections(variant.columns, variant.n_frames, plain=weighting.is_signed)
            bounds = Bounds.of(variant, weighting, projection, warped=distance == "dtw", longer=longer)
            spans = np.array([[0, len(rows)]])

            sums = bounds.sums(spans, limit=np.inf)[: len(rows)]
            assert (bounds.distances(sums) <= distances).all()

            # Within any limit, nothing that is near enough is left out
            for limit in np.quantile(distances, [0.0, 0.1, 0.5, 1.0]):
                near = bounds.sums(spans, limit=limit)[: len(rows)] <= np.float32(bounds.at_most(limit))
                assert near[distances <= limit].all()


@pytest.mark.parametrize("distance", ["dtw", "euclid"])
@pytest.mark.parametrize("options", sorted(OPTIONS))
def test_bounds_in_all_dimensions_are_bounds_and_very_near(monkeypatch, distance, options):
    features = walks(2, [90, 300, 60])
    rows = np.sort(np.random.default_rng(0).choice(features.n_rows - 48, size=70, replace=False))
    comparison, variants = versions_of(features, distance=distance, scale=0.03, **OPTIONS[options])
    for variant in variants:
        weighting = Weighting.of(variant.weights)
        longer = comparison.n_frames / variant.n_frames
        distances, _ = wanted(features, comparison, variant, rows)

        def bounded(limit=np.inf, variant=variant, weighting=weighting, longer=longer):
            plan = (features, variant, weighting, rows)
            return bounds_at(*plan, warped=distance == "dtw", longer=longer, limit=limit)

        bounds = bounded()
        assert (bounds <= distances).all()
        if not weighting.is_signed:
            assert (bounds >= distances - 1e-3 * np.median(distances)).all()
        limit = float(np.median(distances))
        limited = bounded(limit)
        assert (limited <= np.minimum(distances, limit)).all()
        with monkeypatch.context() as patched:
            patched.setattr(BOUNDING, "MOST_ROWS", 200)
            assert (bounded() <= distances).all()


@given(
    rows=st.sets(st.integers(0, 400), min_size=1, max_size=60),
    n_frames=st.sampled_from([1, 5, 40, 90]),
    most=st.sampled_from([1, 60, 10_000]),
)
def test_what_is_gathered_holds_every_window_once(rows, n_frames, most):
    features = walks(3, [500], names=("root",))
    query = query_of(features, Segment(1, 0, n_frames), descriptions=("root",))
    (variant,) = Comparison.of(query).variants()
    rows = np.array(sorted(rows))

    table, places, spans = gathered(features, variant, rows)

    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        assert np.array_equal(table[place : place + n_frames], features.arrays["root"][row : row + n_frames])
        assert ((spans[:, 0] <= place) & (place < spans[:, 1])).sum() == 1
    assert (spans[:, 1] + n_frames - 1 <= len(table)).all()
    assert len(table) <= 500 + 32 * len(rows)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BOUNDING, "MOST_ROWS", most)
        edges = pieces(rows, n_frames)
    assert [edge for piece in edges for edge in range(*piece)] == list(range(len(rows)))
    assert all(
        len(gathered(features, variant, rows[first:stop])[0]) <= most + 2 * n_frames + 32 for first, stop in edges
    )


@given(
    seed=st.integers(0, 20),
    tolerance=st.sampled_from([0.0, 0.3, 1.0, 3.0]),
    tolerances=st.sampled_from([{}, {"root height": -1.0}, {"positions": np.inf}]),
    window=st.sampled_from([0.1, (0.0, 0.4)]),
)
def test_counts_of_common_frames_are_never_too_small(seed, tolerance, tolerances, window):
    features = walks(seed, [90, 200])
    features.arrays["positions"][111] = 1e4
    rows = np.arange(features.n_rows - 41)
    options = {"tolerance": tolerance, "tolerances": tolerances, "window": window}
    comparison, variants = versions_of(features, distance="lcss", **options)
    for variant in variants:
        (projection,) = Index(features).projections(variant.columns, variant.n_frames, plain=True)
        distances, _ = wanted(features, comparison, variant, rows)
        n_common = np.where(np.isfinite(distances), (1.0 - distances) * variant.n_counted, 0.0).round()

        counted = common_in(variant, projection, np.array([[0, len(rows)]]))

        assert (counted[: len(rows)] >= n_common).all()


@pytest.mark.parametrize("size", [1e-300, 1e-5, 1.0, 1e200])
def test_weights_are_taken_apart_and_are_small_numbers(size):
    rng = np.random.default_rng(4)
    outer = np.outer(rng.uniform(0.0, 2.0, size=7), rng.uniform(-1.0, 1.0, size=5)) * size

    found = Weighting.of(outer)

    assert found is not None
    assert found.is_signed
    assert np.outer(found.frames, found.dimensions) * found.size == pytest.approx(outer, rel=1e-9)
    assert np.abs(found.frames).max() <= 1.0
    assert np.abs(found.dimensions).max() <= 2.0


def test_other_weights_are_bounded_from_below_or_not_at_all():
    weights = np.array([[1.0, 2.0], [3.0, 1.0]])

    found = Weighting.of(weights)

    assert found is not None
    assert (np.outer(found.frames, found.dimensions) * found.size == [[1.0, 1.0], [1.0, 1.0]]).all()
    assert Weighting.of(weights * [[1.0, 1.0], [1.0, -1.0]]) is None
    nothing = Weighting.of(np.zeros((3, 2)))
    assert nothing is not None
    assert not np.outer(nothing.frames, nothing.dimensions).any()
