"""The best match of each clip or performer."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.moving_bodies import wild_body
from motionary.alignment import Alignment, Match, Result
from motionary.bank import Bank
from motionary.motion import Segment, recording_of
from motionary.search import search_bank, search_pose_space
from motionary.search.per_group import one_per_group
from search.tiny_libraries import PLAIN


@dataclass(frozen=True)
class Limit:
    k: int | None


@dataclass(frozen=True, eq=False)
class Found(Result):
    query: Limit
    matches: tuple[Match, ...]


def match(clip: int, rank: int) -> Match:
    return Match(Segment(clip, rank, rank + 1), rank, rank, "", "dtw", Alignment(np.array([[0, 0]])), 1, 30.0)


@given(clips=st.lists(st.integers(1, 5), max_size=40), k=st.one_of(st.none(), st.integers(1, 6)))
def test_the_answer_is_that_of_thinning_all_matches(clips, k):
    everything = tuple(match(clip, rank) for rank, clip in enumerate(clips))
    first = {clip: rank for rank, clip in reversed(list(enumerate(clips)))}

    found = one_per_group(None, "clip", k, lambda n: Found(Limit(n), everything[:n]))

    assert [one.segment.start for one in found] == sorted(first.values())[:k]
    assert found.query.k == k


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """Three clips of one performer, and one of another, who is a tenth taller."""
    with Bank.open(tmp_path_factory.mktemp("per") / "a.bank", create=True) as bank:
        for seed, name in enumerate(("one", "two", "query"), start=1):
            bank.add(name, recording_of(wild_body(seed, n_frames=120)))
        small = wild_body(4, n_frames=120)
        taller = replace(small.skeleton, offsets=1.1 * small.skeleton.offsets)
        bank.add("tall", recording_of(replace(small, skeleton=taller, root_positions=1.1 * small.root_positions)))
        yield bank


def test_searches_list_one_match_a_clip(bank):
    for search, options in ((search_bank, PLAIN), (search_pose_space, {})):
        everything = search(bank, "query:5-35", k=50, **options)
        found = search(bank, "query:5-35", k=2, per="clip", **options)

        names = list(dict.fromkeys(one.clip for one in everything))
        assert [one.clip for one in found] == names[:2]
        assert found.query.k == 2


def test_performers_are_told_apart_by_their_skeletons(bank):
    found = search_bank(bank, "query:5-35", k=5, per="performer", **PLAIN)

    assert len(found) == 2
    assert {one.clip for one in found} == {"tall", next(one.clip for one in found if one.clip != "tall")}
