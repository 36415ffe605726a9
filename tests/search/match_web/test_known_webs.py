"""The webs beside a bank: what tells them apart, and what searches say of them."""

import numpy as np
import pytest

from motionary.bank import export
from motionary.errors import NotInBankError, UsageError
from motionary.metrics import PointCloudMetric
from motionary.sample import sample_into
from motionary.search.match_web import (
    Searcher,
    WebSettings,
    build_web,
    opened_web,
    remove_webs,
    search_web,
    web_facts,
)
from search.match_web.made_webs import small_bank

QUERY = "#1:0s-0.6s"  # at ease, as between all that is done


@pytest.fixture
def bank(tmp_path):
    with small_bank(tmp_path / "a.bank") as bank:
        yield bank


def test_what_cannot_be_built_leaves_nothing_behind(bank):
    for rate_hz in (0, -3, float("nan"), 1e6):
        with pytest.raises(UsageError, match="the rate must be between"):
            build_web(bank, rate_hz=rate_hz)

    class Broken(PointCloudMetric):
        def describe(self, *_, **__):
            raise UsageError("it is broken")

    with pytest.raises(UsageError, match="it is broken"):
        build_web(bank, metric=Broken())
    assert web_facts(bank) == []
    with pytest.raises(NotInBankError, match="has no match web"):
        search_web(bank, QUERY)


def test_a_web_is_chosen_by_its_name_or_by_its_clips_and_stays_what_it_was(bank):
    first = bank.clips()[0].name
    whole = build_web(bank)
    part = build_web(bank, names=first)

    assert whole.name != part.name
    assert [facts["web"] for facts in web_facts(bank)] == [whole.name, part.name]
    assert [facts["in_use"] for facts in web_facts(bank)] == [False, True]
    assert opened_web(bank).folder == part.folder
    for name in (whole.name, whole.name[:5], "all clips"):
        assert opened_web(bank, name).folder == whole.folder
    sample_into(bank, minutes=0.2, seed=8)  # is woven into the one that is asked
    assert opened_web(bank, whole.name).n_missing == 0
    assert opened_web(bank).folder == part.folder
    build_web(bank, names=first, settings=WebSettings(ceiling_cm=10.0))
    with pytest.raises(UsageError, match="matches several webs"):
        opened_web(bank, f"name {first}")
    with pytest.raises(NotInBankError, match="no match web named 'x'; available:"):
        opened_web(bank, "x")


def test_weights_of_one_make_the_web_that_is_there(bank):
    whole = build_web(bank)

    assert build_web(bank, metric=PointCloudMetric(parts=(("Arm", 1.0),))).folder == whole.folder


def test_webs_are_deleted_and_those_that_have_them_open_keep_them(bank):
    web = build_web(bank)

    assert [facts["web"] for facts in remove_webs(bank, web.name, dry_run=True)] == [web.name]
    assert len(web_facts(bank)) == 1
    assert [facts["web"] for facts in remove_webs(bank, web.name)] == [web.name]

    assert web_facts(bank) == []
    assert not web.folder.exists()
    assert search_web(bank, QUERY, searcher=Searcher(web), epsilon_cm=14.0).matches


def test_a_searcher_of_another_bank_or_of_clips_that_are_gone_is_refused(bank, tmp_path):
    searcher = Searcher(build_web(bank))
    found = search_web(bank, QUERY, searcher=searcher, epsilon_cm=14.0)
    said = "it belongs to another bank, or clips were removed"
    with small_bank(tmp_path / "b.bank", seed=5) as other, pytest.raises(UsageError, match=said):
        search_web(other, QUERY, searcher=searcher)

    (added, *_) = sample_into(bank, minutes=0.1, seed=9)
    same = search_web(bank, QUERY, searcher=searcher, epsilon_cm=14.0)
    assert [match.as_json() for match in same.matches] == [match.as_json() for match in found.matches]
    from_new = search_web(bank, f"{added.name}:0s-0.6s", searcher=searcher, epsilon_cm=14.0)  # as a file from elsewhere
    assert from_new.matches
    bank.remove([found.matches[0].clip])
    with pytest.raises(UsageError, match=r"Make a new one: Searcher\(build_web\(bank\)\)"):
        search_web(bank, QUERY, searcher=searcher)
    bank.undo()
    assert search_web(bank, QUERY, searcher=searcher, epsilon_cm=14.0).matches


