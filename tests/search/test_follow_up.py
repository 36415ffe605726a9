from pathlib import Path

import pytest

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.sample import sample_into
from motionary.search import cluster_matches, explain_matches, keep_matches, kept_matches, learn_profile, search_bank


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("made") / "made.bank", create=True) as bank:
        sample_into(bank, minutes=0.3)
        yield bank


def test_a_scaled_and_profiled_result_is_explained(bank):
    result = search_bank(bank, "#1:0-60", k=5, scale=0.1)
    profile = learn_profile(bank, result, accepted=[1], rejected=["2-3"])

    again = search_bank(bank, result.query, profile=profile, without=result.matches[:3])

    assert len(again.asked) == 2
    for found in (*explain_matches(bank, result), *explain_matches(bank, again)):
        assert found.added.sum() == pytest.approx(found.match.distance, rel=1e-12)
    assert not {match.segment for match in again.matches} & {match.segment for match in result.matches[:3]}


def test_results_and_selections_are_sorted_into_the_same_clusters(bank):
    result = search_bank(bank, "#1:0-60", k=10)
    keep_matches(bank, "some", result)

    of_result, of_selection = cluster_matches(bank, result), cluster_matches(bank, kept_matches(bank, "some"))

    assert [one.ranks for one in of_result.clusters] == [one.ranks for one in of_selection.clusters]
    assert [one.medoid_rank for one in of_result.clusters] == [one.medoid_rank for one in of_selection.clusters]


@pytest.mark.parametrize("by", ["exact", "wpca"])
def test_what_any_search_gives_is_sorted_into_clusters(bank, by):
    result = search_bank(bank, "#1:0-60", by=by, k=10)

    clusters = cluster_matches(bank, result, n_clusters=2)

    assert sorted(rank for one in clusters.clusters for rank in one.ranks) == list(range(1, len(result.matches) + 1))
    with pytest.raises(UsageError, match="what a search gives, or a list of Match"):
        cluster_matches(bank, 7)


def test_profiles_are_found_by_name_and_file(bank, tmp_path):
    import json

    result = search_bank(bank, "#1:0-60", k=5)
    profile = learn_profile(bank, result, accepted=[result.matches[0], 2], rejected=[5])
    bank.keep_profile("mine", profile.as_json())
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(profile.as_json()))

    by_name, by_file = (search_bank(bank, "#1:0-60", k=5, profile=given) for given in ("mine", Path(path)))

    assert [match.segment for match in by_name.matches] == [match.segment for match in by_file.matches]
    assert [one.name for one in profile.accepted] == [bank.segment_name(match.segment) for match in result.matches[:2]]


def test_places_can_be_left_out_without_a_profile(bank):
    result = search_bank(bank, "#1:0-60", k=6)

    left = search_bank(bank, "#1:0-60", k=4, without=[result.matches[0], bank.segment_name(result.matches[2].segment)])

    assert [match.segment for match in left.matches][:1] == [result.matches[1].segment]
    assert result.matches[2].segment not in [match.segment for match in left.matches]


def test_judgements_that_cannot_be_understood(bank):
    result = search_bank(bank, "#1:0-60", k=3)

    with pytest.raises(UsageError, match="no match 4"):
        learn_profile(bank, result, accepted=[4])
    with pytest.raises(UsageError, match="accepted and rejected"):
        learn_profile(bank, result, accepted=[1], rejected=["1-2"])
    with pytest.raises(UsageError, match="nothing to learn"):
        learn_profile(bank, result)
