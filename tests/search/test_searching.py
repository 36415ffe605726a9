"""Searching a bank: planted motions come first, in whatever way they were planted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import build_features
from motionary.motion import Motion, Segment, mirror, poses_at, recording_of
from motionary.rig import mirror_partners
from motionary.search import LibrarySegment, Query, search_bank


def joined(*motions: Motion) -> Motion:
    return replace(
        motions[0],
        root_positions=np.concatenate([motion.root_positions for motion in motions]),
        rotations=np.concatenate([motion.rotations for motion in motions]),
        translations=np.concatenate([motion.joint_translations for motion in motions]),
    )


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory):
    """A query's clip; others with it as it was (at 60 Hz), mirrored and slower."""
    source = wild_body(1, n_frames=60)
    slower = poses_at(source, np.linspace(10, 49, 44))
    path: Path = tmp_path_factory.mktemp("search") / "a.bank"
    with Bank.open(path, create=True) as bank:
        bank.add("source", recording_of(source))
        copy = replace(poses_at(source, np.arange(0, 59.5, 0.5)), frame_time=1 / 60)
        other = replace(wild_body(5, n_frames=40), frame_time=1 / 60)
        bank.add("copy", recording_of(joined(other, copy)))
        partners = mirror_partners(source.skeleton)
        bank.add("mirror", recording_of(joined(wild_body(2, n_frames=15), mirror(source, partners))))
        bank.add("slow", recording_of(joined(wild_body(3, n_frames=21), slower, wild_body(4, n_frames=9))))
        bank.label(["mirror", "slow"], ["odd"])
        yield bank


def test_a_planted_copy_is_found_first_at_its_own_rate(bank):
    for distance in ("euclid", "dtw", "lcss"):
        match = search_bank(bank, "source:10-50", k=1, distance=distance).matches[0]

        assert (match.clip, match.segment.start, match.segment.stop) == ("copy", 60, 140)
        assert match.mean < 0.01
        assert match.alignment.pairs[:, 0].tolist() == list(range(40))


def test_its_own_place_is_a_match_only_if_asked_for(bank):
    own = search_bank(bank, "source:10-50", with_itself=True, k=1).matches[0]
    others = search_bank(bank, "source:10-50", k=None, within=1e6).matches

    assert (own.clip, own.segment.start, own.distance) == ("source", 10, 0.0)
    assert all(abs(found.segment.start - 10) >= 32 for found in others if found.clip == "source")


def test_a_mirrored_copy(bank):
    match = search_bank(bank, "source:10-50", mirrored="only", k=1).matches[0]

    assert (match.clip, match.segment.start, match.mirrored) == ("mirror", 25, True)
    assert match.mean < 0.01


def test_a_slower_copy_with_its_scale(bank):
    match = search_bank(bank, "source:10-50", scale=0.1, names="slow", k=1).matches[0]

    assert (match.clip, match.segment.start, match.segment.stop) == ("slow", 21, 65)
    assert match.scale == 1.1
    assert match.mean < 0.01
    assert match.alignment.pairs[-1].tolist() == [39, 43]


def test_only_some_clips_are_searched(bank):
    def clips(**where):
        return {found.clip for found in search_bank(bank, "source:10-50", k=None, within=1e6, **where).matches}

    assert clips(labels="odd") == {"mirror", "slow"}
    assert clips(names=["s*"]) <= {"source", "slow"}
    assert clips(text="copy") == {"copy"}
    with pytest.raises(NotInBankError, match="nothing to search"):
        clips(labels="even")
    with pytest.raises(UsageError, match="no way to search is called 'magic'"):
        search_bank(bank, "source:10-50", by="magic")


def test_a_query_with_other_words_and_features_at_hand(bank):
    features = build_features(bank)
    example = LibrarySegment(features, Segment(1, 10, 50))
    query = Query(example=example, descriptions=("angles", "root"), weights={"root": 0.1}, k=3)

    first, again = (search_bank(bank, query, features=features, k=2) for _ in range(2))

    assert [found.as_json() for found in first.matches] == [found.as_json() for found in again.matches]
    assert (first.matches[0].clip, first.matches[0].unit, len(first.matches)) == ("copy", "°", 2)