def test_each_reason_for_finding_nothing_has_its_own_words(bank, tmp_path):
    first, second = (clip.name for clip in bank.clips()[:2])
    whole = build_web(bank)

    def why(query, **options):
        result = search_web(bank, query, **options)
        assert result.matches == ()
        return " ".join(result.remarks)

    assert "no match within 0.001 cm; an epsilon of " in why(QUERY, epsilon_cm=0.001)
    nearest = float(why(QUERY, epsilon_cm=0.001).split("an epsilon of ")[1].split()[0])
    assert search_web(bank, QUERY, epsilon_cm=nearest).matches
    export(bank, first, tmp_path / "take.bvh")
    short = why(f"{tmp_path / 'take.bvh'}:0-8")
    assert "the query is too short (0.13 s)" in short
    all_of_it = [clip.name for clip in bank.clips()]
    assert "everything similar was rejected" in why(QUERY, epsilon_cm=14.0, rejected=all_of_it)
    build_web(bank, names=first, settings=WebSettings(ceiling_cm=0.5))
    assert "holds only unmirrored pairs within" in why(f"{first}:0-90")
    assert "one built with a ceiling of 1 cm holds more" in why(f"{first}:0-90")
    assert "none of the selected clips is in the web" in why(f"{first}:0-90", names=second)
    assert f"the web {whole.name} (all clips) covers these clips" in why(f"{first}:0-90", names=second)
    assert "the query's clip is not in the web" in why(f"{second}:0-90")


def test_what_rejects_nothing_is_told(bank):
    build_web(bank)
    found = search_web(bank, QUERY, epsilon_cm=14.0)
    segment = found.matches[0].segment
    inside = f"#{segment.clip_id}:{segment.start + 1}-{segment.start + 3}"

    result = search_web(bank, QUERY, epsilon_cm=14.0, rejected=inside)

    assert [match.segment for match in result.matches] == [match.segment for match in found.matches]
    assert result.remarks == (f"{bank.segment_name(bank.segment(inside))} rejects nothing: no match lies mostly "
                              "within it",)  # fmt: skip
    whole = search_web(bank, QUERY, epsilon_cm=14.0, rejected=f"#{segment.clip_id}")
    assert not any("rejects nothing" in remark for remark in whole.remarks)
    assert segment.clip_id not in {match.segment.clip_id for match in whole.matches}


def test_a_query_can_be_asked_again_and_is_told_in_a_line(bank):
    build_web(bank)
    found = search_web(bank, QUERY, epsilon_cm=14.0, k=2)

    again = search_web(bank, found.query, epsilon_cm=14.0)

    assert len(again.matches) == again.n_found == found.n_found
    assert [match.as_json() for match in again.matches[:2]] == [match.as_json() for match in found.matches]
    for before, after in zip(found.matches, again.matches, strict=False):
        assert np.array_equal(before.alignment.pairs, after.alignment.pairs)
    for told in (found, found.query, found.graph, opened_web(bank)):
        assert len(repr(told)) < 200


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rejected": None}, "rejected must be"),
        ({"epsilon_cm": True}, "epsilon_cm must be a number"),
        ({"steps": "1"}, "steps must be an integer"),
        ({"web": 3}, "web must be a string"),
    ],
)
def test_what_is_given_is_checked(bank, options, said):
    with pytest.raises(UsageError, match=said):
        search_web(bank, QUERY, **options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metric": 3}, "metric must be a FrameMetric"),
        ({"metric": "point"}, "no metric named .point.; choose from points"),
        ({"labels": 3}, "labels must be a list"),
        ({"text": 3}, "text must be"),
        ({"threads": "a"}, "threads must be an integer"),
    ],
)
def test_what_a_web_is_built_by_is_checked(bank, options, said):
    with pytest.raises(UsageError, match=said):
        build_web(bank, **options)
    with pytest.raises(UsageError, match="ceiling_cm must be a number"):
        WebSettings(ceiling_cm="15")
    with pytest.raises(UsageError, match="web must be what build_web gives"):
        Searcher("web")
