"""Matches by their Effort and Shape."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.library import build_features, performance
from motionary.motion import recording_of
from motionary.qualities import quality_measures
from motionary.search import search_bank, search_pose_space
from search.tiny_libraries import PLAIN


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("by_quality") / "a.bank", create=True) as bank:
        for seed in range(3):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=120)))
        yield bank


def measured(bank, match, name):
    acted = performance(bank, match.segment)
    return quality_measures(acted.motion, acted.body)[name]


@pytest.mark.parametrize(("search", "options"), [(search_bank, PLAIN), (search_pose_space, {})])
def test_only_matches_that_fulfil_all_conditions_are_found(bank, search, options):
    everything = search(bank, "#1:5-35", k=60, **options).matches
    middle = sorted(measured(bank, one, "horizontal") for one in everything)[len(everything) // 2]
    wanted = [
        one for one in everything if measured(bank, one, "horizontal") > middle and measured(bank, one, "time") > 0
    ]

    found = search(bank, "#1:5-35", k=2, where=(f"horizontal>{middle!r}", "time>0"), **options)

    assert [one.segment for one in found] == [one.segment for one in wanted[:2]]
    assert len(found.matches) == 2


def test_matches_may_be_chosen_by_properties_and_qualities_together(bank):
    everything = search_bank(bank, "#1:5-35", k=60, **PLAIN).matches
    turns = [turned(bank, one) for one in everything]
    middle = sorted(turns)[len(turns) // 2]
    wanted = [
        one
        for one, turn in zip(everything, turns, strict=True)
        if turn > middle and measured(bank, one, "horizontal") > 0
    ]

    found = search_bank(bank, "#1:5-35", k=3, where=(f"turn > {middle!r}", "horizontal>0"), **PLAIN)

    assert [one.segment for one in found] == [one.segment for one in wanted[:3]]
    for one in found:
        assert list(one.properties) == ["turn", "horizontal"]
        assert one.properties["turn"] == pytest.approx(turned(bank, one), abs=1e-6)
        assert one.properties["horizontal"] == measured(bank, one, "horizontal")
        assert one.as_json()["properties"] == one.properties
    assert "properties" not in everything[0].as_json()


def turned(bank, match):
    """By the features of the clip, frame by frame."""
    features = build_features(bank)
    number = features.number(match.segment.clip_id)
    start, stop = features.rates[number].search_segment(match.segment.start, match.segment.stop)
    turning = features.of(match.segment.clip_id)["root"][start:stop, 3].astype(float)
    return float(np.degrees(np.trapezoid(turning, dx=1 / features.rate_hz)))


def test_a_bad_condition_is_refused(bank):
    for text in ("time=2", "time>x", "time>"):
        with pytest.raises(UsageError, match="is not a condition; write 'time > NUMBER' or 'time < NUMBER'"):
            search_bank(bank, "#1:5-35", where=(text,))
    for text, meant in (("colour>2", "choose turn, speed, "), ("turm > 2", r"did you mean turn\?")):
        with pytest.raises(UsageError, match=f"is not a condition: there is no property '.*'; {meant}"):
            search_bank(bank, "#1:5-35", where=(text,))


def test_motions_with_an_effort_like_this_one_are_a_search(bank):
    found = search_bank(bank, "#1:5-35", k=3, descriptions=("qualities",), window=0.1)

    assert len(found.matches) == 3
