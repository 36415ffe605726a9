"""One look for all lengths of a query: no window is left out that is near enough at any of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Segment
from motionary.search import scan
from motionary.search.exact import Comparison, Index, search
from motionary.search.exact.all_lengths import LikelyRows, may_be_near
from motionary.search.exact.bounding import Weighting
from motionary.search.exact.measuring import measured
from motionary.search.exact.places import Places
from motionary.search.exact.plan import SearchPlan
from search.exact.small_features import walks
from search.tiny_libraries import library, query_of, stretched


def asked_of(features, **options):
    comparison = Comparison.of(query_of(features, Segment(2, 30, 70), **options))
    variants = list(comparison.variants())
    places = Places.of(features, None, min(variant.n_frames for variant in variants))
    return SearchPlan(Index(features), comparison, variants, [Weighting.of(one.weights) for one in variants], places)


def within_clips(plan, n_frames):
    return plan.places.windows(np.arange(plan.index.n_rows - n_frames + 1), n_frames)[0]


def distances(plan, number, rows):
    variant = plan.variants[number]
    table = variant.table(plan.index.features.arrays, np.array([[0, plan.index.n_rows]]))
    return measured(plan.comparison, variant, table, rows)[0]


@pytest.mark.parametrize("distance", ["dtw", "euclid"])
@given(
    seed=st.integers(0, 2**32 - 1),
    descriptions=st.sampled_from([("root",), ("positions",), ("root", "positions")]),
    mirrored=st.sampled_from(["no", "only"]),
    scale=st.sampled_from([0.1, 0.3]),
    window=st.sampled_from([0.0, 0.1, (0.0, 0.3, 0.1)]),
    over_time=st.sampled_from([(), (1.0, 0.1, 3.0), (0.0, 1.0)]),
    quantile=st.sampled_from([0.0, 0.01, 0.3]),
    spiked=st.booleans(),
    left_out=st.sampled_from(["none", "its own", "every second"]),
)
def test_whatever_is_near_at_some_length_is_among_the_likely(
    distance, seed, descriptions, mirrored, scale, window, over_time, quantile, spiked, left_out
):
    features = walks(seed % 11, [70, 130, 35], names=("root", "positions"))
    if spiked:
        features.arrays["root"][100 + seed % 40] *= -30.0
    options = {"descriptions": descriptions, "distance": distance, "window": window, "mirrored": mirrored}
    plan = asked_of(features, scale=scale, over_time=over_time, **options)
    numbers = list(range(len(plan.variants)))
    numbers = {"none": numbers, "its own": numbers[1:], "every second": numbers[::2]}[left_out]
    (projection,) = {id(projection): projection for _, projection in plan.projections(numbers, plain=False)}.values()
    whole = {number: within_clips(plan, plan.variants[number].n_frames) for number in numbers}
    near = {number: distances(plan, number, rows) for number, rows in whole.items()}
    limit = float(np.quantile(np.concatenate(list(near.values())), quantile))

    likely = may_be_near(plan, numbers, projection, limit)
    spans = {number: LikelyRows(plan, numbers, limit).spans(number, projection)[0] for number in numbers}

    for number in numbers:
        wanted = whole[number][near[number] <= limit]
        assert np.isin(wanted, likely).all()
        assert all(((spans[number][:, 0] <= row) & (row < spans[number][:, 1])).any() for row in wanted)


@pytest.mark.parametrize("distance", ["dtw", "euclid"])
def test_a_shorter_copy_at_the_end_of_a_clip_is_found(distance):
    rng = np.random.default_rng(0)
    whole = np.cumsum(rng.normal(size=(400, 6)) * 0.1, axis=0).astype(np.float32)
    short = stretched({"root": whole[100:160]}, 54)["root"].astype(np.float32)
    far = whole + np.float32(50.0)
    features = library([{"root": whole}, {"root": short}, {"root": far}])
    options = {"descriptions": ("root",), "distance": distance, "scale": 0.1, "k": 2, "window": 0.05}
    query = query_of(features, Segment(1, 100, 160), **options)

    found = search(Index(features), query).matches

    assert (found[0].segment.clip_id, found[0].segment.n_frames) == (2, 54)
    assert [match.as_json() for match in found] == [match.as_json() for match in scan(features, query).matches]


def test_parts_in_which_nothing_of_a_length_begins(monkeypatch):
    monkeypatch.setattr("motionary.search.exact.index.PART_ROWS", 256)
    features = walks(3, [290, 300, 200], names=("root",))
    query = query_of(features, Segment(2, 30, 70), descriptions=("root",), scale=0.1, k=None, within=1e-6)

    found = search(Index(features, most_bytes=0), query).matches

    assert [match.as_json() for match in found] == [match.as_json() for match in scan(features, query).matches]


@pytest.mark.parametrize("scale", [0.5, 0.9])
def test_lengths_that_differ_by_more_than_lanes_have_room_for_are_all_looked_at(scale):
    features = walks(5, [3000, 4000], names=("root",))
    comparison = Comparison.of(query_of(features, Segment(2, 0, 3000), descriptions=("root",), scale=scale))
    variants = [comparison.variant(length) for length in (300 if scale == 0.9 else 1500, 3000, 5000)]
    places = Places.of(features, None, variants[0].n_frames)
    plan = SearchPlan(Index(features), comparison, variants, [Weighting.of(one.weights) for one in variants], places)
    (projection,) = {id(projection): projection for _, projection in plan.projections([0, 1, 2], plain=False)}.values()

    assert len(may_be_near(plan, [0, 1, 2], projection, 1e-9)) == features.n_rows
