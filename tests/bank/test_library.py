"""Finding clips and segments, and reading them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bank.small_banks import recording
from motionary.bank import Bank, Label
from motionary.errors import NotInBankError, UsageError, UserError
from motionary.motion import Segment


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def names(bank: Bank, *arguments: str, **options: list[str]) -> list[str]:
    return [clip.name for clip in bank.clips(*arguments, **options)]


def test_words_find_names_labels_descriptions_and_sources(bank: Bank) -> None:
    bank.add("02_01", recording(0), labels=[Label("walk")], source="/data/02/02_01.bvh")
    bank.add("02_10", recording(1), description='a "very" slow walk* (über)')
    bank.add("Größe", recording(2), labels=[Label("x-y", 1, 2)])

    assert names(bank, "02_01") == ["02_01"]
    assert names(bank, "02_") == ["02_01", "02_10"]
    assert names(bank, "wal") == ["02_01", "02_10"]
    assert names(bank, "walk slow") == ["02_10"]
    assert names(bank, "uber") == names(bank, "ÜBER") == ["02_10"]
    assert names(bank, "groß") == ["Größe"]
    assert names(bank, 'very"') == names(bank, "(walk*)", labels=[]) [1:] == ["02_10"]  # fmt: skip
    assert names(bank, "x-y") == ["Größe"]
    assert names(bank, "NOT") == names(bank, "walk NOT") == []
    assert names(bank, "nothing") == []
    with pytest.raises(UsageError, match="contains no word to search for"):
        bank.clips('"*"')


def test_the_index_follows_every_change(bank: Bank) -> None:
    clip = bank.add("walk", recording())
    bank.label(["walk"], ["calm"])
    assert names(bank, "calm") == ["walk"]
    bank.rename(clip, "stroll")
    assert (names(bank, "walk"), names(bank, "stroll calm")) == ([], ["stroll"])
    bank.unlabel(["stroll"])
    assert names(bank, "calm") == []
    bank.undo()
    assert names(bank, "calm") == ["stroll"]
    bank.remove([clip])
    assert names(bank, "stroll") == []


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    with Bank.open(tmp_path_factory.mktemp("bank") / "a.bank", create=True) as bank:
        bank.add('walk \'n "run"', recording())
        yield bank


@given(text=st.text())
def test_any_text_can_be_searched_for(searched: Bank, text: str) -> None:
    try:
        assert len(searched.clips(text)) <= 1
    except UserError:
        assert not any(letter.isalnum() for letter in text) or any(0xD800 <= ord(c) < 0xE000 for c in text)


@given(text=st.text(min_size=1))
def test_any_text_can_be_asked_for_as_a_segment(searched: Bank, text: str) -> None:
    with suppress(UserError):
        assert searched.segment(text) == Segment(1, 0, 4)


def test_labels_and_patterns_narrow(bank: Bank) -> None:
    bank.add("a/walk", recording(0), labels=[Label("calm"), Label("slow", 1, 2)])
    bank.add("a/run", recording(1), labels=[Label("calm", 0, 4)])
    bank.add("b/walk", recording(2))

    assert names(bank, labels=["calm"]) == ["a/walk", "a/run"]
    assert names(bank, labels=["calm", "slow"]) == ["a/walk"]
    assert names(bank, names=["a/*"]) == ["a/walk", "a/run"]
    assert names(bank, names=["*run", "b*"]) == ["a/run", "b/walk"]
    assert names(bank, names=["[a"]) == []
    assert bank.clips(names=["a/walk"])[0].labels == ("calm", "slow")
    assert bank.label_counts() == [("calm", 2, 1), ("slow", 1, 1)]
    assert bank.labelled("calm") == [Segment(1, 0, 4), Segment(2, 0, 4)]
    assert bank.labels(1) == [Label("calm"), Label("slow", 1, 2)]


def test_thousands_of_names_may_be_asked_for(bank: Bank) -> None:
    for seed, name in enumerate(["walk_7", "walk_9", "run", "jump [2]"]):
        bank.add(name, recording(seed))

    assert names(bank, names=[f"walk_{number}" for number in range(8, 3008)]) == ["walk_9"]
    assert names(bank, names=[f"*_{number}" for number in range(3000)] + ["r?n", "run"]) == ["walk_7", "walk_9", "run"]
    assert names(bank, names=["jump [[]2]"]) == ["jump [2]"]
    assert names(bank, names=["jump [2]"]) == []
    number = bank.clip("walk_7").id
    assert names(bank, names=[f"#{number}", "walk_9"]) == ["walk_7", "walk_9"]
    assert names(bank, names=["#" + "9" * 30, "#0"]) == []
    with pytest.raises(UsageError, match="an item of names must be a string, not 7"):
        bank.clips(names=["run", 7])  # type: ignore[list-item]


def test_one_label_or_pattern_needs_no_list(bank: Bank) -> None:
    bank.add("walk_1", recording(), labels=[Label("walk")])
    bank.add("run_1", recording(1))

    assert [clip.name for clip in bank.clips(labels="walk")] == ["walk_1"]
    assert [clip.name for clip in bank.clips(names="run*")] == ["run_1"]


def test_segments_of_clips_with_odd_names(bank: Bank) -> None:
    walk = bank.add("a", recording(0, n_frames=90))
    own = bank.add("b:1-2", recording(1))
    bank.add("rig:x", recording(2))

    assert bank.segment("a:30-60") == Segment(walk, 30, 60)
    assert bank.segment("a:1s-2.5s") == Segment(walk, 30, 75)
    assert bank.segment("a:-10") == Segment(walk, 0, 10)
    assert bank.segment(f"#{walk}:80-") == Segment(walk, 80, 90)
    assert bank.segment("b:1-2") == Segment(own, 0, 4)  # there is no clip b
    assert bank.segment("b:1-2:1-2") == Segment(own, 1, 2)
    assert bank.segment("rig:x:0-1").n_frames == 1
    other = bank.add("b", recording(3))
    assert bank.segment("b:1-2") == Segment(other, 1, 2)  # now there is; the clip itself goes by its number
    assert bank.segment(f"#{own}") == Segment(own, 0, 4)
    assert bank.segment_name(Segment(walk, 1, 2)) == "a:1-2"


def test_wrong_segments_say_what_there_is(bank: Bank) -> None:
    bank.add("walk", recording(n_frames=90))

    with pytest.raises(NotInBankError, match=r"clip 'walk' has no frames 80-91; it has 0-90 \(3.00 s at 30 Hz\)"):
        bank.segment("walk:80-91")
    for text, what in (("walk:5-5", "5-5 is empty"), ("walk:6-5", "6-5 is reversed"), ("walk:90-", "has no frames")):
        with pytest.raises(NotInBankError, match=what):
            bank.segment(text)
    with pytest.raises(UsageError, match=r"'1.5-3' is not a valid interval; write 30-90 \(frames\) or 1.5s-3s"):
        bank.segment("walk:1.5-3")
    with pytest.raises(NotInBankError, match=r"no clip 'wlk'\. Did you mean walk\?"):
        bank.segment("wlk:1-2")
    with pytest.raises(NotInBankError, match="no clip '#9'"):
        bank.clip("#9")
    with pytest.raises(NotInBankError, match="lists the clips"):
        bank.clip(10**30)
    with pytest.raises(NotInBankError):
        bank.motion(Segment(1, 0, 91))


def test_frames_come_back_as_they_went_in(bank: Bank) -> None:
    original = recording(n_frames=9)
    bank.add("walk", original)

    part = bank.recording("walk:2-7")

    assert part.skeleton.same_as(original.skeleton)
    assert np.array_equal(part.layout.joints, original.layout.joints)
    assert np.array_equal(part.layout.kinds, original.layout.kinds)
    assert (part.space, part.frame_time) == (original.space, original.frame_time)
    assert np.array_equal(part.values[:, :3], original.values[2:7, :3])
    assert np.allclose(part.values, original.values[2:7], rtol=0, atol=1e-5)
    assert np.allclose(bank.motion("walk").root_positions, original.values[:, :3] / 100)


def test_a_skeleton_of_a_change_that_failed_is_not_remembered(bank: Bank) -> None:
    def fail() -> None:
        with bank.change("fail"):
            bank.add("long", recording(0, bone=50.0))
            assert bank.recording("long").skeleton.offsets[1, 1] == 50.0
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    bank.add("short", recording(0, bone=10.0))

    assert bank.recording("short").skeleton.offsets[1, 1] == 10.0


def test_names_by_id(bank: Bank) -> None:
    first, second = (bank.add(name, recording(n)) for n, name in enumerate(("walk", 'a "b"')))

    assert bank.clip_names(iter([second, first, second, 99])) == {first: "walk", second: 'a "b"'}
    assert bank.clip_names([]) == {}


def test_segments_and_names_that_are_nearly_right(bank: Bank) -> None:
    bank.add("90_05", recording(n_frames=40))
    bank.add("take:3:8", recording(1, n_frames=40))

    assert bank.segment("90_05:3:8") == bank.segment("90_05:3-8") == Segment(1, 3, 8)
    assert bank.segment("take:3:8") == Segment(2, 0, 40)  # a clip's own name goes first
    with pytest.raises(NotInBankError, match=r"no clip '90_5'\. Did you mean 90_05\?"):
        bank.segment("90_5:3-8")
    with pytest.raises(NotInBankError, match=r"no clip '90 5'\. Did you mean 90_05\?"):
        bank.segment("90 5:3:8")


def test_clips_can_be_given_in_any_form(bank: Bank) -> None:
    clip = bank.add("90_05", recording(n_frames=40))

    assert bank.skeleton("#1").names == bank.skeleton("90_05").names == bank.skeleton(clip).names
    assert bank.segment_of(clip) == Segment(1, 0, 40)
    assert bank.label("90_05:3-8", "kick") == 1
    assert bank.label([clip], ["high", "kick"]) == 2
    assert bank.unlabel("90_05", "kick") == 2
    with pytest.raises(UsageError, match="an item of segments must be"):
        bank.label([3.5], ["kick"])


def test_a_closed_bank_says_so(bank: Bank) -> None:
    bank.close()
    for use in (bank.clips, bank.selections, bank.snapshot().__enter__, lambda: bank.label("walk", "good")):
        with pytest.raises(UsageError, match=r"a\.bank: the bank is closed; open it again with Bank\.open"):
            use()


@pytest.mark.parametrize("named", ["walk", "#1", 1, "clip"])
def test_a_clip_may_be_named_in_any_way(bank: Bank, named: str | int) -> None:
    bank.add("walk", recording(0), labels=[Label("calm")])
    clip = bank.clip("walk") if named == "clip" else named

    assert bank.clip(clip) == bank.clip("walk")
    assert [label.name for label in bank.labels(clip)] == ["calm"]
    assert bank.plants(clip) == bank.targets(clip) == []
    assert bank.plants_origin(clip) is None
    assert bank.clips_of(clip) == bank.clips_of([clip]) == [bank.clip(1)]
    assert bank.segment_name(clip) == f"walk:0-{bank.clip(1).n_frames}"
    assert bank.labels_on(clip) == ("calm",)
    assert bank.purgeable(clip) == [(1, "walk")]
    with pytest.raises(UsageError, match="a name, #12, a clip's id or a Clip"):
        bank.clip(1.5)  # type: ignore[arg-type]


def test_labels_of_a_clip_that_is_not_there_are_an_error(bank: Bank) -> None:
    with pytest.raises(NotInBankError, match="no clip 'walk'"):
        bank.labels("walk")
