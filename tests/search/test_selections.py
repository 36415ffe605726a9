"""Results kept and read back: the same matches, to the bit."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.library import build_features
from motionary.motion import Segment, recording_of
from motionary.search import Index, Match, build_index, keep_matches, kept_matches, search_bank

QUERY = "source:10-40"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "a.bank"
    with Bank.open(path, create=True) as bank:
        for i, name in enumerate(("source", "second", "third")):
            bank.add(name, recording_of(wild_body(i, n_frames=120)))
    return path


@pytest.fixture
def bank(made: Path) -> Iterator[Bank]:
    with Bank.open(made) as bank, bank.rehearse():
        yield bank


def facts_of(match: Match) -> list:
    """Every field that makes matches the same, with numbers as bytes."""
    values = [getattr(match, one.name) for one in fields(match) if one.compare and one.name != "alignment"]
    return [
        match.alignment.pairs.dtype,
        match.alignment.pairs.tobytes(),
        *(np.float64(value).tobytes() if isinstance(value, float) else value for value in values),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"distance": "euclid", "mirrored": "both"},
        {"distance": "lcss", "tolerance": 3.0, "joints": ("arms",), "tolerances": {"LeftHand": float("inf")}},
        {"scale": 0.2, "mirrored": "only", "weights": {"LeftHand": -0.3}, "over_time": (1.0, 0.5)},
        {"unlike": "second:0-30", "sources": {"arms": "third:0-30"}},
    ],
    ids=lambda options: " ".join(options) or "plain",
)
def test_a_result_comes_back_to_the_bit(bank: Bank, options: dict) -> None:
    result = search_bank(bank, QUERY, k=7, index=build_index(bank), **options)

    selection = keep_matches(bank, "found", result)
    kept = kept_matches(bank, "found")

    assert result.matches
    assert list(kept) == list(range(1, len(result.matches) + 1))
    assert [facts_of(match) for match in kept.values()] == [facts_of(match) for match in result.matches]
    assert selection.query == Segment(1, 10, 40)
    assert selection.method == result.query.distance
    assert selection.asked["k"] == 7
    assert selection.asked["joints"] == list(result.query.joints)
    assert bank.selection("found") == selection


def test_what_was_asked_is_told_in_words_that_json_has(bank: Bank) -> None:
    features = build_features(bank)
    some = search_bank(
        bank,
        QUERY,
        index=Index(features),
        distance="lcss",
        tolerances={"Head": float("inf")},
        unlike={"arms": "third:0-30"},
    )
    asked = keep_matches(bank, "some", some).asked
    posed = keep_matches(bank, "posed", search_bank(bank, ["source:3@0", "third:9@1"], index=Index(features)))

    assert asked["tolerances"] == {"Head": "inf"}
    assert asked["unlike"] == [{"example": "third:0-30", "joints": ["arms"], "weight": 0.5}]
    assert "example" not in asked
    assert posed.query is None
    assert "2 key poses of source, third" in posed.asked["example"]


def test_the_names_of_purged_clips_are_taken_out_of_queries(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        for i, name in enumerate(("source", 'the "third"')):
            bank.add(name, recording_of(wild_body(i, n_frames=60)))
        found = search_bank(bank, ["source:3@0", "#2:9@0.5"], k=3)
        object.__setattr__(found.query, "joints", ('the "third"', "thirds"))  # as no query would have it
        keep_matches(bank, "posed", found)
        bank.purge(["#2"])

        asked = bank.selection("posed").asked
        assert asked["joints"] == ["…", "thirds"]
        assert bank.check() == []
        bank.remove_selections(["posed"])
        bank.undo()
        assert bank.selection("posed").asked == asked
    assert b'the \\"third' not in (tmp_path / "b.bank").read_bytes()


def test_single_matches_and_ranks(bank: Bank) -> None:
    result = search_bank(bank, QUERY, k=5, index=build_index(bank))
    keep_matches(bank, "some", [result.matches[3], result.matches[0]], query=result.query)
    keep_matches(bank, "more", result.matches[:2], query=Segment(1, 10, 40), overwrite=True)
    keep_matches(bank, "none", [])

    assert [match.clip for match in kept_matches(bank, "some").values()] == [result.matches[i].clip for i in (3, 0)]
    assert list(kept_matches(bank, "some", ["2-"])) == [2]
    assert (bank.selection("some").asked["k"], bank.selection("more").asked) == (5, {})
    assert bank.selection("more").query == Segment(1, 10, 40)
    assert (bank.selection("none").method, kept_matches(bank, "none")) == ("", {})
    assert bank.segment("@some:2") == result.matches[0].segment
    assert search_bank(bank, "@some:2", k=1, index=build_index(bank)).query.example.place.clip_id
