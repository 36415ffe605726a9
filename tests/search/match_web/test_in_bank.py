import numpy as np
import pytest

from motionary.bank import export
from motionary.errors import UsageError
from motionary.search.match_web import Searcher, WebSettings, build_web, search_web
from search.match_web.made_webs import small_bank


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with small_bank(tmp_path_factory.mktemp("web") / "a.bank", minutes=3.0, seed=0) as bank:
        yield bank


@pytest.fixture(scope="module")
def searcher(bank):
    return Searcher(build_web(bank))


def labelled(bank, name):
    """1.5 s in the middle of the longest such action."""
    segment = max(bank.labelled(name), key=lambda one: one.stop - one.start)
    middle = (segment.start + segment.stop) // 2
    return f"{bank.clip(segment.clip_id).name}:{middle - 45}-{middle + 45}"


def labels_of(bank, match):
    return {
        label.name
        for label in bank.labels(match.segment.clip_id)
        if min(label.stop, match.segment.stop) - max(label.start, match.segment.start)
        > 0.5 * (match.segment.stop - match.segment.start)
    }


def test_a_walk_finds_walks_and_ranks_them_along_the_graph(bank, searcher):
    result = search_web(bank, labelled(bank, "walk"), searcher=searcher, epsilon_cm=7.0)

    assert len(result.matches) >= 2
    assert all(labels_of(bank, match) <= {"walk", "limp"} for match in result.matches)
    distances = [match.distance for match in result.matches]
    assert distances == sorted(distances)
    for match in result.matches:
        assert (match.method, match.unit) == ("web", "cm")
        assert match.mean <= 7.0
        rates = searcher.web.features.rates[searcher.web.features.number(match.segment.clip_id)]
        start, stop = rates.search_segment(match.segment.start, match.segment.stop)
        pairs = match.alignment.pairs
        assert pairs[0].tolist() == [0, 0]
        assert pairs[-1].tolist() == [result.example.n_frames - 1, stop - start - 1]


def test_the_same_search_finds_the_same(bank, searcher):
    fresh = Searcher(searcher.web)
    query = labelled(bank, "walk")

    first, second = (search_web(bank, query, searcher=s, epsilon_cm=8.0) for s in (searcher, fresh))

    assert [match.as_json() for match in first.matches] == [match.as_json() for match in second.matches]


def test_a_smaller_threshold_finds_a_part_in_one_step(bank, searcher):
    query = labelled(bank, "walk")

    found = [
        {match.segment for match in search_web(bank, query, searcher=searcher, epsilon_cm=e, steps=1).matches}
        for e in (15.0, 7.0, 4.0, 0.5)
    ]

    assert found[0] >= found[1] >= found[2] >= found[3] == set()


def test_more_steps_find_more_and_tiers_tell(bank, searcher):
    query = labelled(bank, "walk")

    one = search_web(bank, query, searcher=searcher, epsilon_cm=7.0, steps=1)
    all_steps = search_web(bank, query, searcher=searcher, epsilon_cm=7.0)

    assert {match.tier for match in one.matches} == {1}
    assert len(all_steps.matches) >= len(one.matches)
    assert sum(match.tier == 1 for match in all_steps.matches) == len(one.matches)


def test_a_rejected_match_is_gone_and_leads_nowhere(bank, searcher):
    query = labelled(bank, "walk")
    whole = search_web(bank, query, searcher=searcher, epsilon_cm=7.0)

    less = search_web(bank, query, searcher=searcher, epsilon_cm=7.0, rejected=[whole.matches[0]])

    assert whole.matches[0].segment not in {match.segment for match in less.matches}
    assert len(less.matches) < len(whole.matches)


def test_a_query_from_outside_finds_what_the_clip_finds(bank, searcher, tmp_path):
    query = labelled(bank, "walk")
    clip = query.partition(":")[0]
    export(bank, [clip], tmp_path / "walk.bvh")

    inside = search_web(bank, query, searcher=searcher, epsilon_cm=7.0, steps=1)
    outside = search_web(bank, f"{tmp_path / 'walk.bvh'}:{query.partition(':')[2]}", searcher=searcher, epsilon_cm=7.0)

    itself = outside.matches[0]
    assert itself.distance < 2.0  # at its ends, the window knows nothing of what came before and after
    assert itself.clip == clip
    found = {match.segment.clip_id for match in outside.matches}
    assert {match.segment.clip_id for match in inside.matches} <= found


def test_words_limit_what_may_be_a_match(bank, searcher):
    query = labelled(bank, "walk")
    whole = search_web(bank, query, searcher=searcher, epsilon_cm=7.0)
    name = whole.matches[-1].clip

    only = search_web(bank, query, searcher=searcher, epsilon_cm=7.0, names=[name], k=1)

    assert {match.clip for match in only.matches} <= {name}


def test_a_threshold_is_suggested_where_none_is_given(bank, searcher):
    result = search_web(bank, labelled(bank, "walk"), searcher=searcher)

    assert 0.0 < result.epsilon_cm <= 100 * WebSettings().ceiling
    assert result.matches
    assert np.isfinite([match.distance for match in result.matches]).all()


def test_thresholds_above_the_web_and_steps_to_nowhere_are_refused(bank, searcher):
    query = labelled(bank, "walk")
    with pytest.raises(UsageError, match="this web holds what is nearer than 15 cm"):
        search_web(bank, query, searcher=searcher, epsilon_cm=16.0)
    with pytest.raises(UsageError, match="1 is the least"):
        search_web(bank, query, searcher=searcher, steps=0)
