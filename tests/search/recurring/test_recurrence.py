"""Motifs and surprises of a bank: what is asked for, and what cannot be."""

import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.motion import recording_of
from motionary.sample import sample_into
from motionary.search import find_motifs, find_surprises


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("made") / "made.bank", create=True) as bank:
        sample_into(bank, minutes=0.5)
        yield bank


def test_one_word_is_a_list_of_one(bank):
    by_text, by_list = (find_motifs(bank, k=2, length=1, joints=joints) for joints in ("arms", ["arms"]))

    assert [motif.as_json() for motif in by_text] == [motif.as_json() for motif in by_list]


@pytest.mark.parametrize("at_least", [2.5, "3", True])
def test_times_are_whole_numbers(bank, at_least):
    with pytest.raises(UsageError, match="at_least must be an integer"):
        find_motifs(bank, at_least=at_least)


@pytest.mark.parametrize("find", [find_motifs, find_surprises])
def test_clips_that_are_not_there_or_too_short_are_told(bank, find):
    longest = max(clip.duration_secs for clip in bank.clips())

    with pytest.raises(NotInBankError, match=r"nothing to compare: no clip has the name 'nobody\*'"):
        find(bank, names="nobody*")
    for length in (longest + 1.0, 1e300):
        with pytest.raises(UsageError, match=f"too short for windows of .*; the longest has {longest:.1f} s"):
            find(bank, length=length)


@pytest.mark.parametrize("find", [find_motifs, find_surprises])
def test_clips_that_are_left_out_because_they_are_short_are_counted(tmp_path, find):
    told = []
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for n_frames in (20, 60, 70):
            bank.add(f"take {n_frames}", recording_of(wild_body(n_frames, n_frames=n_frames)))

        find(bank, k=1, length=1, message=told.append)
        find(bank, k=1, length=0.5, message=told.append)

    assert told == ["1 of 3 clips is shorter than 1 s and left out"]


@pytest.mark.parametrize("find", [find_motifs, find_surprises])
def test_in_an_empty_bank_there_is_nothing(tmp_path, find):
    with Bank.open(tmp_path / "empty.bank", create=True) as empty:
        assert find(empty) == ()
