import numpy as np
import pytest

from motionary.features import build_features
from motionary.metrics import PointCloudMetric
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.pair_paths import LEVELS, unpacked
from motionary.search.match_web.pyramid import pyramid_pair
from motionary.search.match_web.settings import WebSettings
from search.match_web.made_webs import small_bank


@pytest.fixture(scope="module")
def clouds(tmp_path_factory):
    with small_bank(tmp_path_factory.mktemp("web") / "a.bank", minutes=1.5, seed=0) as bank:
        features = build_features(bank, rate_hz=60.0)
    described = [
        PointCloudMetric().describe(features.of(int(clip_id)).arrays, rate_hz=60.0) for clip_id in features.clip_ids
    ]
    return described, features.n_frames


def places(pair, n):
    """Cells as numbers, for the first n of a pair's cells."""
    found = unpacked(pair)
    return found.rows[:n].astype(np.int64) * 100_000 + found.columns[:n], found.values[:n]


def test_a_pyramid_finds_nearly_all_of_the_dense_chains(clouds):
    described, n_frames = clouds
    settings, found, total = WebSettings(), 0.0, 0.0
    for i in range(len(described)):
        for j in range(i, len(described)):
            options = {
                "shape": (n_frames[i], n_frames[j]),
                "settings": settings,
                "rate_hz": 60.0,
                "with_itself": i == j,
            }
            dense, pyramid = (
                build(PointCloudMetric(), described[i], described[j], **options) for build in (dense_pair, pyramid_pair)
            )
            cells, levels = places(dense, int(dense.paths["n_cells"][dense.paths["from_path"] < 0].sum()))
            theirs, _ = places(pyramid, len(pyramid.cells))
            near = np.unique([theirs + down * 100_000 + right for down in (-1, 0, 1) for right in (-1, 0, 1)])
            weights = 1.0 - (levels / LEVELS) ** 2
            found, total = found + weights[np.isin(cells, near)].sum(), total + weights.sum()

    assert found >= 0.98 * total > 0.0


def test_at_ten_frames_a_second_a_pyramid_is_the_dense_build_around_its_chains(clouds):
    described, _ = clouds
    slow = described[0].thinned(6)
    options = {"shape": (slow.n_frames, slow.n_frames), "settings": WebSettings(), "rate_hz": 10.0, "with_itself": True}

    dense, pyramid = (build(PointCloudMetric(), slow, slow, **options) for build in (dense_pair, pyramid_pair))

    chains = [pair.paths[pair.paths["from_path"] < 0] for pair in (dense, pyramid)]
    assert len(chains[1]) >= 0.9 * len(chains[0])
