from dataclasses import replace

import numpy as np
import pytest

from motionary.library import build_features
from motionary.metrics import PointCloudMetric
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.pair_paths import LEVELS, unpacked
from motionary.search.match_web.pyramid import pyramid_pair, sparse_pair
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.web_motion import web_motion
from search.match_web.made_webs import small_bank


@pytest.fixture(scope="module")
def motions_at(tmp_path_factory):
    with small_bank(tmp_path_factory.mktemp("web") / "a.bank", minutes=1.5, seed=0) as bank:

        def at(rate_hz):
            features, metric, settings = build_features(bank, rate_hz=rate_hz), PointCloudMetric(), WebSettings()
            return [
                web_motion(features.of(int(clip_id)).arrays, metric=metric, settings=settings, rate_hz=rate_hz)
                for clip_id in features.clip_ids
            ]

        yield at


@pytest.fixture(scope="module")
def motions(motions_at):
    return motions_at(60.0)


def pairs(motions, build):
    return [build(a, b, with_itself=a is b) for n, a in enumerate(motions) for b in motions[n:]]


def places(pair, n):
    """Cells as numbers, for the first n of a pair's cells."""
    found = unpacked(pair)
    return found.rows[:n].astype(np.int64) * 100_000 + found.columns[:n], found.values[:n]


def recall(dense_pairs, other_pairs):
    """The share of dense chain cells, the near ones counting more, with a cell of the other web within a frame."""
    found, total = 0.0, 0.0
    for dense, other in zip(dense_pairs, other_pairs, strict=True):
        cells, levels = places(dense, int(dense.paths["n_cells"][dense.paths["from_path"] < 0].sum()))
        theirs, _ = places(other, len(other.cells))
        near = np.unique([theirs + down * 100_000 + right for down in (-1, 0, 1) for right in (-1, 0, 1)])
        weights = 1.0 - (levels / LEVELS) ** 2
        found, total = found + weights[np.isin(cells, near)].sum(), total + weights.sum()
    assert total > 0.0
    return found / total


def test_other_builds_find_nearly_all_of_the_dense_chains_and_most_bridges(motions):
    dense, pyramid, sparse = (pairs(motions, build) for build in (dense_pair, pyramid_pair, sparse_pair))

    assert recall(dense, pyramid) >= 0.99
    assert recall(dense, sparse) >= 0.97
    assert recall(pyramid, sparse) >= 0.98
    n_bridges = [sum(pair.n_bridges for pair in found) for found in (dense, pyramid, sparse)]
    assert min(n_bridges[1:]) >= 0.7 * n_bridges[0]


@pytest.mark.parametrize("rate_hz", [5.0, 15.0, 20.0])
def test_at_low_rates_they_find_as_much(motions_at, rate_hz):
    dense, pyramid, sparse = (pairs(motions_at(rate_hz), build) for build in (dense_pair, pyramid_pair, sparse_pair))

    assert recall(dense, pyramid) >= 0.99
    assert recall(dense, sparse) >= 0.97


@pytest.mark.parametrize("build", [pyramid_pair, sparse_pair])
def test_what_other_builds_find_is_in_the_grid_at_the_distance_they_tell(motions, build):
    first, second = motions[:2]
    grid = np.empty((first.n_frames, second.n_frames), dtype=np.float32)
    first.metric.block(first.described, second.described, grid)

    found = unpacked(build(first, second))

    assert len(found.rows) > 0
    roots = np.sqrt(grid[found.rows, found.columns]) / first.settings.ceiling
    assert np.abs(roots - found.values / LEVELS).max() <= 0.51 / LEVELS


@pytest.mark.parametrize("build", [pyramid_pair, sparse_pair, dense_pair])
def test_a_motion_of_one_frame_has_no_paths(motions, build):
    one = replace(motions[0], n_frames=1, described=motions[0].described.part(0, 1))

    assert build(one, motions[0]).is_empty
    assert build(one, one, with_itself=True).is_empty
