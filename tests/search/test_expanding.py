"""A second search, with the mean of the query and its best matches."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.library import build_features
from motionary.motion import Segment, mirror, recording_of
from motionary.rig import mirror_partners
from motionary.search import LibrarySegment, advice, explain_matches, keep_matches, scan, search_bank
from motionary.search.expanding import Expanded, search_expanded
from motionary.search.several_queries import taken_together
from search.tiny_libraries import PLAIN, library, query_of

GIST = descriptions()["gist"]


def naive_list(features, rows, own: Segment, least: int, mirrored: str) -> list:
    """(sum of squares, clip, start, mirrored) of what is far enough from better ones and from `own`, best first."""
    sides = {"no": [False], "only": [True], "both": [False, True]}[mirrored]
    found = []
    for side in sides:
        wanted = (GIST.mirrored(rows) if side else rows).astype(np.float64)
        for clip in features.clip_ids:
            table = features.of(int(clip))["gist"].astype(np.float64)
            for start in range(len(table) - len(rows) + 1):
                square = ((table[start : start + len(rows)] - wanted) ** 2).sum()
                found.append((square, int(clip), start, side))
    taken = []
    for one in sorted(found):
        others = [(own.clip_id, own.start), *((clip, start) for _, clip, start, _ in taken)]
        if all(one[1] != clip or abs(one[2] - start) >= least for clip, start in others):
            taken.append(one)
    return taken


def naive_expanded(features, own: Segment, n_best: int, k: int, least: int, mirrored: str) -> list:
    n = own.stop - own.start
    rows = features.of(own.clip_id)["gist"][own.start : own.stop].astype(np.float64)
    first = naive_list(features, rows, own, least, mirrored)
    sums, count = 2.0 * rows, 2.0
    for _, clip, start, side in first[:n_best]:
        taken = features.of(clip)["gist"][start : start + n]
        sums, count = sums + (GIST.mirrored(taken) if side else taken), count + 1.0
    second = naive_list(features, (sums / count).astype(np.float32), own, least, mirrored)
    taken = []
    for one in sorted([*first, *second], key=lambda one: one[:3]):
        if len(taken) < k and all(one[1] != b or abs(one[2] - c) >= least for _, b, c, _ in taken):
            taken.append(one)
    return taken


@given(
    seed=st.integers(0, 2**16),
    lengths=st.lists(st.integers(3, 40), min_size=1, max_size=4),
    n=st.integers(2, 6),
    n_best=st.integers(1, 6),
    k=st.integers(1, 8),
    mirrored=st.sampled_from(["no", "only", "both"]),
)
def test_matches_are_those_of_the_definition(seed, lengths, n, n_best, k, mirrored):
    rng = np.random.default_rng(seed)
    width = len(GIST.dimensions)
    features = library([{"gist": np.cumsum(rng.normal(size=(m, width)), axis=0)} for m in (n + 2, *lengths)])
    own = Segment(1, 1, n + 1)
    options = {"descriptions": ("gist",), "distance": "euclid", "mirrored": mirrored, "k": k}
    query = query_of(features, own, **options)

    found = search_expanded(
        features, query, n_best, search=partial(scan, features), example=partial(LibrarySegment, features)
    )

    expected = naive_expanded(features, own, n_best, k, query.least_onset(n), mirrored)
    assert [(m.segment.clip_id, m.segment.start, m.mirrored) for m in found.matches] == [one[1:] for one in expected]
    np.testing.assert_allclose([m.distance for m in found.matches], [one[0] for one in expected], rtol=1e-4)


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("expanding") / "a.bank", create=True) as bank:
        for seed, name in enumerate("abcd", start=1):
            bank.add(name, recording_of(wild_body(seed, n_frames=120)))
        source = wild_body(1, n_frames=120)
        bank.add("mirror", recording_of(mirror(source, mirror_partners(source.skeleton))))
        yield bank


def places(result):
    return [(match.segment, match.mirrored, match.mean) for match in result.matches]


@pytest.mark.parametrize(
    "options",
    [
        PLAIN,
        {"mirrored": "both"},
        {"mirrored": "only"},
        {"descriptions": ("angles", "gist"), "scale": 0.2},
        {"distance": "lcss", "tolerance": 6.0},
        {"within": 60.0, "k": None},
        {"joints": ("arms",), "over_time": (1.0, 2.0)},
        {"unlike": "c:0-30"},
        {"also": ["c:0-30"], "combine": "all"},
        {"with_itself": True, "per": "clip"},
        {"where": ("duration > 0.5",)},
        {"sources": {"arms": "d:0-40"}},
    ],
    ids=str,
)
def test_the_scan_finds_the_same(bank, options):
    found = [search_bank(bank, "a:20-60", by=by, expand=3, **{"k": 4} | options) for by in ("exact", "scan")]

    assert len(found[0]) >= 1
    assert places(found[0]) == places(found[1])


def test_a_copy_and_the_query_itself_stay_first(bank):
    found = search_bank(bank, "a:20-60", expand=3, with_itself=True, k=3, descriptions=("gist",))
    alone = search_bank(bank, "a:20-60", with_itself=True, k=2, descriptions=("gist",))

    assert places(found)[:2] == places(alone)
    assert [match.mean for match in found.matches[:2]] == [0.0, pytest.approx(0.0, abs=1e-3)]
    assert [match.clip for match in found.matches[:2]] == ["a", "mirror"]


def test_what_is_like_the_best_match_is_found_through_it(bank):
    """The mean leans towards the best match, so others that are like it come nearer."""
    alone = search_bank(bank, "b:20-60", k=12, expand=0, **PLAIN)
    found = search_bank(bank, "b:20-60", k=12, expand=1, **PLAIN)

    assert all(
        match.mean <= next((one.mean for one in alone.matches if one.segment == match.segment), np.inf)
        for match in found.matches
    )
    assert found.matches[0].segment == alone.matches[0].segment
    assert found.matches[0].mean < alone.matches[0].mean
    assert places(search_bank(bank, "b:20-60", k=12, **PLAIN)) == places(alone)


def test_results_can_be_explained_searched_again_and_refined(bank):
    found = search_bank(bank, "b:20-60", k=4, expand=2, **PLAIN)

    for one, match in zip(explain_matches(bank, found), found.matches, strict=True):
        assert one.added.sum() == pytest.approx(match.distance, rel=1e-6)
    assert places(search_bank(bank, found.query, k=4)) == places(found)
    assert advice(found)[0].startswith("compared with the query, and with the mean of the query and its 2 best matches")
    assert keep_matches(bank, "kept", found).asked["expand"] == 2


@pytest.mark.parametrize("options", [{"k": None}, {"k": 3}, {"k": None, "distance": "lcss", "tolerance": 6.0}], ids=str)
def test_a_limit_keeps_what_is_within_it(bank, options):
    options = PLAIN | options
    found = search_bank(bank, "b:20-60", expand=2, **options | {"k": 6})
    limits = [one.distance if "tolerance" in options else one.mean for one in found.matches]

    again = search_bank(bank, "b:20-60", expand=2, within=limits[3], **options)

    assert places(again) == places(found)[: options["k"] or 4]


def test_the_query_does_not_join_itself(bank):
    """Listed or not, it leaves the means of the others as they are."""
    found = search_bank(bank, "b:20-60", expand=2, k=4, **PLAIN)

    assert places(search_bank(bank, "b:20-60", expand=2, k=5, with_itself=True, **PLAIN))[1:] == places(found)


def test_no_example_joins_the_mean_of_examples(bank):
    options = {"also": ["c:0-40"], "combine": "all", "expand": 2, "k": 6}
    found = search_bank(bank, "a:20-60", **options, **PLAIN)
    listed = search_bank(bank, "a:20-60", with_itself=True, **options, **PLAIN)

    joined = [[one.name for one in result.asked[-1].example.examples[1:]] for result in (found, listed)]
    assert joined[0] == joined[1]


def test_matches_of_one_frame_join_no_mean(bank):
    found = search_bank(bank, "a:27-29", scale=0.6, expand=5, k=4, descriptions=("gist",))

    assert len(found) == 4
    assert all(one.n_frames > 1 for one in found.asked[-1].example.examples)


@pytest.mark.parametrize("rate_hz", [12, 24, 25])
def test_clips_of_fewer_frames_a_second_lose_no_match(tmp_path, rate_hz):
    """A match begins at a search frame that its own frames may not tell."""
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for seed in range(4):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=100, frame_time=1 / rate_hz)))
        features = build_features(bank)
        for onsets in (0.1, 0.3, 0.8):
            found = search_bank(bank, "take 0:10-30", k=20, onsets=onsets, **PLAIN)

            again = taken_together(features, found.query, [found.query], found=lambda _, found=found: [found])

            assert places(again) == places(found)


def test_what_was_learned_keeps_its_length_in_a_mean():
    rows = {"learned": np.array([[2.0, 0.0], [0.0, 2.0], [2.0, 0.0]]), "root": np.ones((3, 2))}
    other = {"learned": np.array([[0.0, 2.0], [0.0, 2.0], [-2.0, 0.0]]), "root": np.zeros((3, 2))}

    class Given:
        n_frames = 3

        def __init__(self, own):
            self.own = own

        def rows(self, length):
            assert length == self.n_frames
            return self.own

    mean = Expanded((Given(rows), Given(other), Given(other))).rows(3)

    np.testing.assert_allclose(mean["learned"], [[2**0.5, 2**0.5], [0.0, 2.0], [0.0, 0.0]], atol=1e-6)
    np.testing.assert_allclose(mean["root"], 0.5)


def test_nothing_found_is_nothing_to_expand(bank):
    assert len(search_bank(bank, "b:20-60", within=0.001, expand=3, **PLAIN)) == 0
    assert len(search_bank(bank, "b:0-120", names=["b"], expand=3, **PLAIN)) == 0


def test_what_cannot_be_expanded(bank):
    for options in ({"steps": 2}, {"also": "c:0-30"}):
        with pytest.raises(
            UsageError, match="cannot be combined with steps or a profile, and several examples must be averaged"
        ):
            search_bank(bank, "a:20-60", expand=2, **PLAIN, **options)
    with pytest.raises(UsageError, match="expand"):
        search_bank(bank, "a:20-60", expand=-1, **PLAIN)
    with pytest.raises(UsageError, match="needs at least two frames, and a:20-21 has one"):
        search_bank(bank, "a:20-21", expand=2, **PLAIN)
