"""The references that searches are measured against give the same answers; copies are what they are said to be."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import scan
from search.tiny_libraries import library, query_of

BENCH = Path(__file__).parents[2] / "bench"
TEN = ("LeftHand", "RightHand", "LeftFoot", "Head up")


@pytest.fixture(scope="module", autouse=True)
def _searching():
    """The package `searching`; its folder cannot be on the path, because `search` would then be the script there."""
    spec = importlib.util.spec_from_file_location("searching", BENCH / "searching" / "__init__.py")
    package = importlib.util.module_from_spec(spec)
    sys.modules["searching"] = package
    spec.loader.exec_module(package)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "searching"]:
        del sys.modules[name]


def some_library(seed: int, lengths=(300, 5, 61, 200)):
    rng = np.random.default_rng(seed)
    n_dimensions = descriptions()["positions"].n_dimensions
    walks = [np.cumsum(rng.normal(size=(n, n_dimensions)) * 0.05, axis=0) for n in lengths]
    return library([{"positions": walk} for walk in walks])


def places(result):
    """Clips by number, first frames and distances; clips here are at the search rate, their ids from 1 on."""
    return [(match.segment.clip_id - 1, match.segment.start, match.distance) for match in result.matches]


@pytest.mark.parametrize("distance", ["dtw", "euclid", "lcss"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("joints", [(), TEN])
def test_the_afternoon_reference_finds_what_the_scan_finds(distance, seed, joints):
    from searching.afternoon import Afternoon, Question

    features = some_library(seed)
    query = query_of(features, Segment(1, 40, 80), distance=distance, joints=joints, k=4, tolerance=3.0)

    found = getattr(Afternoon.of(features, query), distance)(Question.of(features, query))

    expected = places(scan(features, query))
    assert [(each.clip, each.start) for each in found] == [each[:2] for each in expected]
    assert [each.distance for each in found] == pytest.approx([each[2] for each in expected], rel=1e-4)


def test_the_afternoon_reference_decides_by_dtw_between_many_equals():
    from searching.afternoon import Afternoon, Question

    features = some_library(0, lengths=(400, 400))
    query = query_of(features, Segment(1, 40, 80), distance="lcss", joints=TEN, k=3, tolerance=1000.0)

    found = Afternoon.of(features, query).lcss(Question.of(features, query))

    assert [(each.clip, each.start) for each in found] == [each[:2] for each in places(scan(features, query))]


@pytest.mark.parametrize("distance", ["dtw", "euclid", "lcss"])
@pytest.mark.parametrize("split", [None, 0.05, 0.2])
@pytest.mark.parametrize("scale", [0.0, 0.1])
def test_bounds_and_rectangles_find_what_the_scan_finds(distance, split, scale):
    from searching.bounded import Bounded

    features = some_library(1)
    options = {"joints": TEN, "k": 4, "tolerance": 3.0, "scale": scale}
    query = query_of(features, Segment(1, 40, 80), distance=distance, **options)

    assert Bounded.of(features, query, split=split).search(query) == places(scan(features, query))


@pytest.mark.parametrize("farthest", [0.5, 3.0, 18.0])
def test_a_warp_goes_on_and_no_farther_than_it_may(farthest):
    from searching.copies import warped

    times = np.linspace(0.0, 59.0, 60)
    for seed in range(20):
        bent = warped(times, farthest, np.random.default_rng(seed))
        assert (np.diff(bent) > 0).all()
        assert bent[[0, -1]] == pytest.approx(times[[0, -1]])
        assert 0.9 * farthest < np.abs(bent - times).max() <= farthest * (1 + 1e-9)


def test_a_copy_is_found_if_half_of_what_both_cover_is_shared():
    from searching.copies import Change, Planted

    copy = Planted(0, Change("noise", 0), 7, 100, 160)

    assert copy.is_found_at(7, 100, 160)
    assert copy.is_found_at(7, 120, 180)
    assert not copy.is_found_at(7, 121, 181)
    assert not copy.is_found_at(8, 100, 160)
