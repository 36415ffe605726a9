"""What is said about a result."""

from dataclasses import replace

import numpy as np
import pytest

from bank.small_banks import recording as creature
from features.moving_bodies import wild_body
from motionary.alignment import Alignment
from motionary.bank import Bank, export
from motionary.motion import Segment, recording_of
from motionary.search import Match, SearchResult, advice, search_bank
from search.tiny_libraries import library, query_of

LIBRARY = library([{"root": np.zeros((60, 6))}])


def result(*distances: float, n_windows: int = 1200, **options) -> SearchResult:
    query = query_of(LIBRARY, Segment(1, 0, 60), **options)
    matches = tuple(
        Match(Segment(1, i, i + 1), distance, distance, "cm", query.distance, Alignment(np.array([[0, 0]])), 1, 30.0)
        for i, distance in enumerate(distances)
    )
    return SearchResult(query, matches, n_windows, n_windows, 7)


def test_nothing_found():
    assert advice(result()) == ["no match in 1,200 windows of 7 clips"]
    assert advice(result(n_windows=0))[1] == "all searched clips are shorter than the query (2.00 s)"


@pytest.mark.parametrize("by", ["exact", "scan"])
def test_clips_shorter_than_the_query(lengths, by):
    def remarks(query, **options):
        found = search_bank(lengths, query, k=1, descriptions=("positions",), by=by, **options)
        return [one for one in advice(found) if "shorter" in one]

    assert remarks("c:0-30") == [
        "1 of 5 clips is shorter than the query (1.00 s) and cannot match; use a shorter query or --scale"
    ]
    assert remarks("d:0-60", also="d:60-110", scale=0.1) == [
        "2 of 5 clips are shorter than every example (1.67 s) and cannot match; use a shorter query or a larger --scale"
    ]
    assert remarks("c:0-20") == remarks("d:0-30", names=("b", "c", "d")) == []


@pytest.mark.parametrize("by", ["exact", "scan"])
def test_clips_without_features_are_not_too_short(tmp_path, by):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for seed, name in enumerate(["take a", "take b"]):
            bank.add(name, recording_of(wild_body(seed, n_frames=60)))
        bank.add("prop of take a", creature(1))
        found = [
            search_bank(bank, "take a:0-30", by=by, descriptions=("positions",), **only)
            for only in ({}, {"names": ["*take*"]})
        ]

    assert [(one.n_clips, one.n_too_short) for one in found] == [(2, 0), (2, 0)]


def test_a_few_short_clips_among_many_are_no_remark():
    for n_too_short, n_remarks in ((10, 0), (50, 0), (51, 1)):  # of 1000: more than a twentieth
        assert len(advice(replace(result(1.0), n_clips=1000 - n_too_short, n_too_short=n_too_short))) == n_remarks


def test_the_largest_scale_is_not_to_be_increased():
    found = replace(result(1.0, scale=0.99), n_clips=1, n_too_short=1)

    assert advice(found)[0].endswith("cannot match; use a shorter query")


def test_remarks_without_options_of_the_command_line(lengths):
    def remarks(query, **options):
        found = search_bank(lengths, query, k=2, descriptions=("positions",), **options)
        said = [advice(found, at_least=9, with_options=with_options) for with_options in (True, False)]
        return [[one for one in remarks if "gap after" not in one] for remarks in said]

    with_options, without = remarks("d", scale=0.1, within=1.0)
    assert "increase --within to find more" in with_options[-1]
    assert without == [one.split(";")[0] for one in with_options]
    with_options, without = remarks("c:0-30", unlike="d:0-30")
    assert any("use a shorter query or --scale" in one for one in with_options)
    assert "1 of 5 clips is shorter than the query (1.00 s) and cannot match" in without
    assert not any("--" in one for one in without)


def test_whole_clips_as_examples(lengths):
    def remarks(query, **options):
        found = search_bank(lengths, query, k=1, descriptions=("positions",), **options)
        return [one for one in advice(found) if "whole" in one]

    assert remarks("d:0-150") == remarks("c") == []
    assert remarks("d") == [
        "the query is a whole clip of 5.3 s, and matches are about as long; to find a part of it, name its frames: "
        "CLIP:START-STOP"
    ]
    [both] = remarks("d", also=["e"])
    assert both.startswith("both examples are whole clips of up to 5.3 s, and matches")
    for combine in ("any", "all"):
        assert remarks("label:long", combine=combine) == [
            "1 of the 2 examples is a whole clip of up to 5.3 s, and matches are about as long as their example; to "
            "find single actions, label or name only their frames: CLIP:START-STOP"
        ]


@pytest.fixture(scope="module")
def lengths(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("lengths") / "a.bank", create=True) as bank:
        for seed, (name, n_frames) in enumerate({"a": 25, "b": 40, "c": 100, "d": 160, "e": 150}.items()):
            bank.add(name, recording_of(wild_body(seed, n_frames=n_frames)))
        bank.label(["c", "d"], ["long"])
        yield bank


@pytest.mark.parametrize(
    ("distances", "options", "said"),
    [
        ([], {}, "0.5 is strict here: no match has a frame in common with it; 1, or fewer joints, finds more"),
        ([0.9], {}, "the best match has 10% of the query's frames in common with it; 1, or"),
        ([0.9], {"tolerance": 0.0}, "; 0.1, or"),
        ([0.9], {"tolerance": 4.0}, "; fewer joints find more"),
        ([0.7], {}, None),
        ([], {"within": 0.5}, None),  # there may be matches beyond the threshold
    ],
)
def test_a_strict_tolerance(distances, options, said):
    remarks = [remark for remark in advice(result(*distances, distance="lcss", **options)) if "strict" in remark]

    assert remarks == [] if said is None else said in remarks[0]


def test_how_far_the_window_was_widened():
    wide = result(1.0, 2.0, window=0.4, within=3.0)
    along = replace(wide, query=replace(wide.query, window=(0.2, 1.0, 0.4)))

    assert advice(wide, at_least=2) == ["2 found with a window of 40%"]
    assert advice(wide, at_least=3)[0].startswith("only 2 of 3 matches found, even with a window of 40%")
    assert advice(along, at_least=2) == ["2 found with a window of 20% to 100%"]


@pytest.mark.parametrize(("shown", "said"), [("take.bvh", True), ("take.bvh:5-30", False), ("take.bvh:0-40", True)])
def test_a_file_without_frames_around_it(shown, said, monkeypatch, tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("wild", recording_of(wild_body(1, n_frames=40)))
        export(bank, ["wild"], tmp_path / "take.bvh")
        monkeypatch.chdir(tmp_path)
        gist, places = (search_bank(bank, shown, k=1, descriptions=(name,)) for name in ("gist", "positions"))

    assert any("has no frames before and after it" in remark for remark in advice(gist)) == said
    assert not any("no frames before and after it" in remark for remark in advice(places))


def test_means_below_zero():
    below = result(-2.0, 3.0, weights={"Head": -1.0})

    assert advice(below) == [
        "negative means: the parts with negative weights differ more than all others; lower is better"
    ]


def test_where_to_cut():
    assert advice(result(1.0, 1.0, 1.0, 2.0)) == ["largest gap after match 3; later matches may be unrelated"]
