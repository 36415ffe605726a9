"""A query that is being answered: where it is looked for, and against which projections."""

import numpy as np
import pytest

from motionary.motion import Segment
from motionary.search.exact import Comparison, Index
from motionary.search.exact.bounding import Weighting
from motionary.search.exact.places import Places
from motionary.search.exact.plan import SearchPlan
from motionary.search.examples import Place
from search.exact.small_features import walks
from search.tiny_libraries import query_of

LENGTHS = [90, 200, 20, 70]
FEATURES = walks(0, LENGTHS)


def asked_of(index=None, clip_ids=None, **options) -> SearchPlan:
    query = query_of(FEATURES, Segment(2, 30, 70), descriptions=("root", "positions"), **options)
    comparison = Comparison.of(query)
    variants = list(comparison.variants())
    places = Places.of(FEATURES, clip_ids, min(variant.n_frames for variant in variants))
    weightings = [Weighting.of(variant.weights) for variant in variants]
    return SearchPlan(index or Index(FEATURES), comparison, variants, weightings, places)


def test_versions_that_are_as_long_as_the_query():
    plan = asked_of(scale=0.05, mirrored="both")

    assert [variant.n_frames for variant in plan.variants[:6]] == [40, 40, 39, 39, 41, 41]
    assert plan.unscaled == [0, 1]
    assert [plan.longer(variant) for variant in plan.variants[:3]] == [1.0, 1.0, 40 / 39]
    assert plan.least_onset == 32


def test_what_distances_may_be():
    assert [asked_of(distance=distance).is_warped for distance in ("euclid", "dtw", "lcss")] == [False, True, True]
    assert not asked_of(weights={"Head": 0.0}).is_signed
    assert asked_of(weights={"Head": -1.0}).is_signed
    assert asked_of(over_time=(1.0, -1.0)).is_signed


def test_places_that_are_left_out():
    clips, starts = np.repeat(np.arange(4), 90), np.tile(np.arange(90), 4)

    out = asked_of(without=(Place(1, 40), Place(4, 0))).is_left_out(clips, starts)

    near = [set(starts[out & (clips == clip)].tolist()) for clip in range(4)]
    assert near == [set(range(9, 72)), set(range(62)), set(), set(range(32))]  # its own place is at 30 of the second
    assert not asked_of(with_itself=True).is_left_out(clips, starts).any()


@pytest.mark.parametrize("clip_ids", [None, [2], [1, 4]])
def test_spans_hold_every_window_and_none_that_no_clip_begins(clip_ids):
    plan = asked_of(clip_ids=clip_ids, scale=0.05)
    for number, projection in plan.projections(list(range(len(plan.variants))), plain=False):
        n_frames = plan.variants[number].n_frames
        begun = np.zeros(FEATURES.n_rows, dtype=bool)
        for first, stop in plan.spans(plan.variants[number], projection) + projection.first:
            begun[first:stop] = True
        inside = np.zeros(FEATURES.n_rows, dtype=bool)
        for clip in range(4):
            if clip_ids is None or clip + 1 in clip_ids:
                first = int(FEATURES.starts[clip])
                inside[first : first + max(LENGTHS[clip] - n_frames + 1, 0)] = True

        assert begun[inside].all()
        assert not begun[FEATURES.n_rows - n_frames + 1 :].any()


def test_versions_of_the_same_dimensions_share_a_projection(monkeypatch):
    monkeypatch.setattr("motionary.search.exact.index.PART_ROWS", 100)
    plan = asked_of(Index(FEATURES, most_bytes=0), scale=0.05, mirrored="both", joints=("LeftHand",))

    found = list(plan.projections(list(range(len(plan.variants))), plain=False))

    sides = [[number for number, variant in enumerate(plan.variants) if variant.mirrored == side] for side in (0, 1)]
    n_parts = -(-FEATURES.n_rows // 100)
    assert len(found) == n_parts * len(plan.variants)
    shared = [[number for number, seen in found if seen is projection] for _, projection in found]
    assert all(numbers in sides for numbers in shared)  # a mirrored hand is another hand
    for part in range(n_parts):  # one after the other, so that a large library is gone through once
        assert [number for number, _ in found[part * len(sides[0]) : (part + 1) * len(sides[0])]] == sides[0]


def test_parts_without_any_of_the_clips_are_passed_over(monkeypatch):
    monkeypatch.setattr("motionary.search.exact.index.PART_ROWS", 50)
    plan = asked_of(Index(FEATURES, most_bytes=0), clip_ids=[1])

    assert [projection.first for _, projection in plan.projections([0], plain=False)] == [0, 50]


def test_bounds_are_made_once_for_a_projection_and_given_up_with_it(monkeypatch):
    monkeypatch.setattr("motionary.search.exact.index.PART_ROWS", 200)
    plan = asked_of(Index(FEATURES, most_bytes=0), scale=0.05)
    first, second = (projection for _, projection in plan.projections([0], plain=False))

    bounds = plan.bounds(0, first)

    assert plan.bounds(0, first) is bounds
    assert plan.bounds(1, first) is not bounds
    assert plan.bounds(0, second).poses is second.poses
    assert plan.bounds(0, first) is not bounds  # that of an earlier projection is not kept
