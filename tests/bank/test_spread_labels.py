"""Labels by likeness: put on as one change, looked through, accepted and rejected."""

from pathlib import Path

import pytest

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label, SpreadLabel
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment

WALK, RUN = SpreadLabel(Segment(2, 1, 3), "walk", 0.9, "#1:0-2"), SpreadLabel(Segment(2, 2, 4), "run", 0.6, "#1:2-4")


@pytest.fixture
def bank(tmp_path: Path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for name in ("one", "two"):
            bank.add(name, recording(n_frames=4))
        bank.label(["one:0-2"], ["walk"])
        yield bank


def test_spread_labels_are_put_on_and_undone_as_one_change(bank: Bank) -> None:
    before = all_rows(bank)["labels"]

    assert bank.put_spread_labels([WALK, RUN], names=["walk", "run"]) == 2

    assert bank.labels(2) == [
        Label("walk", 1, 3, strength=0.9, origin="spread from #1:0-2"),
        Label("run", 2, 4, strength=0.6, origin="spread from #1:2-4"),
    ]
    assert [label.is_spread for label in bank.labels(2)] == [True, True]
    assert [clip.name for clip in bank.clips("run")] == ["two"]
    assert bank.log()[0].command == "spread walk, run"
    bank.undo()
    assert all_rows(bank)["labels"] == before


def test_spreading_again_replaces_what_was_spread_and_nothing_else(bank: Bank) -> None:
    bank.put_spread_labels([WALK, RUN], names=["walk", "run"])
    bank.label(["two:0-1"], ["walk"])

    bank.put_spread_labels([SpreadLabel(Segment(2, 3, 4), "walk", 0.5)], names=["walk"])

    assert [(one.name, one.start, one.stop, one.origin) for one in bank.labels(2)] == [
        ("walk", 0, 1, "hand"),
        ("run", 2, 4, "spread from #1:2-4"),
        ("walk", 3, 4, "spread"),
    ]
    assert bank.labelled("walk") == [Segment(1, 0, 2), Segment(2, 0, 1), Segment(2, 3, 4)]


def test_a_label_by_hand_on_the_same_frames_stays(bank: Bank) -> None:
    assert bank.put_spread_labels([SpreadLabel(Segment(1, 0, 2), "walk", 0.5)], names=["walk"]) == 0
    assert bank.labels(1) == [Label("walk", 0, 2)]


def test_they_are_chosen_by_name_strength_and_place(bank: Bank) -> None:
    bank.put_spread_labels([WALK, RUN], names=["walk", "run"])

    assert [one.name for one in bank.unreviewed_labels()] == ["walk", "run"]
    assert bank.unreviewed_labels(labels="run") == [
        SpreadLabel(Segment(2, 2, 4), "run", 0.6, example="#1:2-4", clip="two")
    ]
    assert [one.name for one in bank.unreviewed_labels(at_least=0.6, below=0.9)] == ["run"]
    assert [one.name for one in bank.unreviewed_labels(["two:1-3"])] == ["walk"]
    assert bank.unreviewed_labels(["one"]) == bank.unreviewed_labels([]) == []
    assert bank.unreviewed_labels()[0].as_json() == {
        "clip": "two", "id": 2, "start": 1, "stop": 3, "label": "walk", "strength": 0.9, "example": "#1:0-2",
    }  # fmt: skip


def test_clips_and_segments_are_found_by_strength(bank: Bank) -> None:
    bank.put_spread_labels([WALK, RUN], names=["walk", "run"])

    assert [clip.name for clip in bank.clips(labels="walk")] == ["one", "two"]
    assert [clip.name for clip in bank.clips(labels="walk", strength=0.9)] == ["one", "two"]
    assert [clip.name for clip in bank.clips(labels="walk", strength=0.91)] == ["one"]
    assert bank.labelled("walk", strength=0.91) == [Segment(1, 0, 2)]


def test_what_is_accepted_counts_as_given_by_hand(bank: Bank) -> None:
    bank.put_spread_labels([WALK, RUN], names=["walk", "run"])

    assert bank.accept_labels(at_least=0.8) == 1

    assert [one.name for one in bank.unreviewed_labels()] == ["run"]
    assert bank.labels(2)[0] == Label("walk", 1, 3, origin="accepted from #1:0-2")
    bank.put_spread_labels([], names=["walk", "run"])
    assert [one.name for one in bank.labels(2)] == ["walk"]
    bank.undo()
    bank.undo()
    assert [one.strength for one in bank.unreviewed_labels()] == [0.9, 0.6]


def test_what_is_rejected_is_remembered_until_that_is_undone(bank: Bank) -> None:
    bank.put_spread_labels([WALK, RUN], names=["walk", "run"])

    assert bank.reject_labels(labels=["walk", "sit"]) == 1

    assert [one.name for one in bank.labels(2)] == ["run"]
    assert (bank.refused("walk"), bank.refused("run")) == ([Segment(2, 1, 3)], [])
    assert bank.check() == []
    bank.undo()
    assert bank.refused("walk") == []
    assert [one.name for one in bank.labels(2)] == ["walk", "run"]


def test_refusals_go_and_come_with_their_clip(bank: Bank) -> None:
    bank.put_spread_labels([WALK], names=["walk"])
    bank.reject_labels()

    bank.remove(["two"])
    assert bank.refused("walk") == []
    bank.undo()
    assert bank.refused("walk") == [Segment(2, 1, 3)]
    bank.purge(["two"])
    assert bank.refused("walk") == []
    assert bank.check() == []


def test_nothing_chosen_is_no_change(bank: Bank) -> None:
    n_changes = len(bank.log())

    assert bank.accept_labels() == bank.reject_labels() == 0
    assert len(bank.log()) == n_changes


def test_what_cannot_be_a_spread_label_is_refused_with_a_reason(bank: Bank) -> None:
    with pytest.raises(UsageError, match=r"the strength must be between 0 and 1, not 1\.5"):
        SpreadLabel(Segment(1, 0, 1), "walk", 1.5)
    with pytest.raises(UsageError, match="cannot be a label"):
        SpreadLabel(Segment(1, 0, 1), " ", 0.5)
    with pytest.raises(NotInBankError, match="has 4 frames, not 9"):
        bank.put_spread_labels([SpreadLabel(Segment(1, 0, 9), "walk", 0.5)], names=["walk"])
