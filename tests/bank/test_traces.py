"""A purged clip leaves nothing in what is not its own: selections, profiles, pose spaces, labels, and their past."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bank.small_banks import recording
from motionary.alignment import Alignment, Match
from motionary.bank import Bank, SpreadLabel
from motionary.motion import Segment

KINDS = ("profile", "space", "parametric")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for i, name in enumerate(("secret", "walk", "run")):
            bank.add(name, recording(i, n_frames=40))
        bank.rename(1, "hidden")
        yield bank


def bytes_of(bank: Bank) -> bytes:
    return b"".join(path.read_bytes() for path in bank.path.parent.rglob("*") if path.is_file())


def learned(*clip_ids: int, mark: str) -> dict[str, Any]:
    return {"clip_ids": list(clip_ids), "accepted": [{"name": "some:0-3", "rows": {"gist": mark}}]}


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_learned_from_it_goes_with_its_past(bank: Bank, kind: str) -> None:
    keep, names = getattr(bank, f"keep_{kind}"), getattr(bank, f"{kind}s")
    keep("of it", learned(1, 2, mark="wunderkind"))
    keep("of others", learned(2, 3, mark="everyday"))
    keep("removed", learned(1, mark="quicksilver"))
    getattr(bank, f"remove_{kind}")("removed")
    keep("once of it", learned(1, mark="xylophone"))
    keep("once of it", learned(3, mark="replaced"), overwrite=True)
    keep("lately of it", learned(2, mark="former"))
    keep("lately of it", learned(1, mark="zanzibar"), overwrite=True)

    bank.purge(["#1"])

    left = bytes_of(bank)
    assert [mark for mark in (b"wunderkind", b"quicksilver", b"xylophone", b"zanzibar") if mark in left] == []
    assert names() == ["of others", "once of it"]
    assert bank.check() == []
    assert "(partly purged)" in bank.undo().command  # what replaced `former` by what is gone
    assert getattr(bank, kind)("lately of it") == learned(2, mark="former")
    bank.undo()
    bank.undo()
    assert names() == ["of others"]  # once of it was never there
    assert bank.check() == []


@pytest.mark.parametrize("name", ["hidden:0-30", "secret", "#1:3-9", "legs of secret:0-3 with walk"])
def test_without_ids_it_goes_by_the_names_that_the_clip_ever_had(bank: Bank, name: str) -> None:
    bank.keep_profile("of it", {"accepted": [{"name": name, "rows": {"gist": "walk"}}]})
    bank.keep_profile("of others", {"learned_from": "secretive:0-3", "accepted": [{"rows": {"gist": "+secret/"}}]})
    bank.keep_profile("with ids", {"clip_ids": [2], "learned_from": name})

    bank.purge(["#1"])

    assert bank.profiles() == ["of others", "with ids"]
    assert bank.check() == []


@pytest.mark.parametrize("content", [{"preset": "arms"}, {"clip_ids": [], "preset": "arms"}], ids=["early", "none"])
def test_a_pose_space_that_does_not_say_what_it_was_trained_on_goes_with_any_clip(bank: Bank, content: dict) -> None:
    bank.keep_space("early", content | {"basis": "wunderkind"})
    bank.keep_space("of others", learned(2, 3, mark="everyday"))
    bank.keep_space("removed", content | {"basis": "quicksilver"})
    bank.remove_space("removed")

    bank.purge(["#1"])

    assert bank.spaces() == ["of others"]
    assert not any(mark in bytes_of(bank) for mark in (b"wunderkind", b"quicksilver"))
    assert bank.check() == []


def test_selections_forget_what_they_were_asked_with(bank: Bank) -> None:
    match = Match(Segment(2, 0, 9), 1.0, 1.0, "cm", "dtw", Alignment(np.array([[0, 0]])), 9, 30.0)
    asked = {"example": "hidden:0-9", "k": 3, "secret": ["secret", "walk"]}
    bank.keep_selection("found", [match], query=Segment(1, 0, 9), method="dtw", asked=asked)
    bank.rename_selection("found", "kept")

    bank.purge(["hidden"])

    found = bank.selection("kept")
    assert found.query is None
    assert found.asked == {"example": "…:0-9", "k": 3, "secret": ["…", "walk"]}  # keys are words of ours
    assert [found.segment for found in bank.matches("kept").values()] == [match.segment]
    assert bank.check() == []
    bank.undo()
    assert bank.selection("found").query is None
    assert bank.check() == []


def test_labels_forget_from_whom_they_were_spread(bank: Bank) -> None:
    spread = [
        SpreadLabel(Segment(2, 1, 3), "step", 0.5, "#1:7-21"),
        SpreadLabel(Segment(3, 1, 3), "step", 0.25, "#2:7-21"),
        SpreadLabel(Segment(3, 5, 9), "step", 0.75, "#1:8-22"),
    ]
    bank.put_spread_labels(spread, names=["step"])
    bank.accept_labels(["#3:5-9"])

    bank.purge(["hidden"])

    assert [(one.segment, one.strength, one.example) for one in bank.unreviewed_labels()] == [
        (Segment(2, 1, 3), 0.5, ""),
        (Segment(3, 1, 3), 0.25, "#2:7-21"),
    ]
    assert [label.origin for label in bank.labels(3)] == ["spread from #2:7-21", "accepted"]
    assert bank.check() == []
    bank.undo()
    assert len(bank.unreviewed_labels()) == 3
    assert b"#1:" not in bytes_of(bank)
