"""Match graphs as pictures."""

from dataclasses import replace

import pytest

from motionary.errors import UsageError
from motionary.picture import show_match_graph, show_matches
from motionary.search import Searcher, build_web, keep_matches, kept_matches, search_bank, search_web
from search.match_web.made_webs import small_bank

QUERY = "gwen_007:680-770"  # in a walk


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with small_bank(tmp_path_factory.mktemp("graphs") / "a.bank", minutes=3.0, seed=0) as bank:
        yield bank


@pytest.fixture(scope="module")
def result(bank):
    return search_web(bank, QUERY, searcher=Searcher(build_web(bank)), epsilon_cm=8.0)


def test_a_graph_shows_ranks_costs_and_steps(bank, result, tmp_path):
    remarks = show_match_graph(bank, result, tmp_path / "graph.svg")

    drawn = (tmp_path / "graph.svg").read_text()
    assert remarks == ()
    assert QUERY in drawn
    n_tiers = max(match.tier for match in result.matches)
    assert n_tiers >= 2
    for rank, match in enumerate(result.matches, start=1):
        assert f"{rank}: {bank.segment_name(match.segment)}" in drawn
    assert "step 1: " in drawn
    assert "step 2: " in drawn


def test_as_many_are_drawn_as_are_wanted(bank, result, tmp_path):
    remarks = show_match_graph(bank, result, tmp_path / "few.svg", n_matches=2)

    drawn = (tmp_path / "few.svg").read_text()
    assert "2: " in drawn
    assert "3: " not in drawn
    assert f"{len(result.graph.nodes) - 3} more distant segments of the match graph are not drawn" in remarks[0]
    show_match_graph(bank, result, tmp_path / "none.png", n_matches=0)


@pytest.mark.parametrize("n_matches", [-1, 2.5, "all", True])
def test_what_cannot_be_drawn_is_refused(bank, result, tmp_path, n_matches):
    with pytest.raises(UsageError, match=r"n_matches must be|the number of matches must be at least 0"):
        show_match_graph(bank, result, tmp_path / "graph.svg", n_matches=n_matches)
    with pytest.raises(UsageError, match="what search_web gives"):
        show_match_graph(bank, search_bank(bank, QUERY, k=1), tmp_path / "graph.svg")


def test_matches_of_a_web_are_drawn_and_kept_as_others_are(bank, result, tmp_path):
    show_matches(bank, replace(result, matches=result.matches[-3:]), tmp_path / "matches.svg")
    kept = keep_matches(bank, "walks", result)

    furthest = result.matches[-1]
    assert f"cm in {furthest.tier} steps" in (tmp_path / "matches.svg").read_text()
    assert kept.query == bank.segment(QUERY)
    assert kept.asked["epsilon_cm"] == pytest.approx(8.0)
    assert kept.asked["web"] == result.query.web
    assert [match.as_json() for match in kept_matches(bank, "walks").values()] == [m.as_json() for m in result.matches]
