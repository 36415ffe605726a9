"""Sparse candidates, beside the dense ones."""

import numpy as np
import pytest

from metrics.made_features import made_features
from motionary.bank import Bank
from motionary.graph.candidates import Margins
from motionary.graph.dense import all_dense_candidates
from motionary.graph.settings import GraphSettings
from motionary.graph.sparse import sparse_candidates, sparse_library
from motionary.library import build_features
from motionary.metrics import Window, metric_named, pair_distances

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


def is_sharp(table, frames):
    """Which candidates are clearly better than pairs of frames a tenth of a second beside them."""
    rows, columns = frames.starts[table["first"]] + table["row"], frames.starts[table["second"]] + table["column"]
    beside = [pair_distances(frames, rows + by, columns - by, WINDOW) for by in (-3, 3)]
    return np.minimum(*beside) > 1.2 * table["cost"]


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
    lengths = [len(one["root"]) for one in moving]
    options = OPTIONS | {"margins": Margins(5, 5, 0.05**2 if name != "gist" else 0.1**2)}
    dense = all_dense_candidates(described, metric, lengths=lengths, **options)
    library = sparse_library(name, WINDOW, lambda n: moving[n], 3, rate_hz=30.0, padding=5)

    found = np.concatenate([sparse_candidates(library, number, **options) for number in range(3)])

    sharp = dense[is_sharp(dense, library.frames)]  # where bodies stand still, minima are noise
    assert len(sharp) > 10
    assert recall(sharp, found, 7) >= 0.95
    assert recall(found[is_sharp(found, library.frames)], dense, 7) >= 0.95


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
