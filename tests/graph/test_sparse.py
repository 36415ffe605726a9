"""Sparse candidates, beside the dense ones."""

import pytest

from metrics.made_features import made_features
from motionary.graph.candidates import Margins
from motionary.graph.dense import dense_candidates
from motionary.graph.settings import GraphSettings
from motionary.graph.sparse import SparseMotion, sparse_candidates
from motionary.metrics import Window, metric_named


@pytest.mark.parametrize("name", ["dynamics", "points", "gist", "direction"])
def test_sparse_candidates_are_nearly_those_of_all_frames(name):
    metric = metric_named(name, window=Window(2, 2))
    features = [made_features(seed, 60) for seed in (1, 1, 2)]  # two of them the same
    described = [metric.describe(one, rate_hz=30.0) for one in features]
    options = {"margins": Margins(2, 2, 0.05), "reach": 4, "off_diagonal": 6}

    dense = {
        (i, j, row, column)
        for i, j, found in dense_candidates(described, metric, lengths=[60] * 3, **options)
        for row, column in zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    }
    motions = [SparseMotion(metric, one, 60, 3) for one in described]
    sparse = {
        (i, j, row, column)
        for number in range(3)
        for i, j, found in sparse_candidates(motions, number, **options)
        for row, column in zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    }

    assert dense
    assert len(dense & sparse) >= 0.9 * len(dense)


def test_large_graphs_are_sparse_unless_told_otherwise():
    assert not GraphSettings().is_sparse(3_000)
    assert GraphSettings().is_sparse(10_000)
    assert not GraphSettings(method="dense").is_sparse(100_000)
    assert GraphSettings().ceiling(100_000) < GraphSettings().ceiling(10_000)
