"""Selections where segments are asked for: `@NAME` and `@NAME:RANKS`."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording
from motionary.alignment import Alignment, Match
from motionary.bank import Bank, export
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment

PLACES = [Segment(2, 10, 20), Segment(1, 0, 30), Segment(2, 0, 10), Segment(1, 5, 9)]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i in range(2):
            bank.add(f"clip {i}", recording(i, n_frames=30))
        alignment = Alignment(np.zeros((1, 2)))
        bank.keep_selection(
            "high kicks", [Match(place, 0.5, 1.0, "cm", "dtw", alignment, 10, 30.0) for place in PLACES]
        )
        yield bank


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("@high kicks", PLACES),
        ("@high kicks:3", PLACES[2:3]),
        ("@high kicks:2-3", PLACES[1:3]),
        ("@high kicks:-2,4", [PLACES[0], PLACES[1], PLACES[3]]),
        ("@high kicks:3-", PLACES[2:]),
        ("@high kicks:3-99", PLACES[2:]),
    ],
)
def test_a_selection_stands_for_its_matches_by_rank(bank: Bank, text: str, places: list[Segment]) -> None:
    assert bank.segments_of([text]) == places
    assert bank.segments_of(["clip 0:3-5", text, 2, Segment(1, 7, 8)]) == [
        Segment(1, 3, 5), *places, Segment(2, 0, 30), Segment(1, 7, 8),
    ]  # fmt: skip


def test_where_one_segment_is_needed_one_match_will_do(bank: Bank) -> None:
    assert bank.segment("@high kicks:3") == bank.segment_of("@high kicks:3") == PLACES[2]
    assert bank.motion("@high kicks:4").n_frames == 4
    with pytest.raises(UsageError, match=r"'@high kicks' names 4 matches, but exactly one is .* as in @high kicks:1"):
        bank.segment("@high kicks")


def test_errors_say_what_there_is(bank: Bank) -> None:
    with pytest.raises(NotInBankError, match=r"no selection 'kicks'\. There is only high kicks"):
        bank.segments_of(["@kicks:3"])
    with pytest.raises(UsageError, match=r"'0s-1s' is not a rank; write 3, 1-5"):
        bank.segments_of(["@high kicks:0s-1s"])
    bank.thin_selection("high kicks", drop=[2])
    with pytest.raises(NotInBankError, match="'high kicks' has no match 2; it may have been removed"):
        bank.segments_of(["@high kicks:2"])
    with pytest.raises(NotInBankError, match="@high kicks:9-: no matches; it holds ranks 1, 3-4"):
        bank.segments_of(["@high kicks:9-"])
    bank.thin_selection("high kicks", drop=["1-"])
    with pytest.raises(NotInBankError, match="@high kicks: no matches; it holds none any more"):
        bank.segments_of(["@high kicks"])
    for i in range(20):
        bank.keep_selection(f"s{i:02}", [])
    with pytest.raises(NotInBankError, match=r"There are high kicks, s00, .*, s10 and 9 more"):
        bank.segments_of(["@"])


def test_a_clip_with_the_sign_in_its_name_is_found_where_no_selection_has_it(bank: Bank) -> None:
    bank.add("@high kicks", recording(7))
    bank.add("@other", recording(8))

    assert bank.segments_of(["@high kicks"]) == PLACES
    assert bank.segments_of(["@other", "@other:1-2"]) == [Segment(4, 0, 4), Segment(4, 1, 2)]
    assert bank.label(["@other"], ["x"]) == 1
    assert bank.labels(4)[0].is_whole_clip


def test_labels_go_onto_every_match(bank: Bank) -> None:
    assert bank.label(["@high kicks:1-3", "clip 1"], ["kick", "high"]) == 8
    assert bank.log()[0].command == "label @high kicks:1-3, clip 1: kick, high"
    assert bank.labelled("kick") == [Segment(1, 0, 30), Segment(2, 0, 10), Segment(2, 0, 30), Segment(2, 10, 20)]
    assert not bank.labels(1)[0].is_whole_clip  # a match is a segment, even where it is all of its clip
    assert bank.unlabel(["@high kicks:1"]) == 2


def test_exporting_a_selection(bank: Bank, tmp_path: Path) -> None:
    written = export(bank, ["@high kicks:1-2"], tmp_path / "out")

    assert [file.path.name for file in written] == ["clip 1_10-20.bvh", "clip 0.bvh"]


def test_a_label_stands_for_all_that_carries_it(bank: Bank) -> None:
    bank.label(["clip 1"], ["gait"])
    bank.label(["clip 0:3-9"], ["gait", "slow: 1"])

    assert bank.segments_of(["label:gait"]) == [Segment(1, 3, 9), Segment(2, 0, 30)]
    assert bank.segments_of(["#2:1-4", "label:slow: 1"]) == [Segment(2, 1, 4), Segment(1, 3, 9)]
    assert bank.segment("label:slow: 1") == Segment(1, 3, 9)
    assert bank.label(["label:gait"], ["all"]) == 2
    assert bank.labelled("all") == bank.labelled("gait")
    with pytest.raises(UsageError, match=r"'label:gait' names 2 segments, but exactly one is needed; .* clip 0:3-9"):
        bank.segment("label:gait")
    with pytest.raises(NotInBankError, match="no clip or segment has the label 'nothing'"):
        bank.segments_of(["label:nothing"])
    bank.add("label:nothing", recording(7))
    assert bank.segments_of(["label:nothing", "label:nothing:1-3"]) == [Segment(3, 0, 4), Segment(3, 1, 3)]
