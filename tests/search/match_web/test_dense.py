import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.metrics import PlainMetric, Window
from motionary.search.match_web import Searcher, WebSettings, build_web, search_web
from motionary.search.match_web.pair_paths import LEVELS, unpacked
from search.match_web.made_webs import small_bank


def upright(first, second):
    """How far apart heights are, all else left out."""
    heights = [points[..., 1].reshape(len(points), -1) for points in (first, second)]
    return ((heights[0][:, None] - heights[1]) ** 2).mean(axis=2)


@pytest.mark.parametrize("method", ["dense", "pyramid"])
def test_one_plain_function_is_metric_enough(tmp_path, method):
    with small_bank(tmp_path / "a.bank") as bank:
        metric = PlainMetric("upright", upright, Window(1, 1))
        web = build_web(bank, metric=metric, settings=WebSettings(method=method))
        query = f"{bank.clips()[0].name}:0s-0.6s"

        result = search_web(bank, query, searcher=Searcher(web), epsilon_cm=10.0)

        assert web.facts()["metric"] == "upright"
        assert result.matches
        entry = web.pairs[0]
        clips = [list(web.features.digests).index(web.digests[entry[side]]) for side in ("rows", "columns")]
        described = [
            metric.describe(web.features.of(int(web.features.clip_ids[clip])).arrays, rate_hz=30.0) for clip in clips
        ]
        found = unpacked(web.pair(0))
        roots = np.sqrt(upright(*described)[found.rows, found.columns]) / web.settings.ceiling
        assert np.abs(roots - found.values / LEVELS).max() <= 0.51 / LEVELS


def test_sparse_webs_need_vectors(tmp_path):
    with small_bank(tmp_path / "a.bank", minutes=0.1) as bank:
        with pytest.raises(UsageError, match="build a pyramid or dense web"):
            build_web(bank, metric=PlainMetric("upright", upright))
        assert not list(bank.derived_path.glob("web-*/web.json"))
