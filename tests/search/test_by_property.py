"""Segments found by their properties alone."""

from dataclasses import replace

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.library import build_features
from motionary.motion import recording_of
from motionary.search import find_segments
from motionary.search.properties import PropertyCurves


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("by_property") / "a.bank", create=True) as bank:
        for seed in range(3):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90 if seed else 20)))
        yield bank


def turns(bank, clip_id, length):
    """Of all windows of a clip."""
    features = build_features(bank)
    curves = PropertyCurves(features.of(clip_id).arrays, features.rate_hz)
    starts = np.arange(curves.n_frames - length + 1)
    return curves.measure(("turn",), starts, starts + length)["turn"]


def test_the_segment_that_turns_most_comes_first_and_none_overlap(bank):
    result = find_segments(bank, "turn > -1000", length_secs=1.0, k=None)

    assert result[0].mean == pytest.approx(max(turns(bank, c, 30).max() for c in (2, 3)))
    values = [one.mean for one in result]
    assert values == sorted(values, reverse=True)
    places = [(one.segment.clip_id, one.segment.start, one.segment.stop) for one in result]
    assert all(a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for i, a in enumerate(places) for b in places[i + 1 :])


def test_less_than_puts_the_least_first(bank):
    result = find_segments(bank, ("turn < 1000",), length_secs=1.0, k=2)

    assert result[0].mean == pytest.approx(min(turns(bank, c, 30).min() for c in (2, 3)))
    assert len(result) == 2


def test_a_clip_that_is_shorter_counts_as_a_whole(bank):
    result = find_segments(bank, "duration > 0", length_secs=1.0, k=None, names=["#1"])

    assert [one.segment.stop - one.segment.start for one in result] == [bank.clip("#1").n_frames]


@pytest.mark.parametrize("first", [0, 35])
def test_frames_that_were_not_captured_are_no_segments(tmp_path, first):
    recording = recording_of(wild_body(1, n_frames=90))
    values = np.array(recording.values)
    values[first : first + 20] = 0.0
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("gap", replace(recording, values=values), notes=["frames are all zero"])
        low = find_segments(bank, "lowest < 9", length_secs=1.0, k=None)
        lively = find_segments(bank, "energy > 0", length_secs=3.0, k=1)

    beside = [(one.segment.start, one.segment.stop) for one in (*low, *lively)]
    assert beside
    assert all(stop < first or start > first + 20 for start, stop in beside)
    assert lively[0].segment.n_frames == (69 if first == 0 else 34)  # all that was captured in one stretch


def test_labels_mean_labelled_frames(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for seed in (1, 2, 3):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90)))
        bank.label(["#1:10-25", "#1:40-80", "#2"], "walk")
        bank.label(["#1:50-90", "#2:80-90"], "left")
        walks = find_segments(bank, "energy > 0", length_secs=1.0, k=None, labels="walk")
        both = find_segments(bank, "energy > 0", length_secs=1.0, k=None, labels=["walk", "left"])

    first = [(one.segment.start, one.segment.stop) for one in walks if one.segment.clip_id == 1]
    assert (10, 25) in first
    assert len(first) == 2
    assert all(40 <= start < stop <= 80 and stop - start == 30 for start, stop in first if start > 10)
    assert {one.segment.clip_id for one in walks} == {1, 2}
    assert {(one.segment.clip_id, one.segment.n_frames) for one in both} == {(1, 30), (2, 10)}


@pytest.mark.parametrize("rate_hz", [24, 50, 60, 100, 120])
def test_segments_do_not_stick_out_of_labels_at_any_rate(tmp_path, rate_hz):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("take", recording_of(replace(wild_body(1, n_frames=240), frame_time=1 / rate_hz)))
        for stop in range(178, 183):
            bank.label([f"#1:{stop - 80}-{stop}"], f"until {stop}")
        bank.label(["#1:0-39", "#1:39-80", "#1:201-240"], "in pieces")
        for stop in range(178, 183):
            found = find_segments(bank, "energy > 0", length_secs=0.25, k=None, labels=f"until {stop}")
            assert found
            assert all(stop - 80 <= one.segment.start < one.segment.stop <= stop for one in found)
        whole = find_segments(bank, "energy > 0", length_secs=9.0, k=None, labels="in pieces")

    assert sorted((one.segment.start, one.segment.stop) for one in whole)[0] == (0, 80)  # labels that touch are one
    assert whole[-1].segment.stop <= 80 or whole[-1].segment.start >= 201


def test_all_conditions_must_hold(bank):
    one = find_segments(bank, "turn > 0", length_secs=1.0, k=None)
    both = find_segments(
        bank, ("turn > 0", f"energy < {np.median([*_energies(one, bank)]):.9f}"), length_secs=1.0, k=None
    )

    assert 0 < len(both) < len(one)
    assert all(values["turn"] > 0 for values in both.values.values())
    assert [one.properties for one in both] == [both.values[one.segment] for one in both]


def _energies(result, bank):
    features = build_features(bank)
    for match in result:
        clip_id = match.segment.clip_id
        curves = PropertyCurves(features.of(clip_id).arrays, features.rate_hz)
        start, stop = features.rates[features.number(clip_id)].search_segment(match.segment.start, match.segment.stop)
        yield float(curves.measure(("energy",), np.array([start]), np.array([stop]))["energy"][0])


def test_one_for_each_clip(bank):
    result = find_segments(bank, "duration > 0", length_secs=0.5, per="clip", k=None)

    assert sorted(one.segment.clip_id for one in result) == [1, 2, 3]
    assert {one.clip for one in result} == {"take 0", "take 1", "take 2"}


@pytest.mark.parametrize(
    ("error", "where", "options"),
    [
        (UsageError, (), {}),
        (UsageError, "time > 2", {}),  # qualities need a segment that somebody has chosen
        (UsageError, "turn > 2", {"length_secs": 0.0}),
        (NotInBankError, "turn > 2", {"labels": ["nobody"]}),
    ],
)
def test_what_cannot_be_asked_is_refused(bank, error, where, options):
    with pytest.raises(error):
        find_segments(bank, where, **options)
