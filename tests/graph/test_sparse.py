"""Sparse candidates, beside the dense ones."""

import numpy as np
import pytest

from metrics.made_features import made_features
from motionary.bank import Bank
from motionary.graph.candidates import Margins, local_minima_reference
from motionary.graph.dense import DenseLibrary, all_dense_candidates, dense_candidates
from motionary.graph.settings import GraphSettings
from motionary.graph.sparse import sparse_candidates, sparse_library
from motionary.library import build_features
from motionary.metrics import Window, metric_named, pair_frames, pair_weighted_distances

WINDOW = Window(5, 5)
OPTIONS = {"margins": Margins(5, 5, 0.05), "reach": 7, "off_diagonal": 11}


def recall(wanted, found, reach):
    """The share of candidates that are found within a quarter second."""
    there = {}
    for first, second, row, column in found[["first", "second", "row", "column"]].tolist():
        there.setdefault((first, second), []).append((row, column))
    return np.mean([
        any(abs(r - row) <= reach and abs(c - column) <= reach for r, c in there.get((first, second), ()))
        for first, second, row, column in wanted[["first", "second", "row", "column"]].tolist()
    ])  # fmt: skip


@pytest.fixture(scope="module")
def moving(sample_path):
    """The pose descriptions of three clips of people."""
    with Bank.open(sample_path) as bank:
        features = build_features(bank)
        return [dict(features.of(int(clip_id)).arrays) for clip_id in features.clip_ids[:3]]


@pytest.mark.parametrize("name", ["dynamics", "points", "gist", "direction"])
def test_sparse_candidates_are_nearly_those_of_all_frames(moving, name):
    metric = metric_named(name, window=WINDOW)
    described = [metric.describe(one, rate_hz=30.0) for one in moving]
    options = OPTIONS | {"margins": Margins(5, 5, 0.05**2 if name != "gist" else 0.1**2)}
    library = sparse_library(name, WINDOW, lambda n: moving[n], 3, rate_hz=30.0, padding=5)
    dense = all_dense_candidates(DenseLibrary(described, metric, library.frames, WINDOW, library.order), **options)

    found = np.concatenate([sparse_candidates(library, number, **options) for number in range(3)])

    better = dense[dense["cost"] <= np.median(dense["cost"])]  # of which transitions are made
    assert len(better) > 10
    assert recall(better, found, 7) >= 0.97
    assert recall(dense, found, 7) >= 0.9
    assert recall(found, dense, 7) >= 0.99


def test_where_bodies_hardly_move_minima_are_no_rounding():
    """Neighbouring distances differ by less there than single precision tells apart in a grid of them."""
    slow = []
    for seed in (1, 2):
        moving = made_features(seed, 50)
        still = {name: values[:1] + np.float32(0.005) * (values - values[:1]) for name, values in moving.items()}
        slow.append(still | {"curves": np.repeat(moving["curves"][:1], 50, axis=0)})
    metric = metric_named("dynamics", window=WINDOW)
    described = [metric.describe(one, rate_hz=30.0) for one in slow]
    frames = pair_frames(metric, slow, rate_hz=30.0, padding=5)
    margins, same = Margins(5, 5, 1.0), 2e-8  # m², to which single pairs are exact
    (first, base, own), (second, _, others) = (metric.pair_points(one, rate_hz=30.0) for one in slow)
    exact = pair_weighted_distances(first, second, base=base, first_weights=own, second_weights=others, window=WINDOW)
    grid = np.empty(exact.shape, dtype=np.float32)
    metric.block(*described, grid)

    def rise(row, column):
        around = exact[row - 1 : row + 2, column - 1 : column + 2] - exact[row, column]
        return np.delete(around.ravel(), 4).min()

    table = dense_candidates(
        DenseLibrary(described, metric, frames, WINDOW, np.arange(2)), 1, range(1), margins=margins, reach=0,
        off_diagonal=11,
    )  # fmt: skip

    found = set(table[["row", "column"]].tolist())
    assert found
    assert all(rise(*cell) >= -same for cell in found)
    assert found >= {cell for cell in local_minima_reference(exact, margins) if rise(*cell) > same}
    assert any(rise(*cell) < -same for cell in local_minima_reference(grid, margins))  # those are rounding


def test_parts_of_the_motions_before_give_the_same_as_all_of_them():
    features = [made_features(seed, 40) for seed in (1, 2, 3, 4)]
    library = sparse_library("dynamics", WINDOW, lambda n: features[n], 4, rate_hz=30.0, padding=5)
    options = OPTIONS | {"margins": Margins(5, 5, 1.0)}

    whole = sparse_candidates(library, 3, **options)
    parts = [sparse_candidates(library, 3, some, **options) for some in (range(2), range(2, 4))]

    assert len(whole)
    assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("name", ["dynamics", "direction"])
def test_a_pair_of_frames_of_one_motion_comes_once_unless_ways_differ(name):
    features = made_features(1, 60)
    library = sparse_library(name, WINDOW, lambda _: features, 1, rate_hz=30.0, padding=5)
    options = OPTIONS | {"margins": Margins(5, 5, 1.0)}

    found = sparse_candidates(library, 0, **options)

    assert len(found)
    assert (found["row"] > found["column"]).any() == (name == "direction")


def test_motions_shorter_than_a_window_have_no_candidates():
    features = [made_features(1, 1), made_features(2, 40)]
    library = sparse_library("dynamics", WINDOW, lambda n: features[n], 2, rate_hz=30.0, padding=5)

    found = [sparse_candidates(library, n, **OPTIONS) for n in range(2)]

    assert not any((table["first"] == 0).any() or (table["second"] == 0).any() for table in found)


def test_large_graphs_are_sparse_unless_told_otherwise():
    assert not GraphSettings().is_sparse(3_000)
    assert GraphSettings().is_sparse(10_000)
    assert not GraphSettings(method="dense").is_sparse(100_000)
    assert GraphSettings().ceiling(100_000) < GraphSettings().ceiling(10_000)
