"""Several examples at once: nearest to any of them, or to all."""

from types import SimpleNamespace

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Segment, recording_of
from motionary.search import SearchResult, keep_matches, search_bank
from motionary.search.several_queries import taken_together
from search.tiny_libraries import PLAIN, library, query_of

QUERIES = ("a:5-25", "b:30-55", "a:60-80")


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("together") / "a.bank", create=True) as bank:
        for seed, name in enumerate("abcd", start=1):
            bank.add(name, recording_of(wild_body(seed, n_frames=120)))
        yield bank


def places(matches):
    return [(one.segment, round(one.mean, 9)) for one in matches]


@pytest.mark.parametrize("distance", ["euclid", "dtw", "lcss"])
def test_nearest_to_any_is_the_best_of_all_lists(bank, distance):
    options = PLAIN | {"distance": distance, "tolerance": 6.0}
    together = search_bank(bank, QUERIES[0], also=QUERIES[1:], k=6, **options)

    own = [bank.segment(query) for query in QUERIES]
    least = dict(zip(QUERIES, (16, 20, 16), strict=True))  # 80 % of 20, 25 and 20 frames
    every = [
        one
        for query in QUERIES
        for one in search_bank(bank, query, k=400, onsets=0.01, **options)
        if all(far(one.segment, segment, least[query]) for segment in own)
    ]
    best = min(every, key=lambda m: (m.distance if distance == "lcss" else 0, m.mean))
    assert len(together) == 6
    assert (together[0].segment, together[0].mean) == (best.segment, best.mean)
    assert all(far(one.segment, segment, 16) for one in together for segment in own)
    starts = [(one.segment.clip_id, one.segment.start) for one in together]
    assert all(a[0] != b[0] or abs(a[1] - b[1]) >= 16 for n, a in enumerate(starts) for b in starts[:n])
    assert places(together) == places(search_bank(bank, QUERIES[0], also=QUERIES[1:], k=6, by="scan", **options))


@pytest.mark.parametrize("by", ["exact", "scan"])
def test_each_match_says_which_example_it_is_nearest_to(bank, by):
    options = PLAIN | {"by": by}
    together = search_bank(bank, QUERIES[0], also=QUERIES[1:], k=6, **options)

    means = {
        query: {one.segment: one.mean for one in search_bank(bank, query, k=400, onsets=0.01, **options)}
        for query in QUERIES
    }
    nearest = [min(QUERIES, key=lambda query: means[query].get(one.segment, np.inf)) for one in together]
    assert [one.nearest_to for one in together] == nearest
    assert len(set(nearest)) > 1
    assert together[0].as_json()["nearest_to"] == nearest[0]


def test_what_goes_on_from_a_match_is_nearest_to_the_example_of_that(bank):
    together = search_bank(bank, QUERIES[0], also=QUERIES[1:], steps=2, k=40, **PLAIN)

    assert any(one.tier > 1 for one in together)
    assert {one.nearest_to for one in together} <= set(QUERIES)


def test_a_match_of_several_examples_is_a_query_itself(bank):
    together = search_bank(bank, QUERIES[0], also=QUERIES[1:], k=2, **PLAIN)

    for by in ("exact", "wpca"):
        again = search_bank(bank, together[1], by=by, k=1, **(PLAIN if by == "exact" else {}))
        assert again.query.example.name == together[1].place


@pytest.mark.parametrize("options", [{}, {"also": QUERIES[1:], "combine": "all"}, {"expand": 2}])
def test_matches_of_one_example_name_none(bank, options):
    found = search_bank(bank, QUERIES[0], k=3, **PLAIN | options)

    assert [one.nearest_to for one in found] == ["", "", ""]
    assert "nearest_to" not in found[0].as_json()


def test_windows_are_those_of_the_shortest_example(bank):
    one, two = (search_bank(bank, query, k=1, **PLAIN) for query in QUERIES[:2])
    both = search_bank(bank, QUERIES[1], also=QUERIES[0], k=1, **PLAIN)

    assert two.n_windows < one.n_windows == both.n_windows


def test_progress_counts_examples(bank):
    told = []

    search_bank(bank, QUERIES[0], also=QUERIES[1:], k=2, progress=lambda *n: told.append(n), **PLAIN)

    assert told[-3:] == [(1, 3), (2, 3), (3, 3)]


