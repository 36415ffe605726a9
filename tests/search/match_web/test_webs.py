from dataclasses import replace

import numpy as np
import pytest

from motionary.bank import export
from motionary.errors import UsageError
from motionary.search import search_bank
from motionary.search.match_web import Searcher, WebSettings, build_web, search_web
from motionary.search.match_web.settings import METHODS
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


def test_what_lies_within_a_rejected_stretch_is_gone_and_on_no_path(bank, searcher):
    query = labelled(bank, "walk")
    whole = search_web(bank, query, searcher=searcher, epsilon_cm=9.0)
    near = whole.matches[0].segment
    stretch = replace(near, start=max(0, near.start - 90), stop=min(near.stop + 90, bank.clip(near.clip_id).n_frames))

    less = search_web(bank, query, searcher=searcher, epsilon_cm=9.0, rejected=stretch)

    assert near not in {match.segment for match in less.matches}
    before = less.graph.shortest_paths().before
    assert all(before[node] not in less.graph.rejected - {0} for node in less.nodes)


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


def test_queries_from_outside_are_aligned_once_and_stay_known(bank, searcher, tmp_path):
    queries = []
    for clip in bank.clips()[:2]:
        export(bank, [clip.name], tmp_path / f"{clip.name}.bvh")
        queries.append(f"{tmp_path / clip.name}.bvh:100-190")
    fresh, told = Searcher(searcher.web), []

    def search(query, epsilon_cm):
        return search_web(
            bank, query, searcher=fresh, epsilon_cm=epsilon_cm, progress=lambda *numbers: told.append(numbers)
        )

    first = search(queries[0], 8.0)
    ways = first.graph.ways(first.graph.shortest_paths())
    n_told = len(told)
    assert n_told == len(searcher.web.clips)
    search(queries[0], 9.0)
    assert len(told) == n_told  # nothing was aligned again
    second = search(queries[1], 8.0)

    assert first.graph.nodes[0].motion != second.graph.nodes[0].motion
    again = first.graph.ways(first.graph.shortest_paths())
    assert again.keys() == ways.keys()
    assert all(np.array_equal(again[node], ways[node]) for node in ways)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A bank in which every clip is there twice, one of them cut twice more, and its searcher."""
    with small_bank(tmp_path_factory.mktemp("copied") / "a.bank") as bank:
        for n, clip in enumerate(bank.clips()):
            recording = bank.recording(clip.segment)
            bank.add(f"copy_of_{clip.name}", recording)
            for start in (10, 20) if n == 0 else ():
                bank.add(f"cut{start}_{clip.name}", replace(recording, values=recording.values[start:]))
        yield bank, Searcher(build_web(bank))


def test_copies_of_the_query_are_found_as_exact_search_finds_them(copied):
    bank, searcher = copied
    name = bank.clips()[0].name

    found = search_web(bank, f"{name}:200-290", searcher=searcher, epsilon_cm=5.0)

    exact = search_bank(bank, f"{name}:200-290", k=1).matches[0]
    nearest = next(match for match in found.matches if match.clip == exact.clip)
    assert exact.clip == f"copy_of_{name}"
    assert (nearest.segment, nearest.distance, nearest.tier) == (exact.segment, 0.0, 1)
    assert nearest.alignment.pairs.tolist() == [[n, n] for n in range(found.example.n_frames)]
    assert all(match.clip != name or match.segment.start != 200 for match in found.matches)
    rejected = search_web(bank, f"{name}:200-290", searcher=searcher, epsilon_cm=5.0, rejected=nearest)
    assert nearest.segment not in {match.segment for match in rejected.matches}
    assert len(rejected.matches) >= len(found.matches) - 1


def test_words_choose_among_copies(copied):
    bank, searcher = copied
    name = bank.clips()[0].name
    query = f"{bank.clips()[1].name}:0s-0.6s"  # at ease, as between all that is done

    def clips(**words):
        return {match.clip for match in search_web(bank, query, searcher=searcher, epsilon_cm=15.0, **words).matches}

    assert {f"copy_of_{name}", name} <= clips()
    assert not any(clip.startswith("copy") for clip in clips(without_names=["copy*"]))
    assert clips(names=[name]) == {name}


def test_every_search_among_near_copies_comes_to_its_end(copied):
    bank, searcher = copied
    for clip in bank.clips():
        for start in range(0, clip.n_frames - 100, 97):
            for epsilon in (None, 5.0, 12.0):
                result = search_web(
                    bank, f"{clip.name}:{start}-{start + 90}", searcher=searcher, epsilon_cm=epsilon, k=3
                )
                assert len(result.matches) <= 3
                assert {*result.nodes} <= {0, *result.places}


def test_where_many_costs_are_nothing_the_suggested_threshold_is_small(copied):
    bank, searcher = copied
    name = bank.clips()[0].name
    suggested = []
    for start in range(100, bank.clip(name).n_frames - 120, 60):
        query = f"{name}:{start}-{start + 90}"
        one = search_web(bank, query, searcher=searcher, epsilon_cm=15.0, steps=1)
        costs = [match.distance for match in one.matches if match.clip[:4] not in ("copy", name[:4])]
        if costs[:2] == [0.0, 0.0] and max(costs) > 3.0:
            suggested.append(search_web(bank, query, searcher=searcher).epsilon_cm)

    assert suggested
    assert all(0.0 < epsilon < 15.0 for epsilon in suggested)


@pytest.mark.parametrize("method", METHODS)
def test_what_follows_a_long_still_stretch_is_found_behind_a_short_one(tmp_path, method):
    with small_bank(tmp_path / "a.bank", minutes=0.2) as bank:
        recording = bank.recording(bank.clips()[0].segment)
        for name, n_still in (("long", 300), ("short", 40)):
            frames = np.concatenate([np.full(n_still, 200), np.arange(200, 380)])
            bank.add(name, replace(recording, values=recording.values[frames]))
        searcher = Searcher(build_web(bank, settings=WebSettings(method=method)))

        for query, clip, segment in (("long:270-360", "short", (10, 100)), ("short:10-100", "long", (270, 360))):
            found = search_web(bank, query, searcher=searcher, epsilon_cm=5.0, names=[clip]).matches[0]

            assert found.segment.start == pytest.approx(segment[0], abs=6)  # all still frames are the same
            assert found.segment.stop == segment[1]
            assert found.distance < 0.1


def test_words_limit_what_may_be_a_match(bank, searcher):
    query = labelled(bank, "walk")
    whole = search_web(bank, query, searcher=searcher, epsilon_cm=7.0)
    name = whole.matches[-1].clip

    only = search_web(bank, query, searcher=searcher, epsilon_cm=7.0, names=[name], k=1)

    assert {match.clip for match in only.matches} <= {name}


def test_a_threshold_is_suggested_where_none_is_given(bank, searcher):
    result = search_web(bank, labelled(bank, "walk"), searcher=searcher)

    assert 0.0 < result.epsilon_cm <= WebSettings().ceiling_cm
    assert result.matches
    assert np.isfinite([match.distance for match in result.matches]).all()


def test_thresholds_above_the_web_and_steps_to_nowhere_are_refused(bank, searcher):
    query = labelled(bank, "walk")
    with pytest.raises(UsageError, match="this web contains only pairs within 15 cm"):
        search_web(bank, query, searcher=searcher, epsilon_cm=16.0)
    with pytest.raises(UsageError, match="steps must be at least 1, not 0"):
        search_web(bank, query, searcher=searcher, steps=0)
    with pytest.raises(UsageError, match="0 cm is not possible"):
        search_web(bank, query, searcher=searcher, epsilon_cm=0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"k": -1}, "k must be at least 1"),
        ({"k": 2.5}, "k must be an integer"),
        ({"k": "3"}, "k must be an integer"),
        ({"steps": 1.5}, "steps must be an integer"),
        ({"epsilon_cm": "5"}, "epsilon_cm must be a number"),
        ({"epsilon_cm": float("nan")}, "epsilon_cm must be a number"),
        ({"rejected": [3]}, "an item of rejected must be"),
        ({"merging": 0.5}, "merging must be"),
        ({"searcher": "web"}, "searcher must be"),
        ({"text": 3}, "text must be a string"),
    ],
)
def test_what_is_given_is_checked(bank, searcher, options, said):
    with pytest.raises(UsageError, match=said):
        search_web(bank, labelled(bank, "walk"), **({"searcher": searcher} | options))


def test_what_webs_are_built_by_is_checked(bank):
    for options, said in (
        ({"settings": "dense"}, "settings must be WebSettings"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"rate_hz": "30"}, "rate_hz must be a number"),
        ({"names": 3}, "names must be a list"),
    ):
        with pytest.raises(UsageError, match=said):
            build_web(bank, **options)


def test_what_is_like_a_query_only_in_other_clips_is_told(bank, searcher):
    query = labelled(bank, "walk")
    nearest = search_web(bank, query, searcher=searcher).matches[0].mean

    result = search_web(bank, query, searcher=searcher, labels="jump")

    assert result.matches == ()
    assert "no match in the selected clips; in other clips, the nearest is" in result.remarks[0]
    told = float(result.remarks[0].split("the nearest is ")[1].split()[0])
    assert nearest <= told < nearest + 0.1
