"""What a search compares unless it is told: what was learned where the library is large enough, else the gist."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank, export
from motionary.library import with_learned
from motionary.motion import Segment, mirror, recording_of
from motionary.rig import mirror_partners
from motionary.search import advice, build_index, default_description, explain_matches, keep_matches, learn_profile
from motionary.search import search_bank as search
from motionary.search.default_description import frames_to_learn_from, learn_if_default

QUERY = "take 0:10-50"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("default") / "a.bank"
    with Bank.open(path, create=True) as bank:
        for seed in range(5):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90 + seed)))
        source = wild_body(0, n_frames=90)
        bank.add("mirror", recording_of(mirror(source, mirror_partners(source.skeleton))))
        yield bank


@pytest.fixture
def large(bank, monkeypatch) -> Bank:
    """The bank, as if it were large enough to learn from."""
    monkeypatch.setattr(default_description, "LEAST_MINUTES", 0.1)
    monkeypatch.setattr(default_description, "LEAST_PERFORMERS", 1)
    return bank


def facts(result) -> list:
    return [match.as_json() | {"pairs": match.alignment.pairs.tolist()} for match in result.matches]


def test_a_large_library_is_searched_by_what_was_learned_from_it(large):
    found, asked = search(large, QUERY, k=4), search(large, QUERY, k=4, descriptions=("learned",), expand=5)

    assert facts(found) == facts(asked)
    assert (found.query.descriptions, found.matches[0].unit) == (("learned",), "%")
    assert advice(found)[:2] == [
        "compared by what was learned from this library (0 min)",
        "compared with the query, and with the mean of the query and its 5 best matches: distances are to the nearer "
        "of both",
    ]
    assert not any("learned" in remark for remark in advice(asked))


def test_what_was_learned_is_compared_with_the_query_alone_where_that_is_asked_for(large):
    found = search(large, QUERY, k=4, expand=0)

    assert facts(found) == facts(search(large, QUERY, k=4, descriptions=("learned",)))
    assert advice(found)[0] == "compared by what was learned from this library (0 min)"
    assert search(large, found.query).query.expand == 0


def test_a_small_library_is_searched_by_the_gist(bank):
    found, asked = search(bank, QUERY, k=4), search(bank, QUERY, k=4, descriptions=("gist",))

    assert facts(found) == facts(asked)
    assert advice(found)[0] == "compared by gist: the library has 0.3 min, too few to learn from (40 are needed)"


def test_a_library_of_few_performers_is_searched_by_the_gist(large, monkeypatch):
    monkeypatch.setattr(default_description, "LEAST_PERFORMERS", 2)

    reason = search(large, QUERY, k=1).query.reason

    assert reason == "compared by gist: too few performers to learn from (1 by their skeletons, 2 are needed)"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"distance": "lcss", "tolerance": 4.0}, "lcss compares its dimensions one by one"),
        ({"joints": ("arms",)}, "only it has body parts"),
        ({"unlike": {"arms": "take 1:0-40"}}, "only it has body parts"),
        ({"weights": {"Head": 2.0}}, "only its dimensions have names and weights"),
        ({"within": 1e3}, "the largest distance is in cm"),
        ({"mirrored": "no"}, "only it tells left from right"),
        ({"sources": {"arms": "take 1:0-40"}}, "put together from several motions"),
    ],
    ids=str,
)
def test_what_needs_dimensions_sides_or_centimetres_is_searched_by_the_gist(large, options, why):
    found, asked = search(large, QUERY, k=3, **options), search(large, QUERY, k=3, descriptions=("gist",), **options)

    assert facts(found) == facts(asked)
    assert (found.query.descriptions, why in found.query.reason) == (("gist",), True)


def test_poses_are_searched_by_the_gist(large):
    for query in ("take 0:10-19", ["take 0:10@0", "take 0:40@1"]):
        assert search(large, query, k=1).query.descriptions == ("gist",)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"distance": "euclid"},
        {"scale": 0.2},
        {"also": ["take 2:0-30"]},
        {"also": ["take 2:0-40"], "combine": "all"},
        {"unlike": "take 2:30-60"},
        {"over_time": (1.0, 3.0, 1.0)},
        {"steps": 2},
        {"per": "clip"},
        {"where": ("duration > 0.5",)},
        {"with_itself": True},
        {"names": ("take *",)},
    ],
    ids=str,
)
def test_the_scan_finds_the_same(large, options):
    found = [search(large, QUERY, by=by, k=4, **options) for by in ("exact", "scan")]

    assert facts(found[0]) == facts(found[1])
    assert found[0].query.descriptions == ("learned",)
    assert len(found[0]) >= 2


def test_the_gist_tells_the_side_of_a_match(large):
    found = search(large, QUERY, names=["mirror"], k=1)
    again = search(large, "mirror:10-50", names=["mirror"], with_itself=True, k=1)

    assert (found.matches[0].mirrored, again.matches[0].mirrored) == (True, False)


def test_a_file_is_searched_for_as_its_clip_is(large, tmp_path):
    export(large, ["take 0"], tmp_path)

    of_clip = search(large, QUERY, with_itself=True, k=3)
    of_file = search(large, f"{tmp_path / 'take 0.bvh'}:10-50", k=3)

    assert of_file.query.descriptions == ("learned",)
    assert [match.segment for match in of_file] == [match.segment for match in of_clip]


def test_an_earlier_query_is_compared_by_what_its_new_options_need(large):
    earlier = search(large, QUERY, k=3)

    arms = search(large, earlier.query, joints=("arms",))
    back = search(large, arms.query, joints=())

    assert (arms.query.descriptions, facts(back)) == (("gist",), facts(earlier))
    asked = search(large, QUERY, k=3, descriptions=("gist",))
    assert search(large, asked.query, k=2).query.descriptions == ("gist",)
    assert search(large, arms.query, joints=(), descriptions=("gist",)).query.descriptions == ("gist",)


def test_an_example_of_another_bank_is_described_by_what_this_one_has_learned(large, tmp_path):
    with Bank.open(tmp_path / "other.bank", create=True) as other:
        for seed in (0, 6, 7):
            other.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90)))
        foreign = search(other, QUERY, k=1)

        own = search(large, QUERY, k=3, with_itself=True)
        found = search(large, foreign.query.example, k=3, with_itself=True)

    assert foreign.query.descriptions == found.query.descriptions == ("learned",)
    assert [match.distance for match in found] == [match.distance for match in own]


def test_matches_are_explained_by_the_joints_of_the_gist(large):
    found = search(large, QUERY, k=6, scale=0.2)
    by_hand = []
    for explanation in explain_matches(large, found):
        match = explanation.match
        own = large_rows(large, Segment(large.clip("take 0").id, 10, 50), match.n_frames)
        others = large_rows(large, match.segment, match.n_frames)
        if match.mirrored:
            continue
        by_hand.append((explanation, own, others))
        assert explanation.unit == "cm"
        assert "LeftHand" in explanation.parts
        if match.n_frames == 40:
            gaps = own[match.alignment.pairs[:, 0]] - others[match.alignment.pairs[:, 1]]
            assert explanation.by_part.sum() == pytest.approx((gaps**2).sum())
    assert by_hand


def large_rows(bank: Bank, segment: Segment, _: int) -> np.ndarray:
    return with_learned(bank).of(segment.clip_id)["gist"][segment.start : segment.stop].astype(np.float64)


def test_ratings_teach_a_search_by_what_was_learned(large):
    found = search(large, QUERY, k=4)

    profile = learn_profile(large, found, accepted=[1], rejected=[3])
    again = [search(large, QUERY, by=by, k=3, profile=profile) for by in ("exact", "scan")]

    assert again[0].query.descriptions == ("learned",)
    assert facts(again[0]) == facts(again[1])
    assert facts(again[0]) != facts(found)[:3]


def test_a_selection_says_what_was_compared(large):
    kept = keep_matches(large, "found", search(large, QUERY, k=2))

    assert kept.asked["descriptions"] == ["learned"]
    assert "reason" not in kept.asked


def test_where_nothing_can_be_stored_the_gist_is_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(default_description, "LEAST_PERFORMERS", 1)
    monkeypatch.setattr(default_description, "LEAST_MINUTES", 0.01)
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        for seed in range(3):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90)))
        bank.derived_path.write_text("in the way")

        found = search(bank, QUERY, k=1)

    assert found.query.reason == "compared by gist: what is learned cannot be stored beside the bank"


def test_a_job_can_learn_before_the_first_search(tmp_path, monkeypatch):
    monkeypatch.setattr(default_description, "LEAST_PERFORMERS", 1)
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        for seed in range(3):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90)))
        features = build_index(bank).features
        assert frames_to_learn_from(bank, features) == 0
        monkeypatch.setattr(default_description, "LEAST_MINUTES", 0.01)
        assert frames_to_learn_from(bank, features) == 270
        told: list[str] = []

        learn_if_default(bank, features, message=told.append)
        search(bank, QUERY, k=1, message=told.append)

        assert frames_to_learn_from(bank, features) == 0
        assert len(told) == 1