def test_progress_of_a_search_in_steps_counts_matches(bank):
    told = []

    search_bank(bank, QUERIES[0], also=QUERIES[1:], k=4, steps=2, progress=lambda *n: told.append(n), **PLAIN)

    assert told[-4:] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert (3, 3) not in told


def far(segment, other, least):
    return segment.clip_id != other.clip_id or abs(segment.start - other.start) >= least


def test_a_selection_is_one_example_for_each_match(bank):
    keep_matches(bank, "some", search_bank(bank, QUERIES[0], k=3, **PLAIN), overwrite=True)
    written = [one.place for one in search_bank(bank, QUERIES[0], k=3, **PLAIN)]

    assert places(search_bank(bank, "@some", k=5, **PLAIN)) == places(
        search_bank(bank, written[0], also=written[1:], k=5, **PLAIN)
    )


def test_nearest_to_all_has_the_least_sum_of_squares(bank):
    options = PLAIN | {"distance": "euclid", "mirrored": "no"}
    queries = ("a:5-25", "b:30-50")
    found = search_bank(bank, queries[0], also=queries[1:], combine="all", k=1, **options)[0]

    def squares(segment):
        only = {"k": 500, "onsets": 0.01, "with_itself": True}
        lists = [search_bank(bank, query, **options, **only) for query in queries]
        return sum(next(m.distance for m in one if m.segment == segment) ** 2 for one in lists)

    every = search_bank(bank, queries[0], k=40, **options)
    allowed = [one.segment for one in every if all(far(one.segment, bank.segment(q), 16) for q in queries)]
    assert squares(found.segment) <= min(squares(segment) for segment in allowed) * (1 + 1e-6)


def test_what_cannot_be_combined(bank):
    with pytest.raises(
        UsageError, match=r"use either several examples or a profile \(accepted and rejected matches make one\)"
    ):
        search_bank(bank, QUERIES[0], also=QUERIES[1], profile=_profile(bank), **PLAIN)
    with pytest.raises(UsageError, match="has only one frame"):
        search_bank(bank, QUERIES[0], also="b:3-4", combine="all", **PLAIN)


def _profile(bank):
    from motionary.search import learn_profile

    result = search_bank(bank, QUERIES[0], k=3, **PLAIN)
    return learn_profile(bank, result, accepted=result.matches[:1])


def test_rows_of_a_mean_are_means(bank):
    found = search_bank(bank, "a:5-25", also="b:30-50", combine="all", k=1, **PLAIN)
    example = found.query.example
    rows = [one.rows(20)["positions"] for one in example.examples]

    assert example.name == "the mean of a:5-25 and 1 more"
    np.testing.assert_allclose(example.rows(20)["positions"], np.mean(rows, axis=0), atol=1e-6)


def test_asking_for_few_matches_at_first_changes_nothing():
    features = library([{"positions": np.zeros((60, 51))} for _ in range(2)])
    asked = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        query = query_of(features, Segment(1, 0, 5), k=int(rng.integers(1, 7)))
        lists = [apart(rng) for _ in range(rng.integers(1, 4))]

        def found(n, query=query, lists=lists):
            asked.append((n, query.k))
            return [SearchResult(query, tuple(one[:n]), 0, 0, 2) for one in lists]

        limited = taken_together(features, query, [query], found=found)

        whole = taken_together(features, query, [query], found=lambda _, found=found: found(None))
        assert limited.matches == whole.matches
    assert any(n > k for n, k in asked if n is not None)


def apart(rng):
    """Matches that begin at least four frames from each other, best first, of random means."""
    places = [(clip, int(start)) for clip in (1, 2) for start in rng.integers(4) + np.cumsum(rng.integers(4, 7, 4))]
    means = np.sort(rng.integers(0, 30, len(places)) + rng.random(len(places)) * rng.integers(2))
    order = rng.permutation(len(places))
    matches = [
        SimpleNamespace(
            segment=Segment(places[i][0], places[i][1], places[i][1] + 5),
            mean=float(mean),
            distance=float(mean),
            search_start=None,
        )
        for i, mean in zip(order, means, strict=True)
    ]
    return sorted(matches, key=lambda one: (one.mean, one.segment.clip_id, one.segment.start))
